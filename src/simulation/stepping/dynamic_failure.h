// Why a dynamic run ended early, in words: status, message, location in the model and, for what is
// an event, the last event. Every function returns false, as the run does then.
#pragma once

#include <string>

#include "integration/stepper.h"
#include "simulation/stepping/dynamic_run.h"
#include "simulation/stepping/dynamic_systems.h"

namespace pawl {

// What leads on where sliding has no solution; of_contacts: not of joints alone.
std::string painleve_advice(bool of_contacts);

class DynamicFailure {
public:
    DynamicFailure(const PlanarMechanism& mechanism, DynamicResult& result)
        : mechanism_(mechanism), result_(result) {}

    bool fail(DynamicStatus status, std::string message, Span span = {});
    // A coordinate without inertia.
    bool massless(const MechanismEquations<PlanarSpace>& equations);
    // Time steps have no answer for coordinates whose inertia the rows stand in for.
    bool held_only(const MechanismEquations<PlanarSpace>& equations);
    // No projection leads back on the constraints at t.
    bool lost(double t, DynamicSystem& system);
    // True where a force or the rate of a state is not finite: then that is the reason, whatever
    // the contacts made of it, and the event that they noted is taken back.
    bool not_finite(const State& state, MechanismEquations<PlanarSpace>& equations);
    // Friction grows beyond all bounds: continued sliding has no solution.
    [[nodiscard]] static bool is_paradox(RateOutcome rates, const DynamicSystem& system);
    // The integrator gave up at t, the last rates having ended so.
    bool stuck(double t, StepOutcome step, RateOutcome rates, DynamicSystem& system);

private:
    bool jam(double t, const RowLabel& label);
    bool name_not_finite(double t, const AppliedForces<PlanarSpace>& forces);
    void forget_bifurcations(double t);
    bool drivers_stop(double t, const Equations& equations);
    bool dead_point(double t);
    bool painleve(double t, MechanismEquations<PlanarSpace>& equations);

    const PlanarMechanism& mechanism_;
    DynamicResult& result_;
};

}  // namespace pawl
