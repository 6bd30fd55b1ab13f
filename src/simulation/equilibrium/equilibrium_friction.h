// Whether friction holds a mechanism at rest where it stands, with what forces, and how far each
// load may change before something slips. Contacts that touch press, with friction.
#pragma once

#include <string>
#include <vector>

#include "simulation/columns/reactions.h"
#include "simulation/equilibrium/equilibrium_system.h"

namespace pawl {

// A friction point: what it bears, and the most it could.
struct HeldFriction {
    std::string name, unit;  // N, or N m
    double force = 0, limit = 0;
};

// A load, the others as they are: it is held between these values, -INFINITY or INFINITY where no
// size of it makes anything slip (self-locking).
struct HeldLoad {
    std::string name;
    std::string unit;  // N or N m of a driver; of a force "1": times what it is
    double low = 0, high = 0;
};

struct EquilibriumFriction {
    bool holds = false;
    std::string problem;  // why it does not
    std::vector<HeldFriction> points;
    std::vector<HeldLoad> loads;
    // With all forces of the contacts and the friction.
    std::vector<Column> columns;
    std::vector<double> reactions;
    double imbalance = 0;
};

// In the position y of the balance, which satisfies the rows, at time t.
EquilibriumFriction hold_by_friction(const PlacedMechanism& placed, EquilibriumSystem& balance,
                                     const EquilibriumSystem::Vector& y, double t);

}  // namespace pawl
