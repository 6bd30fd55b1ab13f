// Inverse dynamics with contacts: what a contact moves is not at rest, and its friction is written
// down with the direction of sliding.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;

// A hook on a slide, pushed along a ramp of 45 degrees by `speed`; a spring presses it on.
std::string hook_on_ramp(double speed, double friction) {
    return fmt::format(R"(
format = 1
[body.slide]
position = [0.001, 0]
mass = "1 g"
[body.hook]
position = [0.001, 0.001]
mass = "0.1 g"
[joint]
push = {{ type = "prismatic", a = "ground", b = "slide" }}
flex = {{ type = "prismatic", a = "slide", b = "hook", axis = "90 deg" }}
[driver.hand]
joint = "push"
type = "speed"
speed = {}
[profile]
ramp = {{ body = "ground", elements = [{{ type = "line", from = [0.1, 0.1], to = [-0.1, -0.1] }}] }}
tip = {{ body = "hook", elements = [{{ type = "point", at = [0, 0] }}] }}
[contact.C]
a = "ramp"
b = "tip"
friction = {{ kinetic = {} }}
[force.spring]
type = "joint_spring"
joint = "flex"
stiffness = 2000
free_value = 0
)",
                       speed, friction);
}

KinematicResult inverse(const std::string& text, bool reactions = true) {
    KinematicOptions options;
    options.end = 0.5;
    options.step = 0.1;
    options.reactions = reactions;
    return run_kinematics(placed_of(text), options);
}

TEST(InverseContact, friction_of_a_contact_and_its_direction_are_written) {
    for (const double mu : {0.0, 0.1, 0.2, 0.5})
        for (const double speed : {1e-3, -1e-3}) {
            const auto result = inverse(hook_on_ramp(speed, mu));
            ASSERT_EQ(result.status, KinematicStatus::completed) << result.message;
            EXPECT_TRUE(result.at_rest.empty());
            for (std::size_t row = 0; row < result.trajectory.rows(); ++row) {
                // The spring's 2000 N/m times the height (x = y) on the hook, friction against the
                // way: normal (1 + mu s)/sqrt(2) = force of the spring, s the direction uphill.
                const double y = 0.001 + speed * value(result.trajectory, row, "t");
                const double s = speed > 0 ? 1 : -1;
                const double normal = 2000 * y * std::sqrt(2.0) / (1 - mu * s);
                EXPECT_NEAR(value(result.trajectory, row, "C#1.normal"), normal, 1e-9);
                // t points downhill: sliding uphill is mode -1.
                EXPECT_EQ(value(result.trajectory, row, "C#1.mode"), -s);
                EXPECT_NEAR(value(result.trajectory, row, "C#1.friction"), s * mu * normal, 1e-9);
            }
        }
}

TEST(InverseContact, friction_is_unknown_where_no_forces_are_computed) {
    const auto result = inverse(hook_on_ramp(1e-3, 0.2), false);
    ASSERT_EQ(result.status, KinematicStatus::completed) << result.message;
    for (const char* column : {"C#1.normal", "C#1.friction", "C#1.mode"})
        EXPECT_TRUE(std::isnan(value(result.trajectory, 0, column))) << column;
}

// An eccentric disk (0.05 m, centre at 0.02 m) lifts a follower that a spring presses on.
std::string eccentric(const std::string& follower, const std::string& joint) {
    return R"(
format = 1
body.ground.points = { G = [0.012, 0], P = [0.12, 0.03] }
body.cam = { mass = 0 }
joint.O = { type = "revolute", a = "ground", b = "cam" }
driver.motor = { joint = "O", type = "speed", speed = 12, start = 0.3 }
profile.cam = { body = "cam", elements = [{ type = "circle", centre = [0.02, 0], radius = 0.05 }] }
profile.roller = { body = "follower", at = "follower.R", elements = [{ type = "circle", radius = 0.015 }] }
contact.C = { a = "cam", b = "roller", permanent = true }
)" + follower +
           joint;
}

TEST(InverseContact, static_part_is_the_force_at_rest_in_the_same_position) {
    const auto result = inverse(eccentric(
        "body.follower = { position = [0.012, 0.07], mass = 0.8, points = { R = [0, 0] } }\n",
        "joint.G = { type = \"prismatic\", a = \"ground.G\", b = \"follower\", axis = \"90 deg\" "
        "}\n"
        "force.spring = { type = \"joint_spring\", joint = \"G\", stiffness = 900, free_value = 0 "
        "}\n"));
    ASSERT_EQ(result.status, KinematicStatus::completed) << result.message;
    for (std::size_t row = 0; row < result.trajectory.rows(); ++row) {
        const auto& table = result.trajectory;
        const double angle = 0.3 + 12 * value(table, row, "t");
        const double x = (0.012 - 0.02 * std::cos(angle)) / 0.065, upward = std::sqrt(1 - x * x);
        const double lift = value(table, row, "follower.y");
        EXPECT_NEAR(value(table, row, "C#1.static"), 900 * lift / upward, 1e-9);
        EXPECT_NEAR(value(table, row, "C#1.dynamic"),
                    0.8 * value(table, row, "follower.ay") / upward, 1e-9);
        EXPECT_NEAR(value(table, row, "C#1.pressure_angle"), std::abs(std::asin(x)), 1e-12);
    }
}

TEST(InverseContact, pressure_angle_of_a_swinging_roller_is_that_of_its_centre) {
    const auto result = inverse(eccentric(
        "body.follower = { position = [0.12, 0.03], angle = \"160 deg\", mass = 0.8, inertia = "
        "0.004, points = { R = [0.11, 0] } }\n",
        "joint.P = { type = \"revolute\", a = \"ground.P\", b = \"follower\" }\n"));
    ASSERT_EQ(result.status, KinematicStatus::completed) << result.message;
    for (std::size_t row = 0; row < result.trajectory.rows(); ++row) {
        const double angle = 0.3 + 12 * value(result.trajectory, row, "t"),
                     arm = value(result.trajectory, row, "follower.angle");
        const double x = 0.12 + 0.11 * std::cos(arm) - 0.02 * std::cos(angle),
                     y = 0.03 + 0.11 * std::sin(arm) - 0.02 * std::sin(angle);
        // The way of the centre is (-sin, cos) of the arm.
        const double along = std::abs(-x * std::sin(arm) + y * std::cos(arm)) / 0.065;
        EXPECT_NEAR(value(result.trajectory, row, "C#1.pressure_angle"), std::acos(along), 1e-9);
    }
}

TEST(InverseContact, what_no_contact_moves_is_at_rest) {
    // The same without the ramp.
    std::string text = hook_on_ramp(1e-3, 0.2);
    text.erase(text.find("[profile]"), text.find("[force.spring]") - text.find("[profile]"));
    const auto result = inverse(text, false);
    ASSERT_EQ(result.at_rest.size(), 1u);
    EXPECT_EQ(result.at_rest[0], "flex.x");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
