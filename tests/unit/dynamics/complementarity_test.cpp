// Lemke's method against the enumeration of all sets, and where there is nothing to find.
#include "dynamics/contact/complementarity.h"

#include <cmath>
#include <optional>
#include <random>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

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

// Impacts with friction (Stewart and Trinkle 1996) of a stack of blocks, each on three corners of
// the one below: rows depend on each other, and round velocities let many values vanish together.
// z = (P_n, b+ and b- of each corner, c).
void pose_stack(int blocks, double mu, const VectorXd& v, MatrixXd& m, VectorXd& b) {
    const int c = 3 * blocks, impulses = 3 * c;
    MatrixXd rows = MatrixXd::Zero(2 * c, 3 * blocks), spread = MatrixXd::Zero(2 * c, impulses);
    VectorXd mobility(3 * blocks);
    for (int i = 0; i < c; ++i) {
        const int body = 3 * (i / 3);
        const double x = 0.3 * (i % 3 - 1);
        mobility.segment<3>(body) << 1, 1, 6;
        rows.block<1, 3>(i, body) << 0, 1, x;
        rows.block<1, 3>(c + i, body) << 1, 0, 0.5;
        if (body > 0) rows.block<1, 3>(i, body - 3) << 0, -1, -x;
        if (body > 0) rows.block<1, 3>(c + i, body - 3) << -1, 0, 0.5;
        spread(i, i) = spread(c + i, c + 2 * i) = 1;
        spread(c + i, c + 2 * i + 1) = -1;
    }
    m = MatrixXd::Zero(impulses + c, impulses + c);
    m.topLeftCorner(impulses, impulses) =
        spread.transpose() * rows * mobility.asDiagonal() * rows.transpose() * spread;
    b = VectorXd::Zero(impulses + c);
    b.head(impulses) = spread.transpose() * rows * v;
    for (int i = 0; i < c; ++i) {
        const int plus = c + 2 * i, speed = impulses + i;
        m(plus, speed) = m(plus + 1, speed) = 1;
        m(speed, i) = mu;
        m(speed, plus) = m(speed, plus + 1) = -1;
    }
}

TEST(Complementarity, ties_among_redundant_rows_do_not_lead_astray) {
    Numbers numbers(3);
    for (int trial = 0; trial < 400; ++trial) {
        const int blocks = 1 + trial % 4;
        VectorXd v(3 * blocks), b, z;
        for (int i = 0; i < v.size(); ++i)
            v[i] = trial % 8 < 4 && i % 3 != 1 ? 0 : std::round(2 * numbers()) / 3;
        v[1] = -1;
        MatrixXd m;
        pose_stack(blocks, 0.5 + 0.4 * numbers(), v, m, b);
        ASSERT_EQ(solve_complementarity(m, b, z), ComplementarityOutcome::solved) << trial;
        EXPECT_TRUE(solves(m, b, z)) << trial;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
