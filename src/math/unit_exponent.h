// The exponent of a unit as it is written: a whole number or a decimal fraction, as in
// kg/m^0.5/s^2.
#pragma once

#include <cmath>

#include "math/characters.h"

namespace pawl {

// Returns where the exponent ends, or `begin` where there is none.
inline const char* read_unit_exponent(const char* begin, const char* end, double& exponent) {
    constexpr int most = 100;  // no quantity has more
    const char* stop = begin;
    const auto skip_digits = [&] {
        const char* first = stop;
        while (stop != end && *stop >= '0' && *stop <= '9') ++stop;
        return stop != first;
    };
    if (stop != end && *stop == '-') ++stop;
    if (!skip_digits()) return begin;
    const char* whole = stop;
    if (stop != end && *stop == '.' && (++stop, !skip_digits())) stop = whole;
    double value = 0;
    if (read_number(begin, stop, value).ec != std::errc{} || !(std::abs(value) <= most))
        return begin;
    exponent = value;
    return stop;
}

}  // namespace pawl
