// Compliant contacts that touch or are pressed in when a run begins: they hold from the start,
// whatever the integrator and its step.
#include <cmath>

#include <gtest/gtest.h>

#include "results/event_text.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double g = 9.81, stiffness = 1e6, depth = g / stiffness;  // of 1 kg at rest

// A disk of 0.1 m over a floor; damped so that it comes to rest within 1/20 s.
std::string disk(const std::string& gap, const std::string& more = "") {
    return R"(format = 1
[body.disk]
position = [0, "0.1 m + )" +
           gap + R"("]
mass = 1
inertia = 0.005
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [1, 0], to = [-1, 0] }]
[profile.disk]
body = "disk"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "floor"
b = "disk"
law = "kelvin_voigt"
stiffness = 1e6
damping = 300
[force.weight]
type = "gravity"
)" + more;
}

DynamicOptions options_of(const char* integrator, double end) {
    DynamicOptions options;
    options.end = end;
    options.step = 0.01;  // ten times the time of a swing of the contact over 2 pi
    options.integrator = named<Integrator>(integrator).value();
    return options;
}

double last(const DynamicResult& r, const std::string& column) {
    return test::value(r.trajectory, r.trajectory.rows() - 1, column);
}

TEST(CompliantStart, disk_that_touches_comes_to_rest_with_every_integrator) {
    for (const char* integrator : {"dop853", "rk4", "stiff"})
        for (const char* gap : {"0 m", "1e-13 m", "-1e-13 m", "-1e-9 m", "-1e-7 m"}) {
            const DynamicResult r =
                run_dynamics(test::placed_of(disk(gap)), options_of(integrator, 0.5));
            ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
            // Steps of rk4 are good to a hundredth of the way in each, and the rest forgets it.
            EXPECT_NEAR(last(r, "disk.y"), 0.1 - depth, 1e-3 * depth) << integrator << gap;
            ASSERT_EQ(r.events.size(), 1U) << integrator << gap;
            EXPECT_EQ(r.events[0].kind, EventKind::contact_formed);
            for (const AuditCheck& check : r.audit.checks)
                EXPECT_TRUE(check.passed() || check.name != "penetration") << check.value();
        }
}

TEST(CompliantStart, disk_in_balance_stays) {
    const DynamicResult r =
        run_dynamics(test::placed_of(disk("-" + std::to_string(1e6 * depth) + "e-6 m")),
                     options_of("dop853", 0.1));
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    ASSERT_EQ(r.events.size(), 1U);
    EXPECT_EQ(r.events[0].t, 0);
    EXPECT_EQ(event_text(r.events[0]).substr(0, 13), "compressed by");
    // Absolute errors of the steps: 1e-9 of the size of 2 m each; the depth is 9.81e-6 m.
    constexpr double steps = 1e-8;
    for (std::size_t row = 0; row < r.trajectory.rows(); ++row)
        EXPECT_NEAR(test::value(r.trajectory, row, "disk.y"), 0.1 - depth, steps);
}

TEST(CompliantStart, disk_that_touches_and_is_pulled_up_leaves) {
    const DynamicResult r =
        run_dynamics(test::placed_of(disk(
                         "0 m", "[force.up]\ntype = \"force\"\npoint = \"disk\"\ny = \"20 N\"\n")),
                     options_of("dop853", 0.5));
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_NEAR(last(r, "disk.y"), 0.1 + 0.5 * (20 - g) * 0.25, 1e-8);
    for (const Event& e : r.events) {
        const auto* rebound = e.find<fact::Rebound>();
        EXPECT_TRUE(rebound == nullptr || std::isnan(rebound->restitution));
    }
}

TEST(CompliantStart, disk_pressed_in_by_more_than_a_contact_gives_is_refused) {
    const DynamicResult r =
        run_dynamics(test::placed_of(disk("-0.05 m")), options_of("dop853", 0.1));
    EXPECT_EQ(r.status, DynamicStatus::overlap);
}

// A disk in a bowl, 5 degrees from its lowest point, swings about it: it cannot rise again to where
// it began.
TEST(CompliantStart, disk_stays_in_its_bowl) {
    const std::string bowl = R"model(format = 1
[body.disk]
position = ["0.9 m*sin(5 deg)", "-0.9 m*cos(5 deg)"]
mass = 1
inertia = 0.005
[profile.bowl]
body = "ground"
elements = [{ type = "circle", radius = 1, hollow = true }]
[profile.disk]
body = "disk"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "bowl"
b = "disk"
law = "hunt_crossley"
stiffness = 1e6
damping = 0.3
friction = { kinetic = 0.5 }
[force.weight]
type = "gravity"
)model";
    for (const char* integrator : {"dop853", "rk4", "stiff"}) {
        const DynamicResult r = run_dynamics(test::placed_of(bowl), options_of(integrator, 1));
        ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
        // Pressed in by (g/K)^(2/3) at rest, twice that where it falls in.
        const double deep = 0.9 + 3 * std::pow(depth, 2.0 / 3);
        for (std::size_t row = 0; row < r.trajectory.rows(); ++row) {
            const double x = test::value(r.trajectory, row, "disk.x"),
                         y = test::value(r.trajectory, row, "disk.y");
            ASSERT_LT(std::hypot(x, y), deep) << integrator;
            ASSERT_LT(std::abs(x), 0.9 * std::sin(M_PI / 36) + 1e-3) << integrator;
        }
    }
}

// Goes on from a state in which the disk is pressed in, but no contact is said to be closed.
TEST(CompliantStart, audit_notices_a_disk_on_the_wrong_side) {
    const PlacedMechanism placed = test::placed_of(disk("1 mm"));
    DynamicResult above = run_dynamics(placed, options_of("dop853", 0.01));
    DynamicOptions options = options_of("dop853", 0.2);
    options.start = above.last;
    options.start->state.q[1] -= 2e-3;
    const DynamicResult r = run_dynamics(placed, options);
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    ASSERT_LT(last(r, "disk.y"), 0.05);  // it has fallen through
    EXPECT_FALSE(r.audit.passed());
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
