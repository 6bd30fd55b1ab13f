// Whether a quantity that is above zero passes it and comes back between three times at which it is
// known. Knows functions only.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "math/roots.h"

namespace pawl {

// The time at which it is least, where that is below zero: searched for where the parabola through
// the three values comes near zero. What is no longer above zero at the first time, but for
// rounding, is followed from where it is.
template <class F>
std::optional<double> excursion(const std::array<double, 3>& times, const std::array<double, 3>& at,
                                const F& value, double narrow) {
    constexpr double near = 0.25;  // of the largest value: what the parabola may be off by
    constexpr int max_steps = 60;
    const double first = at[1] - at[0], second = at[2] - at[1], bend = second - first;
    if (!(bend > 0)) return std::nullopt;
    const double slope = 0.5 * (first + second), x = std::clamp(-slope / bend, -1.0, 1.0);
    const double least = at[1] + x * (slope + 0.5 * bend * x);
    if (least > near * *std::max_element(at.begin(), at.end())) return std::nullopt;
    double low = times[0];
    for (double part = 1.0 / 4096; part < 1 && !(value(low) > 0); part *= 8)
        low = times[0] + part * (times[1] - times[0]);
    if (!(value(low) > 0)) return std::nullopt;
    const Valley valley = golden_section(low, times[2], value, max_steps, narrow);
    if (!(valley.least < 0)) return std::nullopt;
    return valley.middle();
}

}  // namespace pawl
