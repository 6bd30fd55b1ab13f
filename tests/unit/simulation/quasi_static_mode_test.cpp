// Contacts of quasi-static runs that are lost at corners and that jam, against closed forms.
#include "simulation/quasi_static/quasi_static_mode.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::placed_of;
using test::value;

// A square that turns by 1 rad/s under a knife edge above its centre: the edge passes a corner each
// quarter of a turn, where nothing has a normal between the sides.
TEST(QuasiStaticMode, a_knife_edge_goes_on_round_the_corners_of_a_square) {
    const QuasiStaticResult r = run_quasi_static(placed_of(R"model(format = 1
body.cam = { mass = 1 }
body.knife = { position = [0, 0.1], mass = 1 }
joint.O = { type = "revolute", a = "ground", b = "cam" }
joint.G = { type = "prismatic", a = "ground", b = "knife", axis = "90 deg" }
profile.cam = { body = "cam", elements = [{ type = "line", from = [0.1, -0.1], to = [0.1, 0.1] }, { type = "line", to = [-0.1, 0.1] }, { type = "line", to = [-0.1, -0.1] }, { type = "line", to = [0.1, -0.1] }] }
profile.edge = { body = "knife", elements = [{ type = "point", at = [0, 0] }] }
contact.C = { a = "cam", b = "edge" }
force.weight = { type = "gravity" }
driver.m = { joint = "O", type = "speed", speed = "1 rad/s" }
)model"),
                                                 {.end = 3, .step = 0.05, .progress = {}});
    ASSERT_EQ(r.status, QuasiStaticStatus::completed) << r.message;
    // What lies beyond a corner shows 1e-10 of the end later.
    constexpr double later = 1e-9;
    ASSERT_EQ(r.events.size(), 5u);
    for (const std::size_t corner : {0u, 1u}) {
        const double t = M_PI / 4 + static_cast<double>(corner) * M_PI / 2;
        const Event &lost = r.events[1 + 2 * corner], &formed = r.events[2 + 2 * corner];
        EXPECT_EQ(lost.kind, EventKind::contact_lost);
        EXPECT_NEAR(lost.t, t, 1e-12);
        EXPECT_EQ(formed.kind, EventKind::contact_formed);
        EXPECT_NEAR(formed.t, t, later);
    }
    for (std::size_t i = 0; i < r.trajectory.rows(); ++i) {
        const double t = value(r.trajectory, i, "t"),
                     tilt = t - M_PI / 2 * std::round(t / (M_PI / 2));
        EXPECT_NEAR(value(r.trajectory, i, "knife.y"), 0.1 / std::cos(tilt), 0.1 * later) << t;
    }
}

// A roller of 100 mm on an upright guide stands on the floor, and a wall 0.5 m away comes towards
// it by 1 m/s: it is met after 0.4 s, across all that is free.
TEST(QuasiStaticMode, a_wall_across_the_guide_of_a_roller_jams) {
    const QuasiStaticResult r = run_quasi_static(placed_of(R"model(format = 1
body.wall = { mass = 1 }
body.roller = { position = [0, 0.1], mass = 1 }
joint.W = { type = "prismatic", a = "ground", b = "wall", axis = 0 }
joint.G = { type = "prismatic", a = "ground", b = "roller", axis = "90 deg" }
profile.floor = { body = "ground", elements = [{ type = "line", from = [1, 0], to = [-1, 0] }] }
profile.wall = { body = "wall", elements = [{ type = "line", from = [-0.5, -1], to = [-0.5, 1] }] }
profile.roller = { body = "roller", elements = [{ type = "circle", radius = 0.1 }] }
contact.below = { a = "floor", b = "roller" }
contact.beside = { a = "wall", b = "roller" }
force.weight = { type = "gravity" }
driver.m = { joint = "W", type = "speed", speed = "1 m/s" }
)model"),
                                                 {.end = 1, .step = 0.05, .progress = {}});
    EXPECT_EQ(r.status, QuasiStaticStatus::jam);
    ASSERT_FALSE(r.events.empty());
    EXPECT_EQ(r.events.back().kind, EventKind::jam);
    EXPECT_EQ(r.events.back().element, "beside#1");
    EXPECT_NEAR(r.events.back().t, 0.4, 1e-12);
    EXPECT_NE(r.message.find("driver 'm'"), std::string::npos) << r.message;
}

// A roller of 100 mm on an upright guide lies in a bowl of 300 mm that is drawn to one side by 1
// m/s: it climbs until the common normal is level, after 0.2 s.
TEST(QuasiStaticMode, a_roller_in_a_bowl_jams_where_the_normal_is_across_its_guide) {
    const QuasiStaticResult r = run_quasi_static(placed_of(R"model(format = 1
body.bowl = { mass = 1 }
body.roller = { position = [0, -0.2], mass = 1 }
joint.B = { type = "prismatic", a = "ground", b = "bowl", axis = 0 }
joint.G = { type = "prismatic", a = "ground", b = "roller", axis = "90 deg" }
profile.bowl = { body = "bowl", elements = [{ type = "arc", centre = [0, 0], radius = 0.3, from = "30 deg", to = "-210 deg" }] }
profile.roller = { body = "roller", elements = [{ type = "circle", radius = 0.1 }] }
contact.C = { a = "bowl", b = "roller" }
force.weight = { type = "gravity" }
driver.m = { joint = "B", type = "speed", speed = "1 m/s" }
)model"),
                                                 {.end = 1, .step = 0.01, .progress = {}});
    EXPECT_EQ(r.status, QuasiStaticStatus::jam) << r.message;
    ASSERT_FALSE(r.events.empty());
    EXPECT_EQ(r.events.back().kind, EventKind::jam);
    // Time is stationary there: it is known to the square of the error of the tangent, 1e-7.
    EXPECT_NEAR(r.events.back().t, 0.2, 1e-12);
}

// The place of a flat follower on a hump comes to an end in the dent beside it; a contact that may
// open passes to the next hump long before. Its curve has two of these, of which one is small.
TEST(QuasiStaticMode, a_permanent_contact_ends_in_a_dent_and_says_so) {
    for (const std::string curve :
         {"angles = [0, 1, 2, 3, 4, 5, '2*pi'], radii = [0.1, 0.12, 0.09, 0.11, 0.1, 0.13, 0.1]",
          "points = [[0.1, 0], [0.06, 0.07], [0, 0.12], [-0.08, 0.06], [-0.1, 0], [-0.05, -0.08], "
          "[0, -0.09], [0.07, -0.07]]"}) {
        const QuasiStaticResult r = run_quasi_static(placed_of(R"model(format = 1
body.cam = { mass = 1 }
body.follower = { position = [0, 0.1], mass = 1 }
joint.O = { type = "revolute", a = "ground", b = "cam" }
joint.G = { type = "prismatic", a = "ground", b = "follower", axis = "90 deg" }
profile.flat = { body = "follower", elements = [{ type = "line", from = [-0.2, 0], to = [0.2, 0] }] }
contact.C = { a = "cam", b = "flat", permanent = true }
force.weight = { type = "gravity" }
driver.m = { joint = "O", type = "speed", speed = "1 rad/s" }
profile.cam = { body = "cam", elements = [{ type = "spline", ends = "periodic", )model" +
                                                               curve + "}] }\n"),
                                                     {.end = 6.5, .step = 0.01, .progress = {}});
        EXPECT_EQ(r.status, QuasiStaticStatus::stuck);
        EXPECT_NE(r.message.find("'C#1' is permanent, but its place on"), std::string::npos)
            << r.message;
        EXPECT_NE(r.message.find("vanishes in a dent"), std::string::npos) << r.message;
    }
}

// Half a disk whose corner is under a knife edge at first: the edge goes along the arc, behind the
// flat side, which it has not met.
TEST(QuasiStaticMode, a_knife_edge_that_starts_on_a_corner_is_not_caught_behind_it) {
    const QuasiStaticResult r = run_quasi_static(placed_of(R"model(format = 1
body.cam = { mass = 1 }
body.knife = { position = [0, 0.1], mass = 1 }
joint.O = { type = "revolute", a = "ground", b = "cam" }
joint.G = { type = "prismatic", a = "ground", b = "knife", axis = "90 deg" }
profile.cam = { body = "cam", elements = [{ type = "arc", centre = [0, 0], radius = 0.1, from = "-90 deg", to = "90 deg" }, { type = "line", to = [0, -0.1] }] }
profile.edge = { body = "knife", elements = [{ type = "point", at = [0, 0] }] }
contact.C = { a = "cam", b = "edge" }
force.weight = { type = "gravity" }
driver.m = { joint = "O", type = "speed", speed = "1 rad/s" }
)model"),
                                                 {.end = 3, .step = 0.1, .progress = {}});
    ASSERT_EQ(r.status, QuasiStaticStatus::completed) << r.message;
    EXPECT_EQ(r.events.size(), 1u);
    for (std::size_t i = 0; i < r.trajectory.rows(); ++i)
        EXPECT_NEAR(value(r.trajectory, i, "knife.y"), 0.1, 1e-13);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
