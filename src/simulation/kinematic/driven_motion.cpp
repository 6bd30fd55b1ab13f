#include "simulation/kinematic/driven_motion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/tolerances.h"

namespace pawl {

namespace {
constexpr int max_iterations =
    15;  // quadratic convergence needs 5; the rest is for nearly singular positions

// Coefficients of the quintic in s = (t - a.t) / h.
std::array<double, 6> quintic(const MotionNode& a, const MotionNode& b, std::size_t i) {
    const double h = b.t - a.t, d = b.q[i] - a.q[i];
    const double v0 = h * a.v[i], v1 = h * b.v[i], a0 = h * h * a.a[i], a1 = h * h * b.a[i];
    return {a.q[i],
            v0,
            0.5 * a0,
            10 * d - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1,
            -15 * d + 8 * v0 + 7 * v1 + 1.5 * a0 - a1,
            6 * d - 3 * (v0 + v1) - 0.5 * (a0 - a1)};
}

}  // namespace

void interpolate(const MotionNode& a, const MotionNode& b, double t, std::vector<double>& q,
                 std::vector<double>* v, std::vector<double>* acceleration) {
    const double h = b.t - a.t, s = (t - a.t) / h;
    const std::size_t n = a.q.size();
    q.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto [c0, c1, c2, c3, c4, c5] = quintic(a, b, i);
        q[i] = c0 + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))));
        if (v) (*v)[i] = (c1 + s * (2 * c2 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h;
        if (acceleration)
            (*acceleration)[i] = (2 * c2 + s * (6 * c3 + s * (12 * c4 + s * 20 * c5))) / (h * h);
    }
}

void polynomials(const MotionNode& a, const MotionNode& b, PolynomialPath& path) {
    path.start(a.t, b.t, a.q.size());
    for (std::size_t i = 0; i < a.q.size(); ++i) {
        const auto c = quintic(a, b, i);
        std::copy(c.begin(), c.end(), path[i].begin());
    }
}

DrivenMotion::DrivenMotion(Equations& equations, std::vector<int> rows)
    : equations_(equations),
      system_(equations.pattern(), std::move(rows)),
      step_(equations.size()) {}

double DrivenMotion::chosen_residual() const {
    double largest = 0;
    for (const int r : system_.rows()) {
        const double phi = std::abs(equations_.phi()[r]);
        if (!(phi <= largest)) largest = phi;  // also takes NaN
    }
    return largest;
}

SolveOutcome DrivenMotion::solve(MotionNode& node) {
    const double size = equations_.model_size();
    double previous = INFINITY;
    int growths = 0;
    for (int i = 0; i < max_iterations; ++i) {
        equations_.set_position(node.q, node.t);
        const double residual = chosen_residual();
        if (!std::isfinite(residual)) return SolveOutcome::diverged;
        if (residual <= tolerance::position * size) return solve_rates(node);
        if (residual >= 0.5 * previous) {
            if (residual <= tolerance::position_accepted * size) return solve_rates(node);
            if (++growths >= 3) return SolveOutcome::diverged;
        }
        previous = residual;
        if (!system_.factor(equations_.jacobian())) return SolveOutcome::singular;
        system_.solve(equations_.phi(), step_);
        for (int c = 0; c < equations_.size(); ++c) node.q[c] -= step_[c];
        ++iterations_;
    }
    equations_.set_position(node.q, node.t);
    if (chosen_residual() > tolerance::position_accepted * size) return SolveOutcome::diverged;
    return solve_rates(node);
}

SolveOutcome DrivenMotion::solve_rates(MotionNode& node) {
    const bool regular = system_.factor(equations_.jacobian());
    node.determinant_sign = system_.determinant_sign();
    node.log_determinant = system_.log_determinant();
    if (!regular) return SolveOutcome::singular;
    system_.solve(equations_.nu(), node.v);
    equations_.set_velocity(node.v);
    system_.solve(equations_.gamma(), node.a);
    return SolveOutcome::solved;
}

void DrivenMotion::factor_at(std::span<const double> q, double t) {
    equations_.set_position(q, t);
    system_.factor(equations_.jacobian());
}

}  // namespace pawl
