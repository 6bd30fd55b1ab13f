// Letters in pictures are large enough to be read and do not cover each other.
#include <cmath>
#include <ctime>
#include <regex>

#include <gtest/gtest.h>

#include "model_file/reading/model_file.h"
#include "output/drawing/animation.h"
#include "output/drawing/graph_picture.h"
#include "output/drawing/mechanism_names.h"
#include "output/drawing/stage.h"
#include "output/drawing/strip.h"
#include "output/plot/plot.h"
#include "output/svg/svg_text.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using drawing::LabelBox;
using Vector = PlanarSpace::Vector;

// A wide floor with a step and a small marble: bars are as thin as they get.
const std::string marble = R"(
format = 1
name = "Marble"
[body.marble]
position = [0.2, 0.35]
mass = 1
inertia = 1
[profile.floor]
body = "ground"
elements = [
  { type = "line", from = [10, 0], to = [0, 0] },
  { type = "line", from = [0, 0], to = [0, 0.1] },
  { type = "line", from = [0, 0.1], to = [-10, 0.1] },
]
[profile.marble]
body = "marble"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "floor"
b = "marble"
)";

struct Drawn {
    PlacedMechanism placed;
    BodyPoses poses;
    Scene scene;
    [[nodiscard]] std::string text() const { return svg(scene, {"t = 0 s", poses, {}, {}, {}}); }
};
Drawn drawn(double width = 852) {
    Diagnostics diagnostics;
    const auto model = read_model(marble, "marble.toml", {}, diagnostics);
    EXPECT_TRUE(model) << diagnostics.text();
    Drawn d{assemble(model->mechanism), {}, {}};
    d.poses = d.placed.assembly.positions;
    const std::vector<BodyPoses> shown{d.poses};
    d.scene = make_scene(d.placed, {.motion = shown,
                                    .shown = shown,
                                    .traces = {},
                                    .elements = true,
                                    .room = room_on_page(width)});
    return d;
}

double smallest_letters(const std::string& text) {
    double least = INFINITY;
    const std::regex size("<text[^>]* font-size='([0-9.]+)'");
    for (std::sregex_iterator i(text.begin(), text.end(), size), end; i != end; ++i)
        least = std::min(least, std::stod((*i)[1]));
    EXPECT_LT(least, INFINITY) << "has text";
    return least;
}

TEST(Legibility, letters_of_pictures_have_a_least_size) {
    for (const double width : {360.0, 852.0, 1400.0})
        EXPECT_GE(smallest_letters(drawn(width).text()), drawing::smallest_font) << width;
    const Drawn d = drawn();
    const std::vector<Moment> moments{{0, d.poses, {}}, {1, d.poses, {}}};
    EXPECT_GE(smallest_letters(svg_strip(d.scene, "two", moments, 2)), drawing::smallest_font);
    EXPECT_GE(smallest_letters(svg_animation(d.scene, {"slow", moments, {}, 3})),
              drawing::smallest_font);
    EXPECT_GE(smallest_letters(svg(d.placed.topology, "Graph", {{"t = 0 s", {}}})),
              drawing::smallest_font);
}

TEST(Legibility, letters_of_plots_with_many_curves_have_a_least_size) {
    Plot plot{"", "", {{"t [s]", "x [m]", {}, {}, ""}}, true, {{0.5, "impact C#1"}}};
    for (int i = 0; i < 35; ++i)
        plot.panels[0].curves.push_back({"c" + std::to_string(i), {0, 1e-6}, {0, 1e6}});
    EXPECT_GE(smallest_letters(svg(plot)), drawing::smallest_font);
}

TEST(Legibility, names_in_a_legend_end_on_the_page) {
    const std::string name = "a_curve_with_quite_a_long_name.normal";
    const Plot plot{"",
                    "",
                    {{"t [s]", "x [m]", {{name, {0, 1}, {0, 1}}, {"b", {0, 1}, {1, 0}}}, {}, ""}},
                    true,
                    {}};
    const std::string text = svg(plot);
    std::smatch match;
    ASSERT_TRUE(std::regex_search(text, match,
                                  std::regex("<text x='([0-9.]+)'[^>]* class='legend'>" + name)));
    constexpr double page = 860;
    const double width = drawing::mean_letter * 12 * static_cast<double>(name.size());
    EXPECT_LE(std::stod(match[1]) + width, page);
}

TEST(Legibility, a_picture_is_as_wide_as_asked) {
    for (const double width : {360.0, 1400.0}) {
        const std::string text = drawn(width).text();
        std::smatch match;
        ASSERT_TRUE(std::regex_search(text, match, std::regex("viewBox='0 0 ([0-9.]+)")));
        EXPECT_NEAR(std::stod(match[1]), width, 0.01);  // numbers are rounded to 0.01
    }
}

TEST(Legibility, guides_end_within_the_frame_of_their_position_in_a_strip) {
    Drawn d = drawn();
    d.scene.bar = 7;
    const std::string text = svg_strip(d.scene, "two", {{0, d.poses, {}}, {1, d.poses, {}}}, 2);
    std::smatch frame, origin;
    ASSERT_TRUE(std::regex_search(text, frame, std::regex("<rect x='([0-9.]+)'")));
    ASSERT_TRUE(
        std::regex_search(text, origin, std::regex("class='mechanism'[^>]*translate\\(([0-9.]+)")));
    // A guide begins four half widths of a bar before its way.
    const double begin = std::stod(origin[1]) + d.scene.scale * d.scene.low.x - 4 * d.scene.bar;
    EXPECT_GT(begin, std::stod(frame[1]));
}

TEST(Legibility, numbers_of_elements_move_aside_or_are_left_out_and_never_overlap) {
    Drawn d = drawn();
    auto& numbers = d.scene.bodies[0].numbers;
    numbers.clear();
    for (int i = 0; i < 30; ++i)  // a unit apart, each with two digits
        numbers.push_back({10 + i, {i / d.scene.scale, 0}, {0, 1}});
    const drawing::OnPage on_page{{100, 100}, d.scene.scale};
    const Picture picture{"", d.poses, {}, {}, {}};
    const auto placed = drawing::lay_out_numbers(d.scene, picture, on_page);
    const std::size_t all = 30 + d.scene.bodies[1].numbers.size();
    EXPECT_EQ(placed.boxes.size() + static_cast<std::size_t>(placed.left_out), all);
    EXPECT_GT(placed.left_out, 0);
    // Above, farther above, below, and to the sides of these.
    EXPECT_GE(placed.boxes.size(), 7U);
    for (std::size_t i = 0; i < placed.boxes.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            EXPECT_FALSE(placed.boxes[i].meets(placed.boxes[k])) << i << " and " << k;
    EXPECT_EQ(placed.group, drawing::lay_out_numbers(d.scene, picture, on_page).group);
    const std::string text = svg(d.scene, picture);
    EXPECT_NE(text.find(fmt::format("{} element numbers omitted<", placed.left_out)),
              std::string::npos);
}

TEST(Legibility, names_keep_clear_of_numbers) {
    const drawing::Ink ink{{{100, 100}}, 3, 4};
    const std::vector<drawing::Name> names{{"crank", 0, ""}};
    const drawing::NameRoom room{{0, 0}, {300, 300}, 12};
    const Vector free = drawing::lay_out_names(names, {ink}, room).front();
    const LabelBox number{free, {7, 6}};
    const Vector moved = drawing::lay_out_names(names, {ink}, room, {number}).front();
    const LabelBox name{moved, {drawing::mean_letter * 12 * 5 / 2, 0.55 * 12}};
    EXPECT_FALSE(name.meets(number));
}

// Ten times as many names on a page of ten times the length: each looks at its neighbours alone.
TEST(Legibility, names_take_time_in_proportion_to_their_number) {
    const auto positions = [](int count) {
        std::vector<drawing::Ink> inks;
        std::vector<drawing::Name> names;
        for (int i = 0; i < count; ++i) {
            drawing::Ink ink{{}, 3, 4};
            for (int k = 0; k <= 40; ++k) ink.points.push_back({60.0 * i + k, 100.0 + k % 7});
            inks.push_back(std::move(ink));
            names.push_back({fmt::format("body {}", i), inks.size() - 1, ""});
        }
        const auto begin = std::clock();
        const auto out = drawing::lay_out_names(names, inks, {{0, 0}, {60.0 * count, 300}, 12});
        return std::pair(out, static_cast<double>(std::clock() - begin));
    };
    const auto [few, short_time] = positions(50);
    const auto [many, long_time] = positions(500);
    EXPECT_LT(long_time, 40 * short_time);
    // What is far away changes nothing.
    for (std::size_t i = 0; i + 2 < few.size(); ++i) {
        EXPECT_EQ(few[i].x, many[i].x);
        EXPECT_EQ(few[i].y, many[i].y);
    }
}

TEST(Legibility, graphs_in_a_page_stand_alone_and_wide_captions_have_two_lines) {
    const Drawn d = drawn();
    const std::string when = "12. 2.324 s to 2.816 s", rest = "DOF 3 − 1 = 2 (230 more follow)";
    const std::string text =
        html_graphs(d.placed.topology, {{"1. 0 s to 1 s", {}}, {when + "; " + rest, {{"C", 1}}}});
    std::vector<double> widths;
    const std::regex page("<svg xmlns[^>]* width='([0-9.]+)'");
    for (std::sregex_iterator i(text.begin(), text.end(), page), end; i != end; ++i)
        widths.push_back(std::stod((*i)[1]));
    ASSERT_EQ(widths.size(), 2U);
    constexpr double telephone = 360;  // pixels
    EXPECT_LT(widths[0], telephone);
    for (const std::string& line : {when, rest}) {
        EXPECT_NE(text.find(">" + line + "</text>"), std::string::npos) << line;
        EXPECT_LT(drawing::mean_letter * 12 * static_cast<double>(line.size()), widths[0]);
    }
    EXPECT_NE(text.find("virtual contact</li>"), std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
