#include "contact/touch.h"

#include <cmath>
#include <utility>

namespace pawl {

namespace {

template <class E>
concept Round = requires(const E& e) {
    e.round();
};
template <class E>
concept Straight = requires(const E& e) {
    e.straight();
};

// Newton's method for a root of f on a curve's fraction, kept between places where f has had either
// sign, from a first guess: `f(u)` gives {value, slope}. Only roots where the slope has the sign
// `rising` are taken. Bounded to a little beyond [0, 1] unless the curve is periodic.
template <class T, class F>
bool settle(T& u, double rising, bool periodic, F&& f) {
    constexpr double beyond = 0.25, longest_step = 0.1;
    double low = periodic ? value_of(u) - 0.5 : -beyond,
           high = periodic ? value_of(u) + 0.5 : 1 + beyond;
    double last = 1;
    for (int i = 0; i < 60; ++i) {
        const auto [value, slope] = f(u);
        const double v = rising * value_of(value), s = rising * value_of(slope);
        if (!std::isfinite(v) || !std::isfinite(s)) return false;
        (v > 0 ? high : low) = value_of(u);
        T next = u - value / slope;
        double step = value_of(next - u);
        if (!(s > 0) || std::abs(step) > longest_step) {
            step = v > 0 ? -longest_step : longest_step;
            next = u + T(step);
        }
        if (!(value_of(next) > low && value_of(next) < high) && std::abs(step) > 1e-13) {
            next = T(0.5 * (low + high));
            step = value_of(next - u);
            if (high - low < 1e-13) return false;  // a jump, not a root
        }
        u = next;
        // Converged: the step is rounding, or no longer shrinks and is near it.
        const double size = std::abs(step);
        if (s > 0 && (size <= 1e-16 || (size < 1e-12 && size >= 0.5 * last))) return true;
        last = size;
    }
    return last < 1e-9;
}

template <class S>
void set_side(Touch<S>& touch, int side, const CurvePoint<S>& point, typename S::Vector at) {
    touch.p[side] = at;
    touch.bend[side] = point.bend;
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
    // A pin in the middle of its bearing is as far from it in all directions: one is taken, as if
    // the pin stood a rounding beside the middle.
    if (constexpr double beside = 1e-9; value_of(distance) < -beside * value_of(sum)) {
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
    std::swap(touch.bend[0], touch.bend[1]);
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
    if (!settle(touch.u[0], side, is_periodic(a), [&](const T& u) {
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
    if (!settle(touch.u[1], 1, is_periodic(b), [&](const T& u) {
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

// With d = p_b - p_a and e the angle from n_a to -n_b: d.t_a = 0 and e = 0, by Newton:
//   d(d.t_a) = -(speed_a + turn_a d.n_a) du + speed_b t_b.t_a dw,  de = turn_b dw - turn_a du.
template <class S, GeneralCurve A, GeneralCurve B>
bool touch_of(const A& a, const typename S::Position& frame_a, const B& b,
              const typename S::Position& frame_b, Touch<S>& touch) {
    using T = typename S::Scalar;
    using std::atan2;
    constexpr double longest_step = 0.1, beyond = 0.25;
    double last = 1;
    for (int i = 0; i < 60; ++i) {
        const CurvePoint<S> pa = a.point(touch.u[0]), pb = b.point(touch.u[1]);
        const auto na = frame_a.to_ground(pa.n), nb = frame_b.to_ground(pb.n), ta = S::turned(na);
        const auto at_a = frame_a.p + frame_a.to_ground(pa.p),
                   at_b = frame_b.p + frame_b.to_ground(pb.p), d = at_b - at_a;
        // The last step was rounding; where firmness is small that is less sharp.
        if (last < 1e-12 || (last < 1e-9 && i > 20)) {
            touch.n = na;
            touch.gap = S::dot(na, d);
            touch.u[0] = in_range(a, touch.u[0]);
            touch.u[1] = in_range(b, touch.u[1]);
            set_side(touch, 0, pa, at_a);
            set_side(touch, 1, pb, at_b);
            return value_of(S::dot(na, nb)) < 0;
        }
        const T f = S::dot(d, ta), e = atan2(-S::cross(na, nb), -S::dot(na, nb));
        const T f_u = -pa.speed - pa.turn * S::dot(d, na),
                f_w = pb.speed * S::dot(S::turned(nb), ta);
        const T det = f_u * pb.turn + f_w * pa.turn;
        const T du = -(f * pb.turn - f_w * e) / det, dw = -(f_u * e + pa.turn * f) / det;
        const double size = std::max(std::abs(value_of(du)), std::abs(value_of(dw)));
        if (!std::isfinite(size)) return false;
        const T part(size > longest_step ? longest_step / size : 1);
        touch.u[0] = touch.u[0] + part * du;
        touch.u[1] = touch.u[1] + part * dw;
        const auto left = [&](const auto& curve, const T& u) {
            return !is_periodic(curve) && std::abs(value_of(u) - 0.5) > 0.5 + beyond;
        };
        if (left(a, touch.u[0]) || left(b, touch.u[1])) return false;
        last = size;
    }
    return false;
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
