// The library's face: what a program outside can do with the installed headers alone.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "pawl.h"

namespace pawl {
namespace PAWL_TEST_FILE {

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
    ASSERT_EQ(higher->with({{"height", "3 m"}}, problems)->values().size(), 1U);
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
    EXPECT_EQ(copy.values().data(), result.values().data());
    ASSERT_EQ(result.values().size(), result.rows() * result.columns().size());
    EXPECT_EQ(result.values()[result.columns().size()], t[1]);
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
    Diagnostics problems;
    EXPECT_FALSE(model.check(problems));
    ASSERT_EQ(problems.all().size(), 1U);
    EXPECT_EQ(problems.all()[0].span.line, 12);
    const std::string problem = problems.all()[0].message;
    for (const Result& result : {model.kinematics(), model.dynamics(), model.equilibrium()}) {
        EXPECT_FALSE(result.is_complete());
        EXPECT_EQ(result.message(), problem);
        EXPECT_EQ(result.rows(), 0U);
        EXPECT_EQ(result.problems().text(), problems.text());
    }
    EXPECT_EQ(model.drawing(), "");
    Simulation simulation(model);
    EXPECT_FALSE(simulation.step());
    EXPECT_EQ(simulation.message(), problem);
    EXPECT_EQ(simulation.problems().text(), problems.text());
}

TEST(Face, masses_that_dynamics_asks_for_are_reported_with_their_places) {
    const Model model = model_of(R"(format = 1
[body.crank]
[body.arm]
mass = 1
[joint.O]
type = "revolute"
a = "ground"
b = "crank"
[joint.A]
type = "revolute"
a = "crank"
b = "arm"
[driver.D]
joint = "O"
type = "speed"
speed = 1
)");
    for (const Result& result : {model.dynamics(), model.inverse()}) {
        EXPECT_EQ(result.status(), "massless");
        ASSERT_FALSE(result.problems().all().empty());
        EXPECT_EQ(result.problems().all()[0].span.line, 2);
    }
}

TEST(Face, values_of_the_run_table_replace_settings) {
    Model model = model_of(ball);
    model.run.end = 0.5;
    Diagnostics problems;
    EXPECT_EQ(model.with({{"height", "2 m"}}, problems)->run.end, 0.5);
    EXPECT_EQ(model.with({{"run.end", "0.2 s"}}, problems)->run.end, 0.2);
}

TEST(Face, progress_may_end_a_run_by_what_it_throws) {
    const Model model = model_of(ball);
    double last = -1;
    const Result result = model.dynamics([&](double share) {
        EXPECT_GE(share, last);
        last = share;
    });
    EXPECT_TRUE(result.is_complete());
    EXPECT_GT(last, 0.9);
    EXPECT_THROW(static_cast<void>(model.dynamics([](double share) {
                     if (share > 0.5) throw std::runtime_error("enough");
                 })),
                 std::runtime_error);
}

TEST(Face, a_simulation_reads_its_measures_between_the_rows) {
    std::string text = ball;
    text.insert(text.find("[run]"), R"([measure.h]
type = "point"
point = "ball"
unit = "mm"
)");
    Simulation simulation(model_of(text.c_str()));
    EXPECT_NEAR(simulation.measures_at(0).at(1).value, 1000, 1e-9);  // before the first step
    ASSERT_TRUE(simulation.advance_to(0.1234));
    const auto readings = simulation.measures_at(0.1234);
    ASSERT_EQ(readings.size(), 2U);
    EXPECT_EQ(readings[1].name, "h.y");
    EXPECT_EQ(readings[1].unit, "mm");
    EXPECT_NEAR(readings[1].value, 1000 * (1 - 9.81 / 2 * 0.1234 * 0.1234), 1e-6);
    EXPECT_NEAR(readings[1].rate, -1000 * 9.81 * 0.1234, 1e-6);
    EXPECT_EQ(simulation.coordinates().size(), simulation.state().q.size());
}

TEST(Face, results_are_written_as_the_program_writes_them) {
    const Result result = model_of(ball).analyse();
    const auto folder = std::filesystem::temp_directory_path() / "pawl_face_test.result";
    std::filesystem::remove_all(folder);
    EXPECT_EQ(result.write(folder), "");
    EXPECT_TRUE(std::filesystem::exists(folder / "trajectory.csv"));
    EXPECT_TRUE(std::filesystem::exists(folder / "result.json"));
    std::filesystem::remove_all(folder);
    EXPECT_NE(result.drawing(0.5).find("t = 0.5 s"), std::string::npos);
    EXPECT_NE(result.report().find("<!doctype html>"), std::string::npos);
    EXPECT_NE(result.summary().find("\"status\": \"completed\""), std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
