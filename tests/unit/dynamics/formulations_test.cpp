// Every formulation against the multipliers: accelerations, multipliers and motion, on open chains,
// loops, drivers, gears and redundant rows, in both coordinates.
#include <cmath>

#include <gtest/gtest.h>

#include "support/moving_mechanism.h"
#include "support/runge_kutta.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::MovingMechanism;
using Vector = std::vector<double>;

const char* const open_chain = R"(
format = 1
[body.ground]
points = { O = [0, 0] }
[body.arm]
angle = "30 deg"
points = { O = [0, 0], A = [0.3, 0] }
[body.slide]
angle = "30 deg"
position = [0.4, 0.2]
points = { A = [0, 0], B = [0.1, 0.05] }
[body.end]
angle = "-20 deg"
points = { B = [0, 0] }
[body.puck]
position = [1, 0]
[joint.O]
type = "revolute"
a = "ground.O"
b = "arm.O"
[joint.A]
type = "prismatic"
a = "slide.A"
b = "arm.A"
axis = "20 deg"
[joint.B]
type = "revolute"
a = "end.B"
b = "slide.B"
)";

// Bodies that stand alone on ground, joints written either way round, one driven and one of them on
// a slot beside.
const char* const lone_bodies = R"(
format = 1
[body.ground]
points = { O = [0.1, 0], P = [0.6, 0.1], Q = [1, 0] }
[body.wheel]
angle = "40 deg"
points = { O = [0.02, -0.03], A = [0.2, 0] }
[body.slide]
position = [0.7, 0.2]
angle = "25 deg"
points = { P = [0.01, 0.02] }
[body.flap]
angle = "-10 deg"
points = { Q = [0, 0.05] }
[body.other]
position = [1.2, 0.1]
[joint.O]
type = "revolute"
a = "wheel.O"
b = "ground.O"
[joint.P]
type = "prismatic"
a = "slide.P"
b = "ground.P"
axis = "35 deg"
angle = "-25 deg"
[joint.Q]
type = "revolute"
a = "ground.Q"
b = "flap.Q"
[joint.R]
type = "prismatic"
a = "ground"
b = "other"
axis = "70 deg"
[driver.motor]
joint = "Q"
type = "speed"
speed = 2
)";
const std::string coupled_bodies = std::string(lone_bodies) + R"(
[joint.A]
type = "slot"
a = "slide"
b = "wheel.A"
)";

// A parallelogram with a third crank: one row too many, at all times.
const char* const three_cranks = R"(
format = 1
[body.ground]
points = { O = [0, 0], P = [0.2, 0], Q = [0.5, 0] }
[body.first]
angle = "60 deg"
points = { O = [0, 0], A = [0.15, 0] }
[body.second]
angle = "60 deg"
points = { P = [0, 0], B = [0.15, 0] }
[body.third]
angle = "60 deg"
points = { Q = [0, 0], C = [0.15, 0] }
[body.coupler]
angle = 0
points = { A = [0, 0], B = [0.2, 0], C = [0.5, 0] }
[joint.O]
type = "revolute"
a = "ground.O"
b = "first.O"
[joint.P]
type = "revolute"
a = "ground.P"
b = "second.P"
[joint.Q]
type = "revolute"
a = "ground.Q"
b = "third.Q"
[joint.A]
type = "revolute"
a = "first.A"
b = "coupler.A"
[joint.B]
type = "revolute"
a = "second.B"
b = "coupler.B"
[joint.C]
type = "revolute"
a = "third.C"
b = "coupler.C"
)";

struct Example {
    std::string name, text;
    bool drivers = false;
    bool redundant = false;
};

std::vector<Example> examples() {
    const auto embedded = [](const char* name) { return std::string(test::embedded_text(name)); };
    return {
        {"open_chain", open_chain},
        {"lone_bodies", lone_bodies},
        {"lone_bodies_driven", lone_bodies, true},
        {"coupled_bodies_driven", coupled_bodies, true},
        {"fourbar", test::fourbar("")},
        {"fourbar_swung",
         test::fourbar("type = \"harmonic\"\nmean = \"60 deg\"\namplitude = 0.3\nfrequency = 2"),
         true},
        {"slider_crank", embedded("slider_crank")},
        {"slider_crank_driven", embedded("slider_crank"), true},
        {"two_loops", embedded("sixbar")},
        {"two_loops_driven", embedded("sixbar"), true},
        {"gears", embedded("geared_fivebar")},
        {"planetary_gear", embedded("planetary_gear")},
        {"rod_linkage", embedded("rod_linkage")},
        {"rolling", embedded("rolling_pinion")},
        {"three_cranks", three_cranks, false, true},
    };
}

class Formulations : public testing::TestWithParam<std::tuple<Example, CoordinateKind>> {
protected:
    [[nodiscard]] const Example& example() const { return std::get<0>(GetParam()); }
    [[nodiscard]] MovingMechanism moving() const {
        return MovingMechanism(example().text, std::get<1>(GetParam()), example().drivers);
    }
};

INSTANTIATE_TEST_SUITE_P(examples, Formulations,
                         testing::Combine(testing::ValuesIn(examples()),
                                          testing::ValuesIn(test::both_coordinates)),
                         [](const auto& info) {
                             return std::get<0>(info.param).name + "_" +
                                    test::name_of(std::get<1>(info.param));
                         });

double largest(const Vector& x) {
    double largest = 0;
    for (const double value : x) largest = std::max(largest, std::abs(value));
    return largest;
}

// Generalized forces of the rows, G^T lambda: determined also where the multipliers are not.
Vector row_forces(const Equations& equations, const Vector& lambda) {
    Vector sum(equations.size(), 0.0);
    const RowPattern& p = equations.pattern();
    for (int r = 0; r < p.rows(); ++r)
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            sum[p.column[i]] += equations.jacobian()[i] * lambda[r];
    return sum;
}

void expect_near(const Vector& a, const Vector& b, double tolerance, const std::string& what) {
    ASSERT_EQ(a.size(), b.size());
    const double scale = largest(b);
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i], b[i], tolerance * scale) << what << " [" << i << "]";
}

// Rounding, 1e-16, times the condition of W, the square of that of the rows: up to 1e5 in these
// mechanisms.
constexpr double agreement = 1e-10;

TEST_P(Formulations, give_the_accelerations_and_multipliers_of_the_multiplier_form) {
    MovingMechanism m = moving();
    MultiplierDynamics reference(m.equations());
    const State& s = m.state();
    ASSERT_EQ(reference.respond(s.t, s.q, s.v, s.z), RateOutcome::solved);
    const Vector forces = row_forces(m.equations(), reference.multipliers());
    for (const std::string& name : names_of<Formulation>()) {
        const auto dynamics = make_dynamics(named<Formulation>(name).value(), m.equations());
        ASSERT_EQ(dynamics->respond(s.t, s.q, s.v, s.z), RateOutcome::solved);
        expect_near(dynamics->acceleration(), reference.acceleration(), agreement,
                    name + " acceleration");
        expect_near(row_forces(m.equations(), dynamics->multipliers()), forces, agreement,
                    name + " row forces");
        if (!example().redundant)
            expect_near(dynamics->multipliers(), reference.multipliers(), agreement,
                        name + " multipliers");
    }
}

// Formulations differ in the error of fourth order: in the fastest mechanism by 1e-8 of q with 1000
// steps, so by 6e-10 with 2000.
constexpr int steps = 2000;

TEST_P(Formulations, move_alike) {
    MovingMechanism m = moving();
    MultiplierDynamics reference(m.equations());
    const State a = test::state_after(reference, m.state(), 0.2, steps);
    for (const std::string& name : names_of<Formulation>()) {
        const auto dynamics = make_dynamics(named<Formulation>(name).value(), m.equations());
        const State b = test::state_after(*dynamics, m.state(), 0.2, steps);
        expect_near(b.q, a.q, 1e-9, name + " q");
        expect_near(b.v, a.v, 1e-8, name + " v");
        if (!a.z.empty()) expect_near(b.z, a.z, 1e-8, name + " z");
    }
}

TEST_P(Formulations, pack_and_unpack_return_the_velocities) {
    MovingMechanism m = moving();
    for (const std::string& name : names_of<Formulation>()) {
        const auto dynamics = make_dynamics(named<Formulation>(name).value(), m.equations());
        dynamics->refresh(m.state());
        Vector y(dynamics->size());
        dynamics->pack(m.state(), y);
        State back;
        back.t = m.state().t;
        dynamics->unpack(y, back);
        expect_near(back.q, m.state().q, 0, name);
        expect_near(back.v, m.state().v, 1e-11, name);  // conditions up to 1e4
        expect_near(back.z, m.state().z, 0, name);
    }
}

TEST_P(Formulations, rows_of_a_state_are_those_of_its_position_and_velocity) {
    MovingMechanism m = moving();
    Equations& eq = m.equations();
    const State& s = m.state();
    eq.set_position(s.q, s.t);
    eq.set_velocity(s.v);
    const Vector phi = eq.phi(), jacobian = eq.jacobian(), nu = eq.nu(), gamma = eq.gamma();
    // Elsewhere in between, so that nothing stays as it was.
    Vector q = s.q, v = s.v;
    for (double& x : q) x += 0.1;
    for (double& x : v) x += 0.1;
    eq.set_motion(q, v, s.t + 0.1);
    eq.set_motion(s.q, s.v, s.t);
    EXPECT_EQ(eq.phi(), phi);
    EXPECT_EQ(eq.jacobian(), jacobian);
    EXPECT_EQ(eq.nu(), nu);
    EXPECT_EQ(eq.gamma(), gamma);
}

// Forces along joints of the tree need no frames there; in absolute coordinates they do.
TEST(JointForces, are_the_same_wrenches_in_both_coordinates) {
    std::string text = lone_bodies;
    for (const char* joint : {"O", "P", "Q", "R"})
        text += "[force.spring" + std::string(joint) + "]\ntype = \"joint_spring\"\njoint = \"" +
                joint + "\"\nstiffness = 3\ndamping = 0.7\nfree_value = 0.2\n";
    // Between two bodies that move.
    text += R"(
[body.rider]
position = [0.8, 0.3]
[joint.S]
type = "prismatic"
a = "rider"
b = "slide.P"
axis = "15 deg"
[force.springS]
type = "joint_spring"
joint = "S"
stiffness = 2
)";
    PlacedMechanism placed = test::placed_of(text);
    for (auto& body : placed.mechanism.bodies) body.mass = body.inertia = 1;
    std::array<std::unique_ptr<MechanismEquations<PlanarSpace>>, 2> equations;
    std::vector<PlanarSpace::Position> positions;
    std::vector<PlanarSpace::Twist> twists;
    for (const int k : {0, 1}) {
        MechanismEquations<PlanarSpace>::Choice choice;
        choice.coordinates = test::both_coordinates[k];
        equations[k] = std::make_unique<MechanismEquations<PlanarSpace>>(placed.mechanism,
                                                                         placed.topology, choice);
        auto& eq = *equations[k];
        auto& c = eq.coordinates();
        Vector q, v;
        if (test::both_coordinates[k] == CoordinateKind::relative) {
            q = c.from_positions(placed.assembly.positions);
            for (std::size_t i = 0; i < q.size(); ++i) {
                q[i] += 0.1 * static_cast<double>(i + 1);
                v.push_back(0.3 - 0.2 * static_cast<double>(i));
            }
        } else {
            ASSERT_FALSE(positions.empty());
            q = c.from_positions(positions);
            for (std::size_t b = 1; b < twists.size(); ++b)
                v.insert(v.end(), {twists[b].v.x, twists[b].v.y, twists[b].omega});
        }
        eq.set_motion(q, v, 0);
        ASSERT_TRUE(eq.set_inertia());
        eq.set_forces(Vector(eq.state_size(), 0.0));
        for (std::size_t b = 0; positions.size() < placed.mechanism.bodies.size(); ++b) {
            positions.push_back(c.position(static_cast<int>(b)));
            twists.push_back(c.velocity(static_cast<int>(b)));
        }
    }
    for (std::size_t b = 0; b < positions.size(); ++b) {
        const auto &one = equations[0]->forces().on_bodies()[b],
                   &two = equations[1]->forces().on_bodies()[b];
        for (const double apart : {one.f.x - two.f.x, one.f.y - two.f.y, one.m - two.m})
            EXPECT_NEAR(apart, 0, 1e-14) << placed.mechanism.bodies[b].name;  // numbers of order 1
        EXPECT_GT(std::abs(one.m) + std::abs(one.f.x), 1e-3) << placed.mechanism.bodies[b].name;
    }
    for (std::size_t i = 0; i < placed.mechanism.forces.size(); ++i) {
        const auto &one = equations[0]->forces().energies()[i],
                   &two = equations[1]->forces().energies()[i];
        EXPECT_NEAR(one.potential, two.potential, 1e-14);
        EXPECT_NEAR(one.power, two.power, 1e-14);
    }
}

TEST(Dynamics, rates_that_are_remembered_are_not_found_again) {
    MovingMechanism m(lone_bodies, CoordinateKind::relative, true);
    MultiplierDynamics dynamics(m.equations());
    const State& s = m.state();
    Vector y(dynamics.size()), found(y.size()), again(y.size()), held(y.size());
    dynamics.pack(s, y);
    ASSERT_EQ(dynamics.rates(s.t, y, found), RateOutcome::solved);
    ASSERT_EQ(dynamics.respond(s.t, s.q, s.v, s.z), RateOutcome::solved);
    dynamics.remember_rates(s);
    m.equations().hold_drivers(true);  // would change what is found
    ASSERT_EQ(dynamics.rates(s.t, y, again), RateOutcome::solved);
    EXPECT_EQ(again, found);
    y[0] += 1e-9;  // another state
    ASSERT_EQ(dynamics.rates(s.t, y, held), RateOutcome::solved);
    EXPECT_NE(held.back(), found.back());
    y[0] -= 1e-9;
    dynamics.forget_rates();
    ASSERT_EQ(dynamics.rates(s.t, y, again), RateOutcome::solved);
    EXPECT_NE(again.back(), found.back());
}

// M' v and G' w against fourth-order differences along the motion: with steps of 1e-3 of the time
// in which the mechanism moves by its size, truncation and rounding are both near 1e-12.
constexpr double difference_step = 1e-3, difference_error = 1e-10;

TEST_P(Formulations, inertia_and_row_rates_are_derivatives_along_the_motion) {
    MovingMechanism m = moving();
    Equations& eq = m.equations();
    const State& s = m.state();
    const int n = eq.size();
    Vector w(n);
    for (int c = 0; c < n; ++c) w[c] = std::cos(1.0 + c);
    Vector momentum_rate(n, 0.0), row_rate(eq.pattern().rows(), 0.0), at(n), momentum(n);
    const double weights[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, offsets[] = {-2, -1, 1, 2};
    for (int k = 0; k < 4; ++k) {
        for (int c = 0; c < n; ++c) at[c] = s.q[c] + offsets[k] * difference_step * s.v[c];
        eq.set_position(at, s.t);
        eq.apply_inertia(s.v, momentum);
        for (int c = 0; c < n; ++c) momentum_rate[c] += weights[k] / difference_step * momentum[c];
        const RowPattern& p = eq.pattern();
        for (int r = 0; r < p.rows(); ++r)
            for (int i = p.start[r]; i < p.start[r + 1]; ++i)
                row_rate[r] += weights[k] / difference_step * eq.jacobian()[i] * w[p.column[i]];
    }
    eq.set_position(s.q, s.t);
    RowRate rate(eq);
    rate.set_velocity(s.v);
    const auto found = rate.along(w);
    const double speed = largest(s.v);
    for (std::size_t r = 0; r < found.size(); ++r)
        EXPECT_NEAR(found[r], row_rate[r], difference_error * (1 + speed));
    eq.set_velocity(s.v);
    Vector y(n);
    eq.apply_inertia_rate(y);
    for (int c = 0; c < n; ++c)
        EXPECT_NEAR(y[c], momentum_rate[c], difference_error * (1 + largest(momentum_rate)));
}

TEST(CanonicalDynamics, has_one_momentum_per_freedom) {
    for (const bool driven : {false, true}) {
        MovingMechanism m(test::fourbar(), CoordinateKind::absolute, driven);
        CanonicalDynamics dynamics(m.equations());
        EXPECT_TRUE(dynamics.refresh(m.state()));
        EXPECT_FALSE(dynamics.refresh(m.state()));
        EXPECT_EQ(dynamics.size(), 9 + (driven ? 0 : 1) + dynamics.auxiliary_size());
    }
}

TEST(Dynamics, sizes_are_stated_and_names_lead_back) {
    for (const std::string& name : names_of<Formulation>()) {
        const auto formulation = named<Formulation>(name);
        ASSERT_TRUE(formulation);
        EXPECT_EQ(value_name(*formulation), name);
        const bool sparse = name == "multipliers" || name == "auto";
        EXPECT_EQ(largest_size(*formulation), sparse ? 0 : 300);
    }
    EXPECT_EQ(named<Formulation>("magic"), std::nullopt);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
