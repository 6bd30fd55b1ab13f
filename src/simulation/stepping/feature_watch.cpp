#include "simulation/stepping/feature_watch.h"

#include <algorithm>
#include <cmath>

#include "coordinates/measures.h"
#include "math/expression/enclosure.h"
#include "mechanism/force_row.h"
#include "simulation/stepping/switches.h"

namespace pawl {

namespace {

// Halvings of a step: the narrowest bump that is found is a millionth of it.
constexpr int deepest = 20;
// rad between two samples: of a point that goes round.
constexpr double largest_turn = 0.6;
// Of five samples of a smooth quantity: the fourth difference against their range. A point that
// goes round by 0.65 rad between two of them has so much.
constexpr double roughest = 0.1;

bool is_smooth(const std::array<double, 5>& x, double range) {
    return std::abs(x[0] - 4 * x[1] + 6 * x[2] - 4 * x[3] + x[4]) <= roughest * range;
}

}  // namespace

FeatureWatch::FeatureWatch(const PlanarMechanism& mechanism, double atol)
    : mechanism_(mechanism), atol_(atol), is_used_(mechanism.measures.size(), 0) {
    for (std::size_t i = 0; i < mechanism.forces.size(); ++i)
        for_each_expression(mechanism.forces[i], [&](const ForceExpression& e) { add(e, i); });
    for (const auto& state : mechanism.states) add(state.rate, 0);
    for (const auto& event : mechanism.events) add(event.when, 0);
    for (const auto& coupling : mechanism.couplings) add(coupling.engaged, 0);
    // Measures that one of these looks at; they use measures above them only.
    for (std::size_t i = mechanism.measures.size(); i-- > 0;)
        if (const auto* m =
                std::get_if<ExpressionMeasure<PlanarSpace>>(&mechanism.measures[i].kind);
            m && is_used_[i])
            add_measure(*m);
}

FeatureWatch::Slot FeatureWatch::channel(Of of, std::size_t index) {
    is_used_[index] = 1;
    const auto* m = std::get_if<CoordinateMeasure<PlanarSpace>>(&mechanism_.measures[index].kind);
    return {of, index, 0, m == nullptr || m->coordinate.component != Component::angle};
}

void FeatureWatch::add(const ForceExpression& e, std::size_t force) {
    std::vector<Slot> slots;
    const auto channels = static_cast<std::size_t>(e.channels),
               states = static_cast<std::size_t>(e.states);
    for (const int slot : e.expression.slots_used()) {
        auto i = static_cast<std::size_t>(slot);
        if (i == 0) {
            slots.push_back({Of::time});
            continue;
        }
        if (--i < e.parameters.size()) {
            slots.push_back({Of::constant, i, e.parameters[i]});
            continue;
        }
        i -= e.parameters.size();
        if (i < 2 * channels) {
            slots.push_back(channel(i < channels ? Of::channel : Of::rate, i % channels));
            continue;
        }
        i -= 2 * channels;
        if (i < states) {
            slots.push_back({Of::state, i});
            continue;
        }
        slots.push_back({i == states ? Of::own : Of::own_rate, 0, 0,
                         mechanism_.forces[force].component != Component::angle});
    }
    add(e.expression, std::move(slots), force);
}

void FeatureWatch::add_measure(const ExpressionMeasure<PlanarSpace>& measure) {
    std::vector<Slot> slots;
    const auto& parameters = measure.value.parameters;
    const int first = 1 + static_cast<int>(parameters.size());
    for (const int slot : measure.value.expression.slots_used()) {
        if (slot == 0)
            slots.push_back({Of::time});
        else if (slot < first)
            slots.push_back({Of::constant, 0, parameters[static_cast<std::size_t>(slot - 1)]});
        else if (slot < rate_slots)
            slots.push_back(channel(Of::channel, static_cast<std::size_t>(slot - first)));
        else
            slots.push_back(channel(Of::rate, static_cast<std::size_t>(slot - rate_slots - first)));
    }
    add(measure.value.expression, std::move(slots), 0);
}

void FeatureWatch::add(const Expression& expression, std::vector<Slot> slots, std::size_t force) {
    std::vector<char> moves;
    bool goes_round = false;
    for (const Slot& slot : slots) {
        moves.push_back(slot.of != Of::time && slot.of != Of::constant);
        const bool is_measured = slot.of == Of::channel || slot.of == Of::rate;
        const bool is_own = slot.of == Of::own || slot.of == Of::own_rate;
        goes_round |= (is_measured && slot.is_length) ||
                      (is_own && acts_along_distance(mechanism_.forces[force]));
    }
    if (std::find(moves.begin(), moves.end(), 1) == moves.end()) return;
    MotionScan scan(expression, moves);
    if (scan.is_empty() && !(goes_round && expression.switch_count() > 0)) return;
    turns_matter_ |= goes_round;
    sources_.push_back({std::move(scan), std::move(slots), force});
}

void FeatureWatch::look(Mechanics& equations, Stepping& stepping, double t,
                        std::vector<double>& values) {
    const State& state = stepping.at(t);
    equations.set_position(state.q, state.t);
    auto& coordinates = equations.coordinates();
    coordinates.set_velocity(state.v);
    evaluate_measures(mechanism_, coordinates, t, channels_);
    values.clear();
    for (const Source& source : sources_) {
        ForceInputs own;
        if (!mechanism_.forces.empty())
            look_along(mechanism_.forces[source.force], coordinates, own);
        for (const Slot& slot : source.slots) {
            switch (slot.of) {
                case Of::time:
                    values.push_back(t);
                    break;
                case Of::constant:
                    values.push_back(slot.constant);
                    break;
                case Of::channel:
                    values.push_back(channels_[slot.index].value);
                    break;
                case Of::rate:
                    values.push_back(channels_[slot.index].rate);
                    break;
                case Of::state:
                    values.push_back(state.z[slot.index]);
                    break;
                case Of::own:
                    values.push_back(own.s);
                    break;
                case Of::own_rate:
                    values.push_back(own.v);
                    break;
            }
        }
    }
}

// Changes that the integrator does not control.
double FeatureWatch::floor_of(const Slot& slot, const Mechanics& equations) const {
    const double size = equations.model_size(), time = std::sqrt(size / 9.81);
    const double value = atol_ * (slot.is_length ? size : 1);
    return slot.of == Of::rate || slot.of == Of::own_rate ? value / time : value;
}

// Hopeless: nothing moves any more, and it was not seen before.
FeatureWatch::Resolution FeatureWatch::resolution(const Mechanics& equations, double length,
                                                  bool whole) {
    Resolution worst = Resolution::seen;
    std::size_t i = 0;
    for (Source& source : sources_) {
        std::vector<Enclosure> bounds;
        bool smooth = true, moves = false;
        for (const Slot& slot : source.slots) {
            std::array<double, 5> x;
            for (std::size_t k = 0; k < x.size(); ++k) x[k] = samples_[k][i];
            ++i;
            const auto [low, high] = std::minmax_element(x.begin(), x.end());
            if (slot.of == Of::constant || *high - *low <= floor_of(slot, equations)) {
                bounds.push_back(Enclosure::constant(x[0]));
                continue;
            }
            moves = moves || slot.of != Of::time;
            smooth = smooth && is_smooth(x, *high - *low);
            bounds.push_back(Enclosure::samples(x, length));
        }
        if (!moves && !whole && !source.is_resolved) return Resolution::hopeless;
        source.is_resolved = source.scan.is_resolved(bounds, length, whole) && smooth;
        if (!source.is_resolved) worst = Resolution::hidden;
    }
    return worst;
}

double FeatureWatch::latest_end(Mechanics& equations, Stepping& stepping) {
    if (sources_.empty()) return INFINITY;
    const double begin = stepping.begin();
    double length = stepping.t() - begin;
    if (turns_matter_) {
        const auto from = stepping.q_begin(), to = stepping.q_end();
        double turn = 0;
        for (std::size_t c = 0; c < to.size(); ++c)
            if (equations.coordinates().column_component(static_cast<int>(c)) == Component::angle)
                turn = std::max(turn, std::abs(to[c] - from[c]));
        if (turn > 4 * largest_turn) return begin + 0.9 * length * 4 * largest_turn / turn;
    }
    for (std::size_t k = 0; k < samples_.size(); ++k)
        look(equations, stepping,
             k == 4 ? stepping.t() : begin + length * static_cast<double>(k) / 4, samples_[k]);
    for (int depth = 0; depth <= deepest; ++depth) {
        const Resolution found = resolution(equations, length, depth == 0);
        if (found == Resolution::hopeless) break;
        if (found == Resolution::seen) return depth == 0 ? INFINITY : begin + length;
        length /= 2;
        samples_[4].swap(samples_[2]);
        samples_[2].swap(samples_[1]);
        for (const std::size_t k : {1, 3})
            look(equations, stepping, begin + length * static_cast<double>(k) / 4, samples_[k]);
    }
    return INFINITY;
}

}  // namespace pawl
