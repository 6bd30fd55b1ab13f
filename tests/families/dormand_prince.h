// The method of Dormand and Prince of order 5(4) (1980) for references: adaptive, no dense output.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace pawl::test {

// Integrates y' = f(y) from t to end with errors per step below `tolerance` (of 1 + |y|); h is the
// next step, kept between calls. `accept` is called after every step.
template <std::size_t N, class Rates, class Accept>
void integrate(const Rates& f, double& t, std::array<double, N>& y, double end, double& h,
               double tolerance, const Accept& accept) {
    static constexpr double a[7][6] = {
        {},
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static constexpr double error[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                        -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    std::array<double, N> k[7], stage;
    for (long steps = 0; t < end; ++steps) {
        if (steps == 20'000'000) throw std::runtime_error("the reference does not get on");
        const double step = std::min(h, end - t);
        for (int i = 0; i < 7; ++i) {
            stage = y;
            for (int j = 0; j < i; ++j)
                for (std::size_t c = 0; c < N; ++c) stage[c] += step * a[i][j] * k[j][c];
            k[i] = f(stage);
        }
        double worst = 1e-10;
        for (std::size_t c = 0; c < N; ++c) {
            double sum = 0;
            for (int i = 0; i < 7; ++i) sum += error[i] * k[i][c];
            worst = std::max(worst, std::abs(step * sum) / (tolerance * (1 + std::abs(y[c]))));
        }
        if (!std::isfinite(worst)) worst = 1e5;
        const double grow = std::clamp(0.9 * std::pow(worst, -0.2), 0.1, 5.0);
        if (worst > 1) {
            h = step * grow;
            continue;
        }
        t = step < end - t ? t + step : end;
        y = stage;
        if (step == h || grow < 1) h = step * grow;
        accept();
    }
}

}  // namespace pawl::test
