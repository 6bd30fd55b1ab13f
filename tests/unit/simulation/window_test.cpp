// Windows without a run: what a transition leaves undecided is carried on by time steps, by closed
// forms and with the order of the steps.
#include "simulation/event_cycle/window.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/placement/initial_velocities.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double g = 9.81;

// A box of 2 kg, 0.2 m wide and 0.1 m high, and a disk of 1 kg, both above the same floor.
std::string box_and_disk(double box_speed, double height,
                         const std::string& law = "restitution = 0.5") {
    return fmt::format(R"(format = 1
[profile.floor]
body = "ground"
elements = [{{ type = "line", from = [10, 0], to = [-10, 0] }}]
[body.box]
position = [0, 0.05]
velocity = [{}, 0]
omega = 0
mass = 2
inertia = 0.01
[profile.box]
body = "box"
elements = [{{ type = "line", from = [-0.1, -0.05], to = [0.1, -0.05] }}, {{ type = "line", to = [0.1, 0.05] }}, {{ type = "line", to = [-0.1, 0.05] }}, {{ type = "line", to = [-0.1, -0.05] }}]
[body.disk]
position = [2, {}]
velocity = [0, -1]
mass = 1
inertia = 0.005
[profile.disk]
body = "disk"
elements = [{{ type = "circle", centre = [0, 0], radius = 0.1 }}]
[contact.B]
a = "floor"
b = "box"
friction.kinetic = 0.3
[contact.D]
a = "floor"
b = "disk"
{}
[force.weight]
type = "gravity"
acceleration = [0, {}]
)",
                       box_speed, height, law, -g);
}

struct Scene {
    explicit Scene(const std::string& text)
        : placed(test::placed_of(text)),
          systems(placed, {}, Formulation::multipliers, {}, {}, 20000),
          world(placed, systems, ContactProblem::Impacts::simultaneous) {
        DynamicSystem& first = *world.system_of(world.first);
        state.q = first.equations->coordinates().from_positions(placed.assembly.positions);
        first.equations->set_position(state.q, 0);
        first.equations->set_inertia();
        state.v = initial_velocities(placed, *first.equations, state.q, nullptr);
        state.z.assign(first.dynamics->auxiliary_size(), 0.0);
    }
    PlanarSpace::Position position(const State& at, int body) {
        auto& equations = *world.system_of(world.first)->equations;
        equations.set_position(at.q, at.t);
        return equations.coordinates().position(body);
    }
    [[nodiscard]] double velocity(const State& at, int body) {
        position(at, body);
        auto& coordinates = world.system_of(world.first)->equations->coordinates();
        coordinates.set_velocity(at.v);
        return coordinates.velocity(body).v.x;
    }
    // As a transition leaves it that has seen too many events.
    [[nodiscard]] Transition undecided() {
        ContactOccurrence starts;
        starts.kind = ContactOccurrence::Kind::starts;
        Transition next = transition(world, world.first, state, starts);
        next.outcome = Transition::Outcome::chatter;
        next.message = "contact 'D#1' keeps switching";
        next.events.clear();
        return next;
    }

    PlacedMechanism placed;
    DynamicSystems systems;
    ContactWorld world;
    State state;
};

// The floor is met at a time between two steps, wherever it lies: the steps see it at the end of
// one. Over many heights the mean error of the height at the end goes with the step.
TEST(Window, halving_its_step_halves_its_error) {
    constexpr double length = 2e-3;
    constexpr int heights = 300;
    const auto mean_error = [&](int steps) -> double {
        double sum = 0;
        for (int i = 0; i < heights; ++i) {
            const double drop = 1e-4 + 1e-3 * std::fmod(0.618033988749895 * i, 1);
            Scene scene(box_and_disk(0, 0.1 + drop));
            const auto end = step_over(scene.world, scene.state, length, steps);
            if (!end) return NAN;
            const double speed = std::sqrt(1 + 2 * g * drop), meets = (speed - 1) / g,
                         left = length - meets;
            const double height = 0.1 + 0.5 * speed * left - 0.5 * g * left * left;
            sum += std::abs(scene.position(end->state, 2).p.y - height);
        }
        return sum / heights;
    };
    const double coarse = mean_error(40), fine = mean_error(80), finest = mean_error(160);
    EXPECT_LT(coarse, 1.5 * length / 40);  // what a step later or earlier makes of 1 and -0.5 m/s
    // The mean over these places in the steps is known to a few percent.
    EXPECT_NEAR(coarse / fine, 2, 0.2);
    EXPECT_NEAR(fine / finest, 2, 0.2);
}

TEST(Window, hands_back_what_slides_and_keeps_the_ledger) {
    Scene scene(box_and_disk(1, 0.5));
    Transition next = scene.undecided();
    const Mode before = next.mode;
    ASSERT_EQ(before.closed.size(), 2);
    ASSERT_TRUE(pass_window(scene.world, before, 1, next));
    EXPECT_EQ(next.outcome, Transition::Outcome::changed);
    ASSERT_TRUE(next.window);
    const double length = next.window->record.length;
    EXPECT_EQ(next.state.t, length);
    EXPECT_NEAR(length, 1e-4 * std::sqrt(scene.world.size / before.typical_acceleration), 1e-12);
    // Impulses are found to 1e-6.
    const double slowed = 0.3 * g * length;
    EXPECT_NEAR(scene.velocity(next.state, 1), 1 - slowed, 1e-6 * slowed);
    EXPECT_NEAR(scene.position(next.state, 1).p.x, length - 0.5 * slowed * length,
                1e-6 * slowed * length);
    EXPECT_NEAR(scene.position(next.state, 2).p.y, 0.5 - length - 0.5 * g * length * length, 1e-14);
    ASSERT_EQ(next.mode.closed.size(), 2);
    ASSERT_EQ(next.mode.friction.size(), 2);
    for (const FrictionMode& friction : next.mode.friction) EXPECT_NE(friction.direction, 0);
    ASSERT_EQ(next.events.size(), 1);
    EXPECT_EQ(next.events[0].kind, EventKind::window);
    EXPECT_EQ(next.events[0].t, 0);
    // Friction takes what the box loses.
    const double v = scene.velocity(next.state, 1);
    double work = 0;
    for (const double z : next.state.z) work += z;
    EXPECT_NEAR(work, v * v - 1, 1e-14);
    // The next one follows at once: it is longer.
    Transition again = next;
    again.outcome = Transition::Outcome::chatter;
    ASSERT_TRUE(pass_window(scene.world, next.mode, 1, again));
    EXPECT_NEAR(again.window->record.length, 4 * length, 1e-12);
}

TEST(Window, ends_by_the_time_given_and_is_not_taken_for_what_time_steps_do_not_know) {
    Scene scene(box_and_disk(1, 0.5));
    Transition next = scene.undecided();
    const Mode before = next.mode;
    EXPECT_FALSE(pass_window(scene.world, before, 0, next));
    EXPECT_EQ(next.outcome, Transition::Outcome::chatter);
    EXPECT_TRUE(next.mode == before);
    EXPECT_TRUE(next.events.empty());
    ASSERT_TRUE(pass_window(scene.world, before, 1e-6, next));
    EXPECT_EQ(next.state.t, 1e-6);

    Scene soft(box_and_disk(1, 0.5, "law = \"kelvin_voigt\"\nstiffness = 1e6\ndamping = 10"));
    Transition other = soft.undecided();
    EXPECT_FALSE(pass_window(soft.world, other.mode, 1, other));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
