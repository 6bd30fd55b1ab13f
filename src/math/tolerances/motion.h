// Tolerances of runs: assembly, kinematics, equilibria, events, singular positions, sensitivity.
#pragma once

#include "math/tolerances.h"

namespace pawl::tolerance {

// ---- assembly and start ----

// Of a direction: rounding of the null space.
inline constexpr double family_rounding = 1e-9;
// Of the size, rad: assemblies nearer than this are one.
inline constexpr double same_assembly = 1e-6;
// Of the distance from the origin: from there on ten roundings of 1e-16 reach 1e-12.
inline constexpr double far_from_origin = 1e-3;
// Of the steepest gradient: a least residual, not zero.
inline constexpr double assembly_gradient = 1e-13;
// Levenberg-Marquardt is Newton's method below this.
inline constexpr double least_damping = 1e-14;
// Of the length of a row: what is left of a dependent one.
inline constexpr double redundant_row = 1e-7;
// A row takes part in a dependence by more than this.
inline constexpr double redundant_weight = 1e-6;
// rad; the mechanism is turned by this to see rows that depend here alone.
inline constexpr double independence_turn = 1e-4;
// Of the diagonal: raised, so that dependent rows can be measured.
inline constexpr double independence_raise = 1e-6;
// Of the size, rad: a start value that is kept to nine digits is kept.
inline constexpr double kept_start = 1e-9;
// Of the size per unit: a start value that moves less determines badly.
inline constexpr double weak_start = 1e-2;
// The same for one that the user asked for.
inline constexpr double weak_wanted_start = 1e-6;
// Of the limit: gaps are written with ten digits.
inline constexpr double start_rounding = 1e-3;
// Relative: nearer than this two numbers were meant to be equal.
inline constexpr double likely_scale = 3e-3;
// Of the size: points of a body that are one.
inline constexpr double same_node = 1e-9;
// Of the clearance: profiles with play begin apart by rounding.
inline constexpr double just_touching = 1e-9;
// Of the metric beside the pull: what is pulled follows first.
inline constexpr double metric_share = 1e-4;
// Of the scale: rows and contacts of a pull yield by this, so that dependent ones share.
inline constexpr double pull_softness = 1e-9;
// Of the size: the target is reached.
inline constexpr double pulled_to_target = 1e-7;
// Of a row: what it adds to the others, where rounding alone has left it (1e-7 and its part of them).
inline constexpr double repeated_row = 1e-6;
// Of a step of the pull: it is stuck below.
inline constexpr double shortest_pull = 1e-4;
// Of the size: nothing holds what has come this near.
inline constexpr double pulled_nearly = 1e-3;

// ---- kinematic runs ----

// Of the size, or per second: a dependent row that is not satisfied.
inline constexpr double opened_row = 1e-9;
// Of the size: the quintic through both ends is rounded by this.
inline constexpr double branch_rounding = 1e-11;
// Of the determinant's scale: a least value that counts as zero.
inline constexpr double dead_point = 1e-6;
// Of a row: a part that counts as none.
inline constexpr double row_rounding = 1e-9;
// Of a step: a shorter rest is added to it.
inline constexpr double last_part = 1e-3;
// Of the farthest look beyond a dead point.
inline constexpr double nearest_reach = 1e-3;
// Of the output step: a fold this near is where the run stands.
inline constexpr double fold_part = 1e-3;
// Of 1 m + the size: a state given by the user is on the constraints to this.
inline constexpr double moved_by_projection = 1e-9;

// ---- equilibrium ----

// Of the largest force or of stiffness times size: sums of a few terms, each rounded to 2e-16.
inline constexpr double balance = 1e-12;
// Of the stiffness: 25 times what central differences leave (4e-11).
inline constexpr double neutral = 1e-9;
// Of the largest eigenvalue: the square of a neutral motion, as large as its error.
inline constexpr double neutral_square = 1e-9;
// Of the largest mass: rounding of M on a direction without inertia.
inline constexpr double massless_direction = 1e-12;
// Of |M| w: differences of forces over velocities leave 2e-12.
inline constexpr double damped_part = 1e-9;
// Of the largest singular value: a shift that meets an eigenvalue.
inline constexpr double shifted_inverse = 1e-13;
// Relative: amplitudes this near are equal, and the first counts.
inline constexpr double equal_amplitude = 1e-9;
// Of the interval: a branch that asks for shorter steps ends.
inline constexpr double carried_step = 1e-6;
// Of the stiffness: a curvature that counts as none.
inline constexpr double zero_stiffness = 1e-14;
// Of the size: closing the joints after a step moves it by no more.
inline constexpr double closing_step = 1e-3;
// Of |K|: the forces have a potential.
inline constexpr double symmetric_stiffness = 1e-6;
// Of the size: no shorter step of the descent is tried.
inline constexpr double shortest_descent = 1e-12;
// Of the forces: what friction leaves of the balance.
inline constexpr double balance_with_friction = 1e-9;
// Of the unit of a load: six digits are given.
inline constexpr double load_digits = 1e-6;
// Newton's last correction, of w: rounding.
inline constexpr double path_converged = 1e-13;
// The same where corrections no longer shrink.
inline constexpr double path_accepted = 1e-9;
// Of the path: another branch crosses when the tangents turn over by less.
inline constexpr double path_crossing = 1e-9;
// Of the end: a time on the path is met.
inline constexpr double path_end = 1e-13;
// Of the force scale: a point between two of the path is in balance.
inline constexpr double path_balance = 1e-10;
// Of a step: a root on the path is located to this.
inline constexpr double path_root = 1e-12;
// Of the size: to this points of the path are solved.
inline constexpr double path_points = 1e-10;
// Of size and end: the path cannot be followed in shorter steps.
inline constexpr double shortest_path_step = 1e-8;

// ---- quasi-static runs ----

// Curvature times size: its square is the way to the end.
inline constexpr double soft_curvature = 1e-2;
// Of a row: it is found to the square root of rounding.
inline constexpr double across_row = 1e-3;
// Of the largest force: a contact that pulls by more opens.
inline constexpr double pulling_at_rest = 1e-9;
// The same on a path, where it is located.
inline constexpr double pulling_on_path = 1e-10;
// Of the end: some digits above rounding.
inline constexpr double later_on_path = 1e-10;
// Of the size: some digits above what equilibria are solved to.
inline constexpr double near_on_path = 1e-8;
// Of the end: a contact that was released does not come back at once.
inline constexpr double same_drop = 1e-6;
// Of the path: a corner of the loads is passed in this step.
inline constexpr double corner_step = 1e-4;
// Of t/end per unit of the path: time is known to the square of it.
inline constexpr double flat_path = 1e-7;
// Of the lowest stiffness: a limit point is located to this.
inline constexpr double limit_stiffness = 1e-9;
// Of the stiffness: an equilibrium that is about to be lost.
inline constexpr double nearly_lost = 1e-6;
// Of the size: by this a lost equilibrium is left.
inline constexpr double nudge = 1e-3;

// ---- events ----

// Of the friction: less is left to the limit than rounding.
inline constexpr double at_friction_limit = 1e-9;
// Of mass times acceleration: a normal force that counts as none.
inline constexpr double unloaded = 1e-13;
// Of the largest acceleration: less is rounding.
inline constexpr double acceleration_rounding = 1e-9;
// Of 1/size: a contact whose curvatures hold it no firmer slips through.
inline constexpr double infirm_contact = 1e-9;
// Relative: impacts are counted until nothing is left of the motion.
inline constexpr double last_impact = 1e-16;
// Of the cone problem: a window with more is not believed.
inline constexpr double window_residual = 1e-2;
// Of 1 - cosine: two near points with one normal are one contact.
inline constexpr double same_contact_normal = 1e-9;
// Of the gain of velocity in a step: slower slip is rest.
inline constexpr double window_rest = 1e-3;
// Of the first length of a window.
inline constexpr double shortest_window = 1e-3;
// Of the slip: the change that shows which slips go on.
inline constexpr double slip_change = 1e-10;
// Of that change: less is rest.
inline constexpr double slip_change_rest = 1e-3;
// Of the slowest slip that goes on: by so much slips are changed.
inline constexpr double slip_part = 1e-3;
// Of the slip: the second, shorter try.
inline constexpr double shorter_change = 1e-7;
// Of the largest impulse: a contact that was struck.
inline constexpr double struck = 1e-9;
// Of an interval: a normal force is differenced, not known to more.
inline constexpr double contact_guard = 1e-8;
// Of an interval: the rate of a guard is differenced over this.
inline constexpr double falling_guard = 1e-6;
// Of the loads in a step: one that begins with less has just passed zero.
inline constexpr double turned_load = 1e-6;
// Of the time of a fall through the size: events within it are one burst.
inline constexpr double burst_time = 1e-3;
// Of the largest force.
inline constexpr double load_rounding = 1e-13;

// ---- sensitivity ----

// Of a derivative: two differences agree to this.
inline constexpr double allowed_spread = 1e-5;
// Of a state: what one rounding leaves.
inline constexpr double tangent_rounding = 3e-16;
// Of the largest: smaller components do not decide.
inline constexpr double least_tangent = 1e-3;
// Of what a limit of hops on several places moves beyond its event: the order of the last hops
// leaves open so much (up to 2 % were seen with play in a guide).
inline constexpr double open_limit = 0.03;
// Of a rate: two events that move alike.
inline constexpr double same_rate = 1e-6;
// Of a parameter: no neighbour is farther.
inline constexpr double farthest_neighbour = 1e-3;
// A tangent that is shorter does not count.
inline constexpr double least_along = 1e-4;
// Of a step: an event may leave its step by this.
inline constexpr double shadow_step = 1e-3;
// Of 1 s + t.
inline constexpr double shadow_rounding = 4e-16;

// ---- singular positions, steps ----

// rad; within this of a foot rows count as dependent.
inline constexpr double near_foot = 1e-2;
// Of the size: half of what a crossing may miss (crossing).
inline constexpr double closes_at_foot = 5e-10;
// rad; a turn in which a misfit cannot be seen.
inline constexpr double closed_at_foot = 1e-5;
// Of a step: slopes of pivots are differenced over this.
inline constexpr double foot_probe = 1e-2;
// Of the root of a pivot.
inline constexpr double foot_rounding = 1e-8;
// Of a step: the same at its ends.
inline constexpr double foot_end_probe = 1e-3;
// Of the size: rounding of a misfit.
inline constexpr double foot_digits = 3e-15;
// Of a step: looks are not nearer to each other.
inline constexpr double finest_look = 1e-3;
// Of the size: a bar that is shorter vanishes.
inline constexpr double vanishing_bar = 2e-5;
// Of the size: a bar that is shorter counts as short.
inline constexpr double shortest_bar = 2e-3;
// Of the tolerance of a step: dense output with less may end it.
inline constexpr double interpolation_error = 1e-2;
// Of a step: a move this short is exact by Euler's method.
inline constexpr double euler_part = 1e-8;
// Of a step: the same by the midpoint rule.
inline constexpr double midpoint_part = 5e-6;
// Of a response: nearer to zero friction can make forces inconsistent.
inline constexpr double painleve_margin = 1e-2;
// Of a force: two that are equal.
inline constexpr double same_force = 1e-9;
// s; an event this near to the end of a run explains it.
inline constexpr double near_failure = 1e-6;
// s; on which side of a switch the motion goes on.
inline constexpr double look_ahead = 1e-7;
// An argument of a switch this near to zero is on it.
inline constexpr double on_switch = 1e-12;
// Of 1 + the value: a driver that jumps by more does.
inline constexpr double driver_jump = 1e-6;
// Of a depth: what is less deep has not sunk.
inline constexpr double sunk_part = 1e-8;
// Of the size: within it contacts of the first step are searched.
inline constexpr double first_reach = 1e-5;
// Of an output step: a run that moves on by less in many steps is stuck.
inline constexpr double progress_part = 1e-3;
// Of a step: its end may be moved by this to an event.
inline constexpr double movable_end = 1e-3;
// Of 1 s + t: the end of a step is not moved farther by Newton's method.
inline constexpr double largest_correction = 1e-3;
// Of a value: a law that begins where the motion is.
inline constexpr double start_of_law = 1e-9;

}  // namespace pawl::tolerance
