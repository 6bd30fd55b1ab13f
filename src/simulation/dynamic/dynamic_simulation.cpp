#include "simulation/dynamic/dynamic_simulation.h"

#include <algorithm>

#include "simulation/columns/sampler.h"
#include "simulation/dynamic/moreau_run.h"
#include "simulation/dynamic/running_model.h"
#include "simulation/dynamic/simulation_run.h"
#include "simulation/placement/clearance.h"
#include "simulation/run_options.h"

namespace pawl {

DynamicSimulation::DynamicSimulation(const ModelData& model, std::optional<DynamicOptions> options)
    : model_(std::make_unique<RunningModel>(model)),
      placed_(std::make_unique<PlacedMechanism>(model_->placed())),
      options_(std::make_unique<DynamicOptions>(options ? *options : dynamic_options(model.run))),
      result_(std::make_unique<DynamicResult>()) {
    begin();
}

DynamicSimulation::DynamicSimulation(const PlacedMechanism& placed, DynamicOptions options)
    : placed_(std::make_unique<PlacedMechanism>(
          has_clearance(placed.mechanism) ? open_clearances(placed) : placed)),
      options_(std::make_unique<DynamicOptions>(std::move(options))),
      result_(std::make_unique<DynamicResult>()) {
    begin();
}

DynamicSimulation::~DynamicSimulation() = default;
DynamicSimulation::DynamicSimulation(DynamicSimulation&&) noexcept = default;
DynamicSimulation& DynamicSimulation::operator=(DynamicSimulation&&) noexcept = default;

void DynamicSimulation::begin() {
    *result_ = {};
    if (model_ && !placed_->ok()) {
        result_->status = DynamicStatus::refused;
        result_->message = placed_->assembly.message;
        result_->span = placed_->assembly.span;
    }
    if (options_->integrator == Integrator::moreau)
        run_ = std::make_unique<MoreauRun>(*placed_, *options_, *result_);
    else
        run_ = std::make_unique<Run>(*placed_, *options_, *result_);
    now_ = time();
}

void DynamicSimulation::reset() {
    if (model_) {
        model_->begin();
        *placed_ = model_->placed();
    }
    begin();
}

bool DynamicSimulation::reset(const Overrides& values, Diagnostics& diagnostics) {
    if (!model_) {
        diagnostics.error({}, "this simulation was not made from a model");
        return false;
    }
    if (!model_->begin(values, diagnostics)) return false;
    *placed_ = model_->placed();
    begin();
    return true;
}

bool DynamicSimulation::step() {
    const bool stepped = (!model_ || placed_->ok()) && run_->advance();
    now_ = time();
    return stepped;
}

bool DynamicSimulation::advance_to(double t, const std::function<void(double)>& progress) {
    const double before = now_;
    while (time() < t) {
        if (!step()) return false;
        if (progress) progress(std::min(1.0, (time() - before) / (t - before)));
    }
    now_ = std::max(before, t);
    return true;
}

double DynamicSimulation::time() const { return run_->time(); }
const State& DynamicSimulation::state() const { return run_->state(); }
double DynamicSimulation::begin_of_step() const { return run_->begin_of_step(); }
State DynamicSimulation::state_at(double t) { return run_->state_at(t); }
const DynamicResult& DynamicSimulation::so_far() const { return *result_; }

template <class Value>
bool DynamicSimulation::set_value(std::string_view name, Value value, Diagnostics& diagnostics) {
    if (!model_) {
        diagnostics.error({}, "this simulation was not made from a model");
        return false;
    }
    if (!run_->takes_changes()) {
        diagnostics.error({}, "values cannot be set during a run with integrator = \"moreau\"");
        return false;
    }
    Diagnostics found;
    const auto change = model_->set(name, value, now_, found);
    diagnostics.add(found);
    if (!change) return !found.has_errors();
    return run_->change(now_, *change, [&] {
        model_->apply(*change, result_->trajectory.rows(), placed_->mechanism);
    });
}

bool DynamicSimulation::set(std::string_view name, std::string_view value,
                            Diagnostics& diagnostics) {
    return set_value(name, value, diagnostics);
}

bool DynamicSimulation::set(std::string_view name, double value, Diagnostics& diagnostics) {
    return set_value(name, value, diagnostics);
}

std::string DynamicSimulation::save() {
    Memory memory;
    bool of_model = model_ != nullptr;
    memory(of_model, now_);
    if (model_) memory(*model_);
    run_->remember(memory);
    return memory.text();
}

bool DynamicSimulation::restore(std::string saved) {
    reset();
    Memory memory(std::move(saved));
    bool of_model = false;
    memory(of_model, now_);
    bool fits = of_model == (model_ != nullptr);
    if (fits && model_) {
        memory(*model_);
        fits = memory.fits();
        if (fits) model_->apply(placed_->mechanism);
    }
    if (fits && run_->remember(memory)) return true;
    reset();
    return false;
}

DynamicResult DynamicSimulation::finish() {
    if (model_ && model_->has_changed())
        run_->close([this](std::size_t row, PlanarMechanism& mechanism) {
            return model_->apply_of_row(row, mechanism);
        });
    else
        run_->close({});
    warn_of_measures(placed_->mechanism, result_->trajectory, result_->warnings);
    run_.reset();
    DynamicResult result = std::move(*result_);
    reset();
    return result;
}

DynamicResult run_dynamics(const PlacedMechanism& placed, const DynamicOptions& options) {
    DynamicSimulation simulation(placed, options);
    while (simulation.step()) {
    }
    return simulation.finish();
}

}  // namespace pawl
