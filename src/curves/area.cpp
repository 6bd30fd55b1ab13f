#include "curves/area.h"

#include <array>

namespace pawl {

namespace {

// Gauss and Legendre's rule of eight points on [-1, 1], exact to the fifteenth power.
struct Node {
    double place, weight;
};
constexpr std::array<Node, 4> nodes{{{0.1834346424956498, 0.3626837833783620},
                                     {0.5255324099163290, 0.3137066458778873},
                                     {0.7966664774136267, 0.2223810344533745},
                                     {0.9602898564975363, 0.1012285362903763}}};
// Of an element: a turn of a quarter, of a part 1e-16 of the area.
constexpr int parts = 16;

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
        for (int part = 0; part < parts; ++part)
            for (const Node& node : nodes)
                for (const double side : {-1.0, 1.0})
                    add(element, (part + 0.5 + 0.5 * side * node.place) / parts,
                        0.5 * node.weight / parts);
    }
    return all;
}

template AreaMoments<Planar<double>> area_moments(const Profile<Planar<double>>&,
                                                  const Similarity<Planar<double>>&);

}  // namespace pawl
