// Every numerical tolerance of the program, with its reason. Lengths are relative to the model's size.
#pragma once

namespace pawl::tolerance {

// A position is solved when its largest residual is below this. Frames are sums of products of numbers of the
// model's size with about ten roundings each (2e-16), so 2e-14 is what can always be reached.
inline constexpr double position = 2e-14;

// Newton stops early without success above this residual; between the two it has met rounding and is accepted. It is
// the accuracy promised at every output.
inline constexpr double position_accepted = 1e-12;

// A singular value or pivot below this part of the largest makes a row dependent. Rows come from coordinates
// with 1e-14 of error; a mechanism nearer than 1e-9 to a singular position cannot be told from one in it.
inline constexpr double rank = 1e-9;

// Conditioning above which a driven position is called singular: half the digits of velocity are gone.
inline constexpr double singular_condition = 1e8;

// A row whose response, after elimination of the rows before it, falls below this part of its own is dependent
// on them. The square of an angle: rows nearer than 1e-6 rad to dependence cannot be told from dependent ones.
inline constexpr double dependent_row = 1e-12;

// Projection after a step of integration: stops below the first, accepts rounding below the second (the
// residual promised by a dynamic run).
inline constexpr double projection = 1e-13;
inline constexpr double projection_accepted = 1e-10;

// The quintic through both ends of a step may miss the cubic by this part of the step's own length. A path that
// has jumped to another branch misses it by the distance of the branches.
inline constexpr double branch = 1e-3;

// A step of a kinematic run is halved at most down to this part of the output step.
inline constexpr double smallest_step = 1e-10;

}  // namespace pawl::tolerance
