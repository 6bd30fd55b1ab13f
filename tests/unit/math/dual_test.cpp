#include "math/dual.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "finite_differences.h"
#include "smooth_functions.h"

namespace pawl {
namespace PAWL_TEST_FILE {

TEST(Dual, functions_have_the_value_of_plain_numbers) {
    for (const SmoothFunction& f : smooth_functions())
        EXPECT_DOUBLE_EQ(f.dual({f.argument, 1}).value, f.plain(f.argument)) << f.name;
}

TEST(Dual, functions_have_the_derivative_of_finite_differences) {
    for (const SmoothFunction& f : smooth_functions()) {
        const double expected = first_difference(f.plain, f.argument, difference_step);
        EXPECT_NEAR(f.dual({f.argument, 1}).derivative, expected, first_difference_error) << f.name;
    }
}

TEST(Dual, derivative_is_proportional_to_the_seed) {
    for (const SmoothFunction& f : smooth_functions()) {
        // Multiplying by a power of two is exact.
        EXPECT_EQ(f.dual({f.argument, 4}).derivative, 4 * f.dual({f.argument, 1}).derivative)
            << f.name;
        EXPECT_EQ(f.dual({f.argument, 0}).derivative, 0) << f.name;
    }
}

TEST(Dual, constants_stay_constant_where_the_slope_is_infinite) {
    for (const Dual x : {sqrt(Dual(0)), asin(Dual(1)), acos(Dual(-1)), hypot(Dual(0), Dual(0)),
                         atan2(Dual(0), Dual(0)), pow(Dual(0), Dual(0.5))})
        EXPECT_EQ(x.derivative, 0);
    EXPECT_FALSE(isfinite(sqrt(Dual(0, 1))));
}

TEST(Dual, power_of_zero_is_smooth_for_whole_exponents) {
    EXPECT_EQ(pow(Dual(0, 1), Dual(1)).derivative, 1);
    EXPECT_EQ(pow(Dual(0, 1), Dual(2)).derivative, 0);
    EXPECT_EQ(pow(Dual(0, 1), Dual(0)).derivative, 0);
    EXPECT_EQ(pow(Dual(0), Dual(2, 1)).derivative, 0);
}

TEST(Dual, comparisons_look_at_the_value) {
    EXPECT_TRUE(Dual(1, 5) == Dual(1, 7));
    EXPECT_TRUE(Dual(1, 5) < 2.0);
    EXPECT_TRUE(2.0 >= Dual(1, 5));
    EXPECT_EQ(value_of(Dual(3, 4)), 3);
    EXPECT_EQ(value_of(3.0), 3);
}

TEST(Dual, eigen_solves_with_the_derivative_of_the_inverse) {
    // x = A(p)⁻¹ b has dx = −A⁻¹ dA x.
    Eigen::Matrix3d a, da;
    a << 4, 1, 0, 1, 3, -1, 0.5, 0, 2;
    da << 1, 0, 2, 0, -1, 0, 0, 1, 1;
    const Eigen::Vector3d b(1, 2, 3);
    Eigen::Matrix<Dual, 3, 3> m;
    for (int i = 0; i < 9; ++i) m(i) = Dual(a(i), da(i));
    const Eigen::Matrix<Dual, 3, 1> x = m.partialPivLu().solve(b.cast<Dual>());
    const Eigen::Vector3d plain = a.partialPivLu().solve(b),
                          dx = a.partialPivLu().solve(-da * plain);
    const double rounding = 1e-14;  // condition below 10, a dozen operations
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(x(i).value, plain(i), rounding);
        EXPECT_NEAR(x(i).derivative, dx(i), rounding);
    }
}

TEST(Dual, eigen_mixes_dual_and_plain_scalars) {
    const Eigen::Matrix<Dual, 2, 1> v(Dual(3, 1), Dual(4, 0));
    EXPECT_EQ((2.0 * v)(0).derivative, 2);
    EXPECT_DOUBLE_EQ(v.norm().derivative, 0.6);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
