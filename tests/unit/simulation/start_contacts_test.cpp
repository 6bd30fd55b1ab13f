// Contacts at the start of a run: how near counts as touching belongs to the smaller body of the
// contact, whatever else is drawn.
#include "simulation/placement/start_contacts.h"

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;

// A ball of radius 1 mm, `gap` metres above a floor from -half to half, e = 0.9.
std::string ball_over_floor(double gap, double half, double radius = 1e-3) {
    return fmt::format(R"(
format = 1
[body.ball]
position = [0, {0:.17g}]
mass = 1
inertia = {3:.17g}
[profile]
floor = {{ body = "ground", elements = [{{ type = "line", from = [{1:.17g}, 0], to = [-{1:.17g}, 0] }}] }}
ball = {{ body = "ball", elements = [{{ type = "circle", radius = {2:.17g} }}] }}
[contact.C]
a = "floor"
b = "ball"
restitution = 0.9
[force.weight]
type = "gravity"
)",
                       radius + gap, half, radius, 0.4 * radius * radius);
}

DynamicResult run(const PlacedMechanism& placed, double end) {
    DynamicOptions options;
    options.end = end;
    options.step = end / 10;
    return run_dynamics(placed, options);
}

std::vector<double> impact_times(const DynamicResult& result) {
    std::vector<double> times;
    for (const Event& e : result.events)
        if (e.kind == EventKind::impact) times.push_back(e.t);
    return times;
}

TEST(StartContacts, ball_just_above_a_long_floor_bounces) {
    const auto result = run(placed_of(ball_over_floor(5e-6, 5)), 10e-3);
    ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
    const auto times = impact_times(result);
    ASSERT_FALSE(times.empty());
    // Free fall through 5 um; the position is rounded by 1e-16 of 10 m.
    EXPECT_NEAR(times[0], std::sqrt(2 * 5e-6 / 9.81), 1e-9);
}

TEST(StartContacts, small_rod_on_a_long_floor_starts_standing) {
    const auto placed = placed_of(R"(
format = 1
[body.rod]
angle = "70 deg"
mass = 1
inertia = 3.3e-13
centre = ["1 um", 0]
[profile]
floor = { body = "ground", elements = [{ type = "line", from = [10, 0], to = [-10, 0] }] }
foot = { body = "rod", elements = [{ type = "point", at = [0, 0] }] }
top = { body = "rod", elements = [{ type = "point", at = ["2 um", 0] }] }
[contact]
A = { a = "floor", b = "foot" }
B = { a = "floor", b = "top" }
[force.weight]
type = "gravity"
)");
    const auto result = run(placed, 1e-4);
    ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
    // Within the 1e-12 of 20 m that closing the foot may turn it by: 2e-11 / 2e-6.
    EXPECT_NEAR(value(result.trajectory, 0, "rod.angle"), 70 * M_PI / 180, 1e-5);
    for (const Event& e : result.events)
        if (e.kind == EventKind::contact_formed) {
            EXPECT_EQ(e.element, "A#1");
        }
}

// The law: how long the floor is drawn decides neither whether nor when the ball meets it.
TEST(StartContacts, length_of_a_floor_changes_nothing) {
    std::mt19937 random(15);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int k = 0; k < 40; ++k) {
        const double radius = std::pow(10, -4 + 3 * unit(random));
        const double gap = radius * std::pow(10, -7 + 5 * unit(random));
        const double fall = std::sqrt(2 * gap / 9.81), end = 4 * fall;
        std::optional<std::vector<double>> first;
        for (const double half : {2 * radius, 1.0 + unit(random), 100 * unit(random) + 1}) {
            const auto result = run(placed_of(ball_over_floor(gap, half, radius)), end);
            ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
            const auto times = impact_times(result);
            if (!first) first = times;
            ASSERT_EQ(times.empty(), first->empty()) << radius << " " << gap << " " << half;
            if (times.empty()) continue;
            // What touches is known to 1e-12 of the model: 2e-10 m at the longest floor.
            const double speed = 9.81 * fall;
            EXPECT_NEAR(times[0], first->front(), 2e-12 * (half + radius) / speed + 1e-12)
                << radius << " " << gap << " " << half;
        }
    }
}

TEST(StartContacts, gap_that_is_closed_is_reported) {
    // The ball's box is 2.83 mm across: up to 2.83 nm are closed.
    const auto closed = gaps_closed_at_start(placed_of(ball_over_floor(2e-9, 0.1)));
    ASSERT_EQ(closed.size(), 1u);
    EXPECT_NE(closed[0].text.find("contact 'C' starts with a gap of 2e-09 m"), std::string::npos)
        << closed[0].text;
    const auto sunk = gaps_closed_at_start(placed_of(ball_over_floor(-2e-9, 0.1)));
    ASSERT_EQ(sunk.size(), 1u);
    EXPECT_NE(sunk[0].text.find("an overlap of"), std::string::npos) << sunk[0].text;
    EXPECT_TRUE(gaps_closed_at_start(placed_of(ball_over_floor(4e-9, 0.1))).empty());  // stays open
    EXPECT_TRUE(gaps_closed_at_start(placed_of(ball_over_floor(0, 0.1))).empty());
}

TEST(StartContacts, point_on_the_wall_of_a_hole_starts_there) {
    for (const double depth : {0.0, 1e-7, 0.01}) {
        const auto placed = placed_of(fmt::format(R"(
format = 1
[body.b]
position = [0, {:.17g}]
velocity = [1, 0]
mass = 1
inertia = 1
[profile]
bowl = {{ body = "ground", elements = [{{ type = "circle", centre = [0, 0.5], radius = 0.5, hollow = true }}] }}
tip = {{ body = "b", elements = [{{ type = "point", at = [0, 0] }}] }}
[contact.C]
a = "bowl"
b = "tip"
[force.weight]
type = "gravity"
)",
                                                  -depth));
        const auto result = run(placed, 0.1);
        if (depth > 1e-3) {
            EXPECT_EQ(result.status, DynamicStatus::overlap);
            continue;
        }
        ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
        EXPECT_TRUE(result.audit.passed());
        // It slides in the bowl like a pendulum of 0.5 m.
        const std::size_t last = result.trajectory.rows() - 1;
        const double x = value(result.trajectory, last, "b.x"),
                     y = value(result.trajectory, last, "b.y");
        EXPECT_NEAR(std::hypot(x, y - 0.5), 0.5, 1e-11);
        EXPECT_NEAR(0.5 * std::pow(value(result.trajectory, last, "b.vx"), 2) +
                        0.5 * std::pow(value(result.trajectory, last, "b.vy"), 2) + 9.81 * y,
                    0.5, 1e-5);
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
