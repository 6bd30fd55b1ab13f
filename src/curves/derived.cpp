#include "curves/derived.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

template <class S>
std::optional<std::string> shift(Corner<S>&, const typename S::Scalar&) {
    return std::nullopt;
}
template <class S>
std::optional<std::string> shift(LineCurve<S>& line, const typename S::Scalar& distance) {
    const auto n = line.straight().n;
    line = {line.from + distance * n, line.to + distance * n};
    return std::nullopt;
}
template <class S>
std::optional<std::string> shift(ArcCurve<S>& arc, const typename S::Scalar& distance) {
    arc.radius = arc.radius + arc.side() * distance;
    if (!(value_of(arc.radius) > 0)) return "the offset is larger than the radius of the arc";
    return std::nullopt;
}
template <class S>
std::optional<std::string> shift(CircleCurve<S>& circle, const typename S::Scalar& distance) {
    circle.radius = circle.hollow ? circle.radius - distance : circle.radius + distance;
    if (!(value_of(circle.radius) > 0)) return "the offset is larger than the radius of the circle";
    return std::nullopt;
}
template <class S>
void add_parallel(CamCurve<S>& curve, const typename S::Scalar& distance) {
    curve.parallel = curve.parallel + distance / curve.similarity.scale;
}
template <class Curve, class T>
void add_parallel(Curve& curve, const T& distance) {
    curve.offset = curve.offset + distance;
}
template <class S, GeneralCurve Curve>
std::optional<std::string> shift(Curve& curve, const typename S::Scalar& distance) {
    add_parallel(curve, distance);
    constexpr int samples = 64;
    const std::vector<double> breaks = curve.breaks();
    for (std::size_t i = 1; i < breaks.size(); ++i)
        for (int k = 0; k <= samples; ++k) {
            const double u = breaks[i - 1] + (breaks[i] - breaks[i - 1]) * k / samples;
            if (!(value_of(curve.point(typename S::Scalar(u)).speed) > 0))
                return "the offset is larger than the smallest radius of curvature";
        }
    return std::nullopt;
}

}  // namespace

template <class S>
Profile<S> mirrored(const Profile<S>& profile) {
    Profile<S> image{{}, profile.closed};
    for (auto e = profile.elements.rbegin(); e != profile.elements.rend(); ++e)
        image.elements.push_back(mirrored<S>(*e));
    // A closed profile begins with a curve: its corner follows the last element.
    if (image.closed && std::holds_alternative<Corner<S>>(image.elements.front()))
        std::rotate(image.elements.begin(), image.elements.begin() + 1, image.elements.end());
    return image;
}

template <class S>
std::optional<ProfileProblem> offset(const Profile<S>& profile, const typename S::Scalar& distance,
                                     Profile<S>& result) {
    using T = typename S::Scalar;
    const bool outward = value_of(distance) > 0;
    const int n = static_cast<int>(profile.elements.size());
    std::vector<CurveElement<S>> elements;
    for (int i = 0; i < n; ++i) {
        CurveElement<S> e = profile.elements[static_cast<std::size_t>(i)];
        const int next = profile.neighbour(i, 1);
        if (const auto* corner = std::get_if<Corner<S>>(&e)) {
            if (!profile.closed && (i == 0 || i + 1 == n)) continue;  // ends get new corners
            if (!outward)
                return ProfileProblem{i, "cannot offset a profile inward at a convex corner"};
            e = ArcCurve<S>{corner->at, distance, corner->normal, corner->turn};
        } else {
            if (auto problem = std::visit(
                    [&](auto& kind) {
                        if constexpr (GeneralCurve<std::decay_t<decltype(kind)>>)
                            return shift<S, std::decay_t<decltype(kind)>>(kind, distance);
                        else
                            return shift<S>(kind, distance);
                    },
                    e))
                return ProfileProblem{i, *problem};
            if (next >= 0 && !is_whole<S>(e)) {
                const auto here =
                    point_of<S>(profile.elements[static_cast<std::size_t>(i)], T(1)).n;
                const auto there =
                    point_of<S>(profile.elements[static_cast<std::size_t>(next)], T(0)).n;
                if (outward && value_of(S::cross(here, there)) < -tolerance::tangent_corner)
                    return ProfileProblem{i,
                                          "cannot offset a profile outward at a re-entrant corner"};
            }
        }
        elements.push_back(std::move(e));
    }
    return make_profile<S>(std::move(elements), profile.closed, result);
}

template <class S>
std::vector<CurveElement<S>> patterned(const std::vector<CurveElement<S>>& elements, int count,
                                       const typename S::Scalar& step) {
    std::vector<CurveElement<S>> all;
    for (int k = 0; k < count; ++k)
        for (const auto& e : elements) {
            Similarity<S> map;
            map.angle = typename S::Scalar(k) * step;
            all.push_back(k == 0 ? e : moved<S>(e, map));
        }
    return all;
}

template Profile<Planar<double>> mirrored(const Profile<Planar<double>>&);
template std::optional<ProfileProblem> offset(const Profile<Planar<double>>&, const double&,
                                              Profile<Planar<double>>&);
template std::vector<CurveElement<Planar<double>>> patterned(
    const std::vector<CurveElement<Planar<double>>>&, int, const double&);

}  // namespace pawl
