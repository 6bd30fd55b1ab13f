#include "simulation/stepping/switch_watch.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/columns/condition_watch.h"
#include "simulation/kinematic/driver_jumps.h"
#include "simulation/stepping/switch_search.h"

namespace pawl {

namespace {

// A little later, along the velocities.
State along(const State& state, double h) {
    State later = state;
    later.t += h;
    for (std::size_t c = 0; c < later.q.size(); ++c) later.q[c] += h * state.v[c];
    return later;
}

}  // namespace

const std::vector<double>& SwitchWatch::values(Mechanics& equations, const State& state,
                                               const signed char* sides) {
    equations.set_position(state.q, state.t);
    equations.coordinates().set_velocity(state.v);
    return switches_.evaluate(equations.coordinates(), state.t,
                              std::span(state.z).first(mechanism_.states.size()), sides);
}

// The switches a little later, along the velocities; with the velocities of as much before, where
// they are known, these go on as they did.
std::vector<double> SwitchWatch::ahead(Mechanics& equations, const State& state, double h,
                                       std::span<const double> before) {
    State later = along(state, h);
    for (std::size_t c = 0; c < before.size(); ++c) later.v[c] += state.v[c] - before[c];
    return values(equations, later);
}

namespace {

// Its own, or else that which it moves to.
signed char side_of(double now, double later) {
    const double value = std::abs(now) > tolerance::on_switch ? now : later;
    if (!(std::abs(value) > tolerance::on_switch)) return 0;
    return static_cast<signed char>(value < 0 ? -1 : 1);
}

}  // namespace

void SwitchWatch::begin(Mechanics& equations, const State& state) {
    if (switches_.empty() && mechanism_.couplings.empty()) return;
    const std::vector<double> now = values(equations, state);
    const auto later = ahead(equations, state, tolerance::look_ahead);
    sides_.resize(now.size());
    for (std::size_t i = 0; i < sides_.size(); ++i) sides_[i] = side_of(now[i], later[i]);
    just_passed_.assign(sides_.size(), 0);
    look_at_conditions(equations, state, 0);
    conditions_ = switches_.conditions();
    engaged_ = switches_.engaged();
}

// Conditions stay as they are at zero.
void SwitchWatch::follow(Mechanics& equations, const State& state) {
    if (sides_.empty()) return;
    const std::vector<double> now = values(equations, state);
    const auto later = ahead(equations, state, tolerance::look_ahead);
    for (std::size_t i = 0; i < sides_.size() && !switches_.is_of_event(i); ++i)
        if (const signed char side = side_of(now[i], later[i]); side == 0 || sides_[i] == 0)
            sides_[i] = side;
}

// Of positions (in parts of the size), velocities and the time: a switch on the speed of what
// sticks stands at zero, and its sign is rounding.
double SwitchWatch::rounding(std::size_t which, Mechanics& equations, const State& state,
                             double touching, double still) {
    const State at = state;
    const double value = values(equations, at)[which];
    double unknown = 0;
    State moved = at;
    const auto add = [&] { unknown += std::abs(values(equations, moved)[which] - value); };
    moved.t += tolerance::time_rounding * (1 + at.t);
    add();
    moved.t = at.t;
    for (std::size_t c = 0; c < at.q.size(); ++c) {
        const double scale = equations.column_scale()[c];
        moved.q[c] += touching * equations.model_size() / scale;
        add();
        moved.q[c] = at.q[c];
        moved.v[c] += still / scale;
        add();
        moved.v[c] = at.v[c];
    }
    return unknown;
}

std::optional<SwitchWatch::Crossing> SwitchWatch::first(Mechanics& equations, Stepping& stepping,
                                                        double still) {
    if (switches_.empty()) return std::nullopt;
    const double begin = stepping.begin(), end = stepping.t();
    if (begin != last_) std::fill(just_passed_.begin(), just_passed_.end(), 0);
    const double middle = 0.5 * (begin + end);
    SwitchSearch search(
        sides_, just_passed_,
        [&](double t) -> const std::vector<double>& { return values(equations, stepping.at(t)); },
        [&](std::size_t which, bool inside) {
            // The dense output of implicit steps is of a lower order than the steps.
            const double error =
                (stepping.integrator() == Integrator::stiff ? 1e3 : 1.0) * stepping.rtol();
            const double touching =
                inside ? std::max(tolerance::touching, error) : tolerance::touching;
            return rounding(which, equations, stepping.at(middle), touching, still);
        });
    const auto found = search.first(begin, end);
    if (!found) return std::nullopt;
    return Crossing{found->which, found->t, found->side};
}

void SwitchWatch::change(std::size_t which, signed char side, double t) {
    const bool is_new = sides_[which] != 0 && side != 0;
    sides_[which] = side;
    just_passed_[which] = 1;
    if (switches_.is_of_event(which) || !is_new) return;
    // Once for an element, however many of its branches change at that time.
    if (!events_.empty() && events_.back().kind == EventKind::time && events_.back().t == t &&
        events_.back().element == switches_.name(which))
        return;
    Event e;
    e.t = t;
    e.kind = EventKind::time;
    e.element = switches_.name(which);
    e.facts = {Cause::branch_changes};
    events_.push_back(std::move(e));
}

bool SwitchWatch::pass(const Crossing& crossing, Mechanics& equations, const State& state,
                       Stepping& stepping, DynamicFailure& failure) {
    const std::size_t which = crossing.which;
    const double near = tolerance::near_time * (1 + state.t);
    burst_count_ = state.t - last_ < near ? burst_count_ + 1 : 0;
    if (state.t != last_) std::fill(just_passed_.begin(), just_passed_.end(), 0);
    last_ = state.t;
    if (burst_count_ > 100)
        return failure.fail(
            DynamicStatus::step_too_small,
            "'" + switches_.name(which) + "' keeps switching, the run cannot advance: t = " +
                number_text(state.t, 9) + " s; smooth its expression (tanh instead of sign)");
    if (const int d = switches_.driver(which); d >= 0)
        if (const auto jump =
                driver_jump_at(mechanism_.drivers[static_cast<std::size_t>(d)], state.t))
            return failure.fail(DynamicStatus::driver_jump, jump->message, jump->span);
    change(which, crossing.side, state.t);
    // Others may change sides at the same time.
    const double earlier = state.t - near;
    const bool has_past = stepping.end() == state.t && stepping.begin() <= earlier;
    const std::vector<double> before = has_past ? stepping.at(earlier).v : std::vector<double>();
    const std::vector<double> now = values(equations, state);
    const auto later = ahead(equations, state, near, before);
    for (std::size_t i = 0; i < later.size(); ++i) {
        if (i == which) continue;
        const signed char side = side_of(later[i], later[i]);
        const bool rests = side_of(now[i], later[i]) == 0 && !switches_.is_of_event(i);
        if (rests ? sides_[i] != 0 : side != 0 && side != sides_[i])
            change(i, rests ? static_cast<signed char>(0) : side, state.t);
    }
    look_at_conditions(equations, state, near);
    report_conditions(state.t);
    return true;
}

// On the sides, a little later.
void SwitchWatch::look_at_conditions(Mechanics& equations, const State& state, double h) {
    values(equations, along(state, h), sides_.data());
}

void SwitchWatch::report_conditions(double t) {
    const std::vector<char>& now = switches_.conditions();
    if (record_conditions(mechanism_, conditions_, now, t, events_)) stopped_ = true;
    conditions_ = now;
    engaged_ = switches_.engaged();
}

}  // namespace pawl
