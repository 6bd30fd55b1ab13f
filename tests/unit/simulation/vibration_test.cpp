// Natural frequencies, damping and shapes about equilibria, against closed forms.
#include "simulation/equilibrium/vibration.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/equilibrium/equilibrium.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::placed_of;

// Stiffness by central differences is good to 4e-11 of the largest; frequencies to half of that,
// times the ratio of the stiffnesses in these models, below 10.
constexpr double exact = 1e-9;

std::vector<VibrationMode> modes_of(const std::string& text, const Overrides& overrides = {}) {
    const EquilibriumResult result = find_equilibrium(placed_of(text, overrides), {.modes = true});
    if (result.status != EquilibriumStatus::balanced) throw std::runtime_error(result.message);
    if (!result.vibration.problem.empty()) throw std::runtime_error(result.vibration.problem);
    return result.vibration.modes;
}

const std::string block = R"(
format = 1
parameters = { k = 50, c = 0 }
[body.ground]
points = { O = [0, 0], wall = [-1, 0] }
[body.block]
mass = 2
[joint.guide]
type = "prismatic"
a = "ground.O"
b = "block"
axis = 0
[force.spring]
type = "spring"
a = "ground.wall"
b = "block"
stiffness = "k*1 N/m"
damping = "c*1 N s/m"
)";

TEST(Vibration, a_mass_on_a_spring_swings_with_the_root_of_stiffness_over_mass) {
    const auto modes = modes_of(block);
    ASSERT_EQ(modes.size(), 1U);
    EXPECT_EQ(modes[0].kind, ModeKind::oscillating);
    EXPECT_NEAR(modes[0].frequency, 5 / (2 * M_PI), exact);
    EXPECT_EQ(modes[0].damping_ratio, 0);
    EXPECT_NEAR(std::abs(modes[0].shape[1].x - 1.0), 0, exact);
    EXPECT_NEAR(std::abs(modes[0].shape[1].y), 0, exact);
}

TEST(Vibration, a_damper_gives_the_damping_ratio_and_leaves_the_natural_frequency) {
    for (const double c : {0.001, 1.0, 10.0, 19.9}) {
        const auto modes = modes_of(block, {{"c", std::to_string(c)}});
        ASSERT_EQ(modes.size(), 1U);
        EXPECT_NEAR(modes[0].frequency, 5 / (2 * M_PI),
                    10 * exact);  // 10: the pair nears a double root
        EXPECT_NEAR(modes[0].damping_ratio, c / (2 * 2 * 5), exact);
    }
}

// 2 s^2 + c s + 50 = 0 with real roots.
TEST(Vibration, an_overdamped_mass_has_two_decaying_motions) {
    for (const double c : {25.0, 2e4}) {
        const auto modes = modes_of(block, {{"c", std::to_string(c)}});
        ASSERT_EQ(modes.size(), 2U);
        const double root = std::sqrt(c * c - 400), fast = -(c + root) / 4, slow = 25 / fast;
        EXPECT_EQ(modes[0].kind, ModeKind::decaying);
        EXPECT_NEAR(modes[0].eigenvalue.real() / slow, 1,
                    1e-7);  // found as the difference to a rate of 5/s: 1e-16 x 5/0.0025
        EXPECT_NEAR(modes[1].eigenvalue.real() / fast, 1, 1e-7);
        EXPECT_EQ(modes[0].damping_ratio, 1);
    }
}

// Two equal uniform rods: w^2 = (3 -+ 6/sqrt(7)) g/L; with absolute angles a, b the shape is b/a =
// (3 g/L - 8/3 w^2)/w^2.
TEST(Vibration, a_hanging_double_pendulum_has_its_two_frequencies_and_shapes) {
    const EquilibriumResult result =
        find_equilibrium(placed_of(test::embedded_text("double_pendulum")), {.modes = true});
    ASSERT_EQ(result.status, EquilibriumStatus::balanced);
    EXPECT_NEAR(result.positions[2].p.y, -1, 1e-10);
    const auto& modes = result.vibration.modes;
    ASSERT_EQ(modes.size(), 2U);
    for (int i = 0; i < 2; ++i) {
        const double square = (3 + (i ? 6 : -6) / std::sqrt(7.0)) * 9.81;
        EXPECT_NEAR(modes[i].frequency, std::sqrt(square) / (2 * M_PI), exact);
        const auto ratio = modes[i].shape[2].angle / modes[i].shape[1].angle;
        EXPECT_NEAR(ratio.real(), (3 * 9.81 - 8.0 / 3 * square) / square, 10 * exact);
        EXPECT_NEAR(ratio.imag(), 0, exact);
        // The tip or the knee moves by 1: the knee by the first angle, the tip by the sum of both.
        const double knee = std::abs(modes[i].shape[1].angle),
                     tip = std::abs(modes[i].shape[1].angle + modes[i].shape[2].angle);
        EXPECT_NEAR(std::max(knee, tip), 1, exact);
    }
}

TEST(Vibration, an_upright_rod_leaves_at_the_rate_of_its_fall) {
    const auto modes = modes_of(R"(
format = 1
[body.rod]
angle = "90 deg"
mass = 2
centre = [0.5, 0]
inertia = "2*1/12"
[joint.O]
type = "revolute"
a = "ground"
b = "rod"
[force.weight]
type = "gravity"
)");
    ASSERT_EQ(modes.size(), 1U);
    EXPECT_EQ(modes[0].kind, ModeKind::growing);
    EXPECT_NEAR(modes[0].eigenvalue.real(), std::sqrt(1.5 * 9.81), 10 * exact);
    // The origin is the pin; the centre of mass, 0.5 m away, is what moves by 1.
    EXPECT_NEAR(std::abs(modes[0].shape[1].angle), 2, 10 * exact);
    EXPECT_EQ(modes[0].frequency, 0);
}

// Two masses of 1 and 3 kg joined by a spring, on a slope so that nothing is exactly zero: they
// drift together, and swing with sqrt(k (1/1 + 1/3)).
TEST(Vibration, a_rigid_body_motion_is_neutral_with_and_without_damping) {
    for (const char* damping : {"0", "0.8"}) {
        const auto modes = modes_of(std::string(R"model(
format = 1
[body.one]
mass = 1
[body.two]
position = ["cos(pi/6)", 0.5]
mass = 3
[joint.A]
type = "prismatic"
a = "ground"
b = "one"
axis = "30 deg"
[joint.B]
type = "prismatic"
a = "ground"
b = "two"
axis = "30 deg"
[force.spring]
type = "spring"
a = "one"
b = "two"
stiffness = 30
damping = )model") + damping + "\n");
        ASSERT_EQ(modes.size(), 2U);
        EXPECT_EQ(modes[0].kind, ModeKind::neutral);
        EXPECT_NEAR(std::abs(modes[0].shape[1].x - modes[0].shape[2].x), 0,
                    1e-6);  // a double root: to the root of 1e-12
        EXPECT_NEAR(modes[1].frequency, std::sqrt(40.0) / (2 * M_PI), 1e-6);
        EXPECT_NEAR(modes[1].damping_ratio, std::stod(damping) * 4 / 3 / (2 * std::sqrt(40.0)),
                    1e-6);
        EXPECT_NEAR((modes[1].shape[1].x / modes[1].shape[2].x).real(), -3, 1e-6);
    }
}

// A ring without mass between two springs that hold a block; beside the second one a damper.
const std::string ringed = R"(
format = 1
parameters = { c = 0, k2 = 60 }
[body.ground]
points = { wall = [-2, 0] }
[body.ring]
position = [-1, 0]
[body.block]
position = [0, 0]
mass = 2
[joint.A]
type = "prismatic"
a = "ground"
b = "ring"
axis = 0
[joint.B]
type = "prismatic"
a = "ground"
b = "block"
axis = 0
[force.one]
type = "spring"
a = "ground.wall"
b = "ring"
stiffness = 30
[force.two]
type = "spring"
a = "ring"
b = "block"
stiffness = "k2*1 N/m"
damping = "c*1 N s/m"
)";

TEST(Vibration, a_freedom_without_mass_follows_the_others_without_a_mode_of_its_own) {
    const EquilibriumResult result = find_equilibrium(placed_of(ringed), {.modes = true});
    ASSERT_EQ(result.vibration.problem, "");
    ASSERT_EQ(result.vibration.modes.size(), 1U);
    EXPECT_EQ(result.vibration.without_inertia, 1);
    EXPECT_NEAR(result.vibration.modes[0].frequency, std::sqrt(20 / 2.0) / (2 * M_PI), exact);
    EXPECT_NEAR((result.vibration.modes[0].shape[1].x).real(), 2.0 / 3,
                exact);  // springs of 30 and 60 share it 2 : 1
}

// Spring 30 in series with spring 60 beside a damper c: with D = 60 + c s, 2 s^2 (30 + D) + 30 D =
// 0.
TEST(Vibration, a_freedom_without_mass_on_a_damper_creeps) {
    const auto modes = modes_of(ringed, {{"c", "7"}});
    ASSERT_EQ(modes.size(), 2U);
    for (const auto& mode : modes) {
        const std::complex<double> s = mode.eigenvalue, d = 60.0 + 7.0 * s;
        EXPECT_NEAR(std::abs(2.0 * s * s * (30.0 + d) + 30.0 * d) / (30 * std::abs(d)), 0, 1e-8);
    }
    EXPECT_EQ(modes[0].kind, ModeKind::oscillating);
    EXPECT_EQ(modes[1].kind, ModeKind::decaying);
}

// Ziegler's column: two massless bars of 1 m, masses 2 and 1 at their ends, springs of 1 N m/rad, a
// follower force P along the second bar. It flutters above P = 7/2 - sqrt(2) (Ziegler 1952), where
// no neighbouring equilibrium exists.
TEST(Vibration, a_follower_force_makes_a_column_flutter_at_zieglers_load) {
    const std::string column = R"(
format = 1
parameters = { P = 2 }
[body.lower]
angle = "90 deg"
points = { top = [1, 0] }
mass = 2
centre = [1, 0]
inertia = 0
[body.upper]
angle = "90 deg"
points = { top = [1, 0] }
mass = 1
centre = [1, 0]
inertia = 0
[joint.A]
type = "revolute"
a = "ground"
b = "lower"
[joint.B]
type = "revolute"
a = "lower.top"
b = "upper"
[force.springA]
type = "joint_spring"
joint = "A"
stiffness = 1
[force.springB]
type = "joint_spring"
joint = "B"
stiffness = 1
[force.follower]
type = "force"
point = "upper.top"
x = "-P"
axes = "body"
)";
    const double flutter = 3.5 - std::sqrt(2.0);
    for (const double part : {0.9, 0.9999, 1.0001, 1.1}) {
        const auto modes = modes_of(column, {{"P", fmt::format("{:.15g}", part * flutter)}});
        const bool stable = part < 1;
        double growth = -INFINITY;
        for (const auto& mode : modes) {
            EXPECT_EQ(mode.kind, ModeKind::oscillating) << part;
            growth = std::max(growth, mode.eigenvalue.real());
        }
        // At the load two frequencies meet: rounding splits them by its root.
        EXPECT_EQ(growth < 1e-6, stable) << part << ' ' << growth;
    }
    // Two masses m1 = 2, m2 = 1 at P below: 2 w^4 - (7 - 2 P) w^2 + 1 = 0.
    const auto modes = modes_of(column, {{"P", "1"}});
    ASSERT_EQ(modes.size(), 2U);
    for (int i = 0; i < 2; ++i)
        EXPECT_NEAR(modes[i].frequency,
                    std::sqrt((5 + (i ? 1 : -1) * std::sqrt(25.0 - 8)) / 4) / (2 * M_PI), exact);
}

TEST(Vibration, says_why_there_is_none) {
    const auto problem = [](const std::string& text) {
        return find_equilibrium(placed_of(text), {.modes = true}).vibration.problem;
    };
    EXPECT_EQ(problem(test::fourbar()), "no degree of freedom is left to vibrate");
    EXPECT_EQ(problem(test::fourbar("")), "no body that moves has a mass");
    EXPECT_EQ(problem("format = 1\n[body.a]\nmass = 1\n[joint.J]\ntype = \"revolute\"\na = "
                      "\"ground\"\nb = \"a\"\n"
                      "[body.b]\nposition = [1, 0]\nmass = 1\n[joint.K]\ntype = \"prismatic\"\na = "
                      "\"ground\"\nb = \"b\"\naxis = 0\n"),
              "a degree of freedom has neither mass nor stiffness");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
