#include "simulation/dynamic/moreau_run.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/placement/initial_velocities.h"
#include "simulation/placement/start_contacts.h"
#include "simulation/stepping/remember.h"

namespace pawl {

using Space = PlanarSpace;

MoreauRun::MoreauRun(const PlacedMechanism& placed, const DynamicOptions& options,
                     DynamicResult& result)
    : placed_(placed),
      mechanism_(placed.mechanism),
      options_(options),
      result_(result),
      failure_(placed.mechanism, result) {
    const double h = options.integrator_step > 0 ? options.integrator_step : options.step;
    steps_per_row_ =
        std::max(1L, std::lround(std::ceil(options.step / h * (1 - tolerance::output_rounding))));
}

double MoreauRun::step_length() const {
    return options_.step / static_cast<double>(steps_per_row_);
}

bool MoreauRun::refuse() {
    Span span;
    const std::string what = unknown_to_time_stepping(mechanism_, span);
    return !what.empty() && !failure_.fail(DynamicStatus::refused,
                                           "integrator = \"moreau\" does not support " + what +
                                               "; choose another integrator",
                                           span);
}

bool MoreauRun::start() {
    result_.dynamics = Formulation::multipliers;
    result_.integrator = options_.integrator;
    if (refuse()) return false;
    MechanismEquations<Space>::Choice choice;
    choice.coordinates = options_.coordinates;
    systems_.emplace(placed_, choice, result_.dynamics, options_.make_equations,
                     options_.make_solver, options_.system_room);
    system_ = systems_->with({}, {}, {});
    if (system_ == nullptr || !begin_state()) return false;
    step_.emplace(mechanism_, *system_);
    record_.emplace(placed_, options_, *system_, result_);
    return true;
}

bool MoreauRun::begin_state() {
    auto& equations = *system_->equations;
    state_.z.assign(static_cast<std::size_t>(system_->dynamics->auxiliary_size()), 0.0);
    if (options_.start) {
        const State& start = options_.start->state;
        state_.t = t_start_ = start.t;
        state_.q = start.q;
        state_.v = start.v;
        std::copy_n(start.z.begin(), mechanism_.states.size(), state_.z.begin());
    } else {
        state_.q = equations.coordinates().from_positions(placed_.assembly.positions);
        for (std::size_t i = 0; i < mechanism_.states.size(); ++i)
            state_.z[i] = mechanism_.states[i].start;
    }
    equations.set_position(state_.q, state_.t);
    if (!equations.set_inertia()) return failure_.massless(equations);
    if (!equations.row_inertia().empty()) return failure_.held_only(equations);
    if (!options_.start) {
        double moved = 0;
        state_.v = initial_velocities(placed_, equations, state_.q, &moved);
        if (moved > tolerance::moved_by_projection * (1 + placed_.assembly.model_size))
            result_.warnings.push_back(
                "the given initial velocities do not fit the joints and drivers; they were "
                "changed by up to " +
                number_text(moved, 3) + " m/s");
    }
    if (equations.pattern().rows() > 0 && system_->dynamics->project(state_) < 0)
        return failure_.fail(DynamicStatus::left_constraints,
                             "the start does not satisfy the constraints");
    // Only what is near can overlap.
    equations.set_position(state_.q, state_.t);
    equations.coordinates().set_velocity(state_.v);
    NearContacts near(mechanism_);
    near.find(equations.coordinates(), state_.v, 0, 0);
    const auto trouble =
        overlap_at_start(mechanism_, equations.coordinates(), near.searched(), [&](int pair) {
            return start_overlap_limit(mechanism_,
                                       mechanism_.contacts[static_cast<std::size_t>(pair)],
                                       placed_.assembly.model_size);
        });
    if (trouble) return failure_.fail(DynamicStatus::overlap, trouble->message, trouble->span);
    begin_ = state_;
    return true;
}

bool MoreauRun::advance() {
    if (over_) return false;
    if (!record_) {
        if (!start()) {
            over_ = true;
            return false;
        }
        record_->sample(*step_, state_, step_length());
    }
    over_ = !(state_.t < options_.end) || !take_step();
    return !over_;
}

// Generalized impulses that are given for times inside the step, with their events.
std::vector<double> MoreauRun::impulses_between(double from, double to) {
    std::vector<double> sum;
    auto& equations = *system_->equations;
    for (const auto& force : mechanism_.forces) {
        const auto* impulse = std::get_if<GivenImpulse<Space>>(&force.kind);
        const bool first = from == t_start_ && impulse && impulse->at == from;
        if (!impulse || !((impulse->at > from || first) && impulse->at <= to)) continue;
        sum.resize(state_.v.size(), 0.0);
        equations.set_position(state_.q, state_.t);
        const auto& at = force.frames[1];
        std::vector<Space::Wrench> on_bodies(mechanism_.bodies.size());
        on_bodies[at.body].f = {impulse->x, impulse->y};
        on_bodies[at.body].m =
            impulse->turn +
            Space::cross(equations.coordinates().position(at.body).to_ground(at.local.at),
                         on_bodies[at.body].f);
        std::vector<double> generalized(state_.v.size());
        equations.inertia().pull_back(on_bodies, generalized);
        for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += generalized[c];
        Event e;
        e.t = to;
        e.kind = EventKind::impulse;
        e.element = force.name;
        e.impulse = std::hypot(impulse->x, impulse->y);
        e.facts = {Cause::acts_with_step};
        result_.events.push_back(std::move(e));
    }
    return sum;
}

bool MoreauRun::take_step() {
    // Times of rows are multiples, so that rounding does not add up.
    const auto time_of = [&](long row, long inside) {
        const double t =
            t_start_ + (static_cast<double>(row) +
                        static_cast<double>(inside) / static_cast<double>(steps_per_row_)) *
                           options_.step;
        return t > options_.end - tolerance::output_rounding * options_.step ? options_.end : t;
    };
    ++inside_;
    const double end = time_of(row_, inside_), h = end - state_.t;
    begin_ = state_;
    const std::vector<double> impulse = impulses_between(state_.t, end);
    const auto outcome = step_->advance(state_, h, impulse);
    if (outcome != MoreauStep::Outcome::stepped) return fail(outcome);
    if (!impulse.empty()) {
        // Its work would otherwise be missing in the ledger.
        double work = 0;
        for (std::size_t c = 0; c < impulse.size(); ++c)
            work += 0.5 * impulse[c] * (begin_.v[c] + state_.v[c]);
        for (std::size_t i = 0; i < mechanism_.forces.size(); ++i) {
            const auto* given = std::get_if<GivenImpulse<Space>>(&mechanism_.forces[i].kind);
            if (given && given->at <= end && (given->at > begin_.t || begin_.t == t_start_)) {
                state_.z[mechanism_.states.size() + i] += work;
                break;
            }
        }
    }
    state_.t = end;
    record_->see(*step_, begin_, state_, h);
    ++result_.statistics.steps;
    ++result_.statistics.evaluations;
    if (inside_ == steps_per_row_ || end >= options_.end) {
        inside_ = 0;
        ++row_;
        record_->sample(*step_, state_, h);
    }
    if (options_.progress) options_.progress((state_.t - t_start_) / (options_.end - t_start_));
    return true;
}

bool MoreauRun::fail(MoreauStep::Outcome outcome) {
    switch (outcome) {
        case MoreauStep::Outcome::massless:
            return failure_.massless(*system_->equations);
        case MoreauStep::Outcome::lost:
            return failure_.lost(state_.t, *system_);
        case MoreauStep::Outcome::not_finite:
            if (failure_.not_finite(state_, *system_->equations)) return false;
            break;
        case MoreauStep::Outcome::stepped:
            break;
    }
    return failure_.fail(DynamicStatus::not_finite,
                         "the velocities are not finite after t = " + number_text(state_.t, 9) +
                             " s; a shorter `run.integrator_step` may help");
}

// On the straight way from the begin of the step to its end, with the velocity of the end.
State MoreauRun::state_at(double t) {
    if (!(t < state_.t)) return state_;
    if (!(t > begin_.t)) return begin_;
    State between = state_;
    between.t = t;
    const double part = (t - begin_.t) / (state_.t - begin_.t);
    for (std::size_t c = 0; c < between.q.size(); ++c)
        between.q[c] = begin_.q[c] + part * (state_.q[c] - begin_.q[c]);
    return between;
}

bool MoreauRun::remember(Memory& memory) {
    memory.mark("time stepping 1");
    bool begun = record_.has_value();
    memory(begun);
    if (!begun) return memory.is_done();
    if (!memory.writes() && !start()) return false;
    memory(state_, begin_, t_start_, row_, inside_, over_, *step_, *record_);
    auto& s = result_.statistics;
    memory(result_.trajectory, result_.events, result_.warnings, result_.status, result_.message,
           result_.span, s.samples, s.steps, s.evaluations);
    return memory.is_done();
}

void MoreauRun::close(const WrittenAudit::ValuesAt&) {
    if (!record_) return;
    result_.last = {state_, {}};
    result_.time_stepping = step_->statistics();
    record_->close(state_, step_->statistics(), step_length());
}

}  // namespace pawl
