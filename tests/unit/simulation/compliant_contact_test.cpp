// Contacts with a force over the depth: the collision of two pendulums (Wang 1996, 3.5.3,
// recomputed) and laws whose collisions are known in closed form.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"
#include "verification/verification_column.h"

namespace pawl {
namespace PAWL_TEST_FILE {

DynamicResult run(const PlacedMechanism& placed, double end, double step) {
    DynamicOptions options;
    options.end = end;
    options.step = step;
    options.rtol = options.atol = 1e-12;
    options.reactions = false;
    return run_dynamics(placed, options);
}

double number(const DynamicResult& r, const std::string& column, const std::string& unit) {
    std::string note;
    return column_value(r.trajectory, r.events, column, 0, unit, note);
}

struct Collision {
    double mu, approach;
    double indentation, indentation_at, force, force_at, duration, first_after, second_after;
};

// Times after the first touch; tolerances are the last digit of the reference.
class TwoPendulums : public testing::TestWithParam<Collision> {};

TEST_P(TwoPendulums, collide_as_published) {
    const Collision& c = GetParam();
    // Starts 1e-4 rad before the contact, with the speed that it would have there after the fall.
    const double start = 1e-4,
                 speed = std::sqrt(c.approach * c.approach - 2 * 9.81 * (1 - std::cos(start)));
    const std::string text(test::embedded_text("two_pendulums_compliant"));
    PlacedMechanism placed = test::placed_of(
        text, {{"start", std::to_string(start) + " rad"}, {"mu", std::to_string(c.mu)}});
    for (auto& body : placed.mechanism.bodies)
        if (body.name == "first") body.omega = speed;
    const DynamicResult r = run(placed, start / c.approach + 5e-4, 1e-6);
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    for (const AuditCheck& check : r.audit.checks)
        EXPECT_TRUE(check.passed()) << check.name << " " << check.value() << " > " << check.limit;
    ASSERT_EQ(r.events.size(), 2U);
    EXPECT_EQ(r.events[0].kind, EventKind::contact_formed);
    EXPECT_EQ(r.events[1].kind, EventKind::contact_lost);
    const double begin = r.events[0].t;
    EXPECT_NEAR(r.events[0].normal_velocity_before, -c.approach, 1e-10);
    EXPECT_NEAR(-number(r, "min:C#1.gap", "m"), c.indentation, 1e-6 * c.indentation);
    EXPECT_NEAR(number(r, "min_at:C#1.gap", "s") - begin, c.indentation_at, 1e-9);
    EXPECT_NEAR(number(r, "max:C#1.normal", "N"), c.force, 1e-6 * c.force);
    EXPECT_NEAR(number(r, "max_at:C#1.normal", "s") - begin, c.force_at, 1e-9);
    // K d^1.5 is the static part.
    for (std::size_t row = 0; row < r.trajectory.rows(); ++row)
        if (const double depth = -test::value(r.trajectory, row, "C#1.gap"); depth > 1e-9) {
            EXPECT_NEAR(test::value(r.trajectory, row, "C#1.static"), 2.3e10 * std::pow(depth, 1.5),
                        1e-9 * c.force);
        }
    EXPECT_NEAR(r.events[1].t - begin, c.duration, 1e-10);
    const double first = number(r, "first.omega-@contact_lost:C#1:1", "rad/s"),
                 second = number(r, "second.omega-@contact_lost:C#1:1", "rad/s");
    EXPECT_NEAR(first, c.first_after, 1e-7 * c.approach);
    EXPECT_NEAR(second, c.second_after, 1e-7 * c.approach);
    EXPECT_NEAR((second - first) / c.approach, 0.8471023, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(
    Speeds, TwoPendulums,
    testing::Values(Collision{2.5e11, 0.024839999830831195, 2.894363e-6, 1.760161e-4, 116.1096,
                              1.56181e-4, 3.730471e-4, 0.001898981, 0.022941002},
                    Collision{2.5e10, 0.24839999994596525, 1.826220e-5, 1.110587e-4, 1840.2136,
                              9.85434e-5, 2.353768e-4, 0.018989862, 0.229410071}));

// A ball flies against a wall, without gravity.
std::string ball_and_wall(const std::string& law) {
    return "format = 1\n[body.ball]\nposition = [0, 1]\nvelocity = [0, -2]\nmass = 3\ninertia = 1\n"
           "[profile.ball]\nbody = \"ball\"\nelements = [{ type = \"circle\", radius = 0.5 }]\n"
           "[profile.wall]\nbody = \"ground\"\nelements = [{ type = \"line\", from = [5, 0], to = "
           "[-5, 0] }]\n[contact.C]\na = \"wall\"\nb = \"ball\"\n" +
           law;
}

// m v' = -F: half a period of m x'' = -K x; depth v sqrt(m/K).
TEST(CompliantContact, linear_spring_is_half_a_period_of_its_oscillator) {
    const DynamicResult r =
        run(test::placed_of(ball_and_wall("law = \"kelvin_voigt\"\nstiffness = 1200\n")), 1, 1e-3);
    ASSERT_EQ(r.events.size(), 2U);
    EXPECT_NEAR(r.events[0].t, 0.25, 1e-11);
    EXPECT_NEAR(r.events[1].t - r.events[0].t, std::numbers::pi * std::sqrt(3.0 / 1200), 1e-10);
    EXPECT_NEAR(r.events[1].normal_velocity_after, 2, 1e-9);
    EXPECT_NEAR(-number(r, "min:C#1.gap", "m"), 2 * std::sqrt(3.0 / 1200), 1e-8);
    EXPECT_TRUE(r.audit.passed());
}

// K d^n: depth from m v^2/2 = K d^(n+1)/(n+1), duration 2 (d/v) sqrt(pi) Gamma(1 + 1/(n+1)) /
// Gamma(1/2 + 1/(n+1)).
TEST(CompliantContact, hertz_has_the_depth_of_its_energy_and_loses_nothing) {
    const DynamicResult r =
        run(test::placed_of(ball_and_wall("law = \"hertz\"\nstiffness = 1e5\nexponent = 1.5\n")), 1,
            1e-3);
    ASSERT_EQ(r.events.size(), 2U);
    const double depth = std::pow(0.5 * 3 * 4 * 2.5 / 1e5, 1 / 2.5);
    const double duration =
        2 * depth / 2 * std::sqrt(std::numbers::pi) * std::tgamma(1.4) / std::tgamma(0.9);
    EXPECT_NEAR(-number(r, "min:C#1.gap", "m"), depth, 1e-7);
    EXPECT_NEAR(r.events[1].t - r.events[0].t, duration, 1e-9);
    EXPECT_NEAR(r.events[1].normal_velocity_after, 2, 1e-9);
    EXPECT_TRUE(r.audit.passed());
}

// With the hysteresis chi the restitution e of a collision at speed v solves, with a = chi v,
// a - ln(1 + a) = -e a - ln(1 - e a), whatever the exponent.
TEST(CompliantContact, hunt_crossley_has_its_exact_restitution) {
    for (const double c : {0.01, 0.1, 0.3}) {
        const DynamicResult r = run(
            test::placed_of(ball_and_wall(
                "law = \"hunt_crossley\"\nstiffness = 1e5\ndamping = " + std::to_string(c) + "\n")),
            1, 1e-2);
        ASSERT_EQ(r.events.size(), 2U) << c;
        const double e = r.events[1].normal_velocity_after / 2, a = 1.5 * c * 2;
        EXPECT_NEAR(a - std::log1p(a), -e * a - std::log1p(-e * a), 1e-9) << c;
        EXPECT_TRUE(r.audit.passed());
    }
}

TEST(CompliantContact, body_at_rest_sinks_to_the_balance_of_its_weight) {
    // Kelvin-Voigt near critical damping: comes to rest at m g / K.
    std::string text =
        ball_and_wall("law = \"kelvin_voigt\"\nstiffness = \"1200 N/m\"\ndamping = 120\n") +
        "[force.weight]\ntype = \"gravity\"\n";
    const DynamicResult r = run(test::placed_of(text), 10, 0.1);
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_NEAR(test::value(r.trajectory, r.trajectory.rows() - 1, "ball.y"), 0.5 - 3 * 9.81 / 1200,
                1e-9);
    EXPECT_TRUE(r.audit.passed());
}

// The whole side is pressed in; each of its corners carries half the weight.
TEST(CompliantContact, box_dropped_askew_comes_to_rest_on_both_corners) {
    const auto placed = test::placed_of(R"(format = 1
[body.box]
position = [0, 0.055]
angle = "1 deg"
mass = 1
inertia = 0.001
[profile.box]
body = "box"
elements = [{ type = "line", from = [-0.05, -0.05], to = [0.05, -0.05] },
            { type = "line", to = [0.05, 0.05] }, { type = "line", to = [-0.05, 0.05] },
            { type = "line", to = [-0.05, -0.05] }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [1, 0], to = [-1, 0] }]
[contact.C]
a = "floor"
b = "box"
law = "kelvin_voigt"
stiffness = 10000
damping = 50
[force.weight]
type = "gravity"
)");
    const DynamicResult r = run(placed, 2, 0.1);
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    const std::size_t last = r.trajectory.rows() - 1;
    EXPECT_NEAR(test::value(r.trajectory, last, "box.y"), 0.05 - 9.81 / 2e4, 1e-9);
    EXPECT_NEAR(test::value(r.trajectory, last, "box.angle"), 0, 1e-9);
    EXPECT_TRUE(r.audit.passed());
}

// A slug of 1 kg that drops 5 mm on a floor of 200 N/mm with a damper.
PlacedMechanism slug(double damping) {
    return test::placed_of(R"(format = 1
units = { length = "mm", angle = "deg" }
body.s = { position = [0, 25], mass = 1, inertia = "1e-4 kg m^2" }
joint.g = { type = "prismatic", a = "ground", b = "s", axis = 90 }
profile.floor = { body = "ground", elements = [{ type = "line", from = [500, 0], to = [-500, 0] }] }
profile.s = { body = "s", elements = [{ type = "circle", radius = 20 }] }
force.g = { type = "gravity" }
contact.C = { a = "floor", b = "s", law = "kelvin_voigt", stiffness = "200 N/mm", damping = ")" +
                           std::to_string(damping) + " N s/m\" }\n");
}

// The force K d + C d' comes to zero at the depth C v / K, where v is the speed up. In free fall
// from there it is K t (g t / 2 - v + C g / K) and presses again at t = 2 (v / g - C / K), unless
// the gap has opened before.
TEST(CompliantContact, that_lets_go_while_pressed_in_presses_again) {
    const double g = 9.81, lag = 200.0 / 200e3;
    const DynamicResult r = run(slug(200), 1, 0.1);
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    int again = 0;
    for (std::size_t i = 1; i < r.events.size(); ++i) {
        const auto* compression = r.events[i].find<fact::Compression>();
        if (compression == nullptr || !compression->again) continue;
        ++again;
        const Event& lost = r.events[i - 1];
        EXPECT_EQ(lost.kind, EventKind::contact_lost);
        // Time to the tolerance of the velocity, 1e-12 of the size over the gravity.
        EXPECT_NEAR(r.events[i].t - lost.t, 2 * (lost.normal_velocity_after / g - lag), 1e-11);
    }
    EXPECT_GE(again, 1);
    EXPECT_TRUE(r.audit.passed());
}

TEST(CompliantContact, with_any_damping_brings_the_slug_to_rest) {
    for (const double damping : {20, 55, 95, 130, 200, 250, 320, 450, 600}) {
        const DynamicResult r = run(slug(damping), 3, 0.5);
        ASSERT_EQ(r.status, DynamicStatus::completed) << r.message << " " << damping;
        // What is left of the first 5 mm after 3 s: exp(-C t / 2 m) of it, 5e-16 m at least.
        EXPECT_NEAR(test::value(r.trajectory, r.trajectory.rows() - 1, "s.y"), 0.02 - 9.81 / 200e3,
                    1e-9)
            << damping;
        EXPECT_TRUE(r.audit.passed()) << damping;
    }
}

// A block slides level over the end of the floor: where its front corner has left, the end of the
// floor carries its side, and it tips only when its centre has passed.
TEST(CompliantContact, goes_on_at_the_end_of_a_profile) {
    for (const char* law : {"law = \"hertz\", stiffness = 1e7",
                            "law = \"kelvin_voigt\", stiffness = 1e5, damping = 300"}) {
        const DynamicResult r = run(test::placed_of(std::string(R"(format = 1
units = { length = "mm", angle = "deg" }
body.b = { position = [470, 20], velocity = ["0.5 m/s", 0], mass = 1, inertia = "2.667e-4 kg m^2" }
profile.floor = { body = "ground", elements = [{ type = "line", from = [500, 0], to = [-500, 0] }] }
profile.b = { body = "b", elements = [
  { type="line", from=[-20,-20], to=[20,-20] }, { type="line", to=[20,20] },
  { type="line", to=[-20,20] }, { type="line", to=[-20,-20] }] }
force.g = { type = "gravity" }
contact.C = { a = "floor", b = "b", )") + law + " }\n"),
                                    0.055, 0.005);
        ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
        EXPECT_TRUE(r.audit.passed()) << law;
        // It is pressed in by less than 0.05 mm over at least 20 mm.
        for (std::size_t row = 0; row < r.trajectory.rows(); ++row)
            EXPECT_LT(std::abs(test::value(r.trajectory, row, "b.angle")), 5e-3) << law;
        EXPECT_TRUE(std::any_of(r.events.begin(), r.events.end(), [](const Event& e) {
            return e.kind == EventKind::contact_formed && e.to == "point 0 on line 0";
        })) << law;
    }
}

TEST(CompliantContact, so_soft_that_bodies_may_pass_through_is_warned_of) {
    const std::string soft = ball_and_wall("law = \"kelvin_voigt\"\nstiffness = 10\ndamping = 0\n");
    const std::string firm =
        ball_and_wall("law = \"kelvin_voigt\"\nstiffness = 1e6\ndamping = 0\n");
    const auto warned = [](const std::string& text) {
        const DynamicResult r = run(test::placed_of(text), 1, 0.1);
        return std::any_of(r.warnings.begin(), r.warnings.end(), [](const std::string& w) {
            return w.find("contact 'C' is compressed by") != std::string::npos;
        });
    };
    EXPECT_TRUE(warned(soft));
    EXPECT_FALSE(warned(firm));
}

// A pin that passes 0.2 mm deep under a roller within 0.4 ms kicks it up, however long the steps
// before were; the reference has steps of at most 10 us.
TEST(CompliantContact, shorter_than_a_step_is_not_skipped) {
    for (const char* law :
         {"law = \"hertz\", stiffness = 1e7", "law = \"kelvin_voigt\", stiffness = 2e5"}) {
        const PlacedMechanism placed = test::placed_of(R"(format = 1
body.rotor = { angle = -1, mass = 1, inertia = 1e-3 }
body.f = { position = [0, 0.0648], mass = 0.5, inertia = 1e-3 }
joint.O = { type = "revolute", a = "ground", b = "rotor" }
joint.G = { type = "prismatic", a = "ground", b = "f", axis = "90 deg" }
driver.m = { joint = "O", type = "speed", speed = 200 }
profile.pin = { body = "rotor", elements = [{ type = "circle", centre = [0.05, 0], radius = 0.005 }] }
profile.r = { body = "f", elements = [{ type = "circle", radius = 0.01 }] }
contact.C = { a = "pin", b = "r", )" + std::string(law) +
                                                       " }\n");
        double lost[2], speed[2];
        for (const int k : {0, 1}) {
            DynamicOptions options;
            options.end = options.step = 0.02;
            if (k == 1) options.largest_step = 1e-5;
            const DynamicResult r = run_dynamics(placed, options);
            ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
            for (const Event& e : r.events)
                if (e.kind == EventKind::contact_lost) lost[k] = e.t;
            speed[k] = test::value(r.trajectory, r.trajectory.rows() - 1, "f.vy");
        }
        EXPECT_GT(speed[1], 1e-3) << law;
        EXPECT_NEAR(speed[0], speed[1], 1e-6 * speed[1]) << law;
        EXPECT_NEAR(lost[0], lost[1], 1e-9) << law;
    }
}

// A box falls into a hollow circle: one corner is pressed in, and then the other, while the side
// between them is tilted to the outside of its cone.
TEST(CompliantContact, box_in_a_hollow_is_held_at_both_corners) {
    const DynamicResult r = run(test::placed_of(R"(format = 1
body.b = { position = [0, 0.3], angle = -0.1, velocity = [0.27, -2.5], omega = 3, mass = 1.3, inertia = 0.004 }
profile.p = { body = "b", elements = [{ type = "line", from = [-0.06, -0.08], to = [0.06, -0.08] }, { type = "line", to = [0.06, 0.08] }, { type = "line", to = [-0.06, 0.08] }, { type = "line", to = [-0.06, -0.08] }] }
profile.g = { body = "ground", elements = [{ type = "circle", centre = [0, 1], radius = 1, hollow = true }] }
contact.C = { a = "g", b = "p", law = "kelvin_voigt", stiffness = 30000, damping = 20 }
force.weight = { type = "gravity" }
)"),
                                0.2, 0.01);
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    for (const AuditCheck& check : r.audit.checks) EXPECT_TRUE(check.passed()) << check.name;
    const auto formed = std::count_if(r.events.begin(), r.events.end(), [](const Event& e) {
        return e.kind == EventKind::contact_formed;
    });
    EXPECT_EQ(formed, 2);
    EXPECT_GT(test::value(r.trajectory, r.trajectory.rows() - 1, "b.vy"), 0);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
