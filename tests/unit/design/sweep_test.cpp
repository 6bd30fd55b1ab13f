// Sweeps: the values of each run, rows that do not depend on threads, and the file that keeps them.
#include "design/sweep.h"

#include <cmath>
#include <filesystem>
#include <numbers>

#include <gtest/gtest.h>

#include "design/sweep_store.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Falls from its height; r = 0.1 m.
constexpr const char* ball = R"(format = 1
[parameters]
height = "1 m"
g = "10 m/s^2"
[body.ball]
mass = 1
inertia = 0.1
position = [0, "height"]
[profile.skin]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [5, 0], to = [-5, 0] }]
[contact.C]
a = "floor"
b = "skin"
restitution = 0.5
[force.weight]
type = "gravity"
acceleration = [0, "-g"]
[response.landing]
value = "t@impact:C#1:1"
[response.top]
value = "max:ball.y@impact:C#1:1.."
[run]
analysis = "dynamics"
end = 0.6
step = 0.01
)";

Model model() {
    Diagnostics problems;
    auto read = Model::read(ball, problems);
    EXPECT_TRUE(read) << problems.text();
    return *read;
}

std::optional<SweepPlan> plan_of(const std::vector<std::string>& vary, Diagnostics& problems,
                                 SweepMethod method = SweepMethod::grid, long runs = 0,
                                 std::vector<std::string> responses = {}) {
    SweepSettings settings;
    settings.vary = vary;
    settings.responses = std::move(responses);
    settings.method = method;
    settings.runs = runs;
    return SweepPlan::read(model(), settings, problems);
}

SweepPlan plan_of(const std::vector<std::string>& vary, SweepMethod method = SweepMethod::grid,
                  long runs = 0) {
    Diagnostics problems;
    auto plan = plan_of(vary, problems, method, runs);
    EXPECT_TRUE(plan) << problems.text();
    return *plan;
}

std::vector<SweepRow> rows_of(const SweepPlan& plan, int threads) {
    std::vector<long> runs;
    for (long i = 0; i < plan.runs(); ++i) runs.push_back(i);
    std::vector<SweepRow> out(runs.size());
    run_sweep(model(), plan, runs, threads, [&](std::span<SweepRow> rows) {
        for (SweepRow& row : rows) {
            EXPECT_TRUE(out[static_cast<std::size_t>(row.run)].status.empty()) << "done twice";
            out[static_cast<std::size_t>(row.run)] = std::move(row);
        }
        return true;
    });
    return out;
}

std::string csv_of(const SweepPlan& plan, const std::vector<SweepRow>& rows) {
    std::string out = csv_header(plan);
    for (const SweepRow& row : rows) out += csv_line(plan, row);
    return out;
}

TEST(Sweep, grid_has_all_combinations_the_last_value_first) {
    const SweepPlan plan = plan_of({"height=1:2:3 m", "g=9.81 m/s^2,1.62 m/s^2"});
    ASSERT_EQ(plan.runs(), 6);
    EXPECT_EQ(plan.values_of(0), (Values{{"height", "1 m"}, {"g", "9.81 m/s^2"}}));
    EXPECT_EQ(plan.values_of(1), (Values{{"height", "1 m"}, {"g", "1.62 m/s^2"}}));
    EXPECT_EQ(plan.values_of(5), (Values{{"height", "2 m"}, {"g", "1.62 m/s^2"}}));
}

TEST(Sweep, units_may_stand_with_any_number_of_a_range) {
    for (const char* text : {"height=100 cm:2 m:3", "height=1:2:3 m", "height=1 m:2:3"}) {
        const SweepPlan plan = plan_of({text});
        Diagnostics problems;
        const auto changed = model().with(plan.values_of(1), problems);
        ASSERT_TRUE(changed);
        EXPECT_NEAR(changed->parameters()[0].value, 1.5, 1e-15) << text;
    }
}

// A ball that falls a height h lands at sqrt(2 h/g) and rises by h e^2 again.
TEST(Sweep, rows_hold_what_the_runs_yield) {
    const SweepPlan plan = plan_of({"height=0.3:1.1:5 m"});
    const auto rows = rows_of(plan, 2);
    for (int i = 0; i < 5; ++i) {
        const double fall = 0.3 + 0.2 * i - 0.1;
        EXPECT_EQ(rows[i].status, "completed");
        EXPECT_NEAR(rows[i].responses[0], std::sqrt(2 * fall / 10), 1e-9);
        EXPECT_TRUE(rows[i].events.starts_with("impact C#1")) << rows[i].events;
    }
    EXPECT_NEAR(rows[0].responses[1], 0.1 + 0.2 / 4, 1e-9);
    EXPECT_EQ(plan.responses()[0].unit, "s");
}

TEST(Sweep, rows_do_not_depend_on_the_number_of_threads) {
    for (const SweepMethod method :
         {SweepMethod::random, SweepMethod::latin_hypercube, SweepMethod::sobol}) {
        const SweepPlan plan = plan_of({"height=0.2:1.5 m", "g=1:20 m/s^2"}, method, 40);
        EXPECT_EQ(csv_of(plan, rows_of(plan, 1)), csv_of(plan, rows_of(plan, 5)));
    }
}

TEST(Sweep, a_run_that_fails_is_a_row_with_its_reason) {
    const SweepPlan plan = plan_of({"height=0.05:0.55:2 m"});  // the first one is in the floor
    const auto rows = rows_of(plan, 1);
    EXPECT_EQ(rows[0].status, "overlap");
    EXPECT_NE(rows[0].message.find("overlap"), std::string::npos) << rows[0].message;
    EXPECT_TRUE(std::isnan(rows[0].responses[0]));
    EXPECT_EQ(rows[1].status, "completed");
    const SweepPlan slow = plan_of({"g=0.1:10:2 m/s^2"});  // too slow to land
    const auto late = rows_of(slow, 1);
    EXPECT_EQ(late[0].status, "completed");
    EXPECT_EQ(late[0].message,
              "landing: 'impact:C#1' does not occur in this run; top: 'impact:C#1' does not occur "
              "in this run");
}

TEST(Sweep, mistakes_are_found_before_the_first_run) {
    struct Case {
        std::vector<std::string> vary, responses;
        SweepMethod method;
        long runs;
        const char* message;
    };
    for (const Case& c : {
             Case{{"hieght=1:2:3"},
                  {},
                  SweepMethod::grid,
                  0,
                  "the model has no parameter 'hieght'; did you mean 'height'"},
             Case{{"height=1:2"}, {}, SweepMethod::grid, 0, "a grid needs the number of values"},
             Case{{"height=1:2:x"}, {}, SweepMethod::grid, 0, "expected FROM:TO:COUNT"},
             Case{{"height=1 m:2 s:3"}, {}, SweepMethod::grid, 0, "do not fit"},
             Case{{"height=1:2:3 s"}, {}, SweepMethod::grid, 0, "expected a length"},
             Case{{"height=1:2:3", "height=4:5:6"}, {}, SweepMethod::grid, 0, "varies twice"},
             Case{{"height=1:2 m"}, {}, SweepMethod::sobol, 0, "needs a number of runs"},
             Case{
                 {"height=1:2:100000 m", "g=1:2:100000"}, {}, SweepMethod::grid, 0, "is too large"},
             Case{{}, {}, SweepMethod::grid, 0, "nothing varies"},
             Case{{"height=1:2:3 m"},
                  {"max:blal.y"},
                  SweepMethod::grid,
                  0,
                  "is called 'blal'; did you mean 'ball'"},
             Case{{"height=1:2:3 m"},
                  {"max:ball.z"},
                  SweepMethod::grid,
                  0,
                  "no column 'ball.z'; did you mean 'ball.x'"},
             Case{{"height=1:2:3 m"},
                  {"t@landed"},
                  SweepMethod::grid,
                  0,
                  "no event of the model is called 'landed'"},
             Case{{"body.ball.position=1:2:3 m"}, {}, SweepMethod::grid, 0, "position"},
         }) {
        Diagnostics problems;
        EXPECT_FALSE(plan_of(c.vary, problems, c.method, c.runs, c.responses)) << c.message;
        EXPECT_NE(problems.text().find(c.message), std::string::npos) << problems.text();
    }
}

TEST(Sweep, numbered_responses_are_written_as_a_range) {
    Diagnostics problems;
    const auto plan =
        plan_of({"height=1:2:2 m"}, problems, SweepMethod::grid, 0, {"t@impact:C#1:1..3"});
    ASSERT_TRUE(plan) << problems.text();
    ASSERT_EQ(plan->responses().size(), 3U);
    EXPECT_EQ(plan->responses()[2].name, "t@impact:C#1:3");
}

TEST(Sweep, what_repeats_in_the_events_is_told_once) {
    const auto sequence = [](const std::vector<std::pair<EventKind, const char*>>& list) {
        std::vector<Event> events;
        for (const auto& [kind, element] : list)
            events.push_back({0, kind, element, "", "", 0, 0, 0, 0, {}});
        return event_sequence(events);
    };
    constexpr auto hit = EventKind::impact, off = EventKind::contact_lost;
    EXPECT_EQ(sequence({}), "");
    EXPECT_EQ(sequence({{hit, "C#1"}, {hit, "C#1"}, {hit, "C#1"}}), "impact C#1");
    EXPECT_EQ(sequence({{hit, "A"}, {off, "A"}, {hit, "A"}, {off, "A"}, {hit, "B"}}),
              "impact A, contact_lost A, impact B");
    EXPECT_EQ(sequence({{hit, "A"}, {EventKind::transition, "A"}, {hit, "B"}}),
              "impact A, impact B");
    EXPECT_EQ(sequence({{EventKind::user, "released"}}), "user released");
}

class SweepFile : public testing::Test {
protected:
    SweepFile() {
        std::string name = (std::filesystem::temp_directory_path() / "pawl_sweep_XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
    }
    ~SweepFile() override { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::filesystem::path file() const { return folder_ / "rows.sqlite"; }
    std::filesystem::path folder_;
};

TEST_F(SweepFile, keeps_rows_and_knows_what_is_missing) {
    const SweepPlan plan = plan_of({"height=0.05:1.1:6 m"});
    const auto rows = rows_of(plan, 1);
    std::string problem;
    {
        auto store = SweepStore::create(file(), model(), plan, problem);
        ASSERT_TRUE(store) << problem;
        EXPECT_EQ(store->missing().size(), 6U);
        EXPECT_EQ(store->add(std::vector<SweepRow>{rows[4], rows[0]}), "");
        EXPECT_EQ(store->missing(), (std::vector<long>{1, 2, 3, 5}));
        // A run that is there is not taken again, and with it none of its batch.
        EXPECT_NE(store->add(std::vector<SweepRow>{rows[5], rows[4]}), "");
        EXPECT_EQ(store->missing(), (std::vector<long>{1, 2, 3, 5}));
    }
    EXPECT_FALSE(SweepStore::create(file(), model(), plan, problem));
    EXPECT_NE(problem.find("--resume"), std::string::npos);
    problem.clear();
    auto store = SweepStore::resume(file(), model(), plan, problem);
    ASSERT_TRUE(store) << problem;
    EXPECT_EQ(run_missing(model(), plan, *store, 2, [](long) { return true; }), "");
    EXPECT_TRUE(store->missing().empty());
    std::vector<SweepRow> kept;
    store->each([&](const SweepRow& row) { kept.push_back(row); });
    EXPECT_EQ(csv_of(plan, kept), csv_of(plan, rows));
}

TEST_F(SweepFile, of_another_sweep_is_refused) {
    std::string problem;
    { ASSERT_TRUE(SweepStore::create(file(), model(), plan_of({"height=0.5:1.1:6 m"}), problem)); }
    EXPECT_FALSE(SweepStore::resume(file(), model(), plan_of({"height=0.5:1.2:6 m"}), problem));
    EXPECT_NE(problem.find("contains a different sweep"), std::string::npos) << problem;
    problem.clear();
    Diagnostics none;
    const auto other = model().with({{"g", "9 m/s^2"}}, none);
    EXPECT_FALSE(SweepStore::resume(file(), *other, plan_of({"height=0.5:1.1:6 m"}), problem));
    EXPECT_NE(problem.find("contains a different sweep"), std::string::npos) << problem;
}

TEST_F(SweepFile, is_written_by_one_program_at_a_time) {
    const SweepPlan plan = plan_of({"height=0.5:1.1:6 m"});
    std::string problem;
    const auto store = SweepStore::create(file(), model(), plan, problem);
    ASSERT_TRUE(store);
    EXPECT_FALSE(SweepStore::resume(file(), model(), plan, problem));
    EXPECT_NE(problem.find("another program is writing to it"), std::string::npos) << problem;
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
