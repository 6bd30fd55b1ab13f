// The row of the gap of two touching elements.
#include <cmath>

#include "contact/touch.h"

namespace pawl {

template <class S>
typename S::Row gap_row(const Touch<S>& touch, const typename S::Frame& a,
                        const typename S::Frame& b, TouchRates<typename S::Scalar>* rates) {
    using T = typename S::Scalar;
    const auto n = touch.n, t = S::turned(n);
    const auto arm_a = touch.p[0] - a.position.p, arm_b = touch.p[1] - b.position.p;
    const T wa = a.velocity.omega, wb = b.velocity.omega;
    const auto v = b.velocity.v + wb * S::turned(arm_b) - a.velocity.v - wa * S::turned(arm_a);
    const T slip = S::dot(t, v);
    // w_n from the three conditions above, with k = curvature_numerator / reach.
    const T wn = (touch.curvature_numerator[0] * touch.curvature_numerator[1] * slip +
                  touch.curvature_numerator[1] * touch.reach[0] * wa +
                  touch.curvature_numerator[0] * touch.reach[1] * wb) /
                 touch.firmness();
    // The rate along the more curved element follows from its rotation, that of the other one from
    // the sum.
    const T sum = slip - touch.gap * wn;
    const bool a_bends = std::abs(value_of(touch.curvature_numerator[0] * touch.reach[1])) >=
                         std::abs(value_of(touch.curvature_numerator[1] * touch.reach[0]));
    T way[2];
    const int k = a_bends ? 0 : 1;
    way[k] = touch.reach[k] / touch.curvature_numerator[k] * (wn - (k == 0 ? wa : wb));
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

template <class S>
typename S::Row slip_row(const Touch<S>& touch, const typename S::Frame& a,
                         const typename S::Frame& b) {
    const auto t = S::turned(touch.n);
    const auto arm_a = touch.p[0] - a.position.p, arm_b = touch.p[1] - b.position.p;
    typename S::Row row;
    row.w[0] = {-t, -S::cross(arm_a, t)};
    row.w[1] = {t, S::cross(arm_b, t)};
    row.bias = a.velocity.omega * a.velocity.omega * S::dot(t, arm_a) -
               b.velocity.omega * b.velocity.omega * S::dot(t, arm_b);
    return row;
}

template Planar<double>::Row slip_row<Planar<double>>(const Touch<Planar<double>>&,
                                                      const Planar<double>::Frame&,
                                                      const Planar<double>::Frame&);
template Planar<double>::Row gap_row<Planar<double>>(const Touch<Planar<double>>&,
                                                     const Planar<double>::Frame&,
                                                     const Planar<double>::Frame&,
                                                     TouchRates<double>*);

}  // namespace pawl
