#include "output/plot/plot_choice.h"

#include <cmath>

#include <gtest/gtest.h>

#include "output/result/column_names.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Kind = PlotChoice::Kind;

// A crank that turns, a slider that moves along x, a measured angle and a contact that is closed
// from 1 s to 2 s.
Trajectory run() {
    Trajectory t;
    t.columns = {{"t", "s"},
                 {"crank.x", "m"},
                 {"crank.y", "m"},
                 {"crank.angle", "rad"},
                 {"crank.omega", "rad/s"},
                 {"slider.x", "m"},
                 {"slider.y", "m"},
                 {"slider.angle", "rad"},
                 {"slider.vx", "m/s"},
                 {"swing", "deg"},
                 {"swing.rate", "deg/s"},
                 {"swing.acceleration", "deg/s^2"},
                 {"C#1.gap", "m"},
                 {"C#1.a", "1"},
                 {"C#1.b", "1"},
                 {"C#1.normal", "N"},
                 {"C#1.static", "N"},
                 {"C#1.dynamic", "N"},
                 {"C#1.slip", "m/s"},
                 {"C#1.closed", "1"}};
    for (const auto& [time, closed] :
         {std::pair{0.0, 0}, {1.0, 0}, {1.0, 1}, {2.0, 1}, {2.0, 0}, {3.0, 0}})
        t.add(std::vector<double>{time,
                                  0,
                                  0,
                                  2 * time,
                                  2,
                                  std::sin(time),
                                  0,
                                  0,
                                  std::cos(time),
                                  time,
                                  1,
                                  0,
                                  closed ? 0 : 0.1,
                                  1.5,
                                  2.5,
                                  closed ? 7.0 : 0.0,
                                  closed ? 5.0 : 0.0,
                                  closed ? 2.0 : 0.0,
                                  0.3,
                                  double(closed)});
    return t;
}

std::vector<Event> happenings() {
    Event impact, formed, other;
    impact.t = formed.t = 1;
    impact.kind = EventKind::impact;
    formed.kind = EventKind::contact_formed;
    impact.element = formed.element = "C#1";
    other.t = 2.5;
    other.kind = EventKind::dead_point;
    other.element = "motor";
    return {impact, formed, other};
}

Plot made(const PlotChoice& choice) {
    std::string problem;
    const auto plot = make_plot(run(), happenings(), choice, problem);
    EXPECT_TRUE(plot) << problem;
    return plot.value_or(Plot());
}
std::string problem_of(const PlotChoice& choice) {
    std::string problem;
    EXPECT_FALSE(make_plot(run(), happenings(), choice, problem));
    return problem;
}
std::vector<std::string> curves(const PlotPanel& panel) {
    std::vector<std::string> out;
    for (const PlotCurve& c : panel.curves) out.push_back(c.name);
    return out;
}
using Names = std::vector<std::string>;

TEST(PlotChoice, columns_of_one_unit_share_a_panel) {
    const Plot plot = made({Kind::history, {"slider.x", "C#1.normal", "C#1.gap", "C#1.static"}});
    ASSERT_EQ(plot.panels.size(), 2U);
    EXPECT_EQ(curves(plot.panels[0]), (Names{"slider.x", "C#1.gap"}));
    EXPECT_EQ(curves(plot.panels[1]), (Names{"C#1.normal", "C#1.static"}));
    EXPECT_EQ(plot.panels[0].y_label, "length [m]");
    EXPECT_EQ(plot.panels[1].x_label, "t [s]");
    EXPECT_EQ(plot.panels[0].curves[0].y.size(), 6U);
    EXPECT_EQ(plot.panels[0].curves[0].y[1], std::sin(1.0));
}

TEST(PlotChoice, patterns_choose_columns) {
    EXPECT_EQ(made({Kind::history, {"C#1.*"}}).panels.size(), 4U);  // m, 1, N, m/s
    EXPECT_EQ(curves(made({Kind::history, {"*.?"}}).panels[0]),
              (Names{"crank.x", "crank.y", "slider.x", "slider.y"}));
    EXPECT_TRUE(fits("C#1.gap", "C#?.g*p"));
    EXPECT_FALSE(fits("C#1.gap", "C#?.g"));
    EXPECT_FALSE(fits("", "?"));
}

TEST(PlotChoice, without_names_shows_measures_and_normal_forces) {
    const Plot plot = made({});
    ASSERT_EQ(plot.panels.size(), 2U);
    EXPECT_EQ(curves(plot.panels[0]), Names{"swing"});
    EXPECT_EQ(plot.panels[0].y_label, "swing [deg]");
    EXPECT_EQ(curves(plot.panels[1]), Names{"C#1.normal"});
}

TEST(PlotChoice, without_measures_shows_the_bodies_that_move) {
    Trajectory bare;
    const Trajectory all = run();
    bare.columns.assign(all.columns.begin(), all.columns.begin() + 9);
    for (std::size_t r = 0; r < all.rows(); ++r) bare.add(all.row(r).subspan(0, 9));
    std::string problem;
    const auto plot = make_plot(bare, {}, {}, problem);
    ASSERT_TRUE(plot);
    ASSERT_EQ(plot->panels.size(), 2U);
    EXPECT_EQ(curves(plot->panels[0]), Names{"crank.angle"});
    EXPECT_EQ(curves(plot->panels[1]), Names{"slider.x"});
    const auto phase = make_plot(bare, {}, {Kind::phase, {}}, problem);
    ASSERT_TRUE(phase);
    ASSERT_EQ(phase->panels.size(), 2U);
    EXPECT_EQ(phase->panels[0].x_label, "crank.angle [rad]");
    EXPECT_EQ(phase->panels[1].y_label, "slider.vx [m/s]");
}

TEST(PlotChoice, an_unknown_name_is_told_with_those_near) {
    EXPECT_EQ(problem_of({Kind::history, {"slidr.x"}}),
              "no column 'slidr.x'; near: slider.x, slider.y, slider.vx");
    EXPECT_EQ(problem_of({Kind::history, {"slider"}}),
              "no column 'slider'; near: slider.x, slider.y, slider.angle, slider.vx");
    EXPECT_NE(problem_of({Kind::contacts, {"D"}}).find("no contact 'D'"), std::string::npos);
}

TEST(PlotChoice, phase_portraits_take_pairs) {
    const Plot plot = made({Kind::phase, {"slider.x", "slider.vx"}});
    ASSERT_EQ(plot.panels.size(), 1U);
    EXPECT_EQ(plot.panels[0].x_label, "slider.x [m]");
    EXPECT_EQ(plot.panels[0].curves[0].y[0], 1);
    EXPECT_TRUE(plot.marks.empty());
    EXPECT_NE(problem_of({Kind::phase, {"slider.x"}}).find("in pairs"), std::string::npos);
}

TEST(PlotChoice, delay_portraits_show_a_column_against_itself_later) {
    std::string problem;
    PlotChoice choice{.kind = Kind::delay, .names = {"crank.angle"}};
    choice.delay = 0.5;
    const auto plot = make_plot(run(), {}, choice, problem);
    ASSERT_TRUE(plot) << problem;
    ASSERT_EQ(plot->panels.size(), 1u);
    EXPECT_EQ(plot->panels[0].y_label, "crank.angle 0.5 s later [rad]");
    // The angle is 2 t: 1 rad more, at every row that has a time 0.5 s later.
    const PlotCurve& curve = plot->panels[0].curves.at(0);
    ASSERT_EQ(curve.x.size(), 5u);
    for (std::size_t i = 0; i < curve.x.size(); ++i) EXPECT_NEAR(curve.y[i], curve.x[i] + 1, 1e-12);
    choice.delay = 3;
    EXPECT_FALSE(make_plot(run(), {}, choice, problem));
    EXPECT_NE(problem.find("not shorter than what is shown, 3 s"), std::string::npos) << problem;
}

TEST(PlotChoice, paths_are_to_scale) {
    const Plot plot = made({Kind::path, {"slider"}});
    ASSERT_EQ(plot.panels.size(), 1U);
    EXPECT_TRUE(plot.panels[0].equal_scales);
    EXPECT_EQ(plot.panels[0].x_label, "x [m]");
    EXPECT_EQ(curves(made({Kind::path, {}}).panels[0]), Names{"slider"});  // the crank only turns
}

TEST(PlotChoice, contacts_show_the_parts_of_the_force_and_when_they_are_closed) {
    const Plot plot = made({Kind::contacts, {}});
    ASSERT_EQ(plot.panels.size(), 1U);
    EXPECT_EQ(curves(plot.panels[0]), (Names{"normal force", "static part", "dynamic part"}));
    EXPECT_EQ(plot.panels[0].bands, (std::vector<std::pair<double, double>>{{1, 2}}));
    EXPECT_EQ(made({Kind::contacts, {"C"}}).panels.size(), 1U);  // by the name of the pair
}

TEST(PlotChoice, switching_functions_are_gap_force_places_and_slip) {
    const Plot plot = made({Kind::switching, {"C#1"}});
    ASSERT_EQ(plot.panels.size(), 4U);
    EXPECT_EQ(plot.panels[0].y_label, "C#1 gap [m]");
    EXPECT_EQ(curves(plot.panels[2]), (Names{"place on a", "place on b"}));
}

TEST(PlotChoice, events_at_one_time_share_a_mark) {
    const Plot plot = made({});
    ASSERT_EQ(plot.marks.size(), 2U);
    EXPECT_EQ(plot.marks[0].label, "impact, contact formed C#1");
    EXPECT_EQ(plot.marks[0].x, 1);
    EXPECT_EQ(plot.marks[1].label, "dead point motor");
    EXPECT_EQ(made({Kind::contacts, {}}).marks.size(), 1U);  // only its own events
    PlotChoice choice;
    choice.events = Names{"dead_point"};
    EXPECT_EQ(made(choice).marks.size(), 1U);
    choice.events = Names{};
    EXPECT_TRUE(made(choice).marks.empty());
}

TEST(PlotChoice, a_part_of_the_time_has_its_samples_and_events) {
    PlotChoice choice;
    choice.from = 1.5;
    choice.to = 2.2;
    const Plot plot = made(choice);
    EXPECT_EQ(plot.panels[0].curves[0].x, (std::vector<double>{2, 2}));
    EXPECT_TRUE(plot.marks.empty());
    choice.from = 7;
    choice.to = 8;
    EXPECT_NE(problem_of(choice).find("from 0 s to 3 s"), std::string::npos);
}

TEST(PlotChoice, a_run_without_contacts_says_so) {
    Trajectory bare;
    bare.columns = {{"t", "s"}};
    bare.add(std::vector<double>{0});
    std::string problem;
    EXPECT_FALSE(make_plot(bare, {}, {Kind::contacts, {}}, problem));
    EXPECT_NE(problem.find("no contacts"), std::string::npos);
    EXPECT_FALSE(make_plot({}, {}, {}, problem));
    EXPECT_EQ(problem, "the trajectory has no rows");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
