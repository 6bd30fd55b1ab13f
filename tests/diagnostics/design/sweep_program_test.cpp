// `pawl sweep` as a program: killed again and again, on any number of threads, on a full disk.
#include <csignal>
#include <random>

#include "support/program.h"
#include "support/soak.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr const char* pendulums = R"(format = 1
[parameters]
first = "-45 deg"
second = "-45 deg"
[body.rod1]
angle = "first"
points = { A = [1, 0] }
mass = 1
inertia = 0.08
centre = [0.5, 0]
[body.rod2]
angle = "second"
mass = 1
inertia = 0.08
centre = [0.5, 0]
[joint.O]
type = "revolute"
a = "ground"
b = "rod1"
[joint.A]
type = "revolute"
a = "rod1.A"
b = "rod2"
[force.weight]
type = "gravity"
[response.lowest]
value = "min:rod2.y"
[response.spin]
value = "rod2.omega"
[sweep]
vary = ["first=-90 deg:0 deg:25", "second=-90 deg:0 deg:24"]
[run]
analysis = "dynamics"
end = 2
step = 0.05
)";

class SweepProgram : public test::Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write("model.toml", pendulums);
    }
};

TEST_F(SweepProgram, killed_twenty_times_it_has_the_rows_of_an_undisturbed_one) {
    ASSERT_EQ(run({"sweep", "model.toml", "-o", "whole.sqlite", "--csv", "whole.csv"}).code, 0);
    const std::string whole = text("whole.csv");
    EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 601);
    const std::vector<std::string> again{"sweep", "model.toml", "-o",      "rows.sqlite",
                                         "--csv", "rows.csv",   "--resume"};
    std::mt19937 random(19);
    const int wanted = test::soaked(20);
    int killed = 0;
    for (int i = 0; killed < wanted && i < 10 * wanted; ++i) {
        const double after = std::uniform_real_distribution<double>(0.005, 0.25)(random);
        const int code = run(again, {}, {SIGKILL, after}).code;
        if (code != 0) {
            EXPECT_EQ(code, 128 + SIGKILL);
            ++killed;
            continue;
        }
        // It came to its end: the next one begins anew.
        EXPECT_TRUE(text("rows.csv") == whole);
        for (const char* file : {"rows.sqlite", "rows.csv"})
            std::filesystem::remove(folder_ / file);
    }
    EXPECT_EQ(killed, wanted);
    const auto last = run(again);
    EXPECT_EQ(last.code, 0) << last.err;
    EXPECT_TRUE(text("rows.csv") == whole);
    EXPECT_EQ(entries(),
              (Names{"model.toml", "rows.csv", "rows.sqlite", "whole.csv", "whole.sqlite"}));
}

TEST_F(SweepProgram, rows_do_not_depend_on_threads) {
    for (const char* threads : {"1", "2", "7"})
        ASSERT_EQ(run({"sweep", "model.toml", "-o", std::string(threads) + ".sqlite", "--csv",
                       std::string(threads) + ".csv", "--threads", threads, "--method", "sobol",
                       "--runs", "64"})
                      .code,
                  0);
    EXPECT_TRUE(text("1.csv") == text("2.csv"));
    EXPECT_TRUE(text("1.csv") == text("7.csv"));
    EXPECT_NE(text("1.csv").find("63,completed"), std::string::npos);
}

// A file may not grow beyond 16 kB: what was kept stays, and the sweep goes on when there is room.
TEST_F(SweepProgram, of_a_full_disk_loses_no_row) {
    ASSERT_EQ(run({"sweep", "model.toml", "-o", "whole.sqlite", "--csv", "whole.csv"}).code, 0);
    const std::string line = "cd '" + folder_.string() + "'; ulimit -f 32; '" + test::program +
                             "' sweep model.toml -o rows.sqlite 2>told";
    const int status = std::system(line.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2);
    EXPECT_NE(text("told").find("--resume"), std::string::npos) << text("told");
    const auto last =
        run({"sweep", "model.toml", "-o", "rows.sqlite", "--csv", "rows.csv", "--resume"});
    EXPECT_EQ(last.code, 0) << last.err;
    EXPECT_TRUE(text("rows.csv") == text("whole.csv"));
}

TEST_F(SweepProgram, mistakes_end_it_before_it_begins) {
    struct Case {
        std::vector<std::string> arguments;
        int code;
        const char* message;
    };
    write("taken.sqlite", "no database");
    for (const Case& c : {Case{{"--of", "max:rod3.y"}, 3, "is called 'rod3'; did you mean 'rod1'"},
                          Case{{"--of", "max:rod1.z"}, 3, "no column 'rod1.z'"},
                          Case{{"--vary", "thrid=1:2:3"}, 3, "the model has no parameter 'thrid'"},
                          Case{{"--method", "sobol"}, 3, "needs a number of runs"},
                          Case{{"--method", "grit"}, 2, "grit"},
                          Case{{"--runs", "5"}, 2, "--runs does not apply to a grid"},
                          Case{{"-o", "taken.sqlite"}, 2, "exists already"},
                          Case{{"-o", "taken.sqlite", "--resume"}, 2, "not a database"},
                          Case{{"-o", "nowhere/rows.sqlite"}, 2, "unable to open"}}) {
        std::vector<std::string> words{"sweep", "model.toml"};
        words.insert(words.end(), c.arguments.begin(), c.arguments.end());
        const auto o = run(words);
        EXPECT_EQ(o.code, c.code) << o.err;
        EXPECT_NE(o.err.find(c.message), std::string::npos) << o.err;
    }
    EXPECT_EQ(text("taken.sqlite"), "no database");
    EXPECT_EQ(entries(), (Names{"model.toml", "taken.sqlite"}));
}

// Bounds that cannot be assembled are rows, not the end.
TEST_F(SweepProgram, tells_what_failed_and_how_often) {
    write("fourbar.toml", R"(format = 1
[parameters]
crank = 1
[body.ground]
points = { D = [3, 0] }
[body.crank]
angle = "60 deg"
points = { B = ["crank", 0] }
[body.coupler]
position = [0.5, 0.9]
points = { C = [3, 0] }
[body.rocker]
position = [3, 0]
angle = "90 deg"
points = { C = [2, 0] }
[joint.A]
type = "revolute"
a = "ground"
b = "crank"
[joint.B]
type = "revolute"
a = "crank.B"
b = "coupler"
[joint.C]
type = "revolute"
a = "coupler.C"
b = "rocker.C"
[joint.D]
type = "revolute"
a = "ground.D"
b = "rocker"
[driver.motor]
joint = "A"
type = "speed"
speed = "1 rad/s"
[response.swing]
value = "max:rocker.angle"
[run]
end = 1
)");
    const auto o = run({"sweep", "fourbar.toml", "--vary", "crank=1,9"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("failed  not_assembled: 1 run"), std::string::npos) << o.out;
    const auto none = run({"sweep", "fourbar.toml", "--vary", "crank=8,9", "-o", "none.sqlite"});
    EXPECT_EQ(none.code, 0) << none.err;
    EXPECT_NE(none.out.find("failed  not_assembled: 2 runs"), std::string::npos) << none.out;
    EXPECT_EQ(none.out.find("inf"), std::string::npos) << none.out;
}

TEST_F(SweepProgram, tells_of_a_response_that_nothing_changes) {
    const auto o = run(
        {"sweep", "model.toml", "--vary", "first=-50 deg:-40 deg:3", "--of", "rod2.angle@start"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("rod2.angle@start is the same in all runs"), std::string::npos) << o.out;
}

class ToleranceProgram : public SweepProgram {};

TEST_F(ToleranceProgram, prints_the_study_and_writes_examples) {
    std::string model = pendulums;
    model.replace(model.find("\"-45 deg\""), 9, "{ value = \"-45 deg\", tolerance = \"1 deg\" }");
    write("model.toml", model);
    const auto o = run({"tolerance", "model.toml", "--runs", "20", "--csv", "sample.csv",
                        "--examples", "examples"});
    EXPECT_EQ(o.code, 0) << o.err;
    for (const char* part : {"lowest [m], nominal", "worst case", "Monte Carlo",
                             "what happens, in 20 runs", "100.00 %", "slopes  derivatives along"})
        EXPECT_NE(o.out.find(part), std::string::npos) << part << " in\n" << o.out;
    const std::string sample = text("sample.csv");
    EXPECT_EQ(std::count(sample.begin(), sample.end(), '\n'), 22);
    EXPECT_EQ(entries("examples"), Names{"sequence_1.result"});
    EXPECT_EQ(run({"tolerance", "model.toml", "--runs", "20", "--of", "t@stick"}).code, 3);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
