// Lemke's method against the enumeration of all sets, and where there is nothing to find.
#include "dynamics/complementarity.h"

#include <optional>
#include <random>

#include <gtest/gtest.h>

namespace pawl {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Numbers of order one with about n^2 roundings each.
constexpr double rounding = 1e-9;

class Numbers {
public:
    explicit Numbers(unsigned seed) : engine_(seed) {}
    double operator()() { return 2 * (static_cast<double>(engine_()) / 4294967296.0) - 1; }
    MatrixXd matrix(int rows, int columns) {
        return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return (*this)(); });
    }

private:
    std::mt19937 engine_;
};

bool solves(const MatrixXd& a, const VectorXd& b, const VectorXd& z) {
    const VectorXd w = a * z + b;
    return z.minCoeff() >= 0 && w.minCoeff() >= -rounding &&
           w.cwiseProduct(z).cwiseAbs().maxCoeff() <= rounding * (1 + z.cwiseAbs().maxCoeff());
}

// Tries every set of positive z.
std::optional<VectorXd> enumerate(const MatrixXd& a, const VectorXd& b) {
    const int n = static_cast<int>(b.size());
    for (int set = 0; set < 1 << n; ++set) {
        std::vector<int> in;
        for (int i = 0; i < n; ++i)
            if (set >> i & 1) in.push_back(i);
        VectorXd z = VectorXd::Zero(n);
        if (!in.empty()) {
            const MatrixXd block = a(in, in);
            const VectorXd part = block.fullPivLu().solve(VectorXd(-b(in)));
            if ((block * part + b(in)).cwiseAbs().maxCoeff() > rounding) continue;
            z(in) = part;
        }
        if (z.minCoeff() >= -rounding && (a * z + b).minCoeff() >= -rounding) return z;
    }
    return std::nullopt;
}

TEST(Complementarity, is_solved_as_by_trying_every_set) {
    Numbers numbers(1);
    for (int trial = 0; trial < 500; ++trial) {
        const int n = 1 + trial % 7;
        const MatrixXd root = numbers.matrix(n, n);
        const MatrixXd a = root * root.transpose() + 0.05 * MatrixXd::Identity(n, n);
        const VectorXd b = numbers.matrix(n, 1);
        VectorXd z;
        ASSERT_EQ(solve_complementarity(a, b, z), ComplementarityOutcome::solved) << trial;
        const auto expected = enumerate(a, b);
        ASSERT_TRUE(expected) << trial;
        EXPECT_LT((z - *expected).cwiseAbs().maxCoeff(), rounding) << trial;
        EXPECT_TRUE(solves(a, b, z)) << trial;
    }
}

// A = G G^T with fewer columns than rows: redundant contacts. b in the range of G plus something
// that opens keeps it solvable; A z and w are unique even where z is not.
TEST(Complementarity, of_redundant_rows_has_one_of_the_solutions) {
    Numbers numbers(2);
    for (int trial = 0; trial < 500; ++trial) {
        const int n = 2 + trial % 6, rank = 1 + trial % std::min(n, 3);
        const MatrixXd g = numbers.matrix(n, rank);
        const MatrixXd a = g * g.transpose();
        const VectorXd b = g * numbers.matrix(rank, 1) + 0.1 * numbers.matrix(n, 1).cwiseAbs();
        VectorXd z;
        ASSERT_EQ(solve_complementarity(a, b, z), ComplementarityOutcome::solved) << trial;
        EXPECT_TRUE(solves(a, b, z)) << trial << "\n" << a << "\n" << b;
        const auto expected = enumerate(a, b);
        ASSERT_TRUE(expected) << trial;
        EXPECT_LT((a * (z - *expected)).cwiseAbs().maxCoeff(), 10 * rounding) << trial;
    }
}

// Equal rows: every pivot ties.
TEST(Complementarity, of_equal_rows_does_not_cycle) {
    for (int n = 1; n <= 12; ++n) {
        const MatrixXd a = MatrixXd::Ones(n, n);
        VectorXd z;
        ASSERT_EQ(solve_complementarity(a, VectorXd::Constant(n, -1), z),
                  ComplementarityOutcome::solved)
            << n;
        EXPECT_NEAR(z.sum(), 1, rounding);
        EXPECT_TRUE(solves(a, VectorXd::Constant(n, -1), z));
    }
}

// Small integers: many pivots tie.
TEST(Complementarity, with_many_ties_does_not_cycle) {
    Numbers numbers(3);
    for (int trial = 0; trial < 500; ++trial) {
        const int n = 2 + trial % 6;
        MatrixXd g = numbers.matrix(n, 3);
        g = (2 * g).array().round();
        const VectorXd b = g * (2 * numbers.matrix(3, 1)).array().round().matrix();
        const MatrixXd a = g * g.transpose();
        VectorXd z;
        ASSERT_EQ(solve_complementarity(a, b, z), ComplementarityOutcome::solved) << trial << "\n"
                                                                                  << a << "\n"
                                                                                  << b;
        EXPECT_TRUE(solves(a, b, z)) << trial;
    }
}

TEST(Complementarity, without_a_solution_ends_on_a_ray) {
    VectorXd z;
    // A row that nothing moves and that closes.
    EXPECT_EQ(solve_complementarity(MatrixXd::Zero(1, 1), VectorXd::Constant(1, -1), z),
              ComplementarityOutcome::ray);
    // Two rows against each other, both closing: a wedge between two drivers.
    MatrixXd a(2, 2);
    a << 1, -1, -1, 1;
    EXPECT_EQ(solve_complementarity(a, VectorXd::Constant(2, -1), z), ComplementarityOutcome::ray);
    // The same beside rows that could be solved.
    MatrixXd larger = MatrixXd::Identity(4, 4);
    larger.bottomRightCorner(2, 2) = a;
    EXPECT_EQ(solve_complementarity(larger, VectorXd::Constant(4, -1), z),
              ComplementarityOutcome::ray);
}

TEST(Complementarity, of_opening_rows_needs_no_force) {
    VectorXd z;
    const VectorXd b = VectorXd::LinSpaced(4, 0, 3);
    EXPECT_EQ(solve_complementarity(MatrixXd::Zero(4, 4), b, z), ComplementarityOutcome::solved);
    EXPECT_EQ(z, VectorXd::Zero(4));
    EXPECT_EQ(solve_complementarity(MatrixXd(0, 0), VectorXd(0), z),
              ComplementarityOutcome::solved);
}

// Masses from grams to tons: the answer to b / s is the answer to b, over s.
TEST(Complementarity, does_not_depend_on_scale) {
    Numbers numbers(4);
    for (const double scale : {1e-12, 1e-6, 1e6, 1e12})
        for (int trial = 0; trial < 50; ++trial) {
            const MatrixXd root = numbers.matrix(5, 5);
            const MatrixXd a = root * root.transpose() + 0.05 * MatrixXd::Identity(5, 5);
            const VectorXd b = numbers.matrix(5, 1);
            VectorXd z, scaled;
            ASSERT_EQ(solve_complementarity(a, b, z), ComplementarityOutcome::solved);
            ASSERT_EQ(solve_complementarity(scale * a, b, scaled), ComplementarityOutcome::solved);
            EXPECT_LT((scale * scaled - z).cwiseAbs().maxCoeff(), rounding) << scale;
        }
}

}  // namespace
}  // namespace pawl
