#include "dynamics/formulations/crossing_projection.h"

#include <cmath>

#include <gtest/gtest.h>

#include "math/tolerances.h"
#include "verification/slider_crank_equations.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double rounding = 1e-14;

// Two rods of 1 m that are nearly upright on each other, at the angle x from it: on the branch of
// the crank the slider is at 2 sin x, on the other one it stays at 0.
TEST(CrossingProjection, stays_on_its_branch_and_moves_at_right_angles_to_the_velocity) {
    SliderCrankEquations equations;
    CrossingProjection projection(equations);
    for (const double x : {0.3, 0.03, 0.003}) {
        const double e = 0.1 * x;
        const double q0[] = {std::sin(x), std::cos(x), 2 * std::sin(x) + e};
        const double v0[] = {std::cos(x), -std::sin(x), 2 * std::cos(x) + 0.01};
        std::vector<double> q(q0, q0 + 3), v(v0, v0 + 3);
        ASSERT_TRUE(projection.project(q, v, 0)) << x;
        EXPECT_NEAR(q[0] * q[0] + q[1] * q[1], 1, rounding);
        EXPECT_NEAR(q[2], 2 * q[0], 1e-13 / x) << x;
        double along = 0;
        for (int c = 0; c < 3; ++c) along += (q[c] - q0[c]) * v0[c];
        EXPECT_NEAR(along, 0, rounding) << x;
        // The velocity keeps both rods' lengths, and its own part along the given one.
        EXPECT_NEAR(q[0] * v[0] + q[1] * v[1], 0, rounding);
        EXPECT_NEAR(v[2], 2 * v[0], 1e-12 / x) << x;
    }
}

TEST(CrossingProjection, needs_no_velocity) {
    SliderCrankEquations equations;
    CrossingProjection projection(equations);
    std::vector<double> q = {0.6, 0.8, 1.21}, v(3, 0.0);
    ASSERT_TRUE(projection.project(q, v, 0));
    EXPECT_LE(equations.residual(), tolerance::projection);
    EXPECT_EQ(v, std::vector<double>(3, 0.0));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
