#include "mechanism/contact/contact_law.h"

#include <algorithm>
#include <numbers>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

using Force = CompliantForce<double>;
using Start = ContactStart<double>;

struct Collision {
    double restitution = 0, depth = 0, force = 0, duration = 0;
};

// Two free masses of 1 kg that approach at v: their relative motion has the reduced mass 1/2.
// Classical Runge-Kutta with `steps` to the time `scale`; the end is where the force vanishes,
// found by the secant through the last step.
Collision collide(const Force& law, double v, double scale, int steps) {
    const double mass = 0.5, h = scale / steps;
    Collision result;
    double d = 0, rate = v;
    const auto acceleration = [&](double depth, double speed) {
        return -law.force(depth, speed) / mass;
    };
    for (int i = 0; i < 4 * steps; ++i) {
        const double a1 = acceleration(d, rate), v2 = rate + h / 2 * a1;
        const double a2 = acceleration(d + h / 2 * rate, v2), v3 = rate + h / 2 * a2;
        const double a3 = acceleration(d + h / 2 * v2, v3), v4 = rate + h * a3;
        const double a4 = acceleration(d + h * v3, v4);
        const double next = d + h / 6 * (rate + 2 * v2 + 2 * v3 + v4);
        const double next_rate = rate + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        if (next <= 0) {
            result.duration = (i + d / (d - next)) * h;
            break;
        }
        d = next;
        rate = next_rate;
        result.depth = std::max(result.depth, d);
        result.force = std::max(result.force, law.force(d, rate));
    }
    result.restitution = -rate / v;
    return result;
}

// The two pendulums of the reference W4: F = K d^1.5 + mu d^1.5 d'. The numbers have seven digits;
// 1e-6 is what a maximum over the steps (second order in 1/4000) and they leave.
TEST(ContactLaw, hunt_crossley_gives_the_published_collision) {
    HuntCrossleyContact<double> law;
    const double K = 2.3e10, mu = 2.5e11;
    law.stiffness = K;
    law.damping = mu / (1.5 * K);
    const Collision c = collide(law.begin({}).value(), 0.02484, 4e-4, 4000);
    EXPECT_NEAR(c.restitution, 0.8471023, 1e-6);
    EXPECT_NEAR(c.depth / 2.894363e-6, 1, 1e-6);
    EXPECT_NEAR(c.force / 116.1096, 1, 1e-6);
    EXPECT_NEAR(c.duration / 3.730471e-4, 1, 1e-6);
}

// With chi = mu/K and a = chi v the restitution solves a - ln(1 + a) = -e a - ln(1 - e a), from the
// first integral of d'' = -2 K d^n (1 + chi d') over each half of the contact.
TEST(ContactLaw, restitution_of_lankarani_nikravesh_is_right_to_first_order) {
    LankaraniNikraveshContact<double> law;
    law.stiffness = 2.3e10;
    for (const double e : {0.99, 0.95}) {
        const double v = 0.1, a = 0.75 * (1 - e * e);
        const auto force = law.begin({v, e, 0}).value();
        EXPECT_DOUBLE_EQ(force.hysteresis, a / v);
        const double left = a - std::log1p(a);
        double low = 0, high = 1;
        for (int i = 0; i < 60; ++i) {
            const double x = (low + high) / 2;
            (-x * a - std::log1p(-x * a) < left ? low : high) = x;
        }
        // 1e-5: the secant at the end, where the force is small, and the steps.
        EXPECT_NEAR(collide(force, v, 4e-4, 4000).restitution, low, 1e-5);
        EXPECT_NEAR(low, e, 2 * (1 - e) * (1 - e));  // the next term is 1.5 (1 - e)^2
    }
}

TEST(ContactLaw, lankarani_nikravesh_from_rest_is_elastic) {
    LankaraniNikraveshContact<double> law;
    law.stiffness = 1;
    EXPECT_EQ(law.begin({0, 0.5, 0}).value().hysteresis, 0);
}

// The half-period of a linear oscillator, pi sqrt(m/K), and no loss.
TEST(ContactLaw, kelvin_voigt_without_damping_is_half_an_oscillation) {
    KelvinVoigtContact<double> law;
    law.stiffness = 2e6;
    const double half = std::numbers::pi * std::sqrt(0.5 / 2e6);
    const Collision c = collide(law.begin({}).value(), 0.1, half, 4000);
    EXPECT_NEAR(c.duration / half, 1, 1e-6);  // the secant leaves the square of a step
    EXPECT_NEAR(c.restitution, 1, 1e-6);
}

TEST(ContactLaw, force_never_pulls) {
    KelvinVoigtContact<double> law;
    law.stiffness = 100;
    law.damping = 10;
    const Force force = law.begin({}).value();
    EXPECT_DOUBLE_EQ(force.force(0.1, 0.5), 15);
    EXPECT_DOUBLE_EQ(force.force(0.1, -0.5), 5);
    EXPECT_EQ(force.force(0.1, -2), 0);
    EXPECT_EQ(force.force(-0.1, 5), 0);
    EXPECT_EQ(force.potential(-0.1), 0);
}

// Steel, E = 210 GPa and nu = 0.3 on both sides: E* = 210e9/(2 0.91) Pa; spheres of 30 and 60 mm:
// R* = 20 mm.
TEST(ContactLaw, stiffness_of_hertz_follows_from_the_materials) {
    HertzContact<double> law;
    law.young_a = law.young_b = 210e9;
    const double modulus = 210e9 / 1.82;
    const Force sphere = law.begin({0, 0, 1 / (1 / 0.03 + 1 / 0.06)}).value();
    EXPECT_NEAR(sphere.stiffness / (4.0 / 3 * modulus * std::sqrt(0.02)), 1, 1e-14);
    EXPECT_EQ(sphere.exponent, 1.5);
    law.width = 0.01;
    const Force cylinder = law.begin({0, 0, 0.02}).value();
    EXPECT_NEAR(cylinder.stiffness / (std::numbers::pi / 4 * modulus * 0.01), 1, 1e-14);
    EXPECT_EQ(cylinder.exponent, 1);
}

TEST(ContactLaw, hertz_knows_no_corner_and_no_flat_pair) {
    HertzContact<double> law;
    law.young_a = law.young_b = 210e9;
    EXPECT_FALSE(law.begin({0, 0, 0}));
    EXPECT_FALSE(law.begin({0, 0, 1 / 0.0}));
    EXPECT_FALSE(law.begin({0, 0, -0.1}));
}

// The work of the elastic force from 0 to d by Simpson's rule; d^2.5/2.5 is smooth enough for 1e-6
// with 1000 steps (the end d = 0 costs h^2.5).
TEST(ContactLaw, potential_is_the_work_of_the_elastic_force) {
    const Force force{3, 1.5, 0.7, 0};
    const int n = 1000;
    const double depth = 0.2, h = depth / n;
    double work = 0;
    for (int i = 0; i < n; ++i)
        work +=
            h / 6 *
            (force.elastic(i * h) + 4 * force.elastic((i + 0.5) * h) + force.elastic((i + 1) * h));
    EXPECT_NEAR(work / force.potential(depth), 1, 1e-6);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
