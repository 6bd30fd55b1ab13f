// Lagrange multipliers with the accelerations eliminated:
//   W lambda = gamma - G M^-1 f,   v' = M^-1 (f + G^T lambda),   W = G M^-1 G^T.
// Cost is linear where the inertia is a tree and the rows couple neighbours only.
#include <algorithm>
#include <cmath>

#include "dynamics/formulations/formulations.h"
#include "math/finite.h"
#include "math/seeded_fault.h"
#include "math/tolerances.h"

namespace pawl {

RateOutcome MultiplierDynamics::respond(double t, std::span<const double> q,
                                        std::span<const double> v, std::span<const double> z) {
    bool is_placed = false;
    if (near_singular_ && equations_.pattern().rows() > 0) {
        if (!all_finite(q)) return RateOutcome::not_finite;
        if (!crossing_) crossing_ = std::make_unique<CrossingProjection>(equations_);
        q_.assign(q.begin(), q.end());
        v_.assign(v.begin(), v.end());
        is_placed = crossing_->project(q_, v_, t);
        if (is_placed) {
            q = q_;
            v = v_;
        }
    }
    const RateOutcome outcome = evaluate(t, q, v, z, is_placed);
    if (outcome != RateOutcome::solved || equations_.pattern().rows() == 0 ||
        response_.smallest_pivot() >= tolerance::near_singular)
        return outcome;
    // Forces that are shared as given stay so: along nearly singular directions, where this would
    // ask for large ones, the friction that was found with them has none.
    if (!response_.start().empty()) return outcome;
    hold_rows();
    return outcome;
}

// `is_placed`: the equations are at the position already.
RateOutcome MultiplierDynamics::evaluate(double t, std::span<const double> q,
                                         std::span<const double> v, std::span<const double> z,
                                         bool is_placed) {
    // Friction that slides adds to the forces what the rows make of them.
    const bool slides = equations_.slides();
    if (is_placed && !slides) {
        equations_.set_velocity(v);
        if (!equations_.set_inertia()) return RateOutcome::massless;
    } else {
        const RateOutcome outcome = slides ? set_state(t, q, v, z) : set_motion(t, q, v);
        if (outcome != RateOutcome::solved) return outcome;
    }
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
    response_.solve_forces(multipliers_);
    if (seeded(Fault::multipliers_scaled))
        for (double& lambda : multipliers_) lambda *= 1.0001;
    response_.add_response(multipliers_, acceleration_);
    equations_.take_row_inertia(multipliers_, equations_.gamma());
    return RateOutcome::solved;
}

}  // namespace pawl
