// The switches of a mechanism: the arguments inside abs, sign, floor, mod, min, max and comparisons
// of its expressions, and the knots of spring tables, numbered. Those of drivers, measures, states
// and forces come first, those of events and couplings last. Measures count where the motion
// depends on them. Knows no values.
#pragma once

#include "mechanism/mechanism.h"

namespace pawl {

// Gives every expression the number of its first switch.
void number_switches(PlanarMechanism& mechanism);

}  // namespace pawl
