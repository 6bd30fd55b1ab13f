// Given times at which the right-hand side of a run is not smooth: a step ends there.
#pragma once

#include <vector>

#include "coordinates/coordinates.h"

namespace pawl {

// Between `start` and `end`: ends of the pieces of drivers, and given impulses.
std::vector<double> break_times(const PlanarMechanism& mechanism, double start, double end);

// A given impulse as wrenches on the bodies, at their origins, where the coordinates have them.
std::vector<PlanarSpace::Wrench> given_impulse(const PlanarMechanism& mechanism, std::size_t force,
                                               Coordinates<PlanarSpace>& coordinates);

}  // namespace pawl
