// The audit must notice contacts that are wrong: seeded faults, each of which fails it.
#include <gtest/gtest.h>

#include "dynamics/formulations/formulations.h"
#include "results/event_text.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Mechanics = MechanismEquations<PlanarSpace>;

enum class Fault { none, gap_bias, compliant_sign };

class FaultyEquations : public Mechanics {
public:
    FaultyEquations(const PlacedMechanism& placed, const Choice& choice, Fault fault)
        : Mechanics(placed.mechanism, placed.topology, choice), fault_(fault) {}
    void set_free_acceleration(std::span<const double> z, std::span<double> v_rate) override {
        Equations::set_free_acceleration(z, v_rate);
    }
    void set_motion(std::span<const double> q, std::span<const double> v, double t) override {
        Equations::set_motion(q, v, t);
    }
    void set_velocity(std::span<const double> v) override {
        Mechanics::set_velocity(v);
        for (std::size_t r = 0; r < gamma_.size(); ++r)
            if (fault_ == Fault::gap_bias && labels()[r].role == RowRole::contact)
                gamma_[r] *= 0.99;
    }
    // The force of a compliant contact on its second body turned round.
    void set_forces(std::span<const double> z) override {
        Mechanics::set_forces(z);
        if (fault_ != Fault::compliant_sign || contacts().empty()) return;
        const auto& c = contacts()[0];
        const auto f = -2 * std::max(0.0, c.compliant_force()) * c.touch.n;
        force_[0] += f.x;
        force_[1] += f.y;
    }

private:
    Fault fault_;
};

// The force of the last row, a closed contact, turned round on the last coordinate it moves.
class TurnedForce : public MultiplierDynamics {
public:
    using MultiplierDynamics::MultiplierDynamics;
    RateOutcome respond(double t, std::span<const double> q, std::span<const double> v,
                        std::span<const double> z) override {
        const RateOutcome outcome = MultiplierDynamics::respond(t, q, v, z);
        const RowPattern& p = equations_.pattern();
        if (p.rows() == 0 || equations_.labels().back().role != RowRole::contact) return outcome;
        const int last = p.start[p.rows()] - 1;
        std::vector<double> x(static_cast<std::size_t>(equations_.size()), 0.0);
        x[static_cast<std::size_t>(p.column[last])] =
            -2 * equations_.jacobian()[last] * multipliers_.back();
        equations_.solve_inertia(x);
        for (std::size_t c = 0; c < x.size(); ++c) acceleration_[c] += x[c];
        return outcome;
    }
};

DynamicResult run(const PlacedMechanism& placed, double end, Fault fault,
                  std::function<std::unique_ptr<Dynamics>(Equations&)> solver = {}) {
    DynamicOptions options;
    options.end = end;
    options.step = end / 100;
    options.make_equations = [fault](const PlacedMechanism& p, const Mechanics::Choice& choice) {
        return std::make_unique<FaultyEquations>(p, choice, fault);
    };
    options.make_solver = std::move(solver);
    return run_dynamics(placed, options);
}

bool failed(const DynamicResult& r) {
    return r.status != DynamicStatus::completed || !r.audit.passed();
}

bool fails(const DynamicResult& r, const std::string& name) {
    for (const AuditCheck& check : r.audit.checks)
        if (check.name == name) return !check.passed();
    return false;
}

PlacedMechanism cam() { return test::placed_of(test::embedded_text("cam_liftoff")); }

PlacedMechanism ball(double restitution, const std::string& law = "") {
    PlacedMechanism placed = test::placed_of(
        "format = 1\n[body.ball]\nposition = [0, 1]\nmass = 1\ninertia = 1\n[profile.ball]\nbody "
        "= \"ball\"\nelements = [{ type = \"circle\", radius = 0.5 }]\n[profile.floor]\nbody = "
        "\"ground\"\nelements = [{ type = \"line\", from = [5, 0], to = [-5, 0] }]\n[contact.C]\n"
        "a = \"floor\"\nb = \"ball\"\n" +
        law + "[force.weight]\ntype = \"gravity\"\n");
    placed.mechanism.contacts[0].restitution = restitution;
    return placed;
}

TEST(ContactAudit, true_motion_passes) {
    for (const PlacedMechanism& placed : {cam(), ball(0.5), ball(1)}) {
        const DynamicResult r = run(placed, 0.8, Fault::none);
        EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
        for (const AuditCheck& check : r.audit.checks)
            EXPECT_TRUE(check.passed())
                << check.name << " " << check.value() << " > " << check.limit;
    }
}

TEST(ContactAudit, wrong_bias_of_a_gap_fails) {
    EXPECT_TRUE(failed(run(cam(), 0.02, Fault::gap_bias)));
}

TEST(ContactAudit, contact_force_turned_round_on_one_body_fails) {
    EXPECT_TRUE(failed(run(cam(), 0.02, Fault::none,
                           [](Equations& e) { return std::make_unique<TurnedForce>(e); })));
}

TEST(ContactAudit, compliant_force_turned_round_on_one_body_fails) {
    const PlacedMechanism placed = ball(0, "law = \"kelvin_voigt\"\nstiffness = 1e4\n");
    EXPECT_FALSE(failed(run(placed, 0.5, Fault::none)));
    EXPECT_TRUE(failed(run(placed, 0.5, Fault::compliant_sign)));
}

TEST(ContactAudit, impact_that_gains_energy_fails) {
    EXPECT_FALSE(fails(run(ball(1), 0.8, Fault::none), "energy of impacts"));
    EXPECT_TRUE(fails(run(ball(1.01), 0.8, Fault::none), "energy of impacts"));
}

// A rod of 1 kg and 0.05 kg m^2 lies on the floor and turns: one end 1 m away approaches with 1
// m/s, the other leaves with 1 m/s. Response 1/m + 1/I = 21 at an end, 1/m - 1/I = -19 between
// them. Newton's law with e asks for velocities e and 0 after it: 21 p1 - 19 p2 = 1 + e, 21 p2 - 19
// p1 = -1, and the energy grows by (21 e^2 - 4)/160 J: by 0.10625 J with e = 1, by nothing with e =
// sqrt(4/21).
TEST(ContactAudit, coupled_contacts_rebound_with_no_more_energy_than_they_came_with) {
    const PlacedMechanism placed = test::placed_of(R"(
format = 1
[body.rod]
mass = 1
inertia = 0.05
omega = 1
[profile.rod]
body = "rod"
elements = [
    { type = "line", from = [-1, 0], to = [1, 0] },
    { type = "line", to = [1, 0.2] },
    { type = "line", to = [-1, 0.2] },
    { type = "line", to = [-1, 0] },
]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [5, 0], to = [-5, 0] }]
[contact.C]
a = "floor"
b = "rod"
restitution = 1
)");
    DynamicOptions options;
    options.end = 0.01;
    options.step = 0.01;
    DynamicResult r = run_dynamics(placed, options);
    EXPECT_FALSE(fails(r, "energy of impacts"));
    EXPECT_TRUE(r.warnings.empty());
    ASSERT_EQ(r.events.size(), 2u);
    EXPECT_NEAR(r.events[0].normal_velocity_after + r.events[1].normal_velocity_after,
                std::sqrt(4.0 / 21), 1e-12);
    EXPECT_NEAR(r.events[0].energy_change + r.events[1].energy_change, 0, 1e-12);
    EXPECT_NE(event_text(r.events[0])
                  .find("restitution reduced to 0.4364 of its value, since more would add energy"),
              std::string::npos)
        << event_text(r.events[0]);
    options.sequential_impacts = true;
    r = run_dynamics(placed, options);
    EXPECT_FALSE(fails(r, "energy of impacts"));
    EXPECT_TRUE(r.warnings.empty());
}

// A cam of this outline turns under this follower, which a spring presses down.
DynamicResult run_of(const std::string& cam, const std::string& follower,
                     const std::string& joint) {
    DynamicOptions options;
    options.end = 3;
    return run_dynamics(
        test::placed_of("format = 1\nbody.c = { mass = 1, inertia = 0.004 }\n"
                        "body.f = { position = [0, 0.175], mass = 1, inertia = 0.01 }\n"
                        "joint.O = { type = \"revolute\", a = \"ground\", b = \"c\" }\n"
                        "joint.G = { " +
                        joint + " }\nprofile.c = { body = \"c\", " + cam +
                        " }\nprofile.f = { body = \"f\", elements = [" + follower +
                        "] }\ncontact.C = { a = \"c\", b = \"f\" }\n"
                        "force.w = { type = \"gravity\" }\n"
                        "driver.m = { joint = \"O\", type = \"speed\", speed = \"3 rad/s\" }\n"),
        options);
}

TEST(ContactAudit, failure_names_an_open_outline_as_the_likely_cause) {
    const auto open = run_of(
        R"(pattern = { count = 8 }, elements = [{ type = "arc", centre = [0, 0], radius = 0.1, from = "0 deg", to = "22.5 deg" }, { type = "line", to = [0.073910, 0.030615] }, { type = "arc", centre = [0, 0], radius = 0.08, from = "22.5 deg", to = "45 deg" }, { type = "line", to = [0.070710678, 0.070710678] }])",
        R"({ type = "arc", centre = [0, -0.3], radius = 0.3, from = "100 deg", to = "80 deg" })",
        R"(type = "revolute", bodies = ["ground", "f"], at = [-0.5, 0.35])");
    EXPECT_FALSE(open.audit.passed());
    ASSERT_FALSE(open.warnings.empty());
    EXPECT_EQ(open.warnings[0],
              "contact 'C': profile 'f' is open, and the other body can get behind it round its "
              "ends; close its outline");
}

// A knife edge on a side that turns into the direction of its guide: the force grows without bound
// until the edge is let go, and the rows hold all the way.
TEST(ContactAudit, passes_a_contact_that_comes_to_stand_along_its_guide) {
    const auto aligned = run_of(
        R"(elements = [{ type = "arc", centre = [0, 0], radius = 0.1, from = "-90 deg", to = "90 deg" }, { type = "line", to = [0, -0.1] }])",
        R"({ type = "point", at = [0, 0] })",
        R"(type = "prismatic", a = "ground", b = "f", axis = "90 deg")");
    EXPECT_FALSE(fails(aligned, "velocity residual"));
    EXPECT_FALSE(fails(aligned, "energy residual"));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
