// Profiles for tests: made of elements that are known to be good.
#pragma once

#include <stdexcept>

#include "curves/profile.h"

namespace pawl::test {

using S = Planar<double>;

inline Profile<S> made(std::vector<CurveElement<S>> elements, bool closed) {
    Profile<S> profile;
    if (const auto problem = make_profile<S>(std::move(elements), closed, profile))
        throw std::runtime_error(problem->message);
    return profile;
}
inline Profile<S> circle(double radius, bool hollow = false) {
    return made({CircleCurve<S>{{0, 0}, radius, 0, hollow}}, true);
}
// The upper edge of a plate; the material is below.
inline Profile<S> plate(double half) { return made({LineCurve<S>{{half, 0}, {-half, 0}}}, false); }
inline Profile<S> polygon(int corners, double radius) {
    std::vector<CurveElement<S>> sides;
    const auto at = [&](int i) {
        const double angle = 2 * std::numbers::pi * i / corners;
        return S::Vector{radius * std::cos(angle), radius * std::sin(angle)};
    };
    for (int i = 0; i < corners; ++i) sides.push_back(LineCurve<S>{at(i), at((i + 1) % corners)});
    return made(sides, true);
}
inline Profile<S> box(double half_width, double half_height) {
    const double x = half_width, y = half_height;
    return made({LineCurve<S>{{-x, -y}, {x, -y}}, LineCurve<S>{{x, -y}, {x, y}},
                 LineCurve<S>{{x, y}, {-x, y}}, LineCurve<S>{{-x, y}, {-x, -y}}},
                true);
}
// Two convex arcs of radius 1 that meet in two corners.
inline Profile<S> lens() {
    const double half = 0.6, pi = std::numbers::pi;
    return made({ArcCurve<S>{{0, std::cos(half)}, 1, -pi / 2 - half, 2 * half},
                 ArcCurve<S>{{0, -std::cos(half)}, 1, pi / 2 - half, 2 * half}},
                true);
}
// A hollow arc of radius 2 with its bottom at the origin, open upwards.
inline Profile<S> bowl() {
    return made({ArcCurve<S>{{0, 2}, 2, -0.2, -(std::numbers::pi - 0.4)}}, false);
}
// A bar with round ends: lines tangent to half circles of radius 0.5 about (1, 0) and (-1, 0).
inline Profile<S> bar() {
    const double pi = std::numbers::pi;
    return made({LineCurve<S>{{-1, -0.5}, {1, -0.5}}, ArcCurve<S>{{1, 0}, 0.5, -pi / 2, pi},
                 LineCurve<S>{{1, 0.5}, {-1, 0.5}}, ArcCurve<S>{{-1, 0}, 0.5, pi / 2, pi}},
                true);
}
// A closed spline with hollow flanks, through twelve points.
inline Profile<S> clover() {
    std::vector<S::Vector> points;
    for (int i = 0; i < 12; ++i) {
        const double angle = std::numbers::pi / 6 * i, r = 0.8 + 0.2 * std::cos(3 * angle);
        points.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    return made({SplineCurve<S>(points, Ends::periodic)}, true);
}

}  // namespace pawl::test
