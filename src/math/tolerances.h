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

// The quintic through both ends of a step may miss the cubic by this part of the step's own length. A path that
// has jumped to another branch misses it by the distance of the branches.
inline constexpr double branch = 1e-3;

// A step of a kinematic run is halved at most down to this part of the output step.
inline constexpr double smallest_step = 1e-10;

}  // namespace pawl::tolerance
