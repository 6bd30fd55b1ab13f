// `lyapunov`, `poincare`, `spectrum` and `periodic` as the user meets them: numbers, files,
// messages, exit codes.
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Json = nlohmann::json;

// A mass on a spring, pushed at 1 Hz: x'' + x' + 100 x = cos(2 pi t).
const char* const pushed = R"(
format = 1
body.mass = { mass = 1 }
joint.guide = { type = "prismatic", a = "ground", b = "mass", axis = 0 }
force.spring = { type = "joint_spring", joint = "guide", stiffness = 100, damping = 1 }
force.push = { type = "joint_force", joint = "guide", value = "cos(2*pi*t) * 1" }
run = { analysis = "dynamics", end = "40 s", step = "10 ms" }
)";

class LongRun : public test::Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write("pushed.toml", pushed);
        write("plate.toml", test::embedded_text("bouncing_on_plate"));
        write("fourbar.toml", test::fourbar());
    }
    static bool says(const test::ProgramOutcome& outcome, const char* words) {
        return outcome.err.find(words) != std::string::npos;
    }
};

TEST_F(LongRun, of_a_linear_model_has_the_exponent_of_its_damping) {
    const auto outcome =
        run({"lyapunov", "pushed.toml", "--end", "80 s", "--after", "1 s", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json found = Json::parse(outcome.out)["equations"];
    // Eigenvalues -1/2 +- 9.99 i: neighbours turn, so that windows differ, but not in the mean.
    EXPECT_NEAR(found["exponent_per_s"].get<double>(), -0.5, found["error_per_s"].get<double>());
    EXPECT_LT(found["error_per_s"].get<double>(), 0.1);
}

TEST_F(LongRun, of_a_pushed_mass_has_one_point_per_period_and_one_line) {
    auto outcome = run({"poincare", "pushed.toml", "--every", "1 s", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out)["points_per_period"], 1);
    EXPECT_TRUE(text("pushed.section.csv").starts_with("t [s],"));
    outcome = run({"spectrum", "pushed.toml", "--columns", "mass.x", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json peak = Json::parse(outcome.out)["spectra"][0]["peaks"][0];
    // |100 - w^2 + i w|^-1 at w = 2 pi. The first 20 s leave exp(-10) of what swings freely, and
    // one sample more than 20 periods takes 1e-5 of a line.
    EXPECT_NEAR(peak["frequency_Hz"].get<double>(), 1, 1e-4);
    EXPECT_NEAR(peak["amplitude"].get<double>(), 0.01643473, 1e-4 * 0.0164);
}

TEST_F(LongRun, of_a_result_needs_no_new_run) {
    ASSERT_EQ(run({"run", "plate.toml", "-q", "--out", "r"}).code, 0);
    const auto outcome =
        run({"poincare", "r", "--event", "impact C#1", "--plot", "p.svg", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out)["points_per_period"], 1);
    EXPECT_NEAR(Json::parse(outcome.out)["period_s"].get<double>(), 0.2, 1e-9);
    EXPECT_NE(text("p.svg").find("class='dots'"), std::string::npos);
    EXPECT_EQ(run({"lyapunov", "r"}).code, 0);
    EXPECT_EQ(run({"spectrum", "r", "--plot", "s.svg"}).code, 0);
    EXPECT_EQ(run({"poincare", "r", "--every", "0.2 s", "--end", "2 s"}).code, 2);
}

TEST_F(LongRun, shooting_tells_the_multipliers) {
    const auto outcome = run({"periodic", "plate.toml", "--from", "0 s", "--period", "0.2 s"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("size 0.8"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("motion       stable"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("from the derivative of the motion"), std::string::npos)
        << outcome.out;
}

TEST_F(LongRun, says_where_there_is_no_derivative) {
    const auto stiff = run({"periodic", "plate.toml", "--from", "0 s", "--period", "0.2 s", "--set",
                            "run.integrator=stiff", "--set", "run.rtol=1e-9"});
    ASSERT_EQ(stiff.code, 0) << stiff.err;
    EXPECT_NE(stiff.out.find("no derivative at the run at t = 0 s: the run takes implicit steps"),
              std::string::npos)
        << stiff.out;
    const auto two = run({"lyapunov", "plate.toml", "--end", "4 s", "--after", "0 s", "--window",
                          "0.2 s", "--set", "run.integrator=stiff", "--set", "run.rtol=1e-9"});
    ASSERT_EQ(two.code, 0) << two.err;
    EXPECT_NE(two.out.find("from two neighbouring runs, because the run takes implicit steps"),
              std::string::npos)
        << two.out;
    // Balls that lie against each other are struck at once.
    write("cradle.toml", test::embedded_text("newtons_cradle"));
    const auto cradle =
        run({"lyapunov", "cradle.toml", "--end", "3 s", "--after", "0 s", "--window", "0.5 s"});
    ASSERT_EQ(cradle.code, 0) << cradle.err;
    EXPECT_NE(cradle.out.find("left out: no derivative at impact C12#1 at t = 0.68"),
              std::string::npos)
        << cradle.out;
}

TEST_F(LongRun, of_a_belt_is_compared_without_its_way) {
    write("belt.toml", test::embedded_text("stick_slip_belt"));
    auto outcome = run({"poincare", "belt.toml", "--event", "slip"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("period  1: "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("not compared, since it advances steadily: belt.x"),
              std::string::npos)
        << outcome.out;
    outcome = run({"poincare", "belt.toml", "--event", "slip", "--columns", "belt.x"});
    EXPECT_NE(outcome.out.find("period  none"), std::string::npos) << outcome.out;
    outcome = run({"periodic", "belt.toml", "--guess", "0.67 s"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(says(outcome, "driver 'belt' does not return to its start")) << outcome.err;
}

TEST_F(LongRun, says_what_is_missing) {
    auto outcome = run({"lyapunov", "fourbar.toml"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_TRUE(says(outcome, "analysis = \"dynamics\"")) << outcome.err;
    EXPECT_EQ(run({"poincare", "fourbar.toml", "--every", "1 s"}).code, 3);
    EXPECT_EQ(run({"periodic", "fourbar.toml", "--period", "1 s"}).code, 3);
    outcome = run({"poincare", "pushed.toml", "--section", "mass.x = 1 m"});
    EXPECT_EQ(outcome.code, 5);
    EXPECT_TRUE(says(outcome, "never crosses the section")) << outcome.err;
    outcome = run({"poincare", "pushed.toml", "--section", "mas.x = 1 m"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(says(outcome, "near: mass.x")) << outcome.err;
    EXPECT_EQ(run({"poincare", "pushed.toml", "--section", "mass.x = 1 s"}).code, 2);
    EXPECT_EQ(run({"poincare", "pushed.toml", "--section", "mass.x"}).code, 2);
    EXPECT_EQ(run({"poincare", "pushed.toml"}).code, 2);
    EXPECT_EQ(run({"poincare", "pushed.toml", "--event", "impakt"}).code, 2);
    EXPECT_EQ(run({"poincare", "pushed.toml", "--event", "impact"}).code, 5);
    EXPECT_EQ(run({"poincare", "pushed.toml", "--every", "1 s", "--after", "50 s"}).code, 2);
    EXPECT_EQ(run({"lyapunov", "pushed.toml", "--end", "1 s", "--window", "0.3 s"}).code, 2);
    EXPECT_EQ(run({"lyapunov", "pushed.toml", "--end", "1 s", "--column", "mass.z"}).code, 2);
    EXPECT_EQ(run({"periodic", "pushed.toml"}).code, 2);
    ASSERT_EQ(run({"run", "pushed.toml", "-q", "--end", "0.2 s", "--out", "short"}).code, 0);
    outcome = run({"lyapunov", "short"});
    EXPECT_EQ(outcome.code, 5);
    EXPECT_TRUE(says(outcome, "too few")) << outcome.err;
    EXPECT_EQ(run({"spectrum", "short"}).code, 5);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
