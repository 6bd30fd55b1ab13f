#include "simulation/stepping/switch_watch.h"

#include <algorithm>
#include <cmath>

#include "math/excursion.h"
#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/columns/condition_watch.h"

namespace pawl {

const std::vector<double>& SwitchWatch::values(Mechanics& equations, const State& state) {
    equations.set_position(state.q, state.t);
    equations.coordinates().set_velocity(state.v);
    return switches_.evaluate(equations.coordinates(), state.t,
                              std::span(state.z).first(mechanism_.states.size()));
}

// The switches a little later, along the velocities; with the velocities of as much before, where
// they are known, these go on as they did.
std::vector<double> SwitchWatch::ahead(Mechanics& equations, const State& state, double h,
                                       std::span<const double> before) {
    State later = state;
    later.t += h;
    for (std::size_t c = 0; c < later.q.size(); ++c) later.q[c] += h * state.v[c];
    for (std::size_t c = 0; c < before.size(); ++c) later.v[c] += state.v[c] - before[c];
    return values(equations, later);
}

void SwitchWatch::begin(Mechanics& equations, const State& state) {
    if (switches_.empty() && mechanism_.couplings.empty()) return;
    sides_ = values(equations, state);
    // A switch that starts at zero takes the side it moves to.
    const auto later = ahead(equations, state, tolerance::look_ahead);
    for (std::size_t i = 0; i < sides_.size(); ++i)
        sides_[i] =
            (std::abs(sides_[i]) > tolerance::on_switch ? sides_[i] : later[i]) < 0 ? -1 : 1;
    conditions_ = switches_.conditions();  // of a little later
    engaged_ = switches_.engaged();
}

// Beyond what positions and velocities are known to: a switch on the speed of what sticks stands at
// zero, and its sign is rounding.
bool SwitchWatch::is_passed(std::size_t which, double value, Mechanics& equations,
                            const State& state, double open, double still) {
    if (!(value * sides_[which] < 0)) return false;
    const State at = state;
    double unknown = 0;
    for (std::size_t c = 0; c < at.q.size() && unknown < std::abs(value); ++c) {
        const double scale = equations.column_scale()[c];
        State moved = at;
        moved.q[c] += open * equations.model_size() / scale;
        unknown += std::abs(values(equations, moved)[which] - value);
        moved.q[c] = at.q[c];
        moved.v[c] += still / scale;
        unknown += std::abs(values(equations, moved)[which] - value);
    }
    return unknown < std::abs(value);
}

// Looks at thirds of the step, so that two crossings are not missed, and between them where a
// switch may pass zero and come back.
std::optional<SwitchWatch::Crossing> SwitchWatch::first(Mechanics& equations, Stepping& stepping,
                                                        double still) {
    constexpr std::size_t parts = 3;
    std::optional<Crossing> found;
    if (switches_.empty()) return found;
    const double begin = stepping.begin(), end = stepping.t();
    std::array<double, parts + 1> times;
    std::array<std::vector<double>, parts + 1> at;
    for (std::size_t k = 0; k <= parts; ++k) {
        times[k] = k == parts ? end : begin + (end - begin) * static_cast<double>(k) / parts;
        at[k] = values(equations, stepping.at(times[k]));
    }
    // Less than the integration knows: it grazes, and whether it passes is left open.
    const double size = equations.model_size(),
                 grazing = std::max(tolerance::touching, 10 * stepping.atol()),
                 graze_speed = std::max(still, grazing * std::sqrt(9.81 * size));
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        const auto is_beyond = [&](double t, double open, double slow) {
            const State& state = stepping.at(t);
            return is_passed(i, values(equations, state)[i], equations, state, open, slow);
        };
        // The first look behind it, and the last before it.
        std::size_t k = 1;
        while (k <= parts &&
               !(at[k][i] * sides_[i] < 0 && is_beyond(times[k], tolerance::touching, still)))
            ++k;
        std::optional<double> high;
        double low = times[k - 1];
        if (k <= parts) high = times[k];
        for (std::size_t m = 2; m < std::min(k + 1, parts + 1); ++m) {
            const auto t = excursion(
                {times[m - 2], times[m - 1], times[m]},
                {at[m - 2][i] * sides_[i], at[m - 1][i] * sides_[i], at[m][i] * sides_[i]},
                [&](double look) { return values(equations, stepping.at(look))[i] * sides_[i]; },
                tolerance::time_rounding * (1 + end));
            if (!t || !is_beyond(*t, grazing, graze_speed)) continue;
            low = times[m - 2];
            high = *t;
            break;
        }
        if (!high) continue;
        const auto is_before = [&](double t) {
            return !(values(equations, stepping.at(t))[i] * sides_[i] < 0);
        };
        const auto is_narrow = [](double a, double b) {
            return b - a <= tolerance::time_rounding * (1 + b);
        };
        const double t = bisect(low, *high, 60, is_before, is_narrow).high;
        if (!found || t < found->t) found = Crossing{i, t};
    }
    return found;
}

void SwitchWatch::change(std::size_t which, double t) {
    sides_[which] = -sides_[which];
    if (switches_.is_of_event(which)) return;
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

bool SwitchWatch::pass(std::size_t which, Mechanics& equations, const State& state,
                       Stepping& stepping, DynamicFailure& failure) {
    burst_count_ = state.t - last_ < tolerance::near_time * (1 + state.t) ? burst_count_ + 1 : 0;
    last_ = state.t;
    if (burst_count_ > 100)
        return failure.fail(
            DynamicStatus::step_too_small,
            "'" + switches_.name(which) + "' keeps switching, the run cannot advance: t = " +
                number_text(state.t, 9) + " s; smooth its expression (tanh instead of sign)");
    const double near = tolerance::near_time * (1 + state.t);
    if (const int d = switches_.driver(which); d >= 0) {
        const auto& driver = mechanism_.drivers[static_cast<std::size_t>(d)];
        const auto jet_before = driver.at(state.t - near), jet_after = driver.at(state.t + near);
        const double before = jet_before.rate, after = jet_after.rate;
        const double way = jet_after.value - jet_before.value;
        if (std::abs(way) > tolerance::driver_jump * (1 + std::abs(jet_before.value)) +
                                2 * near * std::max(std::abs(before), std::abs(after)))
            return failure.fail(
                DynamicStatus::driver_jump,
                "driver '" + driver.name + "' jumps from " + number_text(jet_before.value) +
                    " to " + number_text(jet_after.value) + " at t = " + number_text(state.t) +
                    " s; make its law continuous",
                driver.span);
        if (std::abs(after - before) > tolerance::driver_jump * (1 + std::abs(before)))
            return failure.fail(DynamicStatus::driver_jump,
                                "the velocity of driver '" + driver.name + "' jumps from " +
                                    number_text(before) + " to " + number_text(after) +
                                    " at t = " + number_text(state.t) + " s; make its law smooth",
                                driver.span);
    }
    change(which, state.t);
    // Others may change sides at the same time.
    const double earlier = state.t - near;
    const bool has_past = stepping.end() == state.t && stepping.begin() <= earlier;
    const std::vector<double> before = has_past ? stepping.at(earlier).v : std::vector<double>();
    const auto later = ahead(equations, state, near, before);
    for (std::size_t i = 0; i < later.size(); ++i)
        if (later[i] * sides_[i] < 0) change(i, state.t);
    report_conditions(state.t);
    return true;
}

// After the switches were evaluated a little later.
void SwitchWatch::report_conditions(double t) {
    const std::vector<char>& now = switches_.conditions();
    if (record_conditions(mechanism_, conditions_, now, t, events_)) stopped_ = true;
    conditions_ = now;
    engaged_ = switches_.engaged();
}

}  // namespace pawl
