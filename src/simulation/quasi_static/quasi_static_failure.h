// Why a quasi-static run ended early, in words: status, message, location in the model and, for
// what is an event, the last event. Every function returns false, as the run does then.
#pragma once

#include <string>

#include "contact/contact_point.h"
#include "results/event.h"
#include "simulation/equilibrium/equilibrium.h"
#include "simulation/quasi_static/quasi_static_run.h"

namespace pawl {

class QuasiStaticFailure {
public:
    using Point = ContactPoint<PlanarSpace>;
    QuasiStaticFailure(const PlanarMechanism& mechanism, QuasiStaticResult& result)
        : mechanism_(mechanism), result_(result) {}

    bool fail(QuasiStaticStatus status, std::string message, Span span = {});
    // The start has a direction without stiffness.
    bool neutral(const EquilibriumResult& start);
    // The path has no next point.
    bool no_next_point(double t, const std::string& why = "");
    // So many steps did not lead to the next output.
    bool no_progress(int steps, double t);
    // A permanent contact is about to lose its touching point.
    bool touching_point_vanishes(double t, const Point& point);
    // The drivers go on, and the contact cannot.
    bool jam(double t, const Point& point, Cause cause);
    bool dead_point(double t);
    // The event of a lost equilibrium, with no other to continue from.
    bool no_equilibrium(Event lost);

private:
    const PlanarMechanism& mechanism_;
    QuasiStaticResult& result_;
};

}  // namespace pawl
