#include "face/simulation.h"

#include "face/result_inside.h"
#include "simulation/dynamic/dynamic_simulation.h"
#include "simulation/run_options.h"

namespace pawl {

Simulation::Simulation(const Model& model)
    : model_(model),
      now_(model),
      run_(std::make_unique<DynamicSimulation>(*model.data_, dynamic_options(model.run))) {}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

bool Simulation::step() { return run_->step(); }
bool Simulation::advance_to(double t) { return run_->advance_to(t); }
double Simulation::time() const { return run_->time(); }
double Simulation::begin_of_step() const { return run_->begin_of_step(); }
const State& Simulation::state() const { return run_->state(); }
State Simulation::state_at(double t) { return run_->state_at(t); }
const std::vector<Event>& Simulation::events() const { return run_->so_far().events; }
const std::string& Simulation::message() const { return run_->so_far().message; }

bool Simulation::set(std::string_view name, std::string_view value, Diagnostics& problems) {
    return run_->set(name, value, problems);
}

bool Simulation::set(std::string_view name, double value, Diagnostics& problems) {
    return run_->set(name, value, problems);
}

std::string Simulation::save() { return run_->save(); }
bool Simulation::restore(std::string saved) { return run_->restore(std::move(saved)); }

void Simulation::reset() { run_->reset(); }

bool Simulation::reset(const Values& values, Diagnostics& problems) {
    auto changed = model_.with(values, problems);
    if (!changed || !run_->reset(values, problems)) return false;
    now_ = std::move(*changed);
    return true;
}

Result Simulation::so_far() const {
    const PlacedMechanism placed = assemble(now_.data_->mechanism);
    return result_of(now_.data_, placed, dynamic_options(now_.run), run_->so_far());
}

Result Simulation::finish() {
    const PlacedMechanism placed = assemble(now_.data_->mechanism);
    return result_of(now_.data_, placed, dynamic_options(now_.run), run_->finish());
}

}  // namespace pawl
