// Friction keeps its digits however large the forces are.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/dynamic/dynamic_simulation.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;

TEST(FrictionScale, of_two_corners_that_slide_is_the_same_part_of_any_load) {
    for (const double mass : {1e-9, 1.0, 1e12}) {
        DynamicOptions options;
        options.end = 0.1;
        options.step = 0.05;
        const DynamicResult result = run_dynamics(placed_of(fmt::format(
                                                      R"(
format = 1
body.block = {{ velocity = [0.5, 0], mass = {}, inertia = {}, centre = [0, 0.2] }}
profile.block = {{ body = "block", elements = [{{ type = "line", from = [-0.4, 0], to = [0.4, 0] }}, {{ type = "line", to = [0.4, 0.4] }}, {{ type = "line", to = [-0.4, 0.4] }}, {{ type = "line", to = [-0.4, 0] }}] }}
profile.floor = {{ body = "ground", elements = [{{ type = "line", from = [9, 0], to = [-9, 0] }}] }}
contact.C = {{ a = "floor", b = "block", friction = {{ kinetic = 0.3 }} }}
force.weight = {{ type = "gravity" }}
)",
                                                      mass, 0.1 * mass)),
                                                  options);
        ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
        const auto& table = result.trajectory;
        for (std::size_t row = 0; row < table.rows(); ++row)
            for (const std::string point : {"C#1", "C#2"})
                EXPECT_NEAR(std::abs(value(table, row, point + ".friction")) /
                                value(table, row, point + ".normal"),
                            0.3, 1e-12)
                    << mass;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
