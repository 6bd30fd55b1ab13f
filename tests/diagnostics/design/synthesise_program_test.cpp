// `pawl synthesise` and `pawl optimise` as their user meets them: exit codes, messages with their
// place, the files that are left.
#include "support/program.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::Program;

class DesignProgram : public Program {
protected:
    // A spring that holds a mass: its stiffness follows from the deflection that is wanted.
    static std::string spring(const std::string& design) {
        return R"(format = 1
[parameters]
k = { value = "100 N/m", min = "50 N/m", max = "2000 N/m" }   # kept
idle = { value = 1, min = 0, max = 2 }
[body.mass]
mass = "1 kg"
inertia = "1e-3 kg m^2"
[joint.guide]
type = "prismatic"
a = "ground"
b = "mass"
axis = "90 deg"
[driver.slow]
joint = "guide"
type = "polynomial"
coefficients = [0, "-10 mm/s"]
[force.spring]
type = "joint_spring"
joint = "guide"
stiffness = "k"
free_value = 0
[run]
analysis = "inverse"
end = "1 s"
step = "0.1 s"
)" + design;
    }
};

TEST_F(DesignProgram, optimise_writes_the_improved_model_and_the_history) {
    write("spring.toml", spring("[design]\nvariables = [\"k\"]\n"
                                "constraints = [\"min:slow.force == -5 N\"]\n"));
    const auto done = run({"optimize", "spring.toml"});
    EXPECT_EQ(done.code, 0) << done.err << done.out;
    // The driver holds 10 mm against the spring: k = 5 N / 10 mm.
    EXPECT_NE(done.out.find("500"), std::string::npos) << done.out;
    EXPECT_NE(done.out.find("central differences"), std::string::npos);
    EXPECT_NE(text("spring.optimised.toml").find("# kept"), std::string::npos);
    EXPECT_EQ(text("spring.optimised.history.csv").substr(0, 24), "start,run,valid,feasible");
}

TEST_F(DesignProgram, optimise_reports_bad_designs_with_their_place_and_writes_nothing) {
    const auto refused = [&](const std::string& design, const std::string& message) {
        write("spring.toml", spring(design));
        const auto outcome = run({"optimise", "spring.toml"});
        EXPECT_EQ(outcome.code, 3) << design;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(folder_ / "spring.optimised.toml"));
    };
    refused("", "has no table [design]");
    refused("[design]\nvariables = [\"k\"]\nminimise = \"max:slo.force\"\n",
            "spring.toml:28:17: error: design, minimise: no element with columns is called 'slo'");
    refused("[design]\nvariables = [\"kk\"]\nminimise = \"max:slow.force\"\n",
            "spring.toml:27:15: error: design, variables: there is no parameter 'kk'");
    refused("[design]\nvariables = [\"idle\"]\nminimise = \"max:slow.force\"\n",
            "does not depend on any variable");
}

// Where nothing can be written the message has what was found, also with -q.
TEST_F(DesignProgram, of_a_full_disk_loses_no_design) {
    write("spring.toml", spring("[design]\nvariables = [\"k\"]\n"
                                "constraints = [\"min:slow.force == -5 N\"]\n"));
    write("points.csv", "x [mm],y [mm]\n0,0\n20,10\n40,12\n");
    const auto full = [&](const std::string& words) {
        const std::string line = "cd '" + folder_.string() + "'; (ulimit -f 0; '" + test::program +
                                 "' " + words + " 2>&1 >/dev/null) | cat >../told";
        EXPECT_EQ(std::system(line.c_str()), 0);
        return text("../told");
    };
    const std::string optimised = full("optimise spring.toml -q");
    EXPECT_NE(optimised.find("cannot write spring.optimised.toml"), std::string::npos) << optimised;
    EXPECT_NE(optimised.find("the best design found: k = "), std::string::npos) << optimised;
    const std::string found = full("synthesise path points.csv --starts 5 -q");
    EXPECT_NE(found.find("cannot write points.synthesis"), std::string::npos) << found;
    EXPECT_EQ(entries(), (Names{"points.csv", "spring.toml"}));
}

TEST_F(DesignProgram, optimise_reports_bounds_that_cannot_be_assembled) {
    write("far.toml", R"(format = 1
[parameters]
crank = { value = "9 m", min = "8 m", max = "10 m" }
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
[design]
variables = ["crank"]
maximise = "max:rocker.angle"
[run]
end = 1
)");
    const auto outcome = run({"optimise", "far.toml"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.err.find("cannot be run with its start values: joint"), std::string::npos)
        << outcome.err;
    EXPECT_EQ(entries(), (Names{"far.toml"}));
}

TEST_F(DesignProgram, synthesise_writes_models_atlas_and_table) {
    write("points.csv", "x [mm],y [mm]\n0,0\n20,10\n40,12\n");
    const auto done = run({"synthesise", "path", "points.csv", "--starts", "20", "--keep", "2"});
    EXPECT_EQ(done.code, 0) << done.err << done.out;
    EXPECT_TRUE(std::filesystem::exists(folder_ / "points.synthesis/solution_01.toml"));
    EXPECT_NE(text("points.synthesis/atlas.html").find("<svg"), std::string::npos);
    EXPECT_EQ(run({"kinematics", "points.synthesis/solution_01.toml", "-q"}).code, 0);
    // Again in the same place; but not over a file of someone else.
    EXPECT_EQ(run({"synthesise", "path", "points.csv", "--starts", "20", "-q"}).code, 0);
    write("points.synthesis/mine.txt", "mine");
    const auto refused = run({"synthesise", "path", "points.csv", "--starts", "20", "-q"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("mine.txt"), std::string::npos);
    EXPECT_EQ(text("points.synthesis/mine.txt"), "mine");
}

TEST_F(DesignProgram, synthesise_reports_errors_with_line_and_column) {
    write("points.csv", "x,y\n1,2\n3,four\n");
    const auto bad = run({"synthesize", "path", "points.csv"});
    EXPECT_EQ(bad.code, 3);
    EXPECT_NE(bad.err.find("points.csv:3:3: error: 'four' is not a number"), std::string::npos);
    EXPECT_EQ(run({"synthesise", "paht", "points.csv"}).code, 2);
    EXPECT_EQ(run({"synthesise", "path", "missing.csv"}).code, 3);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
