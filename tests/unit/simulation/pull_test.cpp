#include "simulation/placement/pull.h"

#include <cmath>

#include <gtest/gtest.h>

#include "model_file/reading/model_file.h"

namespace pawl {
namespace PAWL_TEST_FILE {

PlacedMechanism placed(const std::string& text) {
    Diagnostics diagnostics;
    auto model = read_model(text, "model.toml", {}, diagnostics);
    EXPECT_TRUE(model) << diagnostics.text();
    return assemble(model->mechanism);
}

const std::string pendulum = R"(format = 1
[body.ground]
points = { O = [0, 0] }
[body.arm]
points = { O = [0, 0], P = [1, 0] }
[joint.O]
type = "revolute"
a = "ground.O"
b = "arm.O"
[driver.motor]
type = "speed"
joint = "O"
speed = 1
)";

TEST(Pull, a_driven_arm_follows_the_hand_on_its_circle) {
    Pull pull(placed(pendulum));
    const double angle = 1.1;
    const auto out = pull.to(1, {1, 0}, {std::cos(angle), std::sin(angle)});
    EXPECT_NEAR(pull.positions()[1].angle, angle, 1e-6);
    EXPECT_NEAR(std::hypot(pull.positions()[1].p.x, pull.positions()[1].p.y), 0, 1e-9);
    EXPECT_LT(out.distance, 1e-6);
}

// The nearest point of the circle to a target outside of it lies on the line to the centre.
TEST(Pull, what_is_out_of_reach_is_approached_and_named) {
    Pull pull(placed(pendulum));
    const auto out = pull.to(1, {1, 0}, {2 * std::cos(0.7), 2 * std::sin(0.7)});
    EXPECT_NEAR(out.distance, 1, 1e-4);
    EXPECT_NEAR(pull.positions()[1].angle, 0.7, 1e-2);
    EXPECT_EQ(out.blocking, "");
    EXPECT_EQ(out.holding, "O");
    EXPECT_NEAR(std::hypot(pull.positions()[1].p.x, pull.positions()[1].p.y), 0, 1e-9);
}

const std::string ball_and_wall = R"(format = 1
[body.ball]
position = [0, 0]
[profile.wall]
body = "ground"
elements = [{ type = "line", from = [1, 3], to = [1, -3] }]
[profile.ball]
body = "ball"
elements = [{ type = "circle", radius = 0.25 }]
[contact.C]
a = "wall"
b = "ball"
)";

// Pulled outwards the slider stops where crank and rod are in line: there it moves with no motion
// of the mechanism, while a place that is only too far off still moves along its path.
TEST(Pull, a_dead_position_is_recognised) {
    Pull slider(placed(R"(format = 1
[body.crank]
angle = "60 deg"
points = { A = [1, 0] }
[body.rod]
position = [0.5, 0.8660254]
angle = "-17 deg"
points = { B = [3, 0] }
[body.slider]
position = [3.3722813, 0]
[joint.O]
type = "revolute"
a = "ground"
b = "crank"
[joint.A]
type = "revolute"
a = "crank.A"
b = "rod"
[joint.B]
type = "revolute"
a = "rod.B"
b = "slider"
[joint.guide]
type = "prismatic"
a = "ground"
b = "slider"
)"));
    EXPECT_FALSE(slider.to(3, {0, 0}, {3.6, 0}).is_dead);
    const auto out = slider.to(3, {0, 0}, {5, 0});
    EXPECT_NEAR(out.distance, 1, 1e-3);
    EXPECT_TRUE(out.is_dead);
    EXPECT_NE(out.holding, "");
    Pull pendulum_pull(placed(pendulum));
    EXPECT_FALSE(pendulum_pull.to(1, {1, 0}, {2, 2}).is_dead);
}

TEST(Pull, nothing_passes_through_a_contact) {
    Pull pull(placed(ball_and_wall));
    const auto out = pull.to(1, {0, 0}, {4, 1});
    EXPECT_NEAR(pull.positions()[1].p.x, 0.75, 1e-4);
    EXPECT_NEAR(pull.positions()[1].p.y, 1, 2e-2);
    EXPECT_EQ(out.blocking, "C");
    EXPECT_EQ(out.holding, "");
    EXPECT_NEAR(out.distance, 3.25, 1e-2);
}

// A ball in the corner of two walls moves away from it; with a third wall behind it there is
// nowhere to go.
TEST(Pull, a_point_that_cannot_move_in_any_direction_is_jammed) {
    const std::string corner = R"(format = 1
[body.ball]
position = [0.75, -0.75]
[profile.wall]
body = "ground"
elements = [{ type = "line", from = [1, 3], to = [1, -3] }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [3, -1], to = [-3, -1] }]
[profile.ball]
body = "ball"
elements = [{ type = "circle", radius = 0.25 }]
[contact.C]
a = "wall"
b = "ball"
[contact.D]
a = "floor"
b = "ball"
)";
    Pull pull(placed(corner));
    const auto held = pull.to(1, {0, 0}, {4, -4});
    EXPECT_NEAR(pull.positions()[1].p.x, 0.75, 1e-3);
    EXPECT_NE(held.blocking, "");
    EXPECT_FALSE(held.is_jammed);
    EXPECT_NEAR(pull.to(1, {0, 0}, {0.5, -0.5}).distance, 0, 1e-3);

    Pull wedged(placed(corner + R"([profile.slope]
body = "ground"
elements = [{ type = "line", from = [0.27322330470336313, -0.87322330470336313], to = [0.87322330470336313, -0.27322330470336313] }]
[contact.E]
a = "slope"
b = "ball"
)"));
    const auto stuck = wedged.to(1, {0, 0}, {0, 0});
    EXPECT_NEAR(wedged.positions()[1].p.x, 0.75, 1e-3);
    EXPECT_EQ(stuck.blocking, "E");
    EXPECT_TRUE(stuck.is_jammed);
}

// The four joints of a parallelogram that lies flat repeat each other: it has two ways to go on.
TEST(Pull, joints_are_redundant_where_a_parallelogram_lies_flat) {
    const std::string parallelogram = R"(format = 1
[body.ground]
points = { O = [0, 0], Q = [2, 0] }
[body.crank]
angle = "60 deg"
points = { A = [1, 0], C = [0.5, 0] }
[body.coupler]
position = [0.5, 0.8660254037844386]
points = { B = [2, 0] }
[body.rocker]
position = [2, 0]
angle = "60 deg"
points = { B = [1, 0], D = [0.5, 0] }
[joint.O]
type = "revolute"
a = "ground.O"
b = "crank"
[joint.A]
type = "revolute"
a = "crank.A"
b = "coupler"
[joint.B]
type = "revolute"
a = "coupler.B"
b = "rocker.B"
[joint.Q]
type = "revolute"
a = "ground.Q"
b = "rocker"
)";
    Pull pull(placed(parallelogram));
    const auto turned = [](double degrees) {
        const double angle = degrees * std::acos(-1) / 180;
        return PlanarSpace::Vector{std::cos(angle), std::sin(angle)};
    };
    EXPECT_EQ(pull.to(1, {1, 0}, turned(40)).redundant, std::vector<std::string>{});
    EXPECT_EQ(pull.to(1, {1, 0}, turned(0.2)).redundant,
              (std::vector<std::string>{"O", "A", "B", "Q"}));
    EXPECT_EQ(pull.to(1, {1, 0}, turned(30)).redundant, std::vector<std::string>{});
    // A second coupler repeats the first one everywhere; crank and rocker belong to both loops.
    Pull twice(placed(parallelogram + R"([body.second]
position = [0.25, 0.4330127018922193]
points = { B = [2, 0] }
[joint.C]
type = "revolute"
a = "crank.C"
b = "second"
[joint.D]
type = "revolute"
a = "rocker.D"
b = "second.B"
)"));
    EXPECT_EQ(twice.to(1, {1, 0}, turned(45)).redundant.size(), 6U);
}

TEST(Pull, a_body_that_is_pushed_moves_away) {
    Pull pull(placed(R"(format = 1
[body.left]
position = [0, 0]
[body.right]
position = [1, 0]
[profile.left]
body = "left"
elements = [{ type = "circle", radius = 0.25 }]
[profile.right]
body = "right"
elements = [{ type = "circle", radius = 0.25 }]
[contact.C]
a = "left"
b = "right"
)"));
    pull.to(1, {0, 0}, {1, 0});
    const double distance = pull.positions()[2].p.x - pull.positions()[1].p.x;
    EXPECT_NEAR(pull.positions()[1].p.x, 1, 1e-2);
    EXPECT_NEAR(distance, 0.5, 1e-3);
    EXPECT_GE(distance, 0.5 - 1e-6);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
