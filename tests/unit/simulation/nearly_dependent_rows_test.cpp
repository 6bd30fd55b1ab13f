// Rows that nearly depend on each other: light parts between heavy ones, always; linkages that fold
// flat, in passing. And a body without any force, whose balance is rounding.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

DynamicResult run(const std::string& text, double end, double step, const std::string& dynamics,
                  CoordinateKind coordinates, double rtol = 1e-9) {
    DynamicOptions options;
    options.end = end;
    options.step = step;
    options.dynamics = named<Formulation>(dynamics).value();
    options.coordinates = coordinates;
    options.rtol = options.atol = rtol;
    DynamicResult r = run_dynamics(test::placed_of(text), options);
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    for (const AuditCheck& check : r.audit.checks)
        EXPECT_TRUE(check.passed()) << dynamics << ": " << check.name << " " << check.worst.value;
    return r;
}

// A light lever is pressed on a heavy wheel at rest: N = 100 N 0.8 m / 0.3 m, and nothing moves.
// Where the lever is very light, what its rows miss is large beside accelerations that are zero.
TEST(LightParts, lever_that_sticks_on_a_wheel_presses_without_friction) {
    for (const char* dynamics : {"multipliers", "augmented", "augmented_canonical"})
        for (const CoordinateKind kind : test::both_coordinates)
            for (const double inertia : {1e-6, 1e-9, 1e-11}) {
                const auto r = run(fmt::format(R"(format = 1
body.wheel = {{ mass = 25, inertia = 0.5 }}
body.lever = {{ position = [-0.3, 0.1], mass = 1e-6, inertia = {}, points = {{ E = [0.8, 0] }} }}
joint.axle = {{ type = "revolute", a = "ground", b = "wheel" }}
joint.O = {{ type = "revolute", bodies = ["ground", "lever"], at = [-0.3, 0.1] }}
profile.wheel = {{ body = "wheel", elements = [{{ type = "circle", radius = 0.2 }}] }}
profile.shoe = {{ body = "lever", elements = [{{ type = "line", from = [0.25, 0.1], to = [0.35, 0.1] }}] }}
contact.C = {{ a = "wheel", b = "shoe", friction = {{ kinetic = 0.4 }} }}
force.hand = {{ type = "force", point = "lever.E", y = -100 }}
)",
                                               inertia),
                                   0.1, 0.01, dynamics, kind);
                const std::size_t last = r.trajectory.rows() - 1;
                EXPECT_NEAR(test::value(r.trajectory, last, "C#1.normal"), 80 / 0.3,
                            1e-6 * 80 / 0.3);
                EXPECT_NEAR(test::value(r.trajectory, last, "C#1.friction"), 0, 1e-6 * 80 / 0.3);
                EXPECT_NEAR(test::value(r.trajectory, last, "wheel.alpha"), 0, 1e-6);
            }
}

// By hand F/(m1 + m2 + I/0.01 m^2) at the level position; the slides move against each other.
TEST(LightParts, rocker_between_heavy_slides_moves_them_against_each_other) {
    for (const double inertia : {1e-5, 1e-7, 1e-8})
        for (const CoordinateKind kind : test::both_coordinates) {
            const auto r = run(fmt::format(R"(format = 1
body.rocker = {{ mass = 1e-3, inertia = {}, points = {{ P = [0.1, 0], Q = [-0.1, 0] }} }}
body.one = {{ position = [0.1, 0], mass = 1, inertia = 1 }}
body.two = {{ position = [-0.1, 0], mass = 1, inertia = 1 }}
joint.O = {{ type = "revolute", a = "ground", b = "rocker" }}
joint.g1 = {{ type = "prismatic", bodies = ["ground", "one"], at = [0.1, 0], axis = "90 deg" }}
joint.g2 = {{ type = "prismatic", bodies = ["ground", "two"], at = [-0.1, 0], axis = "90 deg" }}
joint.s1 = {{ type = "slot", a = "one", b = "rocker.P", axis = 0 }}
joint.s2 = {{ type = "slot", a = "two", b = "rocker.Q", axis = 0 }}
force.pull = {{ type = "joint_force", joint = "g1", value = "10" }}
)",
                                           inertia),
                               0.1, 0.01, "multipliers", kind);
            const double expected = 10 / (2 + inertia / 0.01);
            EXPECT_NEAR(test::value(r.trajectory, 0, "one.ay"), expected, 1e-6 * expected);
            EXPECT_NEAR(test::value(r.trajectory, 0, "two.ay"), -expected, 1e-6 * expected);
        }
}

// A rocker of 1e-8 of the slides' mass: the balance of forces and the rows hold in every
// formulation (the audit judges both), although the rows of the slides' angles are nothing but
// rounding.
TEST(LightParts, rocker_of_hardly_any_mass_keeps_its_rows_in_every_formulation) {
    for (const char* dynamics : {"multipliers", "augmented", "augmented_canonical", "independent"})
        for (const CoordinateKind kind : test::both_coordinates)
            run(R"(format = 1
body.rocker = { mass = 1.45e-8, inertia = 5.5e-11, points = { P = [0.0865, 0], Q = [-0.171, 0] } }
body.one = { position = [0.0865, 0], mass = 2.12, inertia = 1 }
body.two = { position = [-0.171, 0], mass = 0.5, inertia = 1 }
joint.O = { type = "revolute", a = "ground", b = "rocker" }
joint.g1 = { type = "prismatic", bodies = ["ground", "one"], at = [0.0865, 0], axis = "90 deg" }
joint.g2 = { type = "prismatic", bodies = ["ground", "two"], at = [-0.171, 0], axis = "90 deg" }
joint.s1 = { type = "slot", a = "one", b = "rocker.P", axis = 0 }
joint.s2 = { type = "slot", a = "two", b = "rocker.Q", axis = 0 }
force.pull = { type = "joint_force", joint = "g1", value = "35" }
)",
                0.1, 0.01, dynamics, kind, 1e-8);
}

// Relative coordinates do not see the rod's mass alone; in absolute ones its rows nearly depend.
TEST(LightParts, rod_in_absolute_coordinates_moves_as_in_relative_ones) {
    for (const double mass : {1e-2, 1e-4, 1e-6}) {
        const std::string text = fmt::format(R"(format = 1
body.crank = {{ angle = "40 deg", omega = 10, points = {{ B = [0.05, 0] }}, mass = 5, inertia = 0.05 }}
body.rod = {{ angle = "-10 deg", points = {{ A = [0.15, 0] }}, mass = {}, inertia = {}, centre = [0.075, 0] }}
body.slider = {{ position = [0.19, 0], mass = 2, inertia = 1e-3 }}
joint.O = {{ type = "revolute", a = "ground", b = "crank" }}
joint.B = {{ type = "revolute", a = "crank.B", b = "rod" }}
joint.A = {{ type = "revolute", a = "rod.A", b = "slider" }}
joint.guide = {{ type = "prismatic", a = "ground", b = "slider" }}
force.load = {{ type = "joint_force", joint = "guide", value = "-5" }}
)",
                                             mass, mass * 1e-3);
        const auto relative = run(text, 1, 0.01, "multipliers", CoordinateKind::relative),
                   absolute = run(text, 1, 0.01, "multipliers", CoordinateKind::absolute);
        const std::size_t last = relative.trajectory.rows() - 1;
        const auto differ = [&](const char* column) {
            return std::abs(test::value(relative.trajectory, last, column) -
                            test::value(absolute.trajectory, last, column));
        };
        EXPECT_LT(differ("crank.angle"), 1e-7) << mass;
        // Of some 100 N.
        EXPECT_LT(differ("A.fx"), 1e-4) << mass;
    }
}

// A parallelogram that turns over: the times of its ten singular positions follow from the equation
// of one crank, (2/3 + 1) phi'' = -g 2 cos phi, whatever the tolerance and the formulation.
TEST(SingularPositions, are_all_reported_at_any_tolerance_in_every_formulation) {
    const std::string text = R"(format = 1
body.ground = { points = { D = [1, 0] } }
body.crank = { angle = "90 deg", omega = -1, points = { B = [1, 0] }, mass = 1, centre = [0.5, 0], inertia = "1 kg m^2/12" }
body.coupler = { position = [0, 1], velocity = [1, 0], points = { B = [1, 0] }, mass = 1, centre = [0.5, 0], inertia = "1 kg m^2/12" }
body.rocker = { position = [1, 0], angle = "90 deg", omega = -1, points = { B = [1, 0] }, mass = 1, centre = [0.5, 0], inertia = "1 kg m^2/12" }
joint.O = { type = "revolute", a = "ground", b = "crank" }
joint.D = { type = "revolute", a = "ground.D", b = "rocker" }
joint.B = { type = "revolute", a = "crank.B", b = "coupler" }
joint.C = { type = "revolute", a = "coupler.B", b = "rocker.B" }
force.weight = { type = "gravity" }
)";
    for (const char* dynamics :
         {"multipliers", "augmented", "independent", "canonical", "augmented_canonical"})
        for (const double rtol : {1e-4, 1e-6, 1e-8}) {
            DynamicOptions options;
            options.end = 10;
            options.dynamics = named<Formulation>(dynamics).value();
            options.rtol = options.atol = rtol;
            const auto r = run_dynamics(test::placed_of(text), options);
            ASSERT_EQ(r.status, DynamicStatus::completed) << dynamics << " " << r.message;
            std::vector<double> times;
            for (const Event& e : r.events)
                if (e.kind == EventKind::bifurcation) times.push_back(e.t);
            ASSERT_EQ(times.size(), 10u) << dynamics << " " << rtol;
            // The first by quadrature; coarse runs are off by their own error.
            EXPECT_NEAR(times.front(), 0.708450008836, rtol < 1e-7 ? 1e-7 : 300 * rtol) << dynamics;
            EXPECT_NEAR(times.back(), 8.9102, rtol < 1e-7 ? 1e-4 : 0.2) << dynamics;
        }
}

// Its centre of mass is beside its origin: the inertia forces cancel to rounding.
TEST(Balance, body_without_forces_passes) {
    run("format = 1\nbody.rod = { angle = 2.2689280275926285, velocity = [1.5, 0.6], omega = 2, "
        "mass = 1, centre = [0.5, 0], inertia = 0.083333333333333329 }\n",
        0.1, 0.01, "multipliers", CoordinateKind::relative);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
