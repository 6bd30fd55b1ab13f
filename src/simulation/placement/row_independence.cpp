#include "simulation/placement/row_independence.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"

namespace pawl {

RowIndependence::RowIndependence(Equations& equations) : equations_(equations) {
    const RowPattern& p = equations.pattern();
    products_ = row_products(p);
    for (const double scale : equations.column_scale()) weight_.push_back(1 / (scale * scale));
    std::vector<std::pair<int, int>> pairs;
    for (const RowProduct& x : products_) pairs.emplace_back(x.row, x.other);
    const std::vector<int> group = groups_of_rows(equations);
    ldlt_ = EnvelopeLdlt(pairs, group);
    for (int r = 0; r < p.rows(); ++r) {
        if (equations.labels()[static_cast<std::size_t>(r)].role != RowRole::joint ||
            std::count(group.begin(), group.end(), group[static_cast<std::size_t>(r)]) > 1)
            continue;
        single_.push_back(r);
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            if (equations.column_scale()[p.column[i]] == equations.model_size())
                turning_.push_back(p.column[i]);
    }
    std::sort(turning_.begin(), turning_.end());
    turning_.erase(std::unique(turning_.begin(), turning_.end()), turning_.end());
}

void RowIndependence::forget() {
    largest_.clear();
    best_.clear();
    levers_known_ = false;
}

void RowIndependence::remember(Memory& memory) { memory(largest_, best_, levers_known_); }

// The only row of a joint may vanish as a whole at a singular position, as that of a slot whose
// levers all lie along it. Its levers are what its change with the angles shows.
void RowIndependence::find_levers(std::span<const double> q, double t) {
    constexpr double turn = tolerance::independence_turn;
    levers_known_ = true;
    if (turning_.empty()) return;
    const RowPattern& p = equations_.pattern();
    largest_.resize(static_cast<std::size_t>(p.rows()), 0.0);
    equations_.set_position(q, t);
    before_ = equations_.jacobian();
    near_.assign(q.begin(), q.end());
    for (const int c : turning_) {
        near_[c] = q[c] + turn;
        equations_.set_position(near_, t);
        near_[c] = q[c];
        for (const int r : single_) {
            double lever = 0;
            for (int i = p.start[r]; i < p.start[r + 1]; ++i) {
                const double change = (equations_.jacobian()[i] - before_[i]) / turn;
                lever += weight_[p.column[i]] * change * change;
            }
            largest_[r] = std::max(largest_[r], lever);
        }
    }
}

void RowIndependence::fill() {
    const auto& g = equations_.jacobian();
    ldlt_.clear();
    for (const RowProduct& x : products_)
        ldlt_.add(x.other, x.row, weight_[x.column] * g[x.entry] * g[x.other_entry]);
}

double RowIndependence::at(std::span<const double> q, double t) {
    if (!levers_known_) find_levers(q, t);
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
    constexpr double raise = tolerance::independence_raise;
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
