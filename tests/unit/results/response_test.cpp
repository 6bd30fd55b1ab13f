// Responses on a hand-made run, and their linearisations against differences: a family of curves
// y(t; a) = a cos(t) until an event at t = T(a), then a + (t - T)^2, written in rows at given times
// and two rows at the event.
#include "results/response.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "results/trajectory.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double step = 0.05, end = 4;
// The event moves with the parameter, and so do its rows.
double event_time(double a) { return 1.72 + 0.3 * (a - 1); }
constexpr double event_rate = 0.3;

struct Family {
    Trajectory trajectory;
    std::vector<Event> events;

    explicit Family(double a) {
        trajectory.columns = {{"t", "s"}, {"y", "m"}};
        const double t_event = event_time(a);
        const auto before = [&](double t) { return a * std::cos(t); };
        const auto after = [&](double t) { return a + (t - t_event) * (t - t_event); };
        const auto add = [&](double t, double y) { trajectory.add(std::vector{t, y}); };
        int i = 0;
        for (; i * step < event_time(1); ++i) add(i * step, before(i * step));
        add(t_event, before(t_event));
        add(t_event, after(t_event));
        for (; i * step < end + step / 2; ++i) add(i * step, after(i * step));
        events.push_back({t_event, EventKind::impact, "C#1", "", "", 0, 0, 2 * a * a, 0, {}});
        events.push_back({t_event, EventKind::user, "released", "", "", 0, 0, 0, 0, {}});
    }
};

Response parsed(std::string_view text, std::string_view unit = {}) {
    ResponseProblem problem;
    auto response = read_response(text, problem);
    EXPECT_TRUE(response) << text << ": " << problem.message;
    if (!response) return {};
    response->unit = unit;
    return *response;
}

double value(std::string_view text, double a = 1, std::string_view unit = {}) {
    const Family run(a);
    const ResponseValue v = evaluate(parsed(text, unit), {run.trajectory, run.events});
    EXPECT_EQ(v.problem, "") << text;
    return v.value;
}

TEST(Response, column_is_read_at_instants) {
    EXPECT_EQ(value("y"), 1 + std::pow(end - event_time(1), 2));
    EXPECT_EQ(value("y@end"), value("y"));
    EXPECT_EQ(value("y@start"), 1);
    EXPECT_EQ(value("y@0.5 s"), std::cos(0.5));
    EXPECT_EQ(value("y@500 ms", 1, "mm"), 1000 * std::cos(0.5));
    EXPECT_NEAR(value("y@0.5123 s"), std::cos(0.5123), 1e-12);
    EXPECT_EQ(value("y-@impact:C#1"), std::cos(event_time(1)));
    EXPECT_EQ(value("y+@released"), 1);
}

TEST(Response, a_pair_stands_for_its_contact_points) {
    const Family run(1);
    for (const char* text : {"t@impact:C", "t@impact:C#1", "t@impact"})
        EXPECT_EQ(evaluate(parsed(text), {run.trajectory, run.events}).value, event_time(1))
            << text;
}

TEST(Response, integrals_are_those_of_the_curve) {
    const double t = event_time(1), l = end - t;
    EXPECT_NEAR(value("integral:y@..impact"), std::sin(t), 1e-11);
    EXPECT_NEAR(value("integral:y"), std::sin(t) + l + l * l * l / 3, 1e-11);
    EXPECT_NEAR(value("mean:y@0.313 s..1.1171 s"),
                (std::sin(1.1171) - std::sin(0.313)) / (1.1171 - 0.313), 1e-11);
    EXPECT_NEAR(value("rms:y@..impact"), std::sqrt((t / 2 + std::sin(2 * t) / 4) / t), 1e-11);
    EXPECT_EQ(parsed("integral:y").of, Response::Of::integral);
}

TEST(Response, crossings_have_level_direction_number_and_window) {
    EXPECT_NEAR(value("zero:y"), std::numbers::pi / 2, 1e-11);
    EXPECT_NEAR(value("crossing:y=50 cm:1"), std::numbers::pi / 3, 1e-11);
    EXPECT_EQ(value("crossing:y=500 mm:2"), event_time(1));  // the jump
    EXPECT_EQ(value("rising:y=0.5"), event_time(1));
    EXPECT_NEAR(value("falling:y=0.5"), std::numbers::pi / 3, 1e-11);
    EXPECT_NEAR(value("rising:y=2@impact..", 1, "ms"), 1000 * (event_time(1) + 1), 1e-8);
}

// Samples at multiples of 0.5 never reach the extremes and both crossings at their sides.
TEST(Response, extremes_and_crossings_between_coarse_samples_are_found) {
    Trajectory t;
    t.columns = {{"t", "s"}, {"y", "1"}};
    const auto y = [](double x) { return std::cos(x - 2.75) - 0.5 * std::cos(0.2 * (x - 8)); };
    for (int i = 0; i <= 30; ++i) t.add(std::vector{0.5 * i, y(0.5 * i)});
    double best = 2.75;
    for (int i = 0; i < 60; ++i)  // fixed point of y' = 0
        best = 2.75 + std::asin(0.1 * std::sin(0.2 * (best - 8)));
    const auto of = [&](std::string_view text) {
        const ResponseValue v = evaluate(parsed(text), {t, {}});
        EXPECT_EQ(v.problem, "");
        return v;
    };
    const ResponseValue top = of("max:y@2 s..3.5 s");
    EXPECT_NEAR(top.value, y(best), top.error);
    EXPECT_LT(top.error, 1e-4);
    EXPECT_GT(top.value, std::max(y(2.5), y(3)) + 0.01);
    EXPECT_NEAR(of("max_at:y@2 s..3.5 s").value, best, 1e-4);
    // A level between the samples and the top is passed twice.
    const std::string level = std::to_string(0.5 * (top.value + std::max(y(2.5), y(3))));
    const double up = of("rising:y=" + level + "@2 s..").value,
                 down = of("falling:y=" + level + "@2 s..").value;
    EXPECT_LT(2.5, up);
    EXPECT_LT(up, best);
    EXPECT_LT(best, down);
    EXPECT_LT(down, 3);
}

TEST(Response, a_sample_at_the_level_is_one_crossing) {
    Trajectory t;
    t.columns = {{"t", "s"}, {"y", "1"}};
    for (int i = 0; i <= 20; ++i) t.add(std::vector{0.1 * i, (0.1 * i - 1) * (0.1 * i - 1.5)});
    const auto at = [&](const char* text) { return evaluate(parsed(text), {t, {}}); };
    EXPECT_NEAR(at("zero:y:1").value, 1, 1e-9);
    EXPECT_NEAR(at("zero:y:2").value, 1.5, 1e-9);
    EXPECT_FALSE(at("zero:y:3").problem.empty());
}

// d(response)/da from its weights and the exact derivatives of cells and events, against a
// difference of two runs.
TEST(Response, linearisation_is_the_derivative) {
    constexpr double a = 1, h = 1e-5;
    const Family run(a), plus(a + h), minus(a - h);
    for (const char* text : {"y",
                             "y@0.5123 s",
                             "y-@impact",
                             "y+@impact",
                             "max:y@0.1 s..",
                             "min:y@..impact",
                             "min:y@0.3123 s..1.4 s",
                             "max:y@1.9123 s..3.1 s",
                             "mean:y",
                             "rms:y",
                             "integral:y",
                             "integral:y@0.2123 s..impact",
                             "mean:y@impact..3.0412 s",
                             "rms:y@..impact",
                             "zero:y",
                             "crossing:y=0.5",
                             "rising:y=2",
                             "rising:y=0.5",
                             "t@impact",
                             "impulse@impact",
                             "max_at:y@..impact"}) {
        const Response response = parsed(text);
        Linearisation linear;
        const ResponseValue v = evaluate(response, {run.trajectory, run.events}, &linear);
        ASSERT_EQ(v.problem, "") << text;
        double derivative = 0;
        for (const auto& cell : linear.cells)
            derivative += cell.weight *
                          (plus.trajectory.row(cell.row)[static_cast<std::size_t>(cell.column)] -
                           minus.trajectory.row(cell.row)[static_cast<std::size_t>(cell.column)]) /
                          (2 * h);
        for (const auto& term : linear.events)
            derivative += term.weight * (term.number == "t" ? event_rate : 4 * a);
        const double difference = (evaluate(response, {plus.trajectory, plus.events}).value -
                                   evaluate(response, {minus.trajectory, minus.events}).value) /
                                  (2 * h);
        EXPECT_NEAR(derivative, difference, 1e-7 * (1 + std::abs(difference))) << text;
        EXPECT_TRUE(std::isfinite(difference));
    }
}

TEST(Response, weights_are_in_the_unit_of_the_response) {
    const Family run(1);
    Linearisation metres, millimetres;
    (void)evaluate(parsed("mean:y"), {run.trajectory, run.events}, &metres);
    (void)evaluate(parsed("mean:y", "mm"), {run.trajectory, run.events}, &millimetres);
    ASSERT_EQ(metres.cells.size(), millimetres.cells.size());
    for (std::size_t i = 0; i < metres.cells.size(); ++i)
        EXPECT_DOUBLE_EQ(1000 * metres.cells[i].weight, millimetres.cells[i].weight);
}

TEST(Response, units_follow_from_what_is_read) {
    const Family run(1);
    const auto unit = [&](const char* text) {
        return evaluate(parsed(text), {run.trajectory, run.events}).unit;
    };
    EXPECT_EQ(unit("max:y"), "m");
    EXPECT_EQ(unit("max_at:y"), "s");
    EXPECT_EQ(unit("integral:y"), "m s");
    EXPECT_EQ(unit("count@impact"), "1");
    EXPECT_EQ(unit("impulse@impact"), "N s");
    const ResponseValue wrong = evaluate(parsed("max:y", "N"), {run.trajectory, run.events});
    EXPECT_EQ(wrong.problem, "the unit 'N' does not fit: it is in m");
    EXPECT_TRUE(std::isnan(wrong.value));
}

TEST(Response, mistakes_are_reported_at_their_place) {
    struct Case {
        const char* text;
        std::size_t offset;
        const char* message;
    };
    for (const Case& c :
         {Case{"maxx:y", 0, "there is no column quantity 'maxx:'; did you mean 'max'"},
          Case{"max:y@0.5 s", 6, "needs a window"}, Case{"y@0.5 kg", 2, "a time is needed here"},
          Case{"y@0.5 parsec", 6, "'parsec' is not a unit"},
          Case{"y@1 s..2 s", 0, "a window needs min:"},
          Case{"max:y@2 s..1 s", 0, "the window ends before it begins"},
          Case{"rising:y", 7, "needs a level"},
          Case{"zero:y:0", 7, "is not a whole number of at least 1"},
          Case{"t@imapct:C#1", 2, "there is no kind of event 'imapct'; did you mean 'impact'"},
          Case{"y@", 2, "is missing after the @"}, Case{"", 0, "is not the name of a column"}}) {
        ResponseProblem problem;
        EXPECT_FALSE(read_response(c.text, problem)) << c.text;
        EXPECT_EQ(problem.offset, c.offset) << c.text << ": " << problem.message;
        EXPECT_NE(problem.message.find(c.message), std::string::npos) << problem.message;
    }
}

TEST(Response, what_the_run_does_not_have_is_a_problem_not_a_number) {
    const Family run(1);
    for (const auto& [text, message] :
         {std::pair{"z", "no column 'z'"},
          {"y@7 s", "no sample at t = 7 s; the run is from t = 0 s to 4 s"},
          {"t@stick", "'stick' does not occur in this run"},
          {"t@impact:C:2", "'impact:C' occurs 1 time in this run, and number 2 is asked for"},
          {"t@impact:D", "'impact:D' does not occur in this run; there are impact:C#1"},
          {"zero:y:4", "the column does not pass the level so often"},
          {"mass@impact", "an event has no 'mass'"}}) {
        const ResponseValue v = evaluate(parsed(text), {run.trajectory, run.events});
        EXPECT_TRUE(std::isnan(v.value)) << text;
        EXPECT_NE(v.problem.find(message), std::string::npos) << text << ": " << v.problem;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
