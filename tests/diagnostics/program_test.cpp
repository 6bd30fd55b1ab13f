// The program as its user meets it: exit codes, messages with their place, what --json and --quiet
// print.
#include "support/program.h"

#include <regex>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/linkages.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Json = nlohmann::json;

class ProgramRun : public test::Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write("model.toml", test::fourbar());
    }
    void expect(int code, const std::vector<std::string>& arguments,
                const std::string& message = {}) const {
        const test::ProgramOutcome o = run(arguments);
        std::string line;
        for (const auto& a : arguments) line += " " + a;
        EXPECT_EQ(o.code, code) << "pawl" << line << '\n' << o.err;
        EXPECT_NE(o.err.find(message), std::string::npos) << "pawl" << line << '\n' << o.err;
        EXPECT_TRUE(code == 0 || !o.err.empty()) << "pawl" << line;
        EXPECT_EQ(o.err.find("internal error"), std::string::npos) << o.err;
    }
};

TEST_F(ProgramRun, ends_with_0_when_all_is_well) {
    for (const char* verb : {"check", "topology", "kinematics", "run"})
        expect(0, {verb, "model.toml"});
    expect(0, {"verify", "K1"});
    expect(0, {"schema"});
    expect(0, {"schema", "--markdown"});
    expect(0, {"--help"});
    expect(0, {"--version"});
}

TEST_F(ProgramRun, ends_with_2_on_wrong_usage_and_says_what_is_wrong) {
    expect(2, {"kinematic", "model.toml"}, "did you mean 'kinematics'");
    expect(2, {"check"}, "MODEL... is missing");
    expect(2, {"check", "model.toml", "--bogus"}, "--bogus");
    expect(2, {"check", "model.toml", "--set", "c"}, "NAME=VALUE");
    expect(2, {"check", "model.toml", "--set", "=1"}, "NAME=VALUE");
    expect(2, {"kinematics", "model.toml", "--end", "5 mm"}, "--end");
    expect(2, {"kinematics", "model.toml", "--end", "-1 s"}, "--end");
    expect(2, {"kinematics", "model.toml", "--step", "soon"}, "--step");
    expect(2, {"kinematics", "model.toml", "--step", "1e-9 s"}, "--step");
    expect(2, {"dynamics", "model.toml", "--rtol", "1"}, "--rtol must be between");
    expect(2, {"dynamics", "model.toml", "--atol", "fine"}, "--atol must be between");
    expect(2, {"dynamics", "model.toml", "--integrator-step", "1 ms"}, "rk4 and moreau");
    expect(2, {"kinematics", "model.toml", "--coordinates", "polar"}, "polar");
    expect(2, {"dynamics", "model.toml", "--dynamics", "foo"},
           "there is no 'foo'; valid: auto, multipliers, augmented, augmented_canonical");
    expect(2, {"run", "model.toml", "--dynamics", "foo"}, "multipliers");
    expect(2, {"dynamics", "model.toml", "--integrator", "foo"}, "auto, dop853, rk4, stiff");
    expect(2, {"dynamics", "model.toml", "--coordinates", "foo"}, "relative, absolute");
    expect(2, {"verify", "K2"}, "K1");
    expect(2, {"topology", "model.toml", "--dot", "nowhere/graph.dot"}, "nowhere/graph.dot");
    expect(2, {"set", "model.toml", "c"}, "path=value");
    EXPECT_EQ(entries(), Names{"model.toml"});
}

TEST_F(ProgramRun, ends_with_3_on_a_bad_model_and_points_at_it) {
    write("syntax.toml", "format = 1\n[body.crank\n");
    expect(3, {"check", "syntax.toml"}, "syntax.toml:2:");
    expect(3, {"kinematics", "missing.toml"}, "missing.toml");
    std::filesystem::create_directory(folder_ / "folder");
    expect(3, {"check", "folder"}, "folder");
    write("empty.toml", "");
    expect(3, {"run", "empty.toml"}, "format");
    write("binary.toml", std::string_view("\xff\x00\x01", 3));
    expect(3, {"topology", "binary.toml"}, "binary.toml:1:1");
    write("typo.toml",
          test::fourbar() + "[joint.E]\ntype = \"revolut\"\na = \"ground\"\nb = \"crank\"\n");
    expect(3, {"check", "typo.toml"}, "did you mean 'revolute'");
    expect(3, {"check", "model.toml", "--set", "nothing=3"}, "nothing");
    expect(3, {"check", "model.toml", "--set", "c=1 kg"}, "is a mass");
}

TEST_F(ProgramRun, ends_with_4_when_a_loop_cannot_close_and_names_place_joint_and_gap) {
    for (const char* verb : {"check", "kinematics", "run"}) {
        const auto o = run({verb, "model.toml", "--set", "g=1", "--set", "k=0.1"});
        EXPECT_EQ(o.code, 4);
        // Bars of 0.2, 0.1 and 0.4 m leave 0.3 m of 1 m.
        EXPECT_TRUE(std::regex_search(
            o.err,
            std::regex(R"(^model\.toml:\d+:1: error: joint 'C' cannot close: nearest gap 0\.3 m)")))
            << o.err;
    }
    write("reach.toml",
          test::fourbar("") +
              "[driver.lift]\njoint = \"D\"\ntype = \"speed\"\nstart = 3\nspeed = 1\n");
    expect(4, {"kinematics", "reach.toml"},
           "driver 'lift' requires a position that the mechanism cannot reach");
    EXPECT_EQ(entries(), (Names{"model.toml", "reach.toml"}));  // nothing was written
}

TEST_F(ProgramRun, ends_with_5_when_drivers_fight) {
    const auto second = [&](const char* law) {
        return test::ladder(1, "60 deg", "type = \"speed\"\nspeed = 1") +
               "[driver.second]\njoint = \"base_1\"\n" + law;
    };
    write("apart.toml", second("type = \"speed\"\nstart = 2\nspeed = 1\n"));
    expect(5, {"kinematics", "apart.toml"}, "contradicts 'motor'");
    write("faster.toml", second("type = \"speed\"\nspeed = 1.1\n"));
    expect(5, {"kinematics", "faster.toml"}, "faster.toml:");
}

TEST_F(ProgramRun, ends_with_5_at_a_dead_point_and_keeps_the_motion_up_to_it) {
    write("push.toml", test::embedded_text("slider_driven"));
    const auto o = run({"kinematics", "push.toml"});
    EXPECT_EQ(o.code, 5);
    EXPECT_TRUE(std::regex_search(
        o.err, std::regex(R"(^push\.toml:\d+:1: error: dead point at t = 5\.857864376)")))
        << o.err;
    const Json result = Json::parse(text("push.result/result.json"));
    EXPECT_EQ(result["status"], "dead_point");
    EXPECT_NE(text("push.result/events.csv").find("dead_point,push,,stopped"), std::string::npos);
    EXPECT_GT(text("push.result/trajectory.csv").size(), 100000U);
}

TEST_F(ProgramRun, prints_json_that_parses_and_nothing_else) {
    const auto check = Json::parse(run({"check", "model.toml", "--json", "--modes", "20"}).out);
    EXPECT_EQ(check["mobility"]["freedoms_here"], 1);
    EXPECT_EQ(check["modes"].size(), 2U);
    EXPECT_NEAR(check["positions"]["crank"]["angle_rad"].get<double>(), M_PI / 3, 1e-12);
    const auto topology = Json::parse(run({"topology", "model.toml", "--json"}).out);
    EXPECT_EQ(topology["chords"], Json::array({"C"}));
    EXPECT_EQ(topology["loop_matrix"], Json::parse("[[-1, -1, -1, 1]]"));
    const auto kinematics =
        Json::parse(run({"kinematics", "model.toml", "--json", "--set", "c=0.19"}).out);
    EXPECT_EQ(kinematics["status"], "completed");
    EXPECT_EQ(kinematics["audit"]["verdict"], "passed");
    EXPECT_EQ(kinematics["options"]["parameters"], Json::array({"c=0.19"}));
    EXPECT_EQ(kinematics["result"], "model.result");
    const auto rows = Json::parse(run({"verify", "K1", "--json"}).out);
    EXPECT_TRUE(rows.is_array() && rows[0]["pass"].get<bool>());
    EXPECT_TRUE(Json::parse(run({"schema"}).out).is_object());
}

TEST_F(ProgramRun, says_nothing_when_asked_to_be_quiet) {
    write("resting.toml", test::fourbar(""));  // warns that nothing drives it
    for (const char* model : {"model.toml", "resting.toml"})
        for (const char* verb : {"check", "topology", "kinematics", "run"}) {
            const auto o = run({verb, model, "--quiet"});
            EXPECT_EQ(o.code, 0);
            EXPECT_EQ(o.out, "") << verb;
            EXPECT_EQ(o.err, "") << verb;
        }
    EXPECT_FALSE(run({"check", "missing.toml", "--quiet"}).err.empty());  // but errors
}

TEST_F(ProgramRun, warns_when_nothing_drives_the_mechanism) {
    write("resting.toml", test::fourbar(""));
    const auto o = run({"kinematics", "resting.toml"});
    EXPECT_EQ(o.code, 0);
    EXPECT_NE(o.err.find("warning: the mechanism has no driver"), std::string::npos) << o.err;
}

TEST_F(ProgramRun, does_not_lose_output_silently_when_it_cannot_be_written) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
    for (const std::vector<std::string>& line :
         {std::vector<std::string>{"check", "model.toml"}, {"verify", "--json"}, {"--version"}}) {
        const auto o = run(line, "/dev/full");
        EXPECT_EQ(o.code, 2);
        EXPECT_NE(o.err.find("No space left"), std::string::npos) << o.err;
    }
}

// Naming more coordinates than there are degrees of freedom is an error at the first one too many.
TEST_F(ProgramRun, refuses_a_surplus_independent_coordinate_at_its_place) {
    const std::string model = test::fourbar("");
    const auto lines = std::count(model.begin(), model.end(), '\n');
    const auto message = [&](const std::string& names) {
        write("fourbar.toml", model + "[run]\nindependent = [" + names + "]\n");
        const auto o = run({"check", "fourbar.toml"});
        EXPECT_EQ(o.code, names == "\"O\"" ? 0 : 3) << names;
        return o.err;
    };
    EXPECT_EQ(message("\"O\""), "");
    const std::string location = "fourbar.toml:" + std::to_string(lines + 2) + ":";
    EXPECT_EQ(message("\"O\", \"D\""),
              location +
                  "22: error: [run] independent: 'D' follows from the joints and the "
                  "coordinates before it; this mechanism has 1 degree of freedom\n");
    EXPECT_NE(message("\"O\", \"O\"").find(location + "22: error: "), std::string::npos);
}

TEST_F(ProgramRun, shows_equivalent_particles_and_the_size_of_their_equations) {
    write("chain.toml", test::embedded_text("attia_chain"));
    const auto o = run({"check", "chain.toml", "--particles", "--cut", "C", "--cut", "F"});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("0.547308 kg"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("cut joints    C, F\n"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("particles            14 x 14 with 13 constraints: a system of 27\n"),
              std::string::npos)
        << o.out;
    EXPECT_NE(o.out.find("joint coordinates    5 x 5 with 4 constraints: a system of 9\n"),
              std::string::npos)
        << o.out;
    EXPECT_NE(o.out.find("absolute coordinates 15 x 15 with 14 constraints: a system of 29\n"),
              std::string::npos)
        << o.out;
    const auto json = nlohmann::json::parse(
        run({"check", "chain.toml", "--particles", "--cut", "C", "--cut", "F", "--json"}).out);
    EXPECT_NEAR(json["particles"]["bodies"]["plate"]["masses_kg"][2].get<double>(), 1.452692, 1e-6);
    const auto compared = nlohmann::json::parse(
        run({"check", "chain.toml", "--particles", "--compare", "--json"}).out);
    for (const char* form : {"joint coordinates", "particles"}) {
        const auto& motion = compared["particles"]["motion"][form];
        EXPECT_GT(motion["evaluations"].get<int>(), 100) << form;
        EXPECT_GT(motion["largest_difference_m"].get<double>(), 0) << form;
        EXPECT_LT(motion["largest_difference_m"].get<double>(), 1e-8) << form;
    }
    EXPECT_EQ(run({"check", "chain.toml", "--compare"}).code, 2);
    const auto unknown = run({"check", "chain.toml", "--particles", "--cut", "X"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("there is no joint 'X'"), std::string::npos) << unknown.err;
    write("crank.toml", test::embedded_text("slider_crank"));
    const auto refused = run({"check", "crank.toml", "--particles"});
    EXPECT_EQ(refused.code, 3);
    EXPECT_NE(refused.err.find("crank.toml:"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("at plain pins (revolute) only"), std::string::npos) << refused.err;
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
