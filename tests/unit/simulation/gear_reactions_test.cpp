// The force of the teeth: it acts at the pitch point, and bearings carry it.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "simulation/placement/likely_mistakes.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;

KinematicResult inverse(const std::string& text) {
    KinematicOptions options;
    options.end = 1;
    options.step = 0.25;
    options.reactions = true;
    return run_kinematics(placed_of(text), options);
}

TEST(GearReactions, bearings_of_a_planet_carry_the_forces_of_both_meshes) {
    // Sun 30 mm, planet 20 mm, ring 70 mm fixed; 4 N m on the carrier.
    const auto result = inverse(R"(
format = 1
body.sun = { mass = 1, inertia = 5e-4 }
body.carrier = { angle = 0.4, mass = 1, inertia = 2e-3, points = { P = ["50 mm", 0] } }
body.planet = { mass = 0, inertia = 0 }
joint.S = { type = "revolute", a = "ground", b = "sun" }
joint.C = { type = "revolute", a = "ground", b = "carrier" }
joint.P = { type = "revolute", a = "carrier.P", b = "planet" }
joint.g1 = { type = "gear", a = "sun", b = "planet", radius_a = "30 mm", radius_b = "20 mm", carrier = "carrier" }
joint.g2 = { type = "gear", a = "planet", b = "ground", radius_a = "20 mm", radius_b = "70 mm", internal = true, carrier = "carrier" }
driver.m = { joint = "S", type = "speed", speed = 3 }
force.load = { type = "torque", body = "carrier", value = "-4 N m" }
)");
    ASSERT_EQ(result.status, KinematicStatus::completed) << result.message;
    const auto& table = result.trajectory;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        // The carrier asks for 4 N m at 50 mm, 80 N: 40 N at each mesh of the planet.
        const double angle = value(table, row, "carrier.angle");
        EXPECT_NEAR(value(table, row, "m.force"), 40 * 0.03, 1e-12);
        const double x = -std::sin(angle), y = std::cos(angle);  // the way of the planet
        EXPECT_NEAR(value(table, row, "g1.fx"), 40 * x, 1e-10);  // on the planet
        EXPECT_NEAR(value(table, row, "g1.fy"), 40 * y, 1e-10);
        EXPECT_NEAR(value(table, row, "g2.fx"), -40 * x, 1e-10);  // on the ring
        EXPECT_NEAR(value(table, row, "P.fx"), -80 * x, 1e-10);
        EXPECT_NEAR(value(table, row, "P.fy"), -80 * y, 1e-10);
        EXPECT_NEAR(value(table, row, "S.fx"), 40 * x, 1e-10);
        EXPECT_NEAR(value(table, row, "C.fy"), -80 * y, 1e-10);
    }
}

const std::string pair_of_wheels = R"(
format = 1
body.ground.points = { B = [0.08, 0] }
body.a = { mass = 1, inertia = 1 }
body.b = { position = [0.08, 0], mass = 1, inertia = 1 }
joint.A = { type = "revolute", a = "ground", b = "a" }
joint.B = { type = "revolute", a = "ground.B", b = "b", radius = "5 mm", friction = { kinetic = 0.2, rule = "plain" } }
joint.g = { type = "gear", a = "a", b = "b", radius_a = RADIUS, radius_b = 0.03 }
driver.m = { joint = "A", type = "speed", speed = 3 }
force.load = { type = "torque", body = "b", value = "3 N m" }
)";

TEST(GearReactions, friction_of_a_bearing_counts_the_force_of_the_teeth) {
    std::string text = pair_of_wheels;
    text.replace(text.find("RADIUS"), 6, "0.05");
    const auto result = inverse(text);
    ASSERT_EQ(result.status, KinematicStatus::completed) << result.message;
    // Wheel b turns backwards; F 0.03 = 3 + 0.2 0.005 F.
    const double force = 3 / (0.03 - 0.001);
    EXPECT_NEAR(value(result.trajectory, 1, "m.force"), 0.05 * force, 1e-9);
    EXPECT_NEAR(std::abs(value(result.trajectory, 1, "B.fy")), force, 1e-8);
}

TEST(GearReactions, wheels_whose_centres_are_apart_pass_on_moments_only_and_are_told) {
    std::string text = pair_of_wheels;
    text.replace(text.find("RADIUS"), 6, "0.06");
    const auto result = inverse(text);
    ASSERT_EQ(result.status, KinematicStatus::completed) << result.message;
    EXPECT_NEAR(value(result.trajectory, 1, "m.force"), 0.06 * 100, 1e-9);
    EXPECT_NEAR(value(result.trajectory, 1, "B.fy"), 0, 1e-9);
    Diagnostics diagnostics;
    warn_of_likely_mistakes(placed_of(text), diagnostics);
    EXPECT_NE(diagnostics.text().find("joint 'g': its centres are 80 mm apart, its pitch circles "
                                      "touch at 90 mm"),
              std::string::npos)
        << diagnostics.text();
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
