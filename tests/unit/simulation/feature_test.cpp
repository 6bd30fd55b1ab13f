// Narrow features of expressions along the motion: bumps of force over a coordinate, conditions
// that hold for a moment, stops that are only just reached. Their effect against closed forms,
// although the motion before and after is so smooth that steps are long.
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

DynamicResult run(const std::string& text, double end, double step,
                  const std::string& integrator = "dop853") {
    DynamicOptions options;
    options.end = end;
    options.step = step;
    options.integrator = named<Integrator>(integrator).value();
    DynamicResult r = run_dynamics(test::placed_of(text), options);
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_TRUE(r.audit.passed());
    return r;
}
double last(const DynamicResult& r, const char* column) {
    return test::value(r.trajectory, r.trajectory.rows() - 1, column);
}
std::vector<double> user_events(const DynamicResult& r) {
    std::vector<double> times;
    for (const Event& e : r.events)
        if (e.kind == EventKind::user) times.push_back(e.t);
    return times;
}

// A block of 1 kg on a rail that moves at 1 m/s.
std::string sliding(const std::string& more) {
    return "format = 1\nbody.b = { mass = 1, inertia = 1, velocity = [1, 0] }\n"
           "joint.g = { type = \"prismatic\", a = \"ground\", b = \"b\" }\n"
           "measure.p = { type = \"point\", point = \"b\" }\n" +
           more;
}

// Each shape has the area `area` in units of its width.
const struct {
    const char* text;  // of the centre {0} and the width {1}
    double area;
} bumps[] = {{"exp(-(({2} - {0})/{1})^2)", 1.7724538509055159},
             {"1/cosh(({2} - {0})/{1})", std::numbers::pi},
             {"1/(1 + (({2} - {0})/{1})^4)^2", 0.75 * std::numbers::pi / std::numbers::sqrt2},
             {"(tanh(({2} - {0})/{1}) - tanh(({2} - {0})/{1} - 3))", 6},
             {"max(0, 1 - abs(({2} - {0})/{1}))", 1},
             {"if((({2} - {0})/{1})^2 < 1, 1, 0)", 2}};

// Work over the bump becomes kinetic energy.
TEST(Feature, bumps_of_force_over_the_way_do_their_work_however_narrow) {
    std::mt19937 random(23);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int i = 0; i < 300; ++i) {
        const auto& bump = bumps[i % 6];
        const double way = 8 * std::pow(10, 2 * uniform(random) - 1),
                     w = way * std::pow(10, -5 + 3.5 * uniform(random)),
                     work = 0.5 + 3.5 * uniform(random), c = way * (0.2 + 0.5 * uniform(random));
        const bool along = i % 4 < 2;
        const std::string force = fmt::format("{}*", work / (w * bump.area)) +
                                  fmt::format(fmt::runtime(bump.text), c, w, along ? "s" : "p.x");
        const std::string text = sliding(
            along
                ? "force.f = { type = \"joint_force\", joint = \"g\", value = \"" + force + "\" }\n"
                : "force.f = { type = \"force\", point = \"b\", x = \"" + force + "\" }\n");
        const DynamicResult r = run(text, way, way / 3);
        // Of a bump of 1e-5 of the way: rounding of the way is 1e-10 of its width.
        EXPECT_NEAR(last(r, "b.vx"), std::sqrt(1 + 2 * work), 1e-5 * (1 + work)) << text;
    }
}

TEST(Feature, integrators_agree_on_bumps) {
    const std::string text = sliding(
        "force.f = { type = \"joint_spring\", joint = \"g\", law = "
        "\"28.209479177387816*exp(-((s - 5.03)/0.02)^2)\" }\n");
    for (const char* integrator : {"dop853", "stiff", "rk4"})
        EXPECT_NEAR(last(run(text, 10, 1, integrator), "b.vx"), std::numbers::sqrt3,
                    integrator == std::string("rk4") ? 1e-2 : 1e-6)
            << integrator;
}

TEST(Feature, bumps_over_a_speed_a_state_and_an_expression_of_measures_are_seen) {
    const std::string pulse = "28.209479177387816*exp(-(({} - 5.03)/0.02)^2)";
    const auto with = [&](const char* of) { return fmt::format(fmt::runtime(pulse), of); };
    EXPECT_NEAR(last(run(sliding("measure.m = { type = \"expression\", value = \"" + with("p.x") +
                                 "\" }\nforce.f = { type = \"joint_force\", joint = \"g\", value "
                                 "= \"m\" }\n"),
                         10, 10),
                     "b.vx"),
                std::numbers::sqrt3, 1e-6);
    // z grows with the time: an impulse of 1 N s. Then v does, with 0.5 m/s^2.
    EXPECT_NEAR(last(run(sliding("state.z = { rate = \"1\" }\nforce.f = { type = \"joint_force\", "
                                 "joint = \"g\", value = \"" +
                                 with("z") + "\" }\n"),
                         10, 10),
                     "b.vx"),
                2, 1e-6);
    EXPECT_NEAR(
        last(run(sliding("body.c = { mass = 1, inertia = 1 }\n"
                         "joint.h = { type = \"prismatic\", a = \"ground\", b = \"c\" }\n"
                         "force.g = { type = \"joint_force\", joint = \"g\", value = \"0.5\" "
                         "}\nforce.f = { type = \"joint_force\", joint = \"h\", value = \"" +
                         with("p.x.rate") + "\" }\n"),
                 12, 12),
             "c.vx"),
        2, 1e-6);
}

// Thrown up so that it would rise `over` above a stop at 1 m, a stiff law: the time in it is part
// of a swing about the position in which the law bears the weight.
TEST(Feature, a_stop_by_a_law_that_is_only_just_reached_is_not_passed_over) {
    constexpr double g = 9.81, k = 1e6;
    for (const double over : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
        const double v0 = std::sqrt(2 * g * (1 + over)), vs = std::sqrt(2 * g * over),
                     reach = (v0 - vs) / g, w = std::sqrt(k);
        // s'' = -g - k s from s = 0 with vs, until s = 0 again with -vs.
        const double turn = 2 * std::atan2(vs * w, g) / w;
        const double left = 0.8 - reach - turn;
        const DynamicResult r =
            run("format = 1\nbody.b = { mass = 1, inertia = 1, velocity = [0, " +
                    fmt::format("{:.17g}", v0) +
                    "] }\njoint.g = { type = \"prismatic\", a = \"ground\", b = \"b\", axis = \"90 "
                    "deg\" "
                    "}\nforce.stop = { type = \"joint_force\", joint = \"g\", value = "
                    "\"-1e6*max(0, s - "
                    "1)\" }\nforce.weight = { type = \"gravity\" }\n",
                0.8, 0.8);
        EXPECT_NEAR(last(r, "b.y"), 1 - vs * left - 0.5 * g * left * left, 1e-7) << over;
    }
}

TEST(Feature, conditions_that_hold_for_a_moment_are_events_at_their_time) {
    constexpr double g = 9.81;
    for (const double over : {1e-2, 1e-4, 1e-6}) {
        const double v0 = std::sqrt(2 * g * (1 + over));
        const std::vector<double> found =
            user_events(run("format = 1\nbody.b = { mass = 1, inertia = 1, velocity = [0, " +
                                fmt::format("{:.17g}", v0) +
                                "] }\nmeasure.p = { type = \"point\", point = \"b\" }\n"
                                "event.up = { when = \"p.y > 1\" }\n"
                                "force.weight = { type = \"gravity\" }\n",
                            0.8, 0.8));
        ASSERT_EQ(found.size(), 1U) << over;
        EXPECT_NEAR(found[0], (v0 - std::sqrt(2 * g * over)) / g, 1e-9 / std::sqrt(over)) << over;
    }
    const std::vector<double> found =
        user_events(run(sliding("event.near = { when = \"(p.x - 5.03)^2 < 1e-8\" }\n"
                                "event.bump = { when = \"exp(-((p.x - 7)/0.01)^2) > 0.5\" }\n"),
                        10, 10));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NEAR(found[0], 5.0299, 1e-9);
    EXPECT_NEAR(found[1], 7 - 0.01 * std::sqrt(std::numbers::ln2), 1e-9);
}

// Nothing accelerates a body that turns freely: its steps would be many turns long.
TEST(Feature, conditions_on_a_point_that_goes_round_are_seen_in_every_turn) {
    const std::vector<double> found =
        user_events(run("format = 1\nbody.b = { mass = 1, inertia = 1, omega = 10, points = { P = "
                        "[1, 0] } }\nmeasure.p = { type = \"point\", point = \"b.P\" }\n"
                        "event.top = { when = \"p.y > 0.999\" }\n",
                        10, 10));
    ASSERT_EQ(found.size(), 16U);
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i],
                    (std::asin(0.999) + 2 * std::numbers::pi * static_cast<double>(i)) / 10, 1e-9);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
