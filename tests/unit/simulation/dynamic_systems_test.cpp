// The systems of equations that a dynamic run keeps: bounded, and never one that is in use.
#include "simulation/stepping/dynamic_systems.h"

#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Three pins with friction: each sticks or slides one way or the other.
const char* const pins = R"model(format = 1
body.a = { mass = 1, inertia = 0.1 }
body.b = { position = [1, 0], mass = 1, inertia = 0.1 }
body.c = { position = [2, 0], mass = 1, inertia = 0.1 }
joint.A = { type = "revolute", bodies = ["ground", "a"], at = [0, 0], radius = 0.01, friction = { kinetic = 0.1 } }
joint.B = { type = "revolute", bodies = ["a", "b"], at = [1, 0], radius = 0.01, friction = { kinetic = 0.1 } }
joint.C = { type = "revolute", bodies = ["b", "c"], at = [2, 0], radius = 0.01, friction = { kinetic = 0.1 } }
)model";

std::vector<FrictionMode> mode(int number) {
    std::vector<FrictionMode> modes(3);
    for (int joint = 0; joint < 3; ++joint, number /= 3) {
        modes[static_cast<std::size_t>(joint)].joint = joint;
        modes[static_cast<std::size_t>(joint)].direction = number % 3 - 1;
    }
    return modes;
}

TEST(DynamicSystems, keeps_what_fits_and_drops_what_was_not_used_for_the_longest_time) {
    const PlacedMechanism placed = test::placed_of(pins);
    // 3 coordinates and at most 3 rows that stick: 103 to 106 each, four fit.
    DynamicSystems systems(placed, {}, Formulation::multipliers, {}, {}, 424);
    for (int i = 0; i < 27; ++i) {
        const DynamicSystem* now = systems.with({}, {}, mode(i));
        systems.with({}, {}, mode(3));
        systems.tidy(*now);
        EXPECT_EQ(systems.kept(), static_cast<std::size_t>(std::min(i + 1 + (i < 3), 4)));
    }
    const DynamicSystem* last = systems.with({}, {}, mode(26));
    for (const int recent : {3, 25}) systems.with({}, {}, mode(recent));
    EXPECT_EQ(systems.kept(), 4U) << "they were there";
    EXPECT_EQ(systems.with({}, {}, mode(26)), last);
}

TEST(DynamicSystems, the_system_in_force_is_never_dropped) {
    const PlacedMechanism placed = test::placed_of(pins);
    DynamicSystems systems(placed, {}, Formulation::multipliers, {}, {}, 0);
    const DynamicSystem* held = systems.with({}, {}, mode(5));
    for (int i = 0; i < 27; ++i) systems.with({}, {}, mode(i));
    systems.tidy(*held);
    EXPECT_EQ(systems.kept(), 1U);
    EXPECT_EQ(systems.with({}, {}, mode(5)), held);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
