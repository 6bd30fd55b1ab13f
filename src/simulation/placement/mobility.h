// Degrees of freedom of an assembled mechanism: Grübler's count, the true number from the rank of
// the Jacobian here and nearby, and the redundant constraints, by name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulation/placement/assembly.h"

namespace pawl {

struct RedundantRow {
    std::string row;  // "D.x"
    std::string joint;
    Span span;
    std::vector<std::string> implied_by;  // joints whose rows it repeats
};

struct Mobility {
    int bodies = 0;           // moving
    int joint_rows = 0;       // constraints of all joints
    int gruebler = 0;         // 3 bodies - rows
    int freedoms_here = 0;    // 3 bodies - rank, in the assembled position
    int freedoms_nearby = 0;  // the same in positions next to it
    int drivers = 0;
    std::vector<RedundantRow> redundant;   // nearby, so not an accident of the position
    std::vector<std::string> suggestions;  // one per joint with redundant rows
    std::vector<std::string> independent;  // joint coordinates chosen (or named) as independent
    std::string independent_problem;
    double condition = 1;  // of the independent rows
    [[nodiscard]] bool singular_here() const { return freedoms_here > freedoms_nearby; }
};

Mobility analyse_mobility(const PlacedMechanism& placed);

// Friction in joints that share redundant constraints: the balance of forces leaves their reactions
// open, and with them the friction.
struct IndeterminateFriction {
    std::string message;
    Span span;  // of the first such joint
};
std::optional<IndeterminateFriction> indeterminate_friction(const PlacedMechanism& placed);

}  // namespace pawl
