// Bodies that turn too fast for their contacts to be watched to the end of a run.
#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A bar that is driven beside a disk which it does not meet, for 10 s.
std::string bar_at(const std::string& speed) {
    return R"(format = 1
body.bar = { mass = 1, inertia = 0.01 }
body.disk = { position = [2, 0], mass = 1, inertia = 0.1 }
joint.O = { type = "revolute", a = "ground", b = "bar" }
joint.P = { type = "revolute", bodies = ["ground", "disk"], at = [2, 0] }
profile.bar = { body = "bar", elements = [{ type = "line", from = [-0.5, -0.1], to = [0.5, -0.1] }, { type = "line", to = [0.5, 0.1] }, { type = "line", to = [-0.5, 0.1] }, { type = "line", to = [-0.5, -0.1] }] }
profile.disk = { body = "disk", elements = [{ type = "circle", radius = 0.5 }] }
contact.C = { a = "bar", b = "disk" }
driver.m = { joint = "O", type = "speed", speed = ")" +
           speed + "\" }\n";
}

TEST(FastTurns, of_more_steps_than_a_run_can_have_end_it_with_the_reason) {
    DynamicOptions options;
    options.end = 10;
    options.step = 1;
    const DynamicResult r = run_dynamics(test::placed_of(bar_at("1e10 rad/s")), options);
    EXPECT_EQ(r.status, DynamicStatus::step_too_small);
    EXPECT_NE(r.message.find("turn or move too fast"), std::string::npos) << r.message;
    EXPECT_LT(r.statistics.steps, 10000);
}

TEST(FastTurns, that_a_run_can_follow_are_followed) {
    DynamicOptions options;
    options.end = 10;
    options.step = 1;
    const DynamicResult r = run_dynamics(test::placed_of(bar_at("1e4 rad/s")), options);
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_EQ(r.last.state.t, 10);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
