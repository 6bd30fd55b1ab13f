// Hamilton's equations in independent coordinates (Wang 1996, chapter 3), with drivers. The rows
// give
//   v = K v_i + k,  G K = 0,  k = (G_d^-1 nu; 0);   momenta p = K^T M v,   so  (K^T M K) v_i = p -
//   K^T M k.
// p' = K^T (M v)' + K'^T M v = K^T (f + M' v) + K'^T M v, as K^T G^T lambda = 0. From (G K)' = 0
// with the constant unit rows of K: G_d K'_d = -G' K, hence K'^T x = -(G' K)^T m with G_d^T m =
// x_d. Without drivers this is p' = K^T f_applied + dT/dq_i, the plus sign of the kinetic term
// included.
#include "dynamics/formulations/dense_rows.h"
#include "dynamics/formulations/formulations.h"

namespace pawl {

CanonicalDynamics::CanonicalDynamics(Equations& equations)
    : IndependentDynamics(equations),
      row_rate_(equations),
      v_(equations.size()),
      momentum_rate_(equations.size()) {}

int CanonicalDynamics::size() const {
    return equations_.size() + static_cast<int>(choice_.independent.size()) + auxiliary_size();
}

RateOutcome CanonicalDynamics::find_velocity(double t, std::span<const double> q,
                                             std::span<const double> p) {
    if (!as_vector(q).allFinite()) return RateOutcome::not_finite;
    equations_.set_position(q, t);
    if (!equations_.set_inertia()) return RateOutcome::massless;
    if (!reduce()) return RateOutcome::not_finite;
    solve(as_vector(p), equations_.nu());
    if (!x_.allFinite()) return RateOutcome::not_finite;
    as_vector(v_) = x_;
    return RateOutcome::solved;
}

void CanonicalDynamics::pack(const State& state, std::span<double> y) {
    equations_.set_position(state.q, state.t);
    const std::size_t n = state.q.size();
    if (!equations_.set_inertia() || !reduce())  // which the first rates will report
        mass_basis_.setZero(static_cast<Eigen::Index>(n),
                            static_cast<Eigen::Index>(choice_.independent.size()));
    std::copy(state.q.begin(), state.q.end(), y.begin());
    as_vector(y.subspan(n, choice_.independent.size())) =
        mass_basis_.transpose() * as_vector(state.v);
    std::copy(state.z.begin(), state.z.end(), y.end() - auxiliary_size());
}

void CanonicalDynamics::unpack(std::span<const double> y, State& state) {
    const std::size_t n = equations_.size();
    state.q.assign(y.begin(), y.begin() + n);
    state.z.assign(y.end() - auxiliary_size(), y.end());
    if (find_velocity(state.t, state.q, y.subspan(n, choice_.independent.size())) ==
        RateOutcome::solved)
        state.v = v_;
}

void CanonicalDynamics::find_basis_rate() {
    basis_rate_.setZero(basis_.cols());
    if (choice_.rows.empty()) return;
    solve_rows(mass_ * x_);
    row_rate_.set_velocity(v_);
    for (Eigen::Index j = 0; j < basis_.cols(); ++j) {
        const auto rate = row_rate_.along({basis_.col(j).data(), v_.size()});
        for (std::size_t i = 0; i < choice_.rows.size(); ++i)
            basis_rate_[j] -= y_[static_cast<Eigen::Index>(i)] * rate[choice_.rows[i]];
    }
}

RateOutcome CanonicalDynamics::rates(double t, std::span<const double> y, std::span<double> dy) {
    const std::size_t n = equations_.size(), freedoms = choice_.independent.size();
    const auto q = y.first(n), z = y.subspan(n + freedoms);
    if (const RateOutcome outcome = find_velocity(t, q, y.subspan(n, freedoms));
        outcome != RateOutcome::solved)
        return outcome;
    find_basis_rate();
    // The power of the drivers requires their multipliers.
    const RateOutcome outcome =
        driver_rows_.empty() ? set_state(t, q, v_, z) : respond(t, q, v_, z);
    if (outcome != RateOutcome::solved) return outcome;
    equations_.apply_inertia_rate(momentum_rate_);
    for (std::size_t c = 0; c < n; ++c) {
        dy[c] = v_[c];
        momentum_rate_[c] += equations_.force()[c];
    }
    as_vector(dy.subspan(n, freedoms)) =
        basis_rate_ + basis_.transpose() * as_vector(momentum_rate_);
    auxiliary_rates(dy.subspan(n + freedoms));
    return RateOutcome::solved;
}

}  // namespace pawl
