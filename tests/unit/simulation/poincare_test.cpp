#include "analysis/poincare.h"

#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double pi = std::numbers::pi;

Trajectory sampled(double end, double step, const std::function<double(double)>& x,
                   const char* unit = "m") {
    Trajectory out;
    out.columns = {{"t", "s"}, {"x", unit}};
    const int n = static_cast<int>(std::lround(end / step));
    for (int i = 0; i <= n; ++i) out.add(std::vector<double>{i * step, x(i * step)});
    return out;
}

TEST(Poincare, crossings_are_found_to_the_seventh_order_of_the_step) {
    const double step = 0.01, w = 2 * pi;
    const auto motion = sampled(5, step, [&](double t) { return std::cos(w * t); });
    Crossing crossing{.column = "x", .value = 0.3};
    const auto rising = section_at(motion, crossing, 1);
    ASSERT_EQ(rising.rows(), 4U);
    // A polynomial through seven rows around the place misses the wave by at most (w h)^7 times
    // (1/2 3/2 5/2)^2 7/2 / 7!, to which rounding of its coefficients adds.
    const double miss = std::pow(w * step, 7) * 12.3 / 5040 + 1e-13,
                 slope = w * std::sqrt(1 - 0.09);
    for (std::size_t k = 0; k < rising.rows(); ++k) {
        const double exact = 2.0 + static_cast<double>(k) - std::acos(0.3) / w;
        EXPECT_NEAR(rising.row(k)[0], exact, miss / slope);
        EXPECT_NEAR(rising.row(k)[1], 0.3, 1e-12);  // rounding of the bisection
    }
    crossing.direction = -1;
    EXPECT_NEAR(section_at(motion, crossing, 0).row(0)[0], std::acos(0.3) / w, miss / slope);
    crossing.direction = 0;
    EXPECT_EQ(section_at(motion, crossing, 0).rows(), 10U);
}

TEST(Poincare, an_angle_crosses_a_place_of_its_turn_once_in_each) {
    const auto motion = sampled(
        4, 0.01, [](double t) { return -0.1 + 7 * t; }, "rad");
    const Crossing crossing{.column = "x", .value = pi / 2, .modulus = 2 * pi};
    const auto points = section_at(motion, crossing, 0);
    ASSERT_EQ(points.rows(), 5U);  // up to 27.9 rad
    for (std::size_t k = 0; k < points.rows(); ++k)
        EXPECT_NEAR(points.row(k)[0], (pi / 2 + 2 * pi * static_cast<double>(k) + 0.1) / 7, 1e-12);
    EXPECT_EQ(points_per_period(points, motion, {1}, 1e-6), 1);  // whole turns do not count
}

TEST(Poincare, what_gets_ahead_from_point_to_point_moves_on) {
    const auto points = [](const std::vector<double>& x) {
        Trajectory out;
        out.columns = {{"t", "s"}, {"x", "m"}};
        for (const double v : x) out.add(std::vector<double>{static_cast<double>(out.rows()), v});
        return out;
    };
    EXPECT_TRUE(moves_on(points({1, 2, 3, 4}), 1, 0.1));
    EXPECT_TRUE(moves_on(points({0, -3, -2, -5, -4, -7}), 1, 0.1));  // two points per period
    EXPECT_FALSE(moves_on(points({1, 2, 1, 2, 1, 2}), 1, 0.1));
    EXPECT_FALSE(moves_on(points({1, 1.01, 1.02, 1.03}), 1, 0.1));
    EXPECT_FALSE(moves_on(points({0, 0.5, 0.75, 0.875, 0.9375}), 1, 0.1));  // comes to rest
    EXPECT_FALSE(moves_on(points({1, 2, 3}), 1, 0.1));                      // too few to tell
}

TEST(Poincare, a_jump_over_the_value_at_an_event_is_no_crossing_and_no_line_is_laid_across_it) {
    Trajectory motion;
    motion.columns = {{"t", "s"}, {"x", "m/s"}};
    for (int i = 0; i <= 10; ++i) motion.add(std::vector<double>{0.1 * i, -0.1 * i});
    for (int i = 0; i <= 10; ++i) motion.add(std::vector<double>{1 + 0.1 * i, 1 - 0.1 * i});
    EXPECT_EQ(section_at(motion, {.column = "x", .value = 0}, 0).rows(), 0U);
    const auto every = section_every(motion, 0.25, 0.05);
    ASSERT_EQ(every.rows(), 8U);
    EXPECT_NEAR(every.row(3)[1], -0.8, 1e-14);
    EXPECT_NEAR(every.row(4)[1], 0.95, 1e-14);
    std::vector<Event> events(2);
    events[0].t = 1;
    events[0].kind = EventKind::impact;
    events[1].t = 1.5;
    events[1].kind = EventKind::slip;
    const auto impacts = section_at_events(motion, events, EventKind::impact, "", 0);
    ASSERT_EQ(impacts.rows(), 1U);
    EXPECT_EQ(impacts.row(0)[1], 1);  // after the event
}

TEST(Poincare, points_repeat_after_two_swings_of_a_wave_of_half_the_frequency) {
    const auto halved =
        sampled(20, 0.01, [](double t) { return std::cos(2 * pi * t) + 0.2 * std::sin(pi * t); });
    EXPECT_EQ(points_per_period(section_every(halved, 1, 0.3), halved, {1}, 1e-4), 2);
    const auto never =
        sampled(20, 0.01, [](double t) { return std::cos(2 * pi * t) + std::cos(t); });
    EXPECT_FALSE(points_per_period(section_every(never, 1, 0.3), never, {1}, 1e-4));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
