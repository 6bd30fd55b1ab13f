// The collision of one point: published and closed forms, and what must hold for any response.
#include "dynamics/impact/impact_law.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/impact_laws.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::law_of;

// Numbers of order one to ten with some tens of roundings each.
constexpr double rounding = 1e-12;

constexpr RestitutionLaw all_laws[] = {RestitutionLaw::newton, RestitutionLaw::poisson,
                                       RestitutionLaw::stronge};

class Cases : public test::Numbers {
public:
    using Numbers::Numbers;
    // Positive definite; the last axis in other units.
    Matrix3d response() {
        const Matrix3d j = Matrix3d::NullaryExpr([&](auto, auto) { return (*this)(-1, 1); });
        Matrix3d a = j * j.transpose();
        a.row(rolling_row) *= 3;
        a.col(rolling_row) *= 3;
        return a;
    }
    Vector3d approach() { return {(*this)(-2, -0.1), (*this)(-2, 2), (*this)(-3, 3)}; }
    ImpactLaw law(RestitutionLaw kind) {
        ImpactLaw law = law_of(kind, (*this)(0, 1), (*this)(0, 1.5), (*this)(0, 0.3));
        law.static_friction = law.friction * (*this)(1, 1.5);
        return law;
    }
};

// Two uniform rods, m = 3 kg, L = 2 m, I_C = 1 kg m^2, in a row at a fixed pivot; the end of the
// second strikes a floor. Angles from the vertical 20 and 30 degrees, rates -1 and -2 rad/s.
// T = (16 w1^2 + 12 cos(t1 - t2) w1 w2 + 4 w2^2)/2; the end is at -L (sin t1 + sin t2, cos t1 +
// cos t2). `moment_on`: the rates that the rolling moment acts on.
struct DoublePendulum {
    explicit DoublePendulum(const Eigen::Vector2d& moment_on) {
        const double t1 = std::numbers::pi / 9, t2 = std::numbers::pi / 6;
        Eigen::Matrix2d mass;
        mass << 16, 6 * std::cos(t1 - t2), 6 * std::cos(t1 - t2), 4;
        Eigen::Matrix<double, 3, 2> j;
        j.row(normal_row) << 2 * std::sin(t1), 2 * std::sin(t2);
        j.row(tangent_row) << -2 * std::cos(t1), -2 * std::cos(t2);
        j.row(rolling_row) = moment_on.transpose();
        response = j * mass.inverse() * j.transpose();
        velocity = j * Eigen::Vector2d(-1, -2);
    }
    Matrix3d response;
    Vector3d velocity;
};

// Stoenescu 2005, section 2.4.2, change of the kinetic energy. The printed values (2.455, -1.783,
// -0.779, 0.926, 1.538) are those of the column `both`: moment on both rods. All with the moment
// against the spin before the impact. The other columns were computed by a second program.
TEST(ImpactLaw, double_pendulum_on_rough_floor_changes_energy_as_published) {
    const double table[5][8] = {
        // e, mu, s, separation rod 2, separation both, Newton, Poisson, Stronge
        {.55, .3, 0, 2.455167, 2.455167, -8.766611, -11.218939, -10.954451},
        {.55, .3, .16, 3.844744, -1.783178, -7.107905, -9.310102, -9.052499},
        {.5, .3, .08, 2.302757, -0.779623, -8.750042, -10.514747, -10.343597},
        {.6, .3, .08, 4.255213, 0.926393, -6.972426, -9.909130, -9.536181},
        {.5, .3, 0, 1.537935, 1.537935, -9.600003, -11.473067, -11.298670}};
    const double printed = 6e-7;  // six decimals
    const DoublePendulum rod_2({0, 1}), both({1, 1});
    for (const auto& row : table) {
        ImpactLaw law = law_of(RestitutionLaw::newton, row[0], row[1], row[2]);
        law.rolling_rule = RollingRule::before;
        law.friction_rule = FrictionRule::separation;
        EXPECT_NEAR(solve_impact(rod_2.response, rod_2.velocity, law).energy_change(), row[3],
                    printed);
        EXPECT_NEAR(solve_impact(both.response, both.velocity, law).energy_change(), row[4],
                    printed);
        law.friction_rule = FrictionRule::routh;
        for (int k = 0; k < 3; ++k) {
            law.restitution_law = all_laws[k];
            const auto r = solve_impact(rod_2.response, rod_2.velocity, law);
            EXPECT_NEAR(r.energy_change(), row[5 + k], printed);
            ASSERT_NE(r.reversal(tangent_row), nullptr);
        }
    }
}

TEST(ImpactLaw, rolling_moment_drives_a_spin_that_has_turned_unless_it_follows) {
    const DoublePendulum p({0, 1});
    ImpactLaw law = law_of(RestitutionLaw::stronge, 0.55, 0.3, 0.16);
    const auto follows = solve_impact(p.response, p.velocity, law);
    law.rolling_rule = RollingRule::before;
    const auto before = solve_impact(p.response, p.velocity, law);
    EXPECT_LT(follows.work[rolling_row], 0);
    EXPECT_GT(before.work[rolling_row], 0);
    ASSERT_NE(follows.reversal(rolling_row), nullptr);
    EXPECT_GT(follows.velocity[rolling_row], 0);
    law.rolling = 0;
    const auto without = solve_impact(p.response, p.velocity, law);
    EXPECT_LT(follows.energy_change(), without.energy_change());
    EXPECT_GT(before.energy_change(), without.energy_change());
}

TEST(ImpactLaw, no_spin_before_no_moment_against_it) {
    const DoublePendulum p({0, 1});
    ImpactLaw law = law_of(RestitutionLaw::poisson, 0.5, 0.3, 0.1);
    law.rolling_rule = RollingRule::before;
    ImpactLaw without = law;
    without.rolling = 0;
    without.rolling_rule = RollingRule::follows;
    for (const FrictionRule rule : {FrictionRule::routh, FrictionRule::separation}) {
        law.friction_rule = without.friction_rule = rule;
        const auto r = solve_impact(p.response, {-2, 0, 0}, law);
        const auto expected = solve_impact(p.response, {-2, 0, 0}, without);
        ASSERT_EQ(expected.outcome, ImpactOutcome::solved);
        EXPECT_LT((r.impulse - expected.impulse).norm(), rounding);
    }
}

// A rod on a fixed pivot, x and y the distances of its end: all three velocities are multiples of
// the spin, u = (-x, y, 1) w with w > 0 before. So slip, spin and approach end together, and
// (Stoenescu 2005, equation 2.44)
//   w+/w- = -e sqrt((x - mu y - s)/(x + mu y + s)).
struct Pendulum {
    Pendulum(double length, double angle)
        : x(length * std::sin(angle)), y(length * std::cos(angle)) {
        const Vector3d j(-x, y, 1);
        response = j * j.transpose() / 0.7;
        velocity = 2 * j;
    }
    double x, y;
    Matrix3d response;
    Vector3d velocity;
};

TEST(ImpactLaw, pendulum_with_rolling_moment_rebounds_as_published) {
    const double e = 0.6;
    // length, mu, s, ratio/e at 1.044 rad, computed with 40 digits
    for (const auto& [length, mu, s, ratio] : {std::array{.2, .3, 0., 0.83837455},
                                               {.2, .3, .0021, 0.82791342},
                                               {.2, .9, 0., 0.55928671},
                                               {.2, .9, .0057, 0.53384681},
                                               {.04, .3, .0021, 0.78685696},
                                               {.06, .3, .0021, 0.80381784}}) {
        const Pendulum p(length, 1.044);
        const auto r =
            solve_impact(p.response, p.velocity, law_of(RestitutionLaw::stronge, e, mu, s));
        ASSERT_EQ(r.outcome, ImpactOutcome::solved);
        EXPECT_NEAR(-r.velocity[rolling_row] / p.velocity[rolling_row] / e, ratio, 6e-9);
        EXPECT_NEAR(r.velocity[tangent_row], p.y * r.velocity[rolling_row], rounding);
        const double pc = 0.7 * 2 / (p.x + mu * p.y + s);
        EXPECT_NEAR(r.compression_impulse, pc, rounding * pc);
        ASSERT_EQ(r.phases.size(), 2u);
        EXPECT_NEAR(r.phases[1].from, pc, rounding * pc);
    }
}

// mu_s y + s >= x holds it against the restoring impulse: no law gives a rebound.
TEST(ImpactLaw, pendulum_wedges_when_static_friction_and_moment_hold_it) {
    const Pendulum p(0.2, 0.3);  // tan = 0.3093
    for (const RestitutionLaw kind : all_laws) {
        ImpactLaw law = law_of(kind, 0.6, 0.2);
        law.static_friction = 0.31;
        const auto held = solve_impact(p.response, p.velocity, law);
        EXPECT_EQ(held.outcome, ImpactOutcome::wedged);
        EXPECT_EQ(held.velocity, Vector3d(0, 0, 0));
        law.static_friction = 0.308;
        EXPECT_EQ(solve_impact(p.response, p.velocity, law).outcome, ImpactOutcome::solved);
        law.rolling = 0.2 * 0.01;  // 0.308 cos + 0.01 > sin
        const auto both = solve_impact(p.response, p.velocity, law);
        EXPECT_EQ(both.outcome, ImpactOutcome::wedged);
        EXPECT_EQ(both.phases.back().slip, 0);
        EXPECT_EQ(both.phases.back().spin, 0);
    }
}

// A free uniform rod, m = 1 kg, L = 1 m, I = 1/12 kg m^2, slope 3:4; its lower end, at (0.4, -0.3)
// from the centre, strikes a floor. With x, y the place of the end:
//   A_nn = 1/m + x^2/I = 2.92, A_tt = 1/m + y^2/I = 2.08, A_nt = -x y/I = 1.44,
//   A_nr = x/I = 4.8, A_tr = -y/I = 3.6, A_rr = 1/I = 12.
// Held, P_t/P_n = -A_nt/A_tt = -9/13: less than mu = 9/13 does not hold the slip.
Matrix3d rod() {
    Matrix3d a;
    a << 2.92, 1.44, 4.8, 1.44, 2.08, 3.6, 4.8, 3.6, 12;
    return a;
}

// mu = 1/4, e = 1/2, velocity (-0.98, -4) m/s without spin. Slip backwards up to P_n = 1/2, then
// forwards:
//   v_t = -0.98 + 1.96 p,  v_n = -4 + 3.28 p;   then v_t = 0.92 (p - 1/2), v_n = -2.36 + 2.56 (p -
//   1/2).
// Compression ends at pc = 1/2 + 2.36/2.56 = 1.421875; work until then -(6.36/4 + 2.36^2/5.12)
// = -2.6778125. The impact ends at p = pc + d with
//   Newton 2.56 d = 2,  Poisson d = pc/2,  Stronge 1.28 d^2 = 2.6778125/4.
// P_t = 1/8 - (p - 1/2)/4.
TEST(ImpactLaw, slip_of_a_rod_turns_within_the_impact) {
    const double pc = 1.421875;
    const double beyond[] = {0.78125, 0.7109375, std::sqrt(2.6778125 / 5.12)};
    for (int k = 0; k < 3; ++k) {
        const auto r = solve_impact(rod(), {-4, -0.98, 0}, law_of(all_laws[k], 0.5, 0.25));
        const double d = beyond[k], p = pc + d;
        ASSERT_EQ(r.outcome, ImpactOutcome::solved);
        EXPECT_NEAR(r.compression_impulse, pc, rounding);
        EXPECT_NEAR(r.impulse[normal_row], p, rounding);
        EXPECT_NEAR(r.impulse[tangent_row], 0.25 - p / 4, rounding);
        EXPECT_EQ(r.impulse[rolling_row], 0);
        EXPECT_NEAR(r.velocity[normal_row], 2.56 * d, rounding);
        EXPECT_NEAR(r.velocity[tangent_row], 0.92 * (p - 0.5), rounding);
        EXPECT_NEAR(r.velocity[rolling_row], 4.8 * p + 3.6 * (0.25 - p / 4), 10 * rounding);
        EXPECT_NEAR(r.work[normal_row], -2.6778125 + 1.28 * d * d, rounding);
        EXPECT_NEAR(r.work[tangent_row], -0.98 / 16 - 0.115 * (p - 0.5) * (p - 0.5), rounding);
        ASSERT_EQ(r.phases.size(), 2u);
        EXPECT_EQ(r.phases[0].slip, -1);
        EXPECT_EQ(r.phases.back().slip, 1);
        EXPECT_NEAR(r.phases.back().from, 0.5, rounding);
        EXPECT_EQ(r.reversal(tangent_row), &r.phases.back());
    }
}

// The same with mu_s = 0.7 > 9/13: it sticks from P_n = 1/2 on, v_n' = 2.92 - 1.44^2/2.08.
TEST(ImpactLaw, rod_that_has_stopped_sticks_within_static_friction) {
    ImpactLaw law = law_of(RestitutionLaw::poisson, 0.5, 0.25);
    law.static_friction = 0.7;
    const auto r = solve_impact(rod(), {-4, -0.98, 0}, law);
    const double rate = 2.92 - 1.44 * 1.44 / 2.08, pc = 0.5 + 2.36 / rate;
    EXPECT_NEAR(r.compression_impulse, pc, rounding);
    EXPECT_EQ(r.velocity[tangent_row], 0);
    EXPECT_NEAR(r.velocity[normal_row], rate * pc / 2, rounding);
    EXPECT_NEAR(r.impulse[tangent_row], 0.125 - 9.0 / 13 * (1.5 * pc - 0.5), rounding);
    EXPECT_EQ(r.phases.back().slip, 0);
    EXPECT_EQ(r.reversal(tangent_row), nullptr);
}

// Sliding forwards with mu = 2.5: v_n' = 2.92 - 3.6 = -0.68, v_t' = 1.44 - 5.2 = -3.76. From v_t =
// 3.76 the slip stops at P_n = 1, and then sticks: v_n' = 25/13.
TEST(ImpactLaw, jamming_slip_raises_the_approach_until_it_stops) {
    const auto r = solve_impact(rod(), {-1, 3.76, 0}, law_of(RestitutionLaw::poisson, 0.5, 2.5));
    ASSERT_EQ(r.outcome, ImpactOutcome::solved);
    const double pc = 1 + 1.68 * 13 / 25;
    EXPECT_NEAR(r.compression_impulse, pc, rounding);
    EXPECT_NEAR(r.velocity[normal_row], 25.0 / 13 * pc / 2, rounding);
    EXPECT_NEAR(r.impulse[tangent_row], -2.5 - 9.0 / 13 * (1.5 * pc - 1), rounding);
}

TEST(ImpactLaw, tangential_impact_resolves_sliding_that_draws_itself_in) {
    const Vector3d sliding(0, 3.76, 0);
    const double pc = 1 + 0.68 * 13 / 25, compression = 0.5 * 0.68 * pc;
    const double rebound[] = {0, 25.0 / 13 * pc / 2, 0.5 * std::sqrt(2 * compression * 25 / 13)};
    for (int k = 0; k < 3; ++k) {
        const ImpactLaw law = law_of(all_laws[k], 0.5, 2.5);
        ASSERT_TRUE(is_self_locking(rod(), sliding, law));
        EXPECT_FALSE(is_self_locking(rod(), -sliding, law));
        const auto r = tangential_impact(rod(), sliding, law);
        ASSERT_EQ(r.outcome, ImpactOutcome::solved);
        EXPECT_NEAR(r.compression_impulse, pc, rounding);
        EXPECT_NEAR(r.velocity[normal_row], rebound[k], rounding);
        EXPECT_EQ(r.velocity[tangent_row], 0);
        EXPECT_LT(r.energy_change(), 0);
        EXPECT_EQ(tangential_impact(rod(), -sliding, law).outcome, ImpactOutcome::none);
        // The border is mu = A_nn/A_nt.
        EXPECT_FALSE(is_self_locking(rod(), sliding, law_of(all_laws[k], 0.5, 2.0277)));
        EXPECT_TRUE(is_self_locking(rod(), sliding, law_of(all_laws[k], 0.5, 2.0278)));
    }
}

// Without friction: P_n = -(1 + e) v_n/A_nn under all three laws.
TEST(ImpactLaw, without_friction_the_laws_agree) {
    for (const RestitutionLaw kind : all_laws)
        for (const double e : {0.0, 0.4, 1.0}) {
            const auto r = solve_impact(rod(), {-4, -0.98, 0.3}, law_of(kind, e, 0));
            EXPECT_NEAR(r.impulse[normal_row], (1 + e) * 4 / 2.92, rounding);
            EXPECT_NEAR(r.velocity[normal_row], 4 * e, rounding);
            EXPECT_EQ(r.impulse[tangent_row], 0);
            EXPECT_NEAR(r.energy_change(), -8 / 2.92 * (1 - e * e), rounding);
        }
}

// What must hold along any path: the impulses give the velocities, the works add up to the energy
// (A is symmetric: P.(u- + u+)/2), friction and moment stay in their cones and do no work.
TEST(ImpactLaw, any_impact_obeys_its_law_and_dissipates_by_friction) {
    Cases numbers(1);
    int turned = 0, stuck = 0;
    for (int i = 0; i < 20000; ++i) {
        const Matrix3d a = numbers.response();
        const Vector3d u = numbers.approach();
        const RestitutionLaw kind = all_laws[i % 3];
        const ImpactLaw law = numbers.law(kind);
        const auto r = solve_impact(a, u, law);
        ASSERT_EQ(r.outcome, ImpactOutcome::solved) << i;
        turned += r.reversal(tangent_row) != nullptr;
        stuck += r.phases.back().slip == 0;
        // Random responses may be close to singular: impulses of up to a thousand.
        const double size = 1e-10 * (u.norm() + r.impulse.norm());
        ASSERT_LT((u + a * r.impulse - r.velocity).norm(), size) << i;
        ASSERT_NEAR(r.energy_change(), 0.5 * r.impulse.dot(u + r.velocity),
                    size * (u.norm() + r.impulse.norm()));
        ASSERT_LE(std::abs(r.impulse[1]), law.static_friction * r.impulse[0] + size);
        ASSERT_LE(std::abs(r.impulse[2]), law.rolling * r.impulse[0] + size);
        ASSERT_LE(r.work[1], size);
        ASSERT_LE(r.work[2], size);
        ASSERT_GE(r.velocity[0], 0);
        if (kind == RestitutionLaw::newton)
            ASSERT_NEAR(r.velocity[0], -law.restitution * u[0], size);
        else
            ASSERT_LE(r.energy_change(), size) << i;
    }
    EXPECT_GT(turned, 1000);
    EXPECT_GT(stuck, 1000);
}

// A second way: thousands of small normal impulses, each with friction and moment that oppose the
// velocities at its end (found by sweeps over both), ended by Poisson's law.
TEST(ImpactLaw, path_agrees_with_many_small_impulses) {
    Cases numbers(2);
    for (int i = 0; i < 60; ++i) {
        const Matrix3d a = numbers.response() + 0.3 * Matrix3d::Identity();
        const Vector3d before = numbers.approach();
        ImpactLaw law = numbers.law(RestitutionLaw::poisson);
        law.static_friction = law.friction;
        const auto r = solve_impact(a, before, law);
        ASSERT_EQ(r.outcome, ImpactOutcome::solved);
        const int steps = 4000;
        const double dp = r.impulse[0] / steps;
        const double limits[] = {0, law.friction * dp, law.rolling * dp};
        Vector3d u = before, work(0, 0, 0);
        double compression = 0;
        for (int k = 0; k < steps; ++k) {
            Vector3d p(dp, 0, 0);
            for (int sweep = 0; sweep < 60; ++sweep)
                for (const int row : {1, 2})
                    p[row] = std::clamp(p[row] - (u + a * p)[row] / a(row, row), -limits[row],
                                        limits[row]);
            const Vector3d next = u + a * p;
            work += 0.5 * p.cwiseProduct(u + next);
            u = next;
            if (u[0] < 0) compression = (k + 1) * dp;
        }
        // One step's error at each of a few turns.
        const double error = 10 * dp * a.norm();
        EXPECT_NEAR(r.compression_impulse, compression, 2 * dp) << i;
        EXPECT_NEAR(r.impulse[0], (1 + law.restitution) * compression, 4 * dp) << i;
        EXPECT_LT((r.velocity - u).norm(), error) << i;
        EXPECT_LT((r.work - work).norm(), error * before.norm()) << i;
    }
}

TEST(ImpactLaw, stronge_restores_its_part_of_the_work_of_compression) {
    Cases numbers(3);
    int again = 0;
    for (int i = 0; i < 2000; ++i) {
        const Matrix3d a = numbers.response();
        const Vector3d u = numbers.approach();
        ImpactLaw law = numbers.law(RestitutionLaw::stronge);
        const auto r = solve_impact(a, u, law);
        const double e = law.restitution;
        law.restitution = 0;
        const auto compressed = solve_impact(a, u, law);
        // A spin that turns in the restitution may compress the contact once more.
        again += r.compression_impulse != compressed.compression_impulse;
        if (r.compression_impulse != compressed.compression_impulse) continue;
        ASSERT_NEAR(r.work[0], (1 - e * e) * compressed.work[0], 1e-10 * std::abs(r.work[0])) << i;
    }
    EXPECT_LT(again, 10);
}

TEST(ImpactLaw, mirrored_and_rescaled_impacts_are_the_same) {
    Cases numbers(4);
    const Vector3d mirror(1, -1, -1), units(1, 1, 1000);  // spin per metre, per millimetre
    for (int i = 0; i < 3000; ++i) {
        const Matrix3d a = numbers.response();
        const Vector3d u = numbers.approach();
        ImpactLaw law = numbers.law(all_laws[i % 3]);
        if (i % 2 == 0) law.friction_rule = FrictionRule::separation;
        const auto r = solve_impact(a, u, law);
        const auto m = solve_impact(mirror.asDiagonal() * a * mirror.asDiagonal(),
                                    mirror.cwiseProduct(u), law);
        ASSERT_EQ(r.outcome, m.outcome);
        ASSERT_EQ(r.impulse, mirror.cwiseProduct(m.impulse));
        law.rolling /= 1000;
        const auto s =
            solve_impact(units.asDiagonal() * a * units.asDiagonal(), units.cwiseProduct(u), law);
        ASSERT_LT((r.impulse - units.cwiseProduct(s.impulse)).norm(), 1e-9 * (1 + r.impulse.norm()))
            << i;
    }
}

TEST(ImpactLaw, rows_that_do_not_give_way) {
    Matrix3d a = Matrix3d::Zero();
    const ImpactLaw law = law_of(RestitutionLaw::poisson, 0.5, 0.3, 0.1);
    const auto jam = solve_impact(a, {-1, 2, 3}, law);
    EXPECT_EQ(jam.outcome, ImpactOutcome::jam);
    EXPECT_EQ(jam.impulse, Vector3d(0, 0, 0));
    a(0, 0) = 2;  // slides over a driven surface: friction loads it and changes nothing
    const auto sliding = solve_impact(a, {-1, 2, 0}, law);
    EXPECT_EQ(sliding.outcome, ImpactOutcome::solved);
    EXPECT_NEAR(sliding.impulse[0], 0.75, rounding);
    EXPECT_NEAR(sliding.impulse[1], -0.225, rounding);
    EXPECT_EQ(sliding.impulse[2], 0);
    EXPECT_EQ(sliding.velocity[1], 2);
    EXPECT_EQ(solve_impact(a, {0, 2, 0}, law).outcome, ImpactOutcome::none);
    // An own response of rounding below zero.
    a(1, 1) = -1e-18;
    a(0, 1) = a(1, 0) = 1e-9;
    EXPECT_EQ(solve_impact(a, {-1, 2, 0}, law).velocity[1], 2);
}

// A uniform disc, m = 1, r = 1: A = diag(1, 3) for normal and slip. v = (-1, 0.3).
// Sticking takes P_t = -0.1, turning the slip round -0.1 (1 + e_t), if mu P_n = mu (1 + e) allows.
TEST(ImpactLaw, tangential_restitution_turns_the_slip_of_what_sticks) {
    const Matrix3d a = Vector3d(1, 3, 0).asDiagonal();
    for (const RestitutionLaw kind : all_laws)
        for (const FrictionRule rule : {FrictionRule::routh, FrictionRule::separation}) {
            ImpactLaw law = law_of(kind, 0.5, 0.3);
            law.friction_rule = rule;
            law.tangential_restitution = 0.8;
            const auto r = solve_impact(a, {-1, 0.3, 0}, law);
            EXPECT_NEAR(r.velocity[1], -0.24, rounding);
            EXPECT_NEAR(r.impulse[1], -0.18, rounding);
            EXPECT_NEAR(r.work[1], -0.5 * 0.09 / 3 * (1 - 0.64), rounding);
            law.friction = 0.1;  // 0.15 in all
            EXPECT_NEAR(solve_impact(a, {-1, 0.3, 0}, law).impulse[1], -0.15, rounding);
            law.friction = 0.05;  // does not stick
            EXPECT_NEAR(solve_impact(a, {-1, 0.3, 0}, law).impulse[1], -0.075, rounding);
        }
}

TEST(ImpactLaw, tangential_restitution_never_gains_energy_with_poisson_and_stronge) {
    Cases numbers(5);
    int restored = 0;
    for (int i = 0; i < 6000; ++i) {
        const Matrix3d a = numbers.response();
        const Vector3d u = numbers.approach();
        ImpactLaw law = numbers.law(all_laws[i % 3]);
        const auto plain = solve_impact(a, u, law);
        law.tangential_restitution = numbers(0, 1);
        const auto r = solve_impact(a, u, law);
        restored += r.impulse != plain.impulse;
        const double size = 1e-10 * (u.norm() + r.impulse.norm());
        ASSERT_LT((u + a * r.impulse - r.velocity).norm(), size) << i;
        ASSERT_LE(std::abs(r.impulse[1]), law.static_friction * r.impulse[0] + size);
        ASSERT_LE(r.work[1], size);
        ASSERT_GE(r.velocity[0], -size);
        if (law.restitution_law == RestitutionLaw::newton)
            ASSERT_NEAR(r.velocity[0], plain.velocity[0], size);
        else
            ASSERT_LE(r.energy_change(), size) << i;
    }
    EXPECT_GT(restored, 300);
}

// The slip that Newton's law makes in the rebound can hold more energy than there was.
TEST(ImpactLaw, newton_gains_energy_even_when_the_slip_is_followed) {
    Cases numbers(6);
    double greatest = 0;
    for (int i = 0; i < 3000; ++i) {
        const Matrix3d a = numbers.response();
        const auto r = solve_impact(a, numbers.approach(), numbers.law(RestitutionLaw::newton));
        greatest = std::max(greatest, r.energy_change());
    }
    EXPECT_GT(greatest, 0.1);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
