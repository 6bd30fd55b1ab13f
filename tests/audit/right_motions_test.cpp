// What is right passes the audit, whatever integrates it; what is not does not.
#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace {

std::string failed_checks(const DynamicResult& r) {
    std::string names = r.message;
    for (const AuditCheck& check : r.audit.checks)
        if (!check.passed()) names += " " + check.name;
    return names;
}

// No force acts on it, and none is needed: rounding is not judged against rounding.
TEST(Audit, force_free_body_with_an_offset_centre_passes) {
    const PlacedMechanism placed = test::placed_of(R"(format = 1
[body.rod]
angle = "2.2689280275926285 rad"
velocity = [1.5, 0.6]
omega = 2
mass = 1
centre = [0.5, 0]
inertia = 0.083333333333333329
)");
    DynamicOptions options;
    options.end = 0.1;
    EXPECT_EQ(failed_checks(run_dynamics(placed, options)), "");
}

// A ball held by two springs that pull alike.
TEST(Audit, forces_that_cancel_pass) {
    const PlacedMechanism placed = test::placed_of(R"(format = 1
[body.ball]
position = [0.1, 0.7]
mass = 1.3
inertia = 0.1
centre = [0.013, 0.007]
[body.ground]
points = { left = [-0.9, 0.7], right = [1.1, 0.7] }
[force.left]
type = "spring"
a = "ground.left"
b = "ball"
stiffness = 100
free_length = 0.3
[force.right]
type = "spring"
a = "ground.right"
b = "ball"
stiffness = 100
free_length = 0.3
)");
    DynamicOptions options;
    options.end = 0.5;
    EXPECT_EQ(failed_checks(run_dynamics(placed, options)), "");
}

// Rows between the ends of its steps were wrong by a thousand times the tolerance.
TEST(Audit, stiff_integrator_passes) {
    for (const char* model : {"turning_tube", "newtons_cradle", "two_pendulums"}) {
        const ModelData m = test::model_of(test::embedded_text(model));
        const PlacedMechanism placed = assemble(m.mechanism);
        DynamicOptions options;
        options.end = std::min(1.0, m.run.end);
        options.step = m.run.step;
        options.integrator = Integrator::stiff;
        EXPECT_EQ(failed_checks(run_dynamics(placed, options)), "") << model;
    }
}

const char* pendulum = R"(format = 1
[body.bar]
angle = "20 deg"
mass = 1
inertia = 0.02
centre = [0.3, 0]
[joint.O]
type = "revolute"
a = "ground"
b = "bar"
[force.weight]
type = "gravity"
[force.air]
type = "joint_spring"
joint = "O"
damping = 0.01
)";

// A fixed step has the error it has: the audit asks for the energy that its own steps explain, and
// for no motion that is wrong by more than a thousandth.
TEST(Audit, coarse_fixed_steps_pass_until_they_are_wrong) {
    const PlacedMechanism placed = test::placed_of(pendulum);
    DynamicOptions options;
    options.end = 2;
    options.integrator = Integrator::rk4;
    for (const double step : {0.001, 0.01, 0.02}) {
        options.step = step;
        EXPECT_EQ(failed_checks(run_dynamics(placed, options)), "") << step;
    }
    options.step = 0.25;
    EXPECT_NE(failed_checks(run_dynamics(placed, options)), "");
}

}  // namespace
}  // namespace pawl
