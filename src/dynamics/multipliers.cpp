// Lagrange multipliers with the accelerations eliminated:
//   W lambda = gamma - G M^-1 f,   v' = M^-1 (f + G^T lambda),   W = G M^-1 G^T.
// Cost is linear where the inertia is a tree and the rows couple neighbours only.
#include <algorithm>
#include <cmath>

#include "dynamics/formulations.h"
#include "math/finite.h"
#include "math/tolerances.h"

namespace pawl {

RateOutcome MultiplierDynamics::respond(double t, std::span<const double> q,
                                        std::span<const double> v, std::span<const double> z) {
    if (near_singular_) {
        near_.t = t;
        near_.q.assign(q.begin(), q.end());
        near_.v.assign(v.begin(), v.end());
        if (!all_finite(near_.q)) return RateOutcome::not_finite;
        if (project(near_) >= 0) {
            q = near_.q;
            v = near_.v;
        }
    }
    const RateOutcome outcome = evaluate(t, q, v, z);
    if (outcome != RateOutcome::solved || equations_.pattern().rows() == 0 ||
        response_.smallest_pivot() >= tolerance::near_singular)
        return outcome;
    hold_rows();
    return outcome;
}

RateOutcome MultiplierDynamics::evaluate(double t, std::span<const double> q,
                                         std::span<const double> v, std::span<const double> z) {
    // Friction that slides adds to the forces what the rows make of them.
    const bool slides = equations_.slides();
    const RateOutcome outcome = slides ? set_state(t, q, v, z) : set_motion(t, q, v);
    if (outcome != RateOutcome::solved) return outcome;
    if (slides) {
        std::copy(equations_.force().begin(), equations_.force().end(), acceleration_.begin());
        equations_.solve_inertia(acceleration_);
    } else {
        equations_.set_free_acceleration(z, acceleration_);
        if (!all_finite(acceleration_)) return RateOutcome::not_finite;
        factored_ = false;
    }
    const RowPattern& p = equations_.pattern();
    if (p.rows() == 0) return RateOutcome::solved;
    if (!factored_) response_.factor();
    find_missing(multipliers_);
    response_.solve(multipliers_);
    response_.add_response(multipliers_, acceleration_);
    return RateOutcome::solved;
}

// missing = gamma - G v'; returns its largest entry beside the terms it is the difference of.
double MultiplierDynamics::find_missing(std::span<double> missing) const {
    const RowPattern& p = equations_.pattern();
    double worst = 0;
    for (int r = 0; r < p.rows(); ++r) {
        double sum = equations_.gamma()[r], size = std::abs(sum);
        for (int i = p.start[r]; i < p.start[r + 1]; ++i) {
            const double part = equations_.jacobian()[i] * acceleration_[p.column[i]];
            sum -= part;
            size = std::max(size, std::abs(part));
        }
        missing[r] = sum;
        if (size > 0) worst = std::max(worst, std::abs(sum) / size);
    }
    return worst;
}

// The response of a light part is a difference of large numbers: what the rows still miss is
// answered again, until their accelerations hold.
void MultiplierDynamics::hold_rows() {
    constexpr int max_passes = 6;
    constexpr double rounding = 1e-15;
    double before = INFINITY;
    for (int pass = 0; pass < max_passes; ++pass) {
        const double missing = find_missing(row_work_);
        if (!(missing > rounding && missing < 0.5 * before)) return;
        before = missing;
        response_.solve(row_work_);
        response_.add_response(row_work_, acceleration_);
        for (std::size_t r = 0; r < row_work_.size(); ++r) multipliers_[r] += row_work_[r];
    }
}

}  // namespace pawl
