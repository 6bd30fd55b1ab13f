#include "output/result/result_reader.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "output/result/result_folder.h"
#include "results/event_text.h"

namespace pawl {
namespace PAWL_TEST_FILE {

namespace fs = std::filesystem;

Trajectory some_trajectory() {
    Trajectory out;
    out.columns = {{"t", "s"}, {"d(a, b)", "m/rad"}, {"gap", "m"}};
    const double rows[][3] = {{0, 0.1, NAN}, {0.25, -1e-300, 1.0 / 3}, {0.25, 4, INFINITY}};
    for (const auto& row : rows) out.add(row);
    return out;
}

std::vector<Event> some_events() {
    return {{0.25,
             EventKind::impact,
             "C#1",
             "open",
             "arc 0, \"the\" nose",
             -1.5,
             0.75,
             2,
             -0.125,
             {fact::Remark{"two\nlines"}}},
            {0.5, EventKind::user, "", "", "", 0, 0, 0, 0, {}}};
}

TEST(ResultReader, reads_back_the_numbers_names_and_units_that_were_written) {
    const Trajectory written = some_trajectory();
    std::string problem;
    const auto read = read_trajectory(csv(written), "t.csv", problem);
    ASSERT_TRUE(read) << problem;
    ASSERT_EQ(read->columns.size(), 3U);
    EXPECT_EQ(read->columns[1].name, "d(a, b)");
    EXPECT_EQ(read->columns[1].unit, "m/rad");
    ASSERT_EQ(read->rows(), written.rows());
    for (std::size_t i = 0; i < written.rows(); ++i)
        for (std::size_t c = 0; c < 3; ++c) {
            const double a = written.row(i)[c], b = read->row(i)[c];
            EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << i << " " << c;
        }
}

TEST(ResultReader, reads_back_events_with_commas_quotes_and_line_breaks) {
    const auto written = some_events();
    std::string problem;
    const auto read = read_events(csv(written), "e.csv", problem);
    ASSERT_TRUE(read) << problem;
    ASSERT_EQ(read->size(), 2U);
    const Event &a = written[0], &b = (*read)[0];
    EXPECT_EQ(b.kind, EventKind::impact);
    EXPECT_EQ(b.element, a.element);
    EXPECT_EQ(b.to, a.to);
    EXPECT_EQ(event_text(b), event_text(a));
    EXPECT_EQ(b.t, a.t);
    EXPECT_EQ(b.normal_velocity_before, a.normal_velocity_before);
    EXPECT_EQ(b.normal_velocity_after, a.normal_velocity_after);
    EXPECT_EQ(b.impulse, a.impulse);
    EXPECT_EQ(b.energy_change, a.energy_change);
    EXPECT_EQ((*read)[1].kind, EventKind::user);
}

struct BadTable {
    const char *text, *message;  // the message begins so
};

TEST(ResultReader, names_line_and_column_of_what_it_cannot_read_in_a_trajectory) {
    for (const BadTable& bad : std::initializer_list<BadTable>{
             {"", "t.csv:1:1: error: the file is empty"},
             {"t [s],x\n", "t.csv:1:7: error: a column is called 'name [unit]', not 'x'"},
             {"x [m],t [s]\n", "t.csv:1:7: error: the first column must be 't [s]'"},
             {"t [s],x [m]\n0,1\n1,2e\n", "t.csv:3:3: error: '2e' is not a number"},
             {"t [s],x [m]\n0,\n", "t.csv:2:3: error: '' is not a number"},
             {"t [s],x [m]\n0\n", "t.csv:2:1: error: a row has 2 values, not 1"},
             {"t [s],x [m]\n0,1,2\n", "t.csv:2:5: error: a row has 2 values, not 3"},
             {"t [s],x [m]\n0,1\n0.5,2", "t.csv:3:5: error: the last line is not whole"},
             {"t [s],x [m]\n1,1\n0.5,2\n", "t.csv:3:5: error: the time falls to 0.5 s"},
             {"t [s],\"x [m]\n0,1\n", "t.csv:1:7: error: a quoted text has no end"},
             {"t [s],\"x\" [m]\n", "t.csv:1:7: error: expected a comma or the end of the line"}}) {
        std::string problem;
        EXPECT_FALSE(read_trajectory(bad.text, "t.csv", problem)) << bad.text;
        EXPECT_TRUE(problem.starts_with(bad.message)) << problem;
        EXPECT_TRUE(problem.ends_with("run the model again")) << problem;
    }
}

TEST(ResultReader, names_line_and_column_of_what_it_cannot_read_in_events) {
    const std::string head = csv(std::vector<Event>{});
    for (const BadTable& bad : std::initializer_list<BadTable>{
             {"0,bang,C,a,b,0,0,0,0,\n", "e.csv:2:3: error: there is no kind of event 'bang'"},
             {"0,impact,C,a\n", "e.csv:2:12: error: an event has 10 values"},
             {"0,impact,C,a,b,0,0,0,0,x,y\n", "e.csv:2:24: error: an event has 10 values"},
             {"0,impact,C,a,b,0,zero,0,0,\n", "e.csv:2:18: error: 'zero' is not a number"}}) {
        std::string problem;
        EXPECT_FALSE(read_events(head + bad.text, "e.csv", problem)) << bad.text;
        EXPECT_TRUE(problem.starts_with(bad.message)) << problem;
    }
    std::string problem;
    EXPECT_FALSE(read_events("t [s],kind\n", "e.csv", problem));
    EXPECT_TRUE(problem.starts_with("e.csv:1:7: error: a table of events has 10 columns"))
        << problem;
}

// A whole result in a folder of its own, gone afterwards.
class ResultReaderFolder : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "pawl_reader_XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        root_ = name;
        const std::string model = "format = 1\n";
        const nlohmann::json summary{{"format", result_format},
                                     {"pawl", "0"},
                                     {"model", {{"hash", fingerprint(model)}}},
                                     {"options", {{"parameters", {"a=1 mm", "b=c = d"}}}},
                                     {"files", {"result.json"}}};
        ASSERT_EQ(write_result(root_ / "r", {{"result.json", summary.dump()},
                                             {"model.toml", model},
                                             {"trajectory.csv", csv(some_trajectory())},
                                             {"events.csv", csv(some_events())}})
                      .problem,
                  "");
    }
    void TearDown() override { fs::remove_all(root_); }
    [[nodiscard]] std::string problem() const {
        std::string out;
        EXPECT_FALSE(read_result(root_ / "r", out));
        return out;
    }
    void replace(const char* name, const std::string& text) const {
        std::ofstream(root_ / "r" / name, std::ios::binary) << text;
    }
    fs::path root_;
};

TEST_F(ResultReaderFolder, is_read_as_one_thing) {
    std::string problem;
    const auto result = read_result(root_ / "r", problem);
    ASSERT_TRUE(result) << problem;
    EXPECT_EQ(result->trajectory.rows(), 3U);
    EXPECT_EQ(result->events.size(), 2U);
    EXPECT_EQ(result->model, "format = 1\n");
    EXPECT_EQ(result->parameters, (Overrides{{"a", "1 mm"}, {"b", "c = d"}}));
    EXPECT_EQ(nlohmann::json::parse(result->summary)["pawl"], "0");
}

TEST_F(ResultReaderFolder, that_lacks_a_file_is_refused_by_the_name_of_the_file) {
    for (const char* name : {"events.csv", "trajectory.csv", "model.toml", "result.json"}) {
        fs::remove(root_ / "r" / name);
        EXPECT_NE(problem().find(name), std::string::npos) << problem();
    }
    fs::remove_all(root_ / "r");
    EXPECT_NE(problem().find("there is no folder"), std::string::npos);
    std::ofstream(root_ / "r") << "a file";
    EXPECT_NE(problem().find("is a file; a result is a folder"), std::string::npos);
}

TEST_F(ResultReaderFolder, with_another_model_than_the_one_that_was_run_is_refused) {
    replace("model.toml", "format = 1\nname = \"other\"\n");
    EXPECT_NE(problem().find("model.toml is not the model that was run"), std::string::npos);
}

TEST_F(ResultReaderFolder, with_a_damaged_or_foreign_summary_is_refused) {
    replace("result.json", "{\"format\": 1,");
    EXPECT_NE(problem().find("result.json:1:14: error: this is not JSON"), std::string::npos)
        << problem();
    replace("result.json", "[1]");
    EXPECT_NE(problem().find("is not a result of pawl"), std::string::npos);
    replace("result.json", R"({"pawl": "9", "format": 2})");
    EXPECT_NE(problem().find("has format 2; this program reads format 1"), std::string::npos);
    replace("result.json", R"({"pawl": "9", "format": 1, "model": 3})");
    EXPECT_NE(problem().find("result.json: error: /model must be an object"), std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
