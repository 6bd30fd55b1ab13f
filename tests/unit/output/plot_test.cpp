#include "output/plot/plot.h"

#include <cmath>
#include <regex>

#include <gtest/gtest.h>

#include "output/plot/mark_labels.h"
#include "output/plot/polyline.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Numbers in a drawing are rounded to 0.01 units, and points nearer than 0.1 units to their
// neighbours' line are left out.
constexpr double drawn_tolerance = 0.12;

int count(const std::string& text, const std::string& what) {
    int n = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

std::vector<double> numbers_in(const std::string& text) {
    std::vector<double> out;
    const std::regex number("-?[0-9.]+(e-?[0-9]+)?");
    for (std::sregex_iterator i(text.begin(), text.end(), number), end; i != end; ++i)
        out.push_back(std::stod(i->str()));
    return out;
}

std::string attribute(const std::string& text, const std::string& name, std::size_t from = 0) {
    const std::size_t at = text.find(" " + name + "='", from);
    EXPECT_NE(at, std::string::npos) << name;
    const std::size_t begin = at + name.size() + 3;
    return text.substr(begin, text.find('\'', begin) - begin);
}

// A curve of the first panel with this name, as numbers of its axes.
std::vector<std::pair<double, double>> curve(const std::string& text, const std::string& name) {
    const auto frame = numbers_in(attribute(text, "data-frame")),
               x = numbers_in(attribute(text, "data-x")), y = numbers_in(attribute(text, "data-y"));
    const std::size_t at = text.find("class='curve' data-name='" + name + "'");
    EXPECT_NE(at, std::string::npos) << name;
    const auto page = numbers_in(attribute(text, "d", at));
    std::vector<std::pair<double, double>> out;
    for (std::size_t i = 0; i + 1 < page.size(); i += 2)
        out.emplace_back(x[0] + (page[i] - frame[0]) / frame[2] * (x[1] - x[0]),
                         y[0] + (frame[1] + frame[3] - page[i + 1]) / frame[3] * (y[1] - y[0]));
    return out;
}

Plot sine() {
    Plot plot{"Tom & Jerry", "a caption", {{"t [s]", "x [mm]", {{"x", {}, {}}}, {}, ""}}, true, {}};
    for (int i = 0; i <= 1000; ++i) {
        plot.panels[0].curves[0].x.push_back(2e-3 * i);
        plot.panels[0].curves[0].y.push_back(3 + std::sin(2e-3 * i * M_PI));
    }
    return plot;
}

TEST(Plot, curves_run_through_their_numbers) {
    const std::string text = svg(sine());
    const auto points = curve(text, "x");
    const auto frame = numbers_in(attribute(text, "data-frame")),
               y = numbers_in(attribute(text, "data-y"));
    ASSERT_GT(points.size(), 20U);
    EXPECT_LT(points.size(), 300U);  // of 1001: a smooth curve needs few
    for (const auto& [px, py] : points)
        EXPECT_NEAR(py, 3 + std::sin(px * M_PI), drawn_tolerance * (y[1] - y[0]) / frame[3]);
    EXPECT_NEAR(points.front().first, 0, 1e-9);
    EXPECT_NEAR(points.back().first, 2, 1e-9);
}

TEST(Plot, has_title_caption_and_axes_with_units) {
    const std::string text = svg(sine());
    for (const char* words : {">Tom &amp; Jerry</text>", ">a caption</text>", ">t [s]</text>",
                              ">x [mm]</text>", ">1.0</text>", ">3.0</text>"})
        EXPECT_EQ(count(text, words), 1) << words;
    EXPECT_EQ(count(text, "class='legend'"), 0);  // one curve is named by its axis
}

TEST(Plot, a_value_that_is_not_known_breaks_the_line) {
    Plot plot = sine();
    plot.panels[0].curves[0].y[500] = NAN;
    const std::string text = svg(plot);
    const std::string path = attribute(text, "d", text.find("class='curve'"));
    EXPECT_EQ(count(path, "M"), 2);
    EXPECT_EQ(count(text, "nan"), 0);
}

TEST(Plot, every_curve_has_its_own_look_and_stands_in_the_legend) {
    Plot plot = sine();
    plot.panels[0].curves.resize(35, plot.panels[0].curves[0]);
    for (int i = 0; i < 35; ++i) plot.panels[0].curves[i].name = "c" + std::to_string(i);
    const std::string text = svg(plot);
    EXPECT_EQ(count(text, "class='legend'"), 35);
    std::vector<std::string> looks;
    for (std::size_t at = text.find("class='sample'"); at != std::string::npos;
         at = text.find("class='sample'", at + 1)) {
        const std::string element = text.substr(at, text.find("/>", at) - at);
        looks.push_back(attribute(element, "stroke") +
                        (element.find("dasharray") == std::string::npos
                             ? ""
                             : attribute(element, "stroke-dasharray")));
    }
    std::sort(looks.begin(), looks.end());
    EXPECT_EQ(std::unique(looks.begin(), looks.end()), looks.end());
    EXPECT_EQ(looks.size(), 35U);
}

TEST(Plot, marks_go_through_all_panels_at_their_time) {
    Plot plot = sine();
    plot.panels.push_back(plot.panels[0]);
    plot.marks = {{0.5, "impact C#1"}, {1.5, "contact lost C#1"}};
    const std::string text = svg(plot);
    EXPECT_EQ(count(text, "class='mark'"), 2);
    EXPECT_EQ(count(text, "class='mark-name'"), 2);
    const auto frame = numbers_in(attribute(text, "data-frame"));
    const std::string line = attribute(text, "d", text.find("class='mark'"));
    EXPECT_EQ(count(line, "M"), 2);
    EXPECT_NEAR(numbers_in(line)[0], frame[0] + 0.25 * frame[2], 0.01);
}

TEST(Plot, many_marks_become_ticks_and_the_caption_says_so) {
    Plot plot = sine();
    for (int i = 0; i < 400; ++i) plot.marks.push_back({5e-3 * i, "impact C#1"});
    std::string text = svg(plot);
    EXPECT_EQ(count(text, "class='mark'") + count(text, "class='mark-name'"), 0);
    EXPECT_GT(count(text, "class='tick'"), 50);
    EXPECT_EQ(count(text, ">a caption; 400 events, marks merged: ticks at the top<"), 1);
    plot.marks[100].label = "snap latch";
    text = svg(plot);
    EXPECT_EQ(count(text, "class='mark'"), 1);
    EXPECT_EQ(count(text, ">snap latch</text>"), 1);
    EXPECT_EQ(count(text, "lines for the rarest kinds, else ticks at the top<"), 1);
    plot.marks.resize(2);
    text = svg(plot);
    EXPECT_EQ(count(text, "class='tick'"), 0);
    EXPECT_EQ(count(text, ">a caption; dashed lines: 2 events at their times<"), 1);
}

TEST(Plot, panels_with_equal_scales_keep_the_shape_of_a_path) {
    Plot plot = sine();
    plot.shared_x = false;
    plot.panels[0].equal_scales = plot.panels[0].ends = true;
    const std::string text = svg(plot);
    const auto frame = numbers_in(attribute(text, "data-frame")),
               x = numbers_in(attribute(text, "data-x")), y = numbers_in(attribute(text, "data-y"));
    EXPECT_NEAR(frame[2] / (x[1] - x[0]), frame[3] / (y[1] - y[0]), 0.01);
    EXPECT_EQ(count(text, "class='start'"), 1);
    EXPECT_EQ(count(text, "class='end'"), 1);
}

TEST(Plot, a_constant_and_an_empty_curve_have_axes_too) {
    Plot plot = sine();
    for (double& y : plot.panels[0].curves[0].y) y = 5;
    EXPECT_EQ(count(svg(plot), "nan") + count(svg(plot), "inf"), 0);
    EXPECT_NEAR(curve(svg(plot), "x").front().second, 5, 0.01);
    for (double& y : plot.panels[0].curves[0].y) y = NAN;
    EXPECT_EQ(count(svg(plot), "nan") + count(svg(plot), "inf"), 0);
}

TEST(Ticks, are_round_numbers_within_the_range) {
    const Ticks t = ticks_between(-0.13, 0.94, 6);
    ASSERT_EQ(t.values.size(), 5U);
    EXPECT_EQ(t.text(t.values[0]), "0.0");
    EXPECT_EQ(t.text(t.values[4]), "0.8");
    EXPECT_EQ(ticks_between(-30, 70, 6).text(-20), "−20");
    EXPECT_TRUE(ticks_between(1, 1, 6).values.empty());
}

TEST(Ticks, of_large_and_small_numbers_are_divided_by_a_power_of_a_thousand) {
    const Ticks small = ticks_between(0, 4e-5, 5);
    EXPECT_EQ(small.exponent, -6);
    EXPECT_EQ(small.text(small.values.back()), "40");
    const Ticks large = ticks_between(0, 3.2e6, 5);
    EXPECT_EQ(large.exponent, 6);
    EXPECT_EQ(large.text(large.values[1]), "1");
}

TEST(MarkLabels, no_line_crosses_a_name) {
    std::vector<drawing::MarkLabel> wanted;
    for (const double x : {100.0, 130.0, 180.0, 300.0}) wanted.push_back({x, "contact lost C#1"});
    const auto labels = drawing::mark_labels(wanted, 1000);
    ASSERT_EQ(labels.size(), 4U);
    for (const auto& name : labels)
        for (const auto& line : labels)
            if (line.x > name.x && line.x < name.x + name.width()) {
                EXPECT_LT(line.row, name.row) << line.x << " under " << name.x;
            }
}

TEST(MarkLabels, marks_that_are_hardly_apart_are_one) {
    const auto marks = drawing::merged(
        {{100, "impact C#1"}, {101, "impact C#1"}, {102, "contact formed C#1"}, {110, "time"}});
    ASSERT_EQ(marks.size(), 2U);
    EXPECT_EQ(marks[0].text, "impact C#1 ×2, contact formed C#1");
    EXPECT_EQ(marks[0].x, 100);
    EXPECT_EQ(marks[1].text, "time");
}

TEST(MarkLabels, of_many_marks_the_rarest_kinds_keep_their_lines) {
    std::vector<drawing::MarkLabel> marks;
    for (int i = 0; i < 1385; ++i) {
        const double x = 600.0 * i / 1385;
        marks.push_back({x, i == 700               ? "snap latch"
                            : i == 200 || i == 900 ? "transition C#1"
                            : i % 2 == 0           ? "impact C#1"
                                                   : "contact lost C#1"});
    }
    const auto thinned = drawing::thinned(marks, 600);
    ASSERT_EQ(thinned.lines.size(), 3U);
    EXPECT_EQ(thinned.lines[0].text, "transition C#1");
    EXPECT_EQ(thinned.lines[1].text, "snap latch");
    EXPECT_EQ(thinned.lines[1].x, 600.0 * 700 / 1385);
    EXPECT_LE(thinned.ticks.size(), 150U);  // 4 units apart at least
    EXPECT_GT(thinned.ticks.size(), 100U);
    for (std::size_t i = 1; i < thinned.ticks.size(); ++i)
        EXPECT_GE(thinned.ticks[i].x - thinned.ticks[i - 1].x, 4);
}

TEST(MarkLabels, few_marks_are_all_lines) {
    const auto thinned = drawing::thinned({{10, "impact C#1"}, {50, "impact C#1"}}, 600);
    EXPECT_EQ(thinned.lines.size(), 2U);
    EXPECT_TRUE(thinned.ticks.empty());
    EXPECT_TRUE(drawing::thinned({}, 600).ticks.empty());
}

TEST(MarkLabels, a_name_at_the_edge_of_the_page_stands_on_the_left) {
    const auto labels = drawing::mark_labels({{980, "contact lost C#1"}}, 1000);
    ASSERT_EQ(labels.size(), 1U);
    EXPECT_TRUE(labels[0].leftward);
    EXPECT_LT(labels[0].begin(), 980);
}

TEST(Polyline, keeps_corners_and_drops_points_on_lines) {
    std::vector<PlanarSpace::Vector> points;
    for (int i = 0; i <= 10; ++i) points.push_back({double(i), 0});
    for (int i = 1; i <= 10; ++i) points.push_back({10, double(i)});
    const auto few = drawing::simplified(points, 0.1);
    ASSERT_EQ(few.size(), 3U);
    EXPECT_EQ(few[1].x, 10);
    EXPECT_EQ(few[1].y, 0);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
