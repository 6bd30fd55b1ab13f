// Joints that engage and disengage on a condition.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "simulation/dynamic/dynamic_simulation.h"
#include "simulation/event_cycle/mode.h"
#include "support/sound_run.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::placed_of;
using test::value;

const Event* find(const DynamicResult& r, EventKind kind, const std::string& element) {
    for (const Event& e : r.events)
        if (e.kind == kind && e.element == element) return &e;
    return nullptr;
}

DynamicResult run(const std::string& text, double end, const std::string& dynamics = "auto",
                  CoordinateKind coordinates = CoordinateKind::relative) {
    DynamicOptions options;
    options.end = end;
    options.step = 0.05;
    options.dynamics = named<Formulation>(dynamics).value();
    options.coordinates = coordinates;
    options.rtol = options.atol = 1e-11;
    DynamicResult r = run_dynamics(placed_of(text), options);
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    for (const AuditCheck& check : r.audit.checks)
        EXPECT_TRUE(check.passed()) << check.name << ' ' << check.value() << " > " << check.limit;
    return r;
}

// As in the head of the model: angular momentum through the clutch, energy of the relative motion.
TEST(Coupling, clutch_between_flywheels_has_its_closed_form) {
    for (const CoordinateKind coordinates : test::both_coordinates)
        for (const char* dynamics :
             {"multipliers", "augmented", "augmented_canonical", "independent", "canonical"}) {
            SCOPED_TRACE(std::string(dynamics) + ' ' + test::name_of(coordinates));
            const DynamicResult r =
                run(std::string(test::embedded_text("clutch")), 3, dynamics, coordinates);
            const Event* on = find(r, EventKind::engage, "clutch");
            const Event* off = find(r, EventKind::disengage, "clutch");
            ASSERT_TRUE(on && off);
            EXPECT_NEAR(on->t, 1, 1e-12);
            EXPECT_NEAR(off->t, 2, 1e-12);
            const double relative = 30 - 5.0 / 3;
            EXPECT_NEAR(on->energy_change, -0.5 * 1.2 * relative * relative, 1e-7);
            const auto* impulses = on->find<fact::JointImpulses>();
            ASSERT_TRUE(impulses);
            EXPECT_EQ(impulses->joints.back(), "clutch");
            EXPECT_NEAR(impulses->moment.back(), 34, 1e-8);
            const std::size_t last = r.trajectory.rows() - 1;
            EXPECT_NEAR(value(r.trajectory, last, "wheel1.omega"), 23 + 30, 1e-7);
            EXPECT_NEAR(value(r.trajectory, last, "wheel2.omega"), 23 - 10.0 / 3, 1e-7);
            for (std::size_t i = 0; i < r.trajectory.rows(); ++i) {
                const bool holds = value(r.trajectory, i, "clutch.engaged") != 0;
                const double t = value(r.trajectory, i, "t");
                constexpr double located = 1e-9;  // s: rows just before and after the events
                const bool is_inside = t > 1 + located && t < 2 - located;
                const bool is_outside = t < 1 - located || t > 2 + located;
                EXPECT_TRUE(holds ? !is_outside : !is_inside) << t;
                EXPECT_NEAR(value(r.trajectory, i, "clutch.m"), holds ? 40 : 0, 1e-7) << t;
                if (holds) {
                    EXPECT_NEAR(value(r.trajectory, i, "wheel1.omega"),
                                value(r.trajectory, i, "wheel2.omega"), 1e-9);
                }
                // The ledger: what is not kinetic has been put in by the torques or lost in it.
                EXPECT_NEAR(value(r.trajectory, i, "energy.clutch.work"),
                            t > 1 + located || holds ? -0.5 * 1.2 * relative * relative : 0, 1e-7);
            }
        }
}

// A ball on a string of 1 m: it flies straight past a post, and a pin takes it at the distance of
// 1 m. The string keeps the speed across it alone.
const std::string string_and_ball = R"(format = 1
[body.ground]
[body.ball]
position = [-2, 0.6]
velocity = [4, 0]
mass = 0.5
inertia = 0.001
[measure.away]
type = "distance"
a = "ground"
b = "ball"
[coupling.string]
type = "rod"
a = "ground"
b = "ball"
engaged = "away.rate >= 0 and away > 1"
)";

TEST(Coupling, holds_from_where_it_engages_and_takes_the_speed_along_it) {
    const DynamicResult r = run(string_and_ball, 1.5);
    const Event* e = find(r, EventKind::engage, "string");
    ASSERT_TRUE(e);
    // Out at x = 0.8: the speed along the string is 4*0.8, across it 4*0.6.
    EXPECT_NEAR(e->t, 2.8 / 4, 1e-10);
    EXPECT_NEAR(e->impulse, 0.5 * 4 * 0.8, 1e-9);
    EXPECT_NEAR(e->energy_change, -0.25 * 3.2 * 3.2, 1e-8);
    const std::size_t last = r.trajectory.rows() - 1;
    const double x = value(r.trajectory, last, "ball.x"), y = value(r.trajectory, last, "ball.y");
    EXPECT_NEAR(std::hypot(x, y), 1, 1e-9);
    // Round the post at 2.4 m/s from the angle atan(0.6/0.8).
    EXPECT_NEAR(std::atan2(y, x), std::atan2(0.6, 0.8) - 2.4 * (1.5 - 0.7), 1e-8);
    EXPECT_NEAR(
        std::hypot(value(r.trajectory, last, "string.fx"), value(r.trajectory, last, "string.fy")),
        0.5 * 2.4 * 2.4, 1e-7);
}

// It engages at the start: an impact there.
TEST(Coupling, may_be_engaged_from_the_start) {
    std::string text(test::embedded_text("clutch"));
    text.replace(text.find("t > 1 s and t < 2 s"), 19, "t < 2 s            ");
    const DynamicResult r = run(text, 1);
    const Event* e = find(r, EventKind::engage, "clutch");
    ASSERT_TRUE(e);
    EXPECT_EQ(e->t, 0);
    EXPECT_NEAR(e->energy_change, -0.5 * 1.2 * 25, 1e-9);
    EXPECT_NEAR(value(r.trajectory, r.trajectory.rows() - 1, "wheel1.omega"), 3 + 10, 1e-8);
}

// The contacts answer the impact: a block at rest on the floor is gripped by a hook that rises, and
// lifted off.
TEST(Coupling, contacts_open_where_the_impact_lifts_them_off) {
    const DynamicResult r = run(R"(format = 1
[body.ground]
[body.block]
position = [0, 0.1]
mass = 2
inertia = 0.02
[body.hook]
position = [0, 1]
velocity = [0, 1]
mass = 1
inertia = 0.01
[joint.rail]
type = "prismatic"
a = "ground"
b = "hook"
axis = "90 deg"
[joint.guide]
type = "prismatic"
a = "ground"
b = "block"
axis = "90 deg"
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [1, 0], to = [-1, 0] }]
[profile.foot]
body = "block"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "floor"
b = "foot"
[coupling.grip]
type = "weld"
a = "hook"
b = "block"
engaged = "t > 0.05 s"
[force.weight]
type = "gravity"
)",
                                0.08);  // it lands again at 0.0846 s
    const Event* grip = find(r, EventKind::engage, "grip");
    const Event* lost = find(r, EventKind::contact_lost, "C#1");
    ASSERT_TRUE(grip && lost);
    EXPECT_EQ(lost->t, grip->t);
    const double before = 1 - 9.81 * 0.05, after = before / 3;
    EXPECT_NEAR(value(r.trajectory, r.trajectory.rows() - 1, "block.vy"), after - 9.81 * 0.03,
                1e-8);
    EXPECT_NEAR(grip->energy_change, -0.5 * (1.0 * 2 / 3) * before * before, 1e-9);
}

TEST(Coupling, run_goes_on_with_the_same_bytes_from_a_saved_state) {
    const std::string text(test::embedded_text("clutch"));
    DynamicOptions options;
    options.end = 3;
    options.step = 0.05;
    const PlacedMechanism placed = placed_of(text);
    DynamicSimulation whole(placed, options), first(placed, options);
    whole.advance_to(3);
    first.advance_to(1.5);
    DynamicSimulation second(placed, options);
    ASSERT_TRUE(second.restore(first.save()));
    second.advance_to(3);
    const DynamicResult a = whole.finish(), b = second.finish();
    ASSERT_EQ(a.trajectory.rows(), b.trajectory.rows());
    for (std::size_t i = 0; i < a.trajectory.rows(); ++i)
        for (std::size_t c = 0; c < a.trajectory.columns.size(); ++c)
            EXPECT_EQ(a.trajectory.row(i)[c], b.trajectory.row(i)[c])
                << i << ' ' << a.trajectory.columns[c].name;
    EXPECT_EQ(a.events.size(), b.events.size());
}

TEST(Coupling, mode_knows_what_is_engaged) {
    Mode mode, other;
    mode.engaged.push_back({1, {0.5, 0, 0}});
    EXPECT_NE(hash_of(mode), hash_of(other));
    ASSERT_TRUE(from_json(to_json(mode), other));
    EXPECT_EQ(mode, other);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
