// Models too large for dense decompositions: freedoms, redundant constraints and reactions.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/placement/mobility.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace {

constexpr int windows = 120;  // 723 coordinates and 722 rows: above the limit of 4e5 entries

// Parallelograms side by side, their uprights at this angle.
std::string ladder(double degrees) {
    const double x = std::cos(degrees * std::numbers::pi / 180),
                 y = std::sin(degrees * std::numbers::pi / 180);
    const std::string rod = "points = { B = [1, 0] }, mass = 1, centre = [0.5, 0], inertia = 0.1";
    std::string text = "format = 1\nforce.weight = { type = \"gravity\" }\n";
    for (int i = 0; i <= windows; ++i)
        text += fmt::format(
            "body.u{0} = {{ position = [{0}, 0], angle = \"{1} deg\", {2} }}\njoint.P{0} = {{ type "
            "= \"revolute\", bodies = [\"ground\", \"u{0}\"], at = [{0}, 0] }}\n",
            i, degrees, rod);
    for (int i = 0; i < windows; ++i)
        text += fmt::format(
            "body.c{0} = {{ position = [{2:.17g}, {3:.17g}], {4} }}\njoint.L{0} = {{ type = "
            "\"revolute\", a = \"u{0}.B\", b = \"c{0}\" }}\njoint.R{0} = {{ type = \"revolute\", a "
            "= \"c{0}.B\", b = \"u{1}.B\" }}\n",
            i, i + 1, i + x, y, rod);
    return text;
}

TEST(LargeModel, has_the_freedoms_of_a_small_one) {
    const Mobility m = analyse_mobility(test::placed_of(ladder(70)));
    EXPECT_EQ(m.gruebler, 1);
    EXPECT_EQ(m.freedoms_here, 1);
    EXPECT_EQ(m.freedoms_nearby, 1);
    EXPECT_EQ(m.independent.size(), 1U);
}

// Flat, every upright may begin to turn alone: the couplers only hold lengths.
TEST(LargeModel, in_a_singular_position_is_told_from_what_it_is_nearby) {
    const Mobility m = analyse_mobility(test::placed_of(ladder(0)));
    EXPECT_EQ(m.freedoms_here, windows + 1);
    EXPECT_EQ(m.freedoms_nearby, 1);
    EXPECT_TRUE(m.singular_here());
}

// A second pin in the place of one: both take half, and no other joint is named.
TEST(LargeModel, redundant_joints_share_their_load_and_are_named) {
    const PlacedMechanism placed = test::placed_of(
        ladder(70) +
        "joint.again = { type = \"revolute\", bodies = [\"ground\", \"u60\"], at = [60, 0] }\n");
    EXPECT_EQ(analyse_mobility(placed).gruebler, -1);
    DynamicOptions options;
    options.end = 0.01;
    const DynamicResult r = run_dynamics(placed, options);
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_TRUE(r.audit.passed());
    ASSERT_EQ(r.warnings.size(), 1U);
    EXPECT_EQ(r.warnings[0].find("the reactions of 'P60', 'again' are not determined"), 0U)
        << r.warnings[0];
    const double half = test::value(r.trajectory, 0, "P60.fy");
    EXPECT_GT(half, 1);
    // What the raise of the dependent rows leaves.
    EXPECT_NEAR(test::value(r.trajectory, 0, "again.fy"), half, 1e-6 * half);
}

}  // namespace
}  // namespace pawl
