// The cubic over [0, h] with the values f0, f1 and the rates d0, d1 at its ends: what lies between
// two looks at a gap.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

namespace pawl {

// Least value over [0, h] of the cubic with these end values and rates.
inline double least_of_cubic(double f0, double d0, double f1, double d1, double h) {
    const double a = 2 * (f0 - f1) + h * (d0 + d1), b = 3 * (f1 - f0) - h * (2 * d0 + d1),
                 c = h * d0;
    double least = std::min(f0, f1);
    const auto at = [&](double s) {
        if (s > 0 && s < 1) least = std::min(least, f0 + s * (c + s * (b + s * a)));
    };
    // 3 a s^2 + 2 b s + c = 0
    const double discriminant = b * b - 3 * a * c;
    if (discriminant >= 0) {
        const double q = -(b + std::copysign(std::sqrt(discriminant), b));
        if (a != 0) at(q / (3 * a));
        if (q != 0) at(c / q);
    }
    return least;
}

// Where the cubic that rises at first is highest, as a part of h, and its height over f0.
inline std::pair<double, double> top_of_cubic(double f0, double d0, double f1, double d1,
                                              double h) {
    const double a = 2 * (f0 - f1) + h * (d0 + d1), b = 3 * (f1 - f0) - h * (2 * d0 + d1),
                 c = h * d0;
    const double discriminant = std::max(0.0, b * b - 3 * a * c);
    const double s = c / (-b + std::sqrt(discriminant));  // the nearer root of 3 a s^2 + 2 b s + c
    return {s, s * (c + s * (b + s * a))};
}

inline double cubic_at(double s, double f0, double d0, double f1, double d1, double h) {
    const double r = 1 - s;
    return r * r * ((1 + 2 * s) * f0 + s * h * d0) + s * s * ((1 + 2 * r) * f1 - r * h * d1);
}

// Where the cubic that is above zero at first and below at last passes zero, as a part of h:
// Newton's method, with halving where it leaves the ends.
inline double zero_of_cubic(double f0, double d0, double f1, double d1, double h) {
    const double a = 2 * (f0 - f1) + h * (d0 + d1), b = 3 * (f1 - f0) - h * (2 * d0 + d1),
                 c = h * d0;
    constexpr double fine = 1e-15;
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
