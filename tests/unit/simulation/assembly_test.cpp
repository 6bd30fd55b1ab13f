#include "simulation/placement/assembly.h"

#include <cmath>
#include <complex>
#include <random>

#include <gtest/gtest.h>

#include "simulation/placement/assembly_families.h"
#include "support/linkages.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

const std::string held_crank = "type = \"polynomial\"\ncoefficients = [\"crank_angle\"]";

Assembly assembly_of(const std::string& text, const Overrides& overrides = {}) {
    return assemble(test::model_of(text, overrides).mechanism).assembly;
}

// Line of a table in a text, counted from 1.
int line_of(const std::string& text, const std::string& table) {
    return 1 + static_cast<int>(std::count(
                   text.begin(), text.begin() + static_cast<long>(text.find(table)), '\n'));
}

std::complex<double> point_on(const PlanarSpace::Position& p, double x) {
    return {p.p.x + p.u.x * x, p.p.y + p.u.y * x};
}

TEST(Assembly, rough_guesses_end_in_one_of_the_two_closed_positions) {
    std::mt19937 random(2);
    const auto guess = [&] {
        return std::to_string(static_cast<double>(random()) / 4294967296.0 * 360) + " deg";
    };
    for (int trial = 0; trial < 50; ++trial) {
        const Assembly a = assembly_of(test::fourbar(held_crank),
                                       {{"coupler_angle", guess()}, {"rocker_angle", guess()}});
        ASSERT_EQ(a.outcome, AssemblyOutcome::assembled) << a.message;
        EXPECT_LE(a.residual, 1e-12 * a.model_size);
        const std::complex<double> pin = point_on(a.positions[3], 0.4);
        const double miss = std::min(std::abs(pin - test::fourbar_pin(M_PI / 3, 1)),
                                     std::abs(pin - test::fourbar_pin(M_PI / 3, -1)));
        EXPECT_LT(miss, 1e-11);  // 1e-12 of the size times a condition of 10
        EXPECT_LT(std::abs(pin - point_on(a.positions[2], 0.5)), 1e-12);
    }
}

TEST(Assembly, good_guess_is_kept_to_its_side) {
    const Assembly upper = assembly_of(test::fourbar(held_crank));
    const Assembly lower = assembly_of(
        test::fourbar(held_crank), {{"coupler_angle", "-75 deg"}, {"rocker_angle", "-130 deg"}});
    EXPECT_GT(point_on(upper.positions[3], 0.4).imag(), 0);
    EXPECT_LT(point_on(lower.positions[3], 0.4).imag(), 0);
}

TEST(Assembly, mechanism_without_drivers_closes_near_its_guess) {
    const Assembly a = assembly_of(test::fourbar(""));
    EXPECT_EQ(a.outcome, AssemblyOutcome::assembled);
    EXPECT_NEAR(a.positions[1].angle, M_PI / 3, 0.1);  // near the guess
}

// Bars of 0.2, 0.1 and 0.2 m cannot span 1 m: stretched on the line of the pivots they leave a gap
// of 0.5 m.
TEST(Assembly, loop_that_cannot_close_names_the_joint_its_place_and_the_gap) {
    const std::string text = test::fourbar();
    const Assembly a = assembly_of(text, {{"g", "1"}, {"c", "0.2"}, {"k", "0.1"}, {"r", "0.2"}});
    EXPECT_EQ(a.outcome, AssemblyOutcome::joint_open);
    EXPECT_EQ(a.element, "C");
    EXPECT_EQ(a.span.line, line_of(text, "[joint.C]"));
    EXPECT_NEAR(a.gap, 0.5, 5e-4);  // the search for the nearest position stops at gains of 0.1 %
    EXPECT_NE(a.message.find("joint 'C' cannot close"), std::string::npos) << a.message;
    EXPECT_NE(a.message.find("0.5 m"), std::string::npos) << a.message;
}

// The rocker of the crank-rocker reaches 78.46 to 143.13 degrees.
TEST(Assembly, driver_out_of_reach_is_named_with_its_miss) {
    const std::string text =
        test::fourbar("") +
        "[driver.lift]\njoint = \"D\"\ntype = \"polynomial\"\ncoefficients = [\"170 deg\"]\n";
    const Assembly a = assembly_of(text);
    EXPECT_EQ(a.outcome, AssemblyOutcome::driver_out_of_reach);
    EXPECT_EQ(a.element, "lift");
    EXPECT_EQ(a.span.line, line_of(text, "[driver.lift]"));
    EXPECT_GT(a.gap, 0.01 * a.model_size);
    EXPECT_NE(a.message.find("cannot reach"), std::string::npos) << a.message;
}

TEST(Assembly, drivers_that_want_different_positions_of_one_freedom_fight) {
    const Assembly a = assembly_of(
        test::fourbar(held_crank) +
        "[driver.second]\njoint = \"D\"\ntype = \"polynomial\"\ncoefficients = [\"120 deg\"]\n");
    EXPECT_EQ(a.outcome, AssemblyOutcome::drivers_fight);
    EXPECT_NE(a.message.find("'motor'"), std::string::npos) << a.message;
    EXPECT_NE(a.message.find("'second'"), std::string::npos) << a.message;
}

// A block on a wedge: all points come together at the origin, and only their rounding is apart.
TEST(Assembly, what_closes_in_one_place_keeps_the_size_of_its_guess) {
    const Assembly a = assembly_of(R"(
format = 1
body.wedge = {}
body.load = { position = [0, 0.2] }
joint.floor = { type = "prismatic", a = "ground", b = "wedge" }
joint.face = { type = "prismatic", a = "wedge", b = "load", axis = "12 deg" }
joint.wall = { type = "slot", a = "ground", b = "load", axis = "90 deg" }
driver.d = { joint = "floor", type = "speed", speed = "10 mm/s", start = 0 }
)");
    ASSERT_EQ(a.outcome, AssemblyOutcome::assembled) << a.message;
    EXPECT_NEAR(a.model_size, 0.2 * std::sin(12 * M_PI / 180), 1e-12);  // along the face
    ASSERT_EQ(a.moved.size(), 1u);                                      // load.y
}

TEST(Assembly, laws_without_a_start_begin_where_the_bodies_were_placed) {
    const PlacedMechanism placed = test::placed_of(test::fourbar());
    EXPECT_DOUBLE_EQ(placed.mechanism.drivers[0].at(0).value, M_PI / 3);
    EXPECT_NEAR(placed.assembly.positions[1].angle, M_PI / 3, 1e-14);
}

TEST(AssemblyModes, of_a_four_bar_with_a_held_crank_are_two) {
    const auto modes = find_assembly_modes(test::placed_of(test::fourbar(held_crank)), 60);
    ASSERT_EQ(modes.size(), 2U);
    for (const int side : {-1, 1}) {
        const auto pin = test::fourbar_pin(M_PI / 3, side);
        EXPECT_TRUE(std::any_of(modes.begin(), modes.end(), [&](const AssemblyMode& m) {
            return std::abs(point_on(m.positions[3], 0.4) - pin) < 1e-10;
        })) << side;
    }
    EXPECT_GT(modes[0].hits, 0);
    EXPECT_GT(modes[1].hits, 0);
}

// A second dyad hangs on the rocker: point E of the rocker and a pivot F are joined by two links.
// For each of the two positions of the rocker there are two of the dyad as long as its links can
// span |EF|.
TEST(AssemblyModes, of_a_watt_chain_with_a_held_crank_are_four) {
    std::string text = test::fourbar(held_crank) + R"(
[body.link]
angle = "20 deg"
points = { H = [0.5, 0] }
[body.output]
angle = "100 deg"
points = { H = [0.35, 0] }
[joint.E]
type = "revolute"
a = "rocker.E"
b = "link"
[joint.H]
type = "revolute"
a = "link.H"
b = "output.H"
[joint.F]
type = "revolute"
a = "ground.F"
b = "output"
)";
    const auto add_point = [&](const std::string& after, const std::string& point) {
        text.insert(text.find(after) + after.size(), ", " + point);
    };
    add_point("D = [\"g\", 0]", "F = [1.1, 0.1]");
    add_point("C = [\"r\", 0]", "E = [0.3, 0.1]");
    for (const int side : {-1, 1}) {
        const std::complex<double> d(0.5, 0), along = (test::fourbar_pin(M_PI / 3, side) - d) / 0.4;
        const double span =
            std::abs(d + along * std::complex<double>(0.3, 0.1) - std::complex<double>(1.1, 0.1));
        ASSERT_GT(span, 0.5 - 0.35);
        ASSERT_LT(span, 0.5 + 0.35);
    }
    EXPECT_EQ(find_assembly_modes(test::placed_of(text), 300).size(), 4U);
}

TEST(AssemblyModes, keep_freedoms_that_nothing_drives_where_they_are) {
    EXPECT_EQ(find_assembly_modes(test::placed_of(test::fourbar("")), 40).size(), 2U);
    const auto open_chain = test::placed_of(test::embedded_text("trigger_topology"));
    EXPECT_EQ(find_assembly_modes(open_chain, 20).size(), 1U);
}

// A folded kite: two links of the same length from A to P, and two from O to the same pins. Folded,
// B and D coincide and both short links turn together about them.
TEST(AssemblyModes, of_a_folded_linkage_are_one_family) {
    const auto placed = test::placed_of(R"(format = 1
[body.ground]
points = { O = [0, 0], A = [0.3, 0] }
[body.upper]
angle = "30 deg"
points = { B = [0.5, 0] }
[body.lower]
angle = "-30 deg"
points = { D = [0.5, 0] }
[body.AB]
position = [0.3, 0]
angle = "60 deg"
points = { B = [0.3, 0] }
[body.AD]
position = [0.3, 0]
angle = "-60 deg"
points = { D = [0.3, 0] }
[body.BP]
position = [0.433, 0.25]
angle = "-60 deg"
points = { P = [0.3, 0] }
[body.DP]
position = [0.433, -0.25]
angle = "60 deg"
points = { P = [0.3, 0] }
[joint]
O1 = { type = "revolute", a = "ground.O", b = "upper" }
O2 = { type = "revolute", a = "ground.O", b = "lower" }
A1 = { type = "revolute", a = "ground.A", b = "AB" }
A2 = { type = "revolute", a = "ground.A", b = "AD" }
B1 = { type = "revolute", a = "upper.B", b = "AB.B" }
B2 = { type = "revolute", a = "upper.B", b = "BP" }
D1 = { type = "revolute", a = "lower.D", b = "AD.D" }
D2 = { type = "revolute", a = "lower.D", b = "DP" }
P = { type = "revolute", a = "BP.P", b = "DP.P" }
)");
    const auto modes = find_assembly_modes(placed, 100);
    const auto families = group_assembly_modes(placed, modes);
    EXPECT_GT(modes.size(), 10U);
    // Two mirror images and their ways with P inside, and the folded ones up and down.
    EXPECT_LE(families.size(), 6U);
    int folded = 0, hits = 0, members = 0;
    for (const AssemblyFamily& f : families) {
        hits += f.mode.hits;
        members += f.members;
        if (f.freedoms == 0) continue;
        ++folded;
        EXPECT_EQ(f.freedoms, 1);
        EXPECT_EQ(f.bodies, (std::vector<int>{5, 6}));  // BP and DP
    }
    EXPECT_EQ(folded, 2);
    EXPECT_EQ(members, static_cast<int>(modes.size()));
    EXPECT_GT(hits, 50);
}

TEST(FindCoordinate, takes_joint_names_and_components_of_free_joints) {
    const PlanarMechanism m = test::model_of(test::embedded_text("rolling_pinion")).mechanism;
    EXPECT_EQ(find_coordinate(m, "guide")->component, Component::x);
    EXPECT_EQ(find_coordinate(m, "float.angle")->component, Component::angle);
    EXPECT_FALSE(find_coordinate(m, "float"));
    EXPECT_FALSE(find_coordinate(m, "height"));  // a constraint without a coordinate
    EXPECT_FALSE(find_coordinate(m, "nothing"));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
