#include "simulation/kinematic/dead_points.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "math/linear/dense.h"
#include "math/roots.h"
#include "math/tolerances/motion.h"
#include "results/text.h"

namespace pawl {

void DeadPointWatch::adopt(MechanismEquations<PlanarSpace>& equations, DrivenMotion& motion) {
    equations_ = &equations;
    motion_ = &motion;
    before_.reset();
}

// A sign change of the determinant inside a step, or a minimum of its size over two steps that
// touches zero, is a dead point. False when the step has jumped: two circuits that nearly touch
// have opposite signs too, but between them, where the determinant vanishes, the joints do not
// close.
bool DeadPointWatch::step(const MotionNode& a, const MotionNode& b) {
    if (a.determinant_sign * b.determinant_sign < 0) {
        const double t = locate_sign_change(a, b);
        if (equations_->residual() > tolerance::crossing * equations_->model_size()) return false;
        report(t);
        return true;
    }
    if (!before_ ||
        !(a.log_determinant < before_->log_determinant && a.log_determinant < b.log_determinant))
        return true;
    if (before_->determinant_sign * a.determinant_sign < 0) return true;  // already reported
    const double t = locate_minimum(*before_, a, b);
    if (std::isfinite(t)) report(t);
    return true;
}

double DeadPointWatch::signed_determinant(const MotionNode& a, const MotionNode& b, double t,
                                          double reference) {
    interpolate(a, b, t, scratch_);
    motion_->factor_at(scratch_, t);
    auto& system = motion_->system();
    return system.determinant_sign() * std::exp(system.log_determinant() - reference);
}

// Illinois on the determinant along the quintic, then once more between solved nodes close by.
// Leaves the equations in the position found.
double DeadPointWatch::locate_sign_change(MotionNode a, MotionNode b) {
    double t = a.t;
    for (int pass = 0; pass < 2; ++pass) {
        const double reference = std::max(a.log_determinant, b.log_determinant);
        double low = a.t, high = b.t;
        double f_low = a.determinant_sign * std::exp(a.log_determinant - reference);
        double f_high = b.determinant_sign * std::exp(b.log_determinant - reference);
        for (int i = 0; i < 100 && high - low > tolerance::finest_time * (1 + std::abs(high));
             ++i) {
            t = (low * f_high - high * f_low) / (f_high - f_low);
            // Secants creep toward a multiple root; every third step halves the interval.
            if (i % 3 == 2 || !(t > low && t < high)) t = 0.5 * (low + high);
            const double f = signed_determinant(a, b, t, reference);
            if (f == 0) break;
            if (f * f_high > 0) {
                high = t;
                f_high = f;
                f_low *= 0.5;
            } else {
                low = t;
                f_low = f;
                f_high *= 0.5;
            }
        }
        if (pass == 1) break;
        const double reach = (b.t - a.t) / 24;
        MotionNode near_low = a, near_high = b;
        near_low.t = std::max(a.t, t - reach);
        near_high.t = std::min(b.t, t + reach);
        interpolate(a, b, near_low.t, near_low.q);
        interpolate(a, b, near_high.t, near_high.q);
        if (motion_->solve(near_low) != SolveOutcome::solved ||
            motion_->solve(near_high) != SolveOutcome::solved ||
            near_low.determinant_sign * near_high.determinant_sign > 0)
            break;
        a = near_low;
        b = near_high;
    }
    interpolate(a, b, t, scratch_);
    equations_->set_position(scratch_, t);
    return t;
}

// Golden section for the smallest determinant around the middle node; NaN when it stays away
// from zero. Leaves the equations in the position found.
double DeadPointWatch::locate_minimum(MotionNode a, MotionNode m, MotionNode b) {
    const double reference = std::max(a.log_determinant, b.log_determinant);
    double t = m.t;
    for (int pass = 0; pass < 3; ++pass) {
        const auto size = [&](double at) {
            return std::abs(at < m.t ? signed_determinant(a, m, at, reference)
                                     : signed_determinant(m, b, at, reference));
        };
        // A minimum that reaches zero is already small after a few evaluations.
        constexpr int few = 8, all = 60;
        if (pass == 0 && golden_section(a.t, b.t, size, few).least > 0.2) return NAN;
        const Valley valley = golden_section(a.t, b.t, size, all);
        t = valley.middle();
        if (pass == 0 && valley.least > 0.05) return NAN;
        const double reach = (b.t - a.t) / 20;
        MotionNode low_trial = a, high_trial = b;
        low_trial.t = std::max(a.t, t - reach);
        high_trial.t = std::min(b.t, t + reach);
        interpolate(low_trial.t < m.t ? a : m, low_trial.t < m.t ? m : b, low_trial.t, low_trial.q);
        interpolate(high_trial.t < m.t ? a : m, high_trial.t < m.t ? m : b, high_trial.t,
                    high_trial.q);
        if (motion_->solve(low_trial) != SolveOutcome::solved ||
            motion_->solve(high_trial) != SolveOutcome::solved)
            break;
        a = low_trial;
        b = high_trial;
        m = a;
        interpolate(a, b, t, m.q, &m.v, &m.a);
        m.t = t;
    }
    const double least = std::abs(signed_determinant(a, b, t, reference));
    return least < tolerance::dead_point ? t : NAN;
}

// The equations are in the position of the dead point.
void DeadPointWatch::report(double t) {
    if (!events_.empty() && events_.back().kind == EventKind::dead_point &&
        std::abs(events_.back().t - t) < tolerance::near_time * (1 + t))
        return;
    events_.push_back(event(t, "passed"));
}

// The event, which names the coordinate that the drivers can no longer control: the largest
// component of the null vector.
Event DeadPointWatch::event(double t, const std::string& to) {
    Event e;
    e.t = t;
    e.kind = EventKind::dead_point;
    for (const RowLabel& label : equations_->labels())
        if (label.role == RowRole::driver)
            e.element += (e.element.empty() ? "" : " ") + label.element;
    e.to = to;
    if (equations_->size() <= RowSystem::largest_dense) {
        const Eigen::MatrixXd j =
            scaled_dense(equations_->pattern(), equations_->jacobian(), equations_->column_scale());
        const LeastSingular least = least_singular(j);
        int column = 0;
        least.direction.cwiseAbs().maxCoeff(&column);
        e.facts = {fact::LostControl{equations_->column_name(column), least.value}};
    }
    return e;
}

// Near a fold the determinant goes to zero like sqrt(t* - t): its square is linear in t.
std::optional<double> DeadPointWatch::fold(const MotionNode& node) const {
    if (!before_ || !(before_->t < node.t)) return std::nullopt;
    const double s0 = std::exp(2 * (before_->log_determinant - node.log_determinant));
    if (!(s0 > 1)) return std::nullopt;
    return node.t + (node.t - before_->t) / (s0 - 1);
}

}  // namespace pawl
