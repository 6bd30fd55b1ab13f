// Errors in friction and in the laws of impact, and models whose friction cannot be told.
#include <gtest/gtest.h>

#include "diagnostics/errors_of.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/program.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Line 7 is the first after the joint's header.
std::string errors_of_joint(const std::string& joint) {
    return errors_of(R"(format = 1
[body.block]
mass = 1
[joint.J]
a = "ground"
b = "block"
)" + joint);
}

// Line 12 is the first after the sides of the contact.
std::string errors_of_contact(const std::string& contact) {
    return errors_of(R"(format = 1
[body.ball]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [1, 0], to = [-1, 0] }]
[profile.rim]
body = "ball"
elements = [{ type = "circle", radius = 1 }]
[contact.C]
a = "floor"
b = "rim"
)" + contact);
}

TEST(FrictionErrors, coefficients_of_joints_are_checked_where_they_stand) {
    const std::string guide = "type = \"prismatic\"\n";
    EXPECT_EQ(errors_of_joint(guide + "friction = { kinetic = -0.1 }\n"),
              "8:24: error: joint 'J', friction, kinetic: must not be negative\n");
    EXPECT_EQ(
        errors_of_joint(guide + "friction = { kinetic = 0.3, static = 0.2 }\n"),
        "8:38: error: joint 'J', friction, static: must not be below the kinetic coefficient\n");
    EXPECT_EQ(errors_of_joint(guide + "friction = { kinetic = 0.3, stribeck = 0 }\n"),
              "8:40: error: joint 'J', friction, stribeck: must be positive\n");
    EXPECT_EQ(errors_of_joint(guide + "friction = { kinetic = 0.3, stribeck = \"-1 mm/s\" }\n"),
              "8:40: error: joint 'J', friction, stribeck: must be positive\n");
    EXPECT_EQ(errors_of_joint(guide + "friction = { kinetic = 0.3, viscous = -1 }\n"),
              "8:39: error: joint 'J', friction, viscous: must not be negative\n");
    EXPECT_EQ(errors_of_joint(guide + "friction = { static = 0.3 }\n"),
              "8:12: error: joint 'J', friction needs the key 'kinetic'\n");
    EXPECT_EQ(errors_of_joint(guide + "friction = { kinetic = \"3 mm\" }\n"),
              "8:25: error: joint 'J', friction, kinetic: expected a plain number, but '3 mm' is a "
              "length\n");
    EXPECT_EQ(errors_of_joint(guide + "friction = 0.3\n"),
              "8:12: error: joint 'J', friction: expected a table, not a number\n");
    EXPECT_EQ(errors_of_joint(guide + "guide = 0\nfriction = { kinetic = 0.3 }\n"),
              "8:9: error: joint 'J', guide: must be positive\n");
}

TEST(FrictionErrors, coefficients_over_the_speed_are_checked_at_many_speeds) {
    const std::string guide = "type = \"prismatic\"\n";
    EXPECT_EQ(errors_of_joint(guide + "friction = { kinetic = \"0.3 - v\" }\n"),
              "8:24: error: joint 'J', friction, kinetic: must not be negative\n");
    EXPECT_EQ(errors_of_joint(guide + "friction = { kinetic = \"0.1/v\" }\n"),
              "8:25: error: joint 'J', friction, kinetic at v = 0 m/s: the value is infinite; is "
              "there a division by zero?\n");
    EXPECT_EQ(errors_of_joint(guide + "friction = { kinetic = \"0.1*w\" }\n"),
              "8:29: error: joint 'J', friction, kinetic: unknown name 'w'\n");
    EXPECT_EQ(
        errors_of_joint(guide + "friction = { kinetic = \"0.1 + v\", stribeck = 1 }\n"),
        "8:46: error: joint 'J', friction, stribeck: is not valid with a coefficient that is an "
        "expression of v\n");
    EXPECT_EQ(errors_of_contact("restitution = \"1.2 - v\"\n"),
              "12:15: error: contact 'C', restitution: must be between 0 and 1\n");
    EXPECT_EQ(errors_of_contact("restitution = \"1 - v/4\"\n"),
              "12:15: error: contact 'C', restitution: must be between 0 and 1 at every speed of "
              "approach; min(1, ...) and max(0, ...) keep it there\n");
    EXPECT_EQ(errors_of_contact("hysteresis = 1e10\n"),
              "12:14: error: contact 'C', hysteresis: of a rigid contact goes with "
              "`stiffness`, from which restitution follows\n");
    EXPECT_EQ(errors_of_contact("hysteresis = 1e10\nstiffness = 1e9\nrestitution = 0.5\n"),
              "14:15: error: contact 'C', restitution: follows from `hysteresis` and `stiffness`; "
              "do not give it as well\n");
}

TEST(FrictionErrors, constant_and_smooth_friction_of_joints) {
    const std::string pin = "type = \"revolute\"\n";
    EXPECT_EQ(errors_of_joint(pin + "friction = { kinetic = 0, constant = \"-1 N m\" }\n"),
              "8:38: error: joint 'J', friction, constant: must not be negative\n");
    EXPECT_EQ(errors_of_joint(pin + "friction = { kinetic = 0, constant = \"1 N\" }\n"),
              "8:39: error: joint 'J', friction, constant: expected a torque, but '1 N' is a "
              "force\n");
    EXPECT_EQ(errors_of_joint(pin + "friction = { kinetic = 0, constant = 1 }\n"), "no error\n");
    EXPECT_EQ(errors_of_joint(pin + "friction = { kinetic = 0, constant = 1, smooth = 0.1 }\n"),
              "8:12: error: joint 'J', friction: needs the 'radius' of the pin\n");
    EXPECT_EQ(
        errors_of_joint(
            "type = \"prismatic\"\nfriction = { kinetic = 0.1, static = 0.2, smooth = 0.1 }\n"),
        "8:38: error: joint 'J', friction, static: is not valid with `smooth`: nothing sticks\n");
    EXPECT_EQ(errors_of_joint(pin + "radius = 0.1\nclearance = 0.001\nfriction = { kinetic = 0, "
                                    "constant = 1 }\n"),
              "10:12: error: joint 'J', friction: with a clearance, friction has no constant part "
              "and cannot be smooth\n");
}

TEST(FrictionErrors, numbers_of_the_augmented_lagrangian_need_it) {
    EXPECT_EQ(errors_of("format = 1\n[run]\npenalty = 1e6\n"),
              "3:11: error: run, penalty: is valid only with dynamics = \"augmented\" or "
              "\"augmented_canonical\"\n");
    EXPECT_EQ(errors_of("format = 1\n[run]\ndynamics = \"augmented\"\npenalty_damping = 1\n"),
              "4:19: error: run, penalty_damping: is valid only with penalty_frequency\n");
    EXPECT_EQ(errors_of("format = 1\n[run]\ndynamics = \"augmented\"\npenalty = 0\n"),
              "4:11: error: run, penalty: must be positive\n");
}

TEST(FrictionErrors, pin_with_friction_needs_its_radius) {
    const std::string pin = "type = \"revolute\"\n";
    EXPECT_EQ(errors_of_joint(pin + "friction = { kinetic = 0.1 }\n"),
              "8:12: error: joint 'J', friction: needs the 'radius' of the pin\n");
    EXPECT_EQ(errors_of_joint(pin + "radius = 0\nfriction = { kinetic = 0.1 }\n"),
              "8:10: error: joint 'J', radius: must be positive\n");
    EXPECT_EQ(
        errors_of_joint(pin + "radius = 0.1\nfriction = { kinetic = 0.1, rule = \"exact\" }\n"),
        "9:37: error: joint 'J', friction, rule: unknown value 'exact'; valid: friction_circle, "
        "plain\n");
    EXPECT_EQ(
        errors_of_joint("type = \"weld\"\nfriction = { kinetic = 0.1 }\n"),
        "8:1: error: joint 'J': unknown key 'friction'; valid: type, a, b, bodies, at, angle\n");
}

TEST(FrictionErrors, smooth_friction_is_of_compliant_contacts) {
    EXPECT_EQ(errors_of_contact("friction = { kinetic = 0.2, smooth = \"1 mm/s\" }\n"),
              "12:38: error: contact 'C', friction.smooth: is not valid with law = \"rigid\"\n");
    EXPECT_EQ(errors_of_contact("law = \"kelvin_voigt\"\nstiffness = 1e6\n"
                                "friction = { kinetic = 0.2, smooth = \"1 mm/s\" }\n"),
              "no error\n");
}

TEST(FrictionErrors, coefficients_of_contacts_are_checked_where_they_stand) {
    EXPECT_EQ(errors_of_contact("friction = { kinetic = -1 }\n"),
              "12:24: error: contact 'C', "
              "friction, kinetic: must not be negative\n");
    EXPECT_EQ(errors_of_contact("friction = { kinetic = 0.2, rolling = \"-1 mm\" }\n"),
              "12:39: error: contact 'C', "
              "friction, rolling: must not be negative\n");
    EXPECT_EQ(errors_of_contact("friction = { kinetic = 0.2, smooth = 0 }\n"),
              "12:38: error: contact 'C', "
              "friction, smooth: must be positive\n");
    EXPECT_EQ(errors_of_contact("friction = { kinetic = 0.2, radius = 1 }\n"),
              "12:29: error: contact 'C', friction: "
              "unknown key 'radius'; valid: kinetic, static, stribeck, viscous, rolling, smooth\n");
}

TEST(FrictionErrors, laws_of_impact_are_checked_where_they_stand) {
    EXPECT_EQ(errors_of_contact("impact = \"hertz\"\n"),
              "12:11: error: contact 'C', "
              "impact: unknown value 'hertz'; valid: newton, poisson, stronge\n");
    EXPECT_EQ(errors_of_contact("friction_rule = \"coulomb\"\n"),
              "12:18: error: contact 'C', "
              "friction_rule: unknown value 'coulomb'; valid: routh, separation\n");
    EXPECT_EQ(errors_of_contact("rolling_rule = \"after\"\n"),
              "12:17: error: contact 'C', "
              "rolling_rule: unknown value 'after'; valid: follows, before\n");
    EXPECT_EQ(errors_of_contact("tangential_restitution = 1.5\n"),
              "12:26: error: contact 'C', "
              "tangential_restitution: must be between 0 and 1\n");
    EXPECT_EQ(errors_of_contact("restitution = -0.5\n"),
              "12:15: error: contact 'C', "
              "restitution: must be between 0 and 1\n");
    EXPECT_EQ(errors_of_contact("tangential_impact = 1\n"),
              "12:21: error: contact 'C', "
              "tangential_impact: expected true or false, not a number\n");
}

// A block in two guides along the same line: each repeats the other.
constexpr const char* two_guides = R"(format = 1
[body.block]
mass = 1
inertia = 1
points = { P = [1, 0] }
[body.ground]
points = { P = [1, 0] }
[joint.left]
type = "prismatic"
a = "ground"
b = "block"
friction = { kinetic = 0.3 }
[joint.right]
type = "prismatic"
a = "ground.P"
b = "block.P"
[force.weight]
type = "gravity"
)";

// A pin ten times as thick as the pendulum is long draws itself in.
TEST(FrictionErrors, advice_on_sliding_joints_speaks_of_no_contacts) {
    const DynamicResult r = run_dynamics(test::placed_of(R"(format = 1
[body.p]
angle = "-90 deg"
mass = 1
centre = [0.1, 0]
inertia = 0.001
omega = 10
[joint.O]
type = "revolute"
a = "ground"
b = "p"
radius = "1 m"
friction = { kinetic = 0.2 }
[force.weight]
type = "gravity"
)"),
                                         {});
    EXPECT_EQ(r.status, DynamicStatus::painleve);
    EXPECT_TRUE(r.message.ends_with("; a smaller coefficient of friction can help")) << r.message;
}

TEST(FrictionErrors, joints_whose_reactions_are_open_are_named) {
    const PlacedMechanism placed = test::placed_of(two_guides);
    const DynamicResult result = run_dynamics(placed, {});
    EXPECT_EQ(result.status, DynamicStatus::indeterminate);
    EXPECT_EQ(result.span.line, 8);
    EXPECT_NE(result.message.find("friction of joint 'left'"), std::string::npos) << result.message;
    EXPECT_EQ(result.message.find("'left', 'right'"), std::string::npos) << result.message;
    EXPECT_EQ(result.trajectory.rows(), 0u);
}

// At its dead point a slider-crank has dependent rows too, but only there.
TEST(FrictionErrors, singular_position_is_no_reason_to_refuse) {
    const PlacedMechanism placed = test::placed_of(R"(format = 1
[body.crank]
mass = 1
inertia = 1
points = { B = [1, 0] }
[body.rod]
mass = 1
inertia = 1
position = [1, 0]
points = { A = [2, 0] }
[body.slider]
mass = 1
position = [3, 0]
[joint.O]
type = "revolute"
a = "ground"
b = "crank"
radius = 0.01
friction = { kinetic = 0.1 }
[joint.B]
type = "revolute"
a = "crank.B"
b = "rod"
[joint.A]
type = "revolute"
a = "rod.A"
b = "slider"
[joint.guide]
type = "prismatic"
a = "ground"
b = "slider"
friction = { kinetic = 0.1 }
[driver.motor]
joint = "O"
type = "speed"
speed = 1
)");
    KinematicOptions options;
    options.reactions = true;
    EXPECT_NE(run_kinematics(placed, options).status, KinematicStatus::indeterminate);
}

class FrictionProgram : public test::Program {};

TEST_F(FrictionProgram, ends_with_3_at_friction_in_joints_whose_reactions_are_open) {
    write("guides.toml", std::string(two_guides) +
                             "[driver.pull]\njoint = \"left\"\ntype = \"speed\"\nspeed = 1\n");
    for (const char* verb : {"dynamics", "inverse"}) {
        const test::ProgramOutcome o = run({verb, "guides.toml"});
        EXPECT_EQ(o.code, 3) << verb << o.err;
        EXPECT_NE(
            o.err.find("guides.toml:8:1: error: friction of joint 'left': redundant constraints"),
            std::string::npos)
            << o.err;
    }
    EXPECT_EQ(run({"kinematics", "guides.toml"}).code, 0);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
