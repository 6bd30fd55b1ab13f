// A flat follower over a cam with two humps: where both are as high, the load goes over from one to
// the other, in quasi-static and in kinematic runs.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "simulation/quasi_static/quasi_static_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::placed_of;
using test::value;

// Gaps are located to 1e-15 m, and the humps pass each other at more than 0.01 m/s.
constexpr double event_time = 1e-12;  // s
constexpr double exact = 1e-12;       // m, the position that is accepted in a model of 0.4 m

// A cam that turns by 1 rad/s under a flat follower that rests on it, at this height at first.
std::string model_of(const std::string& cam, const std::string& height) {
    return R"model(format = 1
body.cam = { mass = 1, inertia = 0.01 }
body.follower = { position = [0, )model" +
           height + R"model(], mass = 1 }
joint.O = { type = "revolute", a = "ground", b = "cam" }
joint.G = { type = "prismatic", a = "ground", b = "follower", axis = "90 deg" }
profile.cam = { body = "cam", elements = [)model" +
           cam + R"model(] }
profile.flat = { body = "follower", elements = [{ type = "line", from = [-0.2, 0], to = [0.2, 0] }] }
contact.C = { a = "cam", b = "flat" }
force.weight = { type = "gravity" }
driver.m = { joint = "O", type = "speed", speed = "1 rad/s" }
)model";
}

// The outline of two circles of 50 and 34 mm, whose centres are 28 mm on both sides of the pivot:
// they meet in re-entrant corners 30 mm beside the line of centres, 40 and 16 mm from the centres.
// The heights 50 + 28 sin(t) and 34 - 28 sin(t) are equal where sin(t) = -2/7.
const std::string two_circles = model_of(R"model(
{ type = "arc", centre = [0.028, 0], radius = 0.05, from = "-atan2(30, -40)", to = "atan2(30, -40)" },
{ type = "arc", centre = [-0.028, 0], radius = 0.034, from = "atan2(30, 16)", to = "2*pi - atan2(30, 16)" }
)model",
                                         "0.05");

double height_of_two_circles(double t) {
    return std::max(0.05 + 0.028 * std::sin(t), 0.034 - 0.028 * std::sin(t));
}

// One curve with three dents. Where the two humps beside a dent are equally high was computed
// apart, by halving on the greatest of r(a) sin(a + t) over all roots of its slope, with a periodic
// spline of its own.
const std::string dents = model_of(
    R"model({ type = "spline", ends = "periodic", angles = [0, 1, 2, 3, 4, 5, "2*pi"], radii = [0.1, 0.12, 0.09, 0.11, 0.1, 0.13, 0.1] })model",
    "0.2");
constexpr double equally_high[] = {1.58683735054671, 3.96960789858954, 5.77887377157846};

// Two humps that are mirrored at the dent between them, 180 degrees from the beginning: they are
// equally high when the dent is above, after 3/4 of a turn.
const std::string mirrored = model_of(
    R"model({ type = "spline", ends = "periodic", angles = [0, "pi/2", "3*pi/4", "pi", "5*pi/4", "3*pi/2", "2*pi"], radii = [0.1, 0.1, 0.12, 0.07, 0.12, 0.1, 0.1] })model",
    "0.2");

// Formed and lost at a time, by these numbers.
void expect_hand_over(const std::vector<Event>& events, std::size_t at, double t,
                      const std::string& formed, const std::string& lost) {
    ASSERT_GE(events.size(), at + 2);
    EXPECT_EQ(events[at].kind, EventKind::contact_formed);
    EXPECT_EQ(events[at].element, formed);
    EXPECT_NEAR(events[at].t, t, event_time);
    EXPECT_EQ(events[at + 1].kind, EventKind::contact_lost);
    EXPECT_EQ(events[at + 1].element, lost);
    EXPECT_EQ(events[at + 1].t, events[at].t);
}

void expect_two_circles(const Trajectory& trajectory, const std::vector<Event>& events) {
    ASSERT_EQ(events.size(), 5u);
    EXPECT_EQ(events[0].kind, EventKind::contact_formed);
    expect_hand_over(events, 1, M_PI + std::asin(2.0 / 7), "C#2", "C#1");
    expect_hand_over(events, 3, 2 * M_PI - std::asin(2.0 / 7), "C#1", "C#2");
    for (std::size_t i = 0; i < trajectory.rows(); ++i)
        EXPECT_NEAR(value(trajectory, i, "follower.y"),
                    height_of_two_circles(value(trajectory, i, "t")), exact)
            << value(trajectory, i, "t");
    EXPECT_DOUBLE_EQ(value(trajectory, trajectory.rows() - 1, "t"), 6.5);
}

TEST(HandOver, a_quasi_static_follower_goes_over_where_two_circles_are_as_high) {
    const QuasiStaticResult r =
        run_quasi_static(placed_of(two_circles), {.end = 6.5, .step = 0.1, .progress = {}});
    ASSERT_EQ(r.status, QuasiStaticStatus::completed) << r.message;
    expect_two_circles(r.trajectory, r.events);
    // The weight is on the one that is closed.
    for (std::size_t i = 0; i < r.trajectory.rows(); ++i) {
        const double first = value(r.trajectory, i, "C#1.normal"),
                     second = value(r.trajectory, i, "C#2.normal");
        EXPECT_NEAR(std::isnan(second)  ? first
                    : std::isnan(first) ? second
                                        : first + second,
                    9.81, 1e-12 * 9.81);
    }
}

TEST(HandOver, a_driven_follower_goes_over_where_two_circles_are_as_high) {
    for (const CoordinateKind kind : test::both_coordinates) {
        const KinematicResult r = test::run_of(placed_of(two_circles), 6.5, 0.1, kind);
        ASSERT_EQ(r.status, KinematicStatus::completed) << r.message;
        expect_two_circles(r.trajectory, r.events);
    }
}

TEST(HandOver, a_quasi_static_follower_goes_over_the_dents_of_a_curve) {
    // Long and short steps between outputs: a long one must not lead to the next hump unseen.
    for (const double step : {0.5, 0.01}) {
        const QuasiStaticResult r =
            run_quasi_static(placed_of(dents), {.end = 6.5, .step = step, .progress = {}});
        ASSERT_EQ(r.status, QuasiStaticStatus::completed) << r.message;
        ASSERT_EQ(r.events.size(), 7u);
        expect_hand_over(r.events, 1, equally_high[0], "C#2", "C#1");
        expect_hand_over(r.events, 3, equally_high[1], "C#1", "C#2");
        expect_hand_over(r.events, 5, equally_high[2], "C#2", "C#1");
        const QuasiStaticResult m =
            run_quasi_static(placed_of(mirrored), {.end = 6, .step = step, .progress = {}});
        ASSERT_EQ(m.status, QuasiStaticStatus::completed) << m.message;
        ASSERT_EQ(m.events.size(), 3u);
        expect_hand_over(m.events, 1, 1.5 * M_PI, "C#2", "C#1");
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
