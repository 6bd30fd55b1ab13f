#include "math/linear/row_system.h"

#include <cmath>
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

double uniform(std::mt19937& random) {
    return static_cast<double>(random()) / 4294967296.0 * 2 - 1;
}

// Rows with about `share` of their entries, and a diagonal that keeps a square matrix of them
// regular.
struct RandomRows {
    RowPattern pattern;
    std::vector<double> values;
    RandomRows(int rows, int columns, double share, std::mt19937& random) {
        pattern.columns = columns;
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c)
                if (c == r % columns || std::abs(uniform(random)) < share) {
                    pattern.column.push_back(c);
                    values.push_back(uniform(random) + (c == r % columns ? 0.5 : 0));
                }
            pattern.start.push_back(static_cast<int>(pattern.column.size()));
        }
    }
    [[nodiscard]] Eigen::MatrixXd dense(const std::vector<int>& rows) const {
        const std::vector<double> ones(static_cast<std::size_t>(pattern.columns), 1.0);
        return scaled_dense(pattern, values, ones)(rows, Eigen::all);
    }
};

std::vector<int> shuffled(int n, int from, std::mt19937& random) {
    std::vector<int> all(static_cast<std::size_t>(from));
    for (int i = 0; i < from; ++i) all[static_cast<std::size_t>(i)] = i;
    std::shuffle(all.begin(), all.end(), random);
    all.resize(static_cast<std::size_t>(n));
    return all;
}

// Small systems are solved densely, those above the limit sparsely; both must say the same as
// Eigen.
constexpr int sizes[] = {1, 2, 7, 25, RowSystem::largest_dense, RowSystem::largest_dense + 1, 90};

TEST(RowSystem, solves_the_chosen_rows_as_eigen_does) {
    std::mt19937 random(1);
    for (const int n : sizes) {
        const RandomRows rows(n + 5, n, std::min(1.0, 6.0 / n), random);
        RowSystem system(rows.pattern, shuffled(n, n, random));
        ASSERT_TRUE(system.factor(rows.values));
        const Eigen::VectorXd b = Eigen::VectorXd::Random(n + 5);
        Eigen::VectorXd x(n);
        system.solve({b.data(), static_cast<std::size_t>(n + 5)},
                     {x.data(), static_cast<std::size_t>(n)});
        const Eigen::MatrixXd a = rows.dense(system.rows());
        const Eigen::VectorXd expected = a.fullPivLu().solve(b(system.rows()).eval());
        const double condition =
            a.jacobiSvd().singularValues()(0) / a.jacobiSvd().singularValues()(n - 1);
        EXPECT_LT((x - expected).norm(), 1e-14 * condition * expected.norm())
            << n;  // rounding times condition
    }
}

TEST(RowSystem, determinant_has_the_sign_and_size_that_eigen_finds) {
    std::mt19937 random(2);
    for (const int n : sizes)
        for (int trial = 0; trial < 6; ++trial) {
            const RandomRows rows(n, n, std::min(1.0, 6.0 / n), random);
            RowSystem system(rows.pattern, shuffled(n, n, random));
            ASSERT_TRUE(system.factor(rows.values));
            const double determinant = rows.dense(system.rows()).fullPivLu().determinant();
            EXPECT_EQ(system.determinant_sign(), determinant < 0 ? -1 : 1) << n;
            EXPECT_NEAR(system.log_determinant(), std::log(std::abs(determinant)), 1e-9)
                << n;  // n roundings x condition
        }
}

TEST(RowSystem, determinant_of_a_huge_or_tiny_matrix_does_not_overflow) {
    RowPattern diagonal;
    diagonal.columns = 30;
    for (int i = 0; i < 30; ++i) {
        diagonal.column.push_back(i);
        diagonal.start.push_back(i + 1);
    }
    std::mt19937 random(3);
    RowSystem system(diagonal, shuffled(30, 30, random));
    for (const double scale : {1e-30, 1e30}) {
        ASSERT_TRUE(system.factor(std::vector<double>(30, scale)));
        EXPECT_NEAR(system.log_determinant(), 30 * std::log(scale), 1e-10);
    }
}

// The estimate climbs from below: never above the true condition, and within a factor of 3 of it.
// Rows of very different sizes make one column of the inverse rule, which the climb finds only with
// the transposed system.
TEST(RowSystem, condition_estimate_is_within_a_factor_of_three_of_the_true_one) {
    std::mt19937 random(4);
    for (const int n : sizes)
        for (int trial = 0; trial < 20; ++trial) {
            RandomRows rows(n, n, std::min(1.0, 6.0 / n), random);
            for (int r = 0; r < n; ++r) {
                const double factor = std::pow(10.0, 2 * uniform(random));
                for (int i = rows.pattern.start[r]; i < rows.pattern.start[r + 1]; ++i)
                    rows.values[i] *= factor;
            }
            std::vector<double> scale;
            for (int c = 0; c < n; ++c) scale.push_back(std::pow(10.0, uniform(random)));
            RowSystem system(rows.pattern, shuffled(n, n, random));
            ASSERT_TRUE(system.factor(rows.values));
            const Eigen::MatrixXd a =
                rows.dense(system.rows()) *
                Eigen::Map<Eigen::VectorXd>(scale.data(), n).cwiseInverse().asDiagonal();
            const auto norm = [](const Eigen::MatrixXd& m) {
                return m.cwiseAbs().colwise().sum().maxCoeff();
            };
            const double exact = norm(a) * norm(a.inverse()), estimate = system.condition(scale);
            EXPECT_LE(estimate, exact * (1 + 1e-6)) << n;
            EXPECT_GE(estimate, exact / 3) << n;
        }
}

TEST(RowSystem, says_when_a_matrix_is_singular_or_not_finite) {
    std::mt19937 random(5);
    for (const int n : {3, RowSystem::largest_dense + 5}) {
        RandomRows rows(n, n, 0.2, random);
        RowSystem system(rows.pattern, shuffled(n, n, random));
        ASSERT_TRUE(system.factor(rows.values));
        auto values = rows.values;
        for (int i = rows.pattern.start[1]; i < rows.pattern.start[2]; ++i) values[i] = 0;
        EXPECT_FALSE(system.factor(values)) << n;
        EXPECT_EQ(system.determinant_sign(), 0) << n;
        EXPECT_TRUE(std::isinf(system.condition(std::vector<double>(n, 1.0)))) << n;
        values = rows.values;
        values[2] = NAN;
        ASSERT_TRUE(system.factor(rows.values)) << n;  // a sign that must not survive
        EXPECT_FALSE(system.factor(values)) << n;
        EXPECT_EQ(system.determinant_sign(), 0) << n;
        EXPECT_EQ(system.log_determinant(), -INFINITY) << n;
        EXPECT_TRUE(system.factor(rows.values)) << n;
    }
}

// Rows of which every seventh is a combination of two earlier ones and every eleventh is zero.
RandomRows dependent_rows(int rows, int columns, int& rank, std::mt19937& random) {
    RandomRows all(0, columns, 0, random);
    std::vector<Eigen::VectorXd> kept;
    for (int r = 0; r < rows; ++r) {
        Eigen::VectorXd row = Eigen::VectorXd::Zero(columns);
        if (r % 11 == 5) {
        } else if (r % 7 == 6) {
            row = kept[random() % kept.size()] - 0.7 * kept[random() % kept.size()];
        } else {
            row[static_cast<int>(kept.size())] = 1 + std::abs(uniform(random));
            row[static_cast<int>(random() % columns)] += uniform(random);
            row[static_cast<int>(random() % columns)] += uniform(random);
            kept.push_back(row);
        }
        for (int c = 0; c < columns; ++c)
            if (row[c] != 0) {
                all.pattern.column.push_back(c);
                all.values.push_back(row[c]);
            }
        all.pattern.start.push_back(static_cast<int>(all.pattern.column.size()));
    }
    rank = static_cast<int>(kept.size());
    return all;
}

// 60 x 80 is ranked densely, 640 x 700 sparsely (the limit is 4e5 entries).
TEST(RowRank, finds_the_rank_and_a_full_set_of_independent_rows_densely_and_sparsely) {
    std::mt19937 random(6);
    for (const auto& [rows, columns] : {std::pair{60, 80}, {640, 700}}) {
        int rank = 0;
        const RandomRows all = dependent_rows(rows, columns, rank, random);
        const std::vector<double> ones(static_cast<std::size_t>(columns), 1.0);
        const RowRank result = rank_of_rows(all.pattern, all.values, ones);
        EXPECT_EQ(result.rank, rank);
        EXPECT_EQ(result.independent.size(), static_cast<std::size_t>(rank));
        EXPECT_EQ(result.independent.size() + result.dependent.size(),
                  static_cast<std::size_t>(rows));
        for (int r = 5; r < rows; r += 11)
            EXPECT_TRUE(std::binary_search(result.dependent.begin(), result.dependent.end(), r))
                << r;
        const Eigen::MatrixXd chosen = all.dense(result.independent);
        Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(chosen.transpose());
        qr.setThreshold(1e-9);
        EXPECT_EQ(qr.rank(), rank);
    }
}

TEST(RowRank, does_not_depend_on_the_units_of_the_columns_when_they_are_scaled) {
    std::mt19937 random(7);
    int rank = 0;
    RandomRows all = dependent_rows(30, 40, rank, random);
    std::vector<double> scale(40, 1.0);
    for (int c = 0; c < 40; c += 3)
        scale[static_cast<std::size_t>(c)] = 1e-12;  // an angle of a tiny mechanism
    for (std::size_t i = 0; i < all.values.size(); ++i)
        all.values[i] *= scale[static_cast<std::size_t>(all.pattern.column[i])];
    EXPECT_EQ(rank_of_rows(all.pattern, all.values, scale).rank, rank);
}

TEST(NullSpace, is_orthonormal_and_annihilated_by_the_rows) {
    std::mt19937 random(8);
    int rank = 0;
    const RandomRows all = dependent_rows(25, 30, rank, random);
    const std::vector<double> ones(30, 1.0);
    const Eigen::MatrixXd free = null_space(all.pattern, all.values, ones);
    EXPECT_EQ(free.cols(), 30 - rank);
    EXPECT_LT((scaled_dense(all.pattern, all.values, ones) * free).norm(), 1e-13);
    EXPECT_LT(
        (free.transpose() * free - Eigen::MatrixXd::Identity(free.cols(), free.cols())).norm(),
        1e-13);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
