// Events are told in the order of their times, also where a contact forms at the limit of impacts
// that accumulate and something else happens before that limit; and once, where several things
// happen at one time.
#include <algorithm>
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double g = 9.81, height = 9;  // m/s^2, m

std::string ball(const std::string& name, const std::string& position, double speed) {
    return "[body." + name + "]\nposition = " + position + "\nvelocity = [0, \"" +
           std::to_string(1e6 * speed) + "e-6 m/s\"]\nmass = 1\ninertia = 0.004\n[profile." + name +
           "]\nbody = \"" + name +
           "\"\nelements = [{ type = \"circle\", radius = 0.1 }]\n[contact.C" + name +
           "]\na = \"floor\"\nb = \"" + name + "\"\nrestitution = 0.5\n";
}

// A ball let go at 1 m, and one thrown up at 9 m.
DynamicResult dropped(double speed) {
    DynamicOptions options;
    options.end = 1.5;
    return run_dynamics(test::placed_of(R"(format = 1
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [2, 0], to = [-2, 0] }]
[force.weight]
type = "gravity"
)" + ball("A", "[-1, 1.1]", 0) + ball("B", "[1, 9.1]", speed)),
                        options);
}

// The second ball comes down while the first one makes its last small hops, which do not end with
// that.
TEST(EventOrder, impact_before_the_limit_of_others_does_not_cut_them_short) {
    const DynamicResult apart = dropped(5);  // comes down at 2 s
    const auto& told = apart.events;
    ASSERT_EQ(told.back().kind, EventKind::contact_formed);
    const double begins = told[told.size() - 2].t, limit = told.back().t;
    ASSERT_LT(begins, limit);
    const double strikes = 0.5 * (begins + limit);
    const DynamicResult both = dropped(0.5 * g * strikes - height / strikes);
    ASSERT_EQ(both.status, DynamicStatus::completed) << both.message;
    const auto& events = both.events;
    EXPECT_TRUE(std::is_sorted(events.begin(), events.end(),
                               [](const Event& a, const Event& b) { return a.t < b.t; }));
    const auto of = [&](EventKind kind, const char* element) {
        return std::find_if(events.begin(), events.end(),
                            [&](const Event& e) { return e.kind == kind && e.element == element; });
    };
    const auto forms = of(EventKind::contact_formed, "CA#1"),
               struck = of(EventKind::impact, "CB#1");
    ASSERT_NE(forms, events.end());
    ASSERT_NE(struck, events.end());
    ASSERT_LT(struck->t, limit);
    EXPECT_LT(struck, forms);
    // The same flights, with steps that end elsewhere: rounding of the times.
    EXPECT_NEAR(forms->t, limit, 1e-12);
}

std::vector<double> times_of(const DynamicResult& result, EventKind kind) {
    std::vector<double> times;
    for (const Event& e : result.events)
        if (e.kind == kind) times.push_back(e.t);
    return times;
}

DynamicResult run_passing(const std::string& text, double end, double step) {
    DynamicOptions options;
    options.end = end;
    options.step = step;
    DynamicResult result = run_dynamics(test::placed_of(text), options);
    EXPECT_EQ(result.status, DynamicStatus::completed) << result.message;
    for (const AuditCheck& check : result.audit.checks) EXPECT_TRUE(check.passed()) << check.name;
    return result;
}

// A box of 0.8 kg that a force at its centre lifts off the floor: both corners let go at one time,
// whichever is first, whether their forces vanish or jump, and neither forms again.
TEST(EventOrder, contacts_that_separate_together_do_not_come_back) {
    struct Lift {
        const char* force;
        double leaves, height;  // at 1 s, of the fall upwards
    };
    for (const Lift& lift : {Lift{"20*t", 0.4, 25 * std::pow(0.6, 3) / 6},
                             Lift{"if(t > 0.3, 30, 0)", 0.3, 0.5 * 27.5 * 0.7 * 0.7}}) {
        const DynamicResult r = run_passing(R"(format = 1
body.s = { position = [0, 0.05], mass = 0.8, inertia = 0.003 }
profile.d = { body = "s", elements = [{ type = "line", from = [-0.1, -0.05], to = [0.1, -0.05] }, { type = "line", to = [0.1, 0.05] }, { type = "line", to = [-0.1, 0.05] }, { type = "line", to = [-0.1, -0.05] }] }
profile.wall = { body = "ground", elements = [{ type = "line", from = [1, 0], to = [-1, 0] }] }
contact.C = { a = "wall", b = "d" }
force.weight = { type = "gravity", acceleration = [0, -10] }
force.f = { type = "force", point = "s", y = ")" +
                                                std::string(lift.force) + "\" }\n",
                                            1, 0.1);
        const auto lost = times_of(r, EventKind::contact_lost);
        ASSERT_EQ(lost.size(), 2) << lift.force;
        for (const double t : lost) EXPECT_NEAR(t, lift.leaves, 1e-12) << lift.force;
        EXPECT_EQ(times_of(r, EventKind::contact_formed).size(), 2) << lift.force;
        EXPECT_NEAR(test::value(r.trajectory, r.trajectory.rows() - 1, "s.y"), 0.05 + lift.height,
                    1e-7)
            << lift.force;
    }
}

constexpr const char* pressed_disk = R"(format = 1
body.s = { position = [0, 0.05], mass = 0.7, inertia = 0.003 }
joint.G = { type = "prismatic", a = "ground", b = "s", axis = "90 deg" }
force.w = { type = "gravity" }
profile.d = { body = "s", elements = [{ type = "circle", radius = 0.05 }] }
profile.w = { body = "ground", elements = [{ type = "line", from = [1, 0], to = [-1, 0] }] }
contact.C = { a = "w", b = "d" }
)";

// The force of the contact is 6.867 N, at 2 s 2.867 N, and then would be -1.133 N.
TEST(EventOrder, force_that_jumps_over_a_value_in_between_lets_go_at_the_jump) {
    const DynamicResult r = run_passing(
        pressed_disk + std::string("force.f = { type = \"joint_force\", joint = \"G\", value = "
                                   "\"4*(1 + sign(t - 2))\" }\n"),
        2.4, 0.01);
    const auto lost = times_of(r, EventKind::contact_lost);
    ASSERT_EQ(lost.size(), 1);
    EXPECT_NEAR(lost[0], 2, 1e-12);
}

// Steps end at outputs, a rounding beside the changes.
TEST(EventOrder, branch_that_changes_where_a_step_begins_is_told_there) {
    const DynamicResult r = run_passing(
        pressed_disk + std::string("force.f = { type = \"joint_force\", joint = \"G\", value = "
                                   "\"max(0, 0.6*sin(2*pi*t))\" }\n"),
        5, 0.005);
    const auto changed = times_of(r, EventKind::time);
    ASSERT_GE(changed.size(), 9);
    for (std::size_t i = 0; i < 9; ++i)
        EXPECT_NEAR(changed[i], 0.5 * static_cast<double>(i + 1), 1e-11) << i;
}

// A slider on a slanted guide sticks on a rough stop, two rows for one freedom all the time, while
// a pendulum swings on it: nothing opens another branch.
TEST(EventOrder, rows_that_always_depend_on_each_other_are_no_bifurcation) {
    const DynamicResult r = run_passing(R"(format = 1
body.p = { position = [0.0342020143, 0.193969262], mass = 1, inertia = 0.01, points = { B = [0.1, 0.02] } }
body.q = { position = [0.1342020143, 0.213969262], angle = -1, mass = 0.4, inertia = 0.002, centre = [0.15, 0] }
joint.A = { type = "prismatic", a = "ground", b = "p", axis = "80 deg", angle = 0 }
joint.B = { type = "revolute", a = "p.B", b = "q" }
profile.p = { body = "p", elements = [{ type = "circle", radius = 0.04 }] }
profile.st = { body = "ground", elements = [{ type = "line", from = [1, 0], to = [-1, 0] }] }
contact.S = { a = "st", b = "p", friction = { kinetic = 0.3 } }
force.weight = { type = "gravity" }
)",
                                        2, 0.01);
    EXPECT_TRUE(times_of(r, EventKind::bifurcation).empty());
    EXPECT_EQ(times_of(r, EventKind::contact_formed).size(), 1);
}

// A ball on the floor that begins with 2 m/s downwards, and a block that is struck with 3 N s.
TEST(EventOrder, what_happens_at_the_start_has_a_row_before_and_one_after) {
    DynamicOptions options;
    options.end = 0.1;
    const DynamicResult struck = run_dynamics(test::placed_of(R"(format = 1
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [2, 0], to = [-2, 0] }]
[force.weight]
type = "gravity"
)" + ball("A", "[0, 0.1]", -2)),
                                              options);
    const DynamicResult pushed = run_dynamics(test::placed_of(R"(format = 1
body.A = { mass = 1.5, inertia = 1 }
force.blow = { type = "impulse", point = "A", y = "3 N s", at = 0 }
)"),
                                              options);
    for (const auto& [r, before, after] :
         {std::tuple{&struck, -2.0, 1.0}, std::tuple{&pushed, 0.0, 2.0}}) {
        ASSERT_EQ(r->status, DynamicStatus::completed) << r->message;
        EXPECT_EQ(r->events[0].t, 0);
        ASSERT_GT(r->trajectory.rows(), 2U);
        EXPECT_EQ(r->trajectory.row(1)[0], 0);
        EXPECT_GT(r->trajectory.row(2)[0], 0);
        EXPECT_NEAR(test::value(r->trajectory, 0, "A.vy"), before, 1e-12);
        EXPECT_NEAR(test::value(r->trajectory, 1, "A.vy"), after, 1e-12);
        EXPECT_EQ(r->statistics.samples, r->trajectory.rows());
        EXPECT_TRUE(r->audit.passed());
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
