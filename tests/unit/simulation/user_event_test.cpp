// Conditions of the user: found where they become true, to the digits of the motion, and able to
// end the run.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "simulation/quasi_static/quasi_static_run.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A weight falls from rest beside a spring that lets it swing: y = -a (1 - cos wt), a = g/w^2.
std::string swing(const std::string& events) {
    return R"(format = 1
[body.ground]
points = { P = [0, 0] }
[body.mass]
position = [0, 0]
mass = 2
inertia = 1
[joint.guide]
type = "prismatic"
a = "ground.P"
b = "mass"
axis = "90 deg"
[force.weight]
type = "gravity"
[force.spring]
type = "joint_spring"
joint = "guide"
stiffness = 50
free_value = 0
[measure.height]
type = "joint"
joint = "guide"
)" + events +
           R"(
[run]
analysis = "dynamics"
end = 3
step = 0.1
)";
}

DynamicResult run(const std::string& text) {
    DynamicOptions options;
    options.end = 3;
    options.step = 0.1;
    return run_dynamics(test::placed_of(text), options);
}

std::vector<double> times(const DynamicResult& r, const std::string& name) {
    std::vector<double> found;
    for (const Event& e : r.events)
        if (e.kind == EventKind::user && e.element == name) found.push_back(e.t);
    return found;
}

const double w = 5, a = 9.81 / 25;  // 1/s, m

TEST(UserEvent, condition_is_found_where_it_becomes_true) {
    const DynamicResult r = run(swing(R"([event.low]
when = "height < -0.5 m"
[event.bottom]
when = "height.rate > 0"
[event.late_and_low]
when = "height < -0.5 m and t > 1 s"
)"));
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    const double low = std::acos(1 - 0.5 / a) / w, period = 2 * M_PI / w;
    const auto lows = times(r, "low"), bottoms = times(r, "bottom"),
               late = times(r, "late_and_low");
    ASSERT_EQ(lows.size(), 3u);
    ASSERT_EQ(bottoms.size(), 2u);
    for (std::size_t k = 0; k < lows.size(); ++k) EXPECT_NEAR(lows[k], low + k * period, 1e-8);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(bottoms[k], (k + 0.5) * period, 1e-8);
    ASSERT_EQ(late.size(), 2u);
    EXPECT_NEAR(late[0], low + period, 1e-8);
    // Nothing but the user's own events: no branch of a force changes.
    for (const Event& e : r.events) EXPECT_EQ(e.kind, EventKind::user);
    EXPECT_EQ(r.trajectory.row(r.trajectory.rows() - 1)[0], 3);
}

// The kinetic energy m v^2/2 with v = -a w sin wt is largest at the first quarter of the period.
TEST(UserEvent, measure_may_use_rates_of_other_measures) {
    const DynamicResult r = run(swing(R"model([measure.energy]
type = "expression"
value = "2 kg/2*height.rate^2"
[measure.root]
type = "expression"
value = "sqrt(energy)"
[event.fast]
when = "energy > 2"
)model"));
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_EQ(r.trajectory.find("energy.acceleration"), -1);
    EXPECT_EQ(r.trajectory.find("root.acceleration"), -1);
    for (std::size_t i = 1; i < r.trajectory.rows(); ++i) {
        const double t = test::value(r.trajectory, i, "t"), v = a * w * std::sin(w * t),
                     rate = 2 * v * a * w * w * std::cos(w * t);
        EXPECT_NEAR(test::value(r.trajectory, i, "energy"), v * v, 1e-8);
        EXPECT_NEAR(test::value(r.trajectory, i, "energy.rate"), rate, 1e-7);
        EXPECT_NEAR(test::value(r.trajectory, i, "root"), std::abs(v), 1e-8);
    }
    const auto fast = times(r, "fast");
    ASSERT_FALSE(fast.empty());
    EXPECT_NEAR(fast[0], std::asin(std::sqrt(2) / (a * w)) / w, 1e-8);
}

// The same damper once as a joint spring and once by a measure of a rate.
TEST(UserEvent, force_may_use_a_measure_of_rates) {
    const std::string damper = R"([force.damper]
type = "joint_spring"
joint = "guide"
damping = 3
)",
                      measure = R"([measure.drag]
type = "expression"
value = "-3 N s/m*height.rate"
[force.damper]
type = "joint_force"
joint = "guide"
value = "drag"
)";
    const DynamicResult one = run(swing(damper)), other = run(swing(measure));
    const std::size_t last = one.trajectory.rows() - 1;
    EXPECT_NEAR(test::value(one.trajectory, last, "mass.y"),
                test::value(other.trajectory, last, "mass.y"), 1e-9);
}

TEST(UserEvent, run_ends_where_it_is_told_to) {
    const DynamicResult r = run(swing("[event.low]\nwhen = \"height < -0.5 m\"\nstop = true\n"));
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    const double low = std::acos(1 - 0.5 / a) / w;
    EXPECT_NEAR(r.trajectory.row(r.trajectory.rows() - 1)[0], low, 1e-8);
    EXPECT_NEAR(test::value(r.trajectory, r.trajectory.rows() - 1, "height"), -0.5, 1e-8);
}

TEST(UserEvent, motion_does_not_depend_on_who_watches_it) {
    const DynamicResult plain = run(swing("")),
                        watched = run(swing("[event.low]\nwhen = \"height < -0.5 m\"\n"));
    const auto last = [](const DynamicResult& r) {
        return test::value(r.trajectory, r.trajectory.rows() - 1, "height");
    };
    EXPECT_NEAR(last(plain), last(watched), 1e-8);
}

TEST(UserEvent, what_is_no_condition_is_refused) {
    Diagnostics diagnostics;
    EXPECT_FALSE(
        read_model(swing("[event.low]\nwhen = \"height\"\n"), "test.toml", {}, diagnostics));
    EXPECT_NE(diagnostics.text().find("is not a condition"), std::string::npos)
        << diagnostics.text();
}

// The end of a crank: x = r cos(2 t), driven.
const std::string driven = R"(format = 1
[body.crank]
[joint.O]
type = "revolute"
a = "ground"
b = "crank"
[driver.motor]
joint = "O"
type = "speed"
speed = 2
[measure.A]
type = "point"
point = "crank.A"
[measure.turn]
type = "joint"
joint = "O"
)";

TEST(UserEvent, kinematic_run_finds_values_zeros_and_extremes) {
    std::string text = driven;
    text.replace(text.find("[body.crank]\n"), 13, "[body.crank]\npoints = { A = [0.3, 0] }\n");
    const auto events_of = [&](const std::string& events) {
        const KinematicResult r =
            test::run_of(test::placed_of(text + events), 4, 0.25, CoordinateKind::relative);
        EXPECT_EQ(r.status, KinematicStatus::completed) << r.message;
        EXPECT_TRUE(r.warnings.empty());
        return r;
    };
    const KinematicResult r = events_of(
        "[event.far]\nwhen = \"turn > 1 rad\"\n[event.back]\nwhen = \"A.x < 0\"\n"
        "[event.least]\nwhen = \"A.x.rate > 0\"\n");
    const double pi = std::numbers::pi;
    const std::vector<std::pair<std::string, double>> expected{
        {"far", 0.5}, {"back", pi / 4}, {"least", pi / 2}, {"back", pi / 4 + pi}};
    ASSERT_EQ(r.events.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(r.events[i].element, expected[i].first);
        EXPECT_NEAR(r.events[i].t, expected[i].second, 1e-12);
    }
    // Each has a row of its own, but for one that falls on an output.
    EXPECT_GE(r.trajectory.rows(), 17U + expected.size() - 1);
    // For 0.3 ms and for 0.03 ms at each turn, far between the rows.
    for (const std::string level : {"0.299999973", "0.29999999973"}) {
        const KinematicResult moments = events_of("[event.top]\nwhen = \"A.y > " + level + "\"\n");
        ASSERT_EQ(moments.events.size(), 2U) << level;
        for (std::size_t i = 0; i < 2; ++i)
            EXPECT_NEAR(moments.events[i].t,
                        0.5 * std::asin(std::stod(level) / 0.3) + pi * static_cast<double>(i),
                        1e-10);
    }
    const KinematicResult ended =
        events_of("[event.far]\nwhen = \"turn > 1.1 rad\"\nstop = true\n");
    EXPECT_NEAR(ended.trajectory.row(ended.trajectory.rows() - 1)[0], 0.55, 1e-12);
}

// k x = 10 t: the force on a spring of 100 N/m grows.
TEST(UserEvent, quasi_static_run_finds_them) {
    const std::string text = R"(format = 1
[body.block]
mass = 1
[joint.guide]
type = "prismatic"
a = "ground"
b = "block"
[force.spring]
type = "joint_spring"
joint = "guide"
stiffness = 100
free_value = 0
[force.pull]
type = "joint_force"
joint = "guide"
value = "10*t"
[measure.way]
type = "joint"
joint = "guide"
[event.near]
when = "way > 33 mm"
[event.far]
when = "way > 55 mm"
stop = true
)";
    QuasiStaticOptions options;
    options.end = 1;
    options.step = 0.1;
    const QuasiStaticResult r = run_quasi_static(test::placed_of(text), options);
    EXPECT_EQ(r.status, QuasiStaticStatus::completed) << r.message;
    ASSERT_EQ(r.events.size(), 2U);
    EXPECT_NEAR(r.events[0].t, 0.33, 1e-10);
    EXPECT_NEAR(r.events[1].t, 0.55, 1e-10);
    EXPECT_NEAR(r.trajectory.row(r.trajectory.rows() - 1)[0], 0.55, 1e-10);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
