// Two sets of coordinates times every formulation: one motion, one set of reactions.
#include <cmath>

#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::embedded_text;
using test::placed_of;

constexpr const char* formulations[] = {"multipliers", "augmented", "augmented_canonical",
                                        "independent", "canonical"};
constexpr const char* coordinate_names[] = {"relative", "absolute"};

DynamicResult run(const PlacedMechanism& placed, const std::string& coordinates,
                  const std::string& dynamics, double tolerance) {
    DynamicOptions options;
    options.end = 2;
    options.step = 0.07;
    options.coordinates =
        coordinates == "absolute" ? CoordinateKind::absolute : CoordinateKind::relative;
    options.dynamics = named<Formulation>(dynamics).value();
    options.rtol = options.atol = tolerance;
    return run_dynamics(placed, options);
}

// A crank with a spring and gravity, closed to a four-bar of unequal links; starts with speed.
const std::string dynamic_fourbar = test::fourbar("") + R"(
[force.weight]
type = "gravity"
[force.spring]
type = "spring"
a = "crank.A"
b = "ground.D"
stiffness = 20
damping = 0.1
free_length = 0.3
)";

std::string with_masses(std::string text, const char* bodies[], int count) {
    for (int i = 0; i < count; ++i) {
        const std::string head = std::string("[body.") + bodies[i] + "]\n";
        const auto at = text.find(head);
        text.insert(at + head.size(), "mass = 1.5\ninertia = 0.02\ncentre = [0.1, 0.02]\n");
    }
    return text;
}

std::string model(const std::string& name) {
    static const char* fourbar_bodies[] = {"crank", "coupler", "rocker"};
    if (name == "open chain") return std::string(embedded_text("double_pendulum"));
    if (name == "two loops") return std::string(embedded_text("attia_chain"));
    if (name == "motor and slider") return std::string(embedded_text("rrtr"));
    if (name == "four-bar") return with_masses(dynamic_fourbar, fourbar_bodies, 3);
    if (name == "driven slider-crank") return std::string(embedded_text("slider_crank_driven"));
    if (name == "redundant")
        // A parallelogram with a third, redundant crank; it swings without passing its change
        // points.
        return R"(format = 1
[body.a]
angle = "80 deg"
omega = 1
mass = 1
inertia = 0.1
centre = [0.5, 0]
points = { T = [1, 0] }
[body.b]
angle = "80 deg"
mass = 1
inertia = 0.1
centre = [0.5, 0]
points = { T = [1, 0] }
[body.c]
angle = "80 deg"
mass = 1
inertia = 0.1
centre = [0.5, 0]
points = { T = [1, 0] }
[body.bar]
mass = 2
inertia = 0.3
centre = [1, 0.1]
points = { B = [1, 0], C = [2, 0] }
[body.ground]
points = { A = [0, 0], B = [1, 0], C = [2, 0] }
[joint.A]
type = "revolute"
a = "ground.A"
b = "a"
[joint.B]
type = "revolute"
a = "ground.B"
b = "b"
[joint.C]
type = "revolute"
a = "ground.C"
b = "c"
[joint.TA]
type = "revolute"
a = "a.T"
b = "bar"
[joint.TB]
type = "revolute"
a = "b.T"
b = "bar.B"
[joint.TC]
type = "revolute"
a = "c.T"
b = "bar.C"
[force.pull]
type = "joint_spring"
joint = "A"
stiffness = 60
free_value = "90 deg"
)";
    // Two gears on ground, one with an eccentric mass, the other on a torsional spring.
    return R"(format = 1
[body.pinion]
position = [0, 0]
mass = 1
inertia = 0.02
centre = [0.05, 0]
[body.wheel]
position = [0.3, 0]
mass = 3
inertia = 0.1
[body.ground]
points = { A = [0, 0], B = [0.3, 0] }
[joint.A]
type = "revolute"
a = "ground.A"
b = "pinion"
[joint.B]
type = "revolute"
a = "ground.B"
b = "wheel"
[joint.mesh]
type = "gear"
a = "pinion"
b = "wheel"
radius_a = 0.1
radius_b = 0.2
[force.weight]
type = "gravity"
[force.spring]
type = "joint_spring"
joint = "B"
stiffness = 2
free_value = "20 deg"
)";
}

class DynamicsAgreement : public testing::TestWithParam<const char*> {};

TEST_P(DynamicsAgreement, motion_and_reactions_do_not_depend_on_coordinates_or_formulation) {
    const PlacedMechanism placed = placed_of(model(GetParam()));
    const DynamicResult reference = run(placed, "relative", "multipliers", 1e-12);
    ASSERT_EQ(reference.status, DynamicStatus::completed) << reference.message;
    const auto& columns = reference.trajectory.columns;
    // Scales: the largest size of a kind of column over the run (positions, forces, ... by their
    // unit).
    std::map<std::string, double> scale;
    for (std::size_t r = 0; r < reference.trajectory.rows(); ++r)
        for (std::size_t c = 0; c < columns.size(); ++c)
            scale[columns[c].unit] =
                std::max(scale[columns[c].unit], std::abs(reference.trajectory.row(r)[c]));
    for (const char* coordinates : coordinate_names)
        for (const char* dynamics : formulations) {
            const DynamicResult result = run(placed, coordinates, dynamics, 1e-11);
            ASSERT_EQ(result.status, DynamicStatus::completed)
                << coordinates << " " << dynamics << ": " << result.message;
            EXPECT_TRUE(result.audit.passed()) << coordinates << " " << dynamics;
            ASSERT_EQ(result.trajectory.rows(), reference.trajectory.rows());
            double motion = 0, force = 0;
            for (std::size_t r = 0; r < reference.trajectory.rows(); ++r)
                for (std::size_t c = 0; c < columns.size(); ++c) {
                    if (columns[c].name == "energy.residual" ||
                        columns[c].name.ends_with(".offset"))
                        continue;
                    const double difference =
                        std::abs(result.trajectory.row(r)[c] - reference.trajectory.row(r)[c]) /
                        (1e-3 + scale[columns[c].unit]);
                    const bool is_force = columns[c].unit == "N" || columns[c].unit == "N m" ||
                                          columns[c].unit.find("/s^2") != std::string::npos;
                    (is_force ? force : motion) = std::max(is_force ? force : motion, difference);
                }
            // Local errors of 1e-11 over some hundred steps; reactions follow from accelerations.
            EXPECT_LT(motion, 1e-8) << coordinates << " " << dynamics;
            EXPECT_LT(force, 1e-6) << coordinates << " " << dynamics;
        }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, DynamicsAgreement,
                         testing::Values("open chain", "four-bar", "two loops", "motor and slider",
                                         "driven slider-crank", "redundant", "gears"),
                         [](const auto& info) {
                             std::string name = info.param;
                             for (char& c : name)
                                 if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                             return name;
                         });

// Ten thousand sizes from the origin: positions are rounded to 2e-12 of the size there, and the run
// is judged by what can be reached.
TEST(FarFromTheOrigin, four_bar_and_pendulum_move_as_at_home) {
    const auto moved_away = [](std::string text, std::string_view from, std::string_view to) {
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    const std::string fourbar = model("four-bar"), pendulum(embedded_text("pendulum"));
    const std::pair<std::string, std::string> models[] = {
        {fourbar,
         moved_away(fourbar, "O = [0, 0], D = [\"g\", 0]", "O = [5e3, -5e3], D = [5000.5, -5e3]")},
        {pendulum, moved_away(pendulum, "[body.rod]",
                              "[body.ground]\npoints = { A = [8e3, -6e3] }\n[body.rod]\n")}};
    for (auto [home, away] : models) {
        if (home == pendulum) away = moved_away(away, "\"ground\"", "\"ground.A\"");
        const std::string omega = home == pendulum ? "rod.omega" : "crank.omega";
        for (const char* coordinates : coordinate_names) {
            const DynamicResult near = run(placed_of(home), coordinates, "multipliers", 1e-9),
                                far = run(placed_of(away), coordinates, "multipliers", 1e-9);
            ASSERT_EQ(far.status, DynamicStatus::completed) << far.message;
            EXPECT_TRUE(far.audit.passed()) << coordinates;
            ASSERT_EQ(far.trajectory.rows(), near.trajectory.rows());
            double difference = 0;
            for (std::size_t r = 0; r < near.trajectory.rows(); ++r)
                difference = std::max(difference, std::abs(test::value(far.trajectory, r, omega) -
                                                           test::value(near.trajectory, r, omega)));
            // Local errors of 1e-9 over a hundred steps, of speeds of a few rad/s.
            EXPECT_LT(difference, 1e-6) << coordinates;
        }
    }
}

TEST(LongRuns, keep_their_energy_at_default_tolerances) {
    for (const char* name : {"double_pendulum", "ladder1"}) {
        const PlacedMechanism placed = placed_of(embedded_text(name));
        DynamicOptions options;
        options.end = 1000;
        options.step = 1;
        options.reactions = false;
        const DynamicResult result = run_dynamics(placed, options);
        ASSERT_EQ(result.status, DynamicStatus::completed) << name << ": " << result.message;
        const int residual = result.trajectory.find("energy.residual"),
                  kinetic = result.trajectory.find("energy.kinetic");
        double worst = 0, low = INFINITY, high = 0;
        for (std::size_t r = 0; r < result.trajectory.rows(); ++r) {
            worst = std::max(worst, std::abs(result.trajectory.row(r)[residual]));
            low = std::min(low, result.trajectory.row(r)[kinetic]);
            high = std::max(high, result.trajectory.row(r)[kinetic]);
        }
        EXPECT_LT(worst, 1e-6 * (high - low)) << name;
        for (const AuditCheck& check : result.audit.checks)
            if (check.name == "constraint residual") {
                EXPECT_TRUE(check.passed()) << name;
            }
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
