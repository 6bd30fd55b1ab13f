#include "coordinates/measures.h"

#include <cmath>

namespace pawl {

template <class S>
void evaluate_measures(const Mechanism<S>& mechanism, const Coordinates<S>& coordinates, double t,
                       std::vector<TimeJet<double>>& channels) {
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
            // An expression uses only channels above it.
            const auto& value = std::get<ExpressionMeasure<S>>(kind).value;
            const int parameters = static_cast<int>(value.parameters.size());
            channels[i] = value.expression.template evaluate_with<TimeJet<double>>([&](int slot) {
                if (slot == 0) return TimeJet<double>{t, 1, 0};
                if (slot <= parameters) return TimeJet<double>{value.parameters[slot - 1], 0, 0};
                if (slot < rate_slots) return channels[slot - 1 - parameters];
                const TimeJet<double>& channel = channels[slot - rate_slots - 1 - parameters];
                return TimeJet<double>{channel.rate, channel.acceleration, NAN};
            });
        }
    }
}

template void evaluate_measures(const Mechanism<PlanarSpace>&, const Coordinates<PlanarSpace>&,
                                double, std::vector<TimeJet<double>>&);

}  // namespace pawl
