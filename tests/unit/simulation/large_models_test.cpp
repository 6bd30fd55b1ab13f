// Models too large for dense decompositions: freedoms, redundant constraints and reactions.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/placement/mobility.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

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

// Sixteen disks fall on a floor beside each other, far apart but for the first two, of which one
// lies on the other: of 136 pairs those that come near have columns, and all meet in time.
TEST(LargeModel, has_columns_of_the_contacts_that_come_near) {
    constexpr int disks = 16;
    std::string text =
        "format = 1\nforce.weight = { type = \"gravity\" }\n[profile.floor]\nbody = "
        "\"ground\"\nelements = [{ type = \"line\", from = [100, 0], to = [-1, 0] }]\n";
    for (int i = 0; i < disks; ++i)
        text += fmt::format(
            "[body.d{0}]\nposition = [{1}, {2}]\nmass = 1\ninertia = 0.005\n[profile.d{0}]\nbody "
            "= \"d{0}\"\nelements = [{{ type = \"circle\", radius = 0.1 }}]\n",
            i, i == 1 ? 0.0 : 4.0 * i, i == 1 ? 0.5 : 0.2);
    for (int i = 0; i < disks; ++i) {
        text += fmt::format("[contact.floor_{0}]\na = \"floor\"\nb = \"d{0}\"\n", i);
        for (int k = 0; k < i; ++k)
            text += fmt::format("[contact.d{0}_d{1}]\na = \"d{0}\"\nb = \"d{1}\"\n", k, i);
    }
    DynamicOptions options;
    options.end = 0.3;
    options.step = 0.05;
    const DynamicResult r = run_dynamics(test::placed_of(text), options);
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_TRUE(r.audit.passed());
    std::size_t gaps = 0, floors = 0, impacts = 0;
    for (const Column& column : r.trajectory.columns) {
        gaps += column.name.ends_with("#1.gap") ? 1 : 0;
        floors += column.name.starts_with("floor_") && column.name.ends_with("#1.gap") ? 1 : 0;
    }
    EXPECT_EQ(floors, disks);
    EXPECT_EQ(gaps, disks + 1);  // and d0_d1
    for (const Event& event : r.events)
        if (event.kind == EventKind::impact) {
            ++impacts;
            // The disks fall by 0.1 m, the upper one by 0.2 m onto the one that lies then.
            EXPECT_NEAR(event.t, std::sqrt(2 * (impacts <= disks - 1 ? 0.1 : 0.2) / 9.81), 1e-9);
        }
    EXPECT_EQ(impacts, disks + 1);  // the floor is struck through the disk that lies
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
