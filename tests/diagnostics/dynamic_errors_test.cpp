// Dynamic runs that cannot be made or cannot go on: the reason, the time and the element, and the
// results so far.
#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr const char* slider = R"toml(format = 1
[body.block]
mass = 1
inertia = 0.1
position = [0, 0]
[joint.guide]
type = "prismatic"
a = "ground"
b = "block"
)toml";

DynamicResult run(const std::string& text, double end = 2, const std::string& dynamics = "auto",
                  CoordinateKind coordinates = CoordinateKind::relative) {
    const PlacedMechanism placed = test::placed_of(text);
    DynamicOptions options;
    options.end = end;
    options.step = 0.05;
    options.dynamics = named<Formulation>(dynamics).value();
    options.coordinates = coordinates;
    return run_dynamics(placed, options);
}

TEST(DynamicErrors, body_without_inertia_names_its_coordinate) {
    const DynamicResult r = run(R"toml(format = 1
[body.arm]
mass = 0
[joint.O]
type = "revolute"
a = "ground"
b = "arm"
)toml");
    EXPECT_EQ(r.status, DynamicStatus::massless);
    EXPECT_NE(r.message.find("O.angle"), std::string::npos) << r.message;
}

TEST(DynamicErrors, force_that_blows_up_is_named_with_its_time_and_keeps_results) {
    // x' = exp(x): infinite after a finite time.
    const DynamicResult r = run(std::string(slider) + R"toml(
[force.push]
type = "joint_force"
joint = "guide"
value = "exp(3*s*s*s + s)"
)toml",
                                20);
    EXPECT_NE(r.status, DynamicStatus::completed);
    EXPECT_NE(r.message.find(" s"), std::string::npos);
    EXPECT_GT(r.trajectory.rows(), 5U);
    EXPECT_LT(r.last.state.t, 20);
}

TEST(DynamicErrors, driver_whose_velocity_jumps_is_named) {
    const DynamicResult r = run(std::string(slider) + R"toml(
[driver.push]
joint = "guide"
type = "expression"
value = "if(t < 1, t, 1 + 3*(t - 1))"
)toml");
    EXPECT_EQ(r.status, DynamicStatus::driver_jump) << r.message;
    EXPECT_NE(r.message.find("'push'"), std::string::npos);
    EXPECT_NE(r.message.find("t = 1 s"), std::string::npos) << r.message;
    EXPECT_EQ(r.span.line, 11);
}

TEST(DynamicErrors, driver_that_jumps_is_named) {
    const DynamicResult r = run(std::string(slider) + R"toml(
[driver.push]
joint = "guide"
type = "expression"
value = "if(t > 0.5, 0.45, 0)"
)toml");
    EXPECT_EQ(r.status, DynamicStatus::driver_jump) << r.message;
    EXPECT_EQ(r.message,
              "driver 'push' jumps from 0 to 0.45 at t = 0.5 s; make its law continuous");
    EXPECT_EQ(r.span.line, 11);
}

TEST(DynamicErrors, two_drivers_of_one_coordinate_are_named) {
    const auto driven = [](const std::string& second) {
        return run(std::string(slider) +
                   "[driver.slow]\njoint = \"guide\"\ntype = \"speed\"\nspeed = 0.05\n"
                   "[driver.fast]\njoint = \"guide\"\ntype = \"speed\"\nspeed = " +
                   second + "\n");
    };
    const DynamicResult r = driven("0.1");
    EXPECT_EQ(r.status, DynamicStatus::left_constraints);
    EXPECT_EQ(r.message.find("drivers 'slow' and 'fast' drive the same coordinate and contradict "
                             "each other at t = "),
              0U)
        << r.message;
    EXPECT_EQ(r.span.line, 14);
    EXPECT_EQ(driven("0.05").status, DynamicStatus::completed);
}

TEST(DynamicErrors, inconsistent_initial_velocities_are_shown_and_projected) {
    std::string text = slider;
    text.insert(text.find("mass = 1"), "velocity = [2, 1]\n");
    const DynamicResult r = run(text);
    EXPECT_EQ(r.status, DynamicStatus::completed);
    ASSERT_EQ(r.warnings.size(), 1U);
    EXPECT_NE(r.warnings[0].find("initial velocities"), std::string::npos);
    EXPECT_NEAR(test::value(r.trajectory, 0, "block.vx"), 2, 1e-12);
    EXPECT_NEAR(test::value(r.trajectory, 0, "block.vy"), 0, 1e-12);
}

TEST(DynamicErrors, zeros_inside_abs_end_a_step_and_are_found_exactly) {
    // A block at constant speed; the first zero lies inside abs (whose factor makes it harmless),
    // the second in if.
    std::string text = slider;
    text.insert(text.find("mass = 1"), "velocity = [1, 0]\n");
    const DynamicResult r = run(text + R"toml(
[force.push]
type = "joint_force"
joint = "guide"
value = "-abs(s - 0.25)*0 - if(s > 0.5, 0.3, 0)"
)toml");
    ASSERT_GE(r.events.size(), 2U);
    EXPECT_EQ(r.events[0].kind, EventKind::time);
    EXPECT_EQ(r.events[0].element, "push");
    // Constant speed 1 m/s from 0: the zeros are at t = 0.25 and 0.5, to the accuracy of the
    // bisection.
    EXPECT_NEAR(r.events[0].t, 0.25, 1e-12);
    EXPECT_NEAR(r.events[1].t, 0.5, 1e-12);
}

TEST(DynamicErrors, branches_of_one_element_that_change_together_are_one_event) {
    const DynamicResult r = run(slider + std::string(R"toml(
[force.push]
type = "joint_force"
joint = "guide"
value = "if(t > 0.5, 1, 0) - if(t > 0.5, 0.5, 0)"
)toml"));
    ASSERT_EQ(r.events.size(), 1U);
    EXPECT_NEAR(r.events[0].t, 0.5, 1e-12);
}

TEST(DynamicErrors, endless_switching_stops_with_a_reason) {
    // Dry friction written as sign(v): after the stop it switches without end.
    std::string text = slider;
    text.insert(text.find("mass = 1"), "velocity = [1, 0]\n");
    const DynamicResult r = run(text + R"toml(
[force.rub]
type = "joint_force"
joint = "guide"
value = "-3*sign(v)"
)toml");
    EXPECT_EQ(r.status, DynamicStatus::step_too_small) << r.message;
    EXPECT_NE(r.message.find("'rub'"), std::string::npos) << r.message;
    EXPECT_NEAR(r.last.state.t, 1.0 / 3, 1e-6);
}

TEST(DynamicErrors, dense_formulations_refuse_large_models) {
    std::string text = "format = 1\n";
    for (int i = 0; i < 301; ++i)
        text += "[body.r" + std::to_string(i) +
                "]\nmass = 1\ninertia = 0.1\npoints = { E = [1, 0] }\n[joint.J" +
                std::to_string(i) + "]\ntype = \"revolute\"\na = \"" +
                (i == 0 ? "ground" : "r" + std::to_string(i - 1) + ".E") + "\"\nb = \"r" +
                std::to_string(i) + "\"\n";
    const DynamicResult r = run(text, 0.1, "canonical");
    EXPECT_EQ(r.status, DynamicStatus::refused);
    EXPECT_NE(r.message.find("300"), std::string::npos) << r.message;
    EXPECT_NE(r.message.find("multipliers"), std::string::npos);
    EXPECT_EQ(run(text, 0.1, "multipliers").status, DynamicStatus::completed);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
