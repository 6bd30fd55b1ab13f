// Measures: what the user wants to read along a motion: a path, an angle, a distance, a joint
// coordinate, or an expression of other measures. Evaluated on frames; value, rate and acceleration
// are exact.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "mechanism/joint.h"
#include "math/expression/formula.h"

namespace pawl {

// A component of a relative pose (paths, angles, joint coordinates).
template <class S>
struct CoordinateMeasure {
    Coordinate<S> coordinate;
};
template <class S>
struct DistanceMeasure {
    std::array<Attachment<S>, 2> frames;
};
// Slots of the expression: 0 is t, then the parameters, then the measures (channels) in file order;
// the rate of a measure has the slot of its value plus `rate_slots`.
constexpr int rate_slots = 1 << 20;
template <class S>
struct ExpressionMeasure {
    Formula<typename S::Scalar> value;
};

// One scalar channel; a point measure of the file makes two of them, `tip.x` and `tip.y`.
template <class S>
struct Measure {
    std::string name;
    Span span;
    std::variant<CoordinateMeasure<S>, DistanceMeasure<S>, ExpressionMeasure<S>> kind;
    std::string unit;         // of the output column
    double unit_factor = 1;   // SI value of that unit
    bool uses_rates = false;  // its own rate is an acceleration then, and it has no acceleration
};

}  // namespace pawl
