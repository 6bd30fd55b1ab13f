#include "integration/stiff.h"

#include <cmath>

#include <gtest/gtest.h>

#include "integration/dop853.h"
#include "unit/integration/problems.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace problems;

StepperOptions with_tolerance(double tolerance) {
    StepperOptions options;
    options.rtol = tolerance;
    return options;
}

// Mazzia and Magherini, Test Set for Initial Value Problem Solvers, problem vdpol (mu = 1000 in the
// unscaled form of Hairer and Wanner 1996): solution at t = 2000.
constexpr double van_der_pol_at_2000 = 1.706167732170483;

TEST(Stiff, van_der_pol_oscillator_is_followed_over_its_jumps) {
    auto f = van_der_pol(1000);
    for (double tolerance : {1e-6, 1e-8}) {
        Stiff stepper(f, 2, with_tolerance(tolerance));
        stepper.start(0, StateVector{2, 0});
        ASSERT_TRUE(advance(stepper, 2000));
        // At a jump the rate is 1e3 times that before it, and so is the error of its time.
        EXPECT_NEAR(stepper.y()[0], van_der_pol_at_2000, 1e3 * tolerance);
        EXPECT_LT(stepper.statistics().accepted, 2000) << "explicit methods need 6e5 steps";
    }
}

TEST(Stiff, needs_far_fewer_steps_than_an_explicit_method) {
    auto f = van_der_pol(1000);
    Stiff implicit(f, 2, with_tolerance(1e-6));
    Dop853 explicit_(f, 2, with_tolerance(1e-6));
    implicit.start(0, StateVector{2, 0});
    explicit_.start(0, StateVector{2, 0});
    ASSERT_TRUE(advance(implicit, 20));
    ASSERT_TRUE(advance(explicit_, 20));
    EXPECT_LT(20 * implicit.statistics().accepted, explicit_.statistics().accepted);
    EXPECT_LT(5 * implicit.statistics().evaluations, explicit_.statistics().evaluations);
    // Both control their local error to the tolerance on a solution that is attracting.
    EXPECT_NEAR(implicit.y()[0], explicit_.y()[0], 1e-5);
}

TEST(Stiff, converges_on_a_smooth_solution_however_stiff_the_equation) {
    for (double rate : {1.0, 1e3, 1e6}) {
        auto f = attracted_to_cosine(rate);
        for (double tolerance : {1e-4, 1e-6, 1e-8}) {
            Stiff stepper(f, 1, with_tolerance(tolerance));
            stepper.start(0, StateVector{1});
            ASSERT_TRUE(advance(stepper, 10));
            // Errors do not add up, they are damped; 10 for the safety of a single step.
            EXPECT_NEAR(stepper.y()[0], std::cos(10), 10 * tolerance) << rate;
        }
    }
}

// Of y' = cos t, for which Newton is exact.
double dense_error_of_step(double h) {
    Problem f([](double t, std::span<const double>, std::span<double> dy) { dy[0] = std::cos(t); });
    Stiff stepper(f, 1, steps_of(h));
    stepper.start(1, StateVector{std::sin(1)});
    EXPECT_EQ(stepper.step(1 + h), StepOutcome::stepped);
    double worst = 0;
    StateVector y(1);
    for (int i = 1; i < 10; ++i) {
        const double t = 1 + h * i / 10;
        stepper.interpolate(t, y);
        worst = std::max(worst, std::abs(y[0] - std::sin(t)));
    }
    return worst;
}

TEST(Stiff, dense_output_converges_with_order_four) {
    // Order 4 means an error of h^5 inside a step.
    EXPECT_NEAR(std::log2(dense_error_of_step(0.1) / dense_error_of_step(0.05)), 5, 0.5);
}

TEST(Stiff, quadratures_follow_but_do_not_control) {
    auto with_quadrature = Problem([](double t, std::span<const double> y, std::span<double> dy) {
        dy[0] = -100 * (y[0] - std::cos(t)) - std::sin(t);
        if (dy.size() > 1) dy[1] = 1000 * y[0];
    });
    StepperOptions options = with_tolerance(1e-8);
    options.controlled = 1;
    Stiff plain(with_quadrature, 1, options), extended(with_quadrature, 2, options);
    plain.start(0, StateVector{1});
    extended.start(0, StateVector{1, 0});
    ASSERT_TRUE(advance(plain, 3));
    ASSERT_TRUE(advance(extended, 3));
    EXPECT_NEAR(plain.statistics().accepted, extended.statistics().accepted, 1);
    EXPECT_NEAR(extended.y()[1], 1000 * std::sin(3), 1000 * 1e-6) << "some hundred steps of 1e-8";
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
