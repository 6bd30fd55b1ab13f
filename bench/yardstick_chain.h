// Hand-derived equations of motion of hanging chains of uniform rods of 1 m and 1 kg.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "integration/stepper.h"
#include "yardstick_vector.h"

namespace pawl::yardstick {

// The double pendulum in absolute angles from the x axis, y = (a1, a2, a1', a2'); with d = a1 - a2:
//   4/3 a1'' + cos(d)/2 a2'' = -3/2 g cos a1 - sin(d)/2 a2'^2
//   cos(d)/2 a1'' + 1/3 a2'' = -1/2 g cos a2 + sin(d)/2 a1'^2
class DoublePendulum final : public RightHandSide {
public:
    bool rates(double, std::span<const double> y, std::span<double> dy) override {
        const double c1 = std::cos(y[0]), s1 = std::sin(y[0]), c2 = std::cos(y[1]),
                     s2 = std::sin(y[1]);
        const double half_cosine = 0.5 * (c1 * c2 + s1 * s2), half_sine = 0.5 * (s1 * c2 - c1 * s2);
        const double f1 = -1.5 * gravity * c1 - half_sine * y[3] * y[3];
        const double f2 = -0.5 * gravity * c2 + half_sine * y[2] * y[2];
        const double k = 1 / (4.0 / 9 - half_cosine * half_cosine);
        dy[0] = y[2];
        dy[1] = y[3];
        dy[2] = k * (f1 / 3 - half_cosine * f2);
        dy[3] = k * (4 * f2 / 3 - half_cosine * f1);
        return true;
    }
};

// A chain of rods hung at the origin, y = (angles, angular velocities). Rod i has direction u,
// normal n, angular velocity w, and its near end the acceleration a. From the tip inwards, the
// force that the chain before rod i exerts on it is F = P a + q. With P, q those of the rod beyond
// and r = q - w^2 P u, moments about the near end give
//   D a'' = t - h.a,   D = 1/3 + n.P n,   h = n/2 + P n,   t = -g cos/2 - n.r,
// and the sum of forces  P <- P + 1 - h h^T / D,   q <- r + h t / D - w^2 u / 2 - (gravity).
// Outwards, a = 0 at the origin gives one angular acceleration after the other.
class Chain final : public RightHandSide {
public:
    explicit Chain(int rods) : n_(rods), links_(rods) {}

    bool rates(double, std::span<const double> y, std::span<double> dy) override {
        const double *angle = y.data(), *speed = angle + n_;
        Symmetric2 P;
        Vector2 q;
        for (int i = n_ - 1; i >= 0; --i) {
            Link& link = links_[i];
            const Vector2 u{std::cos(angle[i]), std::sin(angle[i])}, n = normal(u), Pn = P * n;
            const double w2 = speed[i] * speed[i];
            const Vector2 r = q - w2 * (P * u);
            link.k = 1 / (about_end + dot(n, Pn));
            link.h = 0.5 * n + Pn;
            link.t = link.k * (-0.5 * gravity * u.x - dot(n, r));
            link.n = n;
            link.pull = w2 * u;
            P.xx += 1;
            P.yy += 1;
            add_square(P, -link.k, link.h);
            q = r + link.t * link.h - 0.5 * link.pull + Vector2{0, gravity};
        }
        Vector2 a;
        for (int i = 0; i < n_; ++i) {
            const Link& link = links_[i];
            const double turning = link.t - link.k * dot(link.h, a);
            a = a + turning * link.n - link.pull;
            dy[i] = speed[i];
            dy[n_ + i] = turning;
        }
        return true;
    }

private:
    struct Link {
        Vector2 n, h, pull;
        double k, t;
    };
    int n_;
    std::vector<Link> links_;
};

inline Vector2 chain_tip(std::span<const double> y) {
    Vector2 tip;
    for (std::size_t i = 0; i < y.size() / 2; ++i)
        tip = tip + Vector2{std::cos(y[i]), std::sin(y[i])};
    return tip;
}

// Zero for a chain that starts level and at rest.
inline double chain_energy(std::span<const double> y) {
    const std::size_t n = y.size() / 2;
    double energy = 0;
    Vector2 end, end_speed;
    for (std::size_t i = 0; i < n; ++i) {
        const Vector2 half = 0.5 * Vector2{std::cos(y[i]), std::sin(y[i])},
                      half_speed = y[n + i] * normal(half);
        const Vector2 centre = end + half, speed = end_speed + half_speed;
        energy += 0.5 * dot(speed, speed) + y[n + i] * y[n + i] / 24 + gravity * centre.y;
        end = centre + half;
        end_speed = speed + half_speed;
    }
    return energy;
}

}  // namespace pawl::yardstick
