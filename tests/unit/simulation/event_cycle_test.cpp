// Whole runs whose events were once wrong or depended on what must not matter: the output step, the
// order of the file, rounding of what stands at zero.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "results/event_text.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

DynamicResult run(const std::string& text, double end, double step) {
    DynamicOptions options;
    options.end = end;
    options.step = step;
    return run_dynamics(test::placed_of(text), options);
}

std::string events_of(const DynamicResult& result) {
    std::string text;
    for (const Event& e : result.events)
        text += fmt::format("{} {} {} {} {} {}\n", e.t, static_cast<int>(e.kind), e.element, e.from,
                            e.to, event_text(e));
    return text;
}

long count(const DynamicResult& result, EventKind kind) {
    return std::count_if(result.events.begin(), result.events.end(),
                         [&](const Event& e) { return e.kind == kind; });
}

// A force with sign(v) that vanishes at v = 0, beside dry friction: m v' = -mu m g + 1.5 (1 -
// exp(-v/0.1)). With a = mu g, b = 1.5 and w = exp(v/0.1) the time is that of dv/(b - a - b/w)
// from 1 to 0: t = -0.1/(b - a) ln((w1 (b - a) - b)/((b - a) - b)).
TEST(EventCycle, switch_that_comes_to_zero_with_a_stick_is_no_event) {
    const std::string text =
        "format = 1\n[body.b]\nvelocity = [1, 0]\nmass = 1\n"
        "[joint.g]\ntype = \"prismatic\"\na = \"ground\"\nb = \"b\"\nfriction = { kinetic = 0.4 }\n"
        "[force.weight]\ntype = \"gravity\"\n"
        "[force.f]\ntype = \"joint_force\"\njoint = \"g\"\n"
        "value = \"sign(v)*1.5*(1 - exp(-abs(v)/0.1))\"\n";
    const double c = 1.5 - 0.4 * 9.81,
                 expected = -0.1 / c * std::log((std::exp(10) * c - 1.5) / (c - 1.5));
    std::string first;
    for (const double step : {2.0, 0.1, 0.01, 0.003}) {
        const DynamicResult result = run(text, 2, step);
        ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
        ASSERT_EQ(result.events.size(), 1u) << events_of(result);
        EXPECT_EQ(result.events[0].kind, EventKind::stick);
        // Ten times the tolerance of the integration.
        EXPECT_NEAR(result.events[0].t, expected, 1e-8);
        if (first.empty()) first = events_of(result);
        EXPECT_EQ(events_of(result), first) << step;
    }
}

// Where the slip turns round instead, the switch at rest is passed with it.
TEST(EventCycle, switch_that_is_passed_with_a_reversal_is_one) {
    const DynamicResult result = run(
        "format = 1\n[body.b]\nvelocity = [1, 0]\nmass = 1\n"
        "[joint.g]\ntype = \"prismatic\"\na = \"ground\"\nb = \"b\"\nfriction = { kinetic = 0.1 }\n"
        "[force.weight]\ntype = \"gravity\"\n"
        "[force.pull]\ntype = \"joint_force\"\njoint = \"g\"\nvalue = \"-3 - 0.5*abs(v)\"\n",
        1, 1);
    ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
    ASSERT_EQ(result.events.size(), 1u) << events_of(result);
    EXPECT_EQ(result.events[0].kind, EventKind::slip_reversal);
}

// A ratchet whose axle rubs: `side` is that of the pawl. While it touches nothing, nothing loads
// the axle, and the speed of the gear, which a strong damper takes away, is rounding.
std::string ratchet(int side) {
    return fmt::format(
        "format = 1\nunits = {{ length = \"mm\", angle = \"deg\" }}\n"
        "[body.gear]\nmass = \"60 g\"\ninertia = \"5e-6 kg m^2\"\n"
        "[body.handle]\npoints = {{ P = [0, 19] }}\nmass = \"300 g\"\ncentre = [0, -90]\n"
        "inertia = \"1e-3 kg m^2\"\n"
        "[body.pawl]\nposition = [0, 19]\nmass = \"8 g\"\ncentre = [{0}4, -2]\n"
        "inertia = \"3e-7 kg m^2\"\n"
        "[profile.teeth]\nbody = \"gear\"\npattern = {{ count = 16 }}\nelements = [\n"
        "{{ type = \"line\", from = [10, 0], to = [12, 0] }},\n"
        "{{ type = \"line\", to = [\"10 mm*cos(22.5 deg)\", \"10 mm*sin(22.5 deg)\"] }}]\n"
        "[profile.pawl]\nbody = \"pawl\"\nelements = [{1}]\n"
        "[contact.mesh]\na = \"teeth\"\nb = \"pawl\"\nfriction = {{ kinetic = 0.1 }}\n"
        "[joint]\naxle = {{ type = \"revolute\", a = \"ground\", b = \"gear\", radius = 5, "
        "friction = {{ kinetic = 0.1 }} }}\n"
        "grip = {{ type = \"revolute\", a = \"ground\", b = \"handle\" }}\n"
        "pin = {{ type = \"revolute\", a = \"handle.P\", b = \"pawl\" }}\n"
        "[driver.hand]\njoint = \"grip\"\ntype = \"harmonic\"\namplitude = 25\n"
        "frequency = \"1 Hz\"\n"
        "[force.spring]\ntype = \"joint_spring\"\njoint = \"pin\"\n"
        "stiffness = \"0.05 N m/rad\"\ndamping = \"2e-4 N m s/rad\"\nfree_value = {2}30\n"
        "[force.bolt]\ntype = \"joint_spring\"\njoint = \"axle\"\ndamping = \"2 N m s/rad\"\n",
        side > 0 ? "" : "-",
        side > 0 ? "{ type = \"line\", from = [0, 1.5], to = [-1, -1] }, { type = \"line\", to = "
                   "[9, -9] }, { type = \"line\", to = [10, -8] }, { type = \"line\", to = [0, "
                   "1.5] }"
                 : "{ type = \"line\", from = [0, 1.5], to = [-10, -8] }, { type = \"line\", to = "
                   "[-9, -9] }, { type = \"line\", to = [1, -1] }, { type = \"line\", to = [0, "
                   "1.5] }",
        side > 0 ? "-" : "");
}

TEST(EventCycle, ratchet_with_a_rough_axle_follows_every_tooth) {
    for (const int side : {1, -1}) {
        const DynamicResult result = run(ratchet(side), 0.66, 0.005);
        ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
        EXPECT_TRUE(result.audit.passed()) << side;
        // Free, the gear has a speed below rounding, which turns without an event.
        int reversals = 0;
        for (const Event& e : result.events) {
            reversals = e.element != "axle" ? 0 : reversals + (e.kind == EventKind::slip_reversal);
            EXPECT_LE(reversals, 1) << e.t;
        }
        if (side < 0) {
            EXPECT_EQ(events_of(run(ratchet(side), 0.66, 0.02)), events_of(result));
        }
    }
}

// A ball falls on two that rest side by side: a mirror image of itself, whatever the order in the
// file.
TEST(EventCycle, tie_in_a_sequence_of_impacts_does_not_depend_on_the_order_of_the_file) {
    const auto ball = [](const char* name, double x, double y) {
        return fmt::format(
            "[body.{0}]\nposition = [{1}, {2}]\nmass = 1\ninertia = 0.00125\n[profile.{0}]\nbody "
            "= \"{0}\"\nelements = [{{ type = \"circle\", radius = 0.05 }}]\n",
            name, x, y);
    };
    for (const std::string friction : {"", "friction = { kinetic = 0.2 }\n"}) {
        const auto contact = [&](const char* a, const char* b) {
            return fmt::format(
                "[contact.{0}_{1}]\na = \"{0}\"\nb = \"{1}\"\nrestitution = 0.5\n{2}", a, b,
                friction);
        };
        const std::string bodies =
            "format = 1\n[profile.floor]\nbody = \"ground\"\nelements = [{ type = \"line\", from = "
            "[1, 0], to = [-1, 0] }]\n" +
            ball("left", -0.06, 0.05) + ball("right", 0.06, 0.05) + ball("top", 0, 0.2) +
            "[force.weight]\ntype = \"gravity\"\n" + contact("floor", "left") +
            contact("floor", "right");
        for (const bool left_first : {true, false}) {
            const std::string text =
                bodies + (left_first ? contact("left", "top") + contact("right", "top")
                                     : contact("right", "top") + contact("left", "top"));
            DynamicOptions options;
            options.end = options.step = 0.2;
            options.sequential_impacts = true;
            const DynamicResult result = run_dynamics(test::placed_of(text), options);
            ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
            ASSERT_GT(count(result, EventKind::impact), 1);
            const std::size_t last = result.trajectory.rows() - 1;
            const auto at = [&](const char* name) {
                return test::value(result.trajectory, last, name);
            };
            // Rounding, grown by a few impacts.
            EXPECT_NEAR(at("top.x"), 0, 1e-12) << friction << left_first;
            EXPECT_NEAR(at("left.x"), -at("right.x"), 1e-12) << friction << left_first;
            EXPECT_LT(at("left.x"), -0.061);
        }
    }
}

// A disk with rolling friction bounces to rest on an incline, in lengths of `scale` m.
std::string disk_on_incline(double scale) {
    return fmt::format(
        "format = 1\n[parameters]\nk = {}\n[body.disk]\n"
        "position = [\"-0.146061054243282*k*1m\", \"0.152502303884663*k*1m\"]\n"
        "velocity = [\"1.2159994665285*k*1m/1s\", \"1.16463921866222*k*1m/1s\"]\n"
        "omega = -4.33462742081583\nmass = 0.86\ninertia = \"0.00531*k*k*1kg*1m*1m\"\n"
        "[profile.floor]\nbody = \"ground\"\nelements = [{{ type = \"line\", from = "
        "[\"1.44438791142049*k*1m\", \"1.38338120608253*k*1m\"], to = "
        "[\"-1.44438791142049*k*1m\", \"-1.38338120608253*k*1m\"] }}]\n"
        "[profile.disk]\nbody = \"disk\"\nelements = [{{ type = \"circle\", radius = "
        "\"0.111165300787769*k*1m\" }}]\n"
        "[contact.C]\na = \"floor\"\nb = \"disk\"\nrestitution = 0.5\n"
        "friction = {{ kinetic = 0.66, static = 0.86, rolling = \"0.005*k*1m\" }}\n"
        "[force.weight]\ntype = \"gravity\"\nacceleration = [0, \"-9.81*k*1m/1s/1s\"]\n",
        scale);
}

const Event* find(const DynamicResult& result, EventKind kind, const std::string& element) {
    for (const Event& e : result.events)
        if (e.kind == kind && e.element == element) return &e;
    return nullptr;
}

// Nothing but the restitution decides on the flights: with the first two impacts at t1 and t2 they
// end at t2 + (t2 - t1) e/(1 - e), in any unit of length. A row has that time.
TEST(EventCycle, end_of_bounces_with_friction_is_that_of_the_flights) {
    for (const double scale : {0.01, 1.0, 100.0}) {
        const DynamicResult result = run(disk_on_incline(scale), 0.8, 0.1);
        ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
        EXPECT_TRUE(result.audit.passed()) << scale;
        ASSERT_EQ(result.events[0].kind, EventKind::impact);
        const double t1 = result.events[0].t, t2 = result.events[1].t, end = t2 + (t2 - t1);
        const Event* formed = find(result, EventKind::contact_formed, "C#1");
        ASSERT_NE(formed, nullptr) << events_of(result);
        // Impacts are timed to 1e-14 s, and the times of the last ones have 1e-5 of the first.
        EXPECT_NEAR(formed->t, end, 1e-9) << scale;
        bool has_row = false;
        for (std::size_t i = 0; i < result.trajectory.rows(); ++i)
            has_row = has_row || result.trajectory.row(i)[0] == formed->t;
        EXPECT_TRUE(has_row) << scale;
    }
}

// Two balls that come to rest at the same time, 3 t1 and 9 t1/3 after their first fall of t1 and
// t1/3, and a third one meanwhile in flight: each has its own limit.
TEST(EventCycle, bounces_that_end_at_one_time_do_not_disturb_each_other) {
    const auto ball = [](const char* name, double x, double height, double e) {
        return fmt::format(
            "[body.{0}]\nposition = [{1}, {2:.17g}]\nmass = 1\ninertia = 0.00125\n[profile.{0}]\n"
            "body = \"{0}\"\nelements = [{{ type = \"circle\", radius = 0.05 }}]\n[contact.{0}]\n"
            "a = \"floor\"\nb = \"{0}\"\nrestitution = {3}\n",
            name, x, 0.05 + height, e);
    };
    const double h = 0.1, t1 = std::sqrt(2 * h / 9.81);
    const DynamicResult result =
        run("format = 1\n[profile.floor]\nbody = \"ground\"\nelements = [{ type = \"line\", from "
            "= [1, 0], to = [-1, 0] }]\n[force.weight]\ntype = \"gravity\"\n" +
                ball("high", -0.5, h, 0.5) + ball("low", 0, h / 9, 0.8) + ball("other", 0.5, h, 1),
            1, 0.1);
    ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
    for (const char* name : {"high#1", "low#1"}) {
        const Event* formed = find(result, EventKind::contact_formed, name);
        ASSERT_NE(formed, nullptr) << name;
        // Rounding of hundreds of impacts; the hops left out are known by their formula.
        EXPECT_NEAR(formed->t, 3 * t1, 1e-10) << name;
    }
}

// The follower touches the dwell of a cam without a force: their gap is zero but for rounding,
// until the rise begins, with the third power of the time, where the cam has turned by 90 degrees.
// The depth that counts as zero is passed 40 us later, whatever the steps.
TEST(EventCycle, rise_after_a_dwell_without_preload_closes_the_contact) {
    const std::string text =
        "format = 1\nbody.cam = { mass = 1, inertia = 1 }\nbody.f = { position = [0.05, 0], mass = "
        "0.5, inertia = 0.01 }\nprofile.cam = { body = \"cam\", elements = [{ type = \"cam\", base "
        "= 0.04, roller = 0.01, segments = [{ angle = \"90 deg\" }, { law = \"cycloidal\", lift = "
        "0.01, angle = \"90 deg\" }, { law = \"cycloidal\", lift = -0.01, angle = \"90 deg\" }, { "
        "angle = \"90 deg\" }] }] }\nprofile.r = { body = \"f\", elements = [{ type = \"circle\", "
        "radius = 0.01 }] }\ncontact.C = { a = \"cam\", b = \"r\" }\njoint.O = { type = "
        "\"revolute\", a = \"ground\", b = \"cam\" }\njoint.g = { type = \"prismatic\", a = "
        "\"ground\", b = \"f\" }\ndriver.m = { type = \"speed\", joint = \"O\", speed = \"5 "
        "rad/s\" }\nforce.s = { type = \"joint_spring\", joint = \"g\", stiffness = 5000 }\n";
    for (const double end : {0.5, 1.2}) {
        const DynamicResult result = run(text, end, 0.002);
        ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
        ASSERT_FALSE(result.events.empty()) << end;
        EXPECT_NEAR(result.events[0].t, 0.31415927, 1e-4) << end;
        EXPECT_TRUE(result.audit.passed()) << end;
        EXPECT_TRUE(result.warnings.empty()) << end;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
