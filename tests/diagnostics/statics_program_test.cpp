// `pawl statics` as its user meets it: exit codes, printed units, the files of a result.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Json = nlohmann::json;

class StaticsProgram : public test::Program {};

TEST_F(StaticsProgram, writes_equilibrium_modes_and_forces_with_units) {
    write("two.toml", test::embedded_text("vibration_two_masses"));
    const auto o = run({"statics", "two.toml", "--modes"});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("mode 1  3.18309886 Hz, damping ratio 0.05\n"), std::string::npos)
        << o.out;
    EXPECT_NE(o.out.find("balance stable; stiffness 400 N/m"), std::string::npos) << o.out;
    EXPECT_EQ(entries("two.result"),
              (Names{"events.csv", "model.toml", "result.json", "trajectory.csv"}));
    const Json result = Json::parse(text("two.result/result.json"));
    EXPECT_EQ(result["analysis"], "statics");
    EXPECT_EQ(result["status"], "balanced");
    EXPECT_EQ(result["equilibrium"]["stability"], "stable");
    EXPECT_EQ(result["modes"].size(), 2U);
    EXPECT_EQ(result["modes"][1]["kind"], "oscillating");
    EXPECT_NEAR(result["modes"][1]["shape"]["second"]["x"][0].get<double>(), -1, 1e-9);
    EXPECT_EQ(result["audit"]["verdict"], "passed");
    const auto printed = run({"statics", "two.toml", "--json", "--set", "k=100 N/m"});
    EXPECT_NEAR(
        Json::parse(printed.out)["equilibrium"]["stiffness"][0]["eigenvalue_N_per_m"].get<double>(),
        100, 1e-6);
    EXPECT_EQ(run({"statics", "two.toml", "--quiet"}).out, "");
}

TEST_F(StaticsProgram, follows_the_driver_and_lists_its_snaps) {
    write("toggle.toml", test::embedded_text("toggle_snap"));
    const auto o = run({"statics", "toggle.toml", "--along", "--step", "50 ms", "--out", "r"});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("event   t = 0.343863537918 s  snap pin.angle (stable)"),
              std::string::npos)
        << o.out;
    const std::string table = text("r/trajectory.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'),
              26);  // header, 21 outputs, two rows at each snap
    EXPECT_EQ(Json::parse(text("r/result.json"))["events"].size(), 2U);
    EXPECT_NE(text("r/events.csv").find(",snap,pin.angle,stable,stable,"), std::string::npos);
    EXPECT_NE(run({"statics", "toggle.toml", "--at", "300 ms", "--quiet"}).code, 2);
}

TEST_F(StaticsProgram, shows_vibrations_with_closed_contacts_and_held_drivers) {
    write("foot.toml", test::embedded_text("rocking_foot"));
    for (const char* at : {"0 s", "0.5 s"}) {
        const auto o = run({"statics", "foot.toml", "--along", "--modes", "--at", at});
        ASSERT_EQ(o.code, 0) << o.err;
        EXPECT_NE(o.out.find("mode 1  1.5763572 Hz"), std::string::npos) << o.out;
        EXPECT_NE(o.out.find("mode 2  3.183098"), std::string::npos) << o.out;
        const Json result = Json::parse(text("foot.result/result.json"));
        EXPECT_EQ(result["modes"].size(), 2U);
        EXPECT_NEAR(result["modes"][1]["shape"]["carriage"]["x"][0].get<double>(), 1, 1e-6);
    }
    const auto o = run({"statics", "foot.toml", "--along", "--at", "1 s"});
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("add --modes"), std::string::npos) << o.err;
}

TEST_F(StaticsProgram, ends_with_5_and_the_place_where_nothing_holds) {
    write("push.toml",
          "format = 1\n[body.block]\nmass = 1\n[joint.guide]\ntype = \"prismatic\"\na = "
          "\"ground\"\nb = \"block\"\naxis = 0\n"
          "[force.push]\ntype = \"joint_force\"\njoint = \"guide\"\nvalue = \"5\"\n");
    for (const auto& more : {std::vector<std::string>{}, {"--along"}}) {
        std::vector<std::string> line{"statics", "push.toml"};
        line.insert(line.end(), more.begin(), more.end());
        const auto o = run(line);
        EXPECT_EQ(o.code, 5);
        EXPECT_EQ(o.err.find("push.toml:4:1: error: no equilibrium at t = 0 s: nothing balances "
                             "the forces along 'guide.x'"),
                  0U)
            << o.err;
    }
    // The run along the motion did not begin: it leaves the result of the first one alone.
    EXPECT_EQ(Json::parse(text("push.statics.result/result.json"))["status"], "runs_away");
}

// The ball lies in a V, which the equilibrium of one position does not know of.
TEST_F(StaticsProgram, points_to_the_run_with_contacts_where_one_might_hold) {
    write("vee.toml", R"model(format = 1
body.ball = { position = [0, "0.02*sqrt(2)"], mass = 2, inertia = 4e-4 }
profile.vee = { body = "ground", elements = [{ type = "line", from = [0.1, 0.1], to = [0, 0] }, { type = "line", to = [-0.1, 0.1] }] }
profile.ball = { body = "ball", elements = [{ type = "circle", radius = 0.02 }] }
contact.V = { a = "vee", b = "ball" }
force.g = { type = "gravity" }
)model");
    const auto o = run({"statics", "vee.toml"});
    EXPECT_EQ(o.code, 5);
    EXPECT_EQ(o.err,
              "vee.toml:2:13: error: no equilibrium at t = 0 s: nothing balances the forces along "
              "'free:ball.y', which moves away without bound when released; contacts are left out "
              "here: if one of them is to hold it, use `pawl statics MODEL --along`; otherwise add "
              "a spring or a driver that holds it, or reduce the load\n");
}

// A load that changes its sign many times between two outputs: what is then shown pulls at the
// wall, and the audit says so.
TEST_F(StaticsProgram, contact_that_pulls_fails_the_audit) {
    write("m.toml", R"model(format = 1
body.q = { mass = 1 }
joint.G = { type = "prismatic", a = "ground", b = "q" }
force.k = { type = "joint_spring", joint = "G", stiffness = 10 }
force.f = { type = "joint_force", joint = "G", value = "6*sin(500*t)" }
profile.p = { body = "q", elements = [{ type = "circle", radius = 0.1 }] }
profile.w = { body = "ground", elements = [{ type = "line", from = [0.3, 1], to = [0.3, -1] }] }
contact.W = { a = "w", b = "p" }
run = { analysis = "statics", end = 1, step = 0.01 }
)model");
    const auto o = run({"statics", "m.toml", "--along", "--out", "r"});
    EXPECT_EQ(o.code, 6) << o.out << o.err;
    EXPECT_NE(o.out.find("audit   pulling contact"), std::string::npos) << o.out;
    const auto fine = run({"statics", "m.toml", "--along", "--step", "1 ms", "--out", "f"});
    EXPECT_EQ(fine.code, 0) << fine.out << fine.err;
}

TEST_F(StaticsProgram, of_one_position_tells_likely_mistakes) {
    write("heavy.toml",
          "format = 1\nbody.b = { mass = 1, inertia = 1e5, points = { A = [0.1, 0] } }\n"
          "joint.O = { type = \"revolute\", a = \"ground\", b = \"b\" }\n"
          "force.spring = { type = \"joint_spring\", joint = \"O\", stiffness = 1 }\n");
    const auto o = run({"statics", "heavy.toml"});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("warning heavy.toml:2:10: body 'b': an inertia of 1e+05 kg m^2"),
              std::string::npos)
        << o.out;
}

TEST_F(StaticsProgram, ends_with_2_on_wrong_usage) {
    write("two.toml", test::embedded_text("vibration_two_masses"));
    EXPECT_EQ(run({"statics", "two.toml", "--at", "soon"}).code, 2);
    EXPECT_EQ(run({"statics", "two.toml", "--along", "--at", "1 s"}).code, 2);
    EXPECT_EQ(run({"statics"}).code, 2);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
