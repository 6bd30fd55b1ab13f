#include "dynamics/formulations/crossing_projection.h"

#include <algorithm>
#include <cmath>

#include "dynamics/response/row_response.h"
#include "math/tolerances.h"

namespace pawl {

CrossingProjection::CrossingProjection(Equations& equations)
    : equations_(equations),
      products_(row_products(equations.pattern())),
      direction_(static_cast<std::size_t>(equations.size())),
      wanted_(static_cast<std::size_t>(equations.pattern().rows())),
      along_(wanted_) {
    for (const double scale : equations.column_scale()) weight_.push_back(1 / (scale * scale));
    std::vector<std::pair<int, int>> pairs;
    for (const RowProduct& x : products_) pairs.emplace_back(x.row, x.other);
    ldlt_ = EnvelopeLdlt(pairs, groups_of_rows(equations));
}

void CrossingProjection::factor() {
    const auto& g = equations_.jacobian();
    ldlt_.clear();
    for (const RowProduct& x : products_)
        ldlt_.add(x.other, x.row, weight_[x.column] * g[x.entry] * g[x.other_entry]);
    ldlt_.factor(tolerance::dependent, tolerance::dependent_raise);
}

// (G (D - u u^T) G^T) lambda = wanted by the formula of Sherman and Morrison, with along = G u.
void CrossingProjection::answer(std::span<double> x) {
    const RowPattern& p = equations_.pattern();
    const auto& g = equations_.jacobian();
    for (int r = 0; r < p.rows(); ++r) {
        along_[r] = 0;
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            along_[r] += g[i] * direction_[p.column[i]];
    }
    std::vector<double>& lambda = wanted_;
    ldlt_.solve(lambda, tolerance::near_singular);
    double part = 0, whole = 1;
    for (int r = 0; r < p.rows(); ++r) part += along_[r] * lambda[r];
    response_ = along_;
    ldlt_.solve(response_, tolerance::near_singular);
    for (int r = 0; r < p.rows(); ++r) whole -= along_[r] * response_[r];
    constexpr double least = 0.1;  // the direction is nearly that of a motion that keeps the rows
    if (whole > least)
        for (int r = 0; r < p.rows(); ++r) lambda[r] += response_[r] * part / whole;
    double moved = 0;
    for (int r = 0; r < p.rows(); ++r) moved += along_[r] * lambda[r];
    for (std::size_t c = 0; c < x.size(); ++c) x[c] -= whole > least ? moved * direction_[c] : 0;
    for (int r = 0; r < p.rows(); ++r)
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            x[p.column[i]] += weight_[p.column[i]] * g[i] * lambda[r];
}

// Newton's method. What is left at the end counts many times near a singular position: once more
// after it has converged.
bool CrossingProjection::project(std::span<double> q, std::span<double> v, double t) {
    constexpr int max_passes = 40;
    constexpr double fast = 1e-2, regular = 0.1;  // (0.3 rad)^2 from a singular position
    const RowPattern& p = equations_.pattern();
    const auto& scale = equations_.column_scale();
    const double size = equations_.model_size();
    double speed = 0;
    for (std::size_t c = 0; c < v.size(); ++c) speed += v[c] * v[c] * scale[c] * scale[c];
    speed = std::sqrt(speed);
    for (std::size_t c = 0; c < v.size(); ++c) direction_[c] = speed > 0 ? v[c] / speed : 0;
    double previous = INFINITY;
    bool polished = false, serves = false;
    for (int i = 0;; ++i) {
        equations_.set_position(q, t);
        const double residual = equations_.residual();
        if (!std::isfinite(residual)) return false;
        if (residual <= tolerance::projection * size) {
            if (polished || serves || !(residual > 0)) break;
            polished = true;
        }
        if (i == max_passes || (i > 2 && !polished && residual > 0.95 * previous)) {
            if (residual > tolerance::projection_accepted * size) return false;
            break;
        }
        serves = serves && residual < fast * previous;
        previous = residual;
        if (!serves) factor();
        serves = ldlt_.smallest_pivot() >= regular;
        for (int r = 0; r < p.rows(); ++r) wanted_[r] = -equations_.phi()[r];
        answer(q);
    }
    factor();
    for (int r = 0; r < p.rows(); ++r) {
        wanted_[r] = equations_.nu()[r];
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            wanted_[r] -= equations_.jacobian()[i] * v[p.column[i]];
    }
    answer(v);
    return true;
}

}  // namespace pawl
