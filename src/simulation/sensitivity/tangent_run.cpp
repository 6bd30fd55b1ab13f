#include "simulation/sensitivity/tangent_run.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "results/event_columns.h"
#include "results/event_text.h"

namespace pawl {

namespace {

using Kind = RunCourse::Kind;
using Term = Neighbours::Term;

// Of the differences of one step: what is left of them after extrapolation is about its square.
constexpr double allowed_spread = tolerance::allowed_spread;
// Second differences above this part are a kink, unless they fall with the distance.
constexpr double allowed_kink = 0.03;
// Rounding of a step, relative to the scales of the state.
constexpr double rounding = tolerance::tangent_rounding;

std::vector<double> numbers_of(const State& state, Mode mode) {
    std::vector<double> out{state.t};
    for (const auto* part : {&state.q, &state.v, &state.z})
        out.insert(out.end(), part->begin(), part->end());
    for (const double* number : continuous_numbers(mode)) out.push_back(*number);
    return out;
}

std::map<std::string, double> numbers_of(const Event& e) {
    std::map<std::string, double> out{{"t", e.t},
                                      {"impulse", e.impulse},
                                      {"energy_change", e.energy_change},
                                      {"normal_velocity_before", e.normal_velocity_before},
                                      {"normal_velocity_after", e.normal_velocity_after}};
    for (const Column& column : event_columns({e}))
        if (const auto value = event_number(e, column.name)) out[column.name] = *value;
    return out;
}

bool ends_by_guard(const ContactOccurrence& o) {
    using Of = ContactOccurrence::Kind;
    return o.kind == Of::meets || o.kind == Of::passes_end || o.kind == Of::separates ||
           o.kind == Of::load_turns || o.of_friction();
}

}  // namespace

void TangentRun::run() {
    if (!begin()) return;
    for (std::size_t i = 1; i < course_.entries.size(); ++i) {
        if (!pass(i)) return;
        const Kind kind = course_.entries[i].kind;
        if (kind != Kind::step &&
            (i + 1 == course_.entries.size() || course_.entries[i + 1].kind == Kind::step) &&
            reference_.at == nullptr)
            reference_ = {&course_.entries[i], along_};
        sample_after(i);
    }
}

bool TangentRun::pass(std::size_t entry) {
    const bool steps = course_.entries[entry].kind == Kind::step;
    return (steps ? pass_step(entry) : pass_event(entry) || pass_tie(entry)) || miss(entry);
}

bool TangentRun::begin() {
    if (course_.entries.empty() || !course_.problem.empty()) {
        missing_ = MissingDerivative{0, "the run", course_.problem};
        return false;
    }
    const Entry& first = course_.entries.front();
    if (neighbours_.terms(0).empty()) {
        missing_ = MissingDerivative{0, "the model", neighbours_.problem()};
        return false;
    }
    Derived derived;
    if (!derive([](Shadow& shadow, double, ShadowPoint& point) { return shadow.begin(point); },
                first, derived))
        return miss(0);
    take(std::move(derived), first);
    if (course_.first_row_is_before)
        sample(0, level_, [&](Shadow& shadow, double part, ShadowPoint& point) {
            point = moved(first, along_, part);
            shadow.look(point, first);
            return true;
        });
    return true;
}

// Lengths by the size of the model, times by a fall through it; energies and works not at all.
void TangentRun::choose_weights(const Entry& at) {
    const auto& terms = neighbours_.terms(0);
    Shadow* shadow = terms.empty() ? nullptr : neighbours_.at(terms.front());
    if (!shadow) return;
    const auto& equations = shadow->equations();
    const double size = equations.model_size() > 0 ? equations.model_size() : 1,
                 time = std::sqrt(size / 9.81);
    weights_.assign(1, 1 / time);
    for (const double factor : {1.0, time})
        for (std::size_t c = 0; c < at.after.q.size(); ++c)
            weights_.push_back(factor * equations.column_scale()[c] / size);
}

double TangentRun::norm(const Numbers& numbers) const {
    double largest = 0;
    for (std::size_t i = 0; i < std::min(numbers.size(), weights_.size()); ++i)
        largest = std::max(largest, weights_[i] * std::abs(numbers[i]));
    return largest;
}

ShadowPoint TangentRun::moved(const Entry& at, const Numbers& along, double part) const {
    ShadowPoint point;
    point.state = at.after;
    point.mode = *at.mode;
    std::size_t next = 0;
    const auto move = [&](double& x) { x += part * along[next++]; };
    move(point.state.t);
    for (auto* numbers : {&point.state.q, &point.state.v, &point.state.z})
        std::for_each(numbers->begin(), numbers->end(), move);
    for (double* number : continuous_numbers(point.mode)) move(*number);
    return point;
}

bool TangentRun::derive_at(int level, const Map& map, const Entry& to, Derived& out) {
    const std::vector<Term> terms = neighbours_.terms(level);
    std::vector<ShadowPoint> points(terms.size());
    if (terms.empty()) why_ = neighbours_.problem();
    for (std::size_t i = 0; i < terms.size(); ++i) {
        Shadow* shadow = neighbours_.at(terms[i]);
        if (!shadow || !map(*shadow, terms[i].part(), points[i])) {
            why_ = shadow ? shadow->problem() : neighbours_.problem();
            return false;
        }
        if (!is_same_mode(points[i].mode, *to.mode, why_) ||
            !same_events(to, points[i].events, why_))
            return false;
    }
    out.level = level;
    return !terms.empty() && combine(terms, points, to, out);
}

// The map from a neighbour to its point after the entry, from as far as its differences are good;
// farther away is tried first, where rounding counts less.
bool TangentRun::derive(const Map& map, const Entry& to, Derived& best) {
    if (weights_.empty()) choose_weights(to);
    bool found = false;
    for (int level = std::max(0, level_ - Neighbours::levels_down); level <= Neighbours::last_level;
         level += Neighbours::levels_down) {
        Derived now;
        if (!derive_at(level, map, to, now)) continue;
        if (!found || now.spread < best.spread) best = std::move(now);
        found = true;
        const double size = norm(best.numbers), floor = rounding / Neighbours::distance(level);
        if (best.spread <= allowed_spread * size + 100 * floor) break;
    }
    if (!found) return false;
    level_ = best.level;
    // Measured where it cannot be judged.
    Derived nearer;
    if (hides_kink(best) && derive_at(best.level + 1, map, to, nearer)) {
        for (std::size_t i = 0; i < best.numbers.size(); ++i)
            nearer.apart.push_back(nearer.numbers[i] - best.numbers[i]);
        best = std::move(nearer);
    }
    return true;
}

bool TangentRun::combine(const std::vector<Term>& terms, std::vector<ShadowPoint>& points,
                         const Entry& to, Derived& out) const {
    const Numbers base = numbers_of(to.after, *to.mode);
    Numbers coarse(base.size()), kink(base.size()), error5, error3;
    out.numbers.assign(base.size(), 0);
    out.events.resize(points.front().events.size());
    // From the last point, which every sum of weights lets drop out, to keep digits.
    for (std::size_t k = 0; k < terms.size(); ++k) {
        const Term& term = terms[k];
        const Numbers numbers = numbers_of(points[k].state, points[k].mode);
        for (std::size_t i = 0; i < base.size(); ++i) {
            out.numbers[i] += term.fine * (numbers[i] - base[i]);
            coarse[i] += term.coarse * (numbers[i] - base[i]);
            kink[i] += term.kink * (numbers[i] - base[i]);
        }
        error5.resize(std::max(error5.size(), points[k].error5.size() + 1));
        error3.resize(error5.size());
        for (std::size_t i = 0; i < points[k].error5.size(); ++i) {
            error5[i + 1] += term.fine * points[k].error5[i];
            error3[i + 1] += term.fine * points[k].error3[i];
        }
        for (std::size_t e = 0; e < out.events.size(); ++e)
            for (const auto& [name, value] : numbers_of(points[k].events[e]))
                out.events[e][name] += term.fine * value;
    }
    for (std::size_t i = 0; i < base.size(); ++i) coarse[i] -= out.numbers[i];
    out.kink = norm(kink);
    out.spread = std::max(norm(coarse), out.kink / allowed_kink * allowed_spread);
    const double e5 = norm(error5), e3 = norm(error3);
    out.defect = e5 > 0 ? e5 * e5 / std::hypot(e5, 0.1 * e3) : 0;
    return std::all_of(out.numbers.begin(), out.numbers.end(),
                       [](double x) { return std::isfinite(x); });
}

// Of a parameter that moves nothing, errors count beside a small part of the scales.
double TangentRun::relative_error() const { return error_ / largest_; }

// Errors grow as the largest derivative until now has grown: one that swings does not shrink them.
void TangentRun::take(Derived derived, const Entry& to) {
    const double after = std::max(norm(derived.numbers), largest_);
    // From nothing it grows by what acts on it, not from what was there.
    constexpr double small = 0.1;
    error_ *= std::max(after, small) / std::max(largest_, small);
    largest_ = after;
    error_ += error_of_extrapolation(derived) + derived.defect +
              rounding / Neighbours::distance(derived.level);
    along_ = std::move(derived.numbers);
    if (to.kind == Kind::step) return;
    const double of_time = error_of_time(to, derived.level);
    error_ += weights_[0] * of_time;
    std::size_t next = 0;
    for (std::size_t e = to.first_event; e < to.end_event; ++e) {
        NumberDerivatives& out = events_[e];
        const bool known = next < derived.events.size() &&
                           !course_.events[e].is_due_to(Cause::uniqueness_not_shown);
        if (known)
            out.of = std::move(derived.events[next++]);
        else
            out.of["t"] = along_[0];
        out.error = relative_error();
        out.error_of_time = of_time + error_of_limit(to, course_.events[e], out.of["t"]);
    }
}

// Where the step ends, as what follows it says.
bool TangentRun::end_step(Shadow& shadow, ShadowPoint& point, double part,
                          std::size_t entry) const {
    const Entry& step = course_.entries[entry];
    const double h = step.after.t - step.before.t;
    if (entry + 1 == course_.entries.size()) return shadow.flow(point, h);
    const Entry& next = course_.entries[entry + 1];
    switch (next.kind) {
        case Kind::transition:
            return ends_by_guard(next.occurrence) ? shadow.flow_to(point, h, next.occurrence)
                                                  : shadow.flow(point, h);
        case Kind::switched:
            // One that has rested at zero leaves it without a zero to be found.
            if (step.sides[next.which] == 0) return shadow.flow(point, h);
            return shadow.flow_to_switch(point, h, next.which);
        case Kind::breaks:
            if (of_state_) return shadow.flow(point, step.after.t - point.state.t);
            return shadow.flow(point, shadow.break_time(next.which) - point.state.t);
        case Kind::awaits:
            for (std::size_t e = 0; e < next.first_event; ++e)
                if (course_.events[e].t == step.after.t)
                    if (const auto known = events_.find(e); known != events_.end())
                        return shadow.flow(
                            point, step.after.t + part * known->second.of.at("t") - point.state.t);
            return shadow.flow(point, h);
        default:
            return shadow.flow(point, h);
    }
}

bool TangentRun::pass_step(std::size_t entry) {
    const Entry &step = course_.entries[entry], &from = course_.entries[entry - 1];
    sample_inside(entry);
    Derived derived;
    if (!derive(
            [&](Shadow& shadow, double part, ShadowPoint& point) {
                point = moved(from, along_, part);
                shadow.look(point, from);
                return end_step(shadow, point, part, entry);
            },
            step, derived))
        return false;
    before_step_ = along_;
    take(std::move(derived), step);
    return true;
}

bool TangentRun::pass_event(std::size_t entry) {
    const Entry &event = course_.entries[entry], &from = course_.entries[entry - 1];
    if (event.kind == Kind::breaks || event.kind == Kind::awaits || event.kind == Kind::switched) {
        // Nothing changes but that it is recorded.
        for (std::size_t e = event.first_event; e < event.end_event; ++e)
            events_[e].of["t"] = along_[0];
        return true;
    }
    Derived derived;
    if (!derive(
            [&](Shadow& shadow, double part, ShadowPoint& point) {
                point = moved(from, along_, part);
                shadow.look(point, from);
                return shadow.pass(point, event);
            },
            event, derived))
        return false;
    if (is_kinked(derived) || is_order_open(entry)) return false;
    take(std::move(derived), event);
    return true;
}

// Several contacts that meet at one time: with other values one meets after the other. Where both
// orders lead to the same derivative there is one.
bool TangentRun::pass_tie(std::size_t entry) {
    const Entry& event = course_.entries[entry];
    if (entry < 2 || event.kind != Kind::transition || event.by_window ||
        event.occurrence.kind != ContactOccurrence::Kind::meets ||
        course_.entries[entry - 1].kind != Kind::step)
        return false;
    const Entry& from = course_.entries[entry - 2];
    const std::span<const Event> together(course_.events.data() + event.first_event,
                                          event.end_event - event.first_event);
    const std::string alone = why_;
    Derived derived;
    if (!derive(
            [&](Shadow& shadow, double part, ShadowPoint& point) {
                point = moved(from, before_step_, part);
                shadow.look(point, from);
                return shadow.pass_each(point, event.after.t, event, together);
            },
            event, derived)) {
        why_ = alone + "; one after the other: " + why_;
        return false;
    }
    if (is_kinked(derived)) return false;
    // Rows before and after it stand for several times.
    for (std::size_t r = course_.entries[entry - 1].end_row; r < event.first_row; ++r)
        cells_.erase(r);
    take(std::move(derived), event);
    time_is_open_ = true;
    return true;
}

bool TangentRun::is_kinked(const Derived& derived) {
    const bool kinked = derived.spread > 2 * allowed_spread * norm(derived.numbers) +
                                             1000 * rounding / Neighbours::distance(derived.level);
    if (kinked) why_ = "its one-sided derivatives differ";
    return kinked;
}

// Whether two events come at one time, and the one moves away from the other.
bool TangentRun::is_order_open(std::size_t entry) {
    constexpr double same_time = tolerance::same_time, same_rate = tolerance::same_rate;
    if (entry < 2 || course_.entries[entry - 1].kind != Kind::step) return false;
    const Entry &step = course_.entries[entry - 1], &before = course_.entries[entry - 2];
    const auto may_jump = [](const ContactOccurrence& o) {
        return ends_by_guard(o) && o.kind != ContactOccurrence::Kind::load_turns;
    };
    const bool both = before.kind == Kind::transition && may_jump(before.occurrence) &&
                      may_jump(course_.entries[entry].occurrence) &&
                      step.after.t - step.before.t < same_time * (1 + step.after.t);
    const double apart = std::abs(along_[0] - before_step_[0]);
    if (!both || apart <= same_rate * (1 + std::abs(along_[0]))) return false;
    why_ = "another event occurs at the same time, and their order changes";
    return true;
}

bool TangentRun::same_events(const Entry& entry, const std::vector<Event>& events,
                             std::string& why) const {
    if (entry.kind != Kind::transition) return true;
    std::size_t k = 0;
    for (std::size_t e = entry.first_event; e < entry.end_event; ++e) {
        const Event& ours = course_.events[e];
        if (ours.is_due_to(Cause::uniqueness_not_shown)) continue;
        if (k >= events.size() || events[k].kind != ours.kind ||
            events[k].element != ours.element) {
            why = "with changed values it does not coincide with " + ours.element;
            return false;
        }
        ++k;
    }
    why = "with changed values more events occur";
    return k == events.size();
}

bool TangentRun::miss(std::size_t entry) {
    const Entry& at = course_.entries[entry];
    const Entry& next = course_.entries[std::min(entry + 1, course_.entries.size() - 1)];
    std::string name;
    for (const Entry* e : {&at, &next})
        if (name.empty() && e->first_event < e->end_event &&
            e->first_event < course_.events.size()) {
            const Event& event = course_.events[e->first_event];
            name = std::string(event_name(event.kind)) + " " + event.element;
        }
    missing_ = MissingDerivative{at.after.t, name.empty() ? "the motion" : name, why_};
    return false;
}

}  // namespace pawl
