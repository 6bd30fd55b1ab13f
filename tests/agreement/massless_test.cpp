// Bodies without mass that joints and drivers hold: against a rod that is no body, against closed
// forms, and as the limit of small masses.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::placed_of;
using test::value;

constexpr const char* formulations[] = {"multipliers", "augmented", "augmented_canonical",
                                        "independent", "canonical"};

DynamicResult run(const std::string& text, CoordinateKind coordinates, const std::string& dynamics,
                  double end = 1) {
    DynamicOptions options;
    options.end = end;
    options.step = 0.05;
    options.coordinates = coordinates;
    options.dynamics = named<Formulation>(dynamics).value();
    options.rtol = options.atol = 1e-11;
    return run_dynamics(placed_of(text), options);
}

void expect_sound(const DynamicResult& r) {
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    for (const AuditCheck& check : r.audit.checks)
        EXPECT_TRUE(check.passed()) << check.name << ' ' << check.value() << " > " << check.limit;
}

// A four-bar: ground 0.5 m, crank 0.2 m, coupler 0.5 m, rocker 0.4 m. The coupler is the text.
std::string fourbar(const std::string& coupler) {
    return R"(format = 1
[body.ground]
points = { D = [0.5, 0] }
[body.crank]
angle = "60 deg"
omega = 3
mass = 1.5
inertia = 0.02
centre = [0.1, 0.02]
points = { A = [0.2, 0] }
[body.rocker]
angle = "83.3345730222 deg"
mass = 0.7
inertia = 0.01
centre = [0.2, -0.01]
points = { C = [0.4, 0] }
[joint.O]
type = "revolute"
a = "ground"
b = "crank"
[joint.D]
type = "revolute"
a = "ground.D"
b = "rocker"
[force.weight]
type = "gravity"
[force.spring]
type = "spring"
a = "crank.A"
b = "ground.D"
stiffness = 20
free_length = 0.3
)" + coupler;
}

const std::string rod = R"([joint.AC]
type = "rod"
a = "crank.A"
b = "rocker.C"
length = 0.5
)";

std::string link(const std::string& mass, const std::string& centre = "[0, 0]") {
    return "[body.coupler]\nangle = \"26.8 deg\"\nposition = [0.1, 0.173205]\nmass = " + mass +
           "\ncentre = " + centre + R"(
points = { C = [0.5, 0] }
[joint.A]
type = "revolute"
a = "crank.A"
b = "coupler"
[joint.C]
type = "revolute"
a = "coupler.C"
b = "rocker.C"
)";
}

TEST(Massless, coupler_of_a_fourbar_moves_as_a_rod_that_is_no_body) {
    const DynamicResult expected = run(fourbar(rod), CoordinateKind::absolute, "multipliers");
    expect_sound(expected);
    for (const CoordinateKind coordinates : test::both_coordinates)
        for (const char* dynamics : formulations) {
            SCOPED_TRACE(std::string(test::name_of(coordinates)) + ' ' + dynamics);
            const DynamicResult r = run(fourbar(link("0")), coordinates, dynamics);
            expect_sound(r);
            ASSERT_EQ(r.trajectory.rows(), expected.trajectory.rows());
            for (std::size_t i = 0; i < r.trajectory.rows(); ++i) {
                const auto of = [&](const char* column) { return value(r.trajectory, i, column); };
                for (const char* column : {"crank.angle", "rocker.angle", "rocker.omega"})
                    // What both integrations allow themselves in one second.
                    EXPECT_NEAR(of(column), value(expected.trajectory, i, column), 1e-8) << column;
                // A member with two forces: along its line, equal, and the rod's.
                const double angle = of("coupler.angle");
                const double along = of("A.fx") * std::cos(angle) + of("A.fy") * std::sin(angle);
                const double across = of("A.fy") * std::cos(angle) - of("A.fx") * std::sin(angle);
                EXPECT_NEAR(across, 0, 1e-9);
                EXPECT_NEAR(of("A.fx"), of("C.fx"), 1e-9);
                EXPECT_NEAR(std::abs(along),
                            std::hypot(value(expected.trajectory, i, "AC.fx"),
                                       value(expected.trajectory, i, "AC.fy")),
                            1e-6);
            }
        }
}

TEST(Massless, is_the_limit_of_small_masses) {
    const DynamicResult none = run(fourbar(link("0")), CoordinateKind::relative, "multipliers");
    double before = 0;
    for (const char* mass : {"1e-3", "1e-4", "1e-5"}) {
        const DynamicResult r =
            run(fourbar(link(mass, "[0.25, 0]")), CoordinateKind::relative, "multipliers");
        double largest = 0;
        for (std::size_t i = 0; i < r.trajectory.rows(); ++i)
            largest = std::max(largest, std::abs(value(r.trajectory, i, "crank.angle") -
                                                 value(none.trajectory, i, "crank.angle")));
        if (before > 0) {
            EXPECT_NEAR(largest / before, 0.1, 0.01) << mass;  // linear in the mass
        }
        before = largest;
    }
    EXPECT_LT(before, 1e-4);
}

// Crank r, coupler l without mass, slider m; the crank turns at w and a force F pushes the slider.
//   x = r cos a + l cos b,  sin b = -(r/l) sin a;   the coupler carries S = (m x'' + F)/cos b.
std::string slider_crank(const std::string& crank_mass) {
    return R"(format = 1
[body.crank]
mass = )" + crank_mass +
           R"(
angle = "50 deg"
points = { A = [0.1, 0] }
[body.coupler]
mass = 0
position = [0.064, 0.0766]
angle = "-15 deg"
points = { B = [0.3, 0] }
[body.slider]
mass = 2
position = [0.354, 0]
[joint.O]
type = "revolute"
a = "ground"
b = "crank"
[joint.A]
type = "revolute"
a = "crank.A"
b = "coupler"
[joint.B]
type = "revolute"
a = "coupler.B"
b = "slider"
[joint.guide]
type = "prismatic"
a = "ground"
b = "slider"
[driver.motor]
joint = "O"
type = "speed"
speed = 12
start = "50 deg"
[force.load]
type = "force"
point = "slider"
x = -30
)";
}

void expect_closed_form(const Trajectory& rows) {
    constexpr double r = 0.1, l = 0.3, w = 12, m = 2, load = -30;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        const double a = 50 * std::numbers::pi / 180 + w * value(rows, i, "t");
        const double s = -r / l * std::sin(a), c = std::sqrt(1 - s * s), b = std::asin(s);
        const double rate = -r / l * w * std::cos(a) / c;  // of b
        const double turn = (r / l * w * w * std::sin(a) + rate * rate * s) / c;
        const double x_rate2 = -r * w * w * std::cos(a) - l * (turn * s + rate * rate * c);
        const double pull = (m * x_rate2 - load) / c;  // of the coupler on the slider, along it
        EXPECT_NEAR(value(rows, i, "coupler.angle"), b, 1e-9);
        EXPECT_NEAR(value(rows, i, "B.fx"), pull * c, 1e-7);
        EXPECT_NEAR(value(rows, i, "B.fy"), pull * s, 1e-7);
        EXPECT_NEAR(value(rows, i, "A.fx"), pull * c, 1e-7);
        EXPECT_NEAR(value(rows, i, "guide.fy"), -pull * s, 1e-7);
        EXPECT_NEAR(value(rows, i, "motor.force"), pull * r * std::sin(b - a), 1e-7);
    }
}

TEST(Massless, coupler_of_a_slider_crank_is_a_member_with_two_forces) {
    for (const char* crank :
         {"1", "0"})  // the crank turns evenly: its own inertia asks for nothing
        for (const CoordinateKind coordinates : test::both_coordinates) {
            for (const char* dynamics : formulations) {
                SCOPED_TRACE(std::string(test::name_of(coordinates)) + ' ' + dynamics + ' ' +
                             crank);
                const DynamicResult r = run(slider_crank(crank), coordinates, dynamics);
                expect_sound(r);
                expect_closed_form(r.trajectory);
            }
            KinematicOptions options;
            options.end = 1;
            options.step = 0.05;
            options.coordinates = coordinates;
            options.reactions = true;
            const KinematicResult r = run_kinematics(placed_of(slider_crank(crank)), options);
            EXPECT_EQ(r.status, KinematicStatus::completed);
            expect_closed_form(r.trajectory);
        }
}

// The crank is struck: velocities and impulses are those with a rod that is no body.
TEST(Massless, impulses_pass_through_the_coupler) {
    const std::string blow = R"([force.blow]
type = "impulse"
point = "crank.A"
x = 0.3
y = -0.2
at = 0.1
)";
    const DynamicResult expected =
        run(fourbar(rod) + blow, CoordinateKind::relative, "multipliers", 0.3);
    for (const CoordinateKind coordinates : test::both_coordinates) {
        const DynamicResult r = run(fourbar(link("0")) + blow, coordinates, "multipliers", 0.3);
        expect_sound(r);
        const std::size_t last = r.trajectory.rows() - 1;
        EXPECT_NEAR(value(r.trajectory, last, "crank.omega"),
                    value(expected.trajectory, expected.trajectory.rows() - 1, "crank.omega"),
                    1e-8);
        ASSERT_EQ(r.events.size(), expected.events.size());
        EXPECT_NEAR(r.events[0].energy_change, expected.events[0].energy_change, 1e-10);
    }
}

TEST(Massless, body_that_nothing_holds_is_refused_by_its_name) {
    for (const CoordinateKind coordinates : test::both_coordinates) {
        const DynamicResult r = run(fourbar(rod) + R"([body.tail]
mass = 0
position = [0.1, 0.173205]
[joint.T]
type = "revolute"
a = "crank.A"
b = "tail"
)",
                                    coordinates, "multipliers");
        EXPECT_EQ(r.status, DynamicStatus::massless);
        EXPECT_NE(r.message.find("body 'tail'"), std::string::npos) << r.message;
    }
}

TEST(Massless, time_stepping_refuses_it_by_its_name) {
    DynamicOptions options;
    options.end = 0.1;
    options.integrator = Integrator::moreau;
    const DynamicResult r = run_dynamics(placed_of(fourbar(link("0"))), options);
    EXPECT_EQ(r.status, DynamicStatus::massless);
    EXPECT_NE(r.message.find("body 'coupler'"), std::string::npos) << r.message;
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
