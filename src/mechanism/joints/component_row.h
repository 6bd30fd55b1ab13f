// The row of one component (x, y, angle) of the pose of frame b relative to frame a, in the axes of
// a. Every lower pair, simplified constraint and joint coordinate is made of these.
#pragma once

#include "math/planar.h"

namespace pawl {

// With u, n the axes of a (u' = w n, n' = -w u), d = p_b - p_a:
//   x = u.d,  x' = u.d' + w (n.d),  x'' = u.d'' + alpha (n.d) + [2 w n.d' - w^2 x]
//   y = n.d,  y' = n.d' - w (u.d),  y'' = n.d'' - alpha (u.d) + [-2 w u.d' - w^2 y]
// Both are unchanged by a motion of the two frames as one rigid body, also away from zero; so a row
// needs no coordinate above the common ancestor of its bodies.
template <class S>
typename S::Row component_row(Component component, const typename S::Frame& a,
                              const typename S::Frame& b) {
    using Row = typename S::Row;
    using T = typename S::Scalar;
    Row row;
    if (component == Component::angle) {
        row.phi = b.position.angle - a.position.angle;
        row.w[0].m = T(-1);
        row.w[1].m = T(1);
        return row;
    }
    const auto u = a.position.u;
    const auto n = S::turned(u);
    const auto d = b.position.p - a.position.p;
    const auto d_rate = b.velocity.v - a.velocity.v;
    const T omega = a.velocity.omega;
    const T x = S::dot(u, d), y = S::dot(n, d);
    if (component == Component::x) {
        row.phi = x;
        row.w[0] = {-u, y};
        row.w[1] = {u, T(0)};
        row.bias = T(2) * omega * S::dot(n, d_rate) - omega * omega * x;
    } else {
        row.phi = y;
        row.w[0] = {-n, -x};
        row.w[1] = {n, T(0)};
        row.bias = T(-2) * omega * S::dot(u, d_rate) - omega * omega * y;
    }
    return row;
}

// The distance of the origins of two frames: r = |d|, e = d/r,
//   r' = e.d',  r'' = e.d'' + [(|d'|^2 - (e.d')^2) / r].
template <class S>
typename S::Row distance_row(const typename S::Frame& a, const typename S::Frame& b) {
    using std::sqrt;
    using T = typename S::Scalar;
    const auto d = b.position.p - a.position.p;
    const auto d_rate = b.velocity.v - a.velocity.v;
    typename S::Row row;
    const T r = sqrt(S::dot(d, d));
    row.phi = r;
    if (!(r > T(0)))
        return row;  // no direction is defined: a row of zeros, met only far from assembly
    const auto e = T(1) / r * d;
    const T closing = S::dot(e, d_rate);
    row.w[0].f = -e;
    row.w[1].f = e;
    row.bias = (S::dot(d_rate, d_rate) - closing * closing) / r;
    return row;
}

}  // namespace pawl
