// Alpha, Omega and mu of the augmented Lagrangian, as the user gives them.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "dynamics/formulations/formulations.h"
#include "simulation/run_options.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"
#include "verification/slider_crank_equations.h"

namespace pawl {

// phi'' + 2 Omega mu phi' + Omega^2 phi = 0 for each row, in a position and with velocities that
// violate them.
TEST(AugmentedSettings, violated_rows_are_drawn_back) {
    const double root = std::sqrt(0.5), frequency = 10, damping = 0.7;
    const std::vector<double> q{root + 1e-2, root, 2 * root}, v{-1, 1.1, -2};
    SliderCrankEquations equations;
    AugmentedDynamics dynamics(equations);
    dynamics.set_stabilisation(frequency, damping);
    ASSERT_EQ(dynamics.respond(0, q, v, {}), RateOutcome::solved);
    const RowPattern& p = equations.pattern();
    for (int r = 0; r < p.rows(); ++r) {
        double rate = -equations.nu()[r], acceleration = -equations.gamma()[r];
        for (int i = p.start[r]; i < p.start[r + 1]; ++i) {
            rate += equations.jacobian()[i] * v[static_cast<std::size_t>(p.column[i])];
            acceleration += equations.jacobian()[i] *
                            dynamics.acceleration()[static_cast<std::size_t>(p.column[i])];
        }
        const double wanted =
            -2 * frequency * damping * rate - frequency * frequency * equations.phi()[r];
        EXPECT_GT(std::abs(wanted), 0.1);  // there is something to draw back
        EXPECT_NEAR(acceleration, wanted, 1e-9);
    }
}

// The motion does not depend on them, since each step ends on the constraints.
TEST(AugmentedSettings, motion_is_that_of_the_other_formulations) {
    const std::string model = R"(
format = 1
[body.ground]
points = { D = [0.4, 0] }
[body.crank]
angle = "60 deg"
omega = 3
points = { A = [0.1, 0] }
mass = 0.5
centre = [0.05, 0]
inertia = 0.001
[body.coupler]
angle = "32 deg"
points = { B = [0.4, 0] }
mass = 1
centre = [0.2, 0]
inertia = 0.01
[body.rocker]
angle = "92 deg"
points = { B = [0.3, 0] }
mass = 0.8
centre = [0.15, 0]
inertia = 0.006
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
b = "rocker.B"
[joint.D]
type = "revolute"
a = "ground.D"
b = "rocker"
[force.weight]
type = "gravity"
[run]
analysis = "dynamics"
end = 0.5
)";
    const auto last = [&](const std::string& choice) {
        const ModelData read = test::model_of(model + choice);
        const DynamicResult result =
            run_dynamics(test::placed_of(model + choice), dynamic_options(read.run));
        EXPECT_EQ(result.status, DynamicStatus::completed) << result.message;
        EXPECT_TRUE(result.audit.passed()) << choice;
        return test::value(result.trajectory, result.trajectory.rows() - 1, "crank.angle");
    };
    const double expected = last("");
    EXPECT_NEAR(last("dynamics = \"augmented\"\npenalty = 1e7\n"), expected, 1e-7);
    EXPECT_NEAR(last("dynamics = \"augmented_canonical\"\npenalty = 1e7\n"), expected, 1e-7);
    EXPECT_NEAR(last("dynamics = \"augmented\"\npenalty = 1e7\npenalty_frequency = 10\n"
                     "penalty_damping = 1\n"),
                expected, 1e-7);
}

}  // namespace pawl
