// What a quasi-static run writes down: rows of the trajectory with reactions, contacts, potential
// energy and the lowest stiffness.
#pragma once

#include <vector>

#include "coordinates/measures.h"
#include "simulation/columns/contact_columns.h"
#include "simulation/columns/reactions.h"
#include "simulation/quasi_static/static_mode.h"

namespace pawl {

class StaticRecord {
public:
    StaticRecord(const PlacedMechanism& placed, StaticMode& mode, StaticRunResult& result)
        : mechanism_(placed.mechanism),
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

    const PlanarMechanism& mechanism_;
    StaticMode& mode_;
    StaticRunResult& result_;
    ContactColumns columns_;
    Reactions reactions_;
    std::vector<TimeJet<double>> channels_;
    bool has_stiffness_ = false;
};

}  // namespace pawl
