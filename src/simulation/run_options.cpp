#include "simulation/run_options.h"

#include "dynamics/formulations/formulations.h"

namespace pawl {

namespace {

// The augmented Lagrangian with the user's numbers.
template <class Solver>
std::unique_ptr<Dynamics> make_augmented(Equations& equations, const RunSettings& run) {
    auto solver = std::make_unique<Solver>(equations);
    solver->set_penalty(run.penalty.value_or(0));
    solver->set_stabilisation(run.penalty_frequency.value_or(0), run.penalty_damping.value_or(1));
    return solver;
}

// Particles are a kind of formulation; the coordinates of their bodies are relative.
CoordinateKind coordinates_of(const RunSettings& run) {
    return run.coordinates == CoordinateChoice::absolute ? CoordinateKind::absolute
                                                         : CoordinateKind::relative;
}

}  // namespace

DynamicOptions dynamic_options(const RunSettings& run) {
    DynamicOptions options;
    options.end = run.end;
    options.step = run.step;
    options.coordinates = coordinates_of(run);
    options.dynamics = run.dynamics;
    options.integrator = run.integrator;
    options.rtol = run.rtol;
    options.atol = run.atol;
    options.largest_step = run.largest_step.value_or(0);
    options.integrator_step = run.integrator_step.value_or(0);
    options.sequential_impacts = run.impacts == ImpactOrder::sequential;
    if (run.penalty || run.penalty_frequency) {
        const bool canonical = run.dynamics == Formulation::augmented_canonical;
        options.make_solver = [run, canonical](Equations& equations) {
            return canonical ? make_augmented<AugmentedCanonicalDynamics>(equations, run)
                             : make_augmented<AugmentedDynamics>(equations, run);
        };
    }
    return options;
}

KinematicOptions kinematic_options(const RunSettings& run) {
    KinematicOptions options;
    options.end = run.end;
    options.step = run.step;
    options.coordinates = coordinates_of(run);
    options.reactions = run.analysis == Analysis::inverse;
    return options;
}

}  // namespace pawl
