#include "simulation/equilibrium/equilibrium_search.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/linear/dense.h"
#include "math/roots.h"
#include "math/tolerances/motion.h"

namespace pawl {

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// Forces are sums of a few terms, each rounded to 2e-16 of the largest force or of stiffness times
// size.
constexpr double balance_tolerance = tolerance::balance;
// Central differences leave 4e-11 of error in the stiffness; what is smaller than 25 times that may
// be zero.
constexpr double neutral_tolerance = tolerance::neutral;
constexpr double farthest = 1000;                 // sizes
constexpr double farthest_turn = 100 * 2 * M_PI;  // rad

double norm(const Matrix& k) { return k.size() > 0 ? k.cwiseAbs().maxCoeff() : 0; }
double largest(const Vector& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0; }

double force_scale(const EquilibriumSystem& b, const Matrix& k) {
    return std::max(b.largest_force(), norm(k) * b.size());
}

Vector newton_step(const Matrix& k, const Vector& g) {
    return solve_least_squares(k, g, neutral_tolerance);
}

// The most of g.x - x^T S x/2 with |x| <= radius: x = (S + m)^-1 g, m >= 0 so that S + m is not
// negative (More and Sorensen 1983). Where S is negative and g has no part along its lowest
// direction, that direction fills the radius.
Vector bounded_step(const SymmetricEigen& s, const Vector& g, double radius,
                    double smallest_force) {
    const Vector& k = s.values;
    Vector c = s.vectors.transpose() * g;
    const double tiny =
        tolerance::zero_stiffness * std::max(k.cwiseAbs().maxCoeff(), smallest_force / radius) +
        tolerance::no_division;
    for (int i = 0; i < c.size(); ++i)
        if (k[i] <= tiny && std::abs(c[i]) <= smallest_force) c[i] = 0;
    const auto step = [&](double m) { return Vector(c.array() / (k.array() + m).max(tiny)); };
    const double lowest = std::max(0.0, -k[0]);
    Vector x = step(lowest);
    if (x.norm() <= radius) {
        if (k[0] < -tiny)
            x[0] +=
                (c[0] < 0 ? -1 : 1) * std::sqrt(std::max(0.0, radius * radius - x.squaredNorm()));
        return s.vectors * x;
    }
    const Bracket shift = bisect(lowest, lowest + c.norm() / radius + tiny, 60,
                                 [&](double m) { return step(m).norm() > radius; });
    return s.vectors * step(shift.high);
}

// Shortens a step that turns a coordinate by more than half a radian, in which forces change their
// course.
void limit_turn(EquilibriumSystem& b, Vector& x) {
    const Vector dy = b.free_directions() * x;
    double turn = 0;
    for (int c = 0; c < dy.size(); ++c)
        if (b.equations().coordinates().column_component(c) == Component::angle)
            turn = std::max(turn, std::abs(dy[c]) / b.size());
    if (turn > tolerance::turn) x *= tolerance::turn / turn;
}

bool ran_away(EquilibriumSystem& b, const Vector& from) {
    for (int c = 0; c < from.size(); ++c) {
        const bool angle = b.equations().coordinates().column_component(c) == Component::angle;
        if (std::abs(b.y()[c] - from[c]) > (angle ? farthest_turn : farthest) * b.size())
            return true;
    }
    return false;
}

// Newton's steps while they halve the unbalance: down to rounding.
void polish(EquilibriumSystem& b, Vector& y, double t) {
    for (int i = 0; i < 10; ++i) {
        const double before = largest(b.unbalance());
        if (before == 0) return;
        Vector trial = y + b.free_directions() * newton_step(b.stiffness(), b.unbalance());
        const bool closed =
            (trial - y).norm() <= tolerance::closing_step * b.size() && b.close(trial, t);
        if (!closed || !(largest(b.unbalance()) < before)) {
            b.close(y, t);
            return;
        }
        y = trial;
        if (largest(b.unbalance()) > 0.5 * before) return;
    }
}

}  // namespace

std::string_view status_name(EquilibriumStatus status) {
    static constexpr std::array<std::string_view, 7> names{
        "balanced",  "refused", "out_of_reach", "runs_away", "stalled", "too_many_iterations",
        "not_finite"};
    return names[static_cast<std::size_t>(status)];
}

std::string_view stability_name(Stability stability) {
    static constexpr std::array<std::string_view, 4> names{"held", "stable", "neutral", "unstable"};
    return names[static_cast<std::size_t>(stability)];
}

Stability StiffnessSpectrum::stability() const {
    if (values.size() == 0) return Stability::held;
    return unstable > 0  ? Stability::unstable
           : neutral > 0 ? Stability::neutral
                         : Stability::stable;
}

StiffnessSpectrum analyse_stiffness(EquilibriumSystem& b) {
    StiffnessSpectrum s;
    s.stiffness = b.stiffness();
    if (s.stiffness.size() == 0) return s;
    const double scale = std::max(norm(s.stiffness), b.largest_force() / b.size());
    s.symmetric =
        norm(s.stiffness - s.stiffness.transpose()) <= tolerance::symmetric_stiffness * scale;
    if (s.symmetric) {
        const SymmetricEigen eigen = symmetric_eigen(0.5 * (s.stiffness + s.stiffness.transpose()));
        s.values = eigen.values;
        s.directions = eigen.vectors;
    } else {
        // If the eigenvalues are not found, all directions count as neutral.
        const auto eigen = general_eigen(s.stiffness);
        const auto n = s.stiffness.rows();
        const Vector real = eigen ? Vector(eigen->values.real()) : Vector::Zero(n);
        const Matrix vectors = eigen ? Matrix(eigen->vectors.real()) : Matrix::Identity(n, n);
        std::vector<int> order(real.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
        std::sort(order.begin(), order.end(), [&](int i, int j) { return real[i] < real[j]; });
        s.values = real(order);
        s.directions = vectors(Eigen::all, order);
    }
    for (const double k : s.values) {
        s.unstable += k < -neutral_tolerance * scale;
        s.neutral += std::abs(k) <= neutral_tolerance * scale;
    }
    return s;
}

// A step is accepted if the work of the unbalanced forces along it, by the trapezoidal rule over
// both ends, is at least a tenth of what the quadratic model predicts. Constraint forces do no
// work, so no potential is needed, and small steps are not lost in the rounding of a potential.
EquilibriumSearch descend(EquilibriumSystem& b, Vector& y, double t, double longest,
                          int max_steps) {
    const Vector start = y;
    double radius = std::min(0.1 * b.size(), longest);
    EquilibriumSearch search;
    if (!b.set(y, t)) return {EquilibriumStatus::not_finite, 0};
    for (; search.iterations < max_steps; ++search.iterations) {
        const Vector g = b.unbalance(), force = b.free_directions() * g;
        const Matrix k = b.stiffness(), z = b.free_directions(),
                     symmetric = 0.5 * (k + k.transpose());
        if (!k.allFinite()) return {EquilibriumStatus::not_finite, search.iterations};
        const double enough = balance_tolerance * force_scale(b, k);
        if (largest(g) <= enough) {
            polish(b, y, t);
            return search;
        }
        if (ran_away(b, start)) return {EquilibriumStatus::runs_away, search.iterations};
        const SymmetricEigen s = symmetric_eigen(symmetric);
        for (bool taken = false; !taken;) {
            Vector x = s.values[0] > neutral_tolerance * norm(k) ? newton_step(k, g) : Vector();
            if (x.size() == 0 || x.norm() > radius) x = bounded_step(s, g, radius, enough);
            limit_turn(b, x);
            const double foretold = g.dot(x) - 0.5 * x.dot(symmetric * x);
            Vector trial = y + z * x;
            double share = -1;
            if (b.close(trial, t)) {
                const double work =
                    0.5 * (force + b.free_directions() * b.unbalance()).dot(trial - y);
                share = work / foretold;
            }
            taken = share > 0.1 && foretold > 0;
            if (taken) y = trial;
            // A ratio that is not a number counts as failed; the radius is reduced in any case.
            if (!(share >= 0.25))
                radius = 0.25 * std::min(radius, x.norm());
            else if (share > 0.75 && x.norm() > 0.5 * radius)
                radius = std::min(2 * radius, longest);
            if (!taken && radius < tolerance::shortest_descent * b.size()) {
                b.close(y, t);
                return {EquilibriumStatus::stalled, search.iterations};
            }
            if (!taken) b.set(y, t);
        }
    }
    search.status = EquilibriumStatus::too_many_iterations;
    return search;
}

EquilibriumSearch solve_balance(EquilibriumSystem& b, Vector& y, double t) {
    constexpr int max_iterations = 100, max_halvings = 20;
    EquilibriumSearch search;
    if (!b.set(y, t)) return {EquilibriumStatus::not_finite, 0};
    for (; search.iterations < max_iterations; ++search.iterations) {
        const Matrix k = b.stiffness(), z = b.free_directions();
        const double before = largest(b.unbalance());
        if (!k.allFinite()) return {EquilibriumStatus::not_finite, search.iterations};
        if (before <= balance_tolerance * force_scale(b, k)) {
            polish(b, y, t);
            return search;
        }
        Vector x = newton_step(k, b.unbalance());
        limit_turn(b, x);
        bool better = false;
        for (int halved = 0; halved < max_halvings && !better; ++halved, x *= 0.5) {
            Vector trial = y + z * x;
            better = b.close(trial, t) && largest(b.unbalance()) < before;
            if (better) y = trial;
        }
        if (!better) {
            b.close(y, t);
            return {EquilibriumStatus::stalled, search.iterations};
        }
    }
    search.status = EquilibriumStatus::too_many_iterations;
    return search;
}

}  // namespace pawl
