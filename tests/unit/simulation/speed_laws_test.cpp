// Restitution over the speed of approach and friction over the slip speed, against closed forms and
// plain recursions.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "simulation/run_options.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {

namespace PAWL_TEST_FILE {

using namespace test;

constexpr double g = 9.81;

DynamicResult run(const std::string& text, double end,
                  CoordinateKind coordinates = CoordinateKind::relative, bool sequential = false) {
    DynamicOptions options;
    options.end = end;
    options.step = std::min(end, 0.05);
    options.coordinates = coordinates;
    options.sequential_impacts = sequential;
    return run_dynamics(placed_of(text), options);
}

std::vector<Event> events_of(const DynamicResult& result, EventKind kind) {
    std::vector<Event> found;
    std::copy_if(result.events.begin(), result.events.end(), std::back_inserter(found),
                 [&](const Event& e) { return e.kind == kind; });
    return found;
}

std::string ball(double drop, const std::string& contact, const std::string& more = "") {
    return R"(
format = 1
[body.ball]
mass = 2
inertia = 0.01
position = [0, )" +
           std::to_string(0.1 + drop) + R"(]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [5, 0], to = [-5, 0] }]
[profile.rim]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "floor"
b = "rim"
)" + contact +
           R"(
[force.weight]
type = "gravity"
)" + more;
}

// e = sqrt(1 - 4 v mu/(3 K)), and 0 from 3 K/(4 mu) = 3 m/s on.
TEST(SpeedLaws, restitution_by_hysteresis_is_wangs_formula) {
    for (const double drop : {0.05, 0.2, 0.4, 0.6})
        for (const char* law : {"newton", "poisson", "stronge"}) {
            const double v = std::sqrt(2 * g * drop);
            const double e = v < 3 ? std::sqrt(1 - v / 3) : 0.0;
            const DynamicResult result =
                run(ball(drop, "hysteresis = 1e6\nstiffness = 4e6\nimpact = \"" + std::string(law) +
                                   "\""),
                    std::sqrt(2 * drop / g) + 0.01);
            const auto impacts = events_of(result, EventKind::impact);
            ASSERT_FALSE(impacts.empty()) << drop;
            EXPECT_NEAR(impacts[0].normal_velocity_after, e * v, 1e-9 * v) << drop << law;
            EXPECT_TRUE(result.audit.passed()) << drop << law;
        }
}

// With friction the sequence of laws is the same; sliding goes on, so that the laws agree.
TEST(SpeedLaws, restitution_by_an_expression_with_friction) {
    for (const char* law : {"newton", "poisson", "stronge"}) {
        const double v = std::sqrt(2 * g * 0.2);
        const DynamicResult result =
            run(ball(0.2,
                     "restitution = \"k/(1 + v)\"\nfriction.kinetic = 0.1\nimpact = \"" +
                         std::string(law) + "\"",
                     "[parameters]\nk = 0.9\n"),
                0.25);
        const auto impacts = events_of(result, EventKind::impact);
        ASSERT_FALSE(impacts.empty());
        EXPECT_NEAR(impacts[0].normal_velocity_after, 0.9 / (1 + v) * v, 1e-9) << law;
        EXPECT_TRUE(result.audit.passed()) << law;
    }
}

// Each blow of a sequence has the restitution of its own speed: three equal balls in a row, the
// fastest approach first, against the recursion v' = (v_a + v_b)/2 -+ e (v_a - v_b)/2.
TEST(SpeedLaws, each_blow_of_a_sequence_has_its_own_restitution) {
    std::string model = "format = 1\n";
    for (const char* pair : {"AB", "BC"})
        model += "[contact." + std::string(pair) + "]\na = \"" + pair[0] + "\"\nb = \"" + pair[1] +
                 "\"\nrestitution = \"max(0, 1 - v/2)\"\n";
    const char* const positions[] = {"-0.3", "0", "0.2"};
    for (int i = 0; i < 3; ++i) {
        const std::string name(1, static_cast<char>('a' + i)), rim(1, static_cast<char>('A' + i));
        model += "[body." + name + "]\nmass = 1\ninertia = 0.01\nposition = [" + positions[i] +
                 ", 0]\n" + (i == 0 ? "velocity = [1, 0]\n" : "") + "[profile." + rim +
                 "]\nbody = \"" + name + "\"\nelements = [{ type = \"circle\", radius = 0.1 }]\n";
    }
    double v[] = {1, 0, 0};
    for (int blow = 0; blow < 100; ++blow) {
        const int k = v[0] - v[1] > v[1] - v[2] ? 0 : 1;
        const double approach = v[k] - v[k + 1], e = std::max(0.0, 1 - approach / 2);
        if (!(approach > 1e-6)) break;
        const double sum = v[k] + v[k + 1];
        v[k] = (sum - e * approach) / 2;
        v[k + 1] = (sum + e * approach) / 2;
    }
    const DynamicResult result = run(model, 0.2, CoordinateKind::relative, true);
    const Trajectory& t = result.trajectory;
    EXPECT_NEAR(value(t, t.rows() - 1, "c.vx"), v[2], 1e-9);
    EXPECT_NEAR(value(t, t.rows() - 1, "b.vx"), v[1], 1e-5);  // the last blows are below rest
    EXPECT_NEAR(value(t, t.rows() - 1, "a.vx"), v[0], 1e-5);
}

// e falls to 0.5 at no speed: the impacts end after the sum of all flights.
TEST(SpeedLaws, impacts_accumulate_to_the_sum_of_their_flights) {
    const double drop = 0.2;
    double v = std::sqrt(2 * g * drop), end = std::sqrt(2 * drop / g);
    while (v > 1e-14) {
        v *= 0.5 + 0.3 * std::min(1.0, v);
        end += 2 * v / g;
    }
    for (const char* more : {"", "\nfriction.kinetic = 0.2"}) {
        const DynamicResult result =
            run(ball(drop, "restitution = \"0.5 + 0.3*min(1, v)\"" + std::string(more)), end + 0.2);
        const auto formed = events_of(result, EventKind::contact_formed);
        ASSERT_EQ(formed.size(), 1U) << more << result.message;
        EXPECT_NEAR(formed[0].t, end, 1e-8) << more;
        EXPECT_TRUE(result.audit.passed()) << more;
    }
}

// Elastic at no speed: with e = sqrt(1 - c v) speeds fall as 2/(c n), the flights as 1/n, and their
// sum has no end. The run goes on all the same, and brings hops to rest that it cannot tell from
// it.
TEST(SpeedLaws, hops_that_never_end_are_brought_to_rest) {
    const DynamicResult result = run(ball(2e-5, "hysteresis = 3e9\nstiffness = 1e8"), 0.5);
    EXPECT_EQ(result.status, DynamicStatus::completed) << result.message;
    EXPECT_TRUE(result.audit.passed());
    const auto impacts = events_of(result, EventKind::impact);
    EXPECT_GT(impacts.size(), 100U);
    ASSERT_FALSE(impacts.empty());
    EXPECT_TRUE(impacts.back().is_due_to(Cause::hop_brought_to_rest));
    EXPECT_EQ(events_of(result, EventKind::contact_formed).size(), 1U);
}

TEST(SpeedLaws, time_stepping_rebounds_by_the_speed) {
    DynamicOptions options;
    options.end = 0.3;
    options.step = 0.01;
    options.integrator = Integrator::moreau;
    options.integrator_step = 1e-4;
    const DynamicResult result =
        run_dynamics(placed_of(ball(0.2, "restitution = \"max(0, 1 - v/4)\"")), options);
    const double v = std::sqrt(2 * g * 0.2), up = v * (1 - v / 4), t = std::sqrt(0.4 / g);
    const Trajectory& rows = result.trajectory;
    EXPECT_NEAR(value(rows, rows.rows() - 1, "ball.vy"), up - g * (0.3 - t), 5e-3);  // first order
}

// Block by block the closed forms of models/sliding_laws.toml.
TEST(SpeedLaws, friction_laws_of_guides_have_their_closed_forms) {
    const std::string model(embedded_text("sliding_laws"));
    for (const CoordinateKind coordinates : both_coordinates) {
        DynamicOptions options = dynamic_options(model_of(model).run);
        options.coordinates = coordinates;
        const DynamicResult result = run_dynamics(placed_of(model), options);
        ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
        EXPECT_TRUE(result.audit.passed());
        const auto stuck = [&](const std::string& joint) {
            for (const Event& e : result.events)
                if (e.kind == EventKind::stick && e.element == joint) return e.t;
            return double(NAN);
        };
        EXPECT_NEAR(stuck("A"), 2 / (0.3 * g), 1e-9);
        EXPECT_NEAR(stuck("B"), std::log(2) / (0.1 * g), 1e-9);
        EXPECT_NEAR(stuck("C"), 2.0 / 3, 1e-9);
        EXPECT_TRUE(std::isnan(stuck("D")));
        const Trajectory& t = result.trajectory;
        const double vs = 0.1;
        for (std::size_t row = 0; row < t.rows(); row += 20) {
            const double time = t.row(row)[0];
            const double v = vs * std::asinh(std::sinh(2 / vs) * std::exp(-0.3 * g * time / vs));
            EXPECT_NEAR(value(t, row, "smooth.vx"), v, 1e-8) << time;
        }
        EXPECT_EQ(events_of(result, EventKind::slip).size(), 0U);
    }
}

// A rotor held by a bolt: a torque below the constant friction does not move it, a larger one turns
// it with the difference. No radius is needed.
TEST(SpeedLaws, constant_torque_in_a_pin_holds_and_slips) {
    const DynamicResult result = run(R"(
format = 1
[body.rotor]
mass = 1
inertia = 0.5
[joint.O]
type = "revolute"
a = "ground"
b = "rotor"
friction = { kinetic = 0, constant = "2 N m" }
[force.motor]
type = "joint_force"
joint = "O"
value = "4*t"
)",
                                     1);
    const auto slips = events_of(result, EventKind::slip);
    ASSERT_EQ(slips.size(), 1U);
    EXPECT_NEAR(slips[0].t, 0.5, 1e-9);
    const Trajectory& t = result.trajectory;
    // 0.5 w' = 4 t - 2: w(1) = 4 (1 - 0.25) - 4 (1 - 0.5)
    EXPECT_NEAR(value(t, t.rows() - 1, "rotor.omega"), 1, 1e-8);
    EXPECT_TRUE(result.audit.passed());
}

// A contact whose coefficient grows with the slip: x' decays to rest as in the guide.
TEST(SpeedLaws, coefficient_of_a_contact_over_the_slip_speed) {
    const DynamicResult result = run(R"(
format = 1
[body.block]
mass = 1
inertia = 0.1
position = [0, 0.1]
velocity = [2, 0]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [9, 0], to = [-9, 0] }]
[profile.sole]
body = "block"
elements = [{ type = "circle", centre = [0.2, 0], radius = 0.1 }]
[profile.heel]
body = "block"
elements = [{ type = "circle", centre = [-0.2, 0], radius = 0.1 }]
[contact.S]
a = "floor"
b = "sole"
friction = { kinetic = "0.2 + 0.1*v" }
[contact.H]
a = "floor"
b = "heel"
friction = { kinetic = "0.2 + 0.1*v" }
[force.weight]
type = "gravity"
)",
                                     1);
    double rest = NAN;
    for (const Event& e : result.events)
        if (e.kind == EventKind::stick && std::isnan(rest)) rest = e.t;
    EXPECT_NEAR(rest, std::log(2) / (0.1 * g), 1e-8);
    EXPECT_TRUE(result.audit.passed());
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
