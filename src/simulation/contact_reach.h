// Contact pairs that can never touch, whatever the motion: bodies that move as one, and bodies
// joined by hinges whose profiles stay too near to, or too far from, their pivots. Says so only
// where it is certain.
#pragma once

#include "simulation/assembly.h"

namespace pawl {

// A warning for each such pair, at the place of the contact.
void warn_of_contacts_out_of_reach(const PlacedMechanism& placed, Diagnostics& diagnostics);

}  // namespace pawl
