// What a quasi-static run writes down: rows of the trajectory with reactions, contacts, potential
// energy and the lowest stiffness.
#pragma once

#include <vector>

#include "coordinates/measures.h"
#include "simulation/columns/contact_columns.h"
#include "simulation/columns/reactions.h"
#include "simulation/equilibrium/equilibrium_friction.h"
#include "simulation/quasi_static/quasi_static_mode.h"

namespace pawl {

class QuasiStaticRecord {
public:
    QuasiStaticRecord(const PlacedMechanism& placed, QuasiStaticMode& mode,
                      QuasiStaticResult& result)
        : placed_(placed),
          mechanism_(placed.mechanism),
          mode_(mode),
          result_(result),
          columns_(placed.mechanism),
          reactions_(placed, Reactions::without_contacts()) {}

    // Before the first row.
    void add_columns();
    // A row at a point of the path; leaves the balance set there.
    void sample(const PathPoint& node);
    void close();

private:
    void take_contacts(double t, std::vector<PlanarSpace::Wrench>& applied);
    // Whether friction holds it there, and between which forces of each driver.
    void append_friction(const PathPoint& node, std::vector<double>& row);

    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    QuasiStaticMode& mode_;
    QuasiStaticResult& result_;
    ContactColumns columns_;
    Reactions reactions_;
    std::vector<TimeJet<double>> channels_;
    bool has_stiffness_ = false;
    std::optional<EquilibriumSystem>
        rubbing_;  // without contacts in force; where there is friction
};

}  // namespace pawl
