// Equilibria followed through time: limit points and bifurcations against closed forms, and what
// the run does after them.
#include "simulation/quasi_static/quasi_static_run.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "simulation/equilibrium/equilibrium.h"
#include "support/linkages.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::placed_of;
using test::value;

QuasiStaticResult run(const PlacedMechanism& placed, double end, double step) {
    QuasiStaticOptions options;
    options.end = end;
    options.step = step;
    return run_quasi_static(placed, options);
}

// Time is stationary at a limit point: the error of its place, 1e-9 of the stiffness, counts
// squared; what remains is the rounding of the balance, 1e-13 of the force, over the rate of the
// load.
constexpr double event_time = 1e-11;  // s
// Newton's method on the balance at each output.
constexpr double exact = 1e-10;

// Two rigid links of 0.5 m, raised by 25 degrees at rest, the right end on a slider held by a
// spring: the load P on the apex is 4 k L (cos a - cos a0) tan a at the angle a, greatest where
// cos(a)^3 = cos(a0). It grows by 100 N/s.
const std::string truss = R"model(
format = 1
parameters = { start = "25 deg", L = 0.5 }
[body.ground]
points = { O = [0, 0], wall = ["2*L*cos(start) + 1", 0] }
[body.left]
angle = "start"
points = { apex = ["L", 0] }
[body.right]
angle = "-start"
points = { end = ["L", 0] }
[body.slider]
position = ["2*L*cos(start)", 0]
[joint.O]
type = "revolute"
a = "ground.O"
b = "left"
[joint.apex]
type = "revolute"
a = "left.apex"
b = "right"
[joint.end]
type = "revolute"
a = "right.end"
b = "slider"
[joint.slide]
type = "prismatic"
a = "ground.O"
b = "slider"
axis = 0
[force.spring]
type = "spring"
a = "slider"
b = "ground.wall"
stiffness = 1000
free_length = 1
[force.load]
type = "force"
point = "left.apex"
y = "-100*t"
)model";

double truss_load(double a) {
    return 4 * 1000 * 0.5 * (std::cos(a) - std::cos(25 * M_PI / 180)) * std::tan(a);
}

TEST(QuasiStaticRun, a_truss_snaps_through_at_its_limit_load_and_goes_on_below) {
    for (const double step : {0.01, 0.1, 0.037}) {
        const QuasiStaticResult result = run(placed_of(truss), 1.5, step);
        ASSERT_EQ(result.status, QuasiStaticStatus::completed) << result.message;
        const double angle = std::acos(std::cbrt(std::cos(25 * M_PI / 180))),
                     limit = truss_load(angle) / 100;
        ASSERT_LT(limit, 1);
        ASSERT_EQ(result.events.size(), 1U);
        EXPECT_EQ(result.events[0].kind, EventKind::snap);
        EXPECT_EQ(result.events[0].to, "stable");
        EXPECT_NEAR(result.events[0].t, limit, event_time);
        EXPECT_LT(result.events[0].energy_change, 0);
        EXPECT_NE(result.events[0].find<fact::Leap>(), nullptr);
        const Trajectory& t = result.trajectory;
        double last = INFINITY;
        for (std::size_t r = 0; r < t.rows(); ++r) {
            const double time = value(t, r, "t"), a = value(t, r, "left.angle");
            const bool before = a > 0;
            EXPECT_NEAR(truss_load(a), 100 * time, 1e-7) << time;  // N; stiffness x 1e-10 rad
            EXPECT_TRUE(before ? time <= limit + event_time : time >= limit - event_time) << time;
            EXPECT_GE(value(t, r, "stiffness.lowest"), time == result.events[0].t ? -1e-3 : 0);
            EXPECT_LE(a, last + exact);
            last = a;
        }
        EXPECT_EQ(t.rows(), static_cast<std::size_t>(std::ceil(1.5 / step - 1e-9)) +
                                3);  // outputs, start, two at the snap
        EXPECT_LT(result.statistics.largest_imbalance, 1e-9);
    }
}

TEST(QuasiStaticRun, a_limit_point_on_an_output_is_one_snap) {
    const double limit = truss_load(std::acos(std::cbrt(std::cos(25 * M_PI / 180)))) / 100;
    for (const double nudged : {-1e-12, 0.0, 1e-12})
        for (const int outputs : {1, 4, 7}) {
            const double step = (limit + nudged) / outputs;
            const QuasiStaticResult result = run(placed_of(truss), 2 * outputs * step, step);
            ASSERT_EQ(result.status, QuasiStaticStatus::completed) << result.message;
            ASSERT_EQ(result.events.size(), 1U);
            EXPECT_NEAR(result.events[0].t, limit, event_time);
            EXPECT_EQ(result.trajectory.rows(), static_cast<std::size_t>(2 * outputs + 3));
        }
}

TEST(QuasiStaticRun, a_mirrored_truss_snaps_at_the_same_time) {
    std::string up = truss;
    up.replace(up.find("-100*t"), 6, "100*t");
    const QuasiStaticResult down = run(placed_of(truss), 1, 0.05),
                            mirrored = run(placed_of(up, {{"start", "-25 deg"}}), 1, 0.05);
    ASSERT_EQ(mirrored.events.size(), 1U);
    EXPECT_NEAR(mirrored.events[0].t, down.events[0].t, event_time);
    EXPECT_NEAR(value(mirrored.trajectory, 20, "left.angle"),
                -value(down.trajectory, 20, "left.angle"), exact);
}

// The closed form of the model's comment; both snaps, and the force of the driver between them.
TEST(QuasiStaticRun, the_toggle_snaps_through_and_back_where_springs_in_series_say) {
    const QuasiStaticResult result = run(placed_of(test::embedded_text("toggle_snap")), 1, 0.005);
    ASSERT_EQ(result.status, QuasiStaticStatus::completed) << result.message;
    const double length = 0.2, c0 = std::cos(M_PI / 6), strong = 2e4, soft = 1e3;
    const double a = std::acos(std::cbrt(c0 / (1 - soft / strong)));
    const double travel =
        length * (0.5 - std::sin(a)) + strong * length * (std::sin(a) - c0 * std::tan(a)) / soft;
    const double snap = std::acos(1 - 2 * travel / 0.2) / (2 * M_PI);
    ASSERT_EQ(result.events.size(), 2U);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(result.events[i].t, snap + 0.5 * i, event_time);
    EXPECT_NEAR(result.events[0].energy_change, result.events[1].energy_change, 1e-9);
    for (std::size_t r = 0; r < result.trajectory.rows(); ++r) {
        const double y = value(result.trajectory, r, "knee.y"), angle = std::asin(y / length),
                     t = value(result.trajectory, r, "t");
        const double press = strong * length * (std::sin(angle) - c0 * std::tan(angle));
        EXPECT_NEAR(value(result.trajectory, r, "motor.force"), -press,
                    1e-6);  // N: stiffness 2e4 N/m x 1e-11 m
        EXPECT_NEAR(0.1 - 0.1 * (1 - std::cos(2 * M_PI * t)) - y, -press / soft, 1e-9);
    }
}

// A law that pulls back with k s exp(-s/d) at most k d/e: beyond, nothing holds the block.
TEST(QuasiStaticRun, the_run_ends_where_no_other_equilibrium_is_reached) {
    const QuasiStaticResult result = run(placed_of(R"model(
format = 1
[body.ground]
points = { O = [0, 0], wall = [-1, 0] }
[body.block]
position = [0, 0]
[joint.guide]
type = "prismatic"
a = "ground.O"
b = "block"
axis = 0
[force.pull]
type = "spring"
a = "ground.wall"
b = "block"
free_length = 1
law = "-200*s*exp(-s/0.1)"
[force.load]
type = "joint_force"
joint = "guide"
value = "10*t"
)model"),
                                         2, 0.1);
    EXPECT_EQ(result.status, QuasiStaticStatus::no_equilibrium);
    ASSERT_EQ(result.events.size(), 1U);
    EXPECT_EQ(result.events[0].kind, EventKind::snap);
    EXPECT_EQ(result.events[0].to, "none");
    EXPECT_NEAR(result.events[0].t, 200 * 0.1 * std::exp(-1.0) / 10, event_time);
    EXPECT_EQ(result.message,
              "the equilibrium is lost at t = 0.735758882 s (guide.x), and no other stable one is "
              "reached from there");
    EXPECT_EQ(result.span.line, 7);
    const Trajectory& t = result.trajectory;
    EXPECT_NEAR(value(t, t.rows() - 1, "block.x"), 0.1,
                1e-6);  // at a limit point the place is known to the root of 1e-12
}

// An upright bar of 1 m on a torsion spring of 50 N m/rad under a weight P at its tip: k a = P
// sin(a), upright up to P = k.
const std::string column = R"model(
format = 1
[body.bar]
angle = "90 deg"
points = { tip = [1, 0] }
[joint.O]
type = "revolute"
a = "ground"
b = "bar"
[force.spring]
type = "joint_spring"
joint = "O"
stiffness = 50
[force.load]
type = "force"
point = "bar.tip"
y = "-40*t"
)model";

TEST(QuasiStaticRun, a_column_buckles_where_its_path_branches) {
    for (const double step : {0.125, 1.25, 1.25 / 7, 0.1, 0.03}) {  // some outputs fall on it
        const QuasiStaticResult result = run(placed_of(column), 2, step);
        ASSERT_EQ(result.status, QuasiStaticStatus::completed) << result.message;
        ASSERT_EQ(result.events.size(), 1U) << step;
        EXPECT_EQ(result.events[0].kind, EventKind::bifurcation);
        EXPECT_NEAR(result.events[0].t, 1.25,
                    1e-8);  // the stiffness passes zero with finite slope, known to 4e-11 k
        for (std::size_t r = 0; r < result.trajectory.rows(); ++r) {
            const double t = value(result.trajectory, r, "t"),
                         a = value(result.trajectory, r, "bar.angle") - M_PI / 2;
            EXPECT_NEAR(50 * a, 40 * t * std::sin(a), 1e-8) << t;
            EXPECT_EQ(std::abs(a) > 1e-3, t > 1.25 + 1e-9) << t;
        }
    }
}

// Two blocks on springs of 10 and 200 N/m, loads of 3 and -8 N/s: straight paths, the stiffer one
// second.
TEST(QuasiStaticRun, several_freedoms_follow_their_loads) {
    std::string text = "format = 1\n[body.ground]\npoints = { O = [0, 0], wall = [-1, 0] }\n";
    for (const auto& [name, stiffness, load] : {std::tuple{"soft", 10, 3}, {"stiff", 200, -8}}) {
        const std::string n = name;
        text += "[body." + n + "]\n[joint.guide_" + n +
                "]\ntype = \"prismatic\"\na = \"ground.O\"\nb = \"" + n +
                "\"\naxis = 0\n[force.spring_" + n +
                "]\ntype = \"spring\"\na = \"ground.wall\"\nb = \"" + n +
                "\"\nfree_length = 1\nstiffness = " + std::to_string(stiffness) + "\n[force.load_" +
                n + "]\ntype = \"joint_force\"\njoint = \"guide_" + n + "\"\nvalue = \"" +
                std::to_string(load) + "*t\"\n";
    }
    const QuasiStaticResult result = run(placed_of(text), 1, 0.25);
    ASSERT_EQ(result.status, QuasiStaticStatus::completed) << result.message;
    EXPECT_TRUE(result.events.empty());
    for (std::size_t r = 0; r < 5; ++r) {
        const double t = 0.25 * static_cast<double>(r);
        EXPECT_NEAR(value(result.trajectory, r, "soft.x"), 0.3 * t, exact);
        EXPECT_NEAR(value(result.trajectory, r, "stiff.x"), -0.04 * t, exact);
    }
}

TEST(QuasiStaticRun, an_unstable_start_is_left_at_once_and_said) {
    const QuasiStaticResult result = run(placed_of(R"model(
format = 1
[body.rod]
angle = "90 deg"
mass = 1
centre = [1, 0]
inertia = 0
[joint.O]
type = "revolute"
a = "ground"
b = "rod"
[force.weight]
type = "gravity"
)model"),
                                         1, 0.5);
    ASSERT_EQ(result.status, QuasiStaticStatus::completed);
    ASSERT_EQ(result.events.size(), 1U);
    EXPECT_EQ(result.events[0].t, 0);
    EXPECT_EQ(result.events[0].from, "unstable");
    EXPECT_NEAR(result.events[0].energy_change, -2 * 9.81, 1e-9);
    for (std::size_t r = 1; r < result.trajectory.rows(); ++r)
        EXPECT_NEAR(std::sin(value(result.trajectory, r, "rod.angle")), -1, exact);
}

// No freedom is left: every output is the kinematic position, and the torque of the crank follows
// from virtual work.
TEST(QuasiStaticRun, a_driven_four_bar_needs_the_torque_of_virtual_work) {
    std::string text = test::fourbar("type = \"speed\"\nspeed = \"1 rad/s\"") +
                       "[force.weight]\ntype = \"gravity\"\n";
    text.insert(text.find("points", text.find("[body.rocker]")), "mass = 3\ncentre = [0.4, 0]\n");
    const QuasiStaticResult result = run(placed_of(text), 6, 0.25);
    ASSERT_EQ(result.status, QuasiStaticStatus::completed) << result.message;
    EXPECT_TRUE(result.events.empty());
    ASSERT_EQ(result.trajectory.rows(), 25U);
    for (std::size_t r = 0; r < 25; ++r) {
        const double crank = value(result.trajectory, r, "crank.angle"), h = 1e-5;
        EXPECT_NEAR(crank, M_PI / 3 + 0.25 * static_cast<double>(r), exact);
        const double rise =
            (test::fourbar_pin(crank + h, -1).imag() - test::fourbar_pin(crank - h, -1).imag()) /
            (2 * h);
        EXPECT_NEAR(value(result.trajectory, r, "motor.force"), 3 * 9.81 * rise,
                    1e-7);  // N m: differences, h^2 x 30
    }
}

TEST(QuasiStaticRun, agrees_with_single_equilibria_at_the_same_times) {
    const PlacedMechanism placed = placed_of(test::embedded_text("toggle_snap"));
    const QuasiStaticResult result = run(placed, 0.3, 0.1);
    ASSERT_EQ(result.trajectory.rows(), 4U);
    for (std::size_t r = 0; r < 4; ++r) {
        const EquilibriumResult single =
            find_equilibrium(placed, {.at = value(result.trajectory, r, "t")});
        EXPECT_NEAR(value(result.trajectory, r, "knee.y"), single.positions[1].p.y, exact);
    }
}

// A driver that turns back at once, like |t - 0.5|: the path has a corner, not a limit point.
TEST(QuasiStaticRun, a_corner_in_a_driver_is_passed) {
    const QuasiStaticResult result = run(placed_of(R"model(
format = 1
[body.cart]
[body.load]
position = [1, 0]
[joint.rail]
type = "prismatic"
a = "ground"
b = "cart"
axis = 0
[joint.rail2]
type = "prismatic"
a = "ground"
b = "load"
axis = 0
[force.spring]
type = "spring"
a = "cart"
b = "load"
stiffness = 10
[driver.push]
joint = "rail"
type = "expression"
value = "3*abs(t - 0.5) - 1.5"
)model"),
                                         1, 0.07);
    ASSERT_EQ(result.status, QuasiStaticStatus::completed) << result.message;
    EXPECT_TRUE(result.events.empty());
    for (std::size_t r = 0; r < result.trajectory.rows(); ++r)
        EXPECT_NEAR(value(result.trajectory, r, "load.x"),
                    3 * std::abs(value(result.trajectory, r, "t") - 0.5) - 0.5, exact);
}

// The latch of the examples: door at x(a) = r cos a + sqrt(L^2 - r^2 sin^2 a), seal k (x0 - x),
// torque T = -k (x0 - x) dx/da on the handle at the angle a, hand at a + T/grip. It snaps where the
// hand has come to the greatest such angle. At the start the hook touches without pressing:
// neutral.
TEST(QuasiStaticRun, the_latch_whose_hook_just_touches_snaps_over_its_dead_centre) {
    const double r = 0.02, l = 0.08, k = 5000, start = M_PI / 3;
    const auto door = [&](double a) {
        return r * std::cos(a) + std::sqrt(l * l - std::pow(r * std::sin(a), 2));
    };
    const auto hand = [&](double a) {
        const double root = std::sqrt(l * l - std::pow(r * std::sin(a), 2));
        const double slope = -r * std::sin(a) * (1 + r * std::cos(a) / root);
        return a - k * (door(start) - door(a)) * slope;
    };
    double low = 2, high = 2.7;
    for (int i = 0; i < 100; ++i) {
        const double x = low + 0.381966 * (high - low), y = high - 0.381966 * (high - low);
        (hand(x) < hand(y) ? low : high) = hand(x) < hand(y) ? x : y;
    }
    const double snap = (hand(low) - start) / (M_PI / 2);
    const QuasiStaticResult result = run(placed_of(test::embedded_text("toggle_latch")), 4, 0.05);
    ASSERT_EQ(result.status, QuasiStaticStatus::completed) << result.message;
    std::vector<Event> snaps;
    for (const Event& e : result.events) {
        EXPECT_FALSE(e.kind == EventKind::contact_lost) << e.t << ' ' << e.element;
        if (e.kind == EventKind::snap) snaps.push_back(e);
    }
    ASSERT_EQ(snaps.size(), 1u);
    EXPECT_NEAR(snaps[0].t, snap, event_time);
    // Closed: the foot on the plate at 188 degrees, the hand free of force.
    const double closed = 188 * M_PI / 180, sine = r * std::sin(closed);
    const double seal = k * (door(start) - door(closed)),
                 link = seal / std::sqrt(1 - std::pow(sine / l, 2));
    const std::size_t last = result.trajectory.rows() - 1;
    EXPECT_NEAR(value(result.trajectory, last, "handle.angle"), closed, exact);
    EXPECT_NEAR(value(result.trajectory, last, "catch#1.normal"), link, 1e-6 * link);
}

TEST(QuasiStaticRun, refuses_a_start_without_balance_and_one_that_nothing_holds) {
    const std::string block =
        "format = 1\n[body.block]\nmass = 1\n[joint.guide]\ntype = \"prismatic\"\na = "
        "\"ground\"\nb = \"block\"\naxis = 0\n";
    const QuasiStaticResult neutral = run(placed_of(block), 1, 0.1);
    EXPECT_EQ(neutral.status, QuasiStaticStatus::neutral);
    EXPECT_EQ(neutral.message,
              "'guide.x' has no stiffness, so its equilibrium position is undetermined; add a "
              "spring or a driver");
    const QuasiStaticResult pushed =
        run(placed_of(block +
                      "[force.push]\ntype = \"joint_force\"\njoint = \"guide\"\nvalue = \"1\"\n"),
            1, 0.1);
    EXPECT_EQ(pushed.status, QuasiStaticStatus::no_start);
    EXPECT_EQ(pushed.trajectory.rows(), 0U);
}

// A block on a spring comes to stand on a stop, which takes its last freedom, and leaves it again.
TEST(QuasiStaticRun, rows_are_whole_where_a_contact_takes_the_last_freedom) {
    const QuasiStaticResult r = run_quasi_static(test::placed_of(R"model(format = 1
[body.b]
mass = 1
[joint.G]
type = "prismatic"
a = "ground"
b = "b"
axis = 0
[profile.stop]
body = "ground"
elements = [{ type = "line", from = [0.1, 1], to = [0.1, -1] }]
[profile.tip]
body = "b"
elements = [{ type = "circle", radius = 0.05 }]
[contact.C]
a = "stop"
b = "tip"
[force.spring]
type = "joint_spring"
joint = "G"
stiffness = 100
[force.push]
type = "joint_force"
joint = "G"
value = "10 * sin(pi * t)"
)model"),
                                                 {.end = 1, .step = 0.05, .progress = {}});
    ASSERT_EQ(r.status, QuasiStaticStatus::completed) << r.message;
    ASSERT_EQ(r.events.size(), 2u);
    double last = 0;
    bool held = false;
    for (std::size_t i = 0; i < r.trajectory.rows(); ++i) {
        EXPECT_GE(value(r.trajectory, i, "t"), last);
        last = value(r.trajectory, i, "t");
        EXPECT_LE(value(r.trajectory, i, "b.x"), 0.05 + 1e-12);
        held = held || std::isnan(value(r.trajectory, i, "stiffness.lowest"));
    }
    EXPECT_DOUBLE_EQ(last, 1);
    EXPECT_TRUE(held);
}

// A nose is pushed under a roller of 3 mm on a lever of 30 mm, 30 mm over its tip: where the tip is
// 33 mm from the pivot the lever points at it, and beyond that nothing is left to touch.
TEST(QuasiStaticRun, a_roller_slips_off_a_nose_where_its_lever_points_at_the_tip) {
    const QuasiStaticResult r = run_quasi_static(test::placed_of(R"model(format = 1
units = { length = "mm", angle = "deg" }
body.slide = { position = [-30, 0], mass = 0.1 }
body.lever = { position = [0, 40], mass = 0.05 }
joint.G = { type = "prismatic", a = "ground", b = "slide" }
joint.P = { type = "revolute", bodies = ["ground", "lever"], at = [0, 40] }
profile.nose = { body = "slide", elements = [{ type = "line", from = [20, 0], to = [0, 10] }, { type = "line", to = [-20, 0] }] }
profile.tip = { body = "lever", at = [0, -30], elements = [{ type = "circle", radius = 3 }] }
contact.C = { a = "nose", b = "tip" }
force.spring = { type = "joint_spring", joint = "P", stiffness = "2 N m/rad" }
driver.push = { joint = "G", type = "polynomial", coefficients = ["-30 mm", "60 mm/s"] }
)model"),
                                                 {.end = 1, .step = 0.01, .progress = {}});
    ASSERT_EQ(r.status, QuasiStaticStatus::completed) << r.message;
    ASSERT_GE(r.events.size(), 2u);
    const Event &lost = r.events[r.events.size() - 2], &snap = r.events.back();
    EXPECT_EQ(lost.kind, EventKind::contact_lost);
    EXPECT_EQ(snap.kind, EventKind::snap);
    EXPECT_NEAR(snap.t, (std::sqrt(33.0 * 33 - 30 * 30) + 30) / 60, 1e-9);
    // The spring takes the lever back.
    EXPECT_NEAR(value(r.trajectory, r.trajectory.rows() - 1, "lever.angle"), 0, 1e-12);
}

// A ball in a V: its contacts balance its weight to rounding, and what is left of both tells
// nothing of the size of the forces.
TEST(QuasiStaticRun, forces_that_contacts_balance_pass_the_audit) {
    const std::string vee = R"model(format = 1
body.ball = { position = [0, "0.02*sqrt(2)"], mass = 2, inertia = 4e-4 }
joint.na = { type = "angle", body = "ball" }
profile.vee = { body = "ground", elements = [{ type = "line", from = [0.1, 0.1], to = [0, 0] },
                                             { type = "line", to = [-0.1, 0.1] }] }
profile.ball = { body = "ball", elements = [{ type = "circle", radius = 0.02 }] }
force.g = { type = "gravity" }
contact.V = { a = "vee", b = "ball" }
)model";
    const QuasiStaticResult r = run(placed_of(vee), 1, 0.5);
    ASSERT_EQ(r.status, QuasiStaticStatus::completed) << r.message;
    EXPECT_LT(r.statistics.largest_imbalance, 1e-12);
    EXPECT_NEAR(value(r.trajectory, 0, "V#1.normal"), 9.81 * std::sqrt(2), 1e-9);
}

TEST(QuasiStaticRun, tells_that_compliant_contacts_are_taken_as_rigid) {
    const std::string on_floor = R"(format = 1
body.b = { position = [0, 0.1], mass = 1, inertia = 1 }
joint.guide = { type = "prismatic", a = "ground", b = "b", axis = "90 deg" }
profile.floor = { body = "ground", elements = [{ type = "line", from = [1, 0], to = [-1, 0] }] }
profile.b = { body = "b", elements = [{ type = "circle", radius = 0.1 }] }
force.g = { type = "gravity" }
contact.S = { a = "floor", b = "b", law = "kelvin_voigt", stiffness = 1000, damping = 10 }
)";
    const QuasiStaticResult r = run(placed_of(on_floor), 1, 0.5);
    ASSERT_EQ(r.warnings.size(), 1U);
    EXPECT_NE(r.warnings[0].find("'S' is compliant but treated as rigid"), std::string::npos);
}

// The pawl of the ratchet loses its tooth at the very start, on the end of an element.
TEST(QuasiStaticRun, no_event_comes_before_the_start) {
    const QuasiStaticResult r = run(placed_of(test::embedded_text("ratchet")), 3, 5e-3);
    ASSERT_GT(r.events.size(), 1U);
    for (const Event& event : r.events) EXPECT_GE(event.t, 0);
}

// A roller of 20 mm rolls off the tip of a snail, at 0.15 m, on to its radial step. The contact
// passes on where tan phi = 20/150 after the tip, shortly before the tip alone would let it slip
// off, sin phi = 20/150: however long the steps of the path are, it is no snap.
// The bodies are put together apart from each other and come down to rest where the pawl holds: on
// the way its nose passes the ends of teeth. By hand: moments about both pivots.
TEST(QuasiStaticRun, starts_where_a_ratchet_holds) {
    const PlacedMechanism placed = placed_of(test::embedded_text("ratchet"));
    const QuasiStaticResult r = run(placed, 0.01, 0.01);
    ASSERT_EQ(r.status, QuasiStaticStatus::completed) << r.message;
    EXPECT_LT(r.statistics.penetration.value, 1e-12);
    EXPECT_NEAR(value(r.trajectory, 0, "wheel.angle"), 0, exact);
    EXPECT_NEAR(value(r.trajectory, 0, "pawl.angle"), 0, exact);
    EXPECT_NEAR(value(r.trajectory, 0, "C#1.normal"), 4.436981, 1e-6);
    EXPECT_NEAR(value(r.trajectory, 0, "C#2.normal"), 1.783702, 1e-6);
}

TEST(QuasiStaticRun, corner_passes_on_before_its_dead_point) {
    constexpr const char* snail = R"model(format = 1
body.cam = { mass = 1 }
body.fol = { position = [0.14427324146378431, 0], mass = 0.1 }
profile.c = { body = "cam", elements = [{ type = "polynomial", from = 0, to = "360 deg", scale = "360 deg", coefficients = [0.1, 0.05], exponents = [0, 1] }, { type = "line", to = [0.1, 0] }] }
profile.f = { body = "fol", elements = [{ type = "circle", radius = 0.02 }] }
contact.C = { a = "c", b = "f" }
joint.O = { type = "revolute", a = "ground", b = "cam" }
joint.g = { type = "prismatic", a = "ground", b = "fol" }
force.sp = { type = "joint_spring", joint = "g", stiffness = 1000, free_value = 0.05 }
driver.m = { type = "speed", joint = "O", speed = -1, start = -3 }
)model";
    for (const double end : {3.5, 5.0, 10.0}) {
        const QuasiStaticResult r = run(placed_of(snail), end, 0.02);
        ASSERT_EQ(r.status, QuasiStaticStatus::completed) << r.message;
        EXPECT_LE(r.statistics.penetration.value, 1e-11) << end;
        std::vector<double> passed;
        for (const Event& e : r.events) {
            EXPECT_NE(e.kind, EventKind::snap) << end;
            if (e.kind == EventKind::transition) passed.push_back(e.t);
        }
        ASSERT_GE(passed.size(), 2U) << end;
        // The tip is at the follower when the cam has turned by 2 pi from -3.
        EXPECT_NEAR(passed[1], 2 * std::numbers::pi - 3 + std::atan2(0.02, 0.15), 1e-9) << end;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
