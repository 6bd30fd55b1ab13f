// What all curve elements share: their points, the shapes with closed-form normals, similarities.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/dual.h"
#include "math/planar.h"
#include "math/time_jet.h"

namespace pawl {

// A point of an element. Its curvature is curvature_numerator / reach, positive where convex: a
// corner has (1, 0), a line (0, 1).
template <class S>
struct CurvePoint {
    using T = typename S::Scalar;
    typename S::Vector p,
        n;  // place, unit outward normal (on the right of the direction of travel)
    T curvature_numerator{}, reach{};
    T speed{};  // way per fraction
    T turn{};   // turn of the normal per fraction
};

// Elements whose normals all pass through one centre: p = centre + radius n, hollow when the radius
// is negative.
template <class S>
struct RoundShape {
    typename S::Vector centre;
    typename S::Scalar radius{};
};
template <class S>
struct StraightShape {
    typename S::Vector from, n;
    typename S::Scalar length{};
};

// A turn by an angle with a change of scale, then a shift.
template <class S>
struct Similarity {
    using T = typename S::Scalar;
    T scale{1}, angle{};
    typename S::Vector shift;

    [[nodiscard]] typename S::Vector of(typename S::Vector v) const {
        using std::cos;
        using std::sin;
        const T c = scale * cos(angle), s = scale * sin(angle);
        return {c * v.x - s * v.y + shift.x, s * v.x + c * v.y + shift.y};
    }
};

// The angle nearest to zero that is the same direction.
template <class T>
T wrapped(const T& angle) {
    return angle - T(2 * std::numbers::pi * std::round(value_of(angle) / (2 * std::numbers::pi)));
}

// The parallel curve at a distance along the outward normal.
template <class S>
CurvePoint<S> shifted(CurvePoint<S> point, const typename S::Scalar& distance) {
    using T = typename S::Scalar;
    point.p = point.p + distance * point.n;
    point.speed = point.speed + distance * point.turn;
    point.curvature_numerator = point.turn / point.speed;
    point.reach = T(1);
    return point;
}

// The point of a curve x(u), y(u) given with its derivatives by u:
//   speed = |p'|, n = p' / speed turned by -90 degrees, turn = p' x p'' / speed^2.
template <class S>
CurvePoint<S> point_from(const TimeJet<typename S::Scalar>& x,
                         const TimeJet<typename S::Scalar>& y) {
    using T = typename S::Scalar;
    using std::sqrt;
    const typename S::Vector d{x.rate, y.rate}, dd{x.acceleration, y.acceleration};
    const T square = S::dot(d, d), speed = sqrt(square), turn = S::cross(d, dd) / square;
    return {{x.value, y.value}, T(-1) / speed * S::turned(d), turn / speed, T(1), speed, turn};
}

// f(x) with f extended beyond [low, high] by its second-order Taylor polynomials at the ends, where
// f takes a jet.
template <class T, class F>
TimeJet<T> extended(F&& f, const TimeJet<T>& x, double low, double high) {
    const double at = std::min(std::max(value_of(x), low), high);
    if (at == value_of(x)) return f(x);
    const TimeJet<T> end = f(TimeJet<T>(T(at), T(1)));
    const TimeJet<T> d = x - TimeJet<T>(T(at));
    return TimeJet<T>(end.value) +
           d * (TimeJet<T>(end.rate) + d * TimeJet<T>(0.5 * end.acceleration));
}

}  // namespace pawl
