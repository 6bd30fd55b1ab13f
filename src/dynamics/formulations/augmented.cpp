// Augmented Lagrangian (Garcia de Jalon and Bayo 1994, sections 5.1.4 and 10.5). The multipliers of
// M v' = f + G^T lambda are approached by lambda <- lambda + a (gamma - G v'); with them inserted,
// one iteration solves
//   (M + G^T a G) v' = f + G^T (lambda + a gamma).
// Written for the change d of v', which fades, so that the large penalty costs no digits: with r =
// gamma - G v',
//   (M + G^T a G) d = f + G^T lambda - M v' + G^T a r,   r <- r - G d,   lambda <- lambda + a r,
// first v' = M^-1 f, lambda = 0. Computed anew, r would bring the rounding of G v' into lambda,
// enlarged by a. An error along an eigenvector of a W, W = G M^-1 G^T, with eigenvalue w shrinks by
// 1/(1 + w) each time. With Omega and mu of the user gamma - 2 Omega mu phi' - Omega^2 phi stands
// in place of gamma. With the penalties a_r = b/W_rr of the rows alone, w is b times that of the
// correlation of the rows, free of units. Redundant rows have w = 0 with nothing to correct: they
// share their force by least a^-1-norm.
#include "dynamics/formulations/dense_rows.h"
#include "dynamics/formulations/formulations.h"
#include "math/tolerances/solving.h"

namespace pawl {

namespace {

// b. Cholesky factors lose b times rounding, which the iteration corrects; ten iterations converge
// where the squared angle between the rows is above 10/b.
constexpr double relative_penalty = 1e7;

}  // namespace

AugmentedDynamics::AugmentedDynamics(Equations& equations)
    : Dynamics(equations),
      x_(equations.size()),
      y_(equations.pattern().rows()),
      rows_(equations.pattern().rows(), equations.size()),
      factors_(equations.size()),
      weight_(equations.pattern().rows()),
      residual_(equations.pattern().rows()),
      step_(equations.size()) {}

bool AugmentedDynamics::factor() {
    const RowPattern& p = equations_.pattern();
    fill_rows(p, equations_.jacobian(), rows_);
    mass_ = equations_.mass_matrix();
    for (int r = 0; r < p.rows(); ++r) {
        double weight = penalty_;
        if (!(weight > 0)) {
            as_vector(column_work_) = rows_.row(r).transpose();
            equations_.solve_inertia(column_work_);
            const double response = rows_.row(r).dot(as_vector(column_work_));
            weight = response > 0 ? relative_penalty / response : 0;
        }
        weight_[r] = weight;
    }
    weighted_ = weight_.cwiseSqrt().asDiagonal() * rows_;
    sum_ = mass_;
    sum_.selfadjointView<Eigen::Lower>().rankUpdate(weighted_.transpose());
    factors_.compute(sum_);
    return factors_.info() == Eigen::Success;
}

void AugmentedDynamics::solve(std::span<const double> b, std::span<const double> c) {
    x_ = as_vector(b);
    equations_.solve_inertia({x_.data(), b.size()});
    y_.setZero();
    residual_ = as_vector(c);
    residual_.noalias() -= rows_ * x_;
    const auto scale = as_vector(equations_.column_scale());
    double largest = x_.cwiseProduct(scale).lpNorm<Eigen::Infinity>();
    for (int i = 0; i < iterations_ && y_.size() > 0; ++i) {
        next_ = y_ + weight_.cwiseProduct(residual_);
        step_ = as_vector(b);
        step_.noalias() -= mass_ * x_;
        step_.noalias() += rows_.transpose() * next_;
        factors_.solveInPlace(step_);
        x_ += step_;
        residual_.noalias() -= rows_ * step_;
        y_ += weight_.cwiseProduct(residual_);
        const double change = step_.cwiseProduct(scale).lpNorm<Eigen::Infinity>();
        largest = std::max(largest, change);
        if (change <= tolerance::augmented_change * largest) break;
    }
    // (A given penalty is the user's.)
    constexpr double converged = tolerance::augmented_converged;
    if (!(penalty_ > 0) && missing(c) > converged) answer_rows(b, c);
}

// row_work_ = c - G x; returns its largest entry beside the largest term of all rows.
double AugmentedDynamics::missing(std::span<const double> c) {
    double worst = 0, size = 0;
    for (int r = 0; r < rows_.rows(); ++r) {
        const double largest = rows_.row(r).transpose().cwiseProduct(x_).lpNorm<Eigen::Infinity>();
        size = std::max({size, std::abs(c[r]), largest});
        row_work_[r] = c[r] - rows_.row(r).dot(x_);
        worst = std::max(worst, std::abs(row_work_[r]));
    }
    return size > 0 ? worst / size : 0;
}

// Rows that nearly depend on each other, as those of light parts, converge too slowly, and rounding
// of the large penalty counts: x = M^-1 (b + G^T y) with W y = c - G M^-1 b by their response,
// until G x = c holds.
void AugmentedDynamics::answer_rows(std::span<const double> b, std::span<const double> c) {
    constexpr int max_passes = 8;
    constexpr double rounding = tolerance::residual_rounding;
    response_.factor();
    x_ = as_vector(b);
    equations_.solve_inertia({x_.data(), b.size()});
    y_.setZero();
    // Of parts at rest the terms fade with what is missing: that itself must become less.
    double before = INFINITY;
    for (int pass = 0; pass < max_passes; ++pass) {
        if (!(missing(c) > rounding)) break;
        const double left = as_vector(row_work_).lpNorm<Eigen::Infinity>();
        if (!(left < 0.5 * before)) break;
        before = left;
        response_.solve(row_work_);
        response_.add_response(row_work_, {x_.data(), b.size()});
        y_ += as_vector(row_work_);
    }
    equations_.take_row_inertia({y_.data(), c.size()}, c);
}

RateOutcome AugmentedDynamics::respond(double t, std::span<const double> q,
                                       std::span<const double> v, std::span<const double> z) {
    if (const RateOutcome outcome = set_state(t, q, v, z); outcome != RateOutcome::solved)
        return outcome;
    if (!factor()) return RateOutcome::not_finite;
    wanted_.assign(equations_.gamma().begin(), equations_.gamma().end());
    if (frequency_ > 0) {
        const Eigen::VectorXd rate = rows_ * as_vector(v) - as_vector(equations_.nu());
        for (std::size_t r = 0; r < wanted_.size(); ++r)
            wanted_[r] -= frequency_ * (2 * damping_ * rate[static_cast<int>(r)] +
                                        frequency_ * equations_.phi()[r]);
    }
    solve(equations_.force(), wanted_);
    as_vector(acceleration_) = x_;
    as_vector(multipliers_) = y_;
    return RateOutcome::solved;
}

}  // namespace pawl
