#include "simulation/columns/condition_watch.h"

#include <algorithm>

#include "math/excursion.h"
#include "math/tolerances.h"

namespace pawl {

ConditionWatch::ConditionWatch(const PlanarMechanism& mechanism, std::vector<Event>& events)
    : mechanism_(mechanism), events_(events) {
    for (const UserState& state : mechanism.states) states_.push_back(state.start);
}

const std::vector<char>& ConditionWatch::at(const Coordinates<PlanarSpace>& motion, double t) {
    evaluate_measures(mechanism_, motion, t, channels_);
    const ForceInputs inputs{t, channels_, states_, 0, 0};
    now_.clear();
    switches_.clear();
    for (const UserEvent& event : mechanism_.events) {
        now_.push_back(event.when.at(inputs) != 0);
        event.when.note_switches(inputs, switches_);
    }
    return now_;
}

bool ConditionWatch::is_new(const std::vector<char>& now) const {
    for (std::size_t i = 0; i < now.size(); ++i)
        if (now[i] && !hold_[i]) return true;
    return false;
}

std::optional<double> ConditionWatch::excursion_of(
    const std::array<double, 3>& times, const std::array<std::vector<double>, 3>& switches,
    const Motion& motion) {
    for (std::size_t i = 0; i < switches[1].size(); ++i) {
        const double side = switches[1][i] < 0 ? -1 : 1;
        const std::array<double, 3> values{switches[0][i] * side, switches[1][i] * side,
                                           switches[2][i] * side};
        if (!(values[0] > 0 && values[2] > 0)) continue;
        const auto value = [&](double t) {
            const auto* there = motion(t);
            if (there == nullptr) return values[1];
            at(*there, t);
            return switches_[i] * side;
        };
        const auto t = excursion(times, values, value, tolerance::time_rounding * (1 + times[2]));
        if (!t) continue;
        const auto* there = motion(*t);
        if (there != nullptr && is_new(at(*there, *t))) return t;
    }
    return std::nullopt;
}

std::optional<double> ConditionWatch::first(double low, double high, const Motion& motion) {
    constexpr int looks = 4;
    std::array<double, 3> times{};
    std::array<std::vector<double>, 3> switches;
    const auto located = [&](double from, double to) {
        const auto is_before = [&](double t) {
            const auto* between = motion(t);
            if (between == nullptr || !is_new(at(*between, t))) return true;
            next_ = now_;
            return false;
        };
        const auto is_narrow = [](double a, double b) {
            return b - a <= tolerance::time_rounding * (1 + b);
        };
        return bisect(from, to, 60, is_before, is_narrow).high;
    };
    for (int k = 0; k <= looks; ++k) {
        const double to = k == looks ? high : low + (high - low) * k / looks;
        const auto* there = motion(to);
        if (there == nullptr) return std::nullopt;
        const std::vector<char> now = at(*there, to);
        std::rotate(times.begin(), times.begin() + 1, times.end());
        std::rotate(switches.begin(), switches.begin() + 1, switches.end());
        times[2] = to;
        switches[2] = switches_;
        if (k == 0) continue;
        if (k >= 2)
            if (const auto t = excursion_of(times, switches, motion)) {
                next_ = now_;
                return located(times[0], *t);
            }
        next_ = now;
        if (is_new(now)) return located(times[1], to);
        hold_ = now;
    }
    return std::nullopt;
}

bool ConditionWatch::pass(double low, double high, const Motion& motion,
                          const std::function<void()>& sample) {
    constexpr int max_events = 1000;  // in one step
    for (int i = 0; i < max_events; ++i) {
        const auto found = first(low, high, motion);
        if (!found) return false;
        low = *found;
        if (motion(low) != nullptr && low < high) sample();
        if (report(low)) return true;
    }
    return false;
}

bool record_conditions(const PlanarMechanism& mechanism, const std::vector<char>& before,
                       const std::vector<char>& now, double t, std::vector<Event>& events) {
    bool stops = false;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (!now[i] || before[i]) continue;
        const UserEvent& event = mechanism.events[i];
        Event e;
        e.t = t;
        e.kind = EventKind::user;
        e.element = event.name;
        e.facts = {event.stop ? Cause::condition_ends_run : Cause::condition_holds};
        events.push_back(std::move(e));
        stops = stops || event.stop;
    }
    return stops;
}

bool ConditionWatch::report(double t) {
    const bool stops = record_conditions(mechanism_, hold_, next_, t, events_);
    hold_ = next_;
    return stops;
}

bool ConditionWatch::jump(const Coordinates<PlanarSpace>& now, double t) {
    next_ = at(now, t);
    return report(t);
}

std::optional<std::string> unwatched(const PlanarMechanism& mechanism, bool watches_events) {
    const bool events = !watches_events && !mechanism.events.empty();
    if (events && mechanism.couplings.empty())
        return "[event]: conditions are not watched with integrator = \"moreau\"";
    if (!mechanism.couplings.empty())
        return "[coupling]: couplings engage in dynamic runs only; here they are open";
    return std::nullopt;
}

}  // namespace pawl
