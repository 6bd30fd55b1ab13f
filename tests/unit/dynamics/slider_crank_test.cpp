// The published slider-crank: accelerations and multipliers of every formulation, the iterations of
// the augmented Lagrangian one by one, and motion through its singular positions.
#include <cmath>

#include <gtest/gtest.h>

#include "dynamics/formulations/formulations.h"
#include "support/runge_kutta.h"
#include "verification/slider_crank_equations.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Vector = std::vector<double>;

const double half = std::sqrt(0.5);
const Vector regular_q{half, half, 2 * half}, regular_v{-1, 1, -2};
const Vector singular_q{0, 1, 0}, singular_v{-1, 0, -2};
const Vector exact{2.377314575050762, -5.205741699796952, 4.754629150101524};
const Vector exact_multipliers{
    6.163722609117, 2.801692095053};  // of M v' = f + G^T lambda; the source has the other sign

double distance(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
}

Vector acceleration_after(int iterations, const Vector& q, const Vector& v) {
    SliderCrankEquations equations;
    AugmentedDynamics dynamics(equations);
    dynamics.set_penalty(1e4);
    dynamics.set_iterations(iterations);
    EXPECT_EQ(dynamics.respond(0, q, v, {}), RateOutcome::solved);
    return dynamics.acceleration();
}

TEST(SliderCrank, errors_of_the_iterations_are_the_published_ones_in_a_regular_position) {
    // One unit of the last of seven digits.
    EXPECT_NEAR(distance(acceleration_after(1, regular_q, regular_v), exact), 6.579190e-4, 1e-10);
    EXPECT_NEAR(distance(acceleration_after(2, regular_q, regular_v), exact), 4.370539e-8, 1e-14);
    EXPECT_LT(distance(acceleration_after(3, regular_q, regular_v), exact), 1e-11);
}

TEST(SliderCrank, iterations_converge_in_the_singular_position) {
    const double iterates[] = {-1.00045715142829, -1.00000001523787, -1.00000000000051, -1};
    for (int i = 0; i < 4; ++i) {
        const Vector a = acceleration_after(i + 1, singular_q, singular_v);
        EXPECT_NEAR(a[1], iterates[i], 0.6e-14) << "iteration " << i + 1;  // the last printed digit
        EXPECT_EQ(a[0], 0);
        EXPECT_EQ(a[2], 0);
    }
}

TEST(SliderCrank, augmented_forms_answer_in_the_singular_position_with_their_own_penalty) {
    for (const char* name : {"augmented", "augmented_canonical"}) {
        SliderCrankEquations equations;
        const auto dynamics = make_dynamics(named<Formulation>(name).value(), equations);
        ASSERT_EQ(dynamics->respond(0, singular_q, singular_v, {}), RateOutcome::solved);
        EXPECT_LT(distance(dynamics->acceleration(), {0, -1, 0}), 1e-14) << name;  // rounding
    }
}

TEST(SliderCrank, every_formulation_gives_the_published_accelerations_and_multipliers) {
    for (const std::string& name : names_of<Formulation>()) {
        SliderCrankEquations equations;
        const auto dynamics = make_dynamics(named<Formulation>(name).value(), equations);
        ASSERT_EQ(dynamics->respond(0, regular_q, regular_v, {}), RateOutcome::solved) << name;
        EXPECT_LT(distance(dynamics->acceleration(), exact), 1e-13)
            << name;  // some ten roundings of 5
        EXPECT_LT(distance(dynamics->multipliers(), exact_multipliers), 1e-12)
            << name;  // printed digits
    }
}

// Ten seconds, eleven passes. Steps of 1 ms at 3.7 rad/s on average: (h w)^5 each, 2e-12 at the
// fastest, 1e-8 in all.
TEST(SliderCrank, augmented_forms_stay_on_the_branch_through_eleven_singular_positions) {
    for (const char* name : {"augmented", "augmented_canonical"}) {
        SliderCrankEquations equations;
        const auto dynamics = make_dynamics(named<Formulation>(name).value(), equations);
        State state;
        state.q = regular_q;
        state.v = {-2, 2, -4};
        double largest_split = 0;
        for (int i = 0; i < 10000; ++i) {
            state = test::state_after(*dynamics, state, 1e-3 * (i + 1), 1);
            ASSERT_GE(dynamics->project(state), 0);
            largest_split = std::max(largest_split, std::abs(state.q[2] - 2 * state.q[0]));
        }
        EXPECT_LT(largest_split, 1e-8)
            << name;  // zero on the branch; two rods on each other part by up to 1
        EXPECT_NEAR(state.q[2], -1.0617986194, 1e-8) << name;
    }
}

TEST(SliderCrank, independent_coordinate_is_chosen_anew_when_others_would_move_much_faster) {
    SliderCrankEquations equations;
    IndependentDynamics dynamics(equations);
    const auto at = [](double angle) {
        State state;
        state.q = {std::cos(angle), std::sin(angle), 2 * std::cos(angle)};
        return state;
    };
    EXPECT_TRUE(dynamics.refresh(at(0.01)));
    EXPECT_EQ(dynamics.independent(), std::vector{1});  // only y1 moves where the rods lie in line
    EXPECT_FALSE(dynamics.refresh(at(0.5)));
    EXPECT_TRUE(dynamics.refresh(at(1.4)));
    EXPECT_NE(dynamics.independent(), std::vector{1});
}

TEST(SliderCrank, singular_position_is_not_taken_for_a_freedom) {
    SliderCrankEquations equations;
    IndependentDynamics dynamics(equations);
    State state;
    state.q = regular_q;
    dynamics.refresh(state);
    state.q = singular_q;
    dynamics.refresh(state);
    EXPECT_EQ(dynamics.independent().size(), 1U);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
