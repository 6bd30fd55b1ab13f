#include "simulation/row_independence.h"

#include <cmath>

namespace pawl {

RowIndependence::RowIndependence(Equations& equations) : equations_(equations) {
    const RowPattern& p = equations.pattern();
    products_ = row_products(p);
    for (const double scale : equations.column_scale()) weight_.push_back(1 / (scale * scale));
    std::vector<std::pair<int, int>> pairs;
    for (const RowProduct& x : products_) pairs.emplace_back(x.row, x.other);
    ldlt_ = EnvelopeLdlt(p.rows(), pairs);
    ldlt_.set_groups(groups_of_rows(equations));
}

void RowIndependence::fill() {
    const auto& g = equations_.jacobian();
    ldlt_.clear();
    for (const RowProduct& x : products_)
        ldlt_.add(x.other, x.row, weight_[x.column] * g[x.entry] * g[x.other_entry]);
}

double RowIndependence::at(std::span<const double> q, double t) {
    equations_.set_position(q, t);
    return here();
}

double RowIndependence::here() {
    fill();
    ldlt_.factor(0, 0);
    return std::sqrt(ldlt_.smallest_pivot(largest_, best_));
}

// Newton's method with raised diagonals: directions in which the rows are nearer to dependence than
// 1e-3 are left as they are.
double RowIndependence::misfit(std::span<const double> q, double t) {
    constexpr int passes = 4;
    constexpr double raise = 1e-6;
    const RowPattern& p = equations_.pattern();
    near_.assign(q.begin(), q.end());
    lambda_.resize(static_cast<std::size_t>(p.rows()));
    for (int pass = 0; pass < passes; ++pass) {
        equations_.set_position(near_, t);
        fill();
        ldlt_.factor(2, raise);  // always raised
        for (int r = 0; r < p.rows(); ++r) lambda_[r] = -equations_.phi()[r];
        ldlt_.solve(lambda_);
        for (int r = 0; r < p.rows(); ++r)
            for (int i = p.start[r]; i < p.start[r + 1]; ++i)
                near_[p.column[i]] += weight_[p.column[i]] * equations_.jacobian()[i] * lambda_[r];
    }
    equations_.set_position(near_, t);
    return equations_.residual();
}

}  // namespace pawl
