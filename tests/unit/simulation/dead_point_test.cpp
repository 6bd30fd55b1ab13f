// Singular positions of driven motion: change points that are passed, folds that end the run, and
// the branch that a run stays on.
#include <cmath>

#include <gtest/gtest.h>

#include "support/linkages.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::both_coordinates;
using test::value;

const std::string one_turn_a_second = "type = \"speed\"\nspeed = \"60 rpm\"";

// Uprights at start + 2 pi t; couplers level, their left ends on circles of 0.1 m.
void expect_parallel(const KinematicResult& result, int windows, double start, double error) {
    const Trajectory& t = result.trajectory;
    const double omega = 2 * M_PI;
    for (std::size_t r = 0; r < t.rows(); ++r) {
        const double angle = start + omega * value(t, r, "t");
        for (int i = 0; i <= windows; ++i) {
            const std::string upright = "upright_" + std::to_string(i);
            ASSERT_NEAR(value(t, r, upright + ".angle"), angle, error) << "row " << r;
            ASSERT_NEAR(value(t, r, upright + ".omega"), omega, 10 * error * omega) << "row " << r;
            ASSERT_NEAR(value(t, r, upright + ".alpha"), 0, 1000 * error * omega * omega)
                << "row " << r;
        }
        ASSERT_NEAR(value(t, r, "coupler_0.angle"), 0, error) << "row " << r;
        ASSERT_NEAR(value(t, r, "coupler_0.omega"), 0, 10 * error * omega) << "row " << r;
        ASSERT_NEAR(value(t, r, "coupler_0.vx"), -0.1 * omega * std::sin(angle), error * omega)
            << "row " << r;
    }
}

void expect_events(const KinematicResult& result, const std::vector<double>& times) {
    ASSERT_EQ(result.events.size(), times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        EXPECT_EQ(result.events[i].kind, EventKind::dead_point);
        EXPECT_EQ(result.events[i].to, "passed");
        EXPECT_NEAR(result.events[i].t, times[i], 1e-9);  // s, what events promise
    }
}

// Near a change point the condition number grows like 1/distance; outputs that fall on it are
// interpolated between regular positions 1e-3 of a step away. Positions are good to 2e-14 times a
// condition of 1e5.
constexpr double near_change_point = 1e-9;

TEST(DeadPoint, change_points_on_outputs_are_passed_on_the_same_branch_with_exact_velocity) {
    const PlacedMechanism placed = test::placed_of(test::ladder(1, "60 deg", one_turn_a_second));
    for (const CoordinateKind kind : both_coordinates) {
        // 12 degrees per output: rows 10, 25, 40 and 55 are flat.
        const KinematicResult result = test::run_of(placed, 2, 1.0 / 30, kind);
        ASSERT_EQ(result.status, KinematicStatus::completed) << result.message;
        ASSERT_EQ(result.trajectory.rows(), 61U);
        expect_parallel(result, 1, M_PI / 3, near_change_point);
        expect_events(result, {1.0 / 3, 5.0 / 6, 4.0 / 3, 11.0 / 6});
    }
}

TEST(DeadPoint, change_points_between_outputs_are_found_in_time) {
    const PlacedMechanism placed = test::placed_of(test::ladder(1, "60 deg", one_turn_a_second));
    for (const CoordinateKind kind : both_coordinates)
        for (const double step : {0.01, 0.0371}) {
            const KinematicResult result = test::run_of(placed, 1, step, kind);
            expect_parallel(result, 1, M_PI / 3, near_change_point);
            expect_events(result, {1.0 / 3, 5.0 / 6});
        }
}

TEST(DeadPoint, change_points_are_found_when_outputs_are_turns_apart) {
    const PlacedMechanism placed = test::placed_of(test::ladder(1, "60 deg", one_turn_a_second));
    for (const CoordinateKind kind : both_coordinates)
        for (const double step : {1.0, 2.0}) {
            const KinematicResult result = test::run_of(placed, 2, step, kind);
            expect_parallel(result, 1, M_PI / 3, near_change_point);
            expect_events(result, {1.0 / 3, 5.0 / 6, 4.0 / 3, 11.0 / 6});
        }
}

// All windows of a ladder are flat at once. The determinant is the product of one factor per
// window: with two it touches zero without changing sign, with three it changes sign.
TEST(DeadPoint,
     simultaneous_change_points_are_reported_once_also_when_the_determinant_only_touches_zero) {
    for (const int windows : {2, 3})
        for (const CoordinateKind kind : both_coordinates)
            for (const double step :
                 {0.01, 0.017, 1.0 / 30}) {  // the last has outputs on the change points
                const PlacedMechanism placed =
                    test::placed_of(test::ladder(windows, "60 deg", one_turn_a_second));
                const KinematicResult result = test::run_of(placed, 1, step, kind);
                ASSERT_EQ(result.status, KinematicStatus::completed) << result.message;
                // Two or three windows fold at once: each multiplies the loss of digits.
                expect_parallel(result, windows, M_PI / 3, 10 * near_change_point);
                SCOPED_TRACE(testing::Message() << windows << " windows, " << test::name_of(kind)
                                                << ", step " << step);
                expect_events(result, {1.0 / 3, 5.0 / 6});
            }
}

TEST(DeadPoint, run_that_starts_in_a_change_point_says_so) {
    const PlacedMechanism placed = test::placed_of(test::ladder(1, "0 deg", one_turn_a_second));
    for (const CoordinateKind kind : both_coordinates) {
        const KinematicResult result = test::run_of(placed, 1, 0.01, kind);
        EXPECT_EQ(result.status, KinematicStatus::stuck);
        EXPECT_NE(result.message.find("singular position"), std::string::npos) << result.message;
    }
}

TEST(DeadPoint, slider_pushed_to_the_stretched_crank_stops_there) {
    const PlacedMechanism placed = test::placed_of(test::embedded_text("slider_driven"));
    const double time = (0.4 - std::sqrt(0.08)) / 0.02;  // crank and rod on one line
    for (const CoordinateKind kind : both_coordinates)
        for (const double step : {0.01, 0.3}) {
            const KinematicResult result = test::run_of(placed, 10, step, kind);
            ASSERT_EQ(result.status, KinematicStatus::dead_point);
            ASSERT_EQ(result.events.size(), 1U);
            EXPECT_EQ(result.events[0].to, "stopped");
            EXPECT_EQ(result.events[0].element, "push");
            EXPECT_NEAR(result.events[0].t, time, 1e-9);
            EXPECT_NE(result.message.find("'push'"), std::string::npos) << result.message;
            // What was written before is regular: crank from the cosine rule.
            for (std::size_t r = 0; r + 1 < result.trajectory.rows(); ++r) {
                const double x = std::sqrt(0.08) + 0.02 * value(result.trajectory, r, "t");
                const double crank = std::acos((x * x + 0.01 - 0.09) / (0.2 * x));
                ASSERT_NEAR(value(result.trajectory, r, "crank.angle"), crank,
                            1e-10);  // acos near 1 halves the digits
            }
        }
}

// The rocker of the crank-rocker driven below its lower limit, where crank and coupler lie folded
// on one line: cos(180 deg - rocker) = (g^2 + r^2 - (k - c)^2)/(2 g r).
TEST(DeadPoint, rocker_driven_beyond_its_reach_stops_at_the_folded_position) {
    const PlacedMechanism placed =
        test::placed_of(test::embedded_text("dead_point_rocker"), {{"swing", "33 deg"}});
    const double limit = M_PI - std::acos((0.25 + 0.16 - 0.7 * 0.7) / (2 * 0.5 * 0.4));
    const double swing = 33 * M_PI / 180, mean = 110 * M_PI / 180;
    const double time = 0.5 + std::asin((mean - limit) / swing) / (2 * M_PI);
    for (const CoordinateKind kind : both_coordinates) {
        const KinematicResult result = test::run_of(placed, 2, 0.005, kind);
        ASSERT_EQ(result.status, KinematicStatus::dead_point) << result.message;
        EXPECT_NEAR(result.events.back().t, time, 1e-9);
    }
}

// 0.9 of a quarter turn between outputs, and a linkage whose two circuits nearly touch (ground and
// coupler 0.3 m, crank 0.1 m, rocker longer by a thousandth and a ten-thousandth): the run stays on
// its circuit.
TEST(DeadPoint, coarse_steps_never_jump_to_the_other_circuit) {
    const struct {
        double g, c, k, r;
        const char *coupler, *rocker;
    } linkages[] = {{0.5, 0.2, 0.5, 0.4, "27 deg", "83 deg"},
                    {0.3, 0.1, 0.3, 0.1001, "0 deg", "60 deg"},
                    {0.3, 0.1, 0.3, 0.10001, "0 deg", "60 deg"}};
    for (const auto& l : linkages) {
        const PlacedMechanism placed =
            test::placed_of(test::fourbar(), {{"g", std::to_string(l.g)},
                                              {"c", std::to_string(l.c)},
                                              {"k", std::to_string(l.k)},
                                              {"r", std::to_string(l.r)},
                                              {"coupler_angle", l.coupler},
                                              {"rocker_angle", l.rocker}});
        for (const CoordinateKind kind : both_coordinates)
            for (const double step : {0.225, 0.05, 0.01}) {
                const KinematicResult result = test::run_of(placed, 9, step, kind);
                ASSERT_EQ(result.status, KinematicStatus::completed) << result.message;
                EXPECT_TRUE(result.events.empty()) << "rocker " << l.r << ", step " << step;
                for (std::size_t r = 0; r < result.trajectory.rows(); ++r) {
                    const double crank = M_PI / 3 + 2 * M_PI * value(result.trajectory, r, "t");
                    const auto pin = test::fourbar_pin(crank, -1, l.g, l.c, l.k, l.r);
                    const double rocker = value(result.trajectory, r, "rocker.angle");
                    // The circuits come within 1e-2 of each other; positions are good to 2e-14
                    // times a condition of 1e4.
                    ASSERT_NEAR(std::abs(std::polar(l.r, rocker) + l.g - pin), 0, 1e-9)
                        << "rocker " << l.r << ", step " << step << ", row " << r;
                }
            }
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
