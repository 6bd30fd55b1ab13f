// Impacts and resting forces of few bodies, known by hand, under every formulation.
#include "dynamics/contact/contact_problem.h"

#include <gtest/gtest.h>

#include "simulation/placement/initial_velocities.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Impacts = ContactProblem::Impacts;
using Mechanics = MechanismEquations<PlanarSpace>;

// Some products of numbers of order one.
constexpr double rounding = 1e-12;
constexpr double still = 1e-10;

// A model with the first elements of all its contact pairs touching.
class Touching {
public:
    explicit Touching(const std::string& text, Formulation dynamics = Formulation::multipliers,
                      CoordinateKind kind = CoordinateKind::relative)
        : placed_(test::placed_of(text)) {
        Mechanics::Choice choice;
        choice.coordinates = kind;
        base_equations_ = std::make_unique<Mechanics>(placed_.mechanism, placed_.topology, choice);
        for (std::size_t i = 0; i < placed_.mechanism.contacts.size(); ++i) {
            ContactPoint<PlanarSpace> point;
            point.pair = static_cast<int>(i);
            // Corners stand before the first line of an open chain.
            point.a = first(placed_.mechanism.contacts[i].profile_a);
            point.b = first(placed_.mechanism.contacts[i].profile_b);
            choice.contacts.push_back(point);
        }
        all_equations_ = std::make_unique<Mechanics>(placed_.mechanism, placed_.topology, choice);
        for (auto* e : {base_equations_.get(), all_equations_.get()})
            e->set_model_size(placed_.assembly.model_size);
        base_ = make_dynamics(dynamics, *base_equations_);
        std::vector<int> rows;
        for (std::size_t i = 0; i < choice.contacts.size(); ++i)
            rows.push_back(all_equations_->contact_row(i));
        problem_ = std::make_unique<ContactProblem>(*base_, *all_equations_, rows,
                                                    static_cast<int>(rows.size()));
        state.q = base_equations_->coordinates().from_positions(placed_.assembly.positions);
        base_equations_->set_position(state.q, 0);
        base_equations_->set_inertia();
        state.v = initial_velocities(placed_, *base_equations_, state.q, nullptr);
        state.z.assign(static_cast<std::size_t>(base_->auxiliary_size()), 0.0);
        base_->refresh(state);
        if (!problem_->set_state(state)) throw std::runtime_error("no inertia");
    }
    [[nodiscard]] ContactProblem& problem() { return *problem_; }
    double kinetic() {
        base_equations_->set_position(state.q, 0);
        base_equations_->coordinates().set_velocity(state.v);
        return base_equations_->inertia().kinetic_energy();
    }
    [[nodiscard]] PlanarSpace::Vector velocity(int body) {
        base_equations_->set_position(state.q, 0);
        base_equations_->coordinates().set_velocity(state.v);
        return base_equations_->coordinates().velocity(body).v;
    }
    State state;

private:
    [[nodiscard]] int first(int profile) const {
        return placed_.mechanism.profiles[profile].chain.elements.size() == 1 ? 0 : 1;
    }
    PlacedMechanism placed_;
    std::unique_ptr<Mechanics> base_equations_, all_equations_;
    std::unique_ptr<Dynamics> base_;
    std::unique_ptr<ContactProblem> problem_;
};

std::string ball(const std::string& name, double x, double velocity, double mass) {
    const auto number = [](double d) { return std::to_string(d); };
    return "[body." + name + "]\nposition = [" + number(x) + ", 0]\nvelocity = [" +
           number(velocity) + ", 0]\nmass = " + number(mass) + "\ninertia = 0.1\n[profile." + name +
           "]\nbody = \"" + name + "\"\nelements = [{ type = \"circle\", radius = 0.5 }]\n";
}
std::string contact(const std::string& a, const std::string& b) {
    return "[contact." + a + b + "]\na = \"" + a + "\"\nb = \"" + b + "\"\n";
}

TEST(ContactProblem, of_two_balls_keeps_momentum_and_follows_restitution) {
    const double m1 = 2, m2 = 3, v1 = 4, v2 = -1;
    const std::string text =
        "format = 1\n" + ball("a", 0, v1, m1) + ball("b", 1, v2, m2) + contact("a", "b");
    for (const Formulation dynamics : all_values<Formulation>())
        for (const CoordinateKind kind : test::both_coordinates)
            for (const double e : {0.0, 0.3, 0.8, 1.0}) {
                Touching t(text, dynamics, kind);
                const double before = t.kinetic();
                ASSERT_EQ(t.problem().find_impulses(Eigen::VectorXd::Constant(1, e),
                                                    Impacts::simultaneous, still),
                          ComplementarityOutcome::solved);
                t.problem().apply(t.state, {});
                const double a = t.velocity(1).x, b = t.velocity(2).x;
                EXPECT_NEAR(m1 * a + m2 * b, m1 * v1 + m2 * v2, rounding) << dynamics;
                EXPECT_NEAR(b - a, e * (v1 - v2), rounding) << dynamics;
                const double reduced = m1 * m2 / (m1 + m2);
                EXPECT_NEAR(t.problem().impulse()[0], (1 + e) * reduced * (v1 - v2), rounding);
                EXPECT_NEAR(t.kinetic() - before,
                            -0.5 * reduced * (1 - e * e) * (v1 - v2) * (v1 - v2), 10 * rounding);
                EXPECT_NEAR(t.problem().impulse_work()[0], t.kinetic() - before, 10 * rounding);
            }
}

TEST(ContactProblem, of_bodies_that_part_has_no_impulse) {
    Touching t("format = 1\n" + ball("a", 0, -1, 1) + ball("b", 1, 1, 1) + contact("a", "b"));
    ASSERT_EQ(t.problem().find_impulses(Eigen::VectorXd::Ones(1), Impacts::simultaneous, still),
              ComplementarityOutcome::solved);
    EXPECT_EQ(t.problem().impulse()[0], 0);
}

// One ball strikes two in a row that touch. At once, with Newton's law on both pairs: the first one
// comes back, v (-1/3, 2/3, 2/3). One after the other: the last one goes, as in Newton's cradle.
TEST(ContactProblem, of_three_balls_in_a_row_depends_on_the_order_of_impacts) {
    const std::string text = "format = 1\n" + ball("a", 0, 3, 1) + ball("b", 1, 0, 1) +
                             ball("c", 2, 0, 1) + contact("a", "b") + contact("b", "c");
    const double at_once[] = {-1, 2, 2}, in_turn[] = {0, 0, 3};
    for (const Impacts impacts : {Impacts::simultaneous, Impacts::sequential}) {
        Touching t(text);
        const double before = t.kinetic();
        ASSERT_EQ(t.problem().find_impulses(Eigen::VectorXd::Ones(2), impacts, still),
                  ComplementarityOutcome::solved);
        t.problem().apply(t.state, {});
        const double* expected = impacts == Impacts::sequential ? in_turn : at_once;
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(t.velocity(i + 1).x, expected[i], rounding);
        EXPECT_NEAR(t.kinetic(), before, 10 * rounding);
        EXPECT_NEAR(t.problem().impulse_work().sum(), 0, 10 * rounding);
    }
}

TEST(ContactProblem, sequential_plastic_impacts_end_with_all_at_one_speed) {
    Touching t("format = 1\n" + ball("a", 0, 3, 1) + ball("b", 1, 0, 1) + ball("c", 2, 0, 1) +
               contact("a", "b") + contact("b", "c"));
    ASSERT_EQ(t.problem().find_impulses(Eigen::VectorXd::Zero(2), Impacts::sequential, still),
              ComplementarityOutcome::solved);
    t.problem().apply(t.state, {});
    // The sequence ends where the approach is below `still`.
    for (int i = 1; i <= 3; ++i) EXPECT_NEAR(t.velocity(i).x, 1, 10 * still);
}

// A box on the floor, the floor drawn twice: what is redundant shares.
const std::string weight = "[force.weight]\ntype = \"gravity\"\n";
std::string block_on(const std::vector<double>& feet) {
    std::string text = "format = 1\n[body.block]\nmass = 2\ninertia = 1\n" + weight;
    for (std::size_t i = 0; i < feet.size(); ++i) {
        const std::string n = std::to_string(i), x = std::to_string(feet[i]);
        text += "[profile.foot" + n + "]\nbody = \"block\"\nat = [" + x +
                ", 0.5]\nelements = [{ type = \"circle\", radius = 0.5 }]\n[profile.floor" + n +
                "]\nbody = \"ground\"\nelements = [{ type = \"line\", from = [5, 0], to = [-5, 0] "
                "}]\n" +
                contact("floor" + n, "foot" + n);
    }
    return text;
}

TEST(ContactProblem, resting_forces_of_redundant_contacts_share) {
    for (const Formulation dynamics : all_values<Formulation>()) {
        Touching t(block_on({-1, 0, 1}), dynamics);
        ASSERT_EQ(t.problem().find_forces(t.state, std::vector{0, 1, 2}, true),
                  ComplementarityOutcome::solved);
        EXPECT_EQ(t.problem().holding(), (std::vector{0, 1, 2})) << dynamics;
        for (int i = 0; i < 3; ++i) {
            EXPECT_NEAR(t.problem().force()[i], 2 * 9.81 / 3, 1e-9) << dynamics;
            EXPECT_NEAR(t.problem().acceleration()[i], 0, 1e-9) << dynamics;
        }
        EXPECT_NEAR(t.problem().force().sum(), t.problem().force()[0] * 3, 1e-9);
    }
}

TEST(ContactProblem, foot_that_would_pull_lets_go) {
    // The weight stands beyond the right foot: the left one rises.
    Touching t(block_on({-3, -1}));
    ASSERT_EQ(t.problem().find_forces(t.state, std::vector{0, 1}, true),
              ComplementarityOutcome::solved);
    EXPECT_EQ(t.problem().holding(), std::vector{1});
    EXPECT_EQ(t.problem().force()[0], 0);
    EXPECT_GT(t.problem().force()[1], 0);
    EXPECT_GT(t.problem().acceleration()[0], 0);
    EXPECT_LT(t.problem().keeping_force()[0], 0);
    // m g alone would turn it about the foot: F = m g / (1 + m x^2 / I) with x = 1.
    Touching one(block_on({-1}));
    ASSERT_EQ(one.problem().find_forces(one.state, std::vector{0}, true),
              ComplementarityOutcome::solved);
    EXPECT_NEAR(t.problem().force()[1], one.problem().force()[0], 1e-9);
}

TEST(ContactProblem, of_one_contact_presses_or_parts) {
    // On the floor, in a field that lifts it, and with none.
    for (const double g : {9.81, -2.0, 0.0}) {
        Touching t(block_on({0}) + "[force.lift]\ntype = \"gravity\"\nacceleration = [0, " +
                   std::to_string(9.81 - g) + "]\n");
        for (const bool share : {false, true}) {
            ASSERT_EQ(t.problem().find_forces(t.state, std::vector{0}, share),
                      ComplementarityOutcome::solved);
            EXPECT_NEAR(t.problem().force()[0], 2 * std::max(0.0, g), 1e-9) << g;
            EXPECT_NEAR(t.problem().keeping_force()[0], 2 * g, 1e-9) << g;
            EXPECT_NEAR(t.problem().acceleration()[0], std::max(0.0, -g), 1e-9) << g;
            EXPECT_EQ(t.problem().holding().size(), g > 0 || (g == 0 && share) ? 1U : 0U)
                << g << share;
        }
    }
}

TEST(ContactProblem, drivers_that_fight_through_a_contact_have_no_impulse) {
    std::string text = "format = 1\n" + ball("a", 0, 0, 1) + ball("b", 1, 0, 1) + contact("a", "b");
    for (const char* name : {"a", "b"}) {
        const std::string n = name;
        text += "[joint.J" + n + "]\ntype = \"prismatic\"\na = \"ground\"\nb = \"" + n +
                "\"\n[driver.D" + n + "]\njoint = \"J" + n +
                "\"\ntype = \"speed\"\nspeed = " + (n == "a" ? "1" : "-1") + "\n";
    }
    for (const Formulation dynamics : all_values<Formulation>())
        for (const CoordinateKind kind : test::both_coordinates)
            for (const Impacts impacts : {Impacts::simultaneous, Impacts::sequential}) {
                Touching t(text, dynamics, kind);
                EXPECT_NEAR(t.problem().velocity()[0], -2, rounding);
                EXPECT_EQ(t.problem().find_impulses(Eigen::VectorXd::Zero(1), impacts, still),
                          ComplementarityOutcome::ray)
                    << dynamics;
            }
}

// A driven ball strikes a free one: the free one leaves with (1 + e) of the speed, and the driver
// has done the work: twice the energy of the free ball for e = 0, and p times its own speed.
TEST(ContactProblem, driver_does_the_work_of_its_impulse) {
    std::string text = "format = 1\n" + ball("a", 0, 0, 1) + ball("b", 1, 0, 3) +
                       contact("a", "b") +
                       "[joint.J]\ntype = \"prismatic\"\na = \"ground\"\nb = \"a\"\n[driver.D]\n"
                       "joint = \"J\"\ntype = \"speed\"\nspeed = 2\n";
    for (const double e : {0.0, 0.5, 1.0}) {
        Touching t(text);
        ASSERT_EQ(t.problem().find_impulses(Eigen::VectorXd::Constant(1, e), Impacts::simultaneous,
                                            still),
                  ComplementarityOutcome::solved);
        const double before = t.kinetic();
        std::vector<double> work(1, 0.0);
        t.problem().apply(t.state, work);
        EXPECT_NEAR(t.velocity(1).x, 2, rounding);
        EXPECT_NEAR(t.velocity(2).x, 2 * (1 + e), rounding);
        EXPECT_NEAR(t.problem().impulse()[0], 3 * 2 * (1 + e), 10 * rounding);
        EXPECT_NEAR(work[0], t.problem().impulse()[0] * 2, 10 * rounding);
        EXPECT_NEAR(t.kinetic() - before, work[0] + t.problem().impulse_work()[0], 100 * rounding);
    }
}

TEST(ContactProblem, stopping_brings_every_contact_to_rest) {
    Touching t("format = 1\n" + ball("a", 0, 3, 1) + ball("b", 1, 0, 2) + ball("c", 2, 5, 1) +
               contact("a", "b") + contact("b", "c"));
    t.problem().stop({0, 1});
    t.problem().apply(t.state, {});
    for (int i = 1; i <= 3; ++i) EXPECT_NEAR(t.velocity(i).x, 2, rounding);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
