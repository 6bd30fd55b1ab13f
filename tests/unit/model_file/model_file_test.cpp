#include "model_file/reading/model_file.h"

#include <cmath>
#include <filesystem>
#include <numbers>

#include <gtest/gtest.h>

#include "mechanism/joint_kind.h"
#include "read_text.h"
#include "support/paths.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double pi = std::numbers::pi;
// A few roundings of numbers of size one.
constexpr double rounding = 1e-15;

const Joint<PlanarSpace>& only_joint(const ModelData& model) {
    return model.mechanism.joints.at(0);
}

TEST(ModelFile, every_example_is_read) {
    int count = 0;
    for (const auto& file : std::filesystem::directory_iterator(test::source_dir + "/models")) {
        if (file.is_directory()) continue;
        Diagnostics diagnostics;
        EXPECT_TRUE(read_model_file(file.path(), {}, diagnostics)) << diagnostics.text();
        EXPECT_TRUE(diagnostics.all().empty()) << diagnostics.text();
        ++count;
    }
    EXPECT_GT(count, 0);
}

TEST(ModelFile, smallest_model_has_ground_and_default_run) {
    const ModelData model = read_text("format = 1\n");
    ASSERT_EQ(model.mechanism.bodies.size(), 1u);
    EXPECT_EQ(model.mechanism.bodies[0].name, "ground");
    EXPECT_EQ(model.run.analysis, Analysis::kinematics);
    EXPECT_EQ(model.run.coordinates, CoordinateChoice::relative);
    EXPECT_EQ(model.run.end, 1);
    EXPECT_DOUBLE_EQ(model.run.step, 0.01);
}

TEST(ModelFile, elements_keep_the_order_of_the_file_and_their_places) {
    const ModelData model = read_text("format = 1\n[body.z]\n[body.ground]\n  [body.a]\n");
    ASSERT_EQ(model.mechanism.bodies.size(), 3u);
    EXPECT_EQ(model.mechanism.bodies[1].name, "z");
    EXPECT_EQ(model.mechanism.bodies[2].name, "a");
    EXPECT_EQ(model.mechanism.bodies[2].span.line, 4);
    EXPECT_EQ(model.mechanism.bodies[2].span.column, 3);
}

TEST(ModelFile, bare_numbers_take_the_default_units_and_quantities_their_own) {
    const ModelData model = read_text(R"(format = 1
[units]
length = "mm"
angle = "deg"
[parameters]
plain = 2
half = "1 m / 2"
[body.b]
angle = 90
points = { A = [1, "1 m"], B = ["plain", "half"], C = ["2*plain + half", 0] }
)");
    const auto& body = model.mechanism.bodies[1];
    EXPECT_DOUBLE_EQ(body.guess.angle, pi / 2);
    EXPECT_DOUBLE_EQ(body.points[0].at.x, 1e-3);
    EXPECT_DOUBLE_EQ(body.points[0].at.y, 1);
    EXPECT_DOUBLE_EQ(body.points[1].at.x, 2e-3);
    EXPECT_DOUBLE_EQ(body.points[1].at.y, 0.5);
    EXPECT_DOUBLE_EQ(body.points[2].at.x, 0.504);
}

TEST(ModelFile, parameters_may_refer_to_each_other_in_any_order) {
    const ModelData model = read_text(R"(format = 1
[parameters]
c = { value = "a + b", min = "1 cm", max = "a*10", tolerance = "0.1 mm" }
a = "10 mm"
b = "2*a"
)");
    EXPECT_EQ(model.parameters[0].name, "c");
    EXPECT_DOUBLE_EQ(model.parameters[0].value, 0.03);
    EXPECT_DOUBLE_EQ(*model.parameters[0].min, 0.01);
    EXPECT_DOUBLE_EQ(*model.parameters[0].max, 0.1);
    EXPECT_DOUBLE_EQ(*model.parameters[0].tolerance, 1e-4);
    EXPECT_EQ(model.parameters[0].quality.dimension, dimension::length);
    EXPECT_EQ(model.parameters[0].span.line, 3);
}

TEST(ModelFile, replaced_parameter_carries_through) {
    const std::string text = "format = 1\n[parameters]\na = \"1 m\"\nb = { value = \"2*a\" }\n";
    EXPECT_DOUBLE_EQ(read_text(text, {{"a", "15 mm"}}).parameters[1].value, 0.03);
    EXPECT_DOUBLE_EQ(read_text(text, {{"b", "a/4"}}).parameters[1].value, 0.25);
}

TEST(ModelFile, ground_points_are_taken_back_to_the_body) {
    const ModelData model = read_text(R"(format = 1
[body.b]
position = [1, 2]
angle = "90 deg"
ground_points = { P = [1, 5] }
[body.c]
ground_points = { P = [3, 4] }
[body.d]
)");
    const auto& bodies = model.mechanism.bodies;
    EXPECT_NEAR(bodies[1].points[0].at.x, 3, 4 * rounding);  // the body's x axis points up
    EXPECT_NEAR(bodies[1].points[0].at.y, 0, 4 * rounding);
    EXPECT_TRUE(bodies[1].position_given);
    EXPECT_TRUE(bodies[2].position_given);
    EXPECT_FALSE(bodies[3].position_given);
}

TEST(ModelFile, joint_between_places_takes_their_points) {
    const ModelData model = read_text(R"(format = 1
[body.b]
points = { P = [1, 2] }
[joint.A]
type = "revolute"
a = "ground"
b = "b.P"
)");
    const auto& frames = only_joint(model).frames;
    EXPECT_EQ(only_joint(model).kind_name(), "revolute");
    EXPECT_EQ(only_joint(model).span.line, 4);
    EXPECT_EQ(frames[0].body, 0);
    EXPECT_EQ(frames[1].body, 1);
    EXPECT_EQ(frames[1].local.at.x, 1);
    EXPECT_EQ(frames[1].local.at.y, 2);
}

TEST(ModelFile, joint_at_a_ground_point_sits_there_on_both_bodies) {
    const ModelData model = read_text(R"(format = 1
[body.b]
position = [1, 0]
angle = "90 deg"
[joint.A]
type = "revolute"
bodies = ["ground", "b"]
at = [1, 3]
)");
    const auto& frames = only_joint(model).frames;
    EXPECT_EQ(frames[0].local.at.y, 3);
    EXPECT_NEAR(frames[1].local.at.x, 3, 4 * rounding);
    EXPECT_NEAR(frames[1].local.at.y, 0, 4 * rounding);
}

TEST(ModelFile, prismatic_axis_turns_both_frames) {
    const ModelData model = read_text(R"(format = 1
[body.b]
angle = "30 deg"
[joint.A]
type = "prismatic"
a = "ground"
b = "b"
axis = "90 deg"
)");
    const auto& frames = only_joint(model).frames;
    EXPECT_DOUBLE_EQ(frames[0].local.angle, pi / 2);
    EXPECT_DOUBLE_EQ(frames[0].axis.y, 1);
    EXPECT_DOUBLE_EQ(frames[1].local.angle, pi / 3);  // 90 degrees less the initial 30
}

TEST(ModelFile, gear_takes_its_carrier_and_rod_its_initial_length) {
    const ModelData model = read_text(R"(format = 1
[body.arm]
[body.sun]
[body.planet]
position = [3, 4]
[joint.mesh]
type = "gear"
a = "sun"
b = "planet"
radius_a = 1
radius_b = "2 m"
carrier = "arm"
[joint.link]
type = "rod"
a = "ground"
b = "planet"
)");
    EXPECT_EQ(model.mechanism.joints[0].frames[2].body, 1);
    EXPECT_EQ(std::get<Gear<PlanarSpace>>(*model.mechanism.joints[0].kind).radius_b, 2);
    EXPECT_DOUBLE_EQ(*std::get<Rod<PlanarSpace>>(*model.mechanism.joints[1].kind).length, 5);
}

TEST(ModelFile, drivers_name_joints_bodies_and_points) {
    const ModelData model = read_text(R"(format = 1
[body.b]
points = { P = [1, 2] }
[joint]
A = { type = "revolute", a = "ground", b = "b" }
F = { type = "free", a = "ground", b = "b.P" }
[driver]
one = { joint = "A", type = "speed", speed = "60 rpm" }
two = { joint = "F", of = "y", type = "polynomial", coefficients = [1, "1 mm/s", 2] }
three = { body = "b", of = "angle", type = "expression", value = "pi*t" }
four = { point = "b.P", of = "x", type = "harmonic", amplitude = 1, frequency = "2 Hz" }
)");
    const auto& drivers = model.mechanism.drivers;
    ASSERT_EQ(drivers.size(), 4u);
    EXPECT_DOUBLE_EQ(std::get<SpeedLaw<double>>(drivers[0].law).speed, 2 * pi);
    EXPECT_EQ(drivers[1].coordinate.component, Component::y);
    EXPECT_EQ(drivers[1].coordinate.frames[1].local.at.y, 2);
    EXPECT_DOUBLE_EQ(std::get<PolynomialLaw<double>>(drivers[1].law).coefficients[1], 1e-3);
    EXPECT_EQ(drivers[2].coordinate.component, Component::angle);
    EXPECT_DOUBLE_EQ(drivers[2].at(0.5).value, pi / 2);
    EXPECT_DOUBLE_EQ(drivers[2].at(0.5).rate, pi);
    EXPECT_EQ(drivers[3].coordinate.frames[1].local.at.x, 1);
}

TEST(ModelFile, drivers_start_at_the_placed_value_unless_told_otherwise) {
    ModelData model = read_text(R"(format = 1
[body.b]
points = { P = [1, 0] }
[driver]
one = { point = "b.P", of = "y", type = "speed", speed = 3 }
two = { body = "b", of = "angle", type = "speed", speed = 3, start = 7 }
three = { body = "b", of = "angle", type = "cam", segments = [{ time = 1 }] }
)");
    const std::vector<PlanarSpace::Position> placed{{}, PlanarSpace::position_of({{5, 6}, pi / 2})};
    settle_drivers<PlanarSpace>(model.mechanism, placed);
    EXPECT_DOUBLE_EQ(model.mechanism.drivers[0].at(0).value, 7);
    EXPECT_DOUBLE_EQ(model.mechanism.drivers[0].at(1).value, 10);
    EXPECT_DOUBLE_EQ(model.mechanism.drivers[1].at(0).value, 7);
    EXPECT_DOUBLE_EQ(model.mechanism.drivers[2].at(0).value, pi / 2);
}

TEST(ModelFile, measures_are_channels_with_units) {
    const ModelData model = read_text(R"(format = 1
[parameters]
L = "2 m"
[body.b]
points = { P = [1, 2] }
[measure.tip]
type = "point"
point = "b.P"
unit = "mm"
[measure.turn]
type = "angle"
a = "ground"
b = "b"
[measure.far]
type = "distance"
a = "ground"
b = "b.P"
[measure.sum]
type = "expression"
value = "t + L + tip.y + far"
[measure.twice]
type = "expression"
value = "2*L"
)");
    const auto& measures = model.mechanism.measures;
    ASSERT_EQ(measures.size(), 6u);
    EXPECT_EQ(measures[0].name, "tip.x");
    EXPECT_EQ(measures[1].name, "tip.y");
    EXPECT_EQ(measures[1].unit, "mm");
    EXPECT_DOUBLE_EQ(measures[1].unit_factor, 1e-3);
    EXPECT_EQ(measures[2].unit, "rad");
    EXPECT_EQ(measures[3].unit, "m");
    EXPECT_EQ(measures[4].unit, "1");
    EXPECT_EQ(measures[5].unit, "m");
    // Slots: 0 the time, 1 the parameter L, then tip.x, tip.y, turn, far.
    const auto& sum = std::get<ExpressionMeasure<PlanarSpace>>(measures[4].kind).value;
    EXPECT_EQ(sum.expression.slots_used(), (std::vector<int>{0, 1, 3, 5}));
    EXPECT_EQ(sum.parameters, std::vector<double>{2});
}

TEST(ModelFile, run_contacts_and_independent_coordinates_are_read) {
    const ModelData model = read_text(R"(format = 1
name = "Title"
[units]
time = "ms"
[body.b]
[joint.A]
type = "revolute"
a = "ground"
b = "b"
[contact.C]
a = "ground"
b = "b"
[run]
end = 2000
step = "0.1 s"
coordinates = "absolute"
independent = ["A"]
)");
    EXPECT_EQ(model.mechanism.name, "Title");
    EXPECT_DOUBLE_EQ(model.run.end, 2);
    EXPECT_DOUBLE_EQ(model.run.step, 0.1);
    EXPECT_EQ(model.run.coordinates, CoordinateChoice::absolute);
    EXPECT_EQ(model.mechanism.independent, std::vector<std::string>{"A"});
    EXPECT_EQ(model.mechanism.contacts.at(0).b, 1);
}

TEST(ModelFile, independent_coordinate_may_have_the_long_name_that_check_prints) {
    const ModelData model = read_text(R"(format = 1
[body.a]
[body.b]
[joint.A]
type = "revolute"
a = "ground"
b = "a"
[joint.S]
type = "prismatic"
a = "a"
b = "b"
[run]
independent = ["A.angle", "S.x"]
)");
    EXPECT_EQ(model.mechanism.independent, (std::vector<std::string>{"A.angle", "S.x"}));
}

TEST(ModelFile, unit_of_an_expression_follows_from_what_it_is_made_of) {
    const ModelData model = read_text(R"toml(format = 1
[units]
length = "mm"
[parameters]
m = "2 kg"
[body.b]
[measure.P]
type = "point"
point = "b"
[measure.turn]
type = "angle"
a = "ground"
b = "b"
[measure.radius]
type = "expression"
value = "sqrt(P.x^2 + P.y^2)"
[measure.ratio]
type = "expression"
value = "P.x/radius"
[measure.work]
type = "expression"
value = "m*9.81 m/s^2*radius*ratio*cos(turn)"
[measure.speed]
type = "expression"
value = "P.x/t"
[measure.odd]
type = "expression"
value = "P.x + turn"
[measure.from_odd]
type = "expression"
value = "2*odd"
[measure.number]
type = "expression"
value = 3
)toml");
    std::string units;
    for (const auto& measure : model.mechanism.measures) units += measure.unit + "|";
    // P.x, P.y, turn, then the expressions; what contradicts itself has no unit.
    EXPECT_EQ(units, "m|m|rad|m|1|N m|m/s|1|1|1|");
}

TEST(ModelFile, parameters_can_be_differentiated) {
    Diagnostics diagnostics;
    const auto root = parse_document("a = \"3 m\"\nb = \"a*a\"\nc = 1\n", diagnostics);
    ReadingContext context{diagnostics};
    ParameterSet parameters;
    parameters.read(&*root, nullptr, {}, context);
    const auto slots = parameters.slots<Dual>(0);
    EXPECT_EQ(slots[1].derivative, 1);
    EXPECT_EQ(slots[2].value, 9);
    EXPECT_EQ(slots[2].derivative, 6);
    EXPECT_EQ(slots[3].derivative, 0);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
