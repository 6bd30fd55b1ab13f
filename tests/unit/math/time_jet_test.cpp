#include "math/time_jet.h"

#include <type_traits>

#include <gtest/gtest.h>

#include "finite_differences.h"
#include "smooth_functions.h"

namespace pawl {
namespace PAWL_TEST_FILE {

static_assert(std::is_trivially_copyable_v<TimeJet<double>>);
static_assert(std::is_trivially_copyable_v<JetDual>);

// The argument moves as x(t) = place + a t + b t²/2, so that both terms of the chain rule count.
constexpr double argument_rate = 0.8, argument_acceleration = -1.1;

double moved(double argument, double t) {
    return argument + argument_rate * t + 0.5 * argument_acceleration * t * t;
}

TimeJet<double> argument(double argument) {
    return {argument, argument_rate, argument_acceleration};
}

TEST(TimeJet, functions_have_the_value_of_plain_numbers) {
    for (const SmoothFunction& f : smooth_functions())
        EXPECT_DOUBLE_EQ(f.jet(argument(f.argument)).value, f.plain(f.argument)) << f.name;
}

TEST(TimeJet, functions_have_the_derivatives_of_finite_differences) {
    for (const SmoothFunction& f : smooth_functions()) {
        const auto in_time = [&](double t) { return f.plain(moved(f.argument, t)); };
        const TimeJet<double> jet = f.jet(argument(f.argument));
        EXPECT_NEAR(jet.rate, first_difference(in_time, 0, difference_step), first_difference_error)
            << f.name;
        EXPECT_NEAR(jet.acceleration, second_difference(in_time, 0, difference_step),
                    second_difference_error)
            << f.name;
    }
}

TEST(TimeJet, jets_of_duals_carry_the_derivative_of_rate_and_acceleration) {
    for (const SmoothFunction& f : smooth_functions()) {
        // The argument's value, rate and acceleration each depend on a parameter p, here 0.
        const auto at = [&](double p) {
            return f.jet({f.argument + p, argument_rate + 0.5 * p, argument_acceleration - 2 * p});
        };
        const JetDual jet = f.jet_dual(
            {Dual(f.argument, 1), Dual(argument_rate, 0.5), Dual(argument_acceleration, -2)});
        const auto slope = [&](double TimeJet<double>::*part) {
            return first_difference([&](double p) { return at(p).*part; }, 0, difference_step);
        };
        EXPECT_NEAR(jet.value.derivative, slope(&TimeJet<double>::value), first_difference_error)
            << f.name;
        EXPECT_NEAR(jet.rate.derivative, slope(&TimeJet<double>::rate), first_difference_error)
            << f.name;
        // The acceleration holds third derivatives: ten times larger than f in this list.
        EXPECT_NEAR(jet.acceleration.derivative, slope(&TimeJet<double>::acceleration),
                    10 * first_difference_error)
            << f.name;
    }
}

TEST(TimeJet, constants_stay_constant_where_the_slope_is_infinite) {
    using Jet = TimeJet<double>;
    for (const Jet x : {sqrt(Jet(0.0)), asin(Jet(1.0)), acos(Jet(-1.0)), hypot(Jet(0.0), Jet(0.0)),
                        atan2(Jet(0.0), Jet(0.0)), pow(Jet(0.0), Jet(0.5))}) {
        EXPECT_EQ(x.rate, 0);
        EXPECT_EQ(x.acceleration, 0);
    }
    EXPECT_FALSE(all_finite(sqrt(Jet(0.0, 1.0))));
}

TEST(TimeJet, whole_powers_are_smooth_at_zero) {
    using Jet = TimeJet<double>;
    const Jet t(0.0, 1.0);
    const double expected[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 2}, {0, 0, 0}};
    for (int n = 0; n < 4; ++n) {
        const Jet power = pow(t, Jet(static_cast<double>(n)));
        EXPECT_EQ(power.value, expected[n][0]) << n;
        EXPECT_EQ(power.rate, expected[n][1]) << n;
        EXPECT_EQ(power.acceleration, expected[n][2]) << n;
    }
}

TEST(TimeJet, plain_numbers_mix_with_jets_of_duals) {
    const JetDual t(Dual(2.0), Dual(1.0));
    const JetDual x = 1 + 3.0 * t / 2 - 4;
    EXPECT_EQ(value_of(x), 0);
    EXPECT_EQ(x.rate.value, 1.5);
    EXPECT_TRUE(t > 1.0);
    EXPECT_TRUE(t == 2.0);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
