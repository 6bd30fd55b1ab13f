// Smooth pulses of force, state and driver that are narrow against the run: their effect against
// closed forms, whatever the output step.
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A block of 1 kg on a rail; `more` acts on it.
std::string block(const std::string& more) {
    return "format = 1\nbody.b = { mass = 1, inertia = 1 }\n"
           "joint.g = { type = \"prismatic\", a = \"ground\", b = \"b\" }\n" +
           more;
}
std::string pushed(const std::string& force) {
    return block("force.f = { type = \"joint_force\", joint = \"g\", value = \"" + force +
                 "\" }\n");
}

double final_speed(const std::string& text, double end, double step,
                   const std::string& integrator = "dop853") {
    DynamicOptions options;
    options.end = end;
    options.step = step;
    options.integrator = named<Integrator>(integrator).value();
    const DynamicResult r = run_dynamics(test::placed_of(text), options);
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    return test::value(r.trajectory, r.trajectory.rows() - 1, "b.vx");
}

struct Shape {
    const char* text;             // of the centre {0} and the width {1}
    double (*primitive)(double);  // over (t - centre)/width
};
const double root_pi = std::sqrt(std::numbers::pi);
const Shape shapes[] = {
    {"exp(-((t - {0})/{1})^2)", [](double x) { return 0.5 * root_pi * std::erf(x); }},
    {"1/cosh((t - {0})/{1})", [](double x) { return 2 * std::atan(std::tanh(0.5 * x)); }},
    {"1/(1 + ((t - {0})/{1})^2)", [](double x) { return std::atan(x); }},
    {"0.5*(tanh((t - {0})/{1}) - tanh((t - {0} - 3*{1})/{1}))",
     [](double x) {
         const auto log_cosh = [](double y) {
             return std::abs(y) + std::log1p(std::exp(-2 * std::abs(y)));
         };
         return 0.5 * (log_cosh(x) - log_cosh(x - 3));
     }},
    {"((t - {0})/{1})^2*exp(-((t - {0})/{1})^2)",
     [](double x) { return 0.25 * root_pi * std::erf(x) - 0.5 * x * std::exp(-x * x); }},
};

// The speed is a quadrature with an error of 1e-9 of it in each of some 100 steps.
TEST(Pulse, impulse_of_a_narrow_pulse_is_its_area_at_any_time_and_output_step) {
    std::mt19937 random(15);
    std::uniform_real_distribution<double> middle(0.01, 0.99), uniform(0, 1);
    for (const Shape& shape : shapes)
        for (int i = 0; i < 60; ++i) {
            const double end = std::pow(10, 3 * uniform(random) - 2),
                         w = end * std::pow(10, -4 + 3 * uniform(random)), c = end * middle(random);
            const double step = end / (i % 3 == 0 ? 1 : i % 3 == 1 ? 10 : 137);
            const std::string pulse =
                fmt::format(fmt::runtime(std::string("{2}*(") + shape.text + ")"), c, w, 1 / w);
            const double area = shape.primitive((end - c) / w) - shape.primitive(-c / w);
            EXPECT_NEAR(final_speed(pushed(pulse), end, step), area, 1e-6)
                << pulse << " over " << end << " s, output each " << step << " s";
        }
}

TEST(Pulse, weak_pulses_beside_strong_smooth_forces_are_found) {
    // The sine is over whole periods; the pulse has 0.001 N s.
    const std::string force = "5*sin(2*pi*t) + 0.001*564.1895835477563*exp(-((t - 3.503)/0.001)^2)";
    EXPECT_NEAR(final_speed(pushed(force), 10, 1), 0.001, 1e-7);
}

TEST(Pulse, several_pulses_are_found_each) {
    std::string force = "0";
    for (const double t : {0.1, 0.10321, 0.4, 0.77777, 0.9999 - 0.005})
        force += fmt::format(" + 564.1895835477563*exp(-((t - {})/0.001)^2)", t);
    EXPECT_NEAR(final_speed(pushed(force), 1, 0.5), 5, 1e-6);
}

TEST(Pulse, integrators_agree) {
    const std::string model = pushed("564.1895835477563*exp(-((t - 0.503)/0.001)^2)");
    EXPECT_NEAR(final_speed(model, 1, 0.1, "stiff"), 1, 1e-6);
    EXPECT_NEAR(final_speed(model, 1, 0.1, "rk4"), 1, 1e-3);
}

TEST(Pulse, measures_states_and_drivers_are_watched_too) {
    const std::string pulse = "564.1895835477563*exp(-((t - 0.503)/0.001)^2)";
    EXPECT_NEAR(final_speed(block("measure.p = { type = \"expression\", value = \"" + pulse +
                                  "\" }\nforce.f = { type = \"joint_force\", joint = \"g\", value "
                                  "= \"p\" }\n"),
                            1, 0.1),
                1, 1e-6);
    EXPECT_NEAR(final_speed(block("state.z = { rate = \"" + pulse +
                                  "\" }\nforce.f = { type = \"joint_force\", joint = \"g\", value "
                                  "= \"z\" }\n"),
                            1, 0.1),
                0.497, 1e-6);
    // A driven block feels the pulse in the way of its driver: it drags another by a damper.
    const std::string driven = block(
        "body.c = { mass = 1, inertia = 1 }\n"
        "joint.h = { type = \"prismatic\", a = \"ground\", b = \"c\" }\n"
        "driver.d = { joint = \"h\", type = \"expression\", value = \"tanh((t - 0.503)/0.001) "
        "- tanh((t - 0.506)/0.001)\" }\n"
        "force.s = { type = \"joint_force\", joint = \"g\", value = \"1000*pos\" }\n"
        "measure.pos = { type = \"joint\", joint = \"h\" }\n");
    EXPECT_NEAR(final_speed(driven, 1, 0.1), 1000 * 2 * 0.003, 1e-5);
}

// A branch that the time alone decides, for 4.5 % of each period: a constant force has steps of any
// length before and after. Each of the 40 changes ends a step with an error of 1e-9.
TEST(Pulse, short_branches_are_met_in_every_period) {
    const double each = std::acos(0.99) / std::numbers::pi;
    for (const char* force :
         {"if(cos(2*pi*t) > 0.99, 1, 0)", "if(0.99 < cos(2*pi*t) and t > 0.5, 1, 0)"})
        EXPECT_NEAR(final_speed(pushed(force), 20.5, 5),
                    (std::string(force).starts_with("if(cos") ? 20.5 : 20) * each, 4e-8)
            << force;
    EXPECT_NEAR(final_speed(pushed("max(0, cos(2*pi*t) - 0.99)"), 20.5, 5),
                20.5 * (std::sqrt(1 - 0.99 * 0.99) / std::numbers::pi - 0.99 * each), 4e-8);
}

TEST(Pulse, conditions_of_events_are_met_in_every_period) {
    DynamicOptions options;
    options.end = 20.5;
    options.step = 5;
    const DynamicResult r = run_dynamics(
        test::placed_of(block("event.near = { when = \"cos(2*pi*t) > 0.99\" }\n")), options);
    ASSERT_EQ(r.events.size(), 20U);
    for (std::size_t k = 0; k < 20; ++k)
        EXPECT_NEAR(r.events[k].t, k + 1 - std::acos(0.99) / (2 * std::numbers::pi), 1e-9);
}

// Nothing is narrow there: the steps are those of the error control.
TEST(Pulse, a_harmonic_force_costs_no_steps) {
    DynamicOptions options;
    options.end = 10;
    options.step = 10;
    const auto steps = [&](const std::string& force) {
        return run_dynamics(test::placed_of(pushed(force)), options).statistics.steps;
    };
    EXPECT_LE(steps("5*sin(2*pi*t)"), 150);
}

// A motor turns an eccentric mass while a stone falls: no coordinate has an error that would tell
// of the turns, and the work of the motor is a quadrature over them.
TEST(Pulse, work_of_a_motor_is_resolved_while_all_else_falls_freely) {
    const std::string text =
        "format = 1\n"
        "body.wheel = { mass = 1, inertia = 0.01, centre = [0.1, 0] }\n"
        "body.stone = { mass = 1, inertia = 1 }\n"
        "joint.O = { type = \"revolute\", a = \"ground\", b = \"wheel\" }\n"
        "force.weight = { type = \"gravity\" }\n"
        "driver.m = { type = \"speed\", joint = \"O\", speed = 70 }\n";
    DynamicOptions options;
    options.end = 2;
    options.step = 0.5;
    const DynamicResult r = run_dynamics(test::placed_of(text), options);
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_TRUE(r.audit.passed());
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
