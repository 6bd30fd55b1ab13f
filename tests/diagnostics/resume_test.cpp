// Runs that are killed go on with `pawl resume` to the result they would have had; Ctrl-C ends one
// with its result so far.
#include <csignal>
#include <random>

#include <nlohmann/json.hpp>

#include "support/bowl.h"
#include "support/program.h"
#include "support/soak.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Some 10000 steps and a second of computing; rows and contacts outgrow memory on the way.
constexpr const char* long_run = R"(
[run]
analysis = "dynamics"
end = 3000
step = 0.05
)";

class Resume : public test::Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write("bowl.toml", std::string(test::ball_in_a_bowl) + long_run);
    }
    // The folder that a killed run has left, if any.
    [[nodiscard]] std::string left() const {
        for (const std::string& name : entries())
            if (name.find(".pawl-unfinished-") != std::string::npos) return name;
        return {};
    }
    void expect_the_same(const std::string& result, const std::string& whole) const {
        for (const char* file : {"/trajectory.csv", "/events.csv", "/model.toml"})
            EXPECT_TRUE(text(result + file) == text(whole + file)) << file;
        auto a = nlohmann::json::parse(text(result + "/result.json")),
             b = nlohmann::json::parse(text(whole + "/result.json"));
        for (const char* key : {"audit", "statistics", "events", "warnings", "status"})
            EXPECT_TRUE(a.at(key) == b.at(key)) << key;
    }
};

TEST_F(Resume, killed_runs_end_as_if_nothing_had_been) {
    ASSERT_EQ(run({"run", "bowl.toml", "--out", "whole"}).code, 0);
    std::mt19937 random(16);
    const int wanted = test::soaked(5);
    int resumed = 0;
    // A machine at work with other things may need several times as long as this one.
    for (int i = 0; resumed < wanted && i < 10 * wanted; ++i) {
        const double after =
            std::uniform_real_distribution<double>(0.02, 0.6)(random) * (1 + i / wanted);
        const int code =
            run({"run", "bowl.toml", "--checkpoint", "0.01"}, {}, {SIGKILL, after}).code;
        if (code == 0) continue;  // it was faster
        EXPECT_EQ(code, 128 + SIGKILL);
        // Killed again on the way.
        if (const std::string folder = left(); !folder.empty() && i % 2 == 0)
            (void)run({"resume", folder, "--checkpoint", "0.01"}, {}, {SIGKILL, 0.5 * after});
        const std::string folder = left();
        if (folder.empty()) continue;  // before its first checkpoint
        ++resumed;
        const auto outcome = run({"resume", folder});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_TRUE(left().empty());
        expect_the_same("bowl.result", "whole");
        std::filesystem::remove_all(folder_ / "bowl.result");
    }
    EXPECT_EQ(resumed, wanted);
}

TEST_F(Resume, interrupted_run_leaves_its_result) {
    // Before the program has begun to run, a signal kills it.
    test::ProgramOutcome outcome;
    for (const double after : {0.3, 1.0, 3.0, 10.0}) {
        outcome =
            run({"run", "bowl.toml", "--end", "1e6 s", "--step", "100 s"}, {}, {SIGINT, after});
        if (std::filesystem::exists(folder_ / "bowl.result")) break;
    }
    EXPECT_EQ(outcome.code, 130);
    EXPECT_NE(outcome.err.find("interrupted at t = "), std::string::npos) << outcome.err;
    const auto result = nlohmann::json::parse(text("bowl.result/result.json"));
    EXPECT_EQ(result.at("status"), "interrupted");
    EXPECT_EQ(result.at("audit").at("verdict"), "passed");
    EXPECT_TRUE(left().empty());
}

TEST_F(Resume, what_is_no_checkpoint_is_refused) {
    std::filesystem::create_directory(folder_ / "empty");
    for (const char* content :
         {"", "{}", "[]", R"({"format": 1})", R"({"format": 99})", "nonsense"}) {
        write("empty/checkpoint.json", content);
        const auto outcome = run({"resume", "empty"});
        EXPECT_EQ(outcome.code, 2) << content;
        EXPECT_NE(outcome.err.find("cannot be resumed"), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(run({"resume", "nowhere"}).code, 2);
    EXPECT_EQ(run({"resume"}).code, 2);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
