#include "integration/rk4.h"

#include <cmath>

#include <gtest/gtest.h>

#include "unit/integration/problems.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace problems;

struct Errors {
    double at_end, inside;
};

Errors kepler_errors_with_step(double h) {
    auto f = kepler();
    const double e = 0.2;
    Rk4 stepper(f, 4, steps_of(h));
    stepper.start(0, kepler_orbit(0, e));
    Errors errors{};
    StateVector y(4);
    while (stepper.t() < 2) {
        EXPECT_EQ(stepper.step(2), StepOutcome::stepped);
        stepper.interpolate(stepper.t_old() + 0.4 * h, y);
        errors.inside =
            std::max(errors.inside, distance(y, kepler_orbit(stepper.t_old() + 0.4 * h, e)));
    }
    errors.at_end = distance(stepper.y(), kepler_orbit(2, e));
    return errors;
}

TEST(Rk4, solution_and_dense_output_converge_with_order_four) {
    const Errors coarse = kepler_errors_with_step(0.04), fine = kepler_errors_with_step(0.02);
    // The next term of the error is 2% and 4% of it.
    EXPECT_NEAR(std::log2(coarse.at_end / fine.at_end), 4, 0.2);
    EXPECT_NEAR(std::log2(coarse.inside / fine.inside), 4, 0.2);
}

// y'' = -1e6 y with steps of ten swings: without the check it grows beyond all bounds.
TEST(Rk4, checked_step_is_halved_until_it_is_a_motion) {
    Problem f([](double, std::span<const double> y, std::span<double> dy) {
        dy[0] = y[1];
        dy[1] = -1e6 * y[0];
    });
    StepperOptions options = steps_of(0.01);
    options.atol = {1e-9, 1e-6};
    for (const bool checked : {false, true}) {
        options.checked = checked;
        Rk4 stepper(f, 2, options);
        stepper.start(0, StateVector{1e-3, 0});
        ASSERT_TRUE(advance(stepper, 0.1));
        const double energy = std::hypot(1e3 * stepper.y()[0], stepper.y()[1]);
        // A fourth order step with an error of a part in a hundred loses less than that of its
        // energy, in some hundred steps.
        if (checked)
            EXPECT_TRUE(energy > 0.3 && energy < 1.001) << energy;
        else
            EXPECT_GT(energy, 1e10);
        EXPECT_EQ(stepper.statistics().rejected > 0, checked);
    }
}

TEST(Rk4, checked_step_that_is_short_enough_stays) {
    auto f = oscillator();
    StepperOptions options = steps_of(0.1);
    options.atol = {1e-9, 1e-9};
    options.checked = true;
    Rk4 stepper(f, 2, options);
    stepper.start(0, StateVector{1, 0});
    ASSERT_TRUE(advance(stepper, 1));
    EXPECT_EQ(stepper.statistics().accepted, 10);
    EXPECT_EQ(stepper.statistics().evaluations, 41);  // the rates at each end serve the next step
}

TEST(Rk4, end_that_is_a_multiple_of_the_step_needs_no_sliver) {
    auto f = oscillator();
    Rk4 stepper(f, 2, steps_of(0.1));
    stepper.start(0, StateVector{1, 0});
    ASSERT_TRUE(advance(stepper, 1));
    EXPECT_EQ(stepper.statistics().accepted, 10);
    EXPECT_EQ(stepper.statistics().evaluations, 40);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
