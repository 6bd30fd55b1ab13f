#include "simulation/equilibrium/equilibrium_path.h"

#include <algorithm>
#include <cmath>

#include "math/linear/dense.h"
#include "math/tolerances/motion.h"
#include "simulation/equilibrium/equilibrium_search.h"

namespace pawl {

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr double smooth = 0.9;  // least cosine between the tangents at both ends of a step
constexpr double converged = tolerance::path_converged;  // Newton's last correction, of w: rounding
constexpr double accepted =
    tolerance::path_accepted;  // the same where corrections no longer shrink

}  // namespace

// With K x' = b t' on the free directions and p t' on the driven ones, the tangent is the null
// vector of [K, -b]. Time grows along it while the equilibrium is stable.
PathPoint EquilibriumPath::here() {
    PathPoint point;
    point.t = balance_.t();
    point.y = balance_.y();
    point.fractions = balance_.fractions();
    const StiffnessSpectrum spectrum = analyse_stiffness(balance_);
    const Matrix& z = balance_.free_directions();
    const int n = balance_.freedoms();
    const double size = balance_.size();
    Vector null = Vector::Ones(1);
    point.force_scale = balance_.largest_force();
    if (n > 0) {
        point.force_scale =
            std::max(point.force_scale, spectrum.stiffness.cwiseAbs().maxCoeff() * size);
        point.lowest = spectrum.values[0];
        point.weakest = z * spectrum.directions.col(0);
        Matrix rows(n, n + 1);
        rows << spectrum.stiffness * size, -balance_.load_rate(step_) * end_;
        null = orthogonal_factor(rows.transpose()).col(n);
    }
    point.unstable = spectrum.unstable;
    point.neutral = spectrum.neutral;
    point.dy = z * null.head(n) + balance_.drift() * (end_ / size * null[n]);
    point.dt = null[n];
    const double length =
        std::sqrt(point.dy.squaredNorm() + point.dt * point.dt) * (point.dt < 0 ? -1 : 1);
    point.dy /= length;
    point.dt /= length;
    return point;
}

// Newton's method on rows, balance and plane for (x, dt), where dy = closing step + Z x + p dt:
//   K x - b dt = g,   tangent . (dy/size, dt/end) = tangent . (aim - w).
std::optional<PathPoint> EquilibriumPath::at(const PathPoint& from, double s) {
    constexpr int max_iterations = 12;
    const double size = balance_.size();
    const Vector aim = from.y + s * size * from.dy;
    const double aim_t = from.t + s * end_ * from.dt;
    Vector y = aim;
    double t = aim_t, previous = INFINITY;
    balance_.look_near(from.fractions);
    // Where paths cross, one direction of the system is undetermined; the smallest solution has no
    // part in it.
    constexpr double crossing = tolerance::path_crossing;
    for (int i = 0; i < max_iterations; ++i) {
        if (!balance_.set(y, t)) return std::nullopt;
        const int n = balance_.freedoms();
        const Matrix& z = balance_.free_directions();
        const Vector p = balance_.drift() * end_, closing = balance_.closing_step();
        Matrix a(n + 1, n + 1);
        Vector b(n + 1);
        if (n > 0) {
            a.topRows(n) << balance_.stiffness() * size, -balance_.load_rate(step_) * end_;
            b.head(n) = balance_.unbalance();
            a.topRows(n) /= std::max(from.force_scale, tolerance::no_division);
            b.head(n) /= std::max(from.force_scale, tolerance::no_division);
        }
        a.bottomLeftCorner(1, n) = from.dy.transpose() * z;
        a(n, n) = from.dy.dot(p) / size + from.dt;
        b[n] = -from.dy.dot(y + closing - aim) / size - from.dt * (t - aim_t) / end_;
        const Vector x = solve_least_squares(a, b, crossing);
        const Vector move = closing + size * (z * x.head(n)) + x[n] * p;
        const double correction = move.norm() / size + std::abs(x[n]);
        const bool shrinks = correction <= 0.5 * previous;
        if (!std::isfinite(correction) || (i > 3 && !shrinks && correction > accepted))
            return std::nullopt;
        y += move;
        t += x[n] * end_;
        if (correction <= converged || (correction <= accepted && !shrinks)) {
            const double off = std::hypot((y - aim).norm() / size, (t - aim_t) / end_);
            if (off > 0.5 * s + accepted || !balance_.close(y, t)) return std::nullopt;
            return here();
        }
        previous = correction;
    }
    return std::nullopt;
}

std::optional<PathPoint> EquilibriumPath::near(Vector y, double t) {
    if (!balance_.close(y, t) ||
        solve_balance(balance_, y, t).status != EquilibriumStatus::balanced)
        return std::nullopt;
    return here();
}

// Near a limit point Newton's method at fixed time cannot improve the result; the point on the path
// is accurate enough.
std::optional<PathPoint> EquilibriumPath::at_time(const PathPoint& from, double s, double target) {
    const double close = tolerance::path_end * end_;
    PathPoint start = from;  // after a snap on an output
    if (target - from.t > close) {
        const auto end = at(from, s);
        auto found =
            end ? root(from, s, *end, close, [&](const PathPoint& p) { return target - p.t; })
                : std::nullopt;
        if (!found) return std::nullopt;
        start = std::move(found->second);
    }
    balance_.look_near(start.fractions);
    if (auto point = near(start.y, target)) return point;
    if (!balance_.close(start.y, target) ||
        !(balance_.unbalance().norm() <= tolerance::path_balance * start.force_scale))
        return std::nullopt;
    return here();
}

// Regula falsi (Illinois) with a bisection now and then.
std::optional<std::pair<double, PathPoint>> EquilibriumPath::root(const PathPoint& from, double s,
                                                                  const PathPoint& end,
                                                                  double tolerance,
                                                                  const Measure& measure) {
    double low = 0, high = s, f_low = measure(from), f_high = measure(end), f = f_high;
    std::pair<double, PathPoint> best{s, end};
    for (int i = 0, side = 0;
         i < 100 && std::abs(f) > tolerance && high - low > tolerance::path_root * s; ++i) {
        const double middle =
            i % 5 == 4 ? 0.5 * (low + high) : high - f_high * (high - low) / (f_high - f_low);
        const auto point = at(from, middle);
        if (!point) return std::nullopt;
        best = {middle, *point};
        f = measure(*point);
        if (f > 0) {
            low = middle;
            f_low = f;
            if (side == 1) f_high /= 2;
            side = 1;
        } else {
            high = middle;
            f_high = f;
            if (side == -1) f_low /= 2;
            side = -1;
        }
    }
    return best;
}

// Between both ends t(s) is the cubic with their values and tangents, so t' a parabola; it must
// stay well above zero.
bool EquilibriumPath::bends(const PathPoint& a, const PathPoint& b, double s) const {
    const double middle = (6 * (b.t - a.t) / (end_ * s) - a.dt - b.dt) / 4;
    return along(a, b) < smooth || middle < 0.1 * std::min(a.dt, b.dt);
}

}  // namespace pawl
