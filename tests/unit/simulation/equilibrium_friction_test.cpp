// Equilibria that friction holds, against the closed forms of textbooks.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "simulation/equilibrium/equilibrium.h"
#include "simulation/quasi_static/quasi_static_run.h"
#include "support/runs.h"

namespace pawl {

namespace PAWL_TEST_FILE {

using namespace test;

constexpr double g = 9.81;
constexpr double digits = 1e-7;  // the bounds are found to 1e-9 of the largest force

const HeldLoad& load_of(const EquilibriumResult& result, const std::string& name) {
    for (const HeldLoad& load : result.friction->loads)
        if (load.name == name) return load;
    throw std::runtime_error("no load " + name);
}

// A block of 2 kg in a guide on a slope, pushed along it with 1 N.
std::string guide(double slope, double mu) {
    return R"(
format = 1
[body.block]
angle = ")" +
           std::to_string(slope) + R"( deg"
mass = 2
[joint.plane]
type = "prismatic"
a = "ground"
b = "block"
axis = ")" +
           std::to_string(slope) + R"( deg"
friction.kinetic = )" +
           std::to_string(mu) + R"(
[force.weight]
type = "gravity"
[force.push]
type = "joint_force"
joint = "plane"
value = 1
)";
}

// The same on a floor that it touches with two round feet.
std::string feet(const std::string& slope, const std::string& mu) {
    return "format = 1\nparameters = { a = \"" + slope + " deg\", mu = " + mu + R"x( }
[body.block]
position = ["-0.1*sin(a)", "0.1*cos(a)"]
angle = "a"
mass = 2
inertia = 0.1
[profile.floor]
body = "ground"
elements = [{ type = "line", from = ["9*cos(a)", "9*sin(a)"], to = ["-9*cos(a)", "-9*sin(a)"] }]
[profile.front]
body = "block"
elements = [{ type = "circle", centre = [0.2, 0], radius = 0.1 }]
[profile.back]
body = "block"
elements = [{ type = "circle", centre = [-0.2, 0], radius = 0.1 }]
[contact.F]
a = "floor"
b = "front"
friction.kinetic = "mu"
[contact.B]
a = "floor"
b = "back"
friction.kinetic = "mu"
[force.weight]
type = "gravity"
)x";
}

// mu N = mu m g cos a holds pushes from m g sin a - mu N to m g sin a + mu N.
TEST(EquilibriumFriction, block_on_a_slope_holds_an_interval_of_pushes) {
    const double a = 20 * M_PI / 180, mu = 0.5;
    const EquilibriumResult result = find_equilibrium(placed_of(guide(20, mu)));
    ASSERT_EQ(result.status, EquilibriumStatus::balanced) << result.message;
    ASSERT_TRUE(result.friction && result.friction->holds) << result.friction->problem;
    const double along = 2 * g * std::sin(a), friction_limit = mu * 2 * g * std::cos(a);
    ASSERT_EQ(result.friction->points.size(), 1U);
    EXPECT_NEAR(result.friction->points[0].force, along - 1, digits);
    EXPECT_NEAR(result.friction->points[0].limit, friction_limit, digits);
    EXPECT_NEAR(load_of(result, "push").low, along - friction_limit, 1e-6);
    EXPECT_NEAR(load_of(result, "push").high, along + friction_limit, 1e-6);
    // Below the angle of friction no weight makes it slip, down from that which the push moves.
    EXPECT_EQ(load_of(result, "weight").high, INFINITY);
    EXPECT_NEAR(load_of(result, "weight").low, 1 / (along + friction_limit), 1e-6);
    EXPECT_LT(result.imbalance, 1e-12);
}

TEST(EquilibriumFriction, steeper_than_the_angle_of_friction_it_slips) {
    const EquilibriumResult result = find_equilibrium(placed_of(guide(30, 0.4)));
    EXPECT_EQ(result.status, EquilibriumStatus::runs_away);
    ASSERT_TRUE(result.friction);
    EXPECT_FALSE(result.friction->holds);
    // 2 g sin 30 - 1 = 8.81 N against 0.4 2 g cos 30 = 6.79657 N
    EXPECT_NE(result.message.find("'plane' would have to carry 8.81 N but holds only 6.79657 N"),
              std::string::npos)
        << result.message;
}

// On two feet the forces are shared; the block holds up to tan a = mu, and its weight alone never
// moves it below, but cannot be negative: the floor does not pull.
TEST(EquilibriumFriction, contacts_hold_up_to_the_angle_of_friction) {
    for (const auto& [slope, holds] : {std::pair{"26", true}, {"27", false}}) {
        const EquilibriumResult result =
            find_equilibrium(placed_of(feet(slope, "0.5")));  // 26.565 deg
        ASSERT_TRUE(result.friction) << slope;
        EXPECT_EQ(result.friction->holds, holds) << slope << result.friction->problem;
        if (!holds) continue;
        EXPECT_EQ(result.friction->points.size(), 2U);
        EXPECT_NEAR(load_of(result, "weight").low, 0, 1e-9);
        EXPECT_EQ(load_of(result, "weight").high, INFINITY);
    }
}

// The driver may push with anything between what friction leaves on either side.
TEST(EquilibriumFriction, driver_of_a_stuck_guide_has_an_interval) {
    std::string model = guide(20, 0.5);
    model.replace(model.find("[force.push]"), std::string::npos,
                  "[driver.hand]\njoint = \"plane\"\ntype = \"expression\"\nvalue = \"0 m\"\n");
    const EquilibriumResult result = find_equilibrium(placed_of(model));
    ASSERT_EQ(result.status, EquilibriumStatus::balanced) << result.message;
    ASSERT_TRUE(result.friction->holds) << result.friction->problem;
    const double a = 20 * M_PI / 180, along = 2 * g * std::sin(a), friction_limit = g * std::cos(a);
    EXPECT_NEAR(load_of(result, "hand").low, along - friction_limit, 1e-6);
    EXPECT_NEAR(load_of(result, "hand").high, along + friction_limit, 1e-6);
}

// A lever on a pin with friction: dead weight M at the end of the arm is held while its moment is
// within mu R F of the plain rule, F the weights on the pin.
TEST(EquilibriumFriction, pin_and_constant_torque_hold_a_lever) {
    const auto model = [](const std::string& friction) {
        return R"(
format = 1
[body.lever]
mass = 3
centre = [0.02, 0]
[joint.O]
type = "revolute"
a = "ground"
b = "lever"
radius = 0.05
friction = )" + friction +
               R"(
[force.weight]
type = "gravity"
)";
    };
    // needs 3 g 0.02 = 0.5886 N m
    const EquilibriumResult pin =
        find_equilibrium(placed_of(model("{ kinetic = 0.5, rule = \"plain\" }")));
    ASSERT_TRUE(pin.friction->holds) << pin.friction->problem;
    EXPECT_NEAR(pin.friction->points[0].limit, 0.5 * 0.05 * 3 * g, digits);
    EXPECT_NEAR(std::abs(pin.friction->points[0].force), 3 * g * 0.02, digits);
    const EquilibriumResult bolt =
        find_equilibrium(placed_of(model("{ kinetic = 0, constant = \"1 N m\" }")));
    ASSERT_TRUE(bolt.friction->holds) << bolt.friction->problem;
    EXPECT_NEAR(load_of(bolt, "weight").high, 1 / (3 * g * 0.02), 1e-6);
    EXPECT_NEAR(load_of(bolt, "weight").low, -1 / (3 * g * 0.02), 1e-6);
    EXPECT_FALSE(find_equilibrium(placed_of(model("{ kinetic = 0, constant = \"0.5 N m\" }")))
                     .friction->holds);
}

// Along a path: a block of 2 kg is driven along a slope that a crank raises. The band of the
// driver's force is m g (sin a +- mu cos a).
TEST(EquilibriumFriction, band_of_the_driver_along_a_path) {
    const std::string text = R"(
format = 1
[body.table]
mass = 1
[body.block]
mass = 2
[joint.O]
type = "revolute"
a = "ground"
b = "table"
[joint.plane]
type = "prismatic"
a = "table"
b = "block"
friction = { kinetic = 0.3 }
[driver.raise]
joint = "O"
type = "speed"
speed = 0.5
[driver.push]
joint = "plane"
type = "speed"
speed = 0
[force.weight]
type = "gravity"
)";
    QuasiStaticOptions options;
    options.end = 1;
    options.step = 0.25;
    const QuasiStaticResult r = run_quasi_static(placed_of(text), options);
    ASSERT_EQ(r.status, QuasiStaticStatus::completed) << r.message;
    ASSERT_EQ(r.trajectory.rows(), 5U);
    for (std::size_t i = 0; i < r.trajectory.rows(); ++i) {
        const double a = 0.5 * value(r.trajectory, i, "t");
        EXPECT_EQ(value(r.trajectory, i, "friction.holds"), 1);
        EXPECT_NEAR(value(r.trajectory, i, "push.force_low"),
                    2 * g * (std::sin(a) - 0.3 * std::cos(a)), 1e-6);
        EXPECT_NEAR(value(r.trajectory, i, "push.force_high"),
                    2 * g * (std::sin(a) + 0.3 * std::cos(a)), 1e-6);
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
