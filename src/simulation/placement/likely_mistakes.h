// What in a model looks like a mistake. Contact pairs that can never touch, whatever the motion:
// bodies that move as one, and bodies joined by hinges whose profiles stay too near to, or too far
// from, their pivots; said only where it is certain. Profiles that are drawn the wrong way,
// overlap, or nearly make a whole cam. Gears whose centres do not fit their pitch circles. Moments
// of inertia in other units than meant. Coordinates that two drivers drive.
#pragma once

#include <utility>
#include <vector>

#include "simulation/placement/assembly.h"

namespace pawl {

// A warning for each, at the location of the element.
void warn_of_likely_mistakes(const PlacedMechanism& placed, Diagnostics& diagnostics);

// Pairs of drivers of one coordinate: each driver with the first that drives the same.
std::vector<std::pair<const Driver<PlanarSpace>*, const Driver<PlanarSpace>*>> driven_twice(
    const PlanarMechanism& mechanism);

}  // namespace pawl
