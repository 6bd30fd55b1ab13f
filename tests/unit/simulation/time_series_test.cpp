#include "analysis/time_series.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

std::vector<double> henon(int n) {
    double x = 0.1, y = 0.3;
    std::vector<double> out;
    for (int i = 0; i < n + 100; ++i) {
        const double next = 1 - 1.4 * x * x + y;
        y = 0.3 * x;
        x = next;
        if (i >= 100) out.push_back(x);
    }
    return out;
}

struct LorenzRun {
    std::vector<double> x;
    double exponent = 0;  // from the equations, by the tangent
};

// Lorenz's equations (10, 28, 8/3), with their tangent, by the classical Runge-Kutta method.
LorenzRun lorenz(int n, double step) {
    using V = std::array<double, 6>;
    const auto rates = [](const V& s) {
        const auto& [x, y, z, a, b, c] = s;
        return V{10 * (y - x), x * (28 - z) - y,         x * y - 8.0 / 3 * z,
                 10 * (b - a), (28 - z) * a - b - x * c, y * a + x * b - 8.0 / 3 * c};
    };
    const auto plus = [](const V& s, double h, const V& d) {
        V out = s;
        for (int i = 0; i < 6; ++i) out[i] += h * d[i];
        return out;
    };
    V s{1, 1, 20, 1, 0, 0};
    LorenzRun out;
    double sum = 0;
    const int first = 2000, inner = 4;
    for (int i = 0; i < n + first; ++i) {
        for (int j = 0; j < inner; ++j) {
            const double h = step / inner;
            const V k1 = rates(s), k2 = rates(plus(s, h / 2, k1)), k3 = rates(plus(s, h / 2, k2)),
                    k4 = rates(plus(s, h, k3));
            for (int c = 0; c < 6; ++c) s[c] += h / 6 * (k1[c] + 2 * k2[c] + 2 * k3[c] + k4[c]);
        }
        const double norm = std::hypot(s[3], s[4], s[5]);
        for (int c = 3; c < 6; ++c) s[c] /= norm;
        if (i < first) continue;
        sum += std::log(norm);
        out.x.push_back(s[0]);
    }
    out.exponent = sum / (n * step);
    return out;
}

// Rosenstein and others (1993) report errors of a few per cent for the Hénon map and up to 10 % for
// Lorenz's equations from some thousand values.
constexpr double accuracy_of_method = 0.1;

TEST(TimeSeries, exponent_of_the_henon_map_is_0_419) {
    const auto x = henon(3000);
    SeriesExponentOptions options;
    options.dimension = 2;
    options.delay = 1;
    options.steps = 25;
    const auto found = exponent_of_series(x, 1, options);
    ASSERT_TRUE(found.found);
    EXPECT_NEAR(found.exponent, 0.419, accuracy_of_method * 0.419);
}

TEST(TimeSeries, exponent_of_lorenz_data_is_that_of_the_tangent) {
    const double step = 0.02;
    const auto run = lorenz(6000, step);
    EXPECT_NEAR(run.exponent, 0.906, 0.05);  // 120 time units: batches of 6 spread by 0.1
    SeriesExponentOptions options;
    options.dimension = 3;
    const auto found = exponent_of_series(run.x, step, options);
    ASSERT_TRUE(found.found);
    EXPECT_NEAR(found.exponent, run.exponent, accuracy_of_method * run.exponent);
}

TEST(TimeSeries, a_sine_wave_has_no_exponent_but_its_frequency_and_amplitude) {
    std::vector<double> x;
    const double step = 0.01, f = 3.217, amplitude = 0.4;
    for (int i = 0; i < 4000; ++i)
        x.push_back(1 + 0.3 * i + amplitude * std::sin(2 * std::numbers::pi * f * i * step));
    const auto spectrum = spectrum_of(x, step, 3);
    ASSERT_FALSE(spectrum.peaks.empty());
    // Leakage of the negative frequency through the Hann window falls as (2 f n step)^-3 = 6e-8;
    // the trend that is fitted to the wave adds 1/(2 f n step) squared of it.
    EXPECT_NEAR(spectrum.peaks[0].frequency, f, 1e-4 * spectrum.step);
    EXPECT_NEAR(spectrum.peaks[0].amplitude, amplitude, 1e-4 * amplitude);
    const auto wave = std::vector<double>(x.begin(), x.begin() + 2000);
    std::vector<double> plain;
    for (std::size_t i = 0; i < wave.size(); ++i)
        plain.push_back(wave[i] - 0.3 * static_cast<double>(i));
    EXPECT_FALSE(exponent_of_series(plain, step, {}).found);
}

TEST(TimeSeries, mutual_information_of_a_value_with_itself_is_that_of_its_bins) {
    const auto x = henon(1600);
    EXPECT_NEAR(mutual_information(x, 0, 16), std::log(16.0), 1e-12);  // equal bins: exact
    EXPECT_LT(mutual_information(x, 40, 16), 0.2);  // 225 free cells / (2 * 1600) = 0.07 by chance
}

TEST(TimeSeries, delay_of_a_wave_is_about_a_quarter_of_its_period) {
    std::vector<double> x;  // incommensurate, so that bins fill evenly
    for (int i = 0; i < 5000; ++i) x.push_back(std::sin(2 * std::numbers::pi * i / 40.37));
    const int delay = embedding_delay(x, 60);
    EXPECT_GE(delay, 7);
    EXPECT_LE(delay, 13);
    // The first minimum of the mutual information of Lorenz's x: 0.16 ... 0.18 time units.
    EXPECT_NEAR(embedding_delay(lorenz(6000, 0.02).x, 60), 8.5, 1.5);
}

TEST(TimeSeries, samples_at_equal_steps_jump_where_two_rows_share_a_time) {
    const std::vector<double> t{0, 0.5, 0.5, 1}, x{0, 1, -1, 0};
    const auto even = at_equal_steps(t, x, 0.25);
    ASSERT_EQ(even.size(), 5u);
    EXPECT_EQ(even[1], 0.5);
    EXPECT_EQ(even[2], -1);
    EXPECT_EQ(even[3], -0.5);
    EXPECT_EQ(even[4], 0);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
