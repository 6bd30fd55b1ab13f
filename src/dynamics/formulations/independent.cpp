// Coordinate partitioning (Wehage and Haug 1982). With the dependent columns d and the independent
// ones i of the rows, G_d v'_d + G_i v'_i = gamma gives
//   v' = K v'_i + s,   K = (-G_d^-1 G_i; 1),   s = (G_d^-1 gamma; 0),   G K = 0,
// and K^T (M v' - f - G^T lambda) = 0 leaves (K^T M K) v'_i = K^T (f - M s). Then G_d^T lambda = (M
// v' - f)_d.
#include <algorithm>
#include <numeric>

#include "dynamics/formulations/dense_rows.h"
#include "dynamics/formulations/formulations.h"
#include "math/linear/dense.h"
#include "math/tolerances.h"

namespace pawl {

IndependentDynamics::IndependentDynamics(Equations& equations)
    : Dynamics(equations),
      x_(equations.size()),
      rows_(equations.pattern().rows(), equations.size()) {}

// Full pivoting of the rows, with columns scaled to lengths, finds the rank and a well-conditioned
// block. The rank never falls again: rows that become dependent later meet in a singular position,
// which must not look like a degree of freedom.
bool IndependentDynamics::choose() {
    const RowPattern& p = equations_.pattern();
    const int n = equations_.size();
    Choice best;
    if (p.rows() > 0) {
        scaled_ = scaled_dense(p, equations_.jacobian(), equations_.column_scale());
        const FullPivots pivots = full_pivots(scaled_, tolerance::rank);
        const int rank = std::max(pivots.rank, static_cast<int>(choice_.rows.size()));
        for (int r = 0; r < p.rows(); ++r)
            if (pivots.row_positions[static_cast<std::size_t>(r)] < rank) best.rows.push_back(r);
        const std::vector<int>& columns = pivots.columns;
        best.dependent.assign(columns.data(), columns.data() + rank);
        best.independent.assign(columns.data() + rank, columns.data() + n);
        std::sort(best.dependent.begin(), best.dependent.end());
        std::sort(best.independent.begin(), best.independent.end());
    } else {
        best.independent.resize(n);
        std::iota(best.independent.begin(), best.independent.end(), 0);
    }
    if (chosen_ && best.rows.size() == choice_.rows.size() &&
        spread(choice_) <= tolerance::partition * std::max(1.0, spread(best)))
        return false;
    chosen_ = true;
    choice_ = std::move(best);
    return true;
}

// The largest entry of K. The condition of the block itself says less: near a singular position
// that of every block falls, while K of a good choice stays near 1.
double IndependentDynamics::spread(const Choice& choice) const {
    if (choice.rows.empty() || choice.independent.empty()) return 1;
    const Eigen::MatrixXd block = scaled_(choice.rows, choice.dependent);
    const Eigen::MatrixXd others = scaled_(choice.rows, choice.independent);
    return solve_regular(block, others).lpNorm<Eigen::Infinity>();
}

bool IndependentDynamics::refresh(const State& state) {
    equations_.set_position(state.q, state.t);
    return choose();
}

bool IndependentDynamics::reduce() {
    if (!chosen_) choose();
    const auto freedoms = static_cast<Eigen::Index>(choice_.independent.size());
    fill_rows(equations_.pattern(), equations_.jacobian(), rows_);
    mass_ = equations_.mass_matrix();
    basis_.setZero(equations_.size(), freedoms);
    if (!choice_.rows.empty()) {
        block_ = rows_(choice_.rows, choice_.dependent);
        block_factors_.compute(block_);
    }
    if (!choice_.rows.empty() && freedoms > 0) {
        others_ = rows_(choice_.rows, choice_.independent);
        solved_ = block_factors_.solve(others_);
        basis_(choice_.dependent, Eigen::all) = -solved_;
    }
    for (Eigen::Index j = 0; j < freedoms; ++j)
        basis_(choice_.independent[static_cast<std::size_t>(j)], j) = 1;
    mass_basis_.noalias() = mass_ * basis_;
    if (freedoms == 0) return true;
    if (!basis_.allFinite()) return false;
    reduced_factors_.compute(basis_.transpose() * mass_basis_);
    return reduced_factors_.info() == Eigen::Success;
}

void IndependentDynamics::solve(const Eigen::VectorXd& b, std::span<const double> c) {
    x_.setZero();
    if (!choice_.rows.empty()) {
        chosen_rows_ = as_vector(c)(choice_.rows);
        y_ = block_factors_.solve(chosen_rows_);
        x_(choice_.dependent) = y_;
    }
    if (choice_.independent.empty()) return;
    reduced_ = b;
    reduced_.noalias() -= mass_basis_.transpose() * x_;
    reduced_factors_.solveInPlace(reduced_);
    x_.noalias() += basis_ * reduced_;
}

void IndependentDynamics::solve_rows(const Eigen::VectorXd& b) {
    if (choice_.rows.empty()) return;
    chosen_rows_ = b(choice_.dependent);
    y_ = block_factors_.transpose().solve(chosen_rows_);
}

RateOutcome IndependentDynamics::respond(double t, std::span<const double> q,
                                         std::span<const double> v, std::span<const double> z) {
    if (const RateOutcome outcome = set_state(t, q, v, z); outcome != RateOutcome::solved)
        return outcome;
    if (!reduce()) return RateOutcome::not_finite;
    const auto f = as_vector(equations_.force());
    solve(basis_.transpose() * f, equations_.gamma());
    if (!x_.allFinite()) return RateOutcome::not_finite;
    as_vector(acceleration_) = x_;
    std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
    solve_rows(mass_ * x_ - f);
    for (std::size_t i = 0; i < choice_.rows.size(); ++i)
        multipliers_[choice_.rows[i]] = y_[static_cast<Eigen::Index>(i)];
    return RateOutcome::solved;
}

}  // namespace pawl
