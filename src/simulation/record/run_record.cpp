#include "simulation/record/run_record.h"

#include <algorithm>
#include <functional>

#include "math/tolerances.h"

namespace pawl {

void RunRecord::begin(ContactCycle& contacts, double t) {
    contacts_ = &contacts;
    t_start_ = t;
    record_.emplace(placed_, options_, contacts, result_);
    clearances_.emplace(placed_.mechanism, contacts);
}

void RunRecord::sample(const State& state) {
    if (!record_->sample(state)) return;
    const DynamicSystem& system = contacts_->system();
    if (system.equations->time() == state.t) step_audit_.judge_rows(*system.dynamics, state.t);
}

double RunRecord::output_time(std::size_t k) const {
    const double t = t_start_ + static_cast<double>(k) * options_.step;
    return t > options_.end - tolerance::output_rounding * options_.step ? options_.end : t;
}

void RunRecord::pass_over(const PassedWindow& window) {
    if (!record_) return;
    while (output_time(next_output_) < window.end() && output_time(next_output_) < options_.end) {
        record_->pass_steps(window.steps);
        contacts_->look_inside(window, output_time(next_output_++),
                               [&](const State& state) { record_->sample(state); });
    }
    record_->pass_steps(window.steps);
}

RunRecord::Inside RunRecord::look_inside(Dynamics& dynamics, Stepping& stepping, State& inside) {
    const double end = stepping.end();
    Inside looks = Inside::untouched;
    if (!clearances_->empty()) {
        clearances_->step(stepping.begin(), std::min(end, stepping.t()),
                          [&](double t) -> const State& { return stepping.at(t); });
        looks = Inside::looked;
    }
    while (output_time(next_output_) <= end - tolerance::same_time * (1 + end) &&
           output_time(next_output_) < options_.end) {
        inside = stepping.at(output_time(next_output_++));
        if (dynamics.project(inside) < 0) return Inside::lost;
        sample(inside);
        looks = Inside::looked;
    }
    return looks;
}

void RunRecord::end_step(Dynamics& dynamics, Stepping& stepping, const State& begin,
                         const State& end) {
    step_audit_.end(dynamics, stepping, begin, end);
    auto& coordinates = contacts_->system().equations->coordinates();
    const auto motion = [&](double t) -> const Coordinates<PlanarSpace>& {
        const State& state = t == begin.t ? begin
                             : t == end.t ? end
                                          : stepping.at(std::min(t, stepping.t()));
        coordinates.set_position(state.q);
        coordinates.set_velocity(state.v);
        return coordinates;
    };
    passage_.step(begin.t, end.t, std::ref(motion));
    motion(end.t);
    record_->end_step(contacts_->system().equations->inertia().kinetic_energy());
}

void RunRecord::sample_end(const State& end) {
    if (output_time(next_output_) > end.t + tolerance::same_time * (1 + end.t) &&
        end.t < options_.end)
        return;
    ++next_output_;
    sample(end);
}

void RunRecord::close(const State& last, const WrittenAudit::ValuesAt& values) {
    record_->close(last, step_audit_, passage_, values);
    result_.clearances = clearances_->close(result_.events);
}

}  // namespace pawl
