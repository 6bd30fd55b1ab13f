// Rows and checks at the time of an event: impulses of one time, an impulse with an impact,
// friction of one body where another comes to rest.
#include <cmath>

#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

DynamicResult run(const std::string& text, double end) {
    DynamicOptions options;
    options.end = end;
    options.step = 0.01;
    DynamicResult r = run_dynamics(test::placed_of(text), options);
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    for (const AuditCheck& check : r.audit.checks)
        EXPECT_TRUE(check.passed()) << check.name << " " << check.value() << " > " << check.limit;
    EXPECT_TRUE(r.warnings.empty()) << r.warnings.front();
    return r;
}

double last(const DynamicResult& r, const std::string& column) {
    return test::value(r.trajectory, r.trajectory.rows() - 1, column);
}

const std::string floor_and_weight =
    "profile.floor = { body = \"ground\", elements = [{ type = \"line\", from = [30, 0], to = "
    "[-30, 0] }] }\nforce.w = { type = \"gravity\", acceleration = [0, -9.81] }\n";

// A box of 2 kg at rest on the floor.
std::string box(const std::string& contact, const std::string& forces) {
    return "format = 1\nbody.b = { position = [0, 0.05], mass = 2, inertia = 0.03 }\n"
           "profile.b = { body = \"b\", elements = [{ type = \"line\", from = [-0.2, -0.05], to = "
           "[0.2, -0.05] }, { type = \"line\", to = [0.2, 0.05] }, { type = \"line\", to = [-0.2, "
           "0.05] }, { type = \"line\", to = [-0.2, -0.05] }] }\n"
           "contact.C = { a = \"floor\", b = \"b\"" +
           contact + " }\n" + floor_and_weight + forces;
}

std::string impulse(const std::string& name, const std::string& body, const std::string& at,
                    const std::string& what) {
    return "force." + name + " = { type = \"impulse\", point = \"" + body + "\", at = " + at +
           ", " + what + " }\n";
}

// 1 m/s in all, which friction of 0.35 takes in 1/(0.35 g).
TEST(RowsAtEvents, two_impulses_at_one_time_act_as_their_sum) {
    const DynamicResult r =
        run(box(", friction = { kinetic = 0.35 }",
                impulse("K", "b", "0.25", "x = 1") + impulse("J", "b", "0.25", "x = 1")),
            1);
    EXPECT_EQ(r.events.back().kind, EventKind::stick);
    EXPECT_NEAR(r.events.back().t, 0.25 + 1 / (0.35 * 9.81), 1e-9);
}

TEST(RowsAtEvents, an_impulse_into_the_floor_leaves_that_along_it) {
    const DynamicResult r =
        run(box("", impulse("K", "b", "0.25", "y = -1") + impulse("J", "b", "0.25", "x = 2")), 1);
    EXPECT_NEAR(last(r, "b.vx"), 1, 1e-12);
}

TEST(RowsAtEvents, two_impulses_turn_a_pin_that_sticks) {
    const DynamicResult r = run(
        "format = 1\nbody.b = { mass = 4, inertia = 0.05 }\njoint.J = { type = \"revolute\", a = "
        "\"ground\", b = \"b\", radius = 0.05, friction = { kinetic = 0.2 } }\nforce.w = { type = "
        "\"gravity\", acceleration = [0, -9.81] }\n" +
            impulse("J", "b", "0.2", "turn = 0.1") + impulse("K", "b", "0.2", "turn = 0.1"),
        1);
    // 4 rad/s against m g r sin(rho)/I, with tan(rho) = mu.
    const double slower = 4 * 9.81 * 0.05 * 0.2 / std::hypot(1, 0.2) / 0.05;
    EXPECT_NEAR(last(r, "b.angle"), 0.5 * 16 / slower, 1e-9);
}

// The impulse comes first: 1 m/s along the floor, which the impact stops: 1/(1/m + r^2/I).
TEST(RowsAtEvents, an_impulse_at_an_impact_comes_before_it) {
    const std::string ball =
        "format = 1\nbody.ball = { position = [0, 0.6], mass = 1, inertia = 0.004, velocity = [0, "
        "-1] }\nprofile.floor = { body = \"ground\", elements = [{ type = \"line\", from = [30, "
        "0], "
        "to = [-30, 0] }] }\nprofile.ball = { body = \"ball\", elements = [{ type = \"circle\", "
        "radius = 0.1 }] }\ncontact.C = { a = \"floor\", b = \"ball\", restitution = 0.5, friction "
        "= "
        "{ kinetic = 0.3 } }\n";
    for (const std::string also : {"", ", y = -1"}) {
        const DynamicResult r = run(ball + impulse("J", "ball", "0.5", "x = 1" + also), 1);
        EXPECT_NEAR(last(r, "ball.vx"), 1 - 1 / (1 + 0.01 / 0.004), 1e-12);
        EXPECT_NEAR(last(r, "ball.vy"), also.empty() ? 0.5 : 1, 1e-12);
    }
}

TEST(RowsAtEvents, an_impulse_at_the_end_is_the_last_event) {
    const DynamicResult r = run(box("", impulse("J", "b", "1", "x = 2")), 1);
    EXPECT_EQ(r.events.back().kind, EventKind::impulse);
    EXPECT_NEAR(last(r, "b.vx"), 1, 1e-12);
}

// A driven eccentric throws its follower up, whose impacts accumulate: no coordinate has an error
// that would ask for short steps, but the work of the motor has.
TEST(RowsAtEvents, work_of_a_motor_has_the_digits_that_are_asked_for) {
    DynamicOptions options;
    options.end = 0.25;
    options.step = 0.002;
    for (const double error : {1e-9, 1e-12}) {
        options.rtol = options.atol = error;
        const DynamicResult r = run_dynamics(
            test::placed_of(
                "format = 1\nbody.c = { mass = 1, inertia = 0.01, centre = [0.02, 0], omega = 30 "
                "}\nbody.f = { position = [0, 0.05], mass = 0.5, inertia = 0.01, velocity = [0, "
                "0.6] }\nprofile.c = { body = \"c\", elements = [{ type = \"circle\", centre = "
                "[0.02, 0], radius = 0.05 }] }\nprofile.f = { body = \"f\", elements = [{ type = "
                "\"line\", from = [-0.2, 0], to = [0.2, 0] }] }\njoint.O = { type = \"revolute\", "
                "a = \"ground\", b = \"c\" }\njoint.G = { type = \"prismatic\", a = \"ground\", b "
                "= \"f\", axis = 1.5707963267948966 }\ndriver.D = { joint = \"O\", type = "
                "\"speed\", speed = 30 }\ncontact.C = { a = \"c\", b = \"f\", restitution = 0.3 "
                "}\nforce.w = { type = \"gravity\", acceleration = [0, -9.81] }\n"),
            options);
        EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
        EXPECT_TRUE(r.audit.passed()) << error;
    }
}

// While a box comes to rest, a disk slides on: its friction has its viscous part in every row.
TEST(RowsAtEvents, friction_of_a_sliding_disk_is_whole_where_another_body_comes_to_rest) {
    const DynamicResult r = run(
        "format = 1\nbody.a = { position = [-2, 0.1], mass = 1, inertia = 0.004, velocity = [1, 0] "
        "}\nbody.b = { position = [0, 0.3], angle = 0.3, mass = 1, inertia = 0.004 }\n"
        "profile.a = { body = \"a\", elements = [{ type = \"circle\", radius = 0.1 }] }\n"
        "profile.b = { body = \"b\", elements = [{ type = \"line\", from = [-0.1, -0.1], to = "
        "[0.1, "
        "-0.1] }, { type = \"line\", to = [0.1, 0.1] }, { type = \"line\", to = [-0.1, 0.1] }, { "
        "type = \"line\", to = [-0.1, -0.1] }] }\n"
        "contact.A = { a = \"floor\", b = \"a\", friction = { kinetic = 0.02, viscous = 0.2 } }\n"
        "contact.B = { a = \"floor\", b = \"b\", restitution = 0.5, friction = { kinetic = 0.3 } "
        "}\n" +
            floor_and_weight,
        1);
    for (std::size_t i = 1; i < r.trajectory.rows(); ++i) {
        const double slip = test::value(r.trajectory, i, "A#1.slip");
        if (test::value(r.trajectory, i, "A#1.mode") == 0) continue;
        EXPECT_NEAR(std::abs(test::value(r.trajectory, i, "A#1.friction")),
                    0.02 * 9.81 + 0.2 * std::abs(slip), 1e-9)
            << test::value(r.trajectory, i, "t");
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
