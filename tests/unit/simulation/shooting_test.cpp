#include "analysis/shooting.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double g = 9.80665, T = 0.2, e = 0.8, A = 0.005, W = 2 * std::numbers::pi / T;

DynamicOptions accurate() {
    DynamicOptions options;
    options.step = 0.01;
    options.rtol = options.atol = 1e-12;
    return options;
}

// The map is the derivative of the runs, whose errors are 1e-12 of a step: 1e-9 leaves room for the
// residual of the periodic motion, which is accepted at 1e-9 of the size.
constexpr double of_tangent = 1e-9;
// By differences to 1e-6 of the size to either side, of implicit steps to 1e-9.
constexpr double of_differences = 5e-3;

// The ball strikes the plate with v- = -V = -g T/2 while it moves with w = V (1 - e)/(1 + e) and
// acceleration a. With u = v- - w the jump matrix of the impact on (y, v) is
//   S = [-e, 0; -(1 + e)(g + a)/u, -e],
// and the map from half a swing before to half a swing after is F S F, F = [1, T/2; 0, 1].
Eigen::Matrix2d map_over_a_swing(double sign_of_phase) {
    const double V = g * T / 2, w = V * (1 - e) / (1 + e);
    const double phase = sign_of_phase * std::acos(w / (A * W));
    const double a = -A * W * W * std::sin(phase), u = -V - w;
    Eigen::Matrix2d S, F;
    S << -e, 0, -(1 + e) * (g + a) / u, -e;
    F << 1, T / 2, 0, 1;
    return F * S * F;
}

TEST(Shooting, driver_that_does_not_come_back_is_named) {
    const auto belt = test::placed_of(test::embedded_text("stick_slip_belt"));
    ShootingOptions options;
    options.period = 0.67;
    ShootingResult result = find_periodic(belt, accurate(), options);
    EXPECT_EQ(result.status, ShootingStatus::not_driven_back);
    EXPECT_NE(
        result.message.find("driver 'belt' does not return to its start: after 0.67 s it is 67 mm"),
        std::string::npos)
        << result.message;
    options.period = 0.19;
    result = find_periodic(test::placed_of(test::embedded_text("bouncing_on_plate")), accurate(),
                           options);
    EXPECT_EQ(result.status, ShootingStatus::not_driven_back);
    EXPECT_NE(result.message.find("give a period in which it repeats"), std::string::npos);
}

// It creeps down some 22 mm in each period.
TEST(Shooting, coordinate_that_does_not_come_back_is_named) {
    ShootingOptions options;
    options.period = 0.5;
    options.from = 1;
    options.max_iterations = 2;
    const ShootingResult result =
        find_periodic(test::placed_of(test::embedded_text("shaken_incline")), accurate(), options);
    EXPECT_EQ(result.status, ShootingStatus::diverged);
    EXPECT_NE(result.message.find("'slide"), std::string::npos) << result.message;
    EXPECT_NE(result.message.find(" mm off"), std::string::npos) << result.message;
}

class BallOnPlate : public testing::Test {
protected:
    static ShootingResult found(const PlacedMechanism& placed) {
        ShootingOptions options;
        options.period = T;
        return find_periodic(placed, accurate(), options);
    }
};

TEST_F(BallOnPlate, has_the_jump_matrix_of_the_impact_in_its_map) {
    const PlacedMechanism placed = test::placed_of(test::embedded_text("bouncing_on_plate"));
    const ShootingResult result = found(placed);
    ASSERT_EQ(result.status, ShootingStatus::found) << result.message;
    ASSERT_EQ(result.events.size(), 1U);
    EXPECT_EQ(result.events[0].kind, EventKind::impact);
    const double time = std::sqrt(placed.assembly.model_size / 9.81);  // unit of velocities
    const Eigen::DiagonalMatrix<double, 2> scale(1, time), back(1, 1 / time);
    const Eigen::Matrix2d expected = scale * map_over_a_swing(1) * back;
    ASSERT_EQ(result.map.rows(), 2);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            EXPECT_NEAR(result.map(i, j), expected(i, j), of_tangent) << i << j;
    EXPECT_NEAR(result.map.determinant(), e * e, of_tangent);
    EXPECT_NEAR(std::abs(result.multipliers[0]), e, of_tangent);
    EXPECT_TRUE(result.is_stable());
}

// Implicit steps have no derivative: the reason is given, and runs are differenced.
TEST_F(BallOnPlate, has_its_map_from_differences_where_steps_have_no_derivative) {
    const PlacedMechanism placed = test::placed_of(test::embedded_text("bouncing_on_plate"));
    ShootingOptions options;
    options.period = T;
    DynamicOptions run = accurate();
    run.integrator = Integrator::stiff;
    run.rtol = run.atol = 1e-9;
    const ShootingResult result = find_periodic(placed, run, options);
    ASSERT_EQ(result.status, ShootingStatus::found) << result.message;
    ASSERT_TRUE(result.missing);
    EXPECT_NE(result.missing->reason.find("implicit steps"), std::string::npos);
    EXPECT_NEAR(result.map.determinant(), e * e, of_differences);
    EXPECT_FALSE(found(placed).missing);
}

TEST_F(BallOnPlate, is_unstable_where_the_plate_rises_faster_and_faster) {
    const PlacedMechanism placed = test::placed_of(test::embedded_text("bouncing_on_plate"),
                                                   {{"phase", "-acos(w/(2*pi*A*f))"}});
    const ShootingResult result = found(placed);
    ASSERT_EQ(result.status, ShootingStatus::found) << result.message;
    const Eigen::Vector2cd exact = map_over_a_swing(-1).eigenvalues();
    const double larger = std::max(std::abs(exact[0]), std::abs(exact[1]));
    EXPECT_NEAR(result.multipliers[0].real(), larger, of_tangent * larger);
    EXPECT_NEAR(result.multipliers[1].real(), e * e / larger, of_tangent);
    EXPECT_TRUE(result.is_unstable());
}

TEST_F(BallOnPlate, is_found_from_a_start_beside_it) {
    const PlacedMechanism placed =
        test::placed_of(test::embedded_text("bouncing_on_plate"), {{"lift", "2 mm"}});
    const ShootingResult result = found(placed);
    ASSERT_EQ(result.status, ShootingStatus::found) << result.message;
    EXPECT_GT(result.iterations, 2);
    EXPECT_NEAR(result.map.determinant(), e * e, of_tangent);
    const double height =
        A * std::sin(std::acos(g * T / 2 * (1 - e) / (1 + e) / (A * W))) + 0.01 + g * T * T / 8;
    EXPECT_NEAR(placed.assembly.positions.back().p.y, height + 0.002, 1e-12);
    double highest = 0;
    for (const double q : result.start.state.q) highest = std::max(highest, std::abs(q));
    EXPECT_NEAR(highest, height, 1e-9);
}

// A motor with the line M = M0 (1 - w/w0) against a constant load turns at one speed: the motion is
// w = const, its period 2 pi/w, and the speed returns as exp(-M0 T/(w0 J)).
TEST(Shooting, finds_the_period_of_a_motor_by_itself) {
    const PlacedMechanism placed = test::placed_of(R"(
format = 1
body.rotor = { mass = 1, inertia = 0.05, omega = 5 }
joint.O = { type = "revolute", a = "ground", b = "rotor" }
force.motor = { type = "motor", joint = "O", stall_torque = "1 N m", no_load_speed = "10 rad/s" }
force.load = { type = "joint_force", joint = "O", value = "-0.2" }
)");
    ShootingOptions options;
    options.from = 0.5;
    options.period = 0.7;
    options.free_period = true;
    const ShootingResult result = find_periodic(placed, accurate(), options);
    ASSERT_EQ(result.status, ShootingStatus::found) << result.message;
    const double period = 2 * std::numbers::pi / 8;
    EXPECT_NEAR(result.period, period, 1e-9);  // the residual that is accepted
    ASSERT_EQ(result.multipliers.size(), 1U);
    EXPECT_NEAR(result.multipliers[0].real(), std::exp(-period / (10 * 0.05)), of_tangent);
    EXPECT_TRUE(result.is_stable());
}

TEST(Shooting, says_when_there_is_no_periodic_motion) {
    const PlacedMechanism placed = test::placed_of(R"(
format = 1
body.mass = { mass = 1 }
joint.guide = { type = "prismatic", a = "ground", b = "mass", axis = 0 }
force.push = { type = "joint_force", joint = "guide", value = "1" }
)");
    ShootingOptions options;
    options.period = 1;
    EXPECT_EQ(find_periodic(placed, accurate(), options).status, ShootingStatus::diverged);
}

// The same motor along a way: the carriage is 8 m/s x 0.7 s farther after a period, and anywhere on
// its way is as good as anywhere else. That direction has no multiplier.
TEST(Shooting, motion_that_repeats_up_to_a_shift_is_found) {
    const PlacedMechanism placed = test::placed_of(R"(
format = 1
body.carriage = { mass = 1, velocity = [5, 0] }
joint.guide = { type = "prismatic", a = "ground", b = "carriage", axis = 0 }
force.motor = { type = "motor", joint = "guide", stall_torque = 1, no_load_speed = 10 }
force.load = { type = "joint_force", joint = "guide", value = "-0.2" }
)");
    ShootingOptions options;
    options.from = 0.5;
    options.period = 0.7;
    EXPECT_EQ(find_periodic(placed, accurate(), options).status, ShootingStatus::diverged);
    options.shifts = {{"guide.x", {}}};
    const ShootingResult result = find_periodic(placed, accurate(), options);
    ASSERT_EQ(result.status, ShootingStatus::found) << result.message;
    ASSERT_EQ(result.shifts.size(), 1U);
    EXPECT_NEAR(result.shifts[0], 8 * 0.7, 1e-8);
    ASSERT_EQ(result.multipliers.size(), 1U);
    EXPECT_NEAR(result.multipliers[0].real(), std::exp(-0.7 / 10), of_tangent);
    // A shift that is given has to be that of the motion.
    options.shifts = {{"guide.x", 5.6}};
    EXPECT_EQ(find_periodic(placed, accurate(), options).status, ShootingStatus::found);
    // A hexagon that rolls over its corners: with k = I/(m r^2) an impact leaves n = (k + 1/2)/(k +
    // 1) of the turning speed, and every step adds the same energy: changes of the speed shrink by
    // n^2 = 0.36, and slip, which friction ends at once, by all. A step is as long as a side, 0.1
    // m.
    const auto wheel = test::placed_of(test::embedded_text("rolling_hexagon"));
    options.from = 1.9;
    options.period = 0.2;
    options.free_period = true;
    options.shifts = {{"wheel.x", {}}, {"wheel.angle", -std::numbers::pi / 3}};
    const ShootingResult rolling = find_periodic(wheel, accurate(), options);
    ASSERT_EQ(rolling.status, ShootingStatus::found) << rolling.message;
    EXPECT_NEAR(rolling.shifts[0], 0.1, 1e-8);
    ASSERT_EQ(rolling.multipliers.size(), 2U);
    // Of a motion that is closed to 2e-10 m.
    EXPECT_NEAR(rolling.multipliers[0].real(), 0.36, 10 * of_tangent);
    EXPECT_NEAR(std::abs(rolling.multipliers[1]), 0, 10 * of_tangent);
    options.shifts = {{"wheel.z", {}}};
    const ShootingResult unknown = find_periodic(placed, accurate(), options);
    EXPECT_EQ(unknown.status, ShootingStatus::unknown_shift);
    EXPECT_NE(unknown.message.find("coordinates are guide"), std::string::npos) << unknown.message;
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
