#include "output/drawing/scene.h"

#include <cmath>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "model_file/reading/model_file.h"
#include "simulation/kinematic/kinematic_run.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Numbers in a drawing are rounded to 0.01 units and angles to 1e-4 degrees (0.001 units at the far
// end of a body); a position passes through three rounded numbers.
constexpr double drawn_tolerance = 0.03;

const std::string four_bar = R"(
format = 1
name = "Tom & <Jerry>'s four-bar"
[parameters]
unit = "1 m"
[body.ground]
points = { O = [0, 0], D = ["0.5*unit", 0] }
[body.crank]
angle = "30 deg"
points = { O = [0, 0], A = ["0.2*unit", 0] }
[body.coupler]
angle = "40 deg"
points = { A = [0, 0], C = ["0.5*unit", 0], P = ["0.25*unit", "0.15*unit"] }
[body.rocker]
angle = "100 deg"
points = { D = [0, 0], M = ["0.2*unit", 0], C = ["0.4*unit", 0] }
[joint.O]
type = "revolute"
a = "ground.O"
b = "crank.O"
[joint.A]
type = "revolute"
a = "crank.A"
b = "coupler.A"
[joint.C]
type = "revolute"
a = "coupler.C"
b = "rocker.C"
[joint.D]
type = "revolute"
a = "ground.D"
b = "rocker.D"
[driver.motor]
joint = "O"
type = "speed"
speed = "1 rad/s"
[measure.tip]
type = "point"
point = "coupler.P"
[contact.rub]
a = "crank"
b = "rocker"
)";

struct Drawn {
    PlacedMechanism placed;
    std::vector<BodyPoses> motion;
    Scene scene;
    std::string text;
};

Drawn draw(const std::string& text, const Overrides& overrides = {}, std::size_t earlier = 0) {
    Diagnostics diagnostics;
    const auto model = read_model(text, "test.toml", overrides, diagnostics);
    EXPECT_TRUE(model) << diagnostics.text();
    Drawn d;
    d.placed = assemble(model->mechanism);
    EXPECT_TRUE(d.placed.ok()) << d.placed.assembly.message;
    const Trajectory run = run_kinematics(d.placed, {}).trajectory;
    std::vector<std::size_t> rows(run.rows());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    d.motion = poses_of(run, d.placed.mechanism, rows);
    Picture picture{"t = 0 s", d.motion[0], {}, traces_of(d.placed.mechanism, d.motion), {}};
    for (std::size_t i = 1; i <= earlier; ++i) picture.earlier.push_back(d.motion[5 * i]);
    std::vector<BodyPoses> shown = picture.earlier;
    shown.push_back(picture.now);
    d.scene = make_scene(d.placed, {.motion = d.motion, .shown = shown, .traces = picture.traces});
    d.text = svg(d.scene, picture);
    return d;
}

int count(const std::string& text, const std::string& what) {
    int n = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

// The numbers in the first match of a pattern with groups.
std::vector<double> numbers(const std::string& text, const std::string& pattern) {
    std::smatch match;
    if (!std::regex_search(text, match, std::regex(pattern))) {
        ADD_FAILURE() << "not found: " << pattern;
        return std::vector<double>(3, NAN);
    }
    std::vector<double> out;
    for (std::size_t i = 1; i < match.size(); ++i) out.push_back(std::stod(match[i]));
    return out;
}

// Where the pin with this title is on the page, through the transforms of the mechanism and of the
// body.
PlanarSpace::Vector pin_on_page(const std::string& text, const std::string& body,
                                const std::string& title) {
    const auto origin =
        numbers(text, "class='mechanism' transform='translate\\((\\S+) (\\S+)\\) scale\\(1 -1\\)'");
    const std::string group = "class='body' data-body='" + body + "'";
    const std::string rest = text.substr(text.find(group));
    const auto pose = numbers(rest, "transform='translate\\((\\S+) (\\S+)\\) rotate\\((\\S+)\\)'");
    const auto at = numbers(rest, "cx='([^']+)' cy='([^']+)'[^<]*<title>" + title);
    const auto p = PlanarSpace::position_of({{pose[0], pose[1]}, pose[2] * M_PI / 180});
    const auto mechanism = p.p + p.to_ground({at[0], at[1]});
    return {origin[0] + mechanism.x, origin[1] - mechanism.y};
}

TEST(Scene, has_one_group_for_each_body) {
    EXPECT_EQ(count(draw(four_bar).text, "<g class='body'"), 4);
}

TEST(Scene, each_earlier_position_shows_every_moving_body_again) {
    const Drawn d = draw(four_bar, {}, 3);
    EXPECT_EQ(count(d.text, "<g class='body'"), 4);
    EXPECT_EQ(count(d.text, "<g class='earlier'"), 9);
}

TEST(Scene, pins_are_drawn_where_the_mechanism_has_them_with_y_up) {
    const Drawn d = draw(four_bar);
    const auto o = pin_on_page(d.text, "crank", "revolute O"),
               a = pin_on_page(d.text, "coupler", "revolute A");
    EXPECT_NEAR(a.x - o.x, d.scene.scale * 0.2 * std::cos(M_PI / 6), drawn_tolerance);
    EXPECT_NEAR(o.y - a.y, d.scene.scale * 0.2 * std::sin(M_PI / 6), drawn_tolerance);
    const auto c = pin_on_page(d.text, "rocker", "revolute C");
    const auto expected =
        d.placed.assembly.positions[3].p + d.placed.assembly.positions[3].to_ground({0.4, 0});
    EXPECT_NEAR(c.x - o.x, d.scene.scale * expected.x, drawn_tolerance);
    EXPECT_NEAR(o.y - c.y, d.scene.scale * expected.y, drawn_tolerance);
}

TEST(Scene, names_bodies_and_traces_but_not_ground) {
    const std::string text = draw(four_bar).text;
    for (const char* name : {"crank", "coupler", "rocker", "tip"})
        EXPECT_EQ(count(text, std::string(">") + name + "</text>"), 1);
    EXPECT_EQ(count(text, ">ground</text>"), 0);
}

TEST(Scene, lists_the_pairs_that_may_touch) {
    EXPECT_EQ(count(draw(four_bar).text, "crank–rocker (rub)"), 1);
}

TEST(Scene, escapes_what_xml_reserves) {
    const std::string text = draw(four_bar).text;
    EXPECT_EQ(count(text, "aria-label='Tom &amp; &lt;Jerry>&apos;s four-bar'"), 1);
    EXPECT_EQ(count(text, "& "), 0);
}

TEST(Scene, scale_bar_is_a_round_length_and_as_long_as_it_says) {
    for (const double size : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0}) {
        const Drawn d = draw(four_bar, {{"unit", std::to_string(size) + " m"}});
        const auto bar =
            numbers(d.text, "class='scale' data-length='([^']+)' d='M20 \\S+v8m0 -4h([^m]+)m");
        EXPECT_NEAR(bar[1], bar[0] * d.scene.scale, drawn_tolerance);
        EXPECT_TRUE(bar[1] > 60 && bar[1] <= 160) << bar[1];
        const bool round =
            bar[0] == 0.1 || bar[0] == 0.2 || bar[0] == 0.5 || bar[0] == 1 || bar[0] == 2;
        EXPECT_TRUE(round) << bar[0];
        const std::string text = bar[0] < 1 ? std::to_string(std::lround(1000 * bar[0])) + " mm"
                                            : std::to_string(std::lround(bar[0])) + " m";
        EXPECT_EQ(count(d.text, ">" + text + "</text>"), 1) << text;
    }
}

TEST(Scene, looks_the_same_at_every_size) {
    const Drawn metres = draw(four_bar), microns = draw(four_bar, {{"unit", "1e-6 m"}});
    // Both are the same numbers times a power of ten, up to rounding.
    EXPECT_NEAR(microns.scene.scale * 1e-6 / metres.scene.scale, 1, 1e-9);
    EXPECT_NEAR(microns.scene.bar, metres.scene.bar, 1e-9);
    EXPECT_EQ(count(microns.text, "µm</text>"), 1);
}

TEST(Scene, everything_shown_lies_inside_the_page) {
    const Drawn d = draw(four_bar, {}, 5);
    const auto page = numbers(d.text, "viewBox='0 0 (\\S+) ([^']+)'");
    const auto origin =
        numbers(d.text, "class='mechanism' transform='translate\\((\\S+) (\\S+)\\)");
    const auto expect_inside = [&](PlanarSpace::Vector at) {
        const double x = origin[0] + d.scene.scale * at.x, y = origin[1] - d.scene.scale * at.y;
        EXPECT_TRUE(x > 0 && x < page[0] && y > 0 && y < page[1]) << x << ", " << y;
    };
    for (std::size_t i = 0; i <= 5; ++i)
        for (std::size_t b = 0; b < d.scene.bodies.size(); ++b)
            for (const auto& p : d.scene.bodies[b].outline)
                expect_inside(d.motion[5 * i][b].p + d.motion[5 * i][b].to_ground(p));
    const auto traces = traces_of(d.placed.mechanism, d.motion);
    for (const auto& p : traces[0].path) expect_inside(p);
}

TEST(Scene, three_points_make_a_plate_and_points_on_a_line_a_bar) {
    const Drawn d = draw(four_bar);
    EXPECT_EQ(count(d.scene.bodies[2].shape, " 0 0 1 "), 3)
        << "the coupler has three rounded corners";
    EXPECT_EQ(count(d.scene.bodies[3].shape, " 0 0 1 "), 2)
        << "the rocker, with M on the line, has two";
}

TEST(Scene, trace_is_the_path_of_the_measured_point) {
    const Drawn d = draw(four_bar);
    const auto traces = traces_of(d.placed.mechanism, d.motion);
    ASSERT_EQ(traces.size(), 1U);
    EXPECT_EQ(traces[0].name, "tip");
    ASSERT_EQ(traces[0].path.size(), d.motion.size());
    const auto& coupler = d.motion.back()[2];
    const auto tip = coupler.p + coupler.to_ground({0.25, 0.15});
    EXPECT_DOUBLE_EQ(traces[0].path.back().x, tip.x);
    EXPECT_DOUBLE_EQ(traces[0].path.back().y, tip.y);
}

TEST(Scene, slot_is_as_long_as_the_pin_travels_and_a_guide_longer_than_the_slide) {
    const Drawn d = draw(R"(
format = 1
[body.crank]
points = { O = [0, 0], A = [0.05, 0] }
[body.yoke]
position = [0.05, 0]
[joint.O]
type = "revolute"
a = "ground"
b = "crank.O"
[joint.guide]
type = "prismatic"
a = "ground"
b = "yoke"
[joint.pin]
type = "slot"
a = "yoke"
b = "crank.A"
axis = "90 deg"
[driver.motor]
joint = "O"
type = "speed"
speed = "60 rpm"
)");
    // One turn in 100 samples, so the pin passes both ends of its travel, +-50 mm, at samples,
    // exactly but for rounding.
    double low = 0, high = 0, left = 0, right = 0;
    for (const auto& p : d.scene.bodies[2].outline) {
        low = std::min(low, p.y);
        high = std::max(high, p.y);
    }
    for (const auto& p : d.scene.bodies[0].outline) {
        left = std::min(left, p.x);
        right = std::max(right, p.x);
    }
    EXPECT_NEAR(low, -0.05, 1e-9);
    EXPECT_NEAR(high, 0.05, 1e-9);
    const double block = 2.6 * d.scene.bar / d.scene.scale;  // half its length
    EXPECT_LT(left, -0.05 - block);
    EXPECT_GT(right, 0.05 + block);
}

// A disk beside a floor and a frame around it: a line with material below, a solid circle, a hole.
const std::string profiles = R"(
format = 1
[body.ball]
position = [0.2, 0.35]
mass = 1
inertia = 1
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [1, 0], to = [-1, 0] }]
[profile.ball]
body = "ball"
at = [0.05, 0]
angle = "90 deg"
elements = [{ type = "circle", radius = 0.25 }]
[profile.ring]
body = "ground"
elements = [{ type = "circle", centre = [0, 0], radius = 2, hollow = true }]
[contact.C]
a = "floor"
b = "ball"
)";

// The points of the polyline of a profile, in the axes of its body, m.
std::vector<PlanarSpace::Vector> outline_of(const Drawn& d, const std::string& profile) {
    const std::regex whole("<path class='profile' d='([^']+)'[^>]*><title>profile " + profile);
    std::smatch match;
    EXPECT_TRUE(std::regex_search(d.text, match, whole)) << profile;
    std::string path = match[1];
    for (char& c : path)
        if (c == 'M' || c == 'L' || c == 'z') c = ' ';
    std::istringstream numbers(path);
    std::vector<PlanarSpace::Vector> out;
    for (PlanarSpace::Vector p; numbers >> p.x >> p.y;) out.push_back(1 / d.scene.scale * p);
    return out;
}

TEST(Scene, polyline_of_a_profile_leaves_its_curve_by_less_than_a_fifth_of_a_unit) {
    const Drawn d = draw(profiles);
    const auto points = outline_of(d, "ball");
    ASSERT_GT(points.size(), 8U);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const auto middle = 0.5 * (points[i] + points[i - 1]) - PlanarSpace::Vector{0.05, 0};
        const double off = 0.25 - std::hypot(middle.x, middle.y);
        EXPECT_LT(std::abs(off) * d.scene.scale, 0.2);
    }
    EXPECT_NEAR(points.front().y, 0.25, drawn_tolerance / d.scene.scale)
        << "its axes are turned by 90 degrees";
}

TEST(Scene, material_is_shaded_in_a_body_and_hatched_along_other_profiles) {
    const Drawn d = draw(profiles);
    EXPECT_EQ(count(d.text, "class='profile'"), 3);
    EXPECT_EQ(count(d.scene.bodies[1].shape, "class='profile'"), 1);
    EXPECT_EQ(count(d.scene.bodies[1].shape, "fill-opacity='0.18'"), 1);
    EXPECT_EQ(count(d.text, "class='hatch'"), 2);
}

TEST(Scene, hatching_lies_on_the_material_side) {
    const Drawn d = draw(profiles);
    const std::regex strokes("class='hatch' d='([^']+)'");
    const std::string& shape = d.scene.bodies[0].shape;
    std::smatch match;
    ASSERT_TRUE(std::regex_search(shape, match, strokes));
    // The floor comes first: travel towards -x, material below.
    const std::string path = match[1];
    const std::regex stroke("M(\\S+) (\\S+)l(\\S+?) ([-0-9.]+)");
    int n = 0;
    for (std::sregex_iterator i(path.begin(), path.end(), stroke), end; i != end; ++i, ++n) {
        EXPECT_EQ(std::stod((*i)[2]), 0);
        EXPECT_LT(std::stod((*i)[4]), 0);
    }
    EXPECT_NEAR(n, 2 * d.scene.scale / (1.1 * d.scene.bar), 1);
}

TEST(Scene, each_element_has_its_number_when_asked) {
    Drawn d = draw(profiles);
    const auto numbered = [](const std::string& text) {
        const std::size_t begin = text.find("<g class='elements'");
        return count(text.substr(begin, text.find("</g>", begin) - begin), "<text");
    };
    EXPECT_EQ(numbered(d.text), 0);
    const Picture picture{"", d.motion[0], {}, {}, {}};
    d.scene = make_scene(d.placed, {.motion = d.motion,
                                    .shown = std::span(d.motion).first(1),
                                    .traces = {},
                                    .elements = true});
    // Floor: the corner at its right end, the line, the corner at its left end; two circles.
    ASSERT_EQ(d.scene.bodies[0].numbers.size(), 4U);
    EXPECT_EQ(d.scene.bodies[1].numbers.size(), 1U);
    EXPECT_EQ(numbered(svg(d.scene, picture)), 5);
    const SceneNumber& line = d.scene.bodies[0].numbers[1];
    EXPECT_EQ(line.number, 1);
    EXPECT_EQ(line.at.x, 0);
    EXPECT_EQ(line.towards.y, -1) << "in the material";
}

TEST(Scene, contacts_are_marked_where_the_trajectory_has_them) {
    const Drawn d = draw(profiles);
    Trajectory run;
    run.columns = {{"t", "s"},       {"ball.x", "m"}, {"ball.y", "m"}, {"ball.angle", "rad"},
                   {"C#1.gap", "m"}, {"C#1.a", "1"},  {"C#1.b", "1"},  {"C#1.closed", "1"}};
    // Above the floor by 0.1: floor element 1 at x = 0.25, circle from 90 degrees on, so its foot
    // is at half a turn.
    run.add(std::array{0.0, 0.2, 0.35, 0.0, 0.1, 1.375, 0.5, 0.0});
    run.add(std::array{1.0, 0.2, 0.25, 0.0, 0.0, 1.375, 0.5, 1.0});
    const auto both = contacts_of(run, d.placed.mechanism, std::array<std::size_t, 2>{0, 1});
    const auto &open = both[0], &closed = both[1];
    ASSERT_EQ(open.size(), 1U);
    EXPECT_FALSE(open[0].closed);
    EXPECT_NEAR(open[0].p[0].x, 0.25, 1e-15);  // rounding of numbers of order one, here and below
    EXPECT_NEAR(open[0].p[1].x, 0.25, 1e-15);
    EXPECT_NEAR(open[0].p[1].y, 0.1, 1e-15);
    EXPECT_NEAR(open[0].n.y, 1, 1e-15);
    ASSERT_EQ(closed.size(), 1U);
    EXPECT_TRUE(closed[0].closed);
    const auto marks = [&](const std::vector<ContactMark>& contacts) {
        return svg(d.scene, Picture{"", d.motion[0], {}, {}, contacts});
    };
    EXPECT_EQ(count(marks(open), "class='contact open'"), 1);
    EXPECT_EQ(count(marks(open), "C#1 100 mm apart"), 1);
    // Far away it is named, not drawn.
    auto far = open;
    far[0].p[1].y = 30;
    EXPECT_EQ(count(marks(far), "class='contact open'"), 0);
    EXPECT_EQ(count(marks(closed), "class='contact closed'"), 1);
    EXPECT_EQ(count(marks(closed), "C#1 closed"), 1);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
