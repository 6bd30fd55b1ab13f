// The loads l are affine in the friction forces f of the sliding places, l = l0 + D f. With the
// direction d, the limit m per load and the viscous part c of each place,
//   f_k + d_k m_k N_k(l0 + D f) + c_k s_k = 0.
// N is the load itself (a contact: the equations are linear), the norm of two components or a sum of
// sizes. Newton's method; for contacts and guides its first or second step is exact.
#include "dynamics/sliding.h"

#include <algorithm>
#include <cmath>

namespace pawl {

SlidingFriction::SlidingFriction(Equations& equations) : equations_(equations) {
    const auto& places = equations.friction();
    for (std::size_t k = 0; k < places.size(); ++k)
        if (places[k].direction != 0) sliding_.push_back(static_cast<int>(k));
    const std::size_t m = sliding_.size(), rows = equations.pattern().rows();
    force_.assign(places.size(), 0.0);
    unit_ = force_;
    x_.assign(equations.size(), 0.0);
    x_unit_ = x_;
    lambda_.assign(rows, 0.0);
    lambda_unit_ = lambda_;
    loads_.assign(equations.load_count(), 0.0);
    first_ = loads_;
    slope_.assign(loads_.size() * m, 0.0);
    matrix_.assign(m * m, 0.0);
    right_.assign(m, 0.0);
}

// x: forces -> accelerations and multipliers, with the bias of the rows or for a change of forces
// only.
void SlidingFriction::respond_to(std::span<double> x, std::span<double> lambda,
                                 RowResponse& response, bool with_bias) {
    const RowPattern& p = equations_.pattern();
    equations_.solve_inertia(x);
    if (p.rows() == 0) return;
    for (int r = 0; r < p.rows(); ++r) {
        double sum = with_bias ? equations_.gamma()[r] : 0.0;
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            sum -= equations_.jacobian()[i] * x[p.column[i]];
        lambda[r] = sum;
    }
    response.solve(lambda);
    response.add_response(lambda, x);
}

bool SlidingFriction::solve(RowResponse& response, std::span<const double> v) {
    const RowPattern& slip = equations_.slip_pattern();
    const std::size_t m = sliding_.size(), n = loads_.size();
    std::copy(equations_.force().begin(), equations_.force().end(), x_.begin());
    respond_to(x_, lambda_, response, true);
    std::fill(unit_.begin(), unit_.end(), 0.0);
    equations_.find_loads(x_, lambda_, unit_, first_);
    for (std::size_t k = 0; k < m; ++k) {
        const int place = sliding_[k];
        std::fill(x_unit_.begin(), x_unit_.end(), 0.0);
        for (int i = slip.start[place]; i < slip.start[place + 1]; ++i)
            x_unit_[slip.column[i]] = equations_.slip_rows()[i];
        respond_to(x_unit_, lambda_unit_, response, false);
        for (std::size_t c = 0; c < x_.size(); ++c) x_unit_[c] += x_[c];
        for (std::size_t r = 0; r < lambda_.size(); ++r) lambda_unit_[r] += lambda_[r];
        unit_[place] = 1;
        equations_.find_loads(x_unit_, lambda_unit_, unit_, loads_);
        unit_[place] = 0;
        for (std::size_t i = 0; i < n; ++i) slope_[i * m + k] = loads_[i] - first_[i];
    }
    if (!iterate(v)) return false;
    equations_.add_friction(v, force_);
    return true;
}

bool SlidingFriction::iterate(std::span<const double> v) {
    const auto& places = equations_.friction();
    const std::size_t m = sliding_.size(), n = loads_.size();
    for (int pass = 0; pass < 50; ++pass) {
        for (std::size_t i = 0; i < n; ++i) {
            loads_[i] = first_[i];
            for (std::size_t k = 0; k < m; ++k)
                loads_[i] += slope_[i * m + k] * force_[sliding_[k]];
        }
        double size = 0;
        for (std::size_t k = 0; k < m; ++k) {
            const FrictionPlace& place = places[sliding_[k]];
            const double s = equations_.slip(sliding_[k], v);
            const double limit = place.direction * place.limit_sliding(std::abs(s));
            const double wanted = -limit * place.load(loads_) - place.viscous * s;
            size = std::max({size, std::abs(wanted), std::abs(force_[sliding_[k]])});
            right_[k] = wanted - force_[sliding_[k]];
            for (std::size_t j = 0; j < m; ++j) {
                double sum = j == k ? 1.0 : 0.0;
                for (int i = 0; i < place.loads; ++i)
                    sum += limit * place.load_slope(loads_, i) *
                           slope_[(place.first_load + i) * m + j];
                matrix_[k * m + j] = sum;
            }
        }
        if (!eliminate()) return false;
        double change = 0;
        for (std::size_t k = 0; k < m; ++k) {
            force_[sliding_[k]] += right_[k];
            change = std::max(change, std::abs(right_[k]));
        }
        if (!std::isfinite(change)) return false;
        if (change <= 1e-15 * size) return true;
        // Quadratic convergence: one more step would be below rounding.
        if (change <= 1e-9 * size && pass > 0) {
            return true;
        }
    }
    return false;
}

// Gauss with row exchange on the small system; margin_ is its determinant.
bool SlidingFriction::eliminate() {
    const std::size_t m = sliding_.size();
    margin_ = 1;
    for (std::size_t c = 0; c < m; ++c) {
        std::size_t best = c;
        for (std::size_t r = c + 1; r < m; ++r)
            if (std::abs(matrix_[r * m + c]) > std::abs(matrix_[best * m + c])) best = r;
        const double pivot = matrix_[best * m + c];
        if (!(std::abs(pivot) > 0)) {
            margin_ = 0;
            return false;
        }
        if (best != c) {
            for (std::size_t j = 0; j < m; ++j) std::swap(matrix_[best * m + j], matrix_[c * m + j]);
            std::swap(right_[best], right_[c]);
            margin_ = -margin_;
        }
        margin_ *= pivot;
        for (std::size_t r = c + 1; r < m; ++r) {
            const double f = matrix_[r * m + c] / pivot;
            for (std::size_t j = c; j < m; ++j) matrix_[r * m + j] -= f * matrix_[c * m + j];
            right_[r] -= f * right_[c];
        }
    }
    for (std::size_t c = m; c-- > 0;) {
        for (std::size_t j = c + 1; j < m; ++j) right_[c] -= matrix_[c * m + j] * right_[j];
        right_[c] /= matrix_[c * m + c];
    }
    return true;
}

}  // namespace pawl
