// Canonical form of the augmented Lagrangian (Bayo and Avello 1994). The momenta
//   p = M v + G^T s   have the rate   p' = (M v)' + G'^T s + G^T s' = f + M' v + G'^T s   when s' =
//   -lambda,
// so that neither accelerations nor multipliers are needed: the rows enter by G v = nu only. v and
// s follow from p by the iteration of the acceleration form with p, nu, -s in place of f, gamma,
// lambda:
//   (M + G^T a G) v = p + G^T (a nu - s),   s <- s + a (G v - nu).
// -s is the impulse of the rows since the momenta were packed, with s = 0. Any s with p = M v + G^T
// s will do, so redundant rows do no harm. Reactions come from the acceleration form.
#include "dynamics/formulations/dense_rows.h"
#include "dynamics/formulations/formulations.h"

namespace pawl {

AugmentedCanonicalDynamics::AugmentedCanonicalDynamics(Equations& equations)
    : AugmentedDynamics(equations),
      row_rate_(equations),
      v_(equations.size()),
      momentum_rate_(equations.size()) {}

RateOutcome AugmentedCanonicalDynamics::find_velocity(double t, std::span<const double> q,
                                                      std::span<const double> p) {
    if (!as_vector(q).allFinite() || !as_vector(p).allFinite()) return RateOutcome::not_finite;
    equations_.set_position(q, t);
    if (!equations_.set_inertia()) return RateOutcome::massless;
    if (!factor()) return RateOutcome::not_finite;
    solve(p, equations_.nu());
    as_vector(v_) = x_;
    return RateOutcome::solved;
}

void AugmentedCanonicalDynamics::pack(const State& state, std::span<double> y) {
    Dynamics::pack(state, y);
    equations_.set_position(state.q, state.t);
    equations_.set_inertia();
    equations_.apply_inertia(state.v, y.subspan(state.q.size(), state.q.size()));
}

void AugmentedCanonicalDynamics::unpack(std::span<const double> y, State& state) {
    Dynamics::unpack(y, state);
    if (find_velocity(state.t, state.q, y.subspan(state.q.size(), state.q.size())) ==
        RateOutcome::solved)
        state.v = v_;
}

RateOutcome AugmentedCanonicalDynamics::rates(double t, std::span<const double> y,
                                              std::span<double> dy) {
    const std::size_t n = equations_.size();
    const auto q = y.first(n), z = y.subspan(2 * n);
    if (const RateOutcome outcome = find_velocity(t, q, y.subspan(n, n));
        outcome != RateOutcome::solved)
        return outcome;
    const auto p_rate = dy.subspan(n, n);
    row_rate_.set_velocity(v_);
    std::fill(column_work_.begin(), column_work_.end(), 0.0);
    for (std::size_t c = 0; c < n; ++c) {
        column_work_[c] = 1;
        p_rate[c] = -y_.dot(as_vector(row_rate_.along(column_work_)));
        column_work_[c] = 0;
    }
    // The power of the drivers requires their multipliers.
    const RateOutcome outcome =
        driver_rows_.empty() ? set_state(t, q, v_, z) : respond(t, q, v_, z);
    if (outcome != RateOutcome::solved) return outcome;
    equations_.apply_inertia_rate(momentum_rate_);
    for (std::size_t c = 0; c < n; ++c) {
        dy[c] = v_[c];
        p_rate[c] += equations_.force()[c] + momentum_rate_[c];
    }
    auxiliary_rates(dy.subspan(2 * n));
    return RateOutcome::solved;
}

}  // namespace pawl
