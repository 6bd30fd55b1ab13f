// Assembly modes that are one: members of a family in which some bodies can still
// move while drivers and resting coordinates are held, as in a folded linkage.
#pragma once

#include <vector>

#include "simulation/placement/assembly.h"

namespace pawl {

struct AssemblyFamily {
    AssemblyMode mode;        // the first one found, with the hits of all
    int members = 1;          // that were found
    int freedoms = 0;         // 0: it stands alone
    std::vector<int> bodies;  // that can still move
};
// Members of a family have the same bodies that can move, and the others in the same place.
std::vector<AssemblyFamily> group_assembly_modes(const PlacedMechanism& placed,
                                                 const std::vector<AssemblyMode>& modes);

}  // namespace pawl
