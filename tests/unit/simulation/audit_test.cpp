// The audit must notice physics that is wrong: five seeded faults, each of which fails it.
#include <gtest/gtest.h>

#include "dynamics/formulations/formulations.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Mechanics = MechanismEquations<PlanarSpace>;

enum class Fault { none, force_sign, dropped_bias, wrong_inertia };

class FaultyEquations : public Mechanics {
public:
    FaultyEquations(const PlacedMechanism& placed, const Choice& choice, Fault fault)
        : Mechanics(placed.mechanism, placed.topology, choice), fault_(fault) {}
    void set_forces(std::span<const double> z) override {
        Mechanics::set_forces(z);
        if (fault_ == Fault::force_sign) force_[0] = -force_[0];
    }
    void set_free_acceleration(std::span<const double> z, std::span<double> v_rate) override {
        Equations::set_free_acceleration(z, v_rate);
    }
    void set_motion(std::span<const double> q, std::span<const double> v, double t) override {
        Equations::set_motion(q, v, t);
    }
    void set_velocity(std::span<const double> v) override {
        Mechanics::set_velocity(v);
        if (fault_ == Fault::dropped_bias) std::fill(gamma_.begin(), gamma_.end(), 0.0);
    }
    void solve_inertia(std::span<double> x) const override {
        Mechanics::solve_inertia(x);
        if (fault_ == Fault::wrong_inertia) x[0] *= 1.001;
    }
    void solve_inertia(std::span<double> x, std::span<const int> blocks) const override {
        Mechanics::solve_inertia(x, blocks);
        if (fault_ == Fault::wrong_inertia) x[0] *= 1.001;
    }

private:
    Fault fault_;
};

// Leaves the velocities off the constraints after each step.
class UnprojectedDynamics : public MultiplierDynamics {
public:
    using MultiplierDynamics::MultiplierDynamics;
    double project(State& state) override {
        const double moved = MultiplierDynamics::project(state);
        state.v[0] += 1e-6;
        return moved;
    }
};

// Forgets a thousandth of the multipliers in the accelerations.
class UnbalancedDynamics : public MultiplierDynamics {
public:
    using MultiplierDynamics::MultiplierDynamics;
    RateOutcome respond(double t, std::span<const double> q, std::span<const double> v,
                        std::span<const double> z) override {
        const RateOutcome outcome = MultiplierDynamics::respond(t, q, v, z);
        for (double& a : acceleration_) a *= 1.001;
        return outcome;
    }
};

DynamicResult swing(Fault fault, std::function<std::unique_ptr<Dynamics>(Equations&)> solver = {}) {
    // A four-bar that swings under gravity; every term of the equations takes part.
    std::string text = test::fourbar("") + "[force.weight]\ntype = \"gravity\"\n";
    for (const char* body : {"crank", "coupler", "rocker"}) {
        const std::string head = std::string("[body.") + body + "]\n";
        text.insert(text.find(head) + head.size(), "mass = 1\ninertia = 0.01\ncentre = [0.1, 0]\n");
    }
    static std::vector<std::unique_ptr<PlacedMechanism>>
        kept;  // results refer to nothing of it, equations do while running
    kept.push_back(std::make_unique<PlacedMechanism>(test::placed_of(text)));
    DynamicOptions options;
    options.end = 1;
    options.step = 0.02;
    options.make_equations = [fault](const PlacedMechanism& placed,
                                     const Mechanics::Choice& choice) {
        return std::make_unique<FaultyEquations>(placed, choice, fault);
    };
    options.make_solver = std::move(solver);
    return run_dynamics(*kept.back(), options);
}

bool failed(const DynamicResult& result) {
    return result.status != DynamicStatus::completed || !result.audit.passed();
}

TEST(Audit, true_motion_passes) {
    const DynamicResult result = swing(Fault::none);
    EXPECT_EQ(result.status, DynamicStatus::completed) << result.message;
    EXPECT_TRUE(result.audit.passed());
    EXPECT_EQ(result.audit.checks.size(), 8U);
}

// A block on a belt that a cam moves to and fro. Steps end where the pieces of its laws meet, so
// that the work of the driver is that of smooth pieces: 5e-14 J of 4 J; with steps across the seams
// it was 4e-6 J.
TEST(Audit, work_of_a_driver_is_exact_across_the_seams_of_its_law) {
    for (const std::string law : {"modified_sine", "modified_trapezoid"}) {
        DynamicOptions options;
        options.end = 1.2;
        // Steps so short that work not cut at a seam would show.
        options.step = options.largest_step = 0.005;
        const DynamicResult result = run_dynamics(
            test::placed_of(
                R"(format = 1
[body.belt]
mass = 1
[body.block]
mass = 1
[joint.rollers]
type = "prismatic"
a = "ground"
b = "belt"
[joint.slide]
type = "prismatic"
a = "belt"
b = "block"
friction = { kinetic = 0.3 }
[driver.belt]
joint = "rollers"
type = "cam"
start = 0
segments = [{ law = ")" +
                law + R"(", lift = 0.3, time = 0.4 }, { law = "dwell", time = 0.2 }, { law = ")" +
                law +
                R"(", lift = -0.3, time = 0.3 }]
[force.weight]
type = "gravity"
)"),
            options);
        ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
        EXPECT_LT(result.audit.checks[0].value(), 1e-11) << law;
    }
}

// All of it is driven, so its motion is exact at any step: the work to the middle of the rise,
// m v^2/2 with v = 15/8 lift/time, must ask for shorter steps itself.
TEST(Audit, work_of_a_driver_bounds_the_step_where_nothing_else_does) {
    DynamicOptions options;
    options.end = 0.5;
    options.step = 0.01;
    const DynamicResult result = run_dynamics(
        test::placed_of("format = 1\nbody.p = { mass = 1, inertia = 1 }\njoint.P = { type = "
                        "\"prismatic\", a = \"ground\", b = \"p\" }\ndriver.m = { joint = \"P\", "
                        "type = \"cam\", segments = [{ time = 0.3 }, { law = \"poly345\", lift = "
                        "0.05, time = 0.4 }, { time = 0.3 }] }\n"),
        options);
    ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
    EXPECT_TRUE(result.audit.passed());
    const double v = 15.0 / 8 * 0.05 / 0.4;
    ASSERT_EQ(result.last.state.z.size(), 1U);
    // A hundred times the tolerance of the steps.
    EXPECT_NEAR(result.last.state.z[0], 0.5 * v * v, 1e-8);
}

TEST(Audit, wrong_sign_in_a_force_fails) { EXPECT_TRUE(failed(swing(Fault::force_sign))); }
TEST(Audit, dropped_bias_fails) { EXPECT_TRUE(failed(swing(Fault::dropped_bias))); }
TEST(Audit, wrong_inertia_fails) { EXPECT_TRUE(failed(swing(Fault::wrong_inertia))); }

// The friction of the whole impact by the slip after it: the double pendulum gains 2.455 J.
TEST(Audit, impact_that_gains_energy_fails) {
    for (const char* rule : {"routh", "separation"}) {
        const PlacedMechanism placed = test::placed_of(
            test::embedded_text("double_pendulum_impact"), {{"contact.C.friction_rule", rule}});
        DynamicOptions options;
        options.end = 0.01;
        const DynamicResult result = run_dynamics(placed, options);
        for (const AuditCheck& check : result.audit.checks)
            EXPECT_EQ(check.passed(),
                      check.name != "energy of impacts" || rule == std::string_view("routh"))
                << check.name;
    }
}

TEST(Audit, unprojected_velocity_fails) {
    EXPECT_TRUE(failed(
        swing(Fault::none, [](Equations& e) { return std::make_unique<UnprojectedDynamics>(e); })));
}

TEST(Audit, unbalanced_reaction_fails) {
    EXPECT_TRUE(failed(
        swing(Fault::none, [](Equations& e) { return std::make_unique<UnbalancedDynamics>(e); })));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
