// Equivalent particles as equations of motion of their own, against bodies and by hand.
#include "equations/particle_equations.h"

#include <cmath>

#include <gtest/gtest.h>

#include "simulation/dynamic/particle_run.h"
#include "simulation/run_options.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Two bodies off their lines of pins, with a spring, a damper and a couple.
const std::string double_pendulum = R"(format = 1
[body.ground]
points = { wall = [1.5, -0.5] }
[body.upper]
mass = 2
inertia = 0.3
centre = [0.4, 0.1]
omega = 1.5
points = { B = [0.8, 0] }
[body.lower]
position = [0.8, 0]
angle = "-30 deg"
mass = 1.5
inertia = 0.2
centre = [0.3, -0.05]
points = { tip = [0.7, 0.1] }
[joint.O]
type = "revolute"
a = "ground"
b = "upper"
[joint.B]
type = "revolute"
a = "upper.B"
b = "lower"
[force.weight]
type = "gravity"
[force.spring]
type = "spring"
a = "ground.wall"
b = "lower.tip"
stiffness = "40 N/m"
damping = "0.5 N s/m"
[force.motor]
type = "joint_force"
joint = "B"
value = "0.7"
[run]
analysis = "dynamics"
end = "1 s"
step = "0.25 s"
rtol = 1e-11
atol = 1e-11
)";

ParticleOptions options_of(const RunSettings& run, ParticleForm form,
                           std::vector<std::string> cuts = {}) {
    ParticleOptions options;
    options.end = run.end;
    options.step = run.step;
    options.rtol = run.rtol;
    options.atol = run.atol;
    options.form = form;
    options.cuts = std::move(cuts);
    return options;
}

void expect_motion_of_bodies(std::string_view text, const std::vector<std::string>& cuts) {
    ModelData model = test::model_of(text);
    model.run.end = 1;
    model.run.step = 0.25;
    const PlacedMechanism placed = test::placed_of(text);
    const DynamicResult bodies = run_dynamics(placed, dynamic_options(model.run));
    ASSERT_EQ(bodies.status, DynamicStatus::completed) << bodies.message;
    for (const ParticleForm form : {ParticleForm::particles, ParticleForm::joints}) {
        const ParticleResult run = run_particles(placed, options_of(model.run, form, cuts));
        ASSERT_EQ(run.problem, "");
        ASSERT_EQ(run.trajectory.rows(), bodies.trajectory.rows());
        for (std::size_t r = 0; r < run.trajectory.rows(); ++r)
            for (const auto& body : placed.mechanism.bodies) {
                if (body.name == "ground") continue;
                for (const char* tail : {".x", ".y", ".angle", ".vx", ".omega", ".ax", ".alpha"})
                    EXPECT_NEAR(test::value(run.trajectory, r, body.name + tail),
                                test::value(bodies.trajectory, r, body.name + tail), 2e-8)
                        << body.name << tail << " in row " << r;
            }
    }
}

TEST(ParticleEquations, move_as_the_bodies_do_in_a_chain_with_springs_and_couples) {
    expect_motion_of_bodies(double_pendulum, {});
}

TEST(ParticleEquations, move_as_the_bodies_do_in_closed_loops_wherever_they_are_cut) {
    const auto text = test::embedded_text("attia_chain");
    expect_motion_of_bodies(text, {"C", "F"});
    expect_motion_of_bodies(text, {"B", "E"});
}

TEST(ParticleEquations, of_attias_chain_have_the_sizes_of_the_source) {
    const auto placed = test::placed_of(test::embedded_text("attia_chain"));
    const Topology cut = ParticleSystem::cut_at(placed.mechanism, {"C", "F"});
    const double size = placed.assembly.model_size;
    const ParticleEquations particles(placed.mechanism, cut, placed.assembly.positions, size);
    EXPECT_EQ(particles.size(), 14);
    EXPECT_EQ(particles.pattern().rows(), 13);  // 4 rods, 3 + 2 of the plate, 2 at each cut
    const JointParticleEquations joints(placed.mechanism, cut, size);
    EXPECT_EQ(joints.size(), 5);
    EXPECT_EQ(joints.pattern().rows(), 4);
    // Shared particles have the mass of all bodies that meet there, and all of it is there.
    double total = 0;
    const Eigen::MatrixXd m = particles.mass_matrix();
    for (const auto& p : particles.system().particles()) {
        if (p.name != "B") continue;
        EXPECT_NEAR(p.mass, 1 + 0.16669, 1e-5);
    }
    for (int c = 0; c < m.cols(); c += 2) total += m.row(c).sum();
    // Of the crank, which hangs on ground, the end A and a quarter of the middle: l^2 = 2
    // (0.566)^2.
    const double end = 0.0266 / 0.320356, middle = 0.5 - 2 * end;
    EXPECT_NEAR(total, 6 + end + middle / 4, 1e-6);
    EXPECT_NEAR((m - m.transpose()).norm(), 0, 1e-15);
}

// Rows against differences along a straight path: phi' = J v, phi'' = J a - gamma with a = 0.
TEST(ParticleEquations, rows_are_derivatives_of_the_distances) {
    const auto placed = test::placed_of(test::embedded_text("attia_chain"));
    const Topology cut = ParticleSystem::cut_at(placed.mechanism, {"C", "F"});
    ParticleEquations eq(placed.mechanism, cut, placed.assembly.positions, 1);
    const std::vector<double> q = eq.start();
    std::vector<double> v;
    for (std::size_t i = 0; i < q.size(); ++i) v.push_back(std::sin(1.0 + 2.0 * double(i)));
    const double h = 1e-3;
    const auto phi_at = [&](double s) {
        std::vector<double> moved = q;
        for (std::size_t i = 0; i < q.size(); ++i) moved[i] += s * v[i];
        eq.set_position(moved, 0);
        return eq.phi();
    };
    const auto ahead = phi_at(h), behind = phi_at(-h), here = phi_at(0);
    eq.set_velocity(v);
    const RowPattern& p = eq.pattern();
    for (int r = 0; r < p.rows(); ++r) {
        const auto k = static_cast<std::size_t>(r);
        double rate = 0;
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            rate += eq.jacobian()[static_cast<std::size_t>(i)] *
                    v[static_cast<std::size_t>(p.column[i])];
        // Quadratic functions: differences are exact but for rounding.
        EXPECT_NEAR(rate, (ahead[k] - behind[k]) / (2 * h), 1e-11) << eq.labels()[k].name;
        EXPECT_NEAR(-eq.gamma()[k], (ahead[k] - 2 * here[k] + behind[k]) / (h * h), 1e-8)
            << eq.labels()[k].name;
        EXPECT_NEAR(here[k], 0, 1e-12);
    }
}

// M' v from the transformation against the difference of M along the motion.
TEST(ParticleEquations, inertia_rate_is_the_derivative_of_the_transformed_inertia) {
    const auto placed = test::placed_of(double_pendulum);
    const Topology tree = ParticleSystem::cut_at(placed.mechanism, {});
    JointParticleEquations eq(placed.mechanism, tree, 1);
    const std::vector<double> q{0.3, -0.8}, v{1.2, -0.7};
    const double h = 1e-5;
    const auto momentum = [&](double s) {
        const std::vector<double> moved{q[0] + s * v[0], q[1] + s * v[1]};
        eq.set_position(moved, 0);
        eq.set_inertia();
        std::vector<double> y(2);
        eq.apply_inertia(v, y);
        return y;
    };
    const auto ahead = momentum(h), behind = momentum(-h);
    momentum(0);
    eq.set_velocity(v);
    std::vector<double> y(2);
    eq.apply_inertia_rate(y);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(y[i], (ahead[i] - behind[i]) / (2 * h), 1e-8);
}

TEST(ParticleEquations, refuse_what_is_not_made_of_pins) {
    const auto problem = [](std::string_view model) {
        const auto refusal = ParticleSystem::refusal(test::model_of(model).mechanism);
        return refusal ? refusal->message : "";
    };
    EXPECT_EQ(problem(test::embedded_text("attia_chain")), "");
    EXPECT_NE(problem(test::embedded_text("slider_crank")).find("'guide' is of type prismatic"),
              std::string::npos);
    EXPECT_NE(problem(test::fourbar()).find("driver 'motor'"), std::string::npos);
    EXPECT_NE(problem("format = 1\nbody.a = { mass = 1 }\n").find("moment of inertia"),
              std::string::npos);
    std::string many = "format = 1\n";
    for (int i = 0; i < 301; ++i) many += "body.b" + std::to_string(i) + " = {}\n";
    EXPECT_NE(problem(many).find("up to 300 moving bodies; this model has 301"), std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
