#include "face/simulation.h"

#include "coordinates/measures.h"
#include "face/result_inside.h"
#include "simulation/dynamic/dynamic_simulation.h"
#include "simulation/run_options.h"

namespace pawl {

struct Simulation::View {
    State start;
    Coordinates<PlanarSpace> coordinates;
    std::vector<std::string> names;
    std::vector<TimeJet<double>> channels;
};

namespace {

// A run has a state only with its first step, so another run of the same model provides it.
State start_of(const ModelData& model, const DynamicOptions& options) {
    DynamicSimulation first(model, options);
    first.step();
    return first.state_at(first.begin_of_step());
}

}  // namespace

Simulation::Simulation(const Model& model)
    : model_(model),
      now_(model),
      run_(std::make_unique<DynamicSimulation>(*model.data_, dynamic_options(model.run))) {}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

bool Simulation::step() { return run_->step(); }
bool Simulation::advance_to(double t, const Progress& progress) {
    return run_->advance_to(t, progress);
}
double Simulation::time() const { return run_->time(); }
double Simulation::begin_of_step() const { return run_->begin_of_step(); }
const State& Simulation::state() { return has_begun() ? run_->state() : view().start; }
State Simulation::state_at(double t) { return has_begun() ? run_->state_at(t) : view().start; }
bool Simulation::has_begun() const { return !run_->state().q.empty() || !run_->placed().ok(); }

Simulation::View& Simulation::view() {
    if (view_) return *view_;
    const PlacedMechanism& placed = run_->placed();
    view_ = std::make_unique<View>(
        View{start_of(*now_.data_, dynamic_options(now_.run)),
             now_.run.coordinates == CoordinateChoice::absolute
                 ? Coordinates<PlanarSpace>::absolute(placed.mechanism)
                 : Coordinates<PlanarSpace>::relative(placed.mechanism, placed.topology),
             {},
             {}});
    for (int i = 0; i < view_->coordinates.size(); ++i)
        view_->names.push_back(view_->coordinates.column_name(i));
    return *view_;
}

std::vector<std::string> Simulation::coordinates() {
    return run_->placed().ok() ? view().names : std::vector<std::string>();
}

std::vector<Reading> Simulation::measures_at(double t) {
    if (!run_->placed().ok()) return {};
    View& v = view();
    const State state = state_at(t);
    if (static_cast<int>(state.q.size()) != v.coordinates.size()) return {};  // it did not start
    v.coordinates.set_motion(state.q, state.v);
    evaluate_measures(run_->placed().mechanism, v.coordinates, t, v.channels);
    std::vector<Reading> out;
    for (std::size_t i = 0; i < v.channels.size(); ++i) {
        const auto& measure = run_->placed().mechanism.measures[i];
        out.push_back({measure.name, measure.unit, v.channels[i].value / measure.unit_factor,
                       v.channels[i].rate / measure.unit_factor});
    }
    return out;
}

Diagnostics Simulation::problems() const {
    Diagnostics out;
    out.file = now_.file();
    if (!message().empty()) out.error(run_->so_far().span, message());
    return out;
}

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
    view_.reset();
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
