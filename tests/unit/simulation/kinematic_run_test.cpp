// What a kinematic run does with its options, with freedoms that nothing drives and with drivers in
// excess.
#include "simulation/kinematic/kinematic_run.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/linkages.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::both_coordinates;
using test::value;

TEST(KinematicRun, outputs_stand_at_multiples_of_the_step_and_at_the_end) {
    const PlacedMechanism placed = test::placed_of(test::fourbar());
    const auto times = [&](double end, double step) {
        const KinematicResult result = test::run_of(placed, end, step, CoordinateKind::relative);
        std::vector<double> t;
        for (std::size_t r = 0; r < result.trajectory.rows(); ++r)
            t.push_back(value(result.trajectory, r, "t"));
        EXPECT_EQ(result.statistics.samples, t.size());
        return t;
    };
    EXPECT_EQ(times(0.4, 0.1), (std::vector<double>{0, 0.1, 0.2, 3 * 0.1, 0.4}));
    EXPECT_EQ(times(0.25, 0.1), (std::vector<double>{0, 0.1, 0.2, 0.25}));
    EXPECT_EQ(times(0.05, 0.1), (std::vector<double>{0, 0.05}));
    EXPECT_EQ(times(0.3, 0.1).size(), 4U);  // 0.3/0.1 is not 3 in binary
}

// Half a million radians of a driver that grows without bound, and then no further.
TEST(KinematicRun, driver_without_bound_ends_it) {
    const PlacedMechanism placed = test::placed_of(R"model(format = 1
body.a = { mass = 1 }
joint.A = { type = "revolute", a = "ground", b = "a" }
driver.d = { joint = "A", type = "expression", value = "1/(0.5 - t)" }
)model");
    const KinematicResult r = test::run_of(placed, 1, 0.1, CoordinateKind::relative);
    EXPECT_EQ(r.status, KinematicStatus::stuck);
    EXPECT_NE(r.message.find("steps advanced the time only from 0.4 s to 0.49999"),
              std::string::npos)
        << r.message;
    EXPECT_EQ(r.trajectory.rows(), 5U);
}

// Whether a row falls on the kink must not matter: the last one is the last before it.
TEST(KinematicRun, driver_that_jumps_ends_it_at_any_output_step) {
    const auto run = [](const std::string& law, double step, double end) {
        return test::run_of(
            test::placed_of("format = 1\nbody.m = { mass = 1 }\njoint.g = { type = "
                            "\"prismatic\", a = \"ground\", b = \"m\" }\ndriver.d = "
                            "{ joint = \"g\", type = \"expression\", value = \"" +
                            law + "\" }\n"),
            end, step, CoordinateKind::relative);
    };
    for (const double step : {0.05, 0.1, 0.25, 0.3}) {
        const KinematicResult kink = run("abs(t - 1)", step, 2);
        EXPECT_EQ(kink.status, KinematicStatus::stuck) << step;
        EXPECT_EQ(kink.message,
                  "the velocity of driver 'd' jumps from -1 to 1 at t = 1 s; make its law smooth");
        EXPECT_LT(value(kink.trajectory, kink.trajectory.rows() - 1, "t"), 1);
        const KinematicResult jump = run("if(t < 1.05, 0, 0.1)", step, 2);
        EXPECT_EQ(jump.message,
                  "driver 'd' jumps from 0 to 0.1 at t = 1.05 s; make its law continuous");
        // A pulse of a hundredth of the run, and a switch where nothing jumps.
        EXPECT_EQ(run("max(0, 0.01 - abs(t - 1.003))", step, 2).status, KinematicStatus::stuck);
        EXPECT_EQ(run("max(0, t - 1)^3", step, 2).status, KinematicStatus::completed);
    }
}

TEST(KinematicRun, reports_its_progress_without_going_back) {
    KinematicOptions options;
    options.end = 1;
    options.step = 1e-3;
    double last = 0;
    int calls = 0;
    options.progress = [&](double share) {
        EXPECT_GE(share, last);
        EXPECT_LE(share, 1);
        last = share;
        ++calls;
    };
    run_kinematics(test::placed_of(test::fourbar()), options);
    EXPECT_GT(calls, 0);
}

const std::string pendulum = R"(
[body.pendulum]
angle = "-40 deg"
points = { top = [0, 0.1] }
[joint.P]
type = "revolute"
a = "crank.A"
b = "pendulum.top"
)";

TEST(KinematicRun, pendulum_on_a_driven_crank_keeps_its_joint_angle) {
    const PlacedMechanism placed = test::placed_of(test::fourbar() + pendulum);
    for (const CoordinateKind kind : both_coordinates) {
        const KinematicResult result = test::run_of(placed, 1, 0.01, kind);
        ASSERT_EQ(result.status, KinematicStatus::completed);
        ASSERT_EQ(result.at_rest.size(), 1U);
        EXPECT_EQ(result.at_rest[0].substr(0, 1), "P");
        for (std::size_t r = 0; r < result.trajectory.rows(); ++r) {
            const double relative = value(result.trajectory, r, "pendulum.angle") -
                                    value(result.trajectory, r, "crank.angle");
            ASSERT_NEAR(relative, -100 * M_PI / 180, 1e-13);  // rounding of angles of a few radians
            ASSERT_NEAR(value(result.trajectory, r, "pendulum.omega"), 2 * M_PI, 1e-12);
        }
    }
}

TEST(KinematicRun, undriven_mechanism_rests) {
    const PlacedMechanism placed = test::placed_of(test::embedded_text("trigger_topology"));
    for (const CoordinateKind kind : both_coordinates) {
        const KinematicResult result = test::run_of(placed, 1, 0.1, kind);
        ASSERT_EQ(result.status, KinematicStatus::completed);
        EXPECT_EQ(result.at_rest.size(), 5U);
        for (std::size_t c = 1; c < result.trajectory.columns.size(); ++c)
            EXPECT_NEAR(result.trajectory.row(10)[c], result.trajectory.row(0)[c], 1e-15)
                << result.trajectory.columns[c].name;
    }
}

TEST(KinematicRun, freedom_named_by_the_user_is_the_one_that_rests) {
    // A five-bar with one driven crank: the user keeps the angle at the tip, not the other crank.
    const std::string fivebar =
        R"(
format = 1
[body.ground]
points = { O = [0, 0], Q = [0.4, 0] }
[body.left]
angle = 1.9
points = { A = [0.3, 0] }
[body.right]
angle = 0.8
points = { B = [0.3, 0] }
[body.upper]
angle = 0.6
points = { P = [0.5, 0] }
[body.other]
angle = 2.4
points = { P = [0.5, 0] }
)" +
        [] {
            std::string joints;
            for (const auto& [name, a, b] : {std::tuple{"O", "ground.O", "left"},
                                             {"Q", "ground.Q", "right"},
                                             {"A", "left.A", "upper"},
                                             {"B", "right.B", "other"},
                                             {"P", "upper.P", "other.P"}})
                joints += std::string("[joint.") + name + "]\ntype = \"revolute\"\na = \"" + a +
                          "\"\nb = \"" + b + "\"\n";
            return joints;
        }() +
        "[driver.motor]\njoint = \"O\"\ntype = \"harmonic\"\nmean = 1.9\namplitude = "
        "0.1\nfrequency = 1\n";
    for (const char* kept : {"P", "Q", "B"}) {
        const PlacedMechanism placed =
            test::placed_of(fivebar + "[run]\nindependent = [\"" + kept + "\"]\n");
        for (const CoordinateKind kind : both_coordinates) {
            const KinematicResult result = test::run_of(placed, 0.5, 0.05, kind);
            ASSERT_EQ(result.at_rest, std::vector<std::string>{kept});
            const std::string a = *kept == 'P'   ? "upper"
                                  : *kept == 'B' ? "right"
                                                 : "",
                              b = *kept == 'Q' ? "right" : "other";
            const auto angle = [&](std::size_t r) {
                return value(result.trajectory, r, b + ".angle") -
                       (a.empty() ? 0 : value(result.trajectory, r, a + ".angle"));
            };
            for (std::size_t r = 1; r < result.trajectory.rows(); ++r)
                ASSERT_NEAR(angle(r), angle(0), 1e-12) << kept;
            EXPECT_GT(std::abs(value(result.trajectory, 5, "left.angle") - 1.9),
                      0.09);  // a quarter of a period
        }
    }
}

TEST(KinematicRun, drivers_in_excess_that_agree_are_followed) {
    const PlacedMechanism placed = test::placed_of(
        test::ladder(1, "60 deg", "type = \"speed\"\nspeed = \"20 rpm\"") +
        "[driver.second]\njoint = \"base_1\"\ntype = \"speed\"\nspeed = \"20 rpm\"\n");
    for (const CoordinateKind kind : both_coordinates) {
        const KinematicResult result = test::run_of(placed, 0.9, 0.05, kind);  // up to 168 degrees
        EXPECT_EQ(result.status, KinematicStatus::completed) << result.message;
    }
}

TEST(KinematicRun, drivers_whose_speeds_contradict_each_other_fight) {
    const PlacedMechanism placed = test::placed_of(
        test::ladder(1, "60 deg", "type = \"speed\"\nspeed = \"20 rpm\"") +
        "[driver.second]\njoint = \"base_1\"\ntype = \"speed\"\nspeed = \"21 rpm\"\n");
    for (const CoordinateKind kind : both_coordinates) {
        const KinematicResult result = test::run_of(placed, 0.9, 0.05, kind);
        EXPECT_EQ(result.status, KinematicStatus::drivers_fight);
        EXPECT_GT(result.span.line, 0);
        EXPECT_NE(result.message.find("contradict"), std::string::npos) << result.message;
    }
}

TEST(KinematicRun, drivers_that_part_only_later_fight_then) {
    const PlacedMechanism placed =
        test::placed_of(test::ladder(1, "60 deg", "type = \"speed\"\nspeed = 1") +
                        "[driver.second]\njoint = \"base_1\"\ntype = \"expression\"\nvalue = "
                        "\"pi/3 + t + max(t - 0.5, 0)^3\"\n");
    for (const CoordinateKind kind : both_coordinates) {
        const KinematicResult result = test::run_of(placed, 0.9, 0.05, kind);
        EXPECT_EQ(result.status, KinematicStatus::drivers_fight);
        EXPECT_NEAR(static_cast<double>(result.trajectory.rows()), 11, 1);  // outputs up to 0.5 s
    }
}

const std::string knife_cam = R"(format = 1
units = { length = "mm", angle = "deg" }
body.ground = { points = { P = [80, 0] } }
body.cam = {}
body.arm = { position = [80, 0], angle = 160 }
joint.O = { type = "revolute", a = "ground", b = "cam" }
joint.P = { type = "revolute", a = "ground.P", b = "arm" }
contact.C = { a = "cam", b = "edge", permanent = true }
driver.m = { type = "speed", joint = "O", speed = "120 rpm" }
[profile.cam]
body = "cam"
[[profile.cam.elements]]
type = "cam"
follower = "knife"
base = 30
arm = 75
pivot = [80, 0]
swings = "cw"
segments = [
  { law = "dwell", angle = 90 },
  { law = "modified_sine", lift = 15, angle = 90 },
  { law = "dwell", angle = 60 },
  { law = "cycloidal", lift = -15, angle = 120 },
]
[profile.edge]
body = "arm"
elements = [{ type = "point", at = [75, 0] }]
)";

// The edge stands on the joint of two elements of the cam at the start: it passes there at once,
// and rounding must not put that before the start.
TEST(KinematicRun, no_event_comes_before_the_start) {
    for (const CoordinateKind coordinates : both_coordinates) {
        const KinematicResult result =
            test::run_of(test::placed_of(knife_cam), 0.5, 2.5e-3, coordinates);
        ASSERT_FALSE(result.events.empty());
        for (const Event& event : result.events) EXPECT_GE(event.t, 0);
        for (std::size_t r = 1; r < result.trajectory.rows(); ++r)
            EXPECT_GE(value(result.trajectory, r, "t"), value(result.trajectory, r - 1, "t"));
    }
}

// A disc passes over a roof without touching it: the nearest place lies on the one side, then on
// the ridge while the disc is within its normals (|x| < 0.25 m at 0.5 m above it), then on the
// other.
TEST(KinematicRun, transitions_of_an_open_contact_are_in_the_rows_and_no_events) {
    const KinematicResult r = test::run_of(test::placed_of(R"(format = 1
[body.ground]
points = { P = [0, 0.5] }
[body.disc]
position = [-0.5, 0.5]
[joint.rail]
type = "prismatic"
a = "ground.P"
b = "disc"
[driver.pull]
joint = "rail"
type = "speed"
speed = 1
[profile.roof]
body = "ground"
elements = [
    { type = "line", from = [1, -0.5], to = [0, 0] },
    { type = "line", to = [-1, -0.5] },
]
[profile.rim]
body = "disc"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "roof"
b = "rim"
)"),
                                           1, 0.1, CoordinateKind::relative);
    ASSERT_EQ(r.status, KinematicStatus::completed) << r.message;
    EXPECT_TRUE(r.events.empty());
    std::vector<int> elements;
    for (std::size_t i = 0; i < r.trajectory.rows(); ++i) {
        EXPECT_EQ(value(r.trajectory, i, "C#1.closed"), 0);
        const double x = value(r.trajectory, i, "disc.x");
        elements.push_back(static_cast<int>(value(r.trajectory, i, "C#1.a")));
        const int side = std::abs(x) < 0.25 ? 0 : x > 0 ? 1 : -1;
        const int expected = elements.front() + (side == -1 ? 0 : side == 0 ? -1 : -2);
        EXPECT_EQ(elements.back(), expected) << x;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
