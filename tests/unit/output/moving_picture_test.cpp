// Springs, strips of positions and moving pictures.
#include <cmath>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "model_file/reading/model_file.h"
#include "output/drawing/animation.h"
#include "output/drawing/scene.h"
#include "output/drawing/stage.h"
#include "output/drawing/strip.h"
#include "simulation/kinematic/kinematic_run.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Numbers in a drawing are rounded to 0.01 units.
constexpr double drawn_tolerance = 0.02;

// A driven rod with a spring to ground, a spring wound about its pin, and a disk far from the pin.
const std::string rod = R"(
format = 1
name = "Rod"
[body.ground]
points = { A = [0, 1] }
[body.rod]
points = { O = [0, 0], P = [0.5, 0] }
[joint.O]
type = "revolute"
a = "ground"
b = "rod.O"
[driver.motor]
joint = "O"
type = "speed"
speed = "6.283185307179586 rad/s"
[force.pull]
type = "spring"
a = "ground.A"
b = "rod.P"
stiffness = "10 N/m"
[force.wound]
type = "joint_spring"
joint = "O"
stiffness = "1 N m/rad"
[profile.foot]
body = "rod"
elements = [{ type = "circle", centre = [0.9, 0], radius = 0.1 }]
)";

struct Moved {
    PlacedMechanism placed;
    std::vector<Moment> moments;
    Scene scene;
};

Moved moved(std::size_t count) {
    Diagnostics diagnostics;
    const auto model = read_model(rod, "test.toml", {}, diagnostics);
    EXPECT_TRUE(model) << diagnostics.text();
    Moved m;
    m.placed = assemble(model->mechanism);
    const Trajectory run = run_kinematics(m.placed, {}).trajectory;  // one turn in 100 steps
    std::vector<BodyPoses> poses;
    for (std::size_t i = 0; i < count; ++i) {
        m.moments.push_back(moment_of(run, m.placed.mechanism, 25 * i));
        poses.push_back(m.moments.back().poses);
    }
    m.scene = make_scene(m.placed, {.motion = poses, .shown = poses, .traces = {}});
    return m;
}

int count(const std::string& text, const std::string& what) {
    int n = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

TEST(Springs, reach_from_place_to_place) {
    const Moved m = moved(2);
    ASSERT_EQ(m.scene.springs.size(), 1U);
    for (const Moment& moment : m.moments) {
        std::string path = drawing::spring_path(m.scene, m.scene.springs[0], moment.poses);
        for (char& c : path)
            if (c == 'M' || c == 'L') c = ' ';
        std::istringstream numbers(path);
        std::vector<PlanarSpace::Vector> points;
        for (PlanarSpace::Vector p; numbers >> p.x >> p.y;) points.push_back(p);
        const double angle = 2 * M_PI * moment.t;
        EXPECT_NEAR(points.front().x, 0, drawn_tolerance);
        EXPECT_NEAR(points.front().y, m.scene.scale, drawn_tolerance);
        EXPECT_NEAR(points.back().x, 0.5 * m.scene.scale * std::cos(angle), drawn_tolerance);
        EXPECT_NEAR(points.back().y, 0.5 * m.scene.scale * std::sin(angle), drawn_tolerance);
        EXPECT_EQ(points.size(), 4U + 2 * m.scene.springs[0].teeth);
    }
}

TEST(Springs, stand_on_a_support_or_are_wound_about_their_pin) {
    const Moved m = moved(1);
    EXPECT_EQ(count(m.scene.bodies[0].shape, "L-"), 2);  // triangles: at O and at A
    EXPECT_EQ(count(m.scene.bodies[1].shape, "class='spiral'"), 1);
    EXPECT_EQ(count(svg(m.scene, {"", m.moments[0].poses, {}, {}, {}}), "class='spring'"), 1);
}

TEST(Stems, join_a_profile_to_the_bar_of_its_body) {
    EXPECT_EQ(count(moved(1).scene.bodies[1].shape, "class='stem'"), 1);
}

TEST(Strip, shows_each_position_with_its_time_at_one_scale) {
    const Moved m = moved(4);
    const std::string text = svg_strip(m.scene, "four", m.moments, 2);
    EXPECT_EQ(count(text, "<g class='mechanism'"), 4);
    EXPECT_EQ(count(text, "data-body='rod'"), 4);
    for (const char* time : {">1. t = 0 s<", ">2. t = 0.25 s<", ">4. t = 0.75 s<"})
        EXPECT_EQ(count(text, time), 1) << time;
    EXPECT_EQ(count(text, "class='scale'"), 1);
    EXPECT_EQ(count(text, ">rod</text>"), 1);  // named once
    // The second cell is beside the first, the third below it.
    std::vector<double> x, y;
    const std::regex pose(
        "class='mechanism' data-t='[^']+' transform='translate\\((\\S+) (\\S+)\\)");
    for (std::sregex_iterator i(text.begin(), text.end(), pose), end; i != end; ++i) {
        x.push_back(std::stod((*i)[1]));
        y.push_back(std::stod((*i)[2]));
    }
    ASSERT_EQ(x.size(), 4U);
    EXPECT_GT(x[1], x[0]);
    EXPECT_EQ(y[1], y[0]);
    EXPECT_EQ(x[2], x[0]);
    EXPECT_GT(y[2], y[0]);
}

TEST(Strip, has_columns_that_fit_the_shape_of_the_mechanism) {
    EXPECT_EQ(strip_layout(6, 0.1).columns, 6);   // tall: all beside each other
    EXPECT_EQ(strip_layout(6, 20.0).columns, 1);  // flat: all below each other
    const int square = strip_layout(12, 1).columns;
    EXPECT_TRUE(square == 4 || square == 5) << square;
}

TEST(Animation, moves_every_body_through_all_moments) {
    const Moved m = moved(4);
    const std::string text = svg_animation(m.scene, {"slow", m.moments, {}, 3});
    const std::regex turn("type='rotate' additive='sum' values='([^']+)' keyTimes='([^']+)'");
    std::smatch match;
    ASSERT_TRUE(std::regex_search(text, match, turn));
    EXPECT_EQ(match[1], "0;90;180;270");  // goes on turning: no jump back at half a turn
    EXPECT_EQ(match[2], "0;0.33333;0.66667;1");
    EXPECT_EQ(count(text, "<animate attributeName='d'"), 1);  // the spring
    EXPECT_EQ(count(text, "repeatCount='indefinite'"), 4);    // move, turn, spring, clock
    EXPECT_EQ(count(text, "dur='3s'"), 4);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
