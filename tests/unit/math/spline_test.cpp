#include "math/spline.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "finite_differences.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Jet = TimeJet<double>;

const std::vector<double> knots{0, 0.4, 1.1, 1.5, 2.6, 3};
const std::vector<double> heights{0.5, 1.2, -0.3,
                                  0.1, 0.9, 0.5};  // equal ends, so that all kinds fit

const Ends every_kind[] = {Ends::natural, Ends::clamped, Ends::periodic};

// Sums of a handful of terms up to 1e2 (the second derivatives of these heights).
constexpr double rounding = 1e-12;

CubicSpline<double> spline(Ends ends) { return {knots, heights, ends}; }
Jet at(const CubicSpline<double>& s, double x) { return s.evaluate(Jet(x, 1.0)); }

TEST(CubicSpline, passes_through_its_points) {
    for (const Ends ends : every_kind)
        for (std::size_t i = 0; i < knots.size(); ++i)
            EXPECT_NEAR(spline(ends).evaluate(knots[i]), heights[i], rounding) << i;
}

TEST(CubicSpline, is_twice_continuous_at_inner_points) {
    const double beside = 1e-14;  // the third derivative, below 1e2, changes the second by 1e-12
    for (const Ends ends : every_kind) {
        const CubicSpline<double> s = spline(ends);
        for (std::size_t i = 1; i + 1 < knots.size(); ++i) {
            const Jet left = at(s, knots[i] - beside), right = at(s, knots[i] + beside);
            EXPECT_NEAR(left.value, right.value, 2 * rounding) << i;
            EXPECT_NEAR(left.rate, right.rate, 2 * rounding) << i;
            EXPECT_NEAR(left.acceleration, right.acceleration, 5 * rounding) << i;
        }
    }
}

TEST(CubicSpline, derivatives_are_those_of_the_curve) {
    for (const Ends ends : every_kind) {
        const CubicSpline<double> s = spline(ends);
        for (const double x : {0.2, 0.8, 1.3, 2.0, 2.8, 7.7}) {
            const auto curve = [&](double t) { return s.evaluate(x + 0.5 * t + t * t); };
            const Jet jet = s.evaluate(Jet(x, 0.5, 2.0));
            EXPECT_NEAR(jet.rate, first_difference(curve, 0, difference_step),
                        first_difference_error)
                << x;
            EXPECT_NEAR(jet.acceleration, second_difference(curve, 0, difference_step),
                        second_difference_error)
                << x;
        }
    }
}

TEST(CubicSpline, natural_ends_have_no_curvature_and_go_on_straight) {
    const CubicSpline<double> s = spline(Ends::natural);
    for (const double end : {knots.front(), knots.back()}) {
        const Jet here = at(s, end);
        EXPECT_NEAR(here.acceleration, 0, rounding);
        const double outward = end == knots.front() ? -2 : 2;
        const Jet beyond = at(s, end + outward);
        EXPECT_NEAR(beyond.value, here.value + outward * here.rate, rounding);
        EXPECT_NEAR(beyond.rate, here.rate, rounding);
        EXPECT_EQ(beyond.acceleration, 0);
    }
}

TEST(CubicSpline, clamped_ends_have_no_slope_and_go_on_level) {
    const CubicSpline<double> s = spline(Ends::clamped);
    EXPECT_NEAR(at(s, knots.front()).rate, 0, rounding);
    EXPECT_NEAR(at(s, knots.back()).rate, 0, rounding);
    EXPECT_NEAR(s.evaluate(-5.0), heights.front(), 10 * rounding);
    EXPECT_NEAR(s.evaluate(9.0), heights.back(), 10 * rounding);
}

TEST(CubicSpline, periodic_curve_repeats_smoothly) {
    const CubicSpline<double> s = spline(Ends::periodic);
    const Jet begin = at(s, knots.front()), end = at(s, std::nextafter(knots.back(), 0));
    EXPECT_NEAR(begin.value, end.value, rounding);
    EXPECT_NEAR(begin.rate, end.rate, rounding);
    EXPECT_NEAR(begin.acceleration, end.acceleration, rounding);
    for (const double x : {0.3, 1.2, 2.9})
        for (const double turns : {-2.0, 1.0, 5.0})
            EXPECT_NEAR(s.evaluate(x + 3 * turns), s.evaluate(x), rounding) << x;
}

TEST(CubicSpline, periodic_curve_of_a_sine_converges_to_it) {
    // Error of an interpolating cubic spline: 5/384 h⁴ max|y⁗| (Hall 1968), plus rounding.
    const int n = 40;
    std::vector<double> x, y;
    for (int i = 0; i <= n; ++i) {
        x.push_back(2 * std::numbers::pi * i / n);
        y.push_back(i == n ? y.front() : std::sin(x.back()));
    }
    const CubicSpline<double> s(x, y, Ends::periodic);
    const double bound = 5.0 / 384 * std::pow(2 * std::numbers::pi / n, 4) + rounding;
    for (double u = 0; u < 6.3; u += 0.01) EXPECT_NEAR(s.evaluate(u), std::sin(u), bound) << u;
}

TEST(CubicSpline, two_and_three_points_suffice) {
    const CubicSpline<double> line({1, 3}, {2, 6}, Ends::natural);
    EXPECT_DOUBLE_EQ(line.evaluate(2.0), 4);
    EXPECT_DOUBLE_EQ(line.evaluate(5.0), 10);
    // Level ends: the smooth step 2 + 4 (3u² − 2u³).
    const CubicSpline<double> step({1, 3}, {2, 6}, Ends::clamped);
    EXPECT_DOUBLE_EQ(step.evaluate(1.5), 2 + 4 * (3 * 0.0625 - 2 * 0.015625));
    const CubicSpline<double> level({0, 1}, {2, 2}, Ends::periodic);
    EXPECT_DOUBLE_EQ(level.evaluate(-7.3), 2);
    // Equal intervals: symmetric about the middle point, so level there.
    const CubicSpline<double> wave({0, 1, 2}, {0, 1, 0}, Ends::periodic);
    EXPECT_NEAR(at(wave, 1.0).rate, 0, rounding);
    EXPECT_NEAR(at(wave, 0.0).acceleration, -at(wave, 1.0).acceleration, rounding);
    EXPECT_NEAR(wave.evaluate(0.5), 0.5, rounding);
}

TEST(CubicSpline, derivative_by_a_height_is_exact) {
    for (const Ends ends : every_kind) {
        std::vector<Dual> seeded(heights.begin(), heights.end());
        seeded[2].derivative = 1;
        const CubicSpline<Dual> s(knots, seeded, ends);
        for (const double x : {-0.5, 0.7, 2.9, 3.6}) {
            const auto moved = [&](double p) {
                std::vector<double> y = heights;
                y[2] += p;
                return CubicSpline<double>(knots, y, ends);
            };
            // A spline is linear in its heights: a difference over 1 is the derivative.
            const double expected = moved(1).evaluate(x) - moved(0).evaluate(x);
            EXPECT_NEAR(s.evaluate(x).derivative, expected, 10 * rounding) << x;
            const double rate = at(moved(1), x).rate - at(moved(0), x).rate;
            EXPECT_NEAR(s.evaluate(TimeJet<Dual>(Dual(x), Dual(1))).rate.derivative, rate,
                        10 * rounding)
                << x;
        }
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
