// Factors and solutions of small and banded systems against dense ones, and what rows that depend
// on each other are answered with.
#include "math/linear/envelope_ldlt.h"

#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double near_singular = 1e-12, raise = 1e-9;

// Rows coupled up to `band` apart.
struct System {
    System(int n, int band, unsigned seed) : a(Eigen::MatrixXd::Zero(n, n)) {
        std::mt19937 random(seed);
        std::vector<std::pair<int, int>> coupled;
        for (int i = 0; i < n; ++i)
            for (int j = std::max(0, i - band); j <= i; ++j) {
                coupled.emplace_back(i, j);
                const double value = static_cast<double>(random()) / 4294967296.0 - 0.5;
                a(i, j) = a(j, i) = i == j ? 2 * n + value : value;
            }
        ldlt = EnvelopeLdlt(n, coupled);
        fill();
    }
    void fill() {
        ldlt.clear();
        for (int i = 0; i < a.rows(); ++i)
            for (int j = 0; j <= i; ++j)
                if (a(i, j) != 0) ldlt.add(i, j, a(i, j));
        ldlt.factor(near_singular, raise);
    }
    [[nodiscard]] Eigen::VectorXd solved(Eigen::VectorXd b) {
        ldlt.solve({b.data(), static_cast<std::size_t>(b.size())});
        return b;
    }
    Eigen::MatrixXd a;
    EnvelopeLdlt ldlt;
};

TEST(EnvelopeLdlt, solves_small_and_banded_systems) {
    for (const int n : {1, 2, 3, 7})
        for (const int band : {0, 1, n}) {
            System s(n, band, 5);
            const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(n, 1, 2);
            EXPECT_FALSE(s.ldlt.regularised());
            EXPECT_GT(s.ldlt.smallest_pivot(), 0.5);
            EXPECT_LT((s.a * s.solved(b) - b).norm(), 1e-14 * n) << n << " " << band;
        }
}

// Two rows that are one: what both ask for is met, shared, and nothing grows without bound.
TEST(EnvelopeLdlt, bounds_rows_that_depend_on_each_other) {
    for (const int n : {2, 3}) {
        System s(n, n, 6);
        s.a.topLeftCorner(2, 2).setConstant(3);
        if (n == 3) s.a.row(2).head(2).setZero(), s.a.col(2).head(2).setZero();
        s.fill();
        EXPECT_TRUE(s.ldlt.regularised());
        EXPECT_LT(s.ldlt.smallest_pivot(), near_singular);
        Eigen::VectorXd b = Eigen::VectorXd::Ones(n);
        const Eigen::VectorXd x = s.solved(b);
        EXPECT_NEAR(x[0] + x[1], 1.0 / 3, 1e-8);
        EXPECT_NEAR(x[0] - x[1], 0, 0.1);
        // And back where they do not.
        s.a(1, 1) = 5;
        s.fill();
        EXPECT_FALSE(s.ldlt.regularised());
        EXPECT_LT((s.a * s.solved(b) - b).norm(), 1e-14);
    }
}

// A row that is zero from the start is answered with zero, whichever it is.
TEST(EnvelopeLdlt, answers_a_row_of_zeros_with_zero) {
    for (const int n : {1, 2, 3})
        for (int zero = 0; zero < n; ++zero) {
            System s(n, 0, 8);
            s.a(zero, zero) = 0;
            s.fill();
            EXPECT_TRUE(s.ldlt.regularised());
            const Eigen::VectorXd x = s.solved(Eigen::VectorXd::Ones(n));
            for (int i = 0; i < n; ++i)
                EXPECT_NEAR(x[i], i == zero ? 0 : 1 / s.a(i, i), 1e-8) << n << " " << zero;
        }
}

// A row that vanishes beside another of its group, and beside what it was.
TEST(EnvelopeLdlt, sees_a_row_that_vanishes) {
    System s(2, 0, 7);
    std::vector<double> largest, best;
    EXPECT_GT(s.ldlt.smallest_pivot(largest, best), 0.5);
    s.a(1, 1) *= 1e-14;
    s.fill();
    EXPECT_FALSE(s.ldlt.regularised());
    EXPECT_LT(s.ldlt.smallest_pivot(largest, best), 1e-13);
    s.ldlt.set_groups({0, 0});
    s.fill();
    EXPECT_TRUE(s.ldlt.regularised());
    EXPECT_LT(s.ldlt.smallest_pivot(), 1e-13);
}

// A light part: the answer of the rows is a small difference, which a raised diagonal must not
// hide.
TEST(EnvelopeLdlt, solves_rows_that_nearly_depend_on_each_other) {
    for (const int n : {2, 3}) {
        System s(n, n, 9);
        const double small = 1e-9;
        s.a.setZero();
        s.a.topLeftCorner(2, 2) << 1, -1 + small, -1 + small, 1;
        if (n == 3) s.a(2, 2) = 1;
        s.ldlt.clear();
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j) s.ldlt.add(i, j, s.a(i, j));
        s.ldlt.factor(1e-8, 1e-10);
        EXPECT_TRUE(s.ldlt.regularised());
        Eigen::VectorXd b = Eigen::VectorXd::Ones(n);
        const Eigen::VectorXd x = s.solved(b);
        // (1, 1) belongs to the eigenvalue `small`, which 1 - small holds to 1e-7 of it.
        EXPECT_NEAR(x[0] * small, 1, 1e-6);
        EXPECT_NEAR(x[1] * small, 1, 1e-6);
    }
}

// Two equal rows: x0 + x1 is determined, x0 - x1 stays as it was at the start, whatever the right
// side contradicts itself by.
TEST(EnvelopeLdlt, keeps_what_dependent_rows_leave_open) {
    EnvelopeLdlt ldlt(3, {{0, 1}, {1, 2}});
    ldlt.clear();
    for (const auto& [i, j] : {std::pair{0, 0}, {1, 0}, {1, 1}}) ldlt.add(i, j, 2);
    ldlt.add(2, 2, 1);
    ldlt.factor(1e-8, 1e-9);
    EXPECT_TRUE(ldlt.regularised());
    const std::vector<double> start{5, 1, 7};
    // Rounding over the raise; the contradiction over the raise would be of the order of one.
    constexpr double contradiction = 1e-9, digits = 1e-7;
    std::vector<double> x{4 + contradiction, 4 - contradiction, 3};
    ldlt.solve(x, 0, start);
    EXPECT_NEAR(x[0], 3, digits);
    EXPECT_NEAR(x[1], -1, digits);
    EXPECT_NEAR(x[2], 3, digits);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
