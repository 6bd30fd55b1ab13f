#include "simulation/run_options.h"

namespace pawl {

namespace {

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
    options.particles = run.coordinates == CoordinateChoice::particles;
    options.dynamics = run.dynamics;
    options.integrator = run.integrator;
    options.rtol = run.rtol;
    options.atol = run.atol;
    options.largest_step = run.largest_step.value_or(0);
    options.integrator_step = run.integrator_step.value_or(0);
    options.sequential_impacts = run.impacts == ImpactOrder::sequential;
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
