// Tolerances of curves, of the search for contacts and of gaps, each with its value and reason.
#pragma once

#include "math/tolerances.h"

namespace pawl::tolerance {

// ---- curves ----

// Of an interval of a spline: a derivative beside a knot is taken this far inside.
inline constexpr double inside_of_knot = 1e-9;
// Sine: neighbours that turn inward by less count as tangent.
inline constexpr double tangent_corner = 1e-6;
// Roundings of a fraction of an element.
inline constexpr double fraction_rounding = 1e-14;
// An interval of fractions is not cut further.
inline constexpr double finest_fraction = 1e-13;
// Fractions nearer than this are one point of a curve.
inline constexpr double same_fraction = 1e-9;
// Of the largest curvature: a smaller change is none.
inline constexpr double same_curvature = 1e-9;
// Of a segment: its ends belong to its neighbours.
inline constexpr double crossing_end = 1e-9;
// Of a turn (rad) and of the largest lift: what typed numbers leave open.
inline constexpr double cam_rounding = 1e-9;
// Of the size: ends nearer than this are joined; five digits are written in models.
inline constexpr double closed_gap = 1e-5;
// rad; a smaller corner is rounding of two tangents.
inline constexpr double smallest_corner = 1e-9;
// Of the size: closing a gap may move points by no more.
inline constexpr double largest_shift = 1e-3;
// Of an element: crossings this near to a junction are the junction.
inline constexpr double beside_junction = 1e-4;
// Of the size: some hundred roundings of a point.
inline constexpr double profile_rounding = 1e-13;
// Of the size: a curve whose ends meet to this is closed.
inline constexpr double closed_curve = 1e-9;
// Of the turn: with second differences of a formula no more is known.
inline constexpr double closed_curve_turn = 1e-6;
// Of the square of the next derivative: below it a curve stands still.
inline constexpr double cusp = 1e-10;
// Of a turn: sweeps of 360 degrees as typed and computed.
inline constexpr double whole_turn = 1e-9;
// Of a turn: 360 degrees written in radians with six digits.
inline constexpr double typed_turn = 1e-5;
// degrees or turns: sums of typed angles miss a turn by rounding only.
inline constexpr double typed_angle = 1e-9;

// ---- contact search ----

// Of the size: points nearer than this are one.
inline constexpr double search_rounding = 1e-12;
// Of the slope: a root where no interval is left.
inline constexpr double touch_residual = 1e-9;
// Of a fraction: the step of Newton's method is rounding.
inline constexpr double touch_converged = 1e-16;
// The same where steps no longer shrink.
inline constexpr double touch_slow = 1e-12;
// Of a fraction: the last step that still counts as success.
inline constexpr double touch_accepted = 1e-9;
// Sine: normals this near to opposite are.
inline constexpr double opposite_normals = 1e-9;
// Of the smaller profile: two that overlap by less touch.
inline constexpr double smallest_depth = 1e-9;
// Of the motion in an interval: a proof keeps this reserve for rounding.
inline constexpr double proof_rounding = 1e-6;
// Of the turn over the way: a circle too large for its digits counts as a line.
inline constexpr double flat_circle = 1e-6;
// Of a piece, rad: circles fit to the square of it.
inline constexpr double fine_part = 1e-8;
// Fraction beyond a junction that still counts: junctions are closed to 1e-9.
inline constexpr double junction_slack = 1e-6;
// Of the sum of the radii: what lies beyond is on the far side.
inline constexpr double beside_centre = 1e-9;
// Of a piece: distance between a first guess and its neighbour.
inline constexpr double seed_guess = 1e-3;
// Of a piece: Newton's method takes a seed from there to rounding in two steps.
inline constexpr double seed_accuracy = 1e-5;
// rad; added to the slack of normals at junctions.
inline constexpr double seed_margin = 1e-9;
// rad; both normals of an interval rounded.
inline constexpr double seed_angle = 2e-9;
// rad; a piece that turns less has one normal.
inline constexpr double straight_piece = 1e-9;
// Of a piece: seeds are known to 1e-5, so a root at a seam may seem beyond both ends.
inline constexpr double seed_seam = 1e-4;
// Of the radius: bounding circles are larger by this than what they hold.
inline constexpr double widened_circle = 1e-6;
// Of 1 - cosine: normals of neighbours that are one.
inline constexpr double same_normal = 1e-12;
// Sine: a junction that turns less is smooth.
inline constexpr double smooth_junction = 1e-8;
// rad; normals of smooth junctions inside a profile.
inline constexpr double inner_slack = 1e-8;
// rad; normals that face each other, with the motion between two looks.
inline constexpr double facing_slack = 1e-6;

// ---- gaps and contacts that move on ----

// Of the smaller body: what is less deep behind a corner is on it.
inline constexpr double behind_corner = 1e-9;
// Of an element: a rigid contact may pass a re-entrant end by this.
inline constexpr double past_reentrant_end = 1e-6;
// Of the size: a contact that moves farther at once has jumped to another point.
inline constexpr double contact_jump = 1e-3;
// Of an interval: the zero of a guard is located to this.
inline constexpr double guard_time = 1e-13;
// Of the reach of an element: two ends that meet are one point.
inline constexpr double same_contact_part = 1e-9;
// Of 1 - cosine: normals of one contact before and after the end of an element.
inline constexpr double same_direction = 1e-6;
// Of the touching gap: a zero is found when the gap is this small.
inline constexpr double zero_of_gap = 1e-3;
// Of the interval: roots of the cubic are not separated further.
inline constexpr double cubic_root = 1e-15;
// Of the curvature: near an inflection a point is known to half the digits only.
inline constexpr double flat_contact = 1e-4;
// Of the size: circles are compared with this reserve.
inline constexpr double near_pair = 1e-9;
// rad; elements that meet at a smaller angle pass a contact on smoothly.
inline constexpr double tangent_angle = 1e-6;
// Of 1 + the value: first and last value of a periodic table agree to this.
inline constexpr double periodic_table = 1e-12;

}  // namespace pawl::tolerance
