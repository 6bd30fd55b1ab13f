#include "integration/dop853.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "unit/integration/problems.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace problems;
using std::numbers::pi;

// Largest sum of absolute weights is about 1e3 (dense output); 1e3 ulp of it.
constexpr double coefficient_rounding = 1e3 * 2.2e-16;

double moment(const dop853::Row& weights, int power) {
    double sum = 0;
    for (int i = 0; i < dop853::all_stages; ++i)
        sum += weights[i] * (power == 0 ? 1 : std::pow(dop853::c[i], power));
    return sum;
}

TEST(Dop853, rows_of_the_matrix_sum_to_the_times_of_the_stages) {
    for (int i = 0; i < dop853::all_stages; ++i) {
        EXPECT_NEAR(moment(dop853::a[i], 0), dop853::c[i], coefficient_rounding) << "stage " << i;
        for (int j = i; j < dop853::all_stages; ++j) EXPECT_EQ(dop853::a[i][j], 0) << i << ' ' << j;
    }
}

// Stages from the sixth on integrate t and t^2 exactly: the conditions that make order 8 possible
// with few stages.
TEST(Dop853, late_stages_are_exact_for_parabolas) {
    for (int i = 5; i < dop853::all_stages; ++i)
        for (int power = 1; power <= 2; ++power)
            EXPECT_NEAR(moment(dop853::a[i], power),
                        std::pow(dop853::c[i], power + 1) / (power + 1), coefficient_rounding)
                << "stage " << i;
}

TEST(Dop853, weights_integrate_polynomials_to_their_orders) {
    for (int power = 0; power < 8; ++power)
        EXPECT_NEAR(moment(dop853::b, power), 1.0 / (power + 1), coefficient_rounding) << power;
    for (int power = 0; power < 3; ++power)
        EXPECT_NEAR(moment(dop853::b3, power), 1.0 / (power + 1), coefficient_rounding) << power;
    for (int power = 0; power < 5; ++power)
        EXPECT_NEAR(moment(dop853::error5, power), 0, coefficient_rounding) << power;
    EXPECT_GT(std::abs(moment(dop853::error5, 5)), 1e-6) << "an error estimate of order 5 sees t^5";
}

double kepler_error_with_step(double h, double e) {
    auto f = kepler();
    Dop853 stepper(f, 4, steps_of(h));
    stepper.start(0, kepler_orbit(0, e));
    EXPECT_TRUE(advance(stepper, 2 * pi));
    return distance(stepper.y(), kepler_orbit(0, e));
}

TEST(Dop853, converges_with_order_eight) {
    const double coarse = kepler_error_with_step(2 * pi / 24, 0.2),
                 fine = kepler_error_with_step(2 * pi / 48, 0.2);
    // The next term of the error changes the order by a fraction; 7 and 9 are excluded.
    EXPECT_NEAR(std::log2(coarse / fine), 8, 0.7);
    EXPECT_GT(fine, 1e-11) << "above rounding";
}

// The largest error of the dense output inside one step from the exact state.
double dense_error_of_step(double h, double e) {
    const double t_start = 1;
    auto f = kepler();
    Dop853 stepper(f, 4, steps_of(h));
    stepper.start(t_start, kepler_orbit(t_start, e));
    EXPECT_EQ(stepper.step(t_start + h), StepOutcome::stepped);
    double worst = 0;
    StateVector y(4);
    for (int i = 1; i < 20; ++i) {
        const double t = t_start + h * i / 20;
        stepper.interpolate(t, y);
        worst = std::max(worst, distance(y, kepler_orbit(t, e)));
    }
    return worst;
}

TEST(Dop853, dense_output_converges_with_order_seven) {
    // Order 7 means an error of h^8 inside a step; the solution itself has h^9.
    const double coarse = dense_error_of_step(0.4, 0.2), fine = dense_error_of_step(0.2, 0.2);
    EXPECT_NEAR(std::log2(coarse / fine), 8, 0.5);
    EXPECT_GT(fine, 1e-13) << "above rounding";
}

// A lenient step is longer and errs by more, and taken back it leaves the next one as it was.
TEST(Dop853, leniency_is_for_one_step) {
    auto f = kepler();
    StepperOptions options;
    options.rtol = 1e-10;
    Dop853 stepper(f, 4, options);
    stepper.start(0, kepler_orbit(0, 0.5));
    for (int i = 0; i < 5; ++i) ASSERT_EQ(stepper.step(100), StepOutcome::stepped);
    const double begin = stepper.t();
    ASSERT_EQ(stepper.step(100), StepOutcome::stepped);
    const double strict = stepper.t() - begin;
    EXPECT_LE(stepper.error(), 1);
    stepper.rewind();
    stepper.set_leniency(1e4);
    ASSERT_EQ(stepper.step(100), StepOutcome::stepped);
    EXPECT_GT(stepper.t() - begin, 1.5 * strict);
    EXPECT_GT(stepper.error(), 1);
    EXPECT_LE(stepper.error(), 1e4);
    stepper.rewind();
    stepper.set_leniency(1);
    ASSERT_EQ(stepper.step(100), StepOutcome::stepped);
    EXPECT_LE(stepper.error(), 1);
    EXPECT_LT(stepper.t() - begin, 1.5 * strict);
}

// The coarse interpolation costs no evaluation and is off by no more than a cubic, h^4/384 times
// the fourth derivative, which is 1 in each of two directions.
TEST(Dop853, glance_is_a_cubic_for_nothing) {
    auto f = kepler();
    for (const double h : {0.2, 0.1}) {
        Dop853 stepper(f, 4, steps_of(h));
        stepper.start(0, kepler_orbit(0, 0));
        ASSERT_EQ(stepper.step(h), StepOutcome::stepped);
        const long evaluations = stepper.statistics().evaluations;
        for (const double s : {0.0, 0.3, 0.5, 0.9, 1.0}) {
            std::vector<double> y(4);
            stepper.interpolate_coarsely(s * h, y);
            EXPECT_LT(distance(y, kepler_orbit(s * h, 0)), 2 * std::pow(h, 4) / 384) << s;
        }
        EXPECT_EQ(stepper.statistics().evaluations, evaluations);
    }
}

TEST(Dop853, error_of_the_dense_output_is_below_its_estimate) {
    const double e = 0.6;
    auto f = kepler();
    double closest = 0;
    for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
        StepperOptions options;
        options.rtol = tolerance;
        Dop853 stepper(f, 4, options);
        for (double t_start = 0; t_start < 6; t_start += 0.25) {
            const StateVector exact = kepler_orbit(t_start, e);
            stepper.start(t_start, exact);
            ASSERT_EQ(stepper.step(10), StepOutcome::stepped);
            StateVector y(4);
            for (const double part : {0.2, 0.4, 0.6, 0.8}) {
                const double t = t_start + part * (stepper.t() - t_start);
                stepper.interpolate(t, y);
                const StateVector true_y = kepler_orbit(t, e);
                // The scale is at most tolerance (1 + |y|), |y| up to 4: errors in units of the
                // tolerance are at least those below.
                double square = 0;
                for (int i = 0; i < 4; ++i) square += std::pow((y[i] - true_y[i]) / tolerance, 2);
                const double error = std::sqrt(square / 4) / 5;
                EXPECT_LT(error, stepper.interpolation_error(t) + 1e-14 / tolerance)
                    << tolerance << " at " << t_start << ", part " << part;
                closest = std::max(closest, error / stepper.interpolation_error(t));
            }
        }
    }
    EXPECT_GT(closest, 1e-3) << "an estimate that says something";
}

TEST(Dop853, error_of_kepler_orbit_follows_the_tolerance) {
    const double e = 0.6;
    auto f = kepler();
    double previous = 1;
    for (double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
        StepperOptions options;
        options.rtol = tolerance;
        Dop853 stepper(f, 4, options);
        stepper.start(0, kepler_orbit(0, e));
        ASSERT_TRUE(advance(stepper, 4 * pi));
        const double error = distance(stepper.y(), kepler_orbit(0, e));
        // Errors grow along the orbit, by about t times the largest rate (4 at the pericentre).
        EXPECT_LT(error, 1e3 * tolerance);
        // A hundredth of the tolerance: between a tenth and a thousandth of the error.
        EXPECT_LT(error, previous / 10);
        previous = error;
    }
}

TEST(Dop853, stage_at_the_end_is_used_again) {
    auto f = kepler();
    Dop853 stepper(f, 4, steps_of(0.1));
    stepper.start(0, kepler_orbit(0, 0.2));
    StateVector y(4);
    ASSERT_EQ(stepper.step(1), StepOutcome::stepped);
    EXPECT_EQ(stepper.statistics().evaluations, 12);
    stepper.interpolate(0.03, y);
    stepper.interpolate(0.06, y);
    EXPECT_EQ(stepper.statistics().evaluations, 16) << "the end, and three further stages, once";
    ASSERT_EQ(stepper.step(1), StepOutcome::stepped);
    EXPECT_EQ(stepper.statistics().evaluations, 27)
        << "the end of the last step is the first stage";
    ASSERT_EQ(stepper.step(1), StepOutcome::stepped);
    EXPECT_EQ(stepper.statistics().evaluations, 39) << "no dense output, no further stages";
}

TEST(Dop853, quadratures_do_not_change_the_steps) {
    auto with_quadrature = Problem([](double t, std::span<const double> y, std::span<double> dy) {
        dy[0] = y[1];
        dy[1] = -y[0];
        if (dy.size() > 2) dy[2] = 1000 * std::cos(50 * t);
    });
    StepperOptions options;
    options.controlled = 2;
    Dop853 plain(with_quadrature, 2, options), extended(with_quadrature, 3, options);
    plain.start(0, StateVector{1, 0});
    extended.start(0, StateVector{1, 0, 0});
    ASSERT_TRUE(advance(plain, 10));
    ASSERT_TRUE(advance(extended, 10));
    EXPECT_EQ(plain.statistics().accepted, extended.statistics().accepted);
    EXPECT_EQ(plain.y()[0], extended.y()[0]);
}

TEST(Dop853, absolute_tolerances_are_taken_for_each_component) {
    auto f = oscillator();
    long steps[2] = {};
    for (int i = 0; i < 2; ++i) {
        StepperOptions options;
        options.rtol = 1e-12;
        options.atol = i == 0 ? std::vector{1e-3, 1e-3} : std::vector{1e-3, 1e-12};
        Dop853 stepper(f, 2, options);
        stepper.start(0, StateVector{1, 0});
        ASSERT_TRUE(advance(stepper, 20));
        steps[i] = stepper.statistics().accepted;
    }
    // The eighth root of 1e9 is 13.
    EXPECT_GT(steps[1], 5 * steps[0]);
}

TEST(Dop853, stiffness_is_noticed_where_stability_binds_the_step) {
    auto f = attracted_to_cosine(1e4);
    StepperOptions options;
    options.rtol = 1e-6;
    Dop853 stepper(f, 1, options);
    stepper.start(0, StateVector{1});
    ASSERT_TRUE(advance(stepper, 1));
    EXPECT_TRUE(stepper.statistics().stiff);
    EXPECT_GT(stepper.statistics().stiff_at, 0);
    EXPECT_LT(stepper.statistics().stiff_at, 0.5);
}

TEST(Dop853, stiffness_is_not_seen_where_accuracy_binds_the_step) {
    auto f = kepler();
    for (double tolerance : {1e-3, 1e-6, 1e-10}) {
        StepperOptions options;
        options.rtol = tolerance;
        Dop853 stepper(f, 4, options);
        stepper.start(0, kepler_orbit(0, 0.6));
        ASSERT_TRUE(advance(stepper, 20 * pi));
        EXPECT_FALSE(stepper.statistics().stiff) << tolerance;
    }
}

TEST(Dop853, step_shortened_by_the_end_does_not_shorten_the_next) {
    auto f = oscillator();
    StepperOptions options;
    Dop853 stepper(f, 2, options);
    stepper.start(0, StateVector{1, 0});
    ASSERT_TRUE(advance(stepper, 5));
    const long evaluations = stepper.statistics().evaluations;
    ASSERT_EQ(stepper.step(5 + 1e-9), StepOutcome::stepped);
    ASSERT_EQ(stepper.step(100), StepOutcome::stepped);
    EXPECT_GT(stepper.t() - stepper.t_old(), 0.1) << "a step of its own for rtol 1e-8 is near one";
    EXPECT_LE(stepper.statistics().evaluations, evaluations + 36) << "at most one rejection";
}

// A steel ball of 1 kg that has fallen 1 m: its force begins with the power 3/2 of the depth, and
// the step of the flight before is a thousand times too long. Trials cut by the same factor again
// and again find one whose estimate vanishes by chance at about one tolerance in two.
TEST(Dop853, first_step_into_a_force_that_begins_is_as_exact_as_the_others) {
    constexpr double stiffness = 4.6e10, speed = 4.429;
    Problem f([](double, std::span<const double> y, std::span<double> dy) {
        dy[0] = y[1];
        dy[1] = stiffness * std::pow(std::max(0.0, -y[0]), 1.5) - 9.81;
    });
    for (const double tolerance : {1e-6, 1e-7, 1e-8, 3e-9, 1e-9, 3e-10, 1e-10}) {
        StepperOptions options;
        options.rtol = tolerance;
        options.atol = {2 * tolerance, 5 * tolerance};
        Dop853 stepper(f, 2, options);
        stepper.start(0, StateVector{1, 0});
        ASSERT_TRUE(advance(stepper, 0.4));
        stepper.start(0, StateVector{0, -speed});
        ASSERT_TRUE(advance(stepper, 1e-4));
        const double y = stepper.y()[0], v = stepper.y()[1];
        const double energy = 0.5 * v * v + stiffness / 2.5 * std::pow(-y, 2.5) + 9.81 * y;
        // Some ten steps, each within its tolerance of the speed, where the ball is stiffest.
        EXPECT_NEAR(energy / (0.5 * speed * speed), 1, 100 * tolerance) << tolerance;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
