// Joints with play: where they start, how they fly and slide, what is reported of them. Expected
// values are closed forms, or come from a joint that says the same in another way.
#include "simulation/placement/clearance.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double g = 9.81;
// Event times are polished to 1e-14 s on a motion whose steps have errors of 1e-11 of its size.
constexpr double time_tolerance = 1e-10;

DynamicResult run(const PlacedMechanism& placed, double end, double step,
                  CoordinateKind coordinates = CoordinateKind::relative) {
    DynamicOptions options;
    options.end = end;
    options.step = step;
    options.coordinates = coordinates;
    options.rtol = options.atol = 1e-11;
    DynamicResult result = run_dynamics(placed, options);
    EXPECT_EQ(result.status, DynamicStatus::completed) << result.message;
    for (const AuditCheck& check : result.audit.checks)
        EXPECT_TRUE(check.passed()) << check.name << " " << check.value() << " > " << check.limit;
    return result;
}

// A weight on a pin with 1 mm of play; the body's own lines may be added to.
std::string hung(const std::string& body, const std::string& joint) {
    return "format = 1\n[units]\nlength = \"mm\"\n[body.bob]\nmass = 2\ninertia = \"0.01 kg "
           "m^2\"\n" +
           body + "\n[joint.J]\ntype = \"revolute\"\na = \"ground\"\nb = \"bob\"\nclearance = 1\n" +
           joint + "\n[force.weight]\ntype = \"gravity\"\n";
}

// All lengths are in the play, the pin and the centre of mass: the tolerances scale with them.
TEST(Clearance, motion_of_a_pin_alone_scales_with_it) {
    const auto end_of = [](double s) {
        const auto text = [](double x) { return std::to_string(x) + "e-6"; };
        const double k = s * 1e6;  // six digits behind the point are enough for each
        const DynamicResult r =
            run(test::placed_of("format = 1\n[body.b]\nangle = -0.4\nmass = 1\ninertia = \"(" +
                                text(100 * k) + ")^2\"\ncentre = [" + text(300 * k) +
                                ", 0]\n[joint.O]\ntype = \"revolute\"\na = \"ground\"\nb = "
                                "\"b\"\nclearance = " +
                                text(2 * k) + "\nradius = " + text(20 * k) +
                                "\nfriction = { kinetic = 0.1 }\ncontact = { restitution = 0.5 }\n"
                                "[force.w]\ntype = \"gravity\"\nacceleration = [0, -" +
                                text(9810 * k) + "]\n"),
                0.3, 0.01);
        return test::value(r.trajectory, r.trajectory.rows() - 1, "b.angle");
    };
    const double right = end_of(1e-3);
    for (const double s : {1e-6, 1e-5, 1.0}) EXPECT_NEAR(end_of(s), right, 1e-7) << s;
}

TEST(Clearance, pin_falls_through_its_play_in_the_time_of_a_fall) {
    const double c = 1e-3, e = 0.5, fall = std::sqrt(2 * c / g), speed = std::sqrt(2 * g * c);
    const auto placed = test::placed_of(hung("", "contact = { restitution = 0.5 }"));
    for (const CoordinateKind kind : test::both_coordinates) {
        const DynamicResult r = run(placed, 1.9 * fall, 1, kind);
        ASSERT_GE(r.events.size(), 1U);
        EXPECT_EQ(r.events[0].kind, EventKind::impact);
        EXPECT_EQ(r.events[0].element, "J#1");
        EXPECT_NEAR(r.events[0].t, fall, time_tolerance);
        EXPECT_NEAR(r.events[0].impulse, 2 * (1 + e) * speed, 1e-9);
        ASSERT_EQ(r.clearances.size(), 1U);
        const ClearanceReport& report = r.clearances[0];
        EXPECT_EQ(report.joint, "J");
        EXPECT_EQ(report.impacts(), 1);
        EXPECT_EQ(report.impulses.at(-1), 1);  // 0.42 N s
        EXPECT_EQ(report.duty(), 0);
        EXPECT_EQ(report.modes[0].count, 1);
    }
}

TEST(Clearance, pin_starts_where_the_first_guess_puts_it_within_its_play) {
    const auto placed = test::placed_of(hung("position = [0.6, 0.3]", ""));
    const DynamicResult r = run(placed, 0.05, 0.01);
    // From y = 0.3 mm down to the circle at x = 0.6 mm.
    EXPECT_NEAR(r.events.at(0).t, std::sqrt(2 * (0.3e-3 + 0.8e-3) / g), time_tolerance);
}

TEST(Clearance, pin_guessed_outside_its_play_starts_in_the_middle) {
    const auto placed = test::placed_of(hung("position = [0.9, 0.9]", ""));
    const DynamicResult r = run(placed, 0.02, 0.01);
    EXPECT_NEAR(r.events.at(0).t, std::sqrt(2 * 1e-3 / g), time_tolerance);
}

// Without friction a pin that stays in its bearing moves on a circle about the middle, pulled to
// it: the body hangs on a rod as long as the play.
TEST(Clearance, pendulum_pressed_into_its_bearing_hangs_on_a_rod_of_the_play) {
    const std::string bob = "centre = [0, -100]\nposition = [0, -1]\nangle = \"0 deg\"\nomega = 1";
    const auto with_play = test::placed_of(hung(bob, ""));
    std::string text = hung(bob, "");
    text.replace(text.find("clearance = 1\n"), 14, "length = 1\n");
    text.replace(text.find("revolute"), 8, "rod");
    PlacedMechanism on_rod = test::placed_of(text);
    // Play starts with the velocities of the ideal joint: of a turn about the bearing's middle.
    on_rod.mechanism.bodies[1].velocity = Planar<double>::Vector{0, 0};
    const double end = 1;
    const DynamicResult r = run(with_play, end, 0.1), reference = run(on_rod, end, 0.1);
    EXPECT_EQ(r.clearances[0].duty(), 1);
    const std::size_t last = r.trajectory.rows() - 1,
                      reference_last = reference.trajectory.rows() - 1;
    // Errors of 1e-11 a step over some thousand steps.
    for (const char* column : {"bob.x", "bob.y", "bob.angle"})
        EXPECT_NEAR(test::value(r.trajectory, last, column),
                    test::value(reference.trajectory, reference_last, column), 1e-8)
            << column;
}

// A block 40 mm long between rails along x.
std::string guided(const std::string& body, const std::string& joint, const std::string& force) {
    return "format = 1\n[units]\nlength = \"mm\"\n[body.block]\nmass = 2\ninertia = \"0.001 kg "
           "m^2\"\n" +
           body +
           "\n[joint.J]\ntype = \"prismatic\"\na = \"ground\"\nb = \"block\"\nguide = 40\n"
           "clearance = 1\ntravel = 1000\n" +
           joint + "\n" + force;
}
const std::string weight = "[force.weight]\ntype = \"gravity\"\n";

TEST(Clearance, block_falls_half_its_play_and_lies_on_one_side) {
    const auto placed = test::placed_of(guided("velocity = [300, 0]", "", weight));
    const double fall = std::sqrt(1e-3 / g), end = 0.1;
    for (const CoordinateKind kind : test::both_coordinates) {
        const DynamicResult r = run(placed, end, 0.01, kind);
        EXPECT_NEAR(r.events.at(0).t, fall, time_tolerance);
        const ClearanceReport& report = r.clearances.at(0);
        EXPECT_NEAR(report.modes[0].share, fall / end, 1e-9);
        EXPECT_NEAR(report.modes[3].share, 1 - fall / end, 1e-9);
        EXPECT_EQ(report.modes[3].count, 1);
        EXPECT_EQ(report.modes[1].count + report.modes[2].count + report.modes[4].count, 0);
        // Normal force times slip speed: the weight at 0.3 m/s. Simpson's rule is exact for it.
        EXPECT_NEAR(report.max_power, 2 * g * 0.3, 1e-8);
        EXPECT_NEAR(report.mean_power, 2 * g * 0.3 * (1 - fall / end), 1e-8);
    }
}

TEST(Clearance, block_turned_by_a_moment_is_held_at_two_opposed_points) {
    const auto placed = test::placed_of(
        guided("", "width = 10",
               "[force.turn]\ntype = \"torque\"\nbody = \"block\"\nvalue = \"0.1 N m\"\n"));
    const DynamicResult r = run(placed, 0.2, 0.01);
    const ClearanceReport& report = r.clearances.at(0);
    EXPECT_EQ(report.modes[2].count, 1);
    EXPECT_GT(report.modes[2].share, 0.5);
    EXPECT_EQ(report.modes[3].count, 0);
    // 20 sin a + 5 cos a = 5.5 mm to each side.
    const double angle = std::asin(5.5 / std::hypot(20.0, 5.0)) - std::atan2(5.0, 20.0);
    EXPECT_NEAR(test::value(r.trajectory, r.trajectory.rows() - 1, "block.angle"), angle, 1e-9);
}

TEST(Clearance, friction_of_the_joint_is_that_of_its_contacts) {
    const double mu = 0.2, start = 0.3;
    const auto placed =
        test::placed_of(guided("velocity = [300, 0]\nposition = [0, -0.5]",
                               "friction = { kinetic = 0.2, static = 0.2 }", weight));
    const DynamicResult r = run(placed, 0.2, 0.01);
    const auto stick = std::find_if(r.events.begin(), r.events.end(),
                                    [](const Event& e) { return e.kind == EventKind::stick; });
    ASSERT_NE(stick, r.events.end());
    EXPECT_NEAR(stick->t, start / (mu * g), time_tolerance);
}

// A spring of K under a weight: it is pressed in by m g/K and keeps the period of a linear spring.
TEST(Clearance, compliant_play_gives_way_by_its_law) {
    const auto placed = test::placed_of(
        hung("position = [0, -1]",
             "contact = { law = \"kelvin_voigt\", stiffness = \"1 kN/mm\", damping = 0 }"));
    const double period = 2 * std::acos(-1.0) * std::sqrt(2 / 1e6);
    const DynamicResult r = run(placed, 0.5 * period, 0.25 * period);
    const std::size_t last = r.trajectory.rows() - 1;
    EXPECT_NEAR(test::value(r.trajectory, last, "bob.y"), -1e-3 - 2 * 2 * g / 1e6, 1e-9);
    // It touches without a speed: the contact begins when the fall is more than rounding.
    EXPECT_NEAR(r.clearances.at(0).duty(), 1, 1e-5);
}

// The R-RTR mechanism with play in its guide (Stoenescu 2005): hundreds of hops on two corners that
// become ever lower. The bar stays in its block.
TEST(Clearance, block_that_rattles_stays_on_its_bar) {
    for (const char* play : {"0.5 mm", "1 mm", "1.5 mm"})
        for (const char* speed : {"150 rpm", "200 rpm"}) {
            const auto placed = test::placed_of(test::embedded_text("rrtr_clearance"),
                                                {{"clearance", play}, {"w0", speed}});
            DynamicOptions options;
            options.end = 3;
            options.step = 0.05;
            const DynamicResult r = run_dynamics(placed, options);
            ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
            for (const AuditCheck& check : r.audit.checks)
                EXPECT_TRUE(check.passed()) << play << " " << speed << " " << check.name << " "
                                            << check.value() << " at " << check.worst.t;
        }
}

TEST(Clearance, all_but_dynamics_takes_the_joint_as_ideal) {
    const std::string ideal = test::fourbar();
    std::string text = ideal;
    text.insert(text.find("[joint.D]"), "radius = 0.01\nclearance = 0.001\n");
    const auto a = test::run_of(test::placed_of(ideal), 1, 0.1, CoordinateKind::relative),
               b = test::run_of(test::placed_of(text), 1, 0.1, CoordinateKind::relative);
    ASSERT_EQ(a.trajectory.rows(), b.trajectory.rows());
    for (std::size_t row = 0; row < a.trajectory.rows(); ++row)
        EXPECT_TRUE(std::ranges::equal(a.trajectory.row(row), b.trajectory.row(row)));
}

TEST(Clearance, open_mechanism_starts_with_the_velocities_of_the_ideal_one) {
    const std::string text(test::embedded_text("slider_crank_clearance"));
    const PlacedMechanism placed = test::placed_of(text), open = open_clearances(placed);
    EXPECT_EQ(open.mechanism.joints[3].kind_name(), "free");
    EXPECT_EQ(open.mechanism.contacts.size(), 1U);
    EXPECT_EQ(open.mechanism.contacts[0].play_of, 3);
    // Stretched: the rod turns by -r w/L, the slider stands.
    const double w = 5000 * std::acos(-1.0) / 30;
    EXPECT_NEAR(*open.mechanism.bodies[1].omega, w, 1e-9 * w);
    EXPECT_NEAR(*open.mechanism.bodies[2].omega, -w * 50 / 120, 1e-9 * w);
    EXPECT_NEAR(open.mechanism.bodies[3].velocity->x, 0, 1e-9);
}

TEST(Clearance, coordinates_agree_on_the_events_of_a_slider_crank) {
    const auto placed = test::placed_of(test::embedded_text("slider_crank_clearance"));
    const double end = 3e-3;  // a quarter turn; nearby motions part later on
    const DynamicResult a = run(placed, end, end / 10),
                        b = run(placed, end, end / 10, CoordinateKind::absolute);
    ASSERT_GT(a.events.size(), 4U);
    ASSERT_EQ(a.events.size(), b.events.size());
    for (std::size_t i = 0; i < a.events.size(); ++i) {
        EXPECT_EQ(a.events[i].kind, b.events[i].kind);
        EXPECT_NEAR(a.events[i].t, b.events[i].t, 1e-9);
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
