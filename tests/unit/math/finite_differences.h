// Derivatives by Richardson extrapolation of central differences: the yardstick for exact ones.
#pragma once

#include <array>
#include <cmath>
#include <functional>

namespace pawl {

// Extrapolates an estimate whose error is a series in h², from steps h, h/2, h/4, h/8.
inline double extrapolated(const std::function<double(double)>& estimate, double h) {
    std::array<double, 4> row{};
    for (std::size_t i = 0; i < row.size(); ++i) {
        double next = estimate(h / std::pow(2.0, static_cast<double>(i)));
        double factor = 4;
        for (std::size_t k = 0; k < i; ++k, factor *= 4) {
            const double better = next + (next - row[k]) / (factor - 1);
            row[k] = next;
            next = better;
        }
        row[i] = next;
    }
    return row.back();
}

inline double first_difference(const std::function<double(double)>& f, double x, double h) {
    return extrapolated([&](double d) { return (f(x + d) - f(x - d)) / (2 * d); }, h);
}

inline double second_difference(const std::function<double(double)>& f, double x, double h) {
    return extrapolated([&](double d) { return (f(x + d) - 2 * f(x) + f(x - d)) / (d * d); }, h);
}

// With h = 0.02 the four steps leave a truncation error of order h⁸ f⁽⁹⁾/9! ~ 1e-14 times a modest
// factor; rounding, 1e-16 over the smallest step 2.5e-3 and over its square, rules: 1e-13 for the
// first derivative and 2e-11 for the second, each times the size of f (below 10 in these tests) and
// the growth of the extrapolation (below 5).
inline constexpr double difference_step = 0.02;
inline constexpr double first_difference_error = 1e-11;
inline constexpr double second_difference_error = 2e-9;

}  // namespace pawl
