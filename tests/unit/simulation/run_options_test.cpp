#include "simulation/run_options.h"

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

RunSettings settings(const std::string& table) {
    Diagnostics diagnostics;
    const auto model = read_model("format = 1\n[body.b]\nmass = 1\ninertia = 1\n[run]\n" + table,
                                  "m", {}, diagnostics);
    EXPECT_TRUE(model) << diagnostics.text();
    return model ? model->run : RunSettings{};
}

TEST(RunOptions, of_a_dynamic_run_have_every_setting_of_the_model) {
    const DynamicOptions o = dynamic_options(
        settings("analysis = \"dynamics\"\nend = 3\nstep = 0.5\ncoordinates = \"absolute\"\n"
                 "dynamics = \"augmented\"\nintegrator = \"rk4\"\nrtol = 1e-5\natol = 1e-6\n"
                 "largest_step = 0.25\nintegrator_step = 0.125\nimpacts = \"sequential\"\n"));
    EXPECT_EQ(o.end, 3);
    EXPECT_EQ(o.step, 0.5);
    EXPECT_EQ(o.coordinates, CoordinateKind::absolute);
    EXPECT_EQ(o.dynamics, Formulation::augmented);
    EXPECT_EQ(o.integrator, Integrator::rk4);
    EXPECT_EQ(o.rtol, 1e-5);
    EXPECT_EQ(o.atol, 1e-6);
    EXPECT_EQ(o.largest_step, 0.25);
    EXPECT_EQ(o.integrator_step, 0.125);
    EXPECT_TRUE(o.sequential_impacts);
}

TEST(RunOptions, of_a_model_that_says_nothing_are_the_defaults_of_a_run) {
    const DynamicOptions o = dynamic_options(settings("")), none;
    EXPECT_EQ(o.largest_step, none.largest_step);
    EXPECT_EQ(o.integrator_step, none.integrator_step);
    EXPECT_EQ(o.sequential_impacts, none.sequential_impacts);
    EXPECT_EQ(o.rtol, none.rtol);
    EXPECT_EQ(o.atol, none.atol);
}

TEST(RunOptions, of_a_driven_motion_ask_for_reactions_in_inverse_dynamics_alone) {
    const KinematicOptions o = kinematic_options(
        settings("analysis = \"inverse\"\nend = 3\nstep = 0.5\ncoordinates = \"absolute\"\n"));
    EXPECT_EQ(o.end, 3);
    EXPECT_EQ(o.step, 0.5);
    EXPECT_EQ(o.coordinates, CoordinateKind::absolute);
    EXPECT_TRUE(o.reactions);
    EXPECT_FALSE(kinematic_options(settings("analysis = \"kinematics\"\n")).reactions);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
