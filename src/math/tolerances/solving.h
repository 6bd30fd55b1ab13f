// Tolerances of linear systems, of the equations of motion, of contacts, friction and impacts.
#pragma once

#include "math/tolerances.h"

namespace pawl::tolerance {

// ---- linear systems ----

// Of the product of a block's pivots: a smaller determinant is rounding.
inline constexpr double singular_block = 1e-13;
// Of a diagonal: what elimination leaves of a dependent row, per term.
inline constexpr double pivot_digits = 1e-15;
// Of a diagonal: far above rounding of a pivot.
inline constexpr double independent_pivot = 1e-10;
// Of the solution: refinement ends here.
inline constexpr double solution_digits = 1e-16;
// Of the largest value: a change in time that nothing shows.
inline constexpr double negligible_change = 1e-12;
// Of a pivot: a sum of some hundred terms.
inline constexpr double pivot_rounding = 1e-13;

// ---- inertia ----

// Sine of the angle of two points about the centre: a rod.
inline constexpr double in_line = 1e-12;
// Of the mass of a body: a particle without mass.
inline constexpr double no_mass = 1e-12;
// Of the largest articulated inertia: some ten roundings.
inline constexpr double no_inertia = 1e-14;
// Of the scale of the determinant of three degrees of freedom.
inline constexpr double no_inertia_determinant = 1e-12;
// Of the diagonal: a pivot of a motion that nothing holds.
inline constexpr double held_rounding = 1e-13;
// Of the radius of gyration: a point this near to the centre of mass is it.
inline constexpr double at_centre = 1e-9;
// m; equivalent particles do not apply to rods that change by more.
inline constexpr double rod_stretch = 1e-6;

// ---- accelerations and velocities ----

// Of the accelerations: the last change by an iteration.
inline constexpr double augmented_converged = 1e-12;
// Of the terms of a residual: refinement ends here.
inline constexpr double residual_rounding = 1e-15;
// Of the speed: a correction this small is the last.
inline constexpr double projected_velocity = 1e-13;
// The same in the first pass, where nothing was to be corrected.
inline constexpr double projected_velocity_at_once = 1e-15;
// Of the friction forces: the fixed point is reached.
inline constexpr double sliding_converged = 1e-15;
// The same after the first pass, where changes no longer shrink.
inline constexpr double sliding_accepted = 1e-9;
// Of a fixed step: a shorter rest is added to the last step.
inline constexpr double last_step = 1e-9;

// ---- contacts and friction ----

// Of a Newton step: shorter ones gain nothing.
inline constexpr double shortest_cone_step = 1e-2;
// Of the goal: an iterate is solved this much better than the whole.
inline constexpr double cone_iterate = 1e-2;
// Of the terms of a contact: below it complementarity holds.
inline constexpr double cone_rounding = 1e-8;
// Relative residual of the velocities of a step by time stepping.
inline constexpr double cone_residual = 1e-6;
// Part of a step: an interior point that moves less is stalled.
inline constexpr double interior_stalled = 1e-3;
// Of the largest force or acceleration: conditions of a mode hold to this.
inline constexpr double admissible = 1e-9;
// Of the product of the diagonal: a principal minor that counts as positive.
inline constexpr double p_matrix = 1e-12;
// Of the largest force: friction of joints depends on reactions to this.
inline constexpr double joint_friction = 1e-9;
// Of the accelerations: two modes with this in common move alike.
inline constexpr double same_motion = 1e-7;
// Of the largest entry: rounding of Lemke's pivots.
inline constexpr double complementarity = 1e-13;
// Relative: ratios this near are a tie.
inline constexpr double complementarity_tie = 1e-12;
// Of the diagonals: a response between contacts that counts as none.
inline constexpr double uncoupled = 1e-13;
// Of the forces: Newton's method on friction has converged.
inline constexpr double friction_step = 1e-14;
// Of the forces and free accelerations: the residual that counts as solved.
inline constexpr double friction_residual = 1e-7;
// Of the largest: less is rounding of the balance.
inline constexpr double balance_rounding = 1e-6;
// Of the terms of a row: a force that counts as felt.
inline constexpr double felt_force = 1e-9;
// Of the forces: sharing them out has converged.
inline constexpr double shared_force = 1e-12;
// A price of the linear programme that counts as positive.
inline constexpr double binding_price = 1e-9;
// Of a response: two contacts that answer alike.
inline constexpr double equal_response = 1e-9;
// Of the largest rate: velocities after an impact miss zero by this.
inline constexpr double rate_after_impact = 1e-6;
// Of the largest velocity or acceleration: zero in a problem of contacts.
inline constexpr double contact_still = 1e-10;
// Of the largest: an impulse that pulls by less is rounding.
inline constexpr double shared_impulse = 1e-10;
// Of the entries of the simplex tableau.
inline constexpr double programme_rounding = 1e-11;
// Relative: ratios this near are a tie.
inline constexpr double programme_tie = 1e-14;

// ---- impacts ----

// Of the largest slip: rounding in stiff contact.
inline constexpr double standing = 1e-15;
// Of the largest force: a spring that is not pressed.
inline constexpr double springless = 1e-14;
// Of the first speed: times are then known to this part of the rest.
inline constexpr double limit_rest = 1e-10;
// Of the largest acceleration.
inline constexpr double limit_rounding = 1e-13;
// Of the size: a gap this small is closed.
inline constexpr double limit_gap = 1e-12;
// Of the impulses: two orders of impacts with one outcome.
inline constexpr double same_impulse = 1e-9;
// Of the velocities: slip that has ended.
inline constexpr double slip_at_rest = 1e-10;
// Of the works: energy that an impact adds by rounding.
inline constexpr double energy_rounding = 1e-12;

}  // namespace pawl::tolerance
