#include "output/result/result_check.h"

#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "output/plot/plot.h"
#include "output/plot/plot_choice.h"
#include "output/report/report.h"
#include "output/result/result_folder.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Json = nlohmann::ordered_json;

// A ball that falls on a floor and bounces.
const std::string ball = R"(
format = 1
[body.ball]
position = [0, 0.3]
mass = 1
inertia = 0.004
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [1, 0], to = [-1, 0] }]
[profile.ball]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "floor"
b = "ball"
restitution = 0.5
[force.weight]
type = "gravity"
)";

const char* const folder = "r";

// A result as the program writes it.
const ResultTexts& sound() {
    static const ResultTexts texts = [] {
        DynamicOptions options;
        options.end = 0.4;
        options.step = 0.02;
        const DynamicResult run = run_dynamics(test::placed_of(ball), options);
        Json checks = Json::array(), ledger = Json::array(), events = Json::array();
        for (const AuditCheck& c : run.audit.checks)
            checks.push_back({{"name", c.name},
                              {"value", c.value()},
                              {"limit", c.limit},
                              {"unit", c.unit},
                              {"inequality", c.inequality},
                              {"passed", c.passed()}});
        for (const LedgerLine& l : run.audit.ledger)
            ledger.push_back({{"element", l.element}, {"stored_J", l.stored}, {"work_J", l.work}});
        for (const Event& e : run.events) events.push_back({{"t_s", e.t}});
        const Json summary{
            {"format", result_format},
            {"pawl", "0"},
            {"analysis", "dynamics"},
            {"model", {{"file", "m.toml"}, {"name", "ball"}, {"hash", fingerprint(ball)}}},
            {"options", {{"end_s", 0.4}, {"parameters", Json::array()}}},
            {"status", "completed"},
            {"message", ""},
            {"warnings", {"a warning"}},
            {"audit",
             {{"verdict", "passed"},
              {"checks", checks},
              {"kinetic_change_J", 0.1},
              {"ledger", ledger}}},
            {"events", events},
            {"statistics", {{"samples", run.trajectory.rows()}}},
            {"timing", {{"wall_s", 0.1}}}};
        return ResultTexts{folder, summary.dump(2), ball, csv(run.trajectory), csv(run.events)};
    }();
    return texts;
}

// What a program would say, or an empty string after a report and plots have been made.
std::string outcome(const ResultTexts& texts, std::string* page = nullptr) {
    std::string problem;
    const auto result = read_result(texts, problem);
    if (!result) return problem;
    static const PlacedMechanism placed = test::placed_of(ball);
    if (auto damage = motion_problem(*result, placed.mechanism); !damage.empty()) return damage;
    const std::string html = report(*result, placed);
    if (page) *page = html;
    for (const auto kind : {PlotChoice::Kind::history, PlotChoice::Kind::switching}) {
        PlotChoice choice;
        choice.kind = kind;
        const auto plot = make_plot(result->trajectory, result->events, choice, problem);
        EXPECT_TRUE(!plot || !svg(*plot).empty());
    }
    return {};
}

// Puts a text into one cell of the trajectory.
ResultTexts with_cell(const std::string& column, std::size_t row, const std::string& text) {
    ResultTexts out = sound();
    std::string problem;
    const auto trajectory = read_trajectory(out.trajectory, "t", problem);
    const int c = trajectory->find(column);
    EXPECT_GE(c, 0) << column;
    std::size_t at = 0;
    for (std::size_t r = 0; r <= row; ++r) at = out.trajectory.find('\n', at) + 1;
    for (int i = 0; i < c; ++i) at = out.trajectory.find(',', at) + 1;
    const std::size_t end = out.trajectory.find_first_of(",\n", at);
    out.trajectory.replace(at, end - at, text);
    return out;
}

TEST(ResultCheck, finds_nothing_in_a_result_as_it_was_written) { EXPECT_EQ(outcome(sound()), ""); }

TEST(ResultCheck, names_the_place_of_a_contact_that_is_nowhere_on_its_profile) {
    std::size_t row = 0;  // one in which the contact is known
    std::string problem;
    const auto t = read_trajectory(sound().trajectory, "t", problem);
    const auto gap = static_cast<std::size_t>(t->find("C#1.gap"));
    while (!std::isfinite(t->row(row)[gap])) ++row;
    for (const char* number : {"1e10", "-1e10", "1e300", "inf", "nan"})
        for (const char* column : {"C#1.a", "C#1.b"}) {
            const std::string message = outcome(with_cell(column, row, number));
            EXPECT_NE(message.find("r/trajectory.csv:" + std::to_string(row + 2) +
                                   ": error: " + column + " is "),
                      std::string::npos)
                << message;
        }
}

TEST(ResultCheck, names_the_place_of_a_pose_that_is_not_finite) {
    for (const char* number : {"nan", "-nan", "inf", "-inf"}) {
        const std::string message = outcome(with_cell("ball.y", 3, number));
        EXPECT_NE(message.find("r/trajectory.csv:5: error: ball.y is "), std::string::npos)
            << message;
    }
}

TEST(ResultCheck, lets_other_numbers_that_are_not_finite_pass) {
    std::string problem;
    const auto t = read_trajectory(sound().trajectory, "t", problem);
    for (const Column& column : t->columns) {
        if (column.name == "t" || column.name.ends_with(".a") || column.name.ends_with(".b") ||
            column.name == "ball.x" || column.name == "ball.y" || column.name == "ball.angle")
            continue;
        for (const char* number : {"nan", "inf", "1e300"})
            EXPECT_EQ(outcome(with_cell(column.name, 2, number)), "") << column.name;
    }
    for (const char* number : {"1e300", "-1e300", "1e-300"})
        for (const char* column : {"ball.x", "ball.y", "ball.angle"})
            EXPECT_EQ(outcome(with_cell(column, 2, number)), "") << column << ' ' << number;
}

TEST(ResultCheck, shows_audits_that_are_not_finite) {
    ResultTexts texts = sound();
    Json summary = Json::parse(texts.summary);
    summary["audit"]["checks"][0]["value"] = nullptr;  // a NaN, as JSON has it
    summary["audit"]["checks"][0]["passed"] = false;
    summary["audit"]["ledger"][0]["work_J"] = nullptr;
    texts.summary = summary.dump();
    std::string page;
    EXPECT_EQ(outcome(texts, &page), "");
    EXPECT_NE(page.find("nan"), std::string::npos);
    EXPECT_NE(page.find("FAILED"), std::string::npos);
}

TEST(ResultCheck, names_line_and_column_of_bytes_that_are_not_utf_8) {
    for (const auto& [part, file] : {std::pair{&ResultTexts::summary, "result.json"},
                                     {&ResultTexts::trajectory, "trajectory.csv"},
                                     {&ResultTexts::events, "events.csv"}})
        for (const char* bytes :
             {"\xff", "\xc3", "\xed\xa0\x80", "\xf8\x88\x80\x80", "\xe9t\xe9"}) {
            ResultTexts texts = sound();
            (texts.*part).insert((texts.*part).find('\n') + 4, bytes);
            const std::string message = outcome(texts);
            EXPECT_EQ(message.find("r/" + std::string(file) + ":2:"), 0U) << message;
        }
    ResultTexts texts = sound();
    const std::size_t comma = texts.trajectory.find(',');
    texts.trajectory.insert(comma, ",caf\xc3\xa9 [m]");  // right UTF-8; only the rows are short now
    EXPECT_EQ(outcome(texts).find("UTF-8"), std::string::npos);
}

// Every entry of result.json is left out, and replaced by each kind of value: there is a message
// that names result.json, or a report.
TEST(ResultCheck, survives_every_single_change_of_the_summary) {
    const Json whole = Json::parse(sound().summary);
    std::vector<std::string> pointers;
    std::function<void(const Json&, const std::string&)> visit = [&](const Json& value,
                                                                     const std::string& path) {
        if (!path.empty()) pointers.push_back(path);
        if (value.is_object())
            for (const auto& [key, part] : value.items()) visit(part, path + "/" + key);
        for (std::size_t i = 0; value.is_array() && i < std::min<std::size_t>(value.size(), 2); ++i)
            visit(value[i], path + "/" + std::to_string(i));
    };
    visit(whole, "");
    ASSERT_GT(pointers.size(), 40U);
    int refused = 0, accepted = 0;
    const auto judge = [&](const Json& changed, const std::string& pointer) {
        ResultTexts texts = sound();
        texts.summary = changed.dump();
        const std::string message = outcome(texts);
        (message.empty() ? accepted : refused) += 1;
        EXPECT_TRUE(message.empty() || message.starts_with("r/")) << pointer << ": " << message;
    };
    for (const std::string& pointer : pointers) {
        const std::size_t slash = pointer.rfind('/');
        const Json::json_pointer parent(pointer.substr(0, slash));
        Json removed = whole;
        if (removed[parent].is_object())
            removed[parent].erase(pointer.substr(slash + 1));
        else
            removed[parent].erase(removed[parent].begin());
        judge(removed, pointer);
        for (const Json& value : {Json(), Json(true), Json(-3), Json(1e300), Json("x"),
                                  Json::array(), Json::array({1, "a"}), Json{{"k", 1}}}) {
            Json replaced = whole;
            replaced[Json::json_pointer(pointer)] = value;
            judge(replaced, pointer);
        }
    }
    EXPECT_GT(refused, 100);
    EXPECT_GT(accepted, 100);
}

TEST(ResultCheck, says_which_entry_of_the_audit_is_missing) {
    ResultTexts texts = sound();
    Json summary = Json::parse(texts.summary);
    summary["audit"]["checks"][1].erase("limit");
    texts.summary = summary.dump();
    EXPECT_NE(outcome(texts).find("r/result.json: error: /audit/checks/1/limit is missing"),
              std::string::npos)
        << outcome(texts);
    summary = Json::parse(sound().summary);
    summary["audit"].erase("verdict");
    texts.summary = summary.dump();
    EXPECT_NE(outcome(texts).find("/audit/verdict is missing"), std::string::npos);
}

TEST(ResultCheck, refuses_a_summary_that_would_exhaust_the_stack) {
    ResultTexts texts = sound();
    const std::size_t brace = texts.summary.find('{');
    texts.summary.insert(
        brace + 1, "\"deep\": " + std::string(200'000, '[') + std::string(200'000, ']') + ",");
    EXPECT_NE(outcome(texts).find("nested too deeply"), std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
