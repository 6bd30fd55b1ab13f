// Branches of expressions: steps end where they change, with the forces of one side, and conditions
// are found wherever they begin to hold. Against closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include "analysis/shooting.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"
#include "support/sensitivities.h"

namespace pawl {
namespace PAWL_TEST_FILE {

std::string slider(const std::string& force, const std::string& rest = "",
                   const std::string& speed = "0") {
    return "format = 1\n" + rest + "\nbody.m = { mass = 1, inertia = 1, velocity = [" + speed +
           ", 0] }\njoint.g = { type = \"prismatic\", a = \"ground\", b = \"m\" }\n"
           "force.f = { type = \"joint_force\", joint = \"g\", value = \"" +
           force + "\" }\n";
}

DynamicResult run(const std::string& text, double end, Integrator integrator = Integrator::dop853,
                  double integrator_step = 0) {
    DynamicOptions options;
    options.end = end;
    options.step = end / 10;
    options.integrator = integrator;
    options.integrator_step = integrator_step;
    DynamicResult r = run_dynamics(test::placed_of(text), options);
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_TRUE(r.audit.passed());
    return r;
}

double last(const DynamicResult& r, const char* column) {
    return test::value(r.trajectory, r.trajectory.rows() - 1, column);
}

// A method of order four is exact for motions that are polynomials of the second degree in pieces,
// if its steps end at the pieces' ends and none of its stages looks beyond them.
TEST(Branches, leave_a_fixed_step_exact_piece_by_piece) {
    const auto at = [](const std::string& text, double end, double h) {
        return run(text, end, Integrator::rk4, h);
    };
    const DynamicResult in_time = at(slider("if(t<1.05,0,1)"), 5, 0.1);
    EXPECT_NEAR(last(in_time, "m.x"), 3.95 * 3.95 / 2, 1e-12);
    const DynamicResult in_space = at(slider("if(s>1,-10,0)", "", "1"), 3, 0.01);
    EXPECT_NEAR(last(in_space, "m.x"), -0.8, 1e-10);
    EXPECT_NEAR(last(in_space, "m.vx"), -1, 1e-10);
    const DynamicResult steps = at(slider("floor(t)"), 5, 0.1);
    EXPECT_NEAR(last(steps, "m.x"), 15, 1e-11);
    EXPECT_EQ(steps.events.size(), 4U);
    const DynamicResult saw = at(slider("mod(t, 2)"), 5, 0.1);
    EXPECT_NEAR(last(saw, "m.vx"), 2 + 2 + 0.5, 1e-11);
}

// Where a branch has no value beyond its end, the argument says which branch it is.
TEST(Branches, end_where_they_have_no_value) {
    const DynamicResult r = run(slider("if(s<0, 100*(-s)^1.5, 0)", "", "-1"), 1);
    EXPECT_NEAR(last(r, "m.vx"), 1, 1e-8);
}

TEST(Branches, have_the_derivatives_of_closed_forms) {
    const std::string tail = "run = { analysis = \"dynamics\", end = ";
    const auto d = [&](const std::string& text, double end, const char* response, const char* by) {
        const Model model =
            test::model_from(text + tail + std::to_string(end) + ", rtol = 1e-10 }\n");
        return test::derivative(test::sensitivity_of(model, {response}), 0, by).value;
    };
    EXPECT_NEAR(d(slider("if(t<tb,0,1)", "parameters = { tb = \"1.05 s\" }"), 5, "m.x", "tb"),
                -3.95, 1e-8);
    EXPECT_NEAR(d(slider("if(s>xb,-F,0)", "parameters = { xb = \"1 m\", F = \"10 N\" }", "1"), 3,
                  "m.x", "xb"),
                2, 1e-7);
    EXPECT_NEAR(d(slider("floor(t/tb)", "parameters = { tb = \"2 s\" }"), 3, "m.vx", "tb"), -1,
                1e-8);
}

// Relay and viscous friction with a harmonic force: the trace of the Jacobian is -c and the
// saltation matrix is a shear, so the determinant of the map is exp(-c T).
TEST(Branches, keep_the_determinant_of_a_map_over_a_period) {
    const double period = 2 * M_PI / 1.2;
    DynamicOptions options;
    options.end = 300;
    options.step = 1;
    ShootingOptions shooting;
    shooting.period = period;
    const ShootingResult r = find_periodic(
        test::placed_of(slider("-0.3*v - sign(s) + 0.8*cos(1.2*t)", "", "0.5")), options, shooting);
    ASSERT_EQ(r.status, ShootingStatus::found) << r.message;
    EXPECT_NEAR(r.map.determinant(), std::exp(-0.3 * period), 1e-7);
}

const char* ball = R"(format = 1
body.ball = { position = [0, 1.1], mass = 1, inertia = 0.004 }
profile.floor = { body = "ground", elements = [{ type = "line", from = [30, 0], to = [-30, 0] }] }
profile.ball = { body = "ball", elements = [{ type = "circle", radius = 0.1 }] }
contact.C = { a = "floor", b = "ball", restitution = 0.8 }
force.w = { type = "gravity" }
measure.p = { type = "point", point = "ball" }
)";

std::vector<double> times(const DynamicResult& r, const std::string& name) {
    std::vector<double> found;
    for (const Event& e : r.events)
        if (e.element == name && e.kind == EventKind::user) found.push_back(e.t);
    return found;
}

// One step spans a flight and more: what holds for a part of it, or from an impact on.
TEST(Branches, of_conditions_are_found_inside_flights_and_at_impacts) {
    const DynamicResult r = run(std::string(ball) +
                                    "event.E = { when = \"p.y > 0.5\" }\n"
                                    "event.F = { when = \"p.y.rate > 0\" }\n",
                                2);
    const double first = std::sqrt(2 / 9.81), up = 0.8 * std::sqrt(2 * 9.81),
                 // up to 0.5 after the first impact, and after the second
        e1 = first + (up - std::sqrt(up * up - 0.8 * 9.81)) / 9.81, second = first + 2 * up / 9.81,
                 up2 = 0.8 * up, e2 = second + (up2 - std::sqrt(up2 * up2 - 0.8 * 9.81)) / 9.81;
    const std::vector<double> over = times(r, "E"), rising = times(r, "F");
    ASSERT_EQ(over.size(), 2U);
    EXPECT_NEAR(over[0], e1, 1e-10);
    EXPECT_NEAR(over[1], e2, 1e-10);
    ASSERT_EQ(rising.size(), 3U);
    EXPECT_NEAR(rising[0], first, 1e-12);
    EXPECT_NEAR(rising[1], second, 1e-12);
}

TEST(Branches, of_couplings_are_found_inside_flights) {
    const DynamicResult r = run(std::string(ball) +
                                    "coupling.K = { type = \"weld\", a = \"ground\", b = \"ball\", "
                                    "engaged = \"p.y > 0.5 and p.y.rate > 0\" }\n",
                                3);
    EXPECT_NEAR(last(r, "ball.y"), 0.5, 1e-10);
}

TEST(Branches, that_stop_a_run_at_an_impact_stop_it_there) {
    const DynamicResult r =
        run(std::string(ball) + "event.E = { when = \"p.y.rate > 0\", stop = true }\n", 3);
    EXPECT_NEAR(last(r, "t"), std::sqrt(2 / 9.81), 1e-12);
}

// The string holds what its condition asks about: the distance stands at zero but for rounding.
TEST(Branches, of_a_taut_string_stay_with_every_integrator) {
    const std::string text = R"(format = 1
body.p = { position = [0, 0], mass = 1, inertia = 1, velocity = [3, 4] }
measure.d = { type = "distance", a = "ground", b = "p" }
coupling.K = { type = "rod", a = "ground", b = "p", length = 1, engaged = "d > 1" }
force.w = { type = "gravity" }
)";
    for (const Integrator integrator : {Integrator::dop853, Integrator::stiff}) {
        const DynamicResult r = run(text, 0.8, integrator);
        EXPECT_EQ(r.events.size(), 1U);
        EXPECT_NEAR(last(r, "p.x"), 0.499754891, 1e-8);
        EXPECT_NEAR(last(r, "p.y"), -0.866166871, 1e-8);
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
