// The loads l are affine in the friction forces f of the sliding points, l = l0 + D f. With the
// direction d, the limit m per load and the viscous part c of each point,
//   f_k + d_k (m_k N_k(l0 + D f) + F_k) + c_k s_k = 0, F_k: the part of constant size.
// N is the load itself (a contact: the equations are linear), the norm of two components or a sum
// of sizes. Newton's method; for contacts and guides its first or second step is exact.
#include "dynamics/response/sliding.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/solving.h"

namespace pawl {

SlidingForces::SlidingForces(std::size_t points, std::size_t loads)
    : first(loads),
      slope(loads * points),
      force(points),
      loads_(loads),
      matrix_(points * points),
      right_(points) {}

bool SlidingForces::solve(std::span<const FrictionPoint* const> points,
                          std::span<const double> slips) {
    const std::size_t m = points.size(), n = loads_.size();
    const bool guessed = std::any_of(force.begin(), force.end(), [](double x) { return x != 0; });
    margin_ = 1;
    for (int pass = 0; pass < 50; ++pass) {
        for (std::size_t i = 0; i < n; ++i) {
            loads_[i] = first[i];
            for (std::size_t k = 0; k < m; ++k) loads_[i] += slope[i * m + k] * force[k];
        }
        double size = 0;
        for (std::size_t k = 0; k < m; ++k) {
            const FrictionPoint& point = *points[k];
            const double way = point.way(slips[k]);
            const double limit = way * point.limit_sliding(std::abs(slips[k]));
            const double wanted =
                -limit * point.load(loads_) - way * point.constant - point.viscous * slips[k];
            size = std::max({size, std::abs(wanted), std::abs(force[k])});
            right_[k] = wanted - force[k];
            for (std::size_t j = 0; j < m; ++j) {
                double sum = j == k ? 1.0 : 0.0;
                for (int i = 0; i < point.loads; ++i)
                    sum += limit * point.load_slope(loads_, i) *
                           slope[static_cast<std::size_t>(point.first_load + i) * m + j];
                matrix_[k * m + j] = sum;
            }
        }
        double left = 0;
        for (const double x : right_) left = std::max(left, std::abs(x));
        if (!eliminate()) return false;
        // A guess that satisfies the equations is kept: where friction is nearly undetermined, a
        // correction would amplify its rounding.
        constexpr double roundings = 1e3;
        if (guessed && pass == 0 && left <= roundings * tolerance::friction_step * size)
            return true;
        double change = 0;
        for (std::size_t k = 0; k < m; ++k) {
            force[k] += right_[k];
            change = std::max(change, std::abs(right_[k]));
        }
        if (!std::isfinite(change)) {
            std::fill(force.begin(), force.end(), 0.0);
            return false;
        }
        // Quadratic convergence: the next step would be below rounding.
        if (change <= tolerance::sliding_converged * size ||
            (pass > 0 && change <= tolerance::sliding_accepted * size))
            return true;
    }
    return false;
}

// Gaussian elimination with row exchange on the small system; margin_ is its determinant.
bool SlidingForces::eliminate() {
    const std::size_t m = right_.size();
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
            for (std::size_t j = 0; j < m; ++j)
                std::swap(matrix_[best * m + j], matrix_[c * m + j]);
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

double probing_force(std::span<const double> loads, std::span<const double> multipliers) {
    constexpr double small = 1e4;  // N: below it 1 N leaves twelve digits
    double largest = 1;
    for (const auto& values : {loads, multipliers})
        for (const double x : values)
            if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    return largest < small ? 1 : std::exp2(std::ceil(std::log2(largest)));
}

namespace {

std::vector<int> sliding_points(const Equations& equations) {
    std::vector<int> sliding;
    for (std::size_t k = 0; k < equations.friction().size(); ++k)
        if (equations.friction()[k].direction != 0) sliding.push_back(static_cast<int>(k));
    return sliding;
}

}  // namespace

SlidingFriction::SlidingFriction(Equations& equations)
    : equations_(equations),
      sliding_(sliding_points(equations)),
      forces_(sliding_.size(), static_cast<std::size_t>(equations.load_count())),
      force_(equations.friction().size()),
      slips_(sliding_.size()),
      unit_(force_),
      x_(static_cast<std::size_t>(equations.size())),
      lambda_(static_cast<std::size_t>(equations.pattern().rows())),
      x_unit_(x_),
      lambda_unit_(lambda_),
      loads_(static_cast<std::size_t>(equations.load_count())),
      lambda_slope_(sliding_.size() * lambda_.size()) {
    for (const int k : sliding_)
        laws_.push_back(&equations.friction()[static_cast<std::size_t>(k)]);
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
    if (with_bias)
        response.solve_forces(lambda);
    else
        response.solve_change(lambda);
    response.add_response(lambda, x);
    if (with_bias) equations_.take_row_inertia(lambda, equations_.gamma());
}

// The friction that goes with forces that are shared as in a start, as far as its loads are those
// of rows; none without a start.
void SlidingFriction::guess(std::span<const double> start) {
    std::fill(forces_.force.begin(), forces_.force.end(), 0.0);
    if (start.empty()) return;
    std::copy(equations_.force().begin(), equations_.force().end(), x_.begin());
    equations_.solve_inertia(x_);
    equations_.find_loads(x_, start, unit_, loads_);
    for (std::size_t k = 0; k < sliding_.size(); ++k) {
        const double way = laws_[k]->way(slips_[k]);
        forces_.force[k] =
            -way * (laws_[k]->limit_sliding(std::abs(slips_[k])) * laws_[k]->load(loads_) +
                    laws_[k]->constant) -
            laws_[k]->viscous * slips_[k];
    }
}

// Loads and multipliers with this friction, and as functions of it. Found about a good guess, they
// hold what rounding adds along rows that depend on each other for what is left of the forces only.
void SlidingFriction::find_slopes(RowResponse& response) {
    const RowPattern& slip = equations_.slip_pattern();
    const std::size_t m = sliding_.size(), n = loads_.size(), rows = lambda_.size();
    const auto add_along = [&](std::size_t k, double force, std::span<double> x) {
        const int point = sliding_[k];
        for (int i = slip.start[point]; i < slip.start[point + 1]; ++i)
            x[slip.column[i]] += force * equations_.slip_rows()[i];
    };
    std::copy(equations_.force().begin(), equations_.force().end(), x_.begin());
    for (std::size_t k = 0; k < m; ++k) {
        unit_[sliding_[k]] = forces_.force[k];
        add_along(k, forces_.force[k], x_);
    }
    respond_to(x_, lambda_, response, true);
    equations_.find_loads(x_, lambda_, unit_, forces_.first);
    const double probe = probing_force(forces_.first, lambda_);
    for (std::size_t k = 0; k < m; ++k) {
        std::fill(x_unit_.begin(), x_unit_.end(), 0.0);
        add_along(k, 1, x_unit_);
        respond_to(x_unit_, lambda_unit_, response, false);
        std::copy(lambda_unit_.begin(), lambda_unit_.end(),
                  lambda_slope_.begin() + static_cast<std::ptrdiff_t>(k * rows));
        for (std::size_t c = 0; c < x_.size(); ++c) x_unit_[c] = probe * x_unit_[c] + x_[c];
        for (std::size_t r = 0; r < rows; ++r)
            lambda_unit_[r] = probe * lambda_unit_[r] + lambda_[r];
        unit_[sliding_[k]] = forces_.force[k] + probe;
        equations_.find_loads(x_unit_, lambda_unit_, unit_, loads_);
        unit_[sliding_[k]] = forces_.force[k];
        for (std::size_t i = 0; i < n; ++i)
            forces_.slope[i * m + k] = (loads_[i] - forces_.first[i]) / probe;
    }
    for (std::size_t k = 0; k < m; ++k) {
        unit_[sliding_[k]] = 0;
        for (std::size_t i = 0; i < n; ++i)
            forces_.first[i] -= forces_.slope[i * m + k] * forces_.force[k];
        for (std::size_t r = 0; r < rows; ++r)
            lambda_[r] -= forces_.force[k] * lambda_slope_[k * rows + r];
    }
}

bool SlidingFriction::solve(RowResponse& response, std::span<const double> v) {
    const std::size_t m = sliding_.size();
    for (std::size_t k = 0; k < m; ++k) slips_[k] = equations_.slip(sliding_[k], v);
    // Not from the last result: the rates are a function of the state alone.
    guess(response.start());
    find_slopes(response);
    if (!forces_.solve(laws_, slips_)) return false;
    for (std::size_t k = 0; k < m; ++k) force_[sliding_[k]] = forces_.force[k];
    equations_.add_friction(v, force_);
    return true;
}

void SlidingFriction::find_multipliers(std::span<double> lambda) const {
    const std::size_t rows = lambda_.size();
    for (std::size_t r = 0; r < rows; ++r) {
        lambda[r] = lambda_[r];
        for (std::size_t k = 0; k < sliding_.size(); ++k)
            lambda[r] += forces_.force[k] * lambda_slope_[k * rows + r];
    }
}

}  // namespace pawl
