// Halving and golden section on functions whose answer is known.
#include "math/roots.h"

#include <cmath>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

TEST(Roots, bisect_closes_in_on_the_place_where_the_answer_changes) {
    const Bracket found = bisect(1, 2, 60, [](double x) { return x * x < 2; });
    EXPECT_LE(found.low, std::sqrt(2.0));
    EXPECT_GE(found.high, std::sqrt(2.0));
    EXPECT_LE(found.high - found.low, 3e-16);  // two neighbouring numbers
}

TEST(Roots, bisect_ends_after_its_steps_or_when_it_is_narrow_enough) {
    int looks = 0;
    const auto before = [&](double x) {
        ++looks;
        return x < 0.3;
    };
    EXPECT_EQ(bisect(0, 1, 3, before).high, 0.375);
    EXPECT_EQ(looks, 3);
    looks = 0;
    const Bracket wide =
        bisect(0, 1, 60, before, [](double low, double high) { return high - low <= 0.25; });
    EXPECT_EQ(looks, 2);
    EXPECT_EQ(wide.low, 0.25);
    EXPECT_EQ(wide.high, 0.5);
    EXPECT_EQ(wide.middle(), 0.375);
}

TEST(Roots, golden_section_finds_the_valley) {
    const Valley valley = golden_section(
        0, 3, [](double x) { return (x - 1.25) * (x - 1.25) + 7; }, 40);
    EXPECT_NEAR(valley.middle(), 1.25, 1e-7);  // where the square is rounding beside 7
    EXPECT_NEAR(valley.least, 7, 1e-14);
    EXPECT_LE(valley.high - valley.low, 3 * std::pow(0.618034, 40) + 1e-12);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
