// integrator = "moreau": closed forms with the order of the step, forces at rest, the event-driven
// run beside it, what it refuses, and the exact restart.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/dynamic/dynamic_simulation.h"
#include "support/runs.h"

namespace pawl::test {
namespace PAWL_TEST_FILE {

std::string failed_checks(const DynamicResult& r) {
    std::string names;
    for (const AuditCheck& check : r.audit.checks)
        if (!check.passed())
            names += fmt::format("{} {} > {}; ", check.name, check.value(), check.limit);
    if (!names.empty() && r.time_stepping)
        names +=
            fmt::format("worst {} at {}", r.time_stepping->worst_residual, r.time_stepping->at);
    return names;
}

DynamicOptions stepping(double end, double step, double h) {
    DynamicOptions options;
    options.end = end;
    options.step = step;
    options.integrator = Integrator::moreau;
    options.integrator_step = h;
    return options;
}

constexpr double g = 9.80665;

// A box of 2 kg on a floor in a field that is turned by 30 degrees, with a speed down the slope.
std::string incline(double mu, double speed) {
    return fmt::format(R"(format = 1
[body.box]
position = [0, 0.05]
velocity = [{}, 0]
omega = 0
mass = 2
inertia = 0.01
[profile.floor]
body = "ground"
elements = [{{ type = "line", from = [10, 0], to = [-10, 0] }}]
[profile.box]
body = "box"
elements = [{{ type = "line", from = [-0.1, -0.05], to = [0.1, -0.05] }}, {{ type = "line", to = [0.1, 0.05] }}, {{ type = "line", to = [-0.1, 0.05] }}, {{ type = "line", to = [-0.1, -0.05] }}]
[contact.C]
a = "floor"
b = "box"
friction.kinetic = {}
[force.weight]
type = "gravity"
acceleration = [{}, {}]
)",
                       speed, mu, 0.5 * g, -g * std::cos(M_PI / 6));
}

TEST(TimeStepping, a_box_slides_down_an_incline_as_the_closed_form_has_it) {
    const double a = g * (0.5 - 0.2 * std::cos(M_PI / 6));
    const DynamicResult r = run_dynamics(placed_of(incline(0.2, 0.1)), stepping(1, 0.1, 0.01));
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_EQ(failed_checks(r), "");
    // Constant forces: the rule of the middle is exact, to the residual of the contacts.
    EXPECT_NEAR(value(r.trajectory, 10, "box.x"), 0.1 + 0.5 * a, 1e-5);
    EXPECT_NEAR(value(r.trajectory, 10, "box.y"), 0.05, 1e-6);
}

TEST(TimeStepping, a_box_that_stops_on_an_incline_is_off_by_the_order_of_the_step) {
    // mu > tan 30: it comes to rest after v/a.
    const double v = 1, a = g * (0.9 * std::cos(M_PI / 6) - 0.5), x = 0.5 * v * v / a;
    double last = 0;
    for (const double h : {0.016, 0.008, 0.004}) {
        const DynamicResult r = run_dynamics(placed_of(incline(0.9, v)), stepping(0.96, 0.096, h));
        ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
        const double error = std::abs(value(r.trajectory, 10, "box.x") - x);
        EXPECT_LT(error, v * h);
        EXPECT_NEAR(value(r.trajectory, 10, "box.vx"), 0, 1e-5);
        last = error;
    }
    EXPECT_LT(last, 0.5 * v * 0.004);
}

TEST(TimeStepping, a_dropped_ball_bounces_with_an_error_of_the_first_order) {
    const std::string ball = R"(format = 1
[body.ball]
position = [0, 1.1]
mass = 1
inertia = 0.01
[profile.ball]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [1, 0], to = [-1, 0] }]
[contact.C]
a = "floor"
b = "ball"
restitution = 0.5
[force.weight]
type = "gravity"
)";
    const double fall = std::sqrt(2 / g), speed = 0.5 * g * fall, after = 0.6 - fall;
    const double expected = 0.1 + speed * after - 0.5 * g * after * after;
    for (const double h : {0.004, 0.002, 0.001, 0.0005}) {
        const DynamicResult r = run_dynamics(placed_of(ball), stepping(0.6, 0.6, h));
        ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
        EXPECT_EQ(failed_checks(r), "");
        // Struck up to a step early or late, with both speeds together.
        EXPECT_NEAR(value(r.trajectory, 1, "ball.y"), expected, 1.5 * g * fall * h) << h;
    }
}

// A bin with disks and boxes that have come to rest.
std::string heap(double restitution) {
    std::string text = R"(format = 1
[profile.bin]
body = "ground"
elements = [{ type = "line", from = [0.6, 5], to = [0.6, 0] }, { type = "line", to = [0, 0] }, { type = "line", to = [0, 5] }]
[force.weight]
type = "gravity"
)";
    for (int i = 0; i < 8; ++i) {
        text +=
            fmt::format("[body.b{}]\nposition = [{}, {}]\nangle = {}\nmass = {}\ninertia = {}\n", i,
                        0.15 + 0.3 * (i % 2) + 0.01 * (i % 3), 0.15 + 0.3 * (i / 2), 0.2 * i,
                        10 + i, 0.04 + 0.002 * i);
        text += fmt::format("[profile.b{}]\nbody = \"b{}\"\n", i, i);
        text += i % 2 == 0 ? "elements = [{ type = \"circle\", radius = 0.08 }]\n"
                           : "elements = [{ type = \"line\", from = [-0.07, -0.06], to = [0.07, "
                             "-0.06] }, { type = "
                             "\"line\", to = [0.07, 0.06] }, { type = \"line\", to = [-0.07, 0.06] "
                             "}, { type = "
                             "\"line\", to = [-0.07, -0.06] }]\n";
        text += fmt::format(
            "[contact.bin_{}]\na = \"bin\"\nb = \"b{}\"\nrestitution = {}\n"
            "friction.kinetic = 0.3\n",
            i, i, restitution);
        for (int k = 0; k < i; ++k)
            text += fmt::format(
                "[contact.c{}_{}]\na = \"b{}\"\nb = \"b{}\"\nrestitution = {}\n"
                "friction.kinetic = 0.3\n",
                k, i, k, i, restitution);
    }
    return text;
}

TEST(TimeStepping, a_heap_comes_to_rest_and_the_floor_and_walls_carry_its_weight) {
    const DynamicResult r = run_dynamics(placed_of(heap(0)), stepping(3, 0.1, 0.001));
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_EQ(failed_checks(r), "");
    const std::size_t last = r.trajectory.rows() - 1;
    EXPECT_LT(value(r.trajectory, last, "energy.kinetic"), 1e-6);
    // Normal forces and friction of the bin: the floor is its element 2, the walls 0 and 4 (corners
    // lie between no sides that are re-entrant). Upwards on the floor n = (0, 1), on the walls the
    // friction.
    double carried = 0, weight = 0;
    for (int i = 0; i < 8; ++i) {
        weight += g * (10 + i);
        for (int k = 1; k < 4; ++k) {
            const std::string name = fmt::format("bin_{}#{}", i, k);
            if (r.trajectory.find(name + ".normal") < 0) continue;
            const double normal = value(r.trajectory, last, name + ".normal"),
                         friction = value(r.trajectory, last, name + ".friction"),
                         element = std::floor(value(r.trajectory, last, name + ".a"));
            if (std::isnan(normal)) continue;
            // The tangent is the normal turned by 90 degrees: right of the floor's normal is -x;
            // on the right wall (n = -x) it points down, on the left one (n = +x) up.
            if (element == 2)
                carried += normal;
            else
                carried += element < 2 ? -friction : friction;
        }
    }
    EXPECT_NEAR(carried, weight, 1e-3 * weight);
}

TEST(TimeStepping, the_ledger_closes_whatever_the_step) {
    for (const double e : {0.0, 0.5})
        for (const double h : {0.004, 0.001}) {
            const DynamicResult r = run_dynamics(placed_of(heap(e)), stepping(0.8, 0.1, h));
            ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
            ASSERT_EQ(r.audit.checks[0].name, "energy residual");
            // Of hundreds of joules, with a thousand steps of rounding.
            EXPECT_LT(r.audit.checks[0].value(), 1e-9) << e << " " << h;
        }
}

// Until the first impacts have spread their errors.
TEST(TimeStepping, comes_near_to_the_event_driven_run_with_smaller_steps) {
    const PlacedMechanism placed = placed_of(heap(0));
    DynamicOptions exact;
    exact.end = 0.25;
    exact.step = 0.25;
    const DynamicResult right = run_dynamics(placed, exact);
    ASSERT_EQ(right.status, DynamicStatus::completed) << right.message;
    const auto off = [&](double h) {
        const DynamicResult r = run_dynamics(placed, stepping(0.25, 0.25, h));
        double worst = 0;
        for (int i = 0; i < 8; ++i)
            for (const char* axis : {".x", ".y"})
                worst =
                    std::max(worst, std::abs(value(r.trajectory, r.trajectory.rows() - 1,
                                                   fmt::format("b{}{}", i, axis)) -
                                             value(right.trajectory, right.trajectory.rows() - 1,
                                                   fmt::format("b{}{}", i, axis))));
        return worst;
    };
    const double coarse = off(1e-3), fine = off(6.25e-5);
    EXPECT_LT(coarse, 0.01);
    EXPECT_LT(fine, 0.25 * coarse);
}

TEST(TimeStepping, a_driven_linkage_pushes_a_body) {
    const std::string text = R"(format = 1
[body.ground]
points = { O = [0, 0] }
[body.crank]
points = { O = [0, 0] }
mass = 1
inertia = 0.1
[joint.O]
type = "revolute"
a = "ground.O"
b = "crank.O"
[driver.m]
joint = "O"
type = "speed"
speed = "1 rad/s"
[profile.crank]
body = "crank"
elements = [{ type = "line", from = [0, -0.02], to = [1, -0.02] }, { type = "line", to = [1, 0.02] }, { type = "line", to = [0, 0.02] }, { type = "line", to = [0, -0.02] }]
[body.disk]
position = [0.8, 0.2]
mass = 1
inertia = 0.005
[profile.disk]
body = "disk"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "crank"
b = "disk"
)";
    const DynamicResult r = run_dynamics(placed_of(text), stepping(0.5, 0.1, 0.001));
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_EQ(failed_checks(r), "");
    EXPECT_NEAR(value(r.trajectory, 5, "crank.angle"), 0.5, 1e-9);
    // What the driver has put in is what the disk has.
    EXPECT_GT(value(r.trajectory, 5, "disk.vy"), 0.5);
    EXPECT_NEAR(value(r.trajectory, 5, "energy.residual"), 0,
                1e-2 * value(r.trajectory, 5, "energy.kinetic"));
}

TEST(TimeStepping, refuses_what_it_does_not_know_by_name) {
    std::string text = incline(0.2, 0.1);
    text.replace(text.find("friction.kinetic = 0.2"), 22, "law = \"hertz\"\nstiffness = 1e6");
    const DynamicResult r = run_dynamics(placed_of(text), stepping(1, 0.1, 0.01));
    EXPECT_EQ(r.status, DynamicStatus::refused);
    EXPECT_EQ(r.message,
              "integrator = \"moreau\" does not support compliant contacts ('C'); choose another "
              "integrator");
}

TEST(TimeStepping, goes_on_with_the_same_bits_where_it_is_cut) {
    const PlacedMechanism placed = placed_of(heap(0.3));
    const DynamicOptions options = stepping(0.6, 0.05, 0.001);
    const DynamicResult whole = run_dynamics(placed, options);
    for (const double at : {0.01, 0.333, 0.599}) {
        DynamicSimulation first(placed, options), second(placed, options);
        ASSERT_TRUE(first.advance_to(at));
        ASSERT_TRUE(second.restore(first.save()));
        while (second.step()) {
        }
        const DynamicResult r = second.finish();
        ASSERT_EQ(r.trajectory.rows(), whole.trajectory.rows());
        for (std::size_t i = 0; i < r.trajectory.rows(); ++i) {
            const auto a = r.trajectory.row(i), b = whole.trajectory.row(i);
            ASSERT_EQ(a.size(), b.size());
            for (std::size_t c = 0; c < a.size(); ++c)
                ASSERT_TRUE(a[c] == b[c] || (std::isnan(a[c]) && std::isnan(b[c])))
                    << at << " row " << i << " " << r.trajectory.columns[c].name;
        }
        EXPECT_EQ(r.events.size(), whole.events.size());
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl::test
