// What the program writes and where: the files of a result, and that nothing of the user's is ever
// lost.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Json = nlohmann::json;

class ProgramResult : public test::Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write("model.toml", test::fourbar() +
                                "[measure.swing]\ntype = \"angle\"\na = \"ground\"\nb = "
                                "\"rocker\"\nunit = \"deg\"\n");
    }
    [[nodiscard]] int kinematics(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{"kinematics", "model.toml", "--quiet", "--end", "0.1 s"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments).code;
    }
    static std::string first_line(const std::string& text) {
        return text.substr(0, text.find('\n'));
    }
};

const std::vector<std::string> files{"events.csv", "model.toml", "result.json", "trajectory.csv"};

TEST_F(ProgramResult, is_a_folder_named_after_the_model_with_its_files_and_no_others) {
    ASSERT_EQ(kinematics(), 0);
    EXPECT_EQ(entries(), (Names{"model.result", "model.toml"}));
    EXPECT_EQ(entries("model.result"), files);
    EXPECT_EQ(text("model.result/model.toml"), text("model.toml"));
}

// The model asks for kinematics.
TEST_F(ProgramResult, of_another_analysis_than_the_models_has_a_name_of_its_own) {
    write("arm.toml", R"(format = 1
body.arm = { mass = 1, inertia = 1 }
joint.O = { type = "revolute", a = "ground", b = "arm" }
driver.motor = { joint = "O", type = "speed", speed = "1 rad/s" }
)");
    const auto after = [&](const std::string& verb) {
        EXPECT_EQ(run({verb, "arm.toml", "--quiet"}).code, 0) << verb;
        return Json::parse(text("arm.result/result.json"))["analysis"].get<std::string>();
    };
    for (const char* verb : {"kinematics", "inverse", "dynamics", "run"})
        EXPECT_EQ(after(verb), "kinematics") << verb;
    EXPECT_EQ(entries(), (Names{"arm.dynamics.result", "arm.inverse.result", "arm.result",
                                "arm.toml", "model.toml"}));
}

// A ball that starts pressed into the floor, and one that cannot yield to its driver.
TEST_F(ProgramResult, of_a_run_that_fails_at_its_start_holds_the_reason_and_the_start) {
    const std::string sunk = R"(format = 1
body.ball = { position = [0, 0.05], mass = 1, inertia = 0.1 }
profile.floor = { body = "ground", elements = [{ type = "line", from = [1, 0], to = [-1, 0] }] }
profile.ball = { body = "ball", elements = [{ type = "circle", radius = 0.1 }] }
contact.C = { a = "floor", b = "ball" }
)";
    for (const char* analysis : {"dynamics", "kinematics"}) {
        write("sunk.toml", sunk + "run = { analysis = \"" + analysis + "\" }\n");
        EXPECT_EQ(run({"run", "sunk.toml"}).code, 3) << analysis;
        const Json result = Json::parse(text("sunk.result/result.json"));
        EXPECT_EQ(result["status"], "overlap") << analysis;
        EXPECT_NE(result["message"], "") << analysis;
        const std::string table = text("sunk.result/trajectory.csv");
        EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 2) << analysis;
        EXPECT_EQ(table.substr(table.find('\n') + 1, 9), "0,0,0.05,") << analysis;
        EXPECT_EQ(run({"report", "sunk.result"}).code, 0) << analysis;
    }
}

TEST_F(ProgramResult, tables_have_one_header_line_with_units) {
    ASSERT_EQ(kinematics({"--influence"}), 0);
    const std::string header = first_line(text("model.result/trajectory.csv"));
    EXPECT_EQ(header.substr(0, header.find(",coupler")),
              "t [s],crank.x [m],crank.y [m],crank.angle [rad],crank.vx [m/s],crank.vy "
              "[m/s],crank.omega [rad/s],"
              "crank.ax [m/s^2],crank.ay [m/s^2],crank.alpha [rad/s^2]");
    EXPECT_EQ(header.substr(header.find(",swing")),
              ",swing [deg],swing.rate [deg/s],swing.acceleration [deg/s^2]");
    const std::string table = text("model.result/trajectory.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 12);  // a header and 11 outputs
    EXPECT_EQ(first_line(text("model.result/events.csv")),
              "t [s],kind,element,from,to,normal_velocity_before [m/s],normal_velocity_after "
              "[m/s],impulse [N s],"
              "energy_change [J],detail");
    EXPECT_EQ(first_line(text("model.result/influence.csv")).substr(0, 34),
              "t [s],d(crank.x)/d(motor) [m/rad],");
}

TEST_F(ProgramResult, holds_the_matrices_that_were_asked_for) {
    ASSERT_EQ(kinematics({"--matrices", "--at", "20 ms"}), 0);
    EXPECT_EQ(entries("model.result"),
              (Names{"events.csv", "matrix_coordinates.csv", "matrix_influence.csv",
                     "matrix_jacobian.csv", "matrix_rows.csv", "model.toml", "result.json",
                     "trajectory.csv"}));
    const std::string table = text("model.result/matrix_influence.csv");
    EXPECT_EQ(first_line(table).substr(first_line(table).find(',')), ",motor [/rad]");
    const Json result = Json::parse(text("model.result/result.json"))["matrices"];
    EXPECT_EQ(result["t_s"], 0.02);
    EXPECT_EQ(result["independent"][0]["coordinate"], "O.angle");
    EXPECT_EQ(result["influence"]["rows"][0]["name"], "O.angle");
    EXPECT_EQ(result["influence"]["values"][0][0], 1);
    EXPECT_EQ(result["jacobian"]["columns"][0]["per"], "rad");
    const auto shown =
        run({"kinematics", "model.toml", "--end", "0.1 s", "--matrices", "--at", "20 ms"});
    EXPECT_NE(shown.out.find("independent   motor [rad]: drives O.angle"), std::string::npos)
        << shown.out;
}

TEST_F(ProgramResult, has_no_matrices_outside_of_the_run) {
    const auto message = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"kinematics", "model.toml", "--end", "0.1 s"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.code, 2);
        return outcome.err;
    };
    EXPECT_NE(message({"--matrices", "--at", "1 s"}).find("--at 1 s: the run ends at t = 0.1 s"),
              std::string::npos);
    EXPECT_NE(message({"--matrices", "--at", "-1 s"}).find("the motion begins at t = 0"),
              std::string::npos);
    EXPECT_NE(message({"--at", "20 ms"}).find("add --matrices"), std::string::npos);
    std::string many = "format = 1\n";
    for (int i = 0; i < 301; ++i) many += "body.b" + std::to_string(i) + " = {}\n";
    write("model.toml", many);
    EXPECT_NE(message({"--matrices"}).find("up to 300 moving bodies; this model has 301"),
              std::string::npos);
    EXPECT_EQ(entries(), Names{"model.toml"});
}

TEST_F(ProgramResult, says_in_json_what_was_run_and_how_it_went) {
    ASSERT_EQ(kinematics({"--coordinates", "absolute", "--step", "5 ms", "--set", "c=0.21"}), 0);
    const Json result = Json::parse(text("model.result/result.json"));
    EXPECT_EQ(result["format"], 1);
    EXPECT_EQ(result["analysis"], "kinematics");
    EXPECT_EQ(result["model"]["file"], "model.toml");
    EXPECT_EQ(result["model"]["hash"].get<std::string>().substr(0, 8), "fnv1a64:");
    EXPECT_EQ(result["options"]["coordinates"], "absolute");
    EXPECT_EQ(result["options"]["step_s"], 0.005);
    EXPECT_EQ(result["options"]["end_s"], 0.1);
    EXPECT_EQ(result["options"]["parameters"], Json::array({"c=0.21"}));
    EXPECT_EQ(result["status"], "completed");
    EXPECT_EQ(result["audit"]["verdict"], "passed");
    EXPECT_LE(result["audit"]["constraint_residual_m"],
              result["audit"]["constraint_residual_limit_m"]);
    EXPECT_EQ(result["statistics"]["samples"], 21);
    EXPECT_TRUE(result["events"].is_array());
    EXPECT_GT(result["timing"]["wall_s"], 0);
    EXPECT_FALSE(result["pawl"].get<std::string>().empty());
}

TEST_F(ProgramResult, replaces_the_result_of_an_earlier_run) {
    ASSERT_EQ(kinematics({"--out", "r", "--influence"}), 0);
    const std::string before = text("r/trajectory.csv");
    ASSERT_EQ(kinematics({"--out", "r/", "--step", "2 ms"}), 0);
    EXPECT_EQ(entries("r"), files);  // the influence table of the first run is gone
    EXPECT_NE(text("r/trajectory.csv"), before);
    EXPECT_EQ(entries(), (Names{"model.toml", "r"}));
}

TEST_F(ProgramResult, is_written_below_folders_that_are_not_there_yet) {
    ASSERT_EQ(kinematics({"--out", "deep/down/here"}), 0);
    EXPECT_EQ(entries("deep/down"), Names{"here"});
    EXPECT_EQ(entries("deep/down/here"), files);
}

TEST_F(ProgramResult, is_refused_onto_a_file_into_a_foreign_folder_and_into_a_read_only_place) {
    write("file", "mine");
    EXPECT_EQ(kinematics({"--out", "file"}), 2);
    EXPECT_EQ(kinematics({"--out", "file/below"}), 2);
    EXPECT_EQ(text("file"), "mine");
    std::filesystem::create_directory(folder_ / "foreign");
    write("foreign/notes.txt", "mine too");
    EXPECT_EQ(kinematics({"--out", "foreign"}), 2);
    EXPECT_EQ(entries("foreign"), Names{"notes.txt"});
    EXPECT_EQ(text("foreign/notes.txt"), "mine too");
    EXPECT_EQ(kinematics({"--out", "model.toml"}), 2);
    EXPECT_EQ(text("model.toml").substr(0, 9), "\nformat =");
    EXPECT_EQ(kinematics({"--out", "/proc/pawl"}), 2);  // read-only even for root
    EXPECT_EQ(entries(), (Names{"file", "foreign", "model.toml"}));
}

TEST_F(ProgramResult, is_refused_where_the_user_has_put_a_file_of_his_own_beside_an_old_one) {
    ASSERT_EQ(kinematics({"--out", "r", "--influence"}), 0);
    ASSERT_EQ(kinematics({"--out", "r", "--influence"}), 0);  // all that pawl writes is known to it
    write("r/notes.txt", "mine");
    const auto outcome = run({"kinematics", "model.toml", "--out", "r"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("cannot write r: notes.txt in it was not written by pawl"),
              std::string::npos)
        << outcome.err;
    EXPECT_EQ(text("r/notes.txt"), "mine");
    std::filesystem::create_directory(folder_ / "theirs");
    write("theirs/result.json", "{\"score\": 42}");
    EXPECT_EQ(kinematics({"--out", "theirs"}), 2);
    EXPECT_EQ(text("theirs/result.json"), "{\"score\": 42}");
}

TEST_F(ProgramResult, is_refused_onto_the_folder_in_which_the_program_runs) {
    std::filesystem::rename(folder_ / "model.toml", folder_.parent_path() / "model.toml");
    for (const char* out : {".", "./", "../work"}) {
        const auto outcome = run({"kinematics", "../model.toml", "--out", out});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_NE(outcome.err.find("is where pawl runs"), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(entries(), Names{});
}

TEST_F(ProgramResult, of_draw_goes_to_a_device_without_replacing_it) {
    EXPECT_EQ(run({"draw", "model.toml", "-o", "/dev/null", "--quiet"}).code, 0);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(ProgramResult, is_not_touched_by_a_run_that_fails_to_start) {
    ASSERT_EQ(kinematics({"--out", "r"}), 0);
    const std::string before = text("r/result.json");
    EXPECT_EQ(kinematics({"--out", "r", "--set", "k=0.1", "--set", "g=1"}), 4);
    EXPECT_EQ(kinematics({"--out", "r", "--set", "nothing=1"}), 3);
    EXPECT_EQ(text("r/result.json"), before);
    EXPECT_EQ(entries("r"), files);
}

TEST_F(ProgramResult, graph_is_written_for_graphviz) {
    EXPECT_EQ(run({"topology", "model.toml", "--dot", "graph.dot", "--quiet"}).code, 0);
    EXPECT_EQ(text("graph.dot").substr(0, 17), "graph mechanism {");
    EXPECT_EQ(entries(), (Names{"graph.dot", "model.toml"}));
}

TEST_F(ProgramResult, of_set_is_the_model_with_one_value_changed_or_the_model_untouched) {
    const std::string before = text("model.toml");
    EXPECT_EQ(run({"set", "model.toml", "c=210 mm"}).code, 0);
    std::string expected = before;
    expected.replace(expected.find("c = 0.2,"), 8, "c = \"210 mm\",");
    EXPECT_EQ(text("model.toml"), expected);
    EXPECT_EQ(run({"set", "model.toml", "body.crank.angle=70 deg", "-o", "other.toml"}).code, 0);
    EXPECT_EQ(text("model.toml"), expected);
    EXPECT_NE(text("other.toml").find("angle = \"70 deg\""), std::string::npos);
    EXPECT_EQ(run({"set", "model.toml", "c=3 kg"}).code, 3);
    EXPECT_EQ(run({"set", "model.toml", "body.nobody.angle=1"}).code, 3);
    EXPECT_EQ(text("model.toml"), expected);
    EXPECT_EQ(entries(), (Names{"model.toml", "other.toml"}));
}

TEST_F(ProgramResult, of_set_is_a_model_with_another_start_of_an_input) {
    std::ofstream(folder_ / "model.toml")
        << "format = 1\n[parameters]\nk = 1\n[inputs]\npush = \"1 N\"\n";
    EXPECT_EQ(run({"set", "model.toml", "push=2 N", "k=3"}).code, 0);
    EXPECT_EQ(text("model.toml"), "format = 1\n[parameters]\nk = 3\n[inputs]\npush = \"2 N\"\n");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
