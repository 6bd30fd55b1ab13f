// Joints with play in a dynamic run: each becomes a free joint whose bodies touch by the profiles
// of pin and bearing, or of block and rails. Other analyses leave them ideal.
#pragma once

#include "simulation/placement/assembly.h"

namespace pawl {

bool has_clearance(const PlanarMechanism& mechanism);

// The mechanism with every play opened; the same where there is none. A joint starts where the
// first guess of the model puts it, if that is within its play, else in the middle; the bodies
// start with the velocities that the ideal joints allow.
PlacedMechanism open_clearances(const PlacedMechanism& placed);

}  // namespace pawl
