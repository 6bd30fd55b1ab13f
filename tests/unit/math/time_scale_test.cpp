// Bounds over pieces of time against samples, and the pulses that they must show.
#include "math/expression/time_scale.h"

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "math/expression/enclosure.h"

namespace pawl {
namespace PAWL_TEST_FILE {

Expression of_time(const std::string& text) {
    SymbolTable symbols;
    symbols.add("t", Quality::unknown());
    symbols.add("p", Quality::unknown());
    symbols.add("x", Quality::unknown());  // of the motion: beyond the parameters
    ExpressionError error;
    const auto expression = Expression::parse(text, symbols, DefaultUnits{}, error);
    EXPECT_TRUE(expression) << text << ": " << error.message;
    return expression.value_or(Expression());
}

const std::vector<double> parameters{2};

std::vector<TimeScale> scales_of(const std::string& text, double end = 1) {
    return time_scales(of_time(text), parameters, 0, end);
}

double least_scale(const std::vector<TimeScale>& scales, double begin, double end) {
    double least = INFINITY;
    for (const TimeScale& part : scales)
        if (part.begin < end && part.end > begin) least = std::min(least, part.scale);
    return least;
}

TEST(TimeScale, pulses_of_any_width_have_a_scale_near_their_width_and_none_far_away) {
    const char* const shapes[] = {"exp(-((t - {0})/{1})^2)",
                                  "1/cosh((t - {0})/{1})",
                                  "tanh((t - {0})/{1}) - tanh((t - {0} - {1})/{1})",
                                  "x*exp(-((t - {0})/{1})^2)",
                                  "if(x > 1, exp(-((t - {0})/{1})^2), 0)",
                                  "p*t + 1e-3*exp(-((t - {0})/{1})^2)"};
    std::mt19937 random(7);
    std::uniform_real_distribution<double> middle(0.1, 0.9),
        logarithm(std::log(1e-4), std::log(1e-2));
    for (const char* shape : shapes)
        for (int i = 0; i < 100; ++i) {
            const double c = middle(random), w = std::exp(logarithm(random));
            const std::string text = fmt::format(fmt::runtime(shape), c, w);
            const auto scales = scales_of(text);
            // A quarter of the scale, the longest step, is no longer than four widths.
            EXPECT_LE(least_scale(scales, c, c + w), 16 * w) << text;
            EXPECT_GE(least_scale(scales, 0, 1), 0.25 * w) << text;
            // Where the pulse is below 1e-12 of its height, nothing limits a step but the grading.
            EXPECT_GE(least_scale(scales, 0, std::max(0.0, c - 60 * w)), 4 * w) << text;
            EXPECT_LT(scales.size(), 200U) << text;
        }
}

TEST(TimeScale, two_pulses_and_a_train_of_pulses_are_all_seen) {
    const auto two = scales_of("exp(-((t - 0.2)/0.0001)^2) + exp(-((t - 0.70001)/0.0001)^2)");
    EXPECT_LE(least_scale(two, 0.2, 0.2001), 16e-4);
    EXPECT_LE(least_scale(two, 0.7, 0.7001), 16e-4);
    EXPECT_GT(least_scale(two, 0.4, 0.5), 0.01);
    const auto train = scales_of("exp(-((mod(t, 0.1) - 0.05)/0.0001)^2)");
    for (int i = 0; i < 10; ++i)
        EXPECT_LE(least_scale(train, 0.1 * i + 0.05, 0.1 * i + 0.0501), 16e-4) << i;
}

// They are as wide as they look: few parts, none of them short.
TEST(TimeScale, ordinary_expressions_hardly_limit_anything) {
    struct Case {
        const char* text;
        double least;
    };
    const Case cases[] = {
        {"5*sin(2*pi*t)", 2},        {"5 + 3*t", INFINITY}, {"p*x", INFINITY},
        {"t*(1 - t)", INFINITY},     {"2*t^2 - 3*t^3", 1},  {"exp(-t/0.1)", 0.5},
        {"tanh(10*(t - 0.5))", 0.5}, {"abs(sin(10*t))", 1}, {"if(t > 0.5, 1, 0)", INFINITY},
        {"sin(100*t)", 0.12}};
    for (const Case& c : cases) {
        const auto scales = scales_of(c.text);
        EXPECT_GE(least_scale(scales, 0, 1), c.least) << c.text;
        EXPECT_LE(scales.size(), 4U) << c.text;
    }
    EXPECT_EQ(scales_of("5*sin(2*pi*t)", 1000).size(), 1U);  // however many periods
}

TEST(TimeScale, bounds_that_say_nothing_are_given_up) {
    EXPECT_TRUE(scales_of("sqrt(sin(1e6*t)^3)*t").empty());
    EXPECT_TRUE(scales_of("exp(x)").empty());
}

// Every operation: values and difference quotients of samples lie within the bounds.
TEST(Enclosure, holds_values_and_rates_of_all_operations) {
    const char* const texts[] = {"-t + 2*t^2",
                                 "sin(7*t)",
                                 "cos(9*t - 1)",
                                 "tan(1.3*t)",
                                 "asin(0.9*sin(5*t))",
                                 "acos(0.9*cos(4*t))",
                                 "atan(5*t - 2)",
                                 "sinh(3*t - 1)",
                                 "cosh(3*t - 1)",
                                 "tanh(6*t - 3)",
                                 "exp(2*t - 1)",
                                 "log(t + 0.1)",
                                 "log10(t + 0.1)",
                                 "sqrt(t + 0.01)",
                                 "abs(t - 0.4)",
                                 "t/(t + 0.2)",
                                 "1/(t - 1.5)",
                                 "(t - 0.3)^2",
                                 "(t - 0.3)^3",
                                 "(t + 0.1)^-2",
                                 "(t - 1.2)^-3",
                                 "(t + 0.1)^1.5",
                                 "(t + 0.2)^(2*t)",
                                 "atan2(t - 0.3, t + 0.1)",
                                 "atan2(t + 0.1, t - 0.5)",
                                 "hypot(t - 0.5, 0.2)",
                                 "min(t, 0.6 - t)",
                                 "max(t, 0.6 - t)",
                                 "mod(t, 5)",
                                 "if(t < 2, t^2, 7)",
                                 "p*t*(1 - t)*sin(3*t)"};
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (const char* text : texts) {
        const Expression expression = of_time(text);
        for (int i = 0; i < 200; ++i) {
            const double a = uniform(random), b = a + (1 - a) * uniform(random) * uniform(random);
            const Enclosure e = enclose(expression, parameters, a, b);
            double before = NAN;
            for (int k = 0; k <= 16; ++k) {
                const double t = a + (b - a) * k / 16;
                const std::vector<double> slots{t, 2, 0};
                const double y = expression.evaluate<double>(slots),
                             tiny = 1e-12 * (1 + std::abs(y));
                ASSERT_GE(y, e.low - tiny) << text << " at " << t;
                ASSERT_LE(y, e.high + tiny) << text << " at " << t;
                if (k % 4 == 0) {
                    ASSERT_NEAR(y, e.at[static_cast<std::size_t>(k / 4)], tiny) << text;
                }
                const double way = (b - a) / 16;
                if (k > 0) {
                    ASSERT_GE(y - before, e.rate_low * way - 2 * tiny) << text << " at " << t;
                    ASSERT_LE(y - before, e.rate_high * way + 2 * tiny) << text << " at " << t;
                }
                before = y;
            }
        }
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
