// What all steppers promise, run over all of them.
#include "integration/stepper.h"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "unit/integration/problems.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace problems;

class AnyStepper : public testing::TestWithParam<Integrator> {
protected:
    // The step of rk4 gives an error of 1e-8, the tolerance of the others.
    std::unique_ptr<Stepper> make(RightHandSide& f, int size) {
        StepperOptions options;
        options.rtol = 1e-8;
        options.fixed_step = 0.01;
        return make_stepper(GetParam(), f, size, options);
    }
};

INSTANTIATE_TEST_SUITE_P(Stepper, AnyStepper,
                         testing::Values(Integrator::dop853, Integrator::rk4, Integrator::stiff),
                         [](const auto& instance) {
                             return std::string(value_name(instance.param));
                         });

// Errors of single steps add up over some hundred steps.
constexpr double accuracy = 1e-6;

TEST_P(AnyStepper, oscillator_is_followed) {
    auto f = oscillator();
    auto stepper = make(f, 2);
    stepper->start(0, StateVector{1, 0});
    ASSERT_TRUE(advance(*stepper, 10));
    EXPECT_NEAR(stepper->y()[0], std::cos(10), accuracy);
    EXPECT_NEAR(stepper->y()[1], -std::sin(10), accuracy);
    EXPECT_GT(stepper->statistics().evaluations, stepper->statistics().accepted);
}

TEST_P(AnyStepper, lands_exactly_on_the_end_and_never_passes_it) {
    double latest = 0;
    Problem f([&](double t, std::span<const double> y, std::span<double> dy) {
        latest = std::max(latest, t);
        dy[0] = y[1];
        dy[1] = -y[0];
    });
    auto stepper = make(f, 2);
    stepper->start(0, StateVector{1, 0});
    for (double t_end : {0.1, 0.1 + 1e-13, 1.0 / 3, 2.0, 2.0 + 1e-6, 7.7}) {
        while (stepper->t() < t_end) {
            const double before = stepper->t();
            ASSERT_EQ(stepper->step(t_end), StepOutcome::stepped);
            EXPECT_EQ(stepper->t_old(), before);
            EXPECT_GT(stepper->t(), before);
            EXPECT_LE(latest, t_end);
        }
        EXPECT_EQ(stepper->t(), t_end);
        EXPECT_NEAR(stepper->y()[0], std::cos(t_end), accuracy);
    }
    EXPECT_EQ(stepper->step(stepper->t()), StepOutcome::failed) << "no way to go";
}

TEST_P(AnyStepper, dense_output_joins_both_ends) {
    auto f = oscillator();
    auto stepper = make(f, 2);
    stepper->start(0, StateVector{1, 0});
    for (int i = 0; i < 5; ++i) ASSERT_EQ(stepper->step(3), StepOutcome::stepped);
    StateVector y(2);
    stepper->interpolate(stepper->t_old(), y);
    EXPECT_LT(distance(y, stepper->y_old()), 1e-14) << "rounding";
    stepper->interpolate(stepper->t(), y);
    EXPECT_LT(distance(y, stepper->y()), 1e-14) << "rounding";

    ASSERT_EQ(stepper->step(3), StepOutcome::stepped);
    const StateVector end(stepper->y().begin(), stepper->y().end());
    stepper->replace(StateVector{0.5, 0.5});
    stepper->interpolate(stepper->t(), y);
    EXPECT_LT(distance(y, end), 1e-14)
        << "a projection does not curvature_numerator the step before it";
    std::array<double, 1> first;
    stepper->interpolate(stepper->t(), first);
    EXPECT_EQ(first[0], y[0]) << "fewer components may be asked for";
}

TEST_P(AnyStepper, replaced_state_is_what_it_goes_on_from) {
    auto f = oscillator();
    auto plain = make(f, 2), replaced = make(f, 2);
    plain->start(0, StateVector{1, 0});
    replaced->start(0, StateVector{1, 0});
    ASSERT_TRUE(advance(*plain, 2));
    StateVector y(2);
    const double turn = 1e-5;
    while (replaced->t() < 2) {
        ASSERT_EQ(replaced->step(2), StepOutcome::stepped);
        if (replaced->t() < 1) continue;
        // The first state after t = 1 is turned ahead, once.
        if (replaced->t_old() < 1) {
            const double angle = replaced->t() + turn;
            y = {std::cos(angle), -std::sin(angle)};
            replaced->replace(y);
            EXPECT_EQ(replaced->y()[0], y[0]);
        }
    }
    EXPECT_NEAR(replaced->y()[0], std::cos(2 + turn), accuracy);
    EXPECT_GT(std::abs(replaced->y()[0] - std::cos(2)), 5 * accuracy);
    EXPECT_NEAR(replaced->statistics().accepted, plain->statistics().accepted, 1)
        << "the step size stays";
}

TEST_P(AnyStepper, projection_after_each_step_costs_no_steps) {
    auto f = kepler();
    auto plain = make(f, 4), projected = make(f, 4);
    const double e = 0.3;
    plain->start(0, kepler_orbit(0, e));
    projected->start(0, kepler_orbit(0, e));
    ASSERT_TRUE(advance(*plain, 6));
    while (projected->t() < 6) {
        ASSERT_EQ(projected->step(6), StepOutcome::stepped);
        StateVector y(projected->y().begin(), projected->y().end());
        const double energy = 0.5 * (y[2] * y[2] + y[3] * y[3]) - 1 / std::hypot(y[0], y[1]);
        const double factor = std::sqrt(1 + (-0.5 - energy) * 2 / (y[2] * y[2] + y[3] * y[3]));
        y[2] *= factor;
        y[3] *= factor;
        projected->replace(y);
    }
    // A fifth, for the luck of single steps.
    EXPECT_LE(projected->statistics().accepted, 1.2 * plain->statistics().accepted);
    EXPECT_LT(distance(projected->y(), kepler_orbit(6, e)), 10 * accuracy);
}

TEST_P(AnyStepper, dense_output_does_not_change_the_motion) {
    auto f = kepler();
    auto silent = make(f, 4), shown = make(f, 4);
    StateVector y(4);
    for (Stepper* stepper : {silent.get(), shown.get()}) {
        stepper->start(0, kepler_orbit(0, 0.3));
        for (int i = 0; i < 10; ++i) {
            ASSERT_EQ(stepper->step(6), StepOutcome::stepped);
            if (stepper == shown.get()) stepper->interpolate(stepper->t(), y);
            StateVector moved(stepper->y().begin(), stepper->y().end());
            moved[0] += 1e-3;
            if (i % 2 == 0) stepper->replace(moved);
        }
    }
    EXPECT_EQ(silent->t(), shown->t());
    EXPECT_EQ(distance(silent->y(), shown->y()), 0);
}

TEST_P(AnyStepper, state_replaced_after_rewinding_is_what_it_goes_on_from) {
    auto f = oscillator();
    auto stepper = make(f, 2);
    stepper->start(0, StateVector{1, 0});
    ASSERT_EQ(stepper->step(0.5), StepOutcome::stepped);
    const double t_end = stepper->t();
    stepper->rewind();
    stepper->replace(StateVector{0, 1});
    ASSERT_TRUE(advance(*stepper, t_end));
    EXPECT_NEAR(stepper->y()[0], std::sin(t_end), accuracy);
    EXPECT_EQ(stepper->statistics().rejected, 0) << "the first stage is that of the new state";
}

TEST_P(AnyStepper, start_forgets_the_past) {
    auto f = oscillator();
    auto stepper = make(f, 2);
    stepper->start(0, StateVector{1, 0});
    ASSERT_TRUE(advance(*stepper, 3));
    stepper->start(1, StateVector{0, 5});
    EXPECT_EQ(stepper->t(), 1);
    EXPECT_EQ(stepper->y()[1], 5);
    ASSERT_TRUE(advance(*stepper, 4));
    EXPECT_NEAR(stepper->y()[0], 5 * std::sin(3), 5 * accuracy);
}

TEST_P(AnyStepper, rewound_step_can_end_at_an_event_inside_it) {
    auto f = oscillator();
    for (bool projected : {false, true}) {
        auto stepper = make(f, 2);
        stepper->start(0, StateVector{1, 0});
        for (int i = 0; i < 5; ++i) ASSERT_EQ(stepper->step(3), StepOutcome::stepped);
        const double t_old = stepper->t_old(), t_event = t_old + 0.6 * (stepper->t() - t_old);
        const StateVector y_old(stepper->y_old().begin(), stepper->y_old().end());
        if (projected) stepper->replace(StateVector{7, 7});
        stepper->rewind();
        EXPECT_EQ(stepper->t(), t_old);
        EXPECT_EQ(distance(stepper->y(), y_old), 0);
        ASSERT_EQ(stepper->step(t_event), StepOutcome::stepped);
        EXPECT_EQ(stepper->t(), t_event) << "one step is enough: a longer one was accepted";
        EXPECT_NEAR(stepper->y()[0], std::cos(t_event), accuracy);
        StateVector y(2);
        stepper->interpolate(stepper->t(), y);
        EXPECT_LT(distance(y, stepper->y()), 1e-14) << "dense output is that of the new step";
    }
}

// Rates that end at t = 1, with nothing to be seen before: y' = 1.
class Ending final : public RightHandSide {
public:
    explicit Ending(bool by_value) : by_value_(by_value) {}
    bool rates(double t, std::span<const double>, std::span<double> dy) override {
        dy[0] = by_value_ && t > 1 ? std::numeric_limits<double>::quiet_NaN() : 1;
        return by_value_ || t <= 1;
    }

private:
    bool by_value_;
};

TEST_P(AnyStepper, rates_that_cannot_be_evaluated_end_the_run_at_the_last_good_state) {
    for (bool by_value : {false, true}) {
        Ending f(by_value);
        auto stepper = make(f, 1);
        stepper->start(0, StateVector{0});
        StepOutcome outcome = StepOutcome::stepped;
        while (outcome == StepOutcome::stepped && stepper->t() < 2) outcome = stepper->step(2);
        EXPECT_EQ(outcome, StepOutcome::not_finite);
        EXPECT_LE(stepper->t(), 1);
        // rk4 cannot shorten its step.
        EXPECT_GT(stepper->t(), GetParam() == Integrator::rk4 ? 0.98 : 1 - 1e-9);
        EXPECT_NEAR(stepper->y()[0], stepper->t(), 1e-12) << "rounding of the sum of some steps";
    }
}

TEST_P(AnyStepper, rates_not_finite_at_the_start_are_reported) {
    Ending f(true);
    auto stepper = make(f, 1);
    stepper->start(1.5, StateVector{3});
    EXPECT_EQ(stepper->step(2), StepOutcome::not_finite);
    EXPECT_EQ(stepper->t(), 1.5);
    EXPECT_EQ(stepper->y()[0], 3);
    stepper->start(0, StateVector{0});
    EXPECT_EQ(stepper->step(0.5), StepOutcome::stepped) << "a new start is possible";
}

TEST_P(AnyStepper, solution_that_grows_without_bound_ends_the_run) {
    Problem f([](double, std::span<const double> y, std::span<double> dy) { dy[0] = y[0] * y[0]; });
    auto stepper = make(f, 1);
    stepper->start(0, StateVector{1});
    StepOutcome outcome = StepOutcome::stepped;
    while (outcome == StepOutcome::stepped && stepper->t() < 2) outcome = stepper->step(2);
    EXPECT_NE(outcome, StepOutcome::stepped);
    // y = 1 / (1 - t); rk4 steps over the pole before it overflows.
    EXPECT_NEAR(stepper->t(), 1, GetParam() == Integrator::rk4 ? 0.1 : 1e-6);
}

TEST_P(AnyStepper, no_size_of_a_step_is_left_from_a_failure) {
    Ending f(false);
    auto fresh = make(f, 1), failed = make(f, 1);
    failed->start(0, StateVector{0});
    while (failed->step(2) == StepOutcome::stepped) {
    }
    const long before = failed->statistics().accepted;
    for (Stepper* stepper : {fresh.get(), failed.get()}) {
        stepper->start(-1, StateVector{0});
        ASSERT_TRUE(advance(*stepper, 0));
    }
    EXPECT_EQ(failed->statistics().accepted - before, fresh->statistics().accepted);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
