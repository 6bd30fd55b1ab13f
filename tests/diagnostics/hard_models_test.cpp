// Models that once crashed the program or kept it busy without end, each as small as it gets, run
// by the program itself.
#include <chrono>

#include <gtest/gtest.h>

#include "support/program.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

class HardModels : public test::Program {
protected:
    // The program's outcome; it must not take longer than a user waits.
    test::ProgramOutcome timed(const std::vector<std::string>& arguments) {
        const auto start = std::chrono::steady_clock::now();
        const auto outcome = run(arguments);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        EXPECT_LT(taken.count(), 20) << arguments.front();
        return outcome;
    }
};

TEST_F(HardModels, splines_that_almost_close_are_read) {
    const std::string begin =
        "format = 1\nprofile.p = { body = \"ground\", elements = [{ type = \"spline\", points = ";
    write("closed.toml", begin + "[[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1e-6]] }] }\n");
    write("needle.toml", begin + "[[0.3, 0.1], [0.2, 1e5], [0, 0.2]] }] }\n");
    for (const char* model : {"closed.toml", "needle.toml"}) {
        const auto outcome = timed({"check", model});
        EXPECT_EQ(outcome.code, 0) << model << outcome.err;
    }
}

TEST_F(HardModels, a_polynomial_within_rounding_of_a_turn_is_a_closed_disk) {
    write("disk.toml", R"(
format = 1
body.ball = { position = [0.0, 3], mass = 1, inertia = 1 }
profile.p = { body = "ground", elements = [{ type = "polynomial", from = 0, to = 6.2831853, coefficients = [1], exponents = [0] }] }
profile.b = { body = "ball", elements = [{ type = "circle", radius = 0.1 }] }
contact.C = { a = "p", b = "b" }
force.w = { type = "gravity" }
run = { analysis = "dynamics", end = 1.0 }
)");
    EXPECT_EQ(timed({"check", "disk.toml"}).code, 0);
    const auto outcome = timed({"dynamics", "disk.toml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(text("disk.result/trajectory.csv").find("ball.y"), std::string::npos);
}

TEST_F(HardModels, stiff_runs_a_model_without_degrees_of_freedom) {
    write("empty.toml", "format = 1\n");
    const auto outcome = timed({"dynamics", "empty.toml", "--integrator", "stiff"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
}

// 1e9 rad/s for a second. Its bound is in steps, not in time.
TEST_F(HardModels, a_spring_that_is_far_too_stiff_gives_up_with_its_pace) {
    write("stiff.toml", R"(
format = 1
body.b = { position = [0.1, 0], mass = 1, inertia = 1 }
joint.g = { type = "prismatic", a = "ground", b = "b" }
force.f = { type = "joint_spring", joint = "g", free_value = 0, law = "-1e18*s" }
run = { analysis = "dynamics", end = 1, step = 0.001 }
)");
    const auto outcome = run({"dynamics", "stiff.toml"});
    EXPECT_EQ(outcome.code, 5);
    EXPECT_NE(outcome.err.find("at this pace the run would need some "),
              std::string::npos)
        << outcome.err;
}

TEST_F(HardModels, stiff_ends_on_a_linkage_of_rods) {
    write("rods.toml", test::embedded_text("rod_linkage"));
    const auto outcome = timed({"dynamics", "rods.toml", "--integrator", "stiff"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(HardModels, statics_with_an_infinite_stiffness_says_so) {
    write("far.toml", R"(format = 1
[body.b]
mass = 1
centre = [1e300, 0]
inertia = 1
[joint.r]
type = "revolute"
a = "ground"
b = "b"
[force.w]
type = "gravity"
[force.s]
type = "joint_spring"
joint = "r"
stiffness = 1
)");
    const auto outcome = timed({"statics", "--modes", "far.toml"});
    EXPECT_EQ(outcome.code, 5) << outcome.out;
    EXPECT_EQ(outcome.err.find("far.toml:6:1: error: no equilibrium found at t = 0 s"), 0U)
        << outcome.err;
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
