// Sweep and prune against the comparison of all pairs.
#include "contact/near_pairs.h"

#include <random>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

TEST(NearPairs, finds_the_pairs_that_overlap_while_circles_move) {
    std::mt19937 engine(3);
    const auto number = [&] { return static_cast<double>(engine()) / 4294967296.0; };
    std::vector<BoundingCircle> circles(200);
    for (auto& c : circles) c = {{10 * number(), 10 * number()}, 0.1 + 0.4 * number()};
    circles[17].radius = 6;  // a bin around many
    NearPairs near;
    std::size_t seen = 0;
    for (int step = 0; step < 20; ++step) {
        for (auto& c : circles) c.centre += {0.6 * (number() - 0.5), 0.6 * (number() - 0.5)};
        std::vector<std::pair<int, int>> expected;
        for (int i = 0; i < 200; ++i)
            for (int k = i + 1; k < 200; ++k) {
                const double x = circles[i].centre.x - circles[k].centre.x,
                             y = circles[i].centre.y - circles[k].centre.y,
                             reach = circles[i].radius + circles[k].radius;
                if (x * x + y * y <= reach * reach) expected.emplace_back(i, k);
            }
        EXPECT_EQ(near.find(circles), expected) << step;
        seen += expected.size();
    }
    EXPECT_GT(seen, 1000U);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
