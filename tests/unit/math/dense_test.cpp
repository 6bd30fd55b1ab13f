// Decompositions of small matrices with known answers.
#include "math/linear/dense.h"

#include <cmath>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding = 1e-14;  // of numbers near 1

MatrixXd rank_one() {
    MatrixXd a(2, 3);
    a << 1, 2, 2, 2, 4, 4;
    return a;
}

TEST(Dense, least_squares_gives_the_smallest_solution) {
    VectorXd b(2);
    b << 9, 18;
    const VectorXd x = solve_least_squares(rank_one(), b, 1e-9);
    EXPECT_NEAR((x - Eigen::Vector3d(1, 2, 2)).norm(), 0, 10 * rounding);
    EXPECT_NEAR((solve_least_squares(rank_one(), b) - x).norm(), 0, 10 * rounding);
}

TEST(Dense, threshold_decides_what_counts_as_zero) {
    MatrixXd a(2, 2);
    a << 1, 0, 0, 1e-6;
    EXPECT_EQ(rank_columns(a, 1e-9).rank, 2);
    EXPECT_EQ(rank_columns(a, 1e-3).rank, 1);
    EXPECT_EQ(full_pivots(a, 1e-9).rank, 2);
    EXPECT_EQ(full_pivots(a, 1e-3).rank, 1);
    EXPECT_EQ(null_space(a, 1e-3).cols(), 1);
    EXPECT_EQ(null_space(a, 1e-9).cols(), 0);
}

TEST(Dense, null_space_and_kernel_are_mapped_to_zero) {
    const MatrixXd z = null_space(rank_one(), 1e-9), k = kernel(rank_one(), 1e-9);
    ASSERT_EQ(z.cols(), 2);
    ASSERT_EQ(k.cols(), 2);
    EXPECT_NEAR((rank_one() * z).norm(), 0, 10 * rounding);
    EXPECT_NEAR((rank_one() * k).norm(), 0, 10 * rounding);
    EXPECT_NEAR((z.transpose() * z - MatrixXd::Identity(2, 2)).norm(), 0, 10 * rounding);
}

TEST(Dense, pivots_begin_with_the_largest) {
    MatrixXd a(2, 3);
    a << 1, 0, 5, 0, 2, 0;
    EXPECT_EQ(pivot_order(a)[0], 2);
    EXPECT_EQ(pivot_order(a)[1], 1);
    EXPECT_EQ(rank_columns(a, 1e-9).order, pivot_order(a));
    const FullPivots pivots = full_pivots(a, 1e-9);
    EXPECT_EQ(pivots.columns[0], 2);
    EXPECT_EQ(pivots.row_positions[0], 0);
}

TEST(Dense, pivoted_qr_solves_with_its_independent_columns) {
    MatrixXd a(3, 3);
    a << 1, 2, 4, 0, 1, 2, 1, 0, 0;  // the last column is twice the second
    const PivotedQr qr = pivoted_qr(a, 1e-9);
    ASSERT_EQ(qr.rank, 2);
    MatrixXd independent(3, 2);
    for (int k = 0; k < 2; ++k) independent.col(k) = a.col(qr.order[static_cast<std::size_t>(k)]);
    const Eigen::Vector2d wanted(3, -0.5);
    VectorXd x = qr.q.leftCols(2).transpose() * (independent * wanted);
    qr.solve_upper(x);
    EXPECT_NEAR((x - wanted).norm(), 0, 10 * rounding);
    VectorXd y = wanted;
    qr.solve_upper_transposed(y);
    EXPECT_NEAR((independent.transpose() * (qr.q.leftCols(2) * y) - wanted).norm(), 0,
                10 * rounding);
}

TEST(Dense, singular_and_badly_conditioned_systems_have_no_solution) {
    MatrixXd a(2, 2), b = MatrixXd::Identity(2, 2);
    a << 1, 2, 2, 4;
    EXPECT_FALSE(solve_pivoted(a, b));
    EXPECT_FALSE(solve_conditioned(a, b, 1e-13));
    a << 2, 0, 1, 4;
    MatrixXd expected(2, 2);
    expected << 0.5, 0, -0.125, 0.25;
    for (const MatrixXd& x :
         {*solve_pivoted(a, b), *solve_conditioned(a, b, 1e-13), solve_regular(a, b), inverse(a)})
        EXPECT_NEAR((x - expected).norm(), 0, rounding);
    EXPECT_NEAR((solve_independent(a, b.col(0)) - expected.col(0)).norm(), 0, rounding);
}

TEST(Dense, eigenvalues_of_a_rotation_and_of_a_symmetric_matrix) {
    MatrixXd turn(2, 2), symmetric(2, 2);
    turn << 0, -1, 1, 0;
    EXPECT_NEAR(std::abs(eigenvalues(turn)[0].imag()), 1, rounding);
    EXPECT_NEAR(eigenvalues(turn)[0].real(), 0, rounding);
    const auto general = general_eigen(turn);
    ASSERT_TRUE(general);
    EXPECT_NEAR(
        (turn * general->vectors.col(0) - general->values[0] * general->vectors.col(0)).norm(), 0,
        rounding);
    symmetric << 2, 1, 1, 2;
    const SymmetricEigen eigen = symmetric_eigen(symmetric);
    EXPECT_NEAR(eigen.values[0], 1, rounding);
    EXPECT_NEAR(eigen.values[1], 3, rounding);
    EXPECT_NEAR(std::abs(eigen.vectors.col(0).dot(Eigen::Vector2d(1, -1).normalized())), 1,
                rounding);
}

TEST(Dense, least_singular_value_has_its_direction) {
    MatrixXd a(2, 2);
    a << 3, 0, 0, 0.5;
    const LeastSingular least = least_singular(a);
    EXPECT_NEAR(least.value, 0.5, rounding);
    EXPECT_NEAR(std::abs(least.direction[1]), 1, rounding);
}

TEST(Dense, orthonormal_columns_span_the_same_space) {
    MatrixXd a(3, 2);
    a << 1, 1, 0, 1, 0, 0;
    const MatrixXd q = orthonormal_columns(a);
    EXPECT_NEAR((q.transpose() * q - MatrixXd::Identity(2, 2)).norm(), 0, rounding);
    EXPECT_NEAR((a - q * (q.transpose() * a)).norm(), 0, rounding);
    EXPECT_NEAR(std::abs(orthogonal_factor(a)(2, 2)), 1, rounding);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
