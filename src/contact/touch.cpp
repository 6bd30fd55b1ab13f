#include "contact/touch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/touch_search.h"
#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

using namespace touch_search;

template <class E>
concept Round = requires(const E& e) {
    e.round();
};
template <class E>
concept Straight = requires(const E& e) {
    e.straight();
};

template <class S>
void set_side(Touch<S>& touch, int side, const CurvePoint<S>& point, typename S::Vector at) {
    touch.p[side] = at;
    touch.curvature_numerator[side] = point.curvature_numerator;
    touch.reach[side] = point.reach;
    touch.speed[side] = point.speed;
    touch.turn[side] = point.turn;
}

template <class S, Round A, Round B>
bool touch_of(const A& a, const typename S::Position& frame_a, const B& b,
              const typename S::Position& frame_b, Touch<S>& touch) {
    using T = typename S::Scalar;
    using std::sqrt;
    const RoundShape<S> ra = a.round(), rb = b.round();
    const auto ca = frame_a.p + frame_a.to_ground(ra.centre),
               cb = frame_b.p + frame_b.to_ground(rb.centre);
    auto d = cb - ca;
    T distance = sqrt(S::dot(d, d));
    const T sum = ra.radius + rb.radius;
    const T sign(value_of(sum) < 0 ? -1 : 1);
    // A pin in the middle of its bearing has the same distance in all directions. One is chosen, as
    // if the pin were displaced from the middle by a rounding error.
    if (constexpr double beside = tolerance::beside_centre;
        value_of(distance) < -beside * value_of(sum)) {
        distance = T(-beside) * sum;
        d = distance * frame_a.u;
    }
    if (!(value_of(distance) > 0)) return false;
    touch.n = sign / distance * d;
    touch.gap = sign * distance - sum;
    touch.u[0] = a.fraction(frame_a.to_local(touch.n));
    touch.u[1] = b.fraction(frame_b.to_local(-touch.n));
    set_side(touch, 0, a.point(touch.u[0]), ca + ra.radius * touch.n);
    set_side(touch, 1, b.point(touch.u[1]), cb - rb.radius * touch.n);
    return true;
}

template <class S, Straight A, Round B>
bool touch_of(const A& a, const typename S::Position& frame_a, const B& b,
              const typename S::Position& frame_b, Touch<S>& touch) {
    const StraightShape<S> line = a.straight();
    const RoundShape<S> r = b.round();
    if (value_of(r.radius) < 0) return false;
    touch.n = frame_a.to_ground(line.n);
    const auto from = frame_a.p + frame_a.to_ground(line.from),
               c = frame_b.p + frame_b.to_ground(r.centre);
    const auto d = c - from;
    touch.gap = S::dot(touch.n, d) - r.radius;
    touch.u[0] = S::dot(S::turned(touch.n), d) / line.length;
    touch.u[1] = b.fraction(frame_b.to_local(-touch.n));
    set_side(touch, 0, a.point(touch.u[0]), c - (touch.gap + r.radius) * touch.n);
    set_side(touch, 1, b.point(touch.u[1]), c - r.radius * touch.n);
    return true;
}

template <class S>
void swap_sides(Touch<S>& touch) {
    touch.n = -touch.n;
    std::swap(touch.u[0], touch.u[1]);
    std::swap(touch.p[0], touch.p[1]);
    std::swap(touch.curvature_numerator[0], touch.curvature_numerator[1]);
    std::swap(touch.reach[0], touch.reach[1]);
    std::swap(touch.speed[0], touch.speed[1]);
    std::swap(touch.turn[0], touch.turn[1]);
}

template <class S, Round A, Straight B>
bool touch_of(const A& a, const typename S::Position& frame_a, const B& b,
              const typename S::Position& frame_b, Touch<S>& touch) {
    if (!touch_of<S>(b, frame_b, a, frame_a, touch)) return false;
    swap_sides(touch);
    return true;
}

template <class S, Straight A, Straight B>
bool touch_of(const A&, const typename S::Position&, const B&, const typename S::Position&,
              Touch<S>&) {
    return false;  // parallel lines touch at their corners
}

template <class E>
bool is_periodic(const E& e) {
    if constexpr (requires { e.whole(); })
        return e.whole();
    else
        return false;
}
template <class E, class T>
T in_range(const E& e, const T& u) {
    return is_periodic(e) ? u - T(std::floor(value_of(u))) : u;
}

// With the centre c: (p - c).t = 0, slope speed + turn (c - p).n; against a hollow circle the
// distance is a maximum.
template <class S, GeneralCurve A, Round B>
bool touch_of(const A& a, const typename S::Position& frame_a, const B& b,
              const typename S::Position& frame_b, Touch<S>& touch) {
    using T = typename S::Scalar;
    const RoundShape<S> r = b.round();
    const auto c = frame_a.to_local(frame_b.p + frame_b.to_ground(r.centre) - frame_a.p);
    const double side = value_of(r.radius) < 0 ? -1 : 1;
    if (!settle_near(touch.u[0], side, is_periodic(a), [&](const T& u) {
            const CurvePoint<S> p = a.point(u);
            const auto d = c - p.p;
            return std::pair<T, T>{-S::dot(d, S::turned(p.n)), p.speed + p.turn * S::dot(d, p.n)};
        }))
        return false;
    touch.u[0] = in_range(a, touch.u[0]);
    const CurvePoint<S> p = a.point(touch.u[0]);
    const auto at = frame_a.p + frame_a.to_ground(p.p);
    touch.n = frame_a.to_ground(p.n);
    const auto centre = frame_a.p + frame_a.to_ground(c);
    touch.gap = S::dot(touch.n, centre - at) - r.radius;
    touch.u[1] = b.fraction(frame_b.to_local(-touch.n));
    set_side(touch, 0, p, at);
    set_side(touch, 1, b.point(touch.u[1]), centre - r.radius * touch.n);
    return true;
}

// The tangent is parallel to the line: with m the inward normal of the line, -t.m = 0, slope
// turn n.m, which is positive on the convex side.
template <class S, Straight A, GeneralCurve B>
bool touch_of(const A& a, const typename S::Position& frame_a, const B& b,
              const typename S::Position& frame_b, Touch<S>& touch) {
    using T = typename S::Scalar;
    const StraightShape<S> line = a.straight();
    touch.n = frame_a.to_ground(line.n);
    const auto m = frame_b.to_local(-touch.n);
    if (!settle_near(touch.u[1], 1, is_periodic(b), [&](const T& u) {
            const CurvePoint<S> p = b.point(u);
            return std::pair<T, T>{-S::dot(S::turned(p.n), m), p.turn * S::dot(p.n, m)};
        }))
        return false;
    touch.u[1] = in_range(b, touch.u[1]);
    const CurvePoint<S> p = b.point(touch.u[1]);
    const auto at = frame_b.p + frame_b.to_ground(p.p),
               d = at - frame_a.p - frame_a.to_ground(line.from);
    touch.gap = S::dot(touch.n, d);
    touch.u[0] = S::dot(S::turned(touch.n), d) / line.length;
    set_side(touch, 0, a.point(touch.u[0]), at - touch.gap * touch.n);
    set_side(touch, 1, p, at);
    return true;
}

template <class S, GeneralCurve A, GeneralCurve B>
bool touch_of(const A& a, const typename S::Position& frame_a, const B& b,
              const typename S::Position& frame_b, Touch<S>& touch) {
    using T = typename S::Scalar;
    const bool periodic[2] = {is_periodic(a), is_periodic(b)};
    const auto look = [&](const T& u, const T& w) {
        return CurvePair<S>(a, frame_a, b, frame_b, u, w);
    };
    T u[2] = {touch.u[0], touch.u[1]};
    bool straight = false;
    const bool found = settle_both<S>(u, periodic, straight, look);
    T near[2] = {touch.u[0], touch.u[1]};
    if (!straight && find_least_near<S>(near, periodic, look))
        std::copy(near, near + 2, u);
    else if (!found)
        return false;
    const CurvePair<S> at = look(u[0], u[1]);
    touch.n = at.na;
    touch.gap = S::dot(at.na, at.at_b - at.at_a);
    touch.u[0] = in_range(a, u[0]);
    touch.u[1] = in_range(b, u[1]);
    set_side(touch, 0, at.pa, at.at_a);
    set_side(touch, 1, at.pb, at.at_b);
    return true;
}

template <class S, class A, GeneralCurve B>
requires(Round<A>) bool touch_of(const A& a, const typename S::Position& frame_a, const B& b,
                                 const typename S::Position& frame_b, Touch<S>& touch) {
    std::swap(touch.u[0], touch.u[1]);
    if (!touch_of<S>(b, frame_b, a, frame_a, touch)) return false;
    swap_sides(touch);
    return true;
}
template <class S, GeneralCurve A, Straight B>
bool touch_of(const A& a, const typename S::Position& frame_a, const B& b,
              const typename S::Position& frame_b, Touch<S>& touch) {
    std::swap(touch.u[0], touch.u[1]);
    if (!touch_of<S>(b, frame_b, a, frame_a, touch)) return false;
    swap_sides(touch);
    return true;
}

}  // namespace

template <class S>
bool find_touch(const CurveElement<S>& a, const typename S::Position& frame_a,
                const CurveElement<S>& b, const typename S::Position& frame_b, Touch<S>& touch) {
    return std::visit([&](const auto& ea,
                          const auto& eb) { return touch_of<S>(ea, frame_a, eb, frame_b, touch); },
                      a, b);
}

template bool find_touch<Planar<double>>(const CurveElement<Planar<double>>&,
                                         const Planar<double>::Position&,
                                         const CurveElement<Planar<double>>&,
                                         const Planar<double>::Position&, Touch<Planar<double>>&);

}  // namespace pawl
