// Static analysis: the position in which a mechanism at rest is in balance, whether it is stable,
// how it vibrates about it, and the forces in its joints and drivers. Drivers hold the value of the
// given time. Where friction holds the mechanism as it was assembled, that is the equilibrium, with
// all contacts that touch; else contacts and friction are not considered.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/trajectory.h"
#include "simulation/columns/reactions.h"
#include "simulation/equilibrium/equilibrium_friction.h"
#include "simulation/equilibrium/equilibrium_search.h"
#include "simulation/equilibrium/vibration.h"
#include "simulation/placement/assembly.h"

namespace pawl {

// Along a path friction at rest leaves the balance undetermined between its limits.
inline constexpr const char* frictionless_warning =
    "the positions along the path are those without friction; the columns friction.holds, "
    "DRIVER.force_low and DRIVER.force_high show what friction would hold";

struct EquilibriumOptions {
    double at = 0;       // s, time at which drivers and forces are taken
    bool modes = false;  // also vibrations
};

// How a search ended, and what there is to say of it.
struct EquilibriumOutcome {
    EquilibriumStatus status = EquilibriumStatus::balanced;
    int iterations = 0;
    std::vector<std::string> warnings;
    std::string message;  // why there is no equilibrium
    Span span;
};

struct EquilibriumResult : EquilibriumOutcome {
    std::vector<PlanarSpace::Position> positions;  // per body
    double potential = 0;                          // J, of gravity and linear springs
    double unbalance = 0,
           unbalance_limit = 0;  // N, largest force left; angles count at the model's size
    double residual = 0;         // m, largest opening of a joint
    Stability stability = Stability::held;
    int unstable = 0, neutral = 0;  // directions
    bool conservative = true;       // the stiffness is symmetric
    std::vector<double>
        stiffness;  // N/m, its eigenvalues, ascending; angles count at the model's size
    std::vector<std::string> directions;  // per eigenvalue the coordinate that moves most
    Vibration vibration;
    std::optional<EquilibriumFriction> friction;  // of models that have any
    std::vector<Column> columns;  // reactions and forces of the drivers: names and units,
    std::vector<double> forces;   // and their values
    double imbalance = 0;  // what the joints cannot supply, over max(largest force, |K| size)
};

EquilibriumResult find_equilibrium(const PlacedMechanism& placed,
                                   const EquilibriumOptions& options = {});

// The joint that carries a coordinate of the equations, for messages that point home.
Span span_of_coordinate(const PlanarMechanism& mechanism, const std::string& name);

}  // namespace pawl
