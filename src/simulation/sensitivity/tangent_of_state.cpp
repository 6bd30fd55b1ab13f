// The derivative of a run by a shift of the state at its start: the tangent of its flow.
#include <algorithm>

#include "simulation/sensitivity/tangent_run.h"

namespace pawl {

namespace {

using Kind = RunCourse::Kind;

// The place of an entry, without its events.
RunCourse::Entry place_of(RunCourse::Entry entry) {
    entry.kind = Kind::step;
    entry.first_event = entry.end_event = 0;
    return entry;
}

}  // namespace

// A run that goes on from a state finds the mode of that state again. Neighbours are in the same
// mode: a slip next to a place that sticks ends at once, with an impulse that the friction bears,
// and so does a motion against what is engaged. Where more happens at the start, neighbours pass
// it.
std::size_t TangentRun::first_that_changes() const {
    const auto& entries = course_.entries;
    std::size_t last = 0;
    for (std::size_t i = 1; i < entries.size() && entries[i].kind != Kind::step; ++i) {
        const Entry& e = entries[i];
        const bool finds_mode =
            (e.kind == Kind::transition || e.kind == Kind::engages) && !e.by_window &&
            e.after.q == e.before.q && e.after.v == e.before.v &&
            std::all_of(course_.events.begin() + static_cast<std::ptrdiff_t>(e.first_event),
                        course_.events.begin() + static_cast<std::ptrdiff_t>(e.end_event),
                        [](const Event& event) {
                            return event.kind == EventKind::stick ||
                                   event.kind == EventKind::slip ||
                                   event.kind == EventKind::slip_reversal;
                        });
        if (!finds_mode) break;
        last = i;
    }
    return last;
}

bool TangentRun::begin_from(std::size_t entry, const State& shift) {
    of_state_ = true;
    const Entry first = place_of(course_.entries[entry]);
    if (neighbours_.terms(0).empty()) {
        why_ = neighbours_.problem();
        return miss(entry);
    }
    Numbers along{shift.t};
    for (const auto* part : {&shift.q, &shift.v, &shift.z})
        along.insert(along.end(), part->begin(), part->end());
    Mode mode = *first.mode;
    along.resize(1 + first.after.q.size() + first.after.v.size() + first.after.z.size() +
                 continuous_numbers(mode).size());
    Derived derived;
    if (!derive(
            [&](Shadow& shadow, double part, ShadowPoint& point) {
                point = moved(first, along, part);
                shadow.look(point, first);
                return shadow.settle(point, first) &&
                       shadow.flow(point, first.after.t - point.state.t);
            },
            first, derived))
        return miss(entry);
    along_ = std::move(derived.numbers);
    largest_ = std::max(norm(along_), largest_);
    return true;
}

State TangentRun::state_along() const {
    State out = course_.entries.front().after;
    auto next = along_.begin();
    out.t = *next++;
    for (auto* part : {&out.q, &out.v, &out.z})
        for (double& x : *part) x = *next++;
    return out;
}

std::optional<State> TangentRun::rates_at_start() {
    if (course_.entries.empty()) return std::nullopt;
    const Entry first = place_of(course_.entries[first_that_changes()]);
    Shadow* itself = neighbours_.at({});
    if (itself == nullptr) return std::nullopt;
    const ShadowPoint point{first.after, *first.mode, {}, {}, {}};
    itself->look(point, first);
    State rates = first.after;
    if (!itself->rates(point.state, rates)) return std::nullopt;
    return rates;
}

std::optional<TangentRun::OfState> TangentRun::run_from(const State& shift) {
    if (course_.entries.empty() || !course_.problem.empty()) {
        why_ = course_.problem.empty() ? "time steps are not differentiated" : course_.problem;
        missing_ = MissingDerivative{shift.t, "the run", why_};
        return std::nullopt;
    }
    const std::size_t first = first_that_changes(), last = course_.entries.size() - 1;
    if (!begin_from(0, shift)) return std::nullopt;
    OfState out{state_along(), {}};
    if (first > 0 && !begin_from(first, out.at_start)) return std::nullopt;
    for (std::size_t i = first + 1; i <= last; ++i)
        if (!pass(i)) return std::nullopt;
    // Events have moved the time; back to that of the run.
    const Entry end = place_of(course_.entries[last]);
    Derived derived;
    if (!derive(
            [&](Shadow& shadow, double part, ShadowPoint& point) {
                point = moved(end, along_, part);
                shadow.look(point, end);
                return shadow.flow(point, end.after.t - point.state.t);
            },
            end, derived)) {
        miss(last);
        return std::nullopt;
    }
    take(std::move(derived), end);
    out.at_end = state_along();
    return out;
}

}  // namespace pawl
