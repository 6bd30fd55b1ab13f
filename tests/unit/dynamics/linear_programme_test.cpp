// The simplex method by hand, against all corners, and where its pivots could go round.
#include "dynamics/contact/linear_programme.h"

#include <random>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Numbers of order ten with some ten roundings each.
constexpr double rounding = 1e-11;

TEST(LinearProgramme, is_solved_with_its_prices) {
    // Largest 3 x + 5 y with x <= 4, 2 y <= 12, 3 x + 2 y <= 18: 36 at (2, 6).
    MatrixXd a(3, 2);
    a << 1, 0, 0, 2, 3, 2;
    VectorXd x, price;
    ASSERT_TRUE(maximise(a, Eigen::Vector3d(4, 12, 18), Eigen::Vector2d(3, 5), x, price));
    EXPECT_NEAR(x[0], 2, rounding);
    EXPECT_NEAR(x[1], 6, rounding);
    EXPECT_NEAR(price[0], 0, rounding);
    EXPECT_NEAR(price[1], 1.5, rounding);
    EXPECT_NEAR(price[2], 1, rounding);
}

TEST(LinearProgramme, without_bound_is_told) {
    MatrixXd a(1, 2);
    a << 1, -1;
    VectorXd x, price;
    EXPECT_FALSE(maximise(a, VectorXd::Constant(1, 1), Eigen::Vector2d(0, 1), x, price));
}

// Beale's example of 1955: the column that gains most and the first row that ties go round for
// ever.
TEST(LinearProgramme, ends_where_all_corners_coincide) {
    MatrixXd a(3, 4);
    a << 0.25, -60, -0.04, 9, 0.5, -90, -0.02, 3, 0, 0, 1, 0;
    VectorXd x, price;
    ASSERT_TRUE(
        maximise(a, Eigen::Vector3d(0, 0, 1), Eigen::Vector4d(0.75, -150, 0.02, -6), x, price));
    EXPECT_NEAR(0.75 * x[0] - 150 * x[1] + 0.02 * x[2] - 6 * x[3], 0.05, rounding);
}

// Weak duality is the proof: an admissible x and prices >= 0 with A^T price >= c of equal value.
TEST(LinearProgramme, prices_prove_the_value) {
    std::mt19937 engine(5);
    const auto number = [&] { return static_cast<double>(engine()) / 4294967296.0; };
    for (int trial = 0; trial < 200; ++trial) {
        const int m = 3 + trial % 9, n = 2 + trial % 5;
        MatrixXd a = MatrixXd::NullaryExpr(m, n, [&](auto, auto) { return 2 * number() - 0.5; });
        a.row(0).setOnes();
        // Every third has ties at zero.
        const VectorXd b = VectorXd::NullaryExpr(
            m, [&](auto i) { return i > 0 && trial % 3 == 0 && i % 2 == 0 ? 0.0 : number(); });
        const VectorXd c = VectorXd::NullaryExpr(n, [&](auto) { return 2 * number() - 1; });
        VectorXd x, price;
        ASSERT_TRUE(maximise(a, b, c, x, price)) << trial;
        EXPECT_GE(x.minCoeff(), 0) << trial;
        EXPECT_LE((a * x - b).maxCoeff(), rounding) << trial;
        EXPECT_GE(price.minCoeff(), -rounding) << trial;
        EXPECT_GE((a.transpose() * price - c).minCoeff(), -rounding) << trial;
        EXPECT_NEAR(c.dot(x), b.dot(price), rounding) << trial;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
