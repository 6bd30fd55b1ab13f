#include "simulation/simulation.h"

#include "simulation/clearance.h"
#include "simulation/sampler.h"
#include "simulation/simulation_run.h"

namespace pawl {

Simulation::Simulation(const PlacedMechanism& placed, DynamicOptions options)
    : placed_(std::make_unique<PlacedMechanism>(
          has_clearance(placed.mechanism) ? open_clearances(placed) : placed)),
      options_(std::make_unique<DynamicOptions>(std::move(options))),
      result_(std::make_unique<DynamicResult>()) {
    reset();
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::reset() {
    *result_ = {};
    run_ = std::make_unique<Run>(*placed_, *options_, *result_);
}

bool Simulation::step() { return run_->advance(); }

bool Simulation::advance_to(double t) {
    while (time() < t)
        if (!run_->advance()) return false;
    return true;
}

double Simulation::time() const { return run_->time(); }
const State& Simulation::state() const { return run_->state(); }
double Simulation::begin_of_step() const { return run_->begin_of_step(); }
State Simulation::state_at(double t) { return run_->state_at(t); }
const DynamicResult& Simulation::so_far() const { return *result_; }

std::string Simulation::save() {
    Memory memory;
    run_->remember(memory);
    return memory.text();
}

bool Simulation::restore(std::string saved) {
    reset();
    Memory memory(std::move(saved));
    if (run_->remember(memory)) return true;
    reset();
    return false;
}

DynamicResult Simulation::finish() {
    run_->close();
    warn_of_measures(placed_->mechanism, result_->trajectory, result_->warnings);
    run_.reset();
    DynamicResult result = std::move(*result_);
    reset();
    return result;
}

DynamicResult run_dynamics(const PlacedMechanism& placed, const DynamicOptions& options) {
    Simulation simulation(placed, options);
    while (simulation.step()) {
    }
    return simulation.finish();
}

}  // namespace pawl
