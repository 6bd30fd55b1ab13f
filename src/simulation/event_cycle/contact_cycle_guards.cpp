// What ends the flow in the event cycle: the first zero of the switching functions inside a step.
#include <cmath>
#include <functional>

#include "math/seeded_fault.h"
#include "math/tolerances/geometry.h"
#include "math/tolerances/motion.h"
#include "simulation/event_cycle/contact_cycle.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Point = ContactPoint<Space>;

}  // namespace

// Friction points whose slip is faster than rounding.
void ContactCycle::note_fast_friction(const State& state) {
    if (mode_.friction.empty()) return;
    system_->equations->set_position(state.q, state.t);
    for (std::size_t k = 0; k < mode_.friction.size(); ++k) {
        FrictionMode& friction = mode_.friction[k];
        if (friction.direction * system_->equations->slip(static_cast<int>(k), state.v) >
            forces_.slowest(k))
            friction.fast = true;
    }
}

void ContactCycle::sample_guards(std::size_t k, const State& state) {
    samples_[k] = forces_.guards(state);
    if (k == 0)
        for (std::size_t i = 0; i < guards_of_mode(); ++i)
            samples_[k][i] = std::max(0.0, samples_[k][i]);
    sampled_[k] = true;
    // The stepper asks for the rates at both ends of its step.
    if ((k == 0 || state.t == step_end_) && forces_.last().solved)
        system_->dynamics->remember_rates(state);
}

bool ContactCycle::begin_step(const State& state) {
    begun_at_ = NAN;
    note_fast_friction(state);  // how forces are shared depends on what has only begun to slide
    if (mode_.shared) forces_.start_sharing(state);
    if (!is_guarded()) return false;
    sample_guards(0, state);
    ends_.begin(*system_->equations);
    begun_at_ = state.t;
    return forces_.last().solved;
}

const std::vector<double>& ContactCycle::guards_at(double t, const StateAt& state_at) {
    for (const auto& [at, guards] : looks_)
        if (at == t) return guards;
    return looks_.emplace_back(t, forces_.guards(state_at(t))).second;
}

// The first guard that vanishes: all of them at both ends and in the middle, then each by itself.
std::optional<ContactOccurrence> ContactCycle::first_to_yield(double t_low, double t_high,
                                                              const StateAt& state_at) {
    std::optional<ContactOccurrence> first;
    const std::size_t contacts = mode_.closed.size(), all = guards_of_mode();
    double end = t_high;
    for (std::size_t i = 0; i < all; ++i) {
        for (const std::size_t k : {0, 2, 1})
            if (!sampled_[k])
                sample_guards(k, state_at(k == 0   ? t_low
                                          : k == 1 ? t_low + 0.5 * (end - t_low)
                                                   : end));
        const double of_this[] = {samples_[0][i], samples_[1][i], samples_[2][i]};
        seen_.assign(
            {{t_low, of_this[0]}, {t_low + 0.5 * (end - t_low), of_this[1]}, {end, of_this[2]}});
        const auto guard = [&](double t) {
            return seen_.emplace_back(t, guards_at(t, state_at)[i]).second;
        };
        // The time of a force is corrected next, at the projected state; that of friction, which
        // may change its law at its zero, stands.
        const double fine = i < contacts ? tolerance::contact_guard : tolerance::guard_time;
        const auto t = first_zero(t_low, end, of_this, std::ref(guard), fine);
        if (!t) continue;
        const double rate = falling_rate(seen_, *t, tolerance::falling_guard * (end - t_low));
        end = *t;
        sampled_[1] = sampled_[2] = false;
        first = ContactOccurrence{};
        first->t = *t;
        if (i < contacts) {
            first->kind = ContactOccurrence::Kind::separates;
            first->point = mode_.closed[i];
            first->index = i;
        } else {
            first->index = i - contacts;
            first->kind = mode_.friction[first->index].direction != 0
                              ? ContactOccurrence::Kind::slip_ends
                              : ContactOccurrence::Kind::slip_begins;
        }
        first->rate = rate;
    }
    return first;
}

// Where a load passes zero between two looks. One that begins at zero has just been passed, and a
// dip that comes back between two looks is below what the error of the step sees.
std::optional<ContactOccurrence> ContactCycle::first_load_to_turn(double t_low, double t_high,
                                                                  const StateAt& state_at) {
    std::optional<ContactOccurrence> first;
    const std::size_t before = guards_of_mode();
    const double times[] = {t_low, t_low + 0.5 * (t_high - t_low), t_high};
    for (const std::size_t k : {0, 2, 1}) {
        if (!sampled_[k]) sample_guards(k, state_at(times[k]));
        if (samples_[0].size() == before) return first;  // no load may turn
    }
    double end = t_high;
    for (std::size_t i = before; i < samples_[0].size(); ++i) {
        const double loads[] = {samples_[0][i], samples_[1][i], samples_[2][i]};
        const double largest = std::max(std::abs(loads[1]), std::abs(loads[2]));
        const bool begins = std::abs(loads[0]) > tolerance::turned_load * largest;
        for (std::size_t k = begins ? 0 : 1; k < 2; ++k) {
            if (!(loads[k] * loads[k + 1] < 0)) continue;
            const double side = loads[k] < 0 ? -1 : 1;
            const double ends[] = {side * loads[k], side * loads[k + 1]};
            const auto t = first_zero(times[k], times[k + 1], ends,
                                      [&](double at) { return side * guards_at(at, state_at)[i]; });
            if (!t || !(*t < end)) break;
            first = ContactOccurrence{};
            first->kind = ContactOccurrence::Kind::load_turns;
            first->t = end = *t;
            first->index = i - before;
            first->rate = (loads[k + 1] - loads[k]) / (times[k + 1] - times[k]);
            break;
        }
    }
    if (first) sampled_[1] = sampled_[2] = false;
    return first;
}

std::optional<ContactOccurrence> ContactCycle::first(double t_low, double t_high,
                                                     const StateAt& state_at, const PathOf& path) {
    std::optional<ContactOccurrence> first;
    auto& equations = *system_->equations;
    double end = t_high;
    const bool begun = begun_at_ == t_low;
    step_end_ = t_high;
    looks_.clear();
    if (!begun) note_fast_friction(state_at(t_low));
    sampled_ = {begun, false, false};
    const double middle = t_low + 0.5 * (t_high - t_low);
    const bool guarded = is_guarded();
    const auto set_position = [&](double t) {
        const State& state = state_at(t);
        // Forces are asked for at these times too, and their equations are at the position.
        const std::size_t k = t == t_low ? 0 : t == middle ? 1 : t == t_high ? 2 : 3;
        if (guarded && k < sampled_.size() && !sampled_[k])
            sample_guards(k, state);
        else
            equations.set_position(state.q, t);
    };
    if (const auto passed = ends_.first(equations, t_low, end, std::ref(set_position), begun)) {
        end = passed->t;
        sampled_[1] = sampled_[2] = false;
        first = ContactOccurrence{};
        first->kind = ContactOccurrence::Kind::passes_end;
        first->t = end;
        first->passed = *passed;
        first->point = equations.contacts()[passed->contact];
    }
    if (const auto change = first_to_yield(t_low, end, state_at)) {
        first = change;
        end = change->t;
    }
    if (guarded)
        if (const auto turn = first_load_to_turn(t_low, end, state_at)) {
            first = turn;
            end = turn->t;
        }
    auto meeting = first_to_meet(t_low, end, state_at, path);
    if (!meeting) return first;
    // A guard that is below zero there and not at the end of the step has vanished before.
    sampled_[1] = sampled_[2] = false;
    const auto before = first_to_yield(t_low, meeting->t, state_at);
    return before && before->t < meeting->t ? before : meeting;
}

std::optional<ContactOccurrence> ContactCycle::first_to_meet(double t_low, double t_high,
                                                             const StateAt& state_at,
                                                             const PathOf& path) {
    if (world_.watch.empty()) return std::nullopt;
    auto& equations = *system_->equations;
    const std::size_t permanent = mode_.permanent.size();
    // Where the closed contacts are at the low end, to distinguish them from open ones.
    const auto set = [&](double t) -> Coordinates<Space>& {
        const State& state = state_at(t);
        if (mode_.closed.empty())
            equations.coordinates().set_position(state.q);
        else
            equations.set_position(state.q, t);
        for (std::size_t i = 0; i < mode_.closed.size(); ++i)
            mode_.closed[i] = equations.contacts()[permanent + i];
        return equations.coordinates();
    };
    const auto hit = world_.watch.first_hit(t_low, t_high, mode_.closed, {std::ref(set), path});
    if (!hit || seeded(Fault::interval_passed)) return std::nullopt;
    ContactOccurrence meets;
    meets.t = hit->t;
    meets.point = hit->point;
    return meets;
}

std::pair<double, double> ContactCycle::guard(const ContactOccurrence& o, const State& state) {
    auto& equations = *system_->equations;
    if (o.kind == ContactOccurrence::Kind::separates)
        return {forces_.guards(state)[o.index], o.rate};
    if (o.kind == ContactOccurrence::Kind::load_turns)
        return {forces_.guards(state)[guards_of_mode() + o.index], o.rate};
    if (o.of_friction()) return {forces_.guards(state)[mode_.closed.size() + o.index], o.rate};
    equations.set_motion(state.q, state.v, state.t);
    if (o.kind == ContactOccurrence::Kind::passes_end) {
        const Point& point = equations.contacts()[o.passed.contact];
        const double u = point.touch.u[o.passed.side], rate = point.rates.u[o.passed.side];
        return o.passed.direction < 0 ? std::pair{u + o.passed.beyond, rate}
                                      : std::pair{1 - u + o.passed.beyond, -rate};
    }
    const Point located = world_.watch.locate(equations.coordinates(), o.point, state.v);
    return {located.touch.gap - (seeded(Fault::event_early) ? 1e-5 : 0.0), located.rates.closing};
}

}  // namespace pawl
