// Friction of places that slide, by closed forms.
#include "dynamics/response/sliding.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

// Numbers of order ten with some ten roundings each; Newton's method ends below it.
constexpr double rounding = 1e-13;

FrictionPoint point_of(FrictionPoint::Load kind, int first_load, int loads, double mu,
                       int direction) {
    FrictionPoint point;
    point.kind = kind;
    point.first_load = first_load;
    point.loads = loads;
    point.holding = point.kinetic = mu;
    point.direction = direction;
    return point;
}

TEST(SlidingForces, oppose_the_slip_with_the_coefficient_times_the_load) {
    for (const int direction : {-1, 1}) {
        const FrictionPoint point = point_of(FrictionPoint::Load::contact, 0, 1, 0.3, direction);
        const FrictionPoint* points[] = {&point};
        SlidingForces forces(1, 1);
        forces.first = {20};
        const double slips[] = {direction * 2.0};
        ASSERT_TRUE(forces.solve(points, slips));
        EXPECT_NEAR(forces.force[0], -direction * 6.0, rounding);
        EXPECT_DOUBLE_EQ(forces.margin(), 1);
    }
}

TEST(SlidingForces, viscous_part_counts_whatever_the_load) {
    FrictionPoint point = point_of(FrictionPoint::Load::contact, 0, 1, 0.3, -1);
    point.viscous = 4;
    const FrictionPoint* points[] = {&point};
    SlidingForces forces(1, 1);
    const double slips[] = {-2.0};
    ASSERT_TRUE(forces.solve(points, slips));
    EXPECT_NEAR(forces.force[0], 8, rounding);
}

TEST(SlidingForces, coefficient_falls_with_stribecks_speed) {
    FrictionPoint point = point_of(FrictionPoint::Load::contact, 0, 1, 0.3, 1);
    point.holding = 0.5;
    point.stribeck = 0.1;
    const FrictionPoint* points[] = {&point};
    SlidingForces forces(1, 1);
    forces.first = {10};
    const double slips[] = {0.1};
    ASSERT_TRUE(forces.solve(points, slips));
    EXPECT_NEAR(forces.force[0], -(3 + 2 / std::exp(1.0)), rounding);
}

// N = b + D f and f = -d mu N: f = -d mu b/(1 + d mu D). Painleve's rod at tan = 2: the normal
// force N = (9.81 - 1.2 f)/1.6, margin 1 - 0.75 mu.
TEST(SlidingForces, of_painleves_rod_grow_until_the_margin_vanishes) {
    for (const double mu : {0.5, 1.2, 1.5}) {
        const FrictionPoint point = point_of(FrictionPoint::Load::contact, 0, 1, mu, 1);
        const FrictionPoint* points[] = {&point};
        SlidingForces forces(1, 1);
        forces.first = {9.81 / 1.6};
        forces.slope = {-1.2 / 1.6};
        const double slips[] = {1};
        ASSERT_TRUE(forces.solve(points, slips));
        EXPECT_NEAR(forces.margin(), 1 - 0.75 * mu, rounding);
        const double normal = 9.81 / (1.6 - 1.2 * mu);  // 61.3125 N for 1.2, negative for 1.5
        EXPECT_NEAR(forces.force[0], -mu * normal, 1e2 * rounding);
    }
}

TEST(SlidingForces, without_a_solution_are_told) {
    const FrictionPoint point = point_of(FrictionPoint::Load::contact, 0, 1, 2, 1);
    const FrictionPoint* points[] = {&point};
    SlidingForces forces(1, 1);
    forces.first = {1};
    forces.slope = {-0.5};  // margin 1 - 2/2
    const double slips[] = {1};
    EXPECT_FALSE(forces.solve(points, slips));
}

// A pin loaded with (3, 4) N: mu R F or mu R F/sqrt(1 + mu^2).
TEST(SlidingForces, of_a_pin_are_those_of_the_friction_circle_or_plain) {
    for (const bool circle : {false, true}) {
        FrictionPoint point = point_of(FrictionPoint::Load::vector, 0, 2, 0.75, 1);
        point.lever = 0.1;
        point.circle = circle;
        const FrictionPoint* points[] = {&point};
        SlidingForces forces(1, 2);
        forces.first = {3, -4};
        const double slips[] = {1};
        ASSERT_TRUE(forces.solve(points, slips));
        EXPECT_NEAR(forces.force[0], circle ? -0.3 : -0.375, rounding);  // sqrt(1 + mu^2) = 1.25
    }
}

// F = (3, 4 + f) and f = -F/2: 4 f^2 = 9 + (4 + f)^2, 3 f^2 - 8 f - 25 = 0, f = (4 - sqrt 91)/3.
TEST(SlidingForces, of_a_pin_that_loads_itself_solve_the_quadratic) {
    const FrictionPoint point = point_of(FrictionPoint::Load::vector, 0, 2, 0.5, 1);
    const FrictionPoint* points[] = {&point};
    SlidingForces forces(1, 2);
    forces.first = {3, 4};
    forces.slope = {0, 1};
    const double slips[] = {1};
    ASSERT_TRUE(forces.solve(points, slips));
    EXPECT_NEAR(forces.force[0], (4 - std::sqrt(91.0)) / 3, rounding);
}

// The ends of a guide carry 14.905 and -5.095 N: both rub.
TEST(SlidingForces, of_a_guide_sum_over_its_ends) {
    const FrictionPoint point = point_of(FrictionPoint::Load::each, 0, 2, 0.2, -1);
    const FrictionPoint* points[] = {&point};
    SlidingForces forces(1, 2);
    forces.first = {14.905, -5.095};
    const double slips[] = {-1};
    ASSERT_TRUE(forces.solve(points, slips));
    EXPECT_NEAR(forces.force[0], 4, rounding);
}

// Two places that load each other: N1 = 10 + f2, N2 = 20 - f1, f_k = -mu_k N_k.
TEST(SlidingForces, of_two_places_that_load_each_other_solve_the_pair) {
    const std::array law{point_of(FrictionPoint::Load::contact, 0, 1, 0.5, 1),
                         point_of(FrictionPoint::Load::contact, 1, 1, 0.25, 1)};
    const FrictionPoint* points[] = {&law[0], &law[1]};
    SlidingForces forces(2, 2);
    forces.first = {10, 20};
    forces.slope = {0, 1, -1, 0};
    const double slips[] = {1, 1};
    ASSERT_TRUE(forces.solve(points, slips));
    const double f1 = -0.5 * (10 - 5) / (1 + 0.125), f2 = -0.25 * (20 - f1);
    EXPECT_NEAR(forces.force[0], f1, rounding);
    EXPECT_NEAR(forces.force[1], f2, rounding);
    EXPECT_NEAR(forces.margin(), 1 + 0.125, rounding);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
