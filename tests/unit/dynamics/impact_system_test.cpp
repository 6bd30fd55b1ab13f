// Collisions of several points: closed forms, one point against the law of one, and energy.
#include "dynamics/impact/impact_system.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "support/impact_laws.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::law_of;

// Numbers of order one with some hundred roundings each.
constexpr double rounding = 1e-11;

class Cases : public test::Numbers {
public:
    using Numbers::Numbers;
    // n contacts on n + 3 freedoms.
    ImpactSystem system(int n, RestitutionLaw kind) {
        const MatrixXd j =
            MatrixXd::NullaryExpr(3 * n, n + 3, [&](auto, auto) { return (*this)(-1, 1); });
        ImpactSystem system;
        system.response = j * j.transpose();
        const VectorXd v = VectorXd::NullaryExpr(n + 3, [&](auto) { return (*this)(-1, 1); });
        system.velocity = j * v;
        for (int k = 0; k < n; ++k)
            system.laws.push_back(law_of(kind, (*this)(0, 1), (*this)(0, 0.6), (*this)(0, 0.1)));
        system.still = 1e-9;
        return system;
    }
};

// n balls of 1 kg in a row, the first comes with 1 m/s.
ImpactSystem row_of_balls(int n, double e) {
    MatrixXd j = MatrixXd::Zero(3 * (n - 1), n);
    for (int k = 0; k + 1 < n; ++k) {
        j(3 * k, k) = -1;
        j(3 * k, k + 1) = 1;
    }
    ImpactSystem system;
    system.response = j * j.transpose();
    system.velocity = j * VectorXd::Unit(n, 0);
    system.laws.assign(n - 1, law_of(RestitutionLaw::newton, e, 0));
    return system;
}

TEST(ImpactSystem, blow_passes_through_a_row_of_balls_in_sequence) {
    const auto r = solve_sequential(row_of_balls(4, 1));
    ASSERT_EQ(r.outcome, ImpactOutcome::solved);
    ASSERT_EQ(r.sequence.size(), 3u);
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(r.sequence[k].contact, k);
        EXPECT_NEAR(r.impulse[3 * k], 1, rounding);
    }
    EXPECT_NEAR(r.velocity[6], 1, rounding);  // the last ball leaves alone
}

// At once with e = 1 the gaps part at +1, 0, 0: velocities (-1/2, 1/2, 1/2, 1/2).
TEST(ImpactSystem, struck_at_once_the_other_balls_stay_together) {
    const auto r = solve_simultaneous(row_of_balls(4, 1));
    ASSERT_EQ(r.outcome, ImpactOutcome::solved);
    EXPECT_NEAR(r.impulse[0], 1.5, rounding);
    EXPECT_NEAR(r.impulse[3], 1.0, rounding);
    EXPECT_NEAR(r.impulse[6], 0.5, rounding);
    EXPECT_NEAR(r.work.sum(), 0, rounding);
}

// A block, 1 kg, I = 1/6 kg m^2, 2a wide, comes down flat: corners at (-a, -h) and (a, -h).
ImpactSystem block(double a, double h, const Eigen::Vector3d& v, const ImpactLaw& law) {
    MatrixXd j(6, 3);
    j << 0, 1, -a, 1, 0, h, 0, 0, 1, 0, 1, a, 1, 0, h, 0, 0, 1;
    ImpactSystem system;
    system.response = j * Eigen::Vector3d(1, 1, 6).asDiagonal() * j.transpose();
    system.velocity = j * v;
    system.laws = {law, law};
    return system;
}

// With mu h < a it does not tip: P1 + P2 = v, slip falls by mu v, and the moments about the centre
// balance: (P2 - P1) a = mu v h.
TEST(ImpactSystem, block_lands_flat_and_slides_on) {
    const double a = 0.5, h = 0.4, mu = 0.3, v = 2;
    for (const RestitutionLaw kind : {RestitutionLaw::newton, RestitutionLaw::poisson}) {
        const auto r = solve_simultaneous(block(a, h, {3, -v, 0}, law_of(kind, 0, mu)));
        ASSERT_EQ(r.outcome, ImpactOutcome::solved);
        EXPECT_NEAR(r.impulse[0], v / 2 - mu * v * h / (2 * a), rounding);
        EXPECT_NEAR(r.impulse[3], v / 2 + mu * v * h / (2 * a), rounding);
        EXPECT_NEAR(r.velocity[0], 0, rounding);
        EXPECT_NEAR(r.velocity[4], 3 - mu * v, rounding);
        EXPECT_NEAR(r.work.sum(), 0.5 * ((3 - mu * v) * (3 - mu * v) - 9 - v * v), rounding);
    }
}

// Restitution repeats the compression: both laws throw it up flat with e v, and take mu (1 + e) v
// of its slip.
TEST(ImpactSystem, block_rebounds_flat_under_both_laws) {
    for (const RestitutionLaw kind : {RestitutionLaw::newton, RestitutionLaw::poisson}) {
        const auto r = solve_simultaneous(block(0.5, 0.4, {3, -2, 0}, law_of(kind, 0.5, 0.3)));
        ASSERT_EQ(r.outcome, ImpactOutcome::solved);
        EXPECT_NEAR(r.velocity[0], 1, rounding);
        EXPECT_NEAR(r.velocity[3], 1, rounding);
        EXPECT_NEAR(r.velocity[1], 3 - 0.3 * 1.5 * 2, rounding);
    }
}

// Slip 0.7 needs an impulse of 0.7: mu_s P_n = 0.8 holds it, 0.6 does not and mu P_n = 0.4 is left.
TEST(ImpactSystem, static_friction_stops_the_block_or_counts_no_more) {
    ImpactLaw law = law_of(RestitutionLaw::newton, 0, 0.2);
    law.static_friction = 0.4;
    auto r = solve_simultaneous(block(0.5, 0.1, {0.7, -2, 0}, law));
    EXPECT_NEAR(r.velocity[1], 0, rounding);
    law.static_friction = 0.3;
    r = solve_simultaneous(block(0.5, 0.1, {0.7, -2, 0}, law));
    EXPECT_NEAR(r.velocity[1], 0.3, rounding);
}

// Newton at once, for one point, is the rule of separation; where that would add energy, the part
// of the restitution that adds none is kept.
TEST(ImpactSystem, one_point_under_newton_follows_the_rule_of_separation) {
    Cases numbers(1);
    int compared = 0, reduced = 0;
    for (int i = 0; i < 3000; ++i) {
        ImpactSystem system = numbers.system(1, RestitutionLaw::newton);
        if (!(system.velocity[0] < -0.01)) continue;
        system.laws[0].tangential_restitution = i % 2 == 0 ? 0 : 0.5;
        ImpactLaw law = system.laws[0];
        law.friction_rule = FrictionRule::separation;
        const auto one = solve_impact(system.response, system.velocity, law);
        const auto r = solve_simultaneous(system);
        ASSERT_EQ(r.outcome, ImpactOutcome::solved) << i;
        ASSERT_EQ(one.outcome, ImpactOutcome::solved) << i;
        if (r.part_of_restitution < 1) {
            ASSERT_TRUE(adds_energy(one.work)) << i;
            ASSERT_FALSE(adds_energy(r.work)) << i;
            ++reduced;
            continue;
        }
        ASSERT_LT((one.impulse - r.impulse).norm(), 1e-8 * one.impulse.norm()) << i;
        ++compared;
    }
    EXPECT_GT(compared, 500);
    EXPECT_GT(reduced, 10);
}

// Where slip and spin keep their directions the two problems of Poisson's law give the path.
TEST(ImpactSystem, one_point_under_poisson_follows_the_path_while_nothing_turns) {
    Cases numbers(2);
    int compared = 0;
    for (int i = 0; i < 2000; ++i) {
        const ImpactSystem system = numbers.system(1, RestitutionLaw::poisson);
        if (!(system.velocity[0] < -0.01)) continue;
        const auto one = solve_impact(system.response, system.velocity, system.laws[0]);
        if (one.phases.size() > 1) continue;
        const auto r = solve_simultaneous(system);
        ASSERT_EQ(r.outcome, ImpactOutcome::solved);
        ASSERT_LT((one.impulse - r.impulse).norm(), 1e-8 * one.impulse.norm()) << i;
        ASSERT_LT((one.work - r.work).norm(), 1e-8 * (1 + one.work.norm())) << i;
        ++compared;
    }
    EXPECT_GT(compared, 200);
}

// After any solution no contact approaches, impulses press, friction stays in its cone, and the
// works add up to the change of energy; Stronge's law never gains any, nor Poisson's in a sequence.
TEST(ImpactSystem, several_contacts_part_and_the_works_add_up) {
    Cases numbers(3);
    for (int i = 0; i < 1500; ++i) {
        const RestitutionLaw kind = std::array{RestitutionLaw::newton, RestitutionLaw::poisson,
                                               RestitutionLaw::stronge}[i % 3];
        const ImpactSystem system = numbers.system(2 + i % 2, kind);
        for (const bool sequential : {true, false}) {
            // All at once they are followed in thousands of steps.
            if (!sequential && kind == RestitutionLaw::stronge && i % 60 != 2) continue;
            const auto r = sequential ? solve_sequential(system) : solve_simultaneous(system);
            if (r.outcome == ImpactOutcome::none) continue;
            ASSERT_EQ(r.outcome, ImpactOutcome::solved) << i;
            const double p = r.impulse.norm(), size = 1e-8 * (1 + p);
            ASSERT_LT((system.velocity + system.response * r.impulse - r.velocity).norm(), size);
            ASSERT_NEAR(r.work.sum(), 0.5 * r.impulse.dot(system.velocity + r.velocity),
                        size * (1 + p));
            for (std::size_t k = 0; k < system.laws.size(); ++k) {
                const double normal = r.impulse[3 * k];
                ASSERT_GE(normal, -size);
                ASSERT_GE(r.velocity[3 * k], -system.still - size);
                ASSERT_LE(std::abs(r.impulse[3 * k + 1]), system.laws[k].friction * normal + size);
                ASSERT_LE(std::abs(r.impulse[3 * k + 2]), system.laws[k].rolling * normal + size);
            }
            const bool may_gain =
                kind == RestitutionLaw::newton || (!sequential && kind == RestitutionLaw::poisson);
            ASSERT_TRUE(may_gain || r.work.sum() <= size * (1 + p)) << i;
        }
    }
}

// Followed through stiff springs one contact does what Stronge's law says, but for the step in
// which its slip turns: one of 20000 in a swing.
TEST(ImpactSystem, stiff_springs_of_one_contact_give_stronges_law) {
    Cases numbers(5);
    int compared = 0;
    for (int i = 0; i < 60; ++i) {
        const ImpactSystem system = numbers.system(1, RestitutionLaw::stronge);
        const auto one = solve_impact(system.response, system.velocity, system.laws[0]);
        if (one.outcome != ImpactOutcome::solved) continue;
        const auto r = solve_stiff(system);
        ASSERT_EQ(r.outcome, ImpactOutcome::solved) << i;
        EXPECT_LT((one.velocity - r.velocity).norm(), 1e-4 * (1 + one.velocity.norm())) << i;
        ++compared;
    }
    EXPECT_GT(compared, 20);
}

// Their numbers, and which way is right and left, do not matter.
TEST(ImpactSystem, stiff_springs_know_no_order_and_no_side) {
    Cases numbers(6);
    for (int i = 0; i < 20; ++i) {
        const ImpactSystem system = numbers.system(2, RestitutionLaw::stronge);
        const auto r = solve_stiff(system);
        ASSERT_EQ(r.outcome, ImpactOutcome::solved) << i;
        const std::vector<int> swapped{3, 4, 5, 0, 1, 2};
        ImpactSystem other = system, mirrored = system;
        other.response = system.response(swapped, swapped);
        other.velocity = system.velocity(swapped);
        std::swap(other.laws[0], other.laws[1]);
        EXPECT_LT((solve_stiff(other).impulse - r.impulse(swapped)).norm(), 1e-9) << i;
        VectorXd sign(6);
        sign << 1, -1, -1, 1, -1, -1;
        mirrored.response = sign.asDiagonal() * system.response * sign.asDiagonal();
        mirrored.velocity = sign.cwiseProduct(system.velocity);
        EXPECT_LT((solve_stiff(mirrored).impulse - sign.cwiseProduct(r.impulse)).norm(), 1e-9) << i;
    }
}

TEST(ImpactSystem, plastic_blow_is_over_at_once) {
    Cases numbers(4);
    for (int i = 0; i < 300; ++i) {
        ImpactSystem system = numbers.system(1, RestitutionLaw::newton);
        system.laws[0].restitution = system.still = 0;
        ASSERT_LE(solve_sequential(system).sequence.size(), 1u) << i;
    }
}

TEST(ImpactSystem, says_what_it_does_not_solve) {
    ImpactSystem system = row_of_balls(3, 0.5);
    system.laws[1].restitution_law = RestitutionLaw::stronge;
    EXPECT_EQ(solve_simultaneous(system).outcome, ImpactOutcome::refused);
    EXPECT_EQ(solve_sequential(system).outcome, ImpactOutcome::solved);
    system.laws[0].restitution_law = RestitutionLaw::stronge;
    EXPECT_EQ(solve_simultaneous(system).outcome, ImpactOutcome::solved);
    system.velocity = -system.velocity;
    EXPECT_EQ(solve_simultaneous(system).outcome, ImpactOutcome::none);
    EXPECT_EQ(solve_sequential(system).outcome, ImpactOutcome::none);
    system = row_of_balls(3, 0.5);
    system.response.setZero();
    EXPECT_EQ(solve_simultaneous(system).outcome, ImpactOutcome::jam);
    EXPECT_EQ(solve_sequential(system).outcome, ImpactOutcome::jam);
    EXPECT_EQ(solve_sequential(system).culprit, 0);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
