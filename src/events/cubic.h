// The cubic over [0, h] with the values f0, f1 and the rates d0, d1 at its ends: a guess of what
// lies between two looks at a gap, never a proof.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/tolerances/geometry.h"

namespace pawl {

// Where the cubic that rises at first is highest, as a part of h, and its height over f0.
inline std::pair<double, double> top_of_cubic(double f0, double d0, double f1, double d1,
                                              double h) {
    const double a = 2 * (f0 - f1) + h * (d0 + d1), b = 3 * (f1 - f0) - h * (2 * d0 + d1),
                 c = h * d0;
    const double discriminant = std::max(0.0, b * b - 3 * a * c);
    const double s = c / (-b + std::sqrt(discriminant));  // the nearer root of 3 a s^2 + 2 b s + c
    return {s, s * (c + s * (b + s * a))};
}

// Where the cubic that is above zero at first and below at last passes zero, as a part of h:
// Newton's method, with halving where it leaves the ends.
inline double zero_of_cubic(double f0, double d0, double f1, double d1, double h) {
    const double a = 2 * (f0 - f1) + h * (d0 + d1), b = 3 * (f1 - f0) - h * (2 * d0 + d1),
                 c = h * d0;
    constexpr double fine = tolerance::cubic_root;
    double low = 0, high = 1, s = f0 / (f0 - f1);
    for (int i = 0; i < 60 && high - low > fine; ++i) {
        const double f = f0 + s * (c + s * (b + s * a)), slope = c + s * (2 * b + 3 * s * a);
        (f > 0 ? low : high) = s;
        double next = s - f / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - s) < fine) break;
        s = next;
    }
    return s;
}

}  // namespace pawl
