// Forces, states and the settings of a dynamic run, as they are read.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "read_text.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using S = PlanarSpace;
// A few roundings of numbers of size one.
constexpr double rounding = 1e-15;

ModelData with_bodies(const std::string& text) {
    return read_text(R"(format = 1
[parameters]
k = "7 N m"
[body.crank]
angle = "30 deg"
points = { B = [3, 4] }
[body.block]
position = [2, 1]
[joint]
A = { type = "revolute", a = "ground", b = "crank" }
F = { type = "free", a = "ground", b = "block" }
[measure]
turn = { type = "joint", joint = "A" }
tip = { type = "point", point = "crank.B" }
)" + text);
}

template <class Kind>
const Kind& only_force(const ModelData& model) {
    return std::get<Kind>(model.mechanism.forces.at(0).kind);
}

std::vector<S::Position> placed(const ModelData& model) {
    std::vector<S::Position> positions;
    for (const auto& body : model.mechanism.bodies) positions.push_back(S::position_of(body.guess));
    return positions;
}

TEST(ForceReader, gravity_points_down_unless_told) {
    const auto model = with_bodies("[force.g]\ntype = \"gravity\"\n");
    EXPECT_EQ(only_force<Gravity<S>>(model).x, 0);
    EXPECT_EQ(only_force<Gravity<S>>(model).y, -9.81);
    const auto moon =
        with_bodies("[force.g]\ntype = \"gravity\"\nacceleration = [0.5, \"-162 cm/s^2\"]\n");
    EXPECT_EQ(only_force<Gravity<S>>(moon).x, 0.5);
    EXPECT_NEAR(only_force<Gravity<S>>(moon).y, -1.62, rounding);
}

TEST(ForceReader, every_symbol_of_an_expression_finds_its_value) {
    const auto model = with_bodies(R"([state]
p = { rate = "q", start = 3 }
q = { rate = "tip.y.rate + p" }
[force.f]
type = "joint_force"
joint = "A"
value = "t + 10*turn + 100*tip.x + 1e3*turn.rate + 1e4*tip.y.rate + 1e5*p + 1e6*q + 1e7*s + 1e8*v + k"
)");
    const TimeJet<double> channels[] = {{1, 4, 0}, {2, 5, 0}, {3, 6, 0}};
    const double states[] = {7, 8};
    const double time = 9;
    const ScalarForce force =
        only_force<JointForce<S>>(model).at(2, 1, {time, channels, states, 0, 0});
    EXPECT_DOUBLE_EQ(force.force, 9 + 10 + 200 + 4e3 + 6e4 + 7e5 + 8e6 + 2e7 + 1e8 + 7);
    EXPECT_EQ(model.mechanism.states[0].start, 3);
    EXPECT_EQ(model.mechanism.states[1].start, 0);
    EXPECT_EQ(model.mechanism.states[0].rate.at({time, channels, states, 0, 0}), 8);
    EXPECT_EQ(model.mechanism.states[1].rate.at({time, channels, states, 0, 0}), 13);
}

TEST(ForceReader, joint_coordinate_takes_the_frames_of_the_joint) {
    const auto model = with_bodies(R"([force.f]
type = "joint_spring"
joint = "F"
of = "y"
stiffness = "2 N/m"
)");
    const auto& force = model.mechanism.forces[0];
    EXPECT_EQ(force.component, Component::y);
    EXPECT_EQ(force.frames[0].body, 0);
    EXPECT_EQ(force.frames[1].body, 2);
    EXPECT_EQ(force.name, "f");
}

TEST(ForceReader, torsional_gains_may_be_written_per_radian_or_not) {
    for (const char* stiffness : {"2 N m/rad", "2 N m", "2000 N mm"}) {
        const auto model =
            with_bodies("[force.f]\ntype = \"joint_spring\"\njoint = \"A\"\nstiffness = \"" +
                        std::string(stiffness) + "\"\n");
        EXPECT_NEAR(only_force<JointSpring<S>>(model).stiffness, 2, 2 * rounding);
    }
}

TEST(ForceReader, springs_without_rest_value_rest_where_they_start) {
    auto model = with_bodies(R"([force]
distance = { type = "spring", a = "crank.B", b = "block", stiffness = 1 }
turn = { type = "joint_spring", joint = "A", stiffness = 1 }
given = { type = "spring", a = "ground", b = "block", stiffness = 1, free_length = "50 cm" }
)");
    const auto positions = placed(model);
    settle_forces<S>(model.mechanism, positions);
    const auto tip = positions[1].p + positions[1].to_ground({3, 4});
    const auto rest = [&]<class Kind>(std::size_t i, std::in_place_type_t<Kind>) {
        return *std::get<Kind>(model.mechanism.forces[i].kind).rest;
    };
    EXPECT_DOUBLE_EQ(rest(0, std::in_place_type<Spring<S>>), std::hypot(2 - tip.x, 1 - tip.y));
    EXPECT_DOUBLE_EQ(rest(1, std::in_place_type<JointSpring<S>>), std::numbers::pi / 6);
    EXPECT_DOUBLE_EQ(rest(2, std::in_place_type<Spring<S>>), 0.5);
}

TEST(ForceReader, point_force_knows_its_axes_and_its_place) {
    const auto model = with_bodies(R"([force.f]
type = "force"
point = "crank.B"
y = "-2 N"
axes = "body"
)");
    const auto& force = only_force<PointForce<S>>(model);
    EXPECT_TRUE(force.in_body);
    EXPECT_EQ(force.x.at({}), 0);
    EXPECT_EQ(force.y.at({}), -2);
    EXPECT_EQ(model.mechanism.forces[0].frames[1].body, 1);
    EXPECT_EQ(model.mechanism.forces[0].frames[1].local.at.y, 4);
}

TEST(ForceReader, bodies_have_initial_velocities) {
    const auto model = read_text(R"(format = 1
[body.a]
velocity = [1, "2 km/h"]
omega = "60 rpm"
[body.b]
mass = 0
)");
    const auto& bodies = model.mechanism.bodies;
    EXPECT_DOUBLE_EQ(bodies[1].velocity->y, 2 / 3.6);
    EXPECT_DOUBLE_EQ(*bodies[1].omega, 2 * std::numbers::pi);
    EXPECT_FALSE(bodies[2].velocity || bodies[2].omega);
    EXPECT_EQ(bodies[2].mass, 0.0);
}

TEST(ForceReader, run_has_defaults_and_takes_what_is_given) {
    const RunSettings standard = read_text("format = 1\n").run;
    EXPECT_EQ(standard.dynamics, Formulation::automatic);
    EXPECT_EQ(standard.integrator, Integrator::automatic);
    EXPECT_EQ(standard.rtol, 1e-9);
    EXPECT_EQ(standard.atol, 1e-9);
    EXPECT_FALSE(standard.largest_step || standard.integrator_step);
    const RunSettings given = read_text(R"(format = 1
[run]
analysis = "dynamics"
coordinates = "absolute"
dynamics = "augmented_canonical"
integrator = "rk4"
integrator_step = "1 ms"
largest_step = 0.5
rtol = 1e-10
atol = 1e-11
)")
                                  .run;
    EXPECT_EQ(given.analysis, Analysis::dynamics);
    EXPECT_EQ(given.coordinates, CoordinateChoice::absolute);
    EXPECT_EQ(given.dynamics, Formulation::augmented_canonical);
    EXPECT_EQ(given.integrator, Integrator::rk4);
    EXPECT_DOUBLE_EQ(*given.integrator_step, 1e-3);
    EXPECT_EQ(*given.largest_step, 0.5);
    EXPECT_EQ(given.rtol, 1e-10);
    EXPECT_EQ(given.atol, 1e-11);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
