// Every tolerance of the program, with its value and its reason: here those that it promises or
// that several rooms share, in the folder tolerances/ those of one subject. Lengths are relative to
// the model's size.
#pragma once

namespace pawl::tolerance {

// A position is solved when its largest residual is below this. Frames are sums of products of
// numbers of the model's size with about ten roundings each (2e-16), so 2e-14 is what can always be
// reached.
inline constexpr double position = 2e-14;

// Points nearer than this to each other are one point, m: no mechanism is smaller.
inline constexpr double same_point = 1e-12;
// The same as a part of the model's size at the first guess: positions are closed to 1e-12 of it.
inline constexpr double same_point_part = 1e-9;

// Newton stops early without success above this residual; between the two it has met rounding and
// is accepted. It is the accuracy promised at every output.
inline constexpr double position_accepted = 1e-12;

// A singular value or pivot below this part of the largest makes a row dependent. Rows come from
// coordinates with 1e-14 of error; a mechanism nearer than 1e-9 to a singular position cannot be
// distinguished from one in it.
inline constexpr double rank = 1e-9;

// Conditioning above which a driven position is called singular: half the digits of velocity are
// gone.
inline constexpr double singular_condition = 1e8;

// The response of rows counts as nearly singular when a pivot falls below this part of its scale
// (the square of the angle to dependence, 0.03 rad): solutions are refined there, and rates are
// taken on the constraints. Light parts are there always, mechanisms in passing.
inline constexpr double near_singular = 1e-3;
// Below the first part rows are taken to depend on each other: half the digits of a pivot are
// gone. The diagonals are then raised by the second part, and the solution refined until its
// residual no longer falls: exact for a part of 1e-9 of its neighbours' mass, bounded for rows that
// do depend. A constraint force is missing only where rows are nearer than 3e-5 rad to dependence,
// where it does nothing.
inline constexpr double dependent = 1e-8;
inline constexpr double dependent_raise = 1e-9;

// The relative error of integration with which singular positions are crossed. Accelerations close
// to them lose the cube of the angle to dependence of their digits: with 0.005 rad at the nearest
// stage this is what is left.
inline constexpr double crossing_error = 1e-9;

// Projection after a step of integration: stops below the first, accepts rounding below the second
// (the residual promised by a dynamic run).
inline constexpr double projection = 1e-13;
inline constexpr double projection_accepted = 1e-10;

// Iterated multipliers have converged when an iteration changes the accelerations by less than this
// part: what it leaves is smaller again by the factor of convergence, and rounding.
inline constexpr double augmented_change = 1e-13;

// Independent coordinates are chosen anew when a dependent one (as a length) moves this many times
// as fast as an independent one, and as many times as fast as it would with the best choice.
// Between ideal (1) and useless, and far enough from 1 that two equal choices do not alternate.
inline constexpr double partition = 4;

// The quintic through both ends of a step may miss the cubic by this part of the step's own length.
// A path that has jumped to another branch misses it by the distance of the branches.
inline constexpr double branch = 1e-3;

// A step of a kinematic run turns no coordinate by more than this, rad, so that two change points
// (never nearer than a fraction of a turn on one linkage) do not hide in it.
inline constexpr double turn = 0.5;

// Where the determinant vanishes inside a step, the quintic between positions close by closes the
// joints to this part of the size at a change point; between two circuits that only come near each
// other it does not.
inline constexpr double crossing = 1e-9;

// A step of a kinematic run is halved at most down to this part of the output step.
inline constexpr double smallest_step = 1e-10;

// Profiles whose gap is below this touch. Above what projection leaves (1e-13), below what an
// engineer can mean.
inline constexpr double touching = 1e-12;
// At the start a gap below this part of the smaller body counts as closed: seven digits written.
inline constexpr double touching_at_start = 1e-6;
// A compliant contact may begin pressed in by this part of the smaller profile; what is deeper is a
// mistake of the model.
inline constexpr double pressed_at_start = 0.05;

// A contact has passed the end of an element when it is beyond by this fraction of it. Rounding of
// a contact at rest on an end is smaller.
inline constexpr double past_end = 1e-9;

// A normal velocity below this part of the speed of a fall through the model's size, with the
// acceleration that it has by itself, is rest.
inline constexpr double still = 1e-10;

// Hops lower than this part of the size are taken as rest; well above what counts as touching,
// below which no gap is seen to close. Impacts that accumulate are completed when a fall over the
// time that is left is less than a hundred times as high: nothing else moves by more than rounding
// of the tolerances meanwhile.
inline constexpr double hop = 1e-10;

// Part of its scale below which a velocity, a rate or an excess of friction in an impact is
// rounding: some thousand roundings of 1e-16. A real one that small changes the impulses by as
// little.
inline constexpr double impact_rounding = 1e-12;

// No foreign data file means a larger number; products of some such numbers are still finite.
inline constexpr double largest_foreign_number = 1e60;

// ---- numbers and times ----

// What may be zero is raised to this before it divides: nothing physical is as small.
inline constexpr double no_division = 1e-300;
// N, J: an audit does not see less where the largest amount of a run is zero.
inline constexpr double smallest_amount = 1e-14;
// N m: the same of a force times a gap.
inline constexpr double smallest_product = 1e-20;
// rad; some thousand roundings of a full turn.
inline constexpr double angle_rounding = 1e-12;
// Sine of the angle below which two directions count as parallel.
inline constexpr double parallel = 1e-12;
// Of 1 s + t: roundings of a time that was computed from a step.
inline constexpr double time_rounding = 1e-14;
// Of 1 s + t: an interval of time has no inner number below a few of these.
inline constexpr double finest_time = 1e-15;
// Of 1 s + t: to this a zero inside a step is located.
inline constexpr double located_time = 1e-13;
// Of 1 s + t: two times nearer than this are one; ten times what location leaves.
inline constexpr double same_time = 1e-12;
// Of 1 s + t: events this near follow each other at once.
inline constexpr double near_time = 1e-9;
// Of an output step: a given end may miss the last output by this.
inline constexpr double output_rounding = 1e-9;

}  // namespace pawl::tolerance
