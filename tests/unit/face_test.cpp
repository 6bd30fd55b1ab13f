// The library's face: what a program outside can do with the installed headers alone.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "pawl.h"

namespace pawl {
namespace {

constexpr const char* ball = R"(format = 1
[parameters]
height = "1 m"
[body.ball]
mass = 1
inertia = 0.1
position = [0, "height"]
[profile.skin]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [5, 0], to = [-5, 0] }]
[contact.C]
a = "floor"
b = "skin"
restitution = 0.5
[force.weight]
type = "gravity"
acceleration = [0, -9.81]
[run]
analysis = "dynamics"
end = 1
step = 0.01
)";

Model model_of(const char* text, const Values& values = {}) {
    Diagnostics problems;
    auto model = Model::read(text, problems, "ball.toml", values);
    EXPECT_TRUE(model) << problems.text();
    return *model;
}

TEST(Face, a_model_is_read_changed_and_run) {
    const Model model = model_of(ball);
    ASSERT_FALSE(model.parameters().empty());
    EXPECT_EQ(model.parameters()[0].name, "height");
    EXPECT_EQ(model.parameters()[0].value, 1);
    EXPECT_EQ(model.parameters()[0].unit, "m");
    const Result result = model.analyse();
    ASSERT_TRUE(result.is_complete()) << result.message();
    EXPECT_TRUE(result.audit().passed());
    ASSERT_FALSE(result.events().empty());
    EXPECT_EQ(result.events()[0].kind, EventKind::impact);
    EXPECT_NEAR(result.events()[0].t, std::sqrt(2 * 0.9 / 9.81), 1e-9);
    Diagnostics problems;
    const auto higher = model.with({{"height", "2 m"}}, problems);
    ASSERT_TRUE(higher) << problems.text();
    EXPECT_NEAR(higher->analyse().events()[0].t, std::sqrt(2 * 1.9 / 9.81), 1e-9);
    EXPECT_FALSE(model.with({{"width", "2 m"}}, problems));
    EXPECT_TRUE(problems.has_errors());
}

TEST(Face, columns_are_contiguous_and_stay_where_they_are) {
    const Result result = model_of(ball).analyse();
    const auto t = result.column("t"), y = result.column("ball.y");
    ASSERT_EQ(t.size(), result.rows());
    ASSERT_EQ(y.size(), result.rows());
    EXPECT_NEAR(y[0], 1, 1e-12);
    EXPECT_EQ(t.back(), 1);
    const Result copy = result;
    EXPECT_EQ(copy.column("ball.y").data(), y.data());
    EXPECT_TRUE(result.column("ball.z").empty());
}

TEST(Face, a_simulation_is_stepped_saved_and_finished) {
    const Model model = model_of(ball);
    Simulation one(model), other(model);
    ASSERT_TRUE(one.advance_to(0.2));
    EXPECT_NEAR(one.state_at(0.2).t, 0.2, 1e-15);
    Diagnostics problems;
    ASSERT_TRUE(other.restore(one.save()));
    while (one.step())
        ;
    while (other.step())
        ;
    const Result a = one.finish(), b = other.finish();
    EXPECT_EQ(a.summary(), b.summary());
    EXPECT_EQ(a.column("ball.y").back(), b.column("ball.y").back());
    EXPECT_EQ(a.column("ball.y").back(), model.analyse().column("ball.y").back());
    ASSERT_TRUE(one.reset({{"height", "2 m"}}, problems)) << problems.text();
    while (one.step())
        ;
    EXPECT_NEAR(one.finish().events()[0].t, std::sqrt(2 * 1.9 / 9.81), 1e-9);
}

TEST(Face, what_cannot_be_assembled_says_so) {
    const Model model = model_of(R"(format = 1
[body.rod]
mass = 1
inertia = 1
points = { A = [1, 0] }
[body.ground]
points = { far = [3, 0] }
[joint.O]
type = "revolute"
a = "ground"
b = "rod"
[joint.A]
type = "revolute"
a = "ground.far"
b = "rod.A"
)");
    std::string problem;
    EXPECT_FALSE(model.check(problem));
    EXPECT_FALSE(problem.empty());
    for (const Result& result : {model.kinematics(), model.dynamics(), model.equilibrium()}) {
        EXPECT_FALSE(result.is_complete());
        EXPECT_EQ(result.message(), problem);
        EXPECT_EQ(result.rows(), 0U);
    }
    Simulation simulation(model);
    EXPECT_FALSE(simulation.step());
    EXPECT_EQ(simulation.message(), problem);
}

TEST(Face, results_are_written_as_the_program_writes_them) {
    const Result result = model_of(ball).analyse();
    const auto folder = std::filesystem::temp_directory_path() / "pawl_face_test.result";
    std::filesystem::remove_all(folder);
    EXPECT_EQ(result.write(folder), "");
    EXPECT_TRUE(std::filesystem::exists(folder / "trajectory.csv"));
    EXPECT_TRUE(std::filesystem::exists(folder / "result.json"));
    std::filesystem::remove_all(folder);
    EXPECT_NE(result.report().find("<!doctype html>"), std::string::npos);
    EXPECT_NE(result.summary().find("\"status\": \"completed\""), std::string::npos);
}

}  // namespace
}  // namespace pawl
