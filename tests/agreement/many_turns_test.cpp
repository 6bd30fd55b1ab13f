// Motions of many turns keep their angles: nothing wraps, nothing drifts from the closed form.
#include <cmath>

#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr const char* gear_train = R"(
format = 1
[body.ground]
points = { O = [0, 0], P = [0.05, 0], Q = [0.05, 0.11] }
[body.first]
[body.second]
angle = 0.4
[body.third]
angle = -1.2
[joint.O]
type = "revolute"
a = "ground.O"
b = "first"
[joint.P]
type = "revolute"
a = "second"
b = "ground.P"
[joint.Q]
type = "revolute"
a = "ground.Q"
b = "third"
[joint.mesh_1]
type = "gear"
a = "first"
b = "second"
radius_a = 0.02
radius_b = 0.03
[joint.mesh_2]
type = "gear"
a = "second"
b = "third"
radius_a = 0.03
radius_b = 0.08
[driver.motor]
joint = "O"
type = "speed"
speed = "3000 rpm"
)";

TEST(ManyTurns, gear_train_keeps_its_angles_for_fifty_turns) {
    const PlacedMechanism placed = test::placed_of(gear_train);
    const double omega = 100 * M_PI;  // 50 turns in the second that is run
    for (const CoordinateKind kind : test::both_coordinates)
        for (const double step :
             {0.01, 0.0237}) {  // half a turn, and more than a turn between outputs
            const KinematicResult result = test::run_of(placed, 1, step, kind);
            ASSERT_EQ(result.status, KinematicStatus::completed);
            for (std::size_t r = 0; r < result.trajectory.rows(); ++r) {
                const double turned = omega * test::value(result.trajectory, r, "t");
                // Residuals of 2e-14 of the size (0.2 m) over radii of 2 cm, and rounding of 314
                // rad.
                const double error = 1e-12;
                ASSERT_NEAR(test::value(result.trajectory, r, "first.angle"), turned, error);
                ASSERT_NEAR(test::value(result.trajectory, r, "second.angle"), 0.4 - turned * 2 / 3,
                            error);
                ASSERT_NEAR(test::value(result.trajectory, r, "third.angle"), -1.2 + turned / 4,
                            error);
                ASSERT_NEAR(test::value(result.trajectory, r, "third.omega"), omega / 4,
                            error * omega);
            }
        }
}

// A circle of radius a rolls on a fixed circle of radius b around the origin, its angle driven at 1
// turn per second.
std::string rolling(bool internal) {
    return std::string(R"(
format = 1
parameters = { a = 0.03, b = 0.08, side = )") +
           (internal ? "-1" : "1") + R"( }
[body.wheel]
position = ["b + side*a", 0]
points = { rim = ["a", 0] }
[joint.roll]
type = "roll_circle"
a = "wheel"
b = "ground"
radius_a = "a"
radius_b = "b"
internal = )" +
           (internal ? "true" : "false") + R"(
[driver.motor]
body = "wheel"
of = "angle"
type = "speed"
speed = "60 rpm"
[measure.rim]
type = "point"
point = "wheel.rim"
)";
}

// The centre stands at (b +- a) in the direction psi from the origin. No slip: outside a (th - psi)
// = b psi, so psi = th a/(a + b); inside a (th - psi) = -b psi, so psi = -th a/(b - a).
TEST(ManyTurns, rolling_circle_stays_on_its_closed_form_for_twenty_turns) {
    constexpr double a = 0.03, b = 0.08;
    for (const bool internal : {false, true})
        for (const CoordinateKind kind : test::both_coordinates)
            for (const double step : {0.01, 0.225}) {  // 3.6 degrees, and 0.9 of a quarter turn
                const KinematicResult result =
                    test::run_of(test::placed_of(rolling(internal)), 20, step, kind);
                ASSERT_EQ(result.status, KinematicStatus::completed) << result.message;
                const double distance = internal ? b - a : b + a;
                const double ratio = internal ? -a / (b - a) : a / (a + b);
                // 2e-14 of the size (0.2 m), and rounding of the angle of 126 rad (1e-14) times the
                // radius.
                const double error = 1e-14;
                for (std::size_t r = 0; r < result.trajectory.rows(); ++r) {
                    const double th = 2 * M_PI * test::value(result.trajectory, r, "t"),
                                 psi = ratio * th;
                    ASSERT_NEAR(test::value(result.trajectory, r, "wheel.angle"), th, 100 * error);
                    ASSERT_NEAR(test::value(result.trajectory, r, "wheel.x"),
                                distance * std::cos(psi), error);
                    ASSERT_NEAR(test::value(result.trajectory, r, "wheel.y"),
                                distance * std::sin(psi), error);
                    ASSERT_NEAR(test::value(result.trajectory, r, "rim.x"),
                                distance * std::cos(psi) + a * std::cos(th), error)
                        << "t = " << test::value(result.trajectory, r, "t");
                    ASSERT_NEAR(test::value(result.trajectory, r, "wheel.vx"),
                                -distance * ratio * 2 * M_PI * std::sin(psi), 2 * M_PI * error);
                }
            }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
