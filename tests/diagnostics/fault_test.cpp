// Faults around the program: streams that are closed, memory and disks that are full, results that
// were damaged. There is a message and an exit code other than 1, and never a crash.
#include <cstdlib>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

class ProgramFault : public test::Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write("model.toml", test::fourbar());
    }
    // Runs a line of the shell in the folder; `pawl` stands for the program.
    [[nodiscard]] int shell(const std::string& line) const {
        const std::string text =
            "cd '" + folder_.string() + "'; pawl() { '" + test::program + "' \"$@\"; }; " + line;
        const int status = std::system(text.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
};

TEST_F(ProgramFault, of_closed_streams_loses_messages_but_not_the_exit_code) {
    EXPECT_EQ(shell("pawl check missing.toml 2>&-"), 3);
    EXPECT_EQ(shell("pawl chekc model.toml 2>&-"), 2);
    EXPECT_EQ(shell("pawl check 2>&-"), 2);
    EXPECT_EQ(shell("pawl kinematics model.toml --set k=0.1 --set g=1 --quiet 2>&-"), 4);
    EXPECT_EQ(shell("pawl kinematics model.toml --out /proc/pawl --quiet 2>&-"), 2);
    EXPECT_EQ(shell("pawl check model.toml >&- 2>&-"), 2);  // nowhere to print the answer
    const bool full = std::filesystem::exists("/dev/full");
    EXPECT_EQ(shell(full ? "pawl check missing.toml 2>/dev/full" : "exit 3"), 3);
}

TEST_F(ProgramFault, of_closed_streams_does_not_put_messages_into_files) {
    write("resting.toml", test::fourbar(""));  // has a warning
    EXPECT_EQ(shell("pawl kinematics resting.toml --quiet --out r"), 0);
    EXPECT_EQ(shell("pawl kinematics resting.toml --out closed <&- 2>&- >/dev/null"), 0);
    for (const char* file : {"trajectory.csv", "events.csv", "model.toml"})
        EXPECT_EQ(text(std::string("closed/") + file), text(std::string("r/") + file));
    EXPECT_FALSE(nlohmann::json::parse(text("closed/result.json"), nullptr, false).is_discarded());
}

#ifndef __SANITIZE_ADDRESS__  // which needs all addresses for itself
TEST_F(ProgramFault, of_memory_is_named_and_is_no_internal_error) {
    EXPECT_EQ(shell("ulimit -v 150000; pawl kinematics model.toml --end '900 s' --step '0.1 ms' "
                    "--quiet --out r 2>err"),
              5);
    EXPECT_EQ(text("err").find("pawl: out of memory"), 0U) << text("err");
    EXPECT_EQ(entries(), (Names{"err", "model.toml"}));
}
#endif

TEST_F(ProgramFault, of_a_file_over_the_limit_is_named_and_leaves_the_old_result) {
    ASSERT_EQ(shell("pawl kinematics model.toml --quiet --end '10 ms' --out r"), 0);
    const std::string before = text("r/trajectory.csv");
    EXPECT_EQ(shell("ulimit -f 1; pawl kinematics model.toml --quiet --out r 2>/dev/null"), 2);
    EXPECT_EQ(text("r/trajectory.csv"), before);
    EXPECT_EQ(entries(), (Names{"model.toml", "r"}));
}

TEST_F(ProgramFault, of_a_name_that_is_not_utf_8_is_none) {
    EXPECT_EQ(shell("cp model.toml \"$(printf 'caf\\351.toml')\""), 0);
    EXPECT_EQ(shell("pawl kinematics caf*.toml --quiet --end '10 ms' --out r"), 0);
    EXPECT_EQ(shell("pawl report r --quiet"), 0);
    EXPECT_EQ(shell("pawl plot r --quiet"), 0);
    EXPECT_EQ(shell("pawl check caf*.toml --json >/dev/null"), 0);
}

TEST_F(ProgramFault, of_four_runs_at_once_into_one_folder_is_none) {
    EXPECT_EQ(shell("for i in 1 2 3 4; do pawl kinematics model.toml --quiet --end '10 ms' --out r "
                    "& pids=\"$pids $!\"; done; code=0; for p in $pids; do wait $p || code=$?; "
                    "done; exit $code"),
              0);
    EXPECT_EQ(entries(), (Names{"model.toml", "r"}));
    EXPECT_EQ(shell("pawl report r --quiet"), 0);
}

TEST_F(ProgramFault, of_a_damaged_result_is_reported_by_every_verb_that_reads_it) {
    ASSERT_EQ(shell("pawl kinematics model.toml --quiet --end '10 ms' --out r"), 0);
    const std::string table = text("r/trajectory.csv"), summary = text("r/result.json");
    const std::size_t second = table.find('\n') + 1;
    std::string damaged = table;
    damaged.insert(table.find("crank.x"), "\xff");
    write("r/trajectory.csv", damaged);
    for (const char* verb : {"report r", "plot r", "draw r"}) {
        EXPECT_EQ(shell(std::string("pawl ") + verb + " 2>err"), 3) << verb;
        EXPECT_NE(text("err").find("r/trajectory.csv:1:7: error: the byte 0xff is not UTF-8"),
                  std::string::npos)
            << text("err");
    }
    damaged = table;
    damaged.replace(table.find(',', second) + 1, 0, "nan,");
    damaged.erase(table.find(',', second) + 5,
                  table.find(',', table.find(',', second) + 1) - table.find(',', second));
    write("r/trajectory.csv", damaged);
    for (const char* verb : {"report r", "draw r"}) {
        EXPECT_EQ(shell(std::string("pawl ") + verb + " 2>err"), 3) << verb;
        EXPECT_NE(text("err").find("r/trajectory.csv:2: error: crank.x is nan"), std::string::npos)
            << text("err");
    }
    write("r/trajectory.csv", table);
    auto json = nlohmann::ordered_json::parse(summary);
    json["audit"].erase("verdict");
    write("r/result.json", json.dump());
    for (const char* verb : {"report r", "plot r", "draw r"}) {
        EXPECT_EQ(shell(std::string("pawl ") + verb + " 2>err"), 3) << verb;
        EXPECT_NE(text("err").find("r/result.json: error: /audit/verdict is missing"),
                  std::string::npos)
            << text("err");
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
