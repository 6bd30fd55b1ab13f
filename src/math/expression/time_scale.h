// How fast an expression changes with the time, bounded over whole intervals: so an integrator can
// be kept from stepping over a pulse that is narrow against the run. Knows no mechanism.
#pragma once

#include <span>
#include <vector>

#include "math/expression/expression.h"

namespace pawl {

// Between begin and end the expression does nothing that is narrower than a part of the scale: a
// step of a quarter of the scale sees it.
struct TimeScale {
    double begin = 0, end = 0, scale = 0;
};

// The parts of [begin, end] that have a scale, in order; where nothing changes there is none. Slot
// 0 of the expression is the time, slot i + 1 is parameters[i]; slots beyond depend on the motion
// and are taken as some constants. Features of 1/10,000 of the interval are resolved.
std::vector<TimeScale> time_scales(const Expression& expression, std::span<const double> parameters,
                                   double begin, double end);

// Bounds of the expression and of its rate over [begin, end], with the same slots.
struct Enclosure;
Enclosure enclose(const Expression& expression, std::span<const double> parameters, double begin,
                  double end);

}  // namespace pawl
