// `pawl report` on results that are not whole and places where it may not write: a message that
// names the file, the exit code, and nothing half written.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

class ProgramReport : public test::Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write("model.toml", test::fourbar());
        ASSERT_EQ(run({"kinematics", "model.toml", "--quiet", "--end", "0.1 s", "--out", "r"}).code,
                  0);
    }
    void expect_refused(int code, const std::vector<std::string>& arguments,
                        const std::string& message) const {
        const Names before = entries();
        std::vector<std::string> words{"report"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        const auto outcome = run(words);
        EXPECT_EQ(outcome.code, code) << outcome.err;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
        EXPECT_EQ(entries(), before) << "nothing was written";
    }
};

TEST_F(ProgramReport, is_written_beside_the_result_and_replaces_an_older_one) {
    const auto outcome = run({"report", "r/"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("r.html"), std::string::npos) << outcome.out;
    EXPECT_EQ(entries(), (Names{"model.toml", "r", "r.html"}));
    const std::string first = text("r.html");
    EXPECT_EQ(run({"report", "r", "--quiet"}).out, "");
    EXPECT_EQ(text("r.html"), first) << "equal results give equal bytes";
    EXPECT_EQ(run({"report", "r", "-o", "-"}).out, first);
    const auto json = nlohmann::json::parse(run({"report", "r", "-o", "other.html", "--json"}).out);
    EXPECT_EQ(json["report"], "other.html");
    EXPECT_EQ(text("other.html"), first);
}

TEST_F(ProgramReport, of_changed_parameters_shows_the_mechanism_that_was_run) {
    ASSERT_EQ(run({"kinematics", "model.toml", "--quiet", "--end", "0.1 s", "--out", "r", "--set",
                   "c=0.21"})
                  .code,
              0);
    ASSERT_EQ(run({"report", "r"}).code, 0);
    EXPECT_NE(text("r.html").find("c=0.21"), std::string::npos);
}

TEST_F(ProgramReport, names_what_is_missing_in_a_result) {
    expect_refused(3, {"nothing"}, "there is no folder nothing");
    expect_refused(3, {"model.toml"}, "model.toml is a file; a result is a folder");
    std::filesystem::create_directory(folder_ / "empty");
    expect_refused(3, {"empty"}, "empty is not a result of pawl: it holds no result.json");
    for (const char* file : {"events.csv", "trajectory.csv", "model.toml"}) {
        std::filesystem::remove(folder_ / "r" / file);
        expect_refused(3, {"r"}, std::string("r/") + file + " is missing");
    }
}

TEST_F(ProgramReport, names_the_place_of_what_is_damaged_in_a_result) {
    const std::string table = text("r/trajectory.csv");
    write("r/trajectory.csv", table.substr(0, table.size() - 9));
    expect_refused(3, {"r"}, "r/trajectory.csv:12:");
    // A whole row less.
    write("r/trajectory.csv", table.substr(0, table.rfind('\n', table.size() - 2) + 1));
    expect_refused(3, {"r"}, "r/trajectory.csv has 10 rows, but the run wrote 11");
    std::string narrow = "t [s],crank.x [m]\n";
    for (int row = 0; row < 11; ++row) narrow += "0,0\n";
    write("r/trajectory.csv", narrow);
    expect_refused(3, {"r"}, "r/trajectory.csv has no column 'crank.y'");
    write("r/trajectory.csv", table);
    const std::string events = text("r/events.csv");
    write("r/events.csv", events + "0,user,,,,0,0,0,0,\n");
    expect_refused(3, {"r"}, "r/events.csv has 1 rows, but the run wrote 0");
    write("r/events.csv", "");
    expect_refused(3, {"r"}, "r/events.csv:1:1: error: the file is empty");
    write("r/model.toml", text("model.toml") + "# later\n");
    expect_refused(3, {"r"}, "r/model.toml is not the model that was run");
    write("r/result.json", "{\n]");
    expect_refused(3, {"r"}, "r/result.json:2:1: error: this is not JSON");
}

TEST_F(ProgramReport, leaves_alone_what_it_did_not_write_and_where_it_may_not) {
    write("notes.html", "<html>mine</html>");
    expect_refused(2, {"r", "-o", "notes.html"}, "notes.html exists and is not a report of pawl");
    EXPECT_EQ(text("notes.html"), "<html>mine</html>");
    ASSERT_EQ(run({"report", "r", "-o", "theirs.html"}).code, 0);
    std::filesystem::create_symlink("theirs.html", folder_ / "link.html");
    std::filesystem::create_symlink("not_there.html", folder_ / "dangling.html");
    for (const char* link : {"link.html", "dangling.html"})
        expect_refused(2, {"r", "-o", link}, "it is a symbolic link, which pawl does not follow");
    expect_refused(2, {"r", "-o", "r"}, "cannot write r: it is a folder");
    expect_refused(2, {"r", "-o", "not/there.html"}, "cannot write not/there.html");
    expect_refused(2, {"r", "-o", "/proc/report.html"}, "cannot write /proc/report.html");
    expect_refused(2, {}, "RESULT is missing");
    EXPECT_EQ(run({"report", "r", "-o", "-"}, "/dev/full").code, 2);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
