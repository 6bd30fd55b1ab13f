// Contact pairs that look like mistakes. Those that can never touch, whatever the motion: bodies
// that move as one, and bodies joined by hinges whose profiles stay too near to, or too far from,
// their pivots; said only where it is certain. And open profiles that are drawn the wrong way.
#pragma once

#include "simulation/assembly.h"

namespace pawl {

// A warning for each such pair, at the place of the contact.
void warn_of_contacts(const PlacedMechanism& placed, Diagnostics& diagnostics);

}  // namespace pawl
