// Equilibria: positions, stability and reactions against closed forms and independent searches.
#include <cmath>

#include <gtest/gtest.h>

#include "simulation/equilibrium/equilibrium.h"
#include "support/linkages.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::placed_of;

// A rod of 1 m and 2 kg on a pin at the origin, its angle from the x axis; 3 kg m^2 about the
// centre.
const std::string rod = R"(
format = 1
parameters = { start = "0 deg" }
[body.rod]
angle = "start"
points = { O = [0, 0], tip = [1, 0] }
mass = 2
centre = [0.5, 0]
inertia = 3
[joint.O]
type = "revolute"
a = "ground"
b = "rod.O"
[force.weight]
type = "gravity"
)";

// Newton's method ends where the unbalance is 1e-12 of the force or below; the position is as good,
// times 1 m or 1 rad, but for a stiffness smaller than force/size, here by 1/100 at most.
constexpr double exact = 1e-10;

double reaction(const EquilibriumResult& result, const std::string& name) {
    for (std::size_t i = 0; i < result.columns.size(); ++i)
        if (result.columns[i].name == name) return result.forces[i];
    throw std::runtime_error("no force " + name);
}

TEST(Statics, a_pendulum_falls_to_hang_and_its_pin_carries_the_weight) {
    for (const char* start : {"0 deg", "60 deg", "89 deg", "-170 deg"}) {
        const EquilibriumResult result = find_equilibrium(placed_of(rod, {{"start", start}}));
        ASSERT_EQ(result.status, EquilibriumStatus::balanced) << result.message;
        EXPECT_NEAR(result.positions[1].angle, -M_PI / 2, exact) << start;
        EXPECT_EQ(result.stability, Stability::stable);
        EXPECT_EQ(result.unstable, 0);
        // Turning by an angle x lifts the centre by x^2/4: m g/2 per rad^2, over the square of the
        // model's size, 1 m.
        EXPECT_NEAR(result.stiffness[0], 9.81, 9.81 * 1e-9);  // central differences: 4e-11
        EXPECT_NEAR(reaction(result, "O.fx"), 0, 1e-9);
        EXPECT_NEAR(reaction(result, "O.fy"), 2 * 9.81, 1e-9);
        EXPECT_NEAR(result.potential, -9.81, 1e-9);
        EXPECT_LE(result.unbalance, result.unbalance_limit);
    }
}

TEST(Statics, a_pendulum_balanced_upright_stays_and_is_called_unstable) {
    const EquilibriumResult upright = find_equilibrium(placed_of(rod, {{"start", "90 deg"}}));
    ASSERT_EQ(upright.status, EquilibriumStatus::balanced);
    EXPECT_NEAR(upright.positions[1].angle, M_PI / 2, exact);
    EXPECT_EQ(upright.stability, Stability::unstable);
    EXPECT_EQ(upright.unstable, 1);
    EXPECT_NEAR(upright.stiffness[0], -9.81, 9.81 * 1e-9);
}

// Upright in balance, but a block beside it is not: what moves leaves the unstable balance too.
TEST(Statics, an_unstable_direction_is_left_when_the_others_are_not_in_balance) {
    const EquilibriumResult result = find_equilibrium(placed_of(rod + R"(
[body.block]
position = [1, 2]
mass = 1
[body.ground]
points = { wall = [0, 2] }
[joint.guide]
type = "prismatic"
a = "ground.wall"
b = "block"
axis = 0
[force.spring]
type = "spring"
a = "ground.wall"
b = "block"
stiffness = 50
free_length = 0.7
)",
                                                                {{"start", "90 deg"}}));
    ASSERT_EQ(result.status, EquilibriumStatus::balanced) << result.message;
    EXPECT_EQ(result.stability, Stability::stable);
    EXPECT_NEAR(result.positions[2].p.x, 0.7, exact);
    EXPECT_NEAR(std::sin(result.positions[1].angle), -1, exact);
}

// The state keeps its start value, 3 N m: m g cos(a)/2 = 3.
TEST(Statics, states_of_the_user_keep_their_start_value) {
    const EquilibriumResult result = find_equilibrium(
        placed_of(rod + "[state.wound]\nrate = \"1\"\nstart = 3\n[force.motor]\ntype = "
                        "\"torque\"\nbody = \"rod\"\nvalue = \"wound\"\n"));
    ASSERT_EQ(result.status, EquilibriumStatus::balanced) << result.message;
    EXPECT_NEAR(result.positions[1].angle, -std::acos(3 / 9.81), exact);
}

// k (a - a0) = m g cos(a)/2 sideways: solved here by bisection.
TEST(Statics, a_torsion_spring_with_offset_holds_the_rod_where_moments_balance) {
    const auto placed = placed_of(rod + R"(
[force.spring]
type = "joint_spring"
joint = "O"
stiffness = "40 N m/rad"
free_value = "30 deg"
preload = "1.5 N m"
)");
    const EquilibriumResult result = find_equilibrium(placed);
    double low = -1, high = 1;
    const auto moment = [](double a) { return -40 * (a - M_PI / 6) - 1.5 - 9.81 * std::cos(a); };
    for (int i = 0; i < 60; ++i) (moment((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    ASSERT_EQ(result.status, EquilibriumStatus::balanced) << result.message;
    EXPECT_NEAR(result.positions[1].angle, low, exact);
    EXPECT_EQ(result.stability, Stability::stable);
}

// The potential over the crank angle in closed form, its least value by golden section.
TEST(Statics, a_four_bar_on_springs_rests_where_an_independent_search_finds_the_least_potential) {
    const std::string loads = R"(
[force.weight]
type = "gravity"
[force.pull]
type = "spring"
a = "coupler.C"
b = "ground.O"
stiffness = "60 N/m"
free_length = "0.3 m"
[force.twist]
type = "joint_spring"
joint = "O"
stiffness = "4 N m/rad"
free_value = "40 deg"
)";
    std::string text = test::fourbar("");
    const auto heavy = [&](const std::string& body, const char* inside) {
        text.insert(text.find("points", text.find("[body." + body + "]")), inside);
    };
    heavy("crank", "mass = 0.5\ncentre = [0.1, 0]\n");
    heavy("coupler", "mass = 0.8\ncentre = [0.25, 0]\n");
    heavy("rocker", "mass = 0.7\ncentre = [0.2, 0]\n");
    const EquilibriumResult result = find_equilibrium(placed_of(text + loads));
    const auto potential = [](double crank) {
        const auto a = std::polar(0.2, crank), c = test::fourbar_pin(crank, -1),
                   d = std::complex<double>(0.5, 0);
        const double height =
            0.5 * a.imag() / 2 + 0.8 * (a + c).imag() / 2 + 0.7 * (c + d).imag() / 2;
        return 9.81 * height + 30 * std::pow(std::abs(c) - 0.3, 2) +
               2 * std::pow(crank - 40 * M_PI / 180, 2);
    };
    ASSERT_EQ(result.status, EquilibriumStatus::balanced) << result.message;
    const double found = result.positions[1].angle, golden = (std::sqrt(5.0) - 1) / 2;
    double low = M_PI / 3, high = 1.6;  // from the start to beyond the valley
    ASSERT_GT(std::min(potential(low), potential(high)), potential(found));
    for (int i = 0; i < 100; ++i) {
        const double left = high - golden * (high - low), right = low + golden * (high - low);
        (potential(left) < potential(right) ? high : low) =
            potential(left) < potential(right) ? right : left;
    }
    EXPECT_NEAR(found, low,
                1e-7);  // a minimum of rounded numbers is found to the root of rounding, 1.5e-8
    EXPECT_NEAR(result.potential, potential(found), 1e-12 * 100);  // sums of some J
    EXPECT_EQ(result.stability, Stability::stable);
    EXPECT_TRUE(result.conservative);
    // The same from the gradient of the closed form.
    const double h = 1e-5;
    EXPECT_NEAR((potential(found + h) - potential(found - h)) / (2 * h), 0, 1e-8);
}

// Three uprights of 0.1 m on one coupler line turn as one; a torque M on the first is balanced by
// springs on all.
TEST(Statics, redundant_joints_do_not_disturb_the_balance_and_are_reported) {
    const auto placed = placed_of(test::ladder(2, "60 deg", "") + R"(
[force.spring0]
type = "joint_spring"
joint = "base_0"
stiffness = 2
[force.spring2]
type = "joint_spring"
joint = "base_2"
stiffness = 3
[force.load]
type = "torque"
body = "upright_1"
value = "0.5"
)");
    // One coupler too many: tie the outer uprights together once more.
    const auto redundant = placed_of(test::ladder(2, "60 deg", "") + R"(
[body.tie]
angle = 0
points = { right = [0.6, 0] }
[joint.tie_left]
type = "revolute"
a = "upright_0.top"
b = "tie"
[joint.tie_right]
type = "revolute"
a = "tie.right"
b = "upright_2.top"
[force.spring0]
type = "joint_spring"
joint = "base_0"
stiffness = 2
[force.spring2]
type = "joint_spring"
joint = "base_2"
stiffness = 3
[force.load]
type = "torque"
body = "upright_1"
value = "0.5"
)");
    for (const auto* p : {&placed, &redundant}) {
        const EquilibriumResult result = find_equilibrium(*p);
        ASSERT_EQ(result.status, EquilibriumStatus::balanced) << result.message;
        for (int b = 1; b <= 3; ++b)
            EXPECT_NEAR(result.positions[b].angle, M_PI / 3 + 0.5 / 5, exact);
        EXPECT_EQ(result.stability, Stability::stable);
        EXPECT_EQ(result.stiffness.size(), 1U);
        EXPECT_LT(result.imbalance,
                  1e-9);  // the joints carry what remains, to the rounding of their condition
        EXPECT_EQ(result.warnings.size(), p == &redundant ? 1U : 0U);
    }
}

TEST(Statics, no_equilibrium_exists_for_a_constant_force_on_a_free_slider) {
    const auto placed = placed_of(R"(
format = 1
[body.block]
mass = 1
[joint.guide]
type = "prismatic"
a = "ground"
b = "block"
axis = 0
[force.push]
type = "force"
point = "block"
x = "5"
)");
    const EquilibriumResult result = find_equilibrium(placed);
    EXPECT_EQ(result.status, EquilibriumStatus::runs_away);
    EXPECT_EQ(result.message,
              "no equilibrium at t = 0 s: nothing balances the forces along 'guide.x', which moves "
              "away without bound when released; add a spring or a driver that holds it, or reduce "
              "the load");
    EXPECT_EQ(result.span.line, 5);
}

TEST(Statics, a_motor_stronger_than_the_weight_finds_no_rest) {
    const std::string motor = "[force.motor]\ntype = \"torque\"\nbody = \"rod\"\nvalue = \"";
    // The weight resists with 9.81 N m at most.
    EXPECT_EQ(find_equilibrium(placed_of(rod + motor + "9.82\"\n")).status,
              EquilibriumStatus::runs_away);
    const EquilibriumResult held = find_equilibrium(placed_of(rod + motor + "9.8\"\n"));
    ASSERT_EQ(held.status, EquilibriumStatus::balanced);
    EXPECT_NEAR(held.positions[1].angle, -std::acos(9.8 / 9.81),
                100 * exact);  // the stiffness is 1/22 of the moment
}

TEST(Statics, drivers_hold_the_value_of_the_given_time_and_their_force_is_given) {
    const auto placed = placed_of(
        rod + "[driver.crane]\njoint = \"O\"\ntype = \"speed\"\nspeed = \"1 rad/s\"\nstart = 0\n");
    for (const double t : {0.0, 0.5, 7.0}) {
        const EquilibriumResult result = find_equilibrium(placed, {.at = t});
        ASSERT_EQ(result.status, EquilibriumStatus::balanced);
        EXPECT_EQ(result.stability, Stability::held);
        EXPECT_NEAR(result.positions[1].angle, t, exact);
        EXPECT_NEAR(reaction(result, "crane.force"), 9.81 * std::cos(t), 1e-9);
    }
}

TEST(Statics, a_driver_beyond_reach_is_told_apart_from_a_missing_balance) {
    const auto placed = placed_of(test::fourbar("").append(
        "[driver.lift]\njoint = \"D\"\ntype = \"speed\"\nspeed = \"1 rad/s\"\n"));
    EXPECT_EQ(find_equilibrium(placed, {.at = 0.01}).status, EquilibriumStatus::balanced);
    const EquilibriumResult beyond = find_equilibrium(placed, {.at = 3});
    EXPECT_EQ(beyond.status, EquilibriumStatus::out_of_reach);
    EXPECT_NE(beyond.message.find("t = 3 s"), std::string::npos);
}

TEST(Statics, a_freedom_without_forces_is_neutral) {
    const EquilibriumResult result =
        find_equilibrium(placed_of("format = 1\n[body.disk]\nmass = 1\ninertia = 1\n"));
    ASSERT_EQ(result.status, EquilibriumStatus::balanced);
    EXPECT_EQ(result.stability, Stability::neutral);
    EXPECT_EQ(result.neutral, 3);
}

// Bodies without mass between springs: k1 and k2 in series under 10 N stretch by 10/k1 and 10/k1 +
// 10/k2.
TEST(Statics, bodies_without_mass_balance_as_well) {
    const EquilibriumResult result = find_equilibrium(placed_of(R"(
format = 1
[body.ground]
points = { O = [0, 0] }
[body.ring]
position = [1, 0]
[body.hook]
position = [2, 0]
[joint.A]
type = "prismatic"
a = "ground"
b = "ring"
axis = 0
[joint.B]
type = "prismatic"
a = "ground"
b = "hook"
axis = 0
[force.one]
type = "spring"
a = "ground.O"
b = "ring"
stiffness = 100
[force.two]
type = "spring"
a = "ring"
b = "hook"
stiffness = 50
[force.load]
type = "force"
point = "hook"
x = "10"
)"));
    ASSERT_EQ(result.status, EquilibriumStatus::balanced) << result.message;
    EXPECT_NEAR(result.positions[1].p.x, 1.1, exact);
    EXPECT_NEAR(result.positions[2].p.x, 2.3, exact);
}

// A torque on each rod that grows with the angle of the other has no potential: K = [[k, -p], [p,
// k]].
TEST(Statics, forces_without_a_potential_are_balanced_and_named) {
    std::string text = R"(
format = 1
[body.one]
angle = 0.3
[body.two]
angle = -0.2
[joint.A]
type = "revolute"
a = "ground"
b = "one"
[joint.B]
type = "revolute"
a = "ground"
b = "two"
[measure.a]
type = "angle"
a = "ground"
b = "one"
[measure.b]
type = "angle"
a = "ground"
b = "two"
)";
    for (const char* joint : {"A", "B"})
        text += std::string("[force.spring") + joint + "]\ntype = \"joint_spring\"\njoint = \"" +
                joint + "\"\nstiffness = 2\nfree_value = 0.1\n";
    text +=
        "[force.tA]\ntype = \"torque\"\nbody = \"one\"\nvalue = \"5*b\"\n[force.tB]\ntype = "
        "\"torque\"\nbody = \"two\"\nvalue = \"-5*a\"\n";
    const EquilibriumResult result = find_equilibrium(placed_of(text));
    ASSERT_EQ(result.status, EquilibriumStatus::balanced) << result.message;
    // 2 (0.1 - a) + 5 b = 0, 2 (0.1 - b) - 5 a = 0.
    EXPECT_NEAR(result.positions[1].angle, (0.4 + 1.0) / 29, exact);
    EXPECT_NEAR(result.positions[2].angle, (0.4 - 1.0) / 29, exact);
    EXPECT_FALSE(result.conservative);
    EXPECT_EQ(result.stability, Stability::stable);
}

// Ziegler's column (vibration_test.cpp) above its load, where only its vibration grows; and a
// spring whose damper pulls with the motion.
TEST(Statics, an_equilibrium_that_flutters_is_unstable) {
    const auto column = [](double load) {
        return find_equilibrium(placed_of(
            "format = 1\n[body.a]\nmass = 2\ninertia = 0\ncentre = [1, 0]\npoints = { E = [1, 0] "
            "}\n[body.b]\nmass = 1\ninertia = 0\ncentre = [1, 0]\npoints = { E = [1, 0] }\n"
            "[joint.o]\ntype = \"revolute\"\na = \"ground\"\nb = \"a\"\n"
            "[joint.p]\ntype = \"revolute\"\na = \"a.E\"\nb = \"b\"\n"
            "[force.k]\ntype = \"joint_spring\"\njoint = \"o\"\nstiffness = 1\n"
            "[force.l]\ntype = \"joint_spring\"\njoint = \"p\"\nstiffness = 1\n"
            "[force.f]\ntype = \"force\"\npoint = \"b.E\"\naxes = \"body\"\nx = " +
            std::to_string(-load) + "\n"));
    };
    const double critical = 3.5 - std::sqrt(2.0);
    EXPECT_EQ(column(0.99 * critical).stability, Stability::stable);
    const EquilibriumResult flutters = column(1.01 * critical);
    EXPECT_EQ(flutters.stability, Stability::unstable);
    EXPECT_EQ(flutters.unstable, 0);
    ASSERT_EQ(flutters.warnings.size(), 1U);
    EXPECT_NE(flutters.warnings[0].find("flutter"), std::string::npos);

    const auto slider = [](const std::string& damping) {
        return find_equilibrium(
                   placed_of("format = 1\n[body.a]\nmass = 1\n[joint.g]\ntype = \"prismatic\"\n"
                             "a = \"ground\"\nb = \"a\"\n[force.f]\ntype = \"joint_force\"\n"
                             "joint = \"g\"\nvalue = \"-4*s - " +
                             damping + "*v\"\n"))
            .stability;
    };
    EXPECT_EQ(slider("0.1"), Stability::stable);
    EXPECT_EQ(slider("(-0.1)"), Stability::unstable);
}

TEST(Statics, more_than_300_coordinates_are_refused) {
    const EquilibriumResult result =
        find_equilibrium(placed_of(test::ladder(160, "60 deg", "type = \"speed\"\nspeed = 1")));
    EXPECT_EQ(result.status, EquilibriumStatus::refused);
    EXPECT_EQ(result.message, "statics works up to 300 coordinates; this model has 321");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
