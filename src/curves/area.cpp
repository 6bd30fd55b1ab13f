#include "curves/area.h"

#include <array>
#include <vector>

namespace pawl {

namespace {

// Gauss and Legendre's rule of eight points on [-1, 1], exact to the fifteenth power.
struct Node {
    double abscissa, weight;
};
constexpr std::array<Node, 4> nodes{{{0.1834346424956498, 0.3626837833783620},
                                     {0.5255324099163290, 0.3137066458778873},
                                     {0.7966664774136267, 0.2223810344533745},
                                     {0.9602898564975363, 0.1012285362903763}}};
// Of an element, at least one between two of its breaks (knots, ends of cam laws), where it is not
// smooth: of a part that turns by a quarter it is exact to 1e-16 of the area.
constexpr int parts = 16;

template <class S>
std::vector<double> parts_of(const CurveElement<S>& element) {
    std::vector<double> breaks{0, 1};
    std::visit(
        [&](const auto& e) {
            if constexpr (requires { e.breaks(); }) breaks = e.breaks();
        },
        element);
    const int each = 1 + (parts - 1) / static_cast<int>(breaks.size() - 1);
    std::vector<double> ends{breaks.front()};
    for (std::size_t i = 1; i < breaks.size(); ++i)
        for (int k = 1; k <= each; ++k)
            ends.push_back(breaks[i - 1] + (breaks[i] - breaks[i - 1]) * k / each);
    return ends;
}

}  // namespace

// Green's theorem: with d the way round,
//   area = 1/2 of p x d,  first = (x^2 dy, -y^2 dx)/2,  second = (x^3 dy - y^3 dx)/3.
template <class S>
AreaMoments<S> area_moments(const Profile<S>& profile, const Similarity<S>& moved) {
    using T = typename S::Scalar;
    AreaMoments<S> all;
    const auto add = [&](const CurveElement<S>& element, double u, double weight) {
        const CurvePoint<S> c = point_of<S>(element, T(u));
        const auto p = c.p, d = T(weight) * c.speed * S::turned(c.n);
        all.area = all.area + T(0.5) * S::cross(p, d);
        all.first = all.first + T(0.5) * typename S::Vector{p.x * p.x * d.y, -p.y * p.y * d.x};
        all.second = all.second + (p.x * p.x * p.x * d.y - p.y * p.y * p.y * d.x) / T(3);
    };
    for (const CurveElement<S>& given : profile.elements) {
        if (std::holds_alternative<Corner<S>>(given)) continue;
        const CurveElement<S> element = pawl::moved<S>(given, moved);
        const std::vector<double> ends = parts_of<S>(element);
        for (std::size_t part = 1; part < ends.size(); ++part) {
            const double half = 0.5 * (ends[part] - ends[part - 1]),
                         middle = 0.5 * (ends[part] + ends[part - 1]);
            for (const Node& node : nodes)
                for (const double side : {-1.0, 1.0})
                    add(element, middle + half * side * node.abscissa, half * node.weight);
        }
    }
    return all;
}

template AreaMoments<Planar<double>> area_moments(const Profile<Planar<double>>&,
                                                  const Similarity<Planar<double>>&);

}  // namespace pawl
