// Where two curve elements come nearest: the pair of points with a common normal, and the row of
// their gap. In closed form for corners, lines, arcs and circles; other kinds by Newton's method.
#pragma once

#include "curves/profile.h"

namespace pawl {

template <class S>
struct Touch {
    using T = typename S::Scalar;
    T gap{};
    T u[2]{};                                // fractions on a and b
    typename S::Vector n;                    // outward normal of a, ground axes
    typename S::Vector p[2];                 // the points, ground axes
    T curvature_numerator[2]{}, reach[2]{};  // curvatures curvature_numerator / reach
    T speed[2]{}, turn[2]{};                 // way and turn per fraction
    // Positive where the gap is a minimum against sliding: (1/k_a + 1/k_b + gap) k_a k_b, made
    // finite.
    [[nodiscard]] T firmness() const {
        return curvature_numerator[0] * reach[1] + curvature_numerator[1] * reach[0] +
               gap * curvature_numerator[0] * curvature_numerator[1];
    }
    // A minimum of the distance: firm, and one side is convex (between two hollow curves far apart
    // it is a maximum).
    [[nodiscard]] bool is_nearest() const {
        return value_of(firmness()) > 0 &&
               (value_of(curvature_numerator[0]) > 0 || value_of(curvature_numerator[1]) > 0);
    }
};

// With centres c and signed radii R the points are c_a + R_a n and c_b - R_b n, so c_b - c_a = (gap
// + R_a + R_b) n: n is along the line of centres, outward for two convex elements and inward for
// one inside the other (any, where the centres coincide). False where there is no common normal of
// that kind (two lines, hollow against a line). For kinds without a closed form the fractions in
// `touch` are the first guess, as of a contact followed in time, and the points may lie a little
// beyond their ends.
template <class S>
bool find_touch(const CurveElement<S>& a, const typename S::Position& frame_a,
                const CurveElement<S>& b, const typename S::Position& frame_b, Touch<S>& touch);

// How the touching points move along the elements.
template <class T>
struct TouchRates {
    T u[2]{};     // rates of the fractions
    T slip{};     // tangential velocity of b against a at the points, along n turned by +90 degrees
    T closing{};  // rate of the gap
};

// The row of the gap over the frames of the profiles a and b. With t = n turned, v the relative
// velocity of the points of the bodies, w_n the turn rate of n and s' the ways along the profiles
// (a along t, b against it):
//   gap' = n.v,   w_n = w_a + k_a s_a' = w_b + k_b s_b',   s_a' + s_b' = t.v - gap w_n,
//   gap'' = n.(A_b - A_a) + w_a s_a' + w_b s_b' + w_n t.v,   A of the points as fixed on the
//   bodies.
template <class S>
typename S::Row gap_row(const Touch<S>& touch, const typename S::Frame& a,
                        const typename S::Frame& b,
                        TouchRates<typename S::Scalar>* rates = nullptr);

// The row of the slip of two elements that stay closed, t.v above. It has no value: only its rate
// means something. With gap' = 0,
//   (t.v)' = t.(A_b - A_a), A of the points of the bodies that touch: the normal turns across v = s
//   t.
template <class S>
typename S::Row slip_row(const Touch<S>& touch, const typename S::Frame& a,
                         const typename S::Frame& b);

}  // namespace pawl
