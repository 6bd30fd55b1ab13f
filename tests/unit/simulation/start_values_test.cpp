// Start values of a model: which are kept exactly, which are moved and reported.
#include "simulation/placement/start_values.h"

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;

constexpr double degree = M_PI / 180;
// What "kept exactly" means: solved to rounding of the joints.
constexpr double exact = 1e-12;

struct Linkage {
    double ground = 0.4, crank = 0.1, coupler = 0.4, rocker = 0.3;  // m
    double angles[3] = {60, 15, 80};                                // deg
    std::string marks[3] = {"", "", ""};                            // after each angle
    std::string run;
};

std::string text_of(const Linkage& l) {
    return fmt::format(R"(
format = 1
units = {{ angle = "deg" }}
[body]
ground = {{ points = {{ D = [{:.17g}, 0] }} }}
crank = {{ angle = {:.17g}{}, points = {{ A = [{:.17g}, 0] }} }}
coupler = {{ angle = {:.17g}{}, points = {{ B = [{:.17g}, 0] }} }}
rocker = {{ angle = {:.17g}{}, points = {{ B = [{:.17g}, 0] }} }}
[joint]
O = {{ type = "revolute", a = "ground", b = "crank" }}
A = {{ type = "revolute", a = "crank.A", b = "coupler" }}
B = {{ type = "revolute", a = "coupler.B", b = "rocker.B" }}
D = {{ type = "revolute", a = "ground.D", b = "rocker" }}
{}
)",
                       l.ground, l.angles[0], l.marks[0], l.crank, l.angles[1], l.marks[1],
                       l.coupler, l.angles[2], l.marks[2], l.rocker, l.run);
}

double angle(const PlacedMechanism& placed, int body) {
    return placed.assembly.positions[static_cast<std::size_t>(body)].angle;
}

TEST(StartValues, first_angle_of_a_linkage_is_kept_and_the_others_are_reported) {
    const auto placed = placed_of(text_of({}));
    EXPECT_NEAR(angle(placed, 1), 60 * degree, exact);
    ASSERT_EQ(placed.assembly.moved.size(), 2u);
    const MovedValue& coupler = placed.assembly.moved[0];
    EXPECT_EQ(coupler.body, 2);
    EXPECT_EQ(coupler.span.line, 7);
    EXPECT_DOUBLE_EQ(coupler.given, 15 * degree);
    EXPECT_EQ(coupler.placed, angle(placed, 2));
    const std::string text = moved_text(placed.mechanism, coupler);
    EXPECT_EQ(text.find("body 'coupler': angle moved from 15 deg to "), 0u) << text;
    EXPECT_LE(placed.assembly.residual, 1e-12);
}

TEST(StartValues, value_marked_exact_comes_before_those_above_it) {
    Linkage l;
    l.marks[2] = ", exact = true";
    l.angles[2] = 100;
    const auto placed = placed_of(text_of(l));
    EXPECT_NEAR(angle(placed, 3), 100 * degree, exact);
    EXPECT_EQ(placed.assembly.moved.size(), 2u);
}

TEST(StartValues, coordinates_named_independent_come_first) {
    Linkage l;
    l.run = "[run]\nindependent = [\"D\"]\n";
    l.angles[2] = 100;
    const auto placed = placed_of(text_of(l));
    EXPECT_NEAR(angle(placed, 3), 100 * degree, exact);
}

TEST(StartValues, driver_comes_before_all) {
    Linkage l;
    l.run = "[driver.m]\njoint = \"D\"\ntype = \"speed\"\nspeed = 1\n";
    l.angles[2] = 100;
    const auto placed = placed_of(text_of(l));
    EXPECT_NEAR(angle(placed, 3), 100 * degree, exact);
    EXPECT_EQ(placed.assembly.moved.size(), 2u);
}

TEST(StartValues, exact_value_that_cannot_be_kept_is_an_error) {
    Linkage l;
    l.marks[0] = l.marks[2] = ", exact = true";
    const auto placed = assemble(model_of(text_of(l)).mechanism);
    EXPECT_EQ(placed.assembly.outcome, AssemblyOutcome::start_not_kept);
    EXPECT_EQ(placed.assembly.span.line, 8);
    EXPECT_NE(placed.assembly.message.find("body 'rocker': angle moved from 80 deg to"),
              std::string::npos)
        << placed.assembly.message;
}

TEST(StartValues, value_out_of_reach_gives_way_to_the_next) {
    // The crank-rocker's rocker never reaches 10 degrees; the coupler is the first that can be
    // kept.
    Linkage l;
    std::swap(l.crank, l.rocker);
    l.angles[0] = 179;
    l.angles[1] = 20;
    l.angles[2] = 100;
    const auto placed = placed_of(text_of(l));
    EXPECT_GT(std::abs(angle(placed, 1) - 179 * degree), 1e-3);
    EXPECT_LE(placed.assembly.residual, 1e-12);
    EXPECT_FALSE(placed.assembly.moved.empty());
}

TEST(StartValues, values_that_fit_are_not_touched) {
    // A square parallelogram: all angles fit to rounding.
    Linkage l;
    l.ground = l.coupler = 0.5;
    l.crank = l.rocker = 0.25;
    l.angles[0] = l.angles[2] = 90;
    l.angles[1] = 0;
    const auto placed = placed_of(text_of(l));
    EXPECT_EQ(angle(placed, 1), 90 * degree);
    EXPECT_TRUE(placed.assembly.moved.empty());
}

TEST(StartValues, given_position_of_a_slider_is_kept_along_its_way) {
    const auto placed = placed_of(R"(
format = 1
units = { angle = "deg" }
[body]
slider = { position = [0.32, 0] }
crank = { angle = 40, points = { A = [0.1, 0] } }
rod = { angle = -12, points = { B = [0.25, 0] } }
[joint]
rail = { type = "prismatic", a = "ground", b = "slider" }
O = { type = "revolute", a = "ground", b = "crank" }
A = { type = "revolute", a = "crank.A", b = "rod" }
B = { type = "revolute", a = "rod.B", b = "slider" }
)");
    EXPECT_NEAR(placed.assembly.positions[1].p.x, 0.32, exact);
    // By the law of cosines.
    const double c = 0.1 * 0.1 + 0.32 * 0.32 - 0.25 * 0.25;
    EXPECT_NEAR(angle(placed, 2), std::acos(c / (2 * 0.1 * 0.32)), 1e-11);
    ASSERT_EQ(placed.assembly.moved.size(), 2u);
    EXPECT_EQ(placed.assembly.moved[0].body, 2);
}

TEST(StartValues, exact_without_a_value_is_refused) {
    EXPECT_THROW(placed_of("format = 1\n[body.b]\nexact = true\n"), std::runtime_error);
}

// Random four-bars with rough guesses: the first given angle stands, the linkage is closed, and all
// that moved is listed.
TEST(StartValues, random_linkages_keep_their_first_angle) {
    std::mt19937 random(6);
    std::uniform_real_distribution<double> unit(0, 1);
    int kept = 0;
    for (int k = 0; k < 300; ++k) {
        // The crank turns round (Grashof), so that every angle of it is reached.
        Linkage l;
        l.crank = 0.05 + 0.05 * unit(random);
        l.ground = 0.2 + 0.2 * unit(random);
        l.coupler = 0.2 + 0.2 * unit(random);
        l.rocker = l.ground + l.coupler - l.crank - 2 * l.crank * (0.2 + 0.8 * unit(random));
        if (l.rocker < std::abs(l.ground - l.coupler) + 1.2 * l.crank) continue;
        // Guesses near a closed position, some degrees off.
        const double q = 2 * M_PI * unit(random), ax = l.crank * std::cos(q),
                     ay = l.crank * std::sin(q), dx = l.ground - ax, dy = -ay,
                     d = std::hypot(dx, dy),
                     open = std::acos((l.coupler * l.coupler + d * d - l.rocker * l.rocker) /
                                      (2 * l.coupler * d)),
                     coupler = std::atan2(dy, dx) + open,
                     bx = ax + l.coupler * std::cos(coupler) - l.ground,
                     by = ay + l.coupler * std::sin(coupler);
        const double angles[3] = {q, coupler, std::atan2(by, bx)};
        for (int i = 0; i < 3; ++i)
            l.angles[i] = angles[i] / degree + (i == 0 ? 0 : 8 * unit(random) - 4);
        const auto placed = placed_of(text_of(l));
        EXPECT_NEAR(angle(placed, 1), l.angles[0] * degree, exact) << k;
        EXPECT_LE(placed.assembly.residual, 1e-12) << k;
        // On the side of the guess.
        EXPECT_NEAR(std::remainder(angle(placed, 2) - angles[1], 2 * M_PI), 0, 1e-9) << k;
        for (const MovedValue& moved : placed.assembly.moved) EXPECT_NE(moved.body, 1) << k;
        ++kept;
    }
    EXPECT_GT(kept, 100);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
