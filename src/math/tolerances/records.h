// Tolerances of what runs write down: audits, columns, responses, analyses.
#pragma once

#include "math/tolerances.h"

namespace pawl::tolerance {

// ---- audits: the limits of their inequalities ----

// Of the size: residuals of constraints, penetration, force times gap.
inline constexpr double residual_audit = 1e-10;
// Of the largest speed, and of the size per second.
inline constexpr double velocity_audit = 1e-9;
// Of the largest acceleration.
inline constexpr double acceleration_audit = 1e-7;
// Of the largest force: pulling contacts, friction, balance of bodies.
inline constexpr double force_audit = 1e-6;
// Of the velocities and of the momentum of an impact.
inline constexpr double impact_audit = 1e-6;
// Of the energies of a run: what impacts add.
inline constexpr double impact_energy_audit = 1e-9;
// Of the sum of the potentials.
inline constexpr double potential_rounding = 1e-12;
// Of the energies: an error of integration above this fails whatever was asked for.
inline constexpr double largest_energy_error = 1e-3;
// Of the energies of a run by time stepping.
inline constexpr double energy_audit_moreau = 1e-3;
// Of the cone problem in any step by time stepping.
inline constexpr double worst_residual_audit = 1e-2;
// Of the speed: a difference that rounding leaves 1e-8 of.
inline constexpr double growth_difference = 1e-7;

// ---- audits: written rows ----

// Of an element: contacts this near to an end are judged on neither side.
inline constexpr double written_end = 1e-7;
// Of the speed: slower approaches are not judged.
inline constexpr double written_part = 1e-3;
// Of the size per second: the normal is known to 1e-9.
inline constexpr double written_normal = 1e-9;
// Of a coordinate: its rounding.
inline constexpr double written_digits = 1e-14;
// Of a step: rows at equal distances.
inline constexpr double written_steps = 1e-6;
// Of the size per second: slower slip is not judged.
inline constexpr double written_slip = 1e-8;
// Of the size: points of contact on their curves.
inline constexpr double written_contact = 1e-9;

// ---- columns ----

// Of a row: what is left of a reaction that statics does not determine.
inline constexpr double undetermined_row = 1e-7;
// What the raise of singular pivots leaves is far smaller.
inline constexpr double raised_part = 1e-4;
// Of the forces: passes of refinement end here.
inline constexpr double reaction_rounding = 1e-14;
// The same where each pass takes only a part away.
inline constexpr double reaction_enough = 1e-9;
// Of the largest reaction: less is zero.
inline constexpr double reaction_noise = 1e-12;
// The same of impulses.
inline constexpr double impulse_noise = 1e-13;
// Of the speed: slower slip is rest.
inline constexpr double slip_rounding = 1e-12;
// s; a row this near to a given time is taken as it is.
inline constexpr double sample_time = 1e-9;
// Of a window: the slope of a crossing is differenced over this.
inline constexpr double crossing_slope = 1e-4;
// Of a derivative: differences that agree to this are exact.
inline constexpr double derivative_rounding = 1e-12;
// Of a derivative: differences that agree to this have converged.
inline constexpr double derivative_settled = 1e-3;
// Of a derivative: an error that is larger is reported.
inline constexpr double derivative_error = 1e-9;
// Of the scale of a response: smaller derivatives count as this large.
inline constexpr double derivative_floor = 1e-3;
// Of a parameter: the first distance of a difference.
inline constexpr double first_neighbour = 8e-3;
// Of the widest gap: runs are right to 1e-9 or so.
inline constexpr double gap_of_neighbours = 1e-7;
// An event whose time moves by less does not move.
inline constexpr double still_event = 1e-9;
// Of a value.
inline constexpr double value_rounding = 1e-15;

// ---- analyses ----

// Of a period.
inline constexpr double section_time = 1e-9;
// Points of a section that are equal to rounding.
inline constexpr double section_rounding = 1e-12;
// Of the state: the runs' own errors (1e-12) are divided by it.
inline constexpr double shooting_difference = 1e-6;
// Of the map over a period by differences of runs: what is left of their errors, 1e-12 each.
inline constexpr double differenced_map = 1e-6;
// Of a multiplier: two that lie together are known to the root of the map's error.
inline constexpr double multiplier_error = 1e-4;
// Of the size: |x(T) - x(0)|.
inline constexpr double periodic_orbit = 1e-9;
// Of the largest: a direction in which a motion is free.
inline constexpr double shooting_rank = 1e-9;
// Of the size, rad: drivers that repeat.
inline constexpr double shooting_near = 1e-6;
// Of the period: the phase is differenced over this.
inline constexpr double phase_step = 1e-5;
// Of a time: a map ends where it was asked to.
inline constexpr double flow_close = 1e-12;
// Of a step: the last sample may miss the end by this.
inline constexpr double sample_rounding = 1e-6;
// Of the highest: a line that counts as a peak.
inline constexpr double peak_height = 1e-3;
// Of a line's distance: a peak at a line.
inline constexpr double peak_centre = 1e-9;

}  // namespace pawl::tolerance
