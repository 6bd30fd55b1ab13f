// A box lands flat while it slides, with Stronge's law at both corners: the mirror image does the
// mirror image of it.
#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

double speed_after(double speed, double e, const char* law) {
    const DynamicResult r = [&] {
        DynamicOptions options;
        options.end = 0.26;
        return run_dynamics(
            test::placed_of(
                "format = 1\nbody.box = { position = [0, 0.3], velocity = [" +
                std::to_string(speed) +
                ", 0], mass = 1, inertia = 0.02, centre = [0, 0.2] }\nprofile.floor = { body = "
                "\"ground\", elements = [{ type = \"line\", from = [3, 0], to = [-3, 0] }] }\n"
                "profile.box = { body = \"box\", elements = [{ type = \"line\", from = [-0.15, 0], "
                "to = [0.15, 0] }, { type = \"line\", to = [0.15, 0.4] }, { type = \"line\", to = "
                "[-0.15, 0.4] }, { type = \"line\", to = [-0.15, 0] }] }\ncontact.C = { a = "
                "\"floor\", b = \"box\", friction = { kinetic = 0.1 }, impact = \"" +
                std::string(law) + "\", restitution = " + std::to_string(e) +
                " }\nforce.w = { type = \"gravity\" }\n"),
            options);
    }();
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_TRUE(r.audit.passed());
    return test::value(r.trajectory, r.trajectory.rows() - 1, "box.vx");
}

// Without restitution it slides all the time: 1 m/s - mu (v_y + g (t - t1)). With e = 0.5 the value
// of Stronge's law is that of springs in an integration of its own, explicit steps of 1/120000 of a
// swing: 0.63231166 m/s of the centre and 0.18994617 rad/s, good to some 1e-6.
TEST(StrongeCorners, landing_flat_is_the_same_to_the_right_and_to_the_left) {
    for (const char* law : {"newton", "poisson", "stronge"})
        for (const double speed : {1.0, -1.0})
            EXPECT_NEAR(speed_after(speed, 0, law), speed * 0.744940, 1e-6) << law;
    for (const double speed : {1.0, -1.0}) {
        EXPECT_NEAR(speed_after(speed, 0.5, "newton"), speed * 0.636084, 1e-6);
        EXPECT_NEAR(speed_after(speed, 0.5, "poisson"), speed * 0.636084, 1e-6);
        EXPECT_NEAR(speed_after(speed, 0.5, "stronge"), speed * (0.63231166 + 0.2 * 0.18994617),
                    3e-6);
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
