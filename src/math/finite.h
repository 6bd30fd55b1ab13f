// Whether numbers are numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace pawl {

inline bool all_finite(std::span<const double> x) {
    return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace pawl
