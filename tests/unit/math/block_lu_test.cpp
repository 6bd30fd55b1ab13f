// Block LU against a dense solution.
#include "math/linear/block_lu.h"

#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

// Blocks of different sizes on a ring with chords, diagonally dominant and not symmetric.
TEST(BlockLu, solves_what_dense_elimination_solves) {
    const std::vector<int> sizes{3, 1, 2, 3, 3, 5, 3, 1};
    const std::vector<std::pair<int, int>> coupled{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5},
                                                   {5, 6}, {6, 7}, {0, 7}, {2, 6}, {0, 4}};
    std::mt19937 engine(7);
    const auto number = [&] { return static_cast<double>(engine()) / 4294967296.0 - 0.5; };
    std::vector<int> start{0};
    for (const int size : sizes) start.push_back(start.back() + size);
    const int n = start.back();
    BlockLu lu;
    lu.analyse(sizes, coupled);
    lu.clear();
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
    const auto fill = [&](int i, int j) {
        double* to = lu.values(lu.offset(i, j));
        for (int r = 0; r < sizes[i]; ++r)
            for (int c = 0; c < sizes[j]; ++c) {
                const double value = number() + (i == j && r == c ? 10 : 0);
                to[r * sizes[j] + c] = value;
                a(start[i] + r, start[j] + c) = value;
            }
    };
    for (int i = 0; i < static_cast<int>(sizes.size()); ++i) fill(i, i);
    for (const auto& [i, j] : coupled) {
        fill(i, j);
        fill(j, i);
    }
    Eigen::VectorXd b(n);
    for (int i = 0; i < n; ++i) b[i] = number();
    ASSERT_TRUE(lu.factor());
    std::vector<double> x(b.data(), b.data() + n);
    lu.solve(x);
    const Eigen::VectorXd expected = a.partialPivLu().solve(b);
    // Numbers of order 0.1 with about n^2 roundings each.
    for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], expected[i], 1e-14) << i;
}

TEST(BlockLu, a_singular_block_is_reported) {
    BlockLu lu;
    lu.analyse({3, 3}, {});
    lu.clear();
    double* block = lu.values(lu.offset(0, 0));
    for (int i = 0; i < 3; ++i) block[4 * i] = 1;
    EXPECT_FALSE(lu.factor());
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
