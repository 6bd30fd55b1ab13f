#include "coordinates/measures.h"

#include <cmath>

namespace pawl {

namespace {

// What the expression of a measure sees: the time, parameters, measures above it and their rates.
template <class S>
struct MeasureInputs {
    const Formula<typename S::Scalar>& formula;
    double t;
    std::span<const TimeJet<double>> channels;

    [[nodiscard]] TimeJet<double> at(int slot) const {
        const int parameters = static_cast<int>(formula.parameters.size());
        const auto channel = [&](int number) -> const TimeJet<double>& {
            return channels[static_cast<std::size_t>(number - 1 - parameters)];
        };
        if (slot == 0) return {t, 1, 0};
        if (slot <= parameters)
            return {formula.parameters[static_cast<std::size_t>(slot - 1)], 0, 0};
        if (slot < rate_slots) return channel(slot);
        const TimeJet<double>& of = channel(slot - rate_slots);
        return {of.rate, of.acceleration, NAN};
    }
    [[nodiscard]] SlotLookup<TimeJet<double>> jets() const {
        return {this, [](const void* owner, int slot) {
                    return static_cast<const MeasureInputs*>(owner)->at(slot);
                }};
    }
    [[nodiscard]] SlotLookup<double> values() const {
        return {this, [](const void* owner, int slot) {
                    return static_cast<const MeasureInputs*>(owner)->at(slot).value;
                }};
    }
};

template <class S>
TimeJet<double> evaluate(const MeasureInputs<S>& inputs, const signed char* sides) {
    const auto& [formula, t, channels] = inputs;
    if (sides && formula.first_switch >= 0)
        if (const auto found =
                formula.expression.evaluate_on(inputs.jets(), sides + formula.first_switch);
            std::isfinite(found.value))
            return found;
    return formula.expression.evaluate(inputs.jets());
}

}  // namespace

template <class S>
void evaluate_measures(const Mechanism<S>& mechanism, const Coordinates<S>& coordinates, double t,
                       std::vector<TimeJet<double>>& channels, const signed char* sides) {
    channels.resize(mechanism.measures.size());
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const auto& kind = mechanism.measures[i].kind;
        if (const auto* m = std::get_if<CoordinateMeasure<S>>(&kind)) {
            channels[i] = evaluate_coordinate(coordinates, m->coordinate);
        } else if (const auto* d = std::get_if<DistanceMeasure<S>>(&kind)) {
            channels[i] = evaluate_row(
                coordinates, d->frames,
                distance_row<S>(coordinates.frame(d->frames[0]), coordinates.frame(d->frames[1])));
        } else {
            const auto& value = std::get<ExpressionMeasure<S>>(kind).value;
            channels[i] = evaluate(MeasureInputs<S>{value, t, channels}, sides);
        }
    }
}

template <class S>
void note_switches_of_measure(const ExpressionMeasure<S>& measure, double t,
                              std::span<const TimeJet<double>> channels,
                              std::vector<double>& switches) {
    const MeasureInputs<S> inputs{measure.value, t, channels};
    measure.value.expression.note_switches(inputs.values(), switches);
}

template void evaluate_measures(const Mechanism<PlanarSpace>&, const Coordinates<PlanarSpace>&,
                                double, std::vector<TimeJet<double>>&, const signed char*);
template void note_switches_of_measure(const ExpressionMeasure<PlanarSpace>&, double,
                                       std::span<const TimeJet<double>>, std::vector<double>&);

}  // namespace pawl
