// What ends the flow in the event cycle: the first zero of the switching functions inside a step.
#include <algorithm>
#include <cmath>
#include <functional>

#include "math/seeded_fault.h"
#include "simulation/contact_cycle.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Point = ContactPoint<Space>;

// What holds a contact that is released, or presses again, begins at zero and may be back there
// soon: over the time since it began it has no zero at that time.
double hold_since(const Point& point, double t) {
    if (!point.has_let_go) return point.compliant_hold();
    const double since = t - point.began;
    return since > 1e-14 * (1 + std::abs(t)) ? point.compliant_hold() / since : 1;
}

}  // namespace

void ContactCycle::find_normal_forces(const State& state, std::vector<double>& forces, bool holds) {
    auto& equations = *system_->equations;
    const bool rigid = std::any_of(closed_.begin(), closed_.end(),
                                   [](const Point& point) { return !point.compliant; });
    forces.assign(closed_.size(), NAN);
    if (rigid || !friction_.empty()) {
        forces_at(state);
    } else {
        equations.set_motion(state.q, state.v, state.t);
        forces_.solved = false;  // not asked for
    }
    const std::vector<double>& lambda = forces_.lambda;
    if (rigid && lambda.empty()) return;
    for (std::size_t i = 0; i < closed_.size(); ++i) {
        const std::size_t contact = permanent_.size() + i;
        const Point& point = equations.contacts()[contact];
        if (!point.compliant)
            forces[i] = lambda[equations.contact_row(contact)];
        else if (holds)
            forces[i] = hold_since(point, state.t);
        else
            forces[i] = point.released ? 0.0 : point.compliant_force();
    }
}

double ContactCycle::force_of(std::size_t closed, const State& state) {
    find_normal_forces(state, normal_forces_, false);
    return normal_forces_[closed];
}

const std::vector<double>& ContactCycle::guards_at(const State& state) {
    find_normal_forces(state, guards_, true);
    add_friction_guards(state, guards_);
    return guards_;
}

void ContactCycle::sample_guards(std::size_t k, const State& state) {
    samples_[k] = guards_at(state);
    if (k == 0)
        for (double& guard : samples_[k]) guard = std::max(0.0, guard);
    sampled_[k] = true;
    // The stepper asks for the rates at both ends of its step.
    if ((k == 0 || state.t == step_end_) && forces_.solved)
        system_->dynamics->remember_rates(state);
}

bool ContactCycle::begin_step(const State& state) {
    begun_at_ = NAN;
    if (shared_) start_sharing(state);
    if (!is_guarded()) return false;
    arm_friction(state);
    sample_guards(0, state);
    ends_.begin(*system_->equations);
    begun_at_ = state.t;
    return forces_.solved;
}

// The first guard that vanishes: all of them at both ends and in the middle, then each by itself.
std::optional<ContactOccurrence> ContactCycle::first_to_give_way(double t_low, double t_high,
                                                                 const StateAt& state_at) {
    std::optional<ContactOccurrence> first;
    const std::size_t contacts = closed_.size(), all = contacts + friction_.size();
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
            return seen_.emplace_back(t, guards_at(state_at(t))[i]).second;
        };
        // The time of a force is corrected next, at the projected state; that of friction, which
        // may change its law at its zero, stands.
        const double fine = i < contacts ? 1e-8 : 1e-13;
        const auto t = first_zero(t_low, end, of_this, std::ref(guard), fine);
        if (!t) continue;
        const double rate = falling_rate(seen_, *t, 1e-6 * (end - t_low));
        end = *t;
        sampled_[1] = sampled_[2] = false;
        first = ContactOccurrence{};
        first->t = *t;
        if (i < contacts) {
            first->kind = ContactOccurrence::Kind::lets_go;
            first->point = closed_[i];
            first->index = i;
        } else {
            first->index = i - contacts;
            first->kind = friction_[first->index].direction != 0
                              ? ContactOccurrence::Kind::slip_ends
                              : ContactOccurrence::Kind::slip_begins;
        }
        first->rate = rate;
    }
    return first;
}

std::optional<ContactOccurrence> ContactCycle::first(double t_low, double t_high,
                                                     const StateAt& state_at, const PathOf& path) {
    std::optional<ContactOccurrence> first;
    auto& equations = *system_->equations;
    double end = t_high;
    const std::size_t permanent = permanent_.size();
    const bool begun = begun_at_ == t_low;
    step_end_ = t_high;
    if (!begun) arm_friction(state_at(t_low));
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
    if (const auto change = first_to_give_way(t_low, end, state_at)) {
        first = change;
        end = change->t;
    }
    if (!watch_.empty()) {
        // Where the closed contacts are at the low end, to tell them from the open places.
        const auto set = [&](double t) -> Coordinates<Space>& {
            const State& state = state_at(t);
            if (closed_.empty())
                equations.coordinates().set_position(state.q);
            else
                equations.set_position(state.q, t);
            for (std::size_t i = 0; i < closed_.size(); ++i)
                closed_[i] = equations.contacts()[permanent + i];
            return equations.coordinates();
        };
        if (const auto hit = watch_.first_hit(t_low, end, closed_, {std::ref(set), path});
            hit && !seeded(Fault::interval_passed)) {
            first = ContactOccurrence{};
            first->kind = ContactOccurrence::Kind::meets;
            first->t = hit->t;
            first->point = hit->point;
        }
    }
    return first;
}

std::pair<double, double> ContactCycle::guard(const ContactOccurrence& o, const State& state) {
    auto& equations = *system_->equations;
    if (o.kind == ContactOccurrence::Kind::lets_go) return {guards_at(state)[o.index], o.rate};
    if (o.of_friction()) return {guards_at(state)[closed_.size() + o.index], o.rate};
    equations.set_motion(state.q, state.v, state.t);
    if (o.kind == ContactOccurrence::Kind::passes_end) {
        const Point& point = equations.contacts()[o.passed.contact];
        const double u = point.touch.u[o.passed.side], rate = point.rates.u[o.passed.side];
        return o.passed.direction < 0 ? std::pair{u + o.passed.beyond, rate}
                                      : std::pair{1 - u + o.passed.beyond, -rate};
    }
    const Point place = watch_.place(equations.coordinates(), o.point, state.v);
    return {place.touch.gap - (seeded(Fault::event_early) ? 1e-5 : 0.0), place.rates.closing};
}

}  // namespace pawl
