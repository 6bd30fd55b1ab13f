// Tolerances of readers, foreign data files, pictures and design.
#pragma once

#include "math/tolerances.h"

namespace pawl::tolerance {

// ---- readers ----

// Of the sum of the radii: centres as typed.
inline constexpr double gear_centres = 1e-3;
// Relative: a unit of acceleration that is the SI unit.
inline constexpr double si_units = 1e-9;
// rtol and atol: below is rounding, above no step says anything.
inline constexpr double least_of_a_step = 1e-14, largest_of_a_step = 0.1;
// Of the clearance: a guide that is shorter guides nothing.
inline constexpr double guide_part = 1e-6;

// ---- foreign data files ----

// Of a number: six digits are printed.
inline constexpr double foreign_rounding = 1e-6;
// Of the size of a file: numbers as small are zero.
inline constexpr double foreign_noise = 1e-15;
// Of the whole way: below the digits of a file.
inline constexpr double foreign_same_point = 1e-12;
// Of the square of the size: an area that a line may have.
inline constexpr double foreign_straight = 1e-9;
// Of its terms: a moment of inertia that cancels is zero.
inline constexpr double foreign_inertia = 1e-12;
// Of the size: a gap of rounding.
inline constexpr double foreign_gap = 1e-13;
// degrees: an arc that is shorter is left out.
inline constexpr double foreign_turn = 1e-9;
// Of the size: far above rounding, far below a visible corner.
inline constexpr double foreign_slope = 1e-3;
// Relative: an angle of a polynomial is located to this.
inline constexpr double foreign_root = 1e-13;

// ---- pictures and texts ----

// Of the size: smaller lengths are not drawn.
inline constexpr double visible_gap = 1e-6;
// Of the diameter: a shorter path is a point.
inline constexpr double trace_length = 1e-3;
// Of the size: hulls of bodies are as fine.
inline constexpr double drawn_sagitta = 1e-2;
// A direction along an axis.
inline constexpr double no_slope = 1e-9;
// Of the run: shorter states of the contacts are not drawn.
inline constexpr double briefest_state = 1e-3;
// Cosine: text and supports stand upright above it.
inline constexpr double upside_down = 1e-9;
// Lengths of chords on a circle that differ.
inline constexpr double shorter_chords = 1e-9;
// Of a value: a column that changes by less is constant.
inline constexpr double constant_column = 1e-9;
// Of a step of an axis.
inline constexpr double tick_rounding = 1e-9;
// Of the largest value: what is smaller is shown as zero.
inline constexpr double shown_rounding = 1e-12;
// Of the largest number of a unit: less than runs are exact to.
inline constexpr double shown_digits = 1e-12;
// Of the profiles: a gap that was written and one that is computed agree to this.
inline constexpr double behind_part = 1e-9;

// ---- design ----

// Of the range of a variable: optima nearer than this are one.
inline constexpr double same_design_point = 1e-6;
// Of the range of a variable: it is at its bound.
inline constexpr double at_bound = 1e-9;
// Of its value at the start, over the range of a variable: an objective that changes less is flat.
inline constexpr double flat_objective = 1e-3;
// Of the range of a variable: points of a random search that are as near are in one place.
inline constexpr double gathered_search = 1e-4;
// An objective or a constraint is not scaled by less.
inline constexpr double smallest_scale = 1e-12;
// Of the size: linkages whose points are nearer are one.
inline constexpr double same_linkage = 1e-5;
// Of the square of the size: an objective that counts as zero in the search.
inline constexpr double rough_synthesis = 1e-24;
// Of the objective: an iteration of the search gains as much.
inline constexpr double rough_gain = 1e-3;
// Of the square of the size: the same where a solution is refined.
inline constexpr double fine_synthesis = 1e-28;
// Of the objective: the same.
inline constexpr double fine_gain = 1e-9;
// Of the square of the task's tolerance: positions are met.
inline constexpr double exact_synthesis = 1e-4;
// Of the sum of the bars: Grashof's inequality is an equation.
inline constexpr double change_point = 1e-9;
// Of the square of the task's size.
inline constexpr double zero_objective = 1e-26;
// Of the largest pivot.
inline constexpr double design_rank = 1e-12;
// The same with damping, which raises the small ones.
inline constexpr double damped_rank = 1e-14;
// Of the size: a step that is shorter is rounding.
inline constexpr double finest_design_step = 1e-13;
// Of the square of the size: constraints of a linkage are closed.
inline constexpr double closure = 1e-14;
// The same where steps no longer gain.
inline constexpr double closure_accepted = 1e-12;
// Of the largest pivot: a change point.
inline constexpr double circuit_rank = 1e-9;
// Of the size: Newton's last step on a circuit.
inline constexpr double circuit_step = 1e-13;
// Of the square of the size: the residual that is accepted then.
inline constexpr double circuit_closure = 1e-10;
// Of the size: positions of a linkage that are one.
inline constexpr double same_position = 1e-6;
// Of the coupler: a coupler point in a joint has no cognates.
inline constexpr double coupler_joint = 1e-9;
// Relative: Newton's last change of a quantile.
inline constexpr double normal_quantile = 1e-14;

}  // namespace pawl::tolerance
