#include "contact/touch.h"

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
    const auto d = cb - ca;
    const T distance = sqrt(S::dot(d, d));
    if (!(value_of(distance) > 0)) return false;
    const T sum = ra.radius + rb.radius;
    const T sign(value_of(sum) < 0 ? -1 : 1);
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

}  // namespace

template <class S>
bool find_touch(const CurveElement<S>& a, const typename S::Position& frame_a,
                const CurveElement<S>& b, const typename S::Position& frame_b, Touch<S>& touch) {
    return std::visit([&](const auto& ea,
                          const auto& eb) { return touch_of<S>(ea, frame_a, eb, frame_b, touch); },
                      a, b);
}

template <class S>
typename S::Row gap_row(const Touch<S>& touch, const typename S::Frame& a,
                        const typename S::Frame& b, TouchRates<typename S::Scalar>* rates) {
    using T = typename S::Scalar;
    const auto n = touch.n, t = S::turned(n);
    const auto arm_a = touch.p[0] - a.position.p, arm_b = touch.p[1] - b.position.p;
    const T wa = a.velocity.omega, wb = b.velocity.omega;
    const auto v = b.velocity.v + wb * S::turned(arm_b) - a.velocity.v - wa * S::turned(arm_a);
    const T slip = S::dot(t, v);
    // w_n from the three conditions above, with k = bend / reach.
    const T wn = (touch.bend[0] * touch.bend[1] * slip + touch.bend[1] * touch.reach[0] * wa +
                  touch.bend[0] * touch.reach[1] * wb) /
                 touch.firmness();
    // The way along the more curved element from its turning, the other from the sum.
    const T sum = slip - touch.gap * wn;
    const bool a_bends = std::abs(value_of(touch.bend[0] * touch.reach[1])) >=
                         std::abs(value_of(touch.bend[1] * touch.reach[0]));
    T way[2];
    const int k = a_bends ? 0 : 1;
    way[k] = touch.reach[k] / touch.bend[k] * (wn - (k == 0 ? wa : wb));
    way[1 - k] = sum - way[k];
    typename S::Row row;
    row.phi = touch.gap;
    row.w[0] = {-n, -S::cross(arm_a, n)};
    row.w[1] = {n, S::cross(arm_b, n)};
    row.bias = wa * wa * S::dot(n, arm_a) - wb * wb * S::dot(n, arm_b) + wa * way[0] + wb * way[1] +
               wn * slip;
    if (rates) {
        rates->slip = slip;
        rates->closing = S::dot(n, v);
        for (int i = 0; i < 2; ++i)
            rates->u[i] = value_of(touch.speed[i]) != 0 ? way[i] / touch.speed[i]
                                                        : (wn - (i == 0 ? wa : wb)) / touch.turn[i];
    }
    return row;
}

template bool find_touch<Planar<double>>(const CurveElement<Planar<double>>&,
                                         const Planar<double>::Position&,
                                         const CurveElement<Planar<double>>&,
                                         const Planar<double>::Position&, Touch<Planar<double>>&);
template Planar<double>::Row gap_row<Planar<double>>(const Touch<Planar<double>>&,
                                                     const Planar<double>::Frame&,
                                                     const Planar<double>::Frame&,
                                                     TouchRates<double>*);

}  // namespace pawl
