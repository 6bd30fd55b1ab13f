// Values, rates and accelerations of the measures of a mechanism, read off the motion of its
// bodies.
#pragma once

#include <vector>

#include "coordinates/coordinates.h"

namespace pawl {

// One jet per channel; the coordinates must hold position, velocity and acceleration. `sides`: of
// the mechanism's switches, the branches that expressions are evaluated on.
template <class S>
void evaluate_measures(const Mechanism<S>& mechanism, const Coordinates<S>& coordinates, double t,
                       std::vector<TimeJet<double>>& channels, const signed char* sides = nullptr);

extern template void evaluate_measures(const Mechanism<PlanarSpace>&,
                                       const Coordinates<PlanarSpace>&, double,
                                       std::vector<TimeJet<double>>&, const signed char*);

// Appends the arguments of the switches of an expression measure, after evaluate_measures.
template <class S>
void note_switches_of_measure(const ExpressionMeasure<S>& measure, double t,
                              std::span<const TimeJet<double>> channels,
                              std::vector<double>& switches);

// The value of a coordinate as a jet.
template <class S>
TimeJet<double> evaluate_row(const Coordinates<S>& coordinates,
                             const std::array<Attachment<S>, 2>& at, const typename S::Row& row) {
    TimeJet<double> jet{row.phi, 0, row.bias};
    for (int k = 0; k < 2; ++k) {
        jet.rate += S::dot(row.w[k], coordinates.frame(at[k]).velocity);
        jet.acceleration += S::dot(row.w[k], coordinates.frame_acceleration(at[k]));
    }
    return jet;
}

template <class S>
TimeJet<double> evaluate_coordinate(const Coordinates<S>& coordinates, const Coordinate<S>& c) {
    return evaluate_row(coordinates, c.frames,
                        component_row<S>(c.component, coordinates.frame(c.frames[0]),
                                         coordinates.frame(c.frames[1])));
}

}  // namespace pawl
