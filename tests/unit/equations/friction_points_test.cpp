// Friction of joints against their reactions: in relative coordinates the loads of a joint of the
// tree are summed over the bodies, in absolute ones they are multipliers, and the reactions of the
// result come from a third balance.
#include <cmath>

#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::value;

// A slider-crank whose joints all rub, set in motion; its loop is cut at one of the joints.
constexpr const char* rough_slider_crank = R"(format = 1
[body.crank]
mass = 1
inertia = 0.02
centre = [0.1, 0]
angle = "40 deg"
omega = 20
points = { B = [0.2, 0] }
[body.rod]
mass = 2
inertia = 0.05
centre = [0.25, 0]
angle = "-15 deg"
points = { A = [0.5, 0] }
[body.slider]
mass = 3
inertia = 0.01
position = [0.6, 0]
centre = [0.02, 0.03]
[joint.O]
type = "revolute"
a = "ground"
b = "crank"
radius = 0.02
friction = { kinetic = 0.1 }
[joint.B]
type = "revolute"
a = "crank.B"
b = "rod"
radius = 0.03
friction = { kinetic = 0.2, rule = "plain" }
[joint.A]
type = "revolute"
a = "rod.A"
b = "slider"
radius = 0.01
friction = { kinetic = 0.3, viscous = 0.05 }
[joint.guide]
type = "prismatic"
a = "ground"
b = "slider"
guide = 0.1
friction = { kinetic = 0.15, static = 0.2, stribeck = 0.5 }
[force.weight]
type = "gravity"
)";

TEST(FrictionPoints, friction_of_joints_that_slide_is_their_limit_times_the_reaction) {
    const PlacedMechanism placed = test::placed_of(rough_slider_crank);
    for (const CoordinateKind coordinates : test::both_coordinates) {
        DynamicOptions options;
        options.end = 0.3;
        options.step = 0.01;
        options.coordinates = coordinates;
        const DynamicResult result = run_dynamics(placed, options);
        ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
        const Trajectory& t = result.trajectory;
        int slid = 0;
        for (std::size_t r = 0; r < t.rows(); ++r) {
            const auto of = [&](const std::string& column) { return value(t, r, column); };
            const auto force = [&](const std::string& joint) {
                return std::hypot(of(joint + ".fx"), of(joint + ".fy"));
            };
            const double crank = of("crank.omega"), rod = of("rod.omega");
            // Balances of forces of a hundred newtons, through a few factorisations.
            const double rounding = 1e-9;
            const auto expect = [&](const std::string& joint, double limit, double slip,
                                    double viscous) {
                const double mode = of(joint + ".mode");
                if (mode == 0) return;
                ++slid;
                EXPECT_NEAR(of(joint + ".friction"), -mode * limit - viscous * slip, rounding)
                    << joint << " at " << t.row(r)[0] << ", " << test::name_of(coordinates);
                EXPECT_GE(mode * slip, -rounding) << joint;
            };
            expect("O", 0.1 * 0.02 * force("O") / std::sqrt(1.01), crank, 0);
            expect("B", 0.2 * 0.03 * force("B"), rod - crank, 0);
            expect("A", 0.3 * 0.01 * force("A") / std::sqrt(1.09), -rod, 0.05);
            const double across = of("guide.fy"), moment = of("guide.m"), v = of("slider.vx");
            const double ends =
                std::abs(0.5 * across + moment / 0.1) + std::abs(0.5 * across - moment / 0.1);
            expect("guide", (0.15 + 0.05 * std::exp(-v * v / 0.25)) * ends, v, 0);
        }
        EXPECT_GT(slid, 80);  // of 4 places at 31 times
    }
}

// What holds is below the limit, and the friction is what the balance along the guide asks for.
TEST(FrictionPoints, friction_of_a_joint_that_sticks_balances_the_forces) {
    const PlacedMechanism placed = test::placed_of(R"(format = 1
[body.block]
mass = 2
inertia = 1
angle = "10 deg"
[joint.plane]
type = "prismatic"
a = "ground"
b = "block"
axis = "10 deg"
friction = { kinetic = 0.2, static = 0.3 }
[force.weight]
type = "gravity"
)");
    for (const CoordinateKind coordinates : test::both_coordinates) {
        DynamicOptions options;
        options.coordinates = coordinates;
        const DynamicResult result = run_dynamics(placed, options);
        ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
        const std::size_t last = result.trajectory.rows() - 1;
        const double slope = std::acos(-1.0) / 18, rounding = 1e-12;
        EXPECT_EQ(value(result.trajectory, last, "plane.mode"), 0);
        EXPECT_NEAR(value(result.trajectory, last, "plane.friction"), 2 * 9.81 * std::sin(slope),
                    rounding);
        EXPECT_NEAR(value(result.trajectory, last, "block.x"), 0, rounding);
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
