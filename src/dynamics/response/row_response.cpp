#include "dynamics/response/row_response.h"

#include <algorithm>

#include "math/tolerances/solving.h"

namespace pawl {

std::vector<int> groups_of_rows(const Equations& equations) {
    const auto& labels = equations.labels();
    std::vector<int> group(labels.size());
    for (std::size_t r = 0; r < labels.size(); ++r) {
        const bool same = r > 0 && labels[r].element == labels[r - 1].element &&
                          labels[r].role == labels[r - 1].role;
        group[r] = same ? group[r - 1] : static_cast<int>(r);
    }
    return group;
}

RowResponse::RowResponse(const Equations& equations) : equations_(equations) {
    const RowPattern& p = equations.pattern();
    std::vector<std::vector<int>> rows_of_block(equations.block_count());
    std::vector<std::vector<int>> block_columns(equations.block_count());
    for (int c = 0; c < equations.size(); ++c) block_columns[equations.block_of(c)].push_back(c);
    for (int r = 0; r < p.rows(); ++r) {
        std::vector<int> blocks;
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            blocks.push_back(equations.block_of(p.column[i]));
        std::sort(blocks.begin(), blocks.end());
        blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
        for (const int b : blocks) {
            rows_of_block[b].push_back(r);
            moved_.column.insert(moved_.column.end(), block_columns[b].begin(),
                                 block_columns[b].end());
        }
        moved_.start.push_back(static_cast<int>(moved_.column.size()));
        blocks_of_row_.push_back(std::move(blocks));
    }
    std::vector<std::pair<int, int>> pairs;
    for (int r = 0; r < p.rows(); ++r) {
        std::vector<int> coupled;
        for (const int b : blocks_of_row_[r])
            for (const int s : rows_of_block[b])
                if (s >= r) coupled.push_back(s);
        std::sort(coupled.begin(), coupled.end());
        coupled.erase(std::unique(coupled.begin(), coupled.end()), coupled.end());
        for (const int s : coupled) pairs.emplace_back(r, s);
        coupled_.column.insert(coupled_.column.end(), coupled.begin(), coupled.end());
        coupled_.start.push_back(static_cast<int>(coupled_.column.size()));
    }
    ldlt_ = EnvelopeLdlt(p.rows(), pairs);
    ldlt_.set_groups(groups_of_rows(equations));
    answers_.resize(moved_.column.size());
    is_simple_ = moved_.column == p.column;
    for (const int c : p.column) {
        inverse_.push_back(equations.constant_inverse(c));
        is_simple_ = is_simple_ && inverse_.back() > 0;
    }
    directions_ = ldlt_;
    products_ = row_products(p);
    column_.assign(equations.size(), 0.0);
}

void RowResponse::factor() {
    const RowPattern& p = equations_.pattern();
    const auto& g = equations_.jacobian();
    ldlt_.clear();
    if (is_simple_) {
        for (std::size_t i = 0; i < answers_.size(); ++i) answers_[i] = inverse_[i] * g[i];
        for (const RowProduct& x : products_)
            ldlt_.add(x.other, x.row, answers_[x.entry] * g[x.other_entry]);
        factor_response();
        return;
    }
    for (int r = 0; r < p.rows(); ++r) {
        for (int i = p.start[r]; i < p.start[r + 1]; ++i) column_[p.column[i]] = g[i];
        equations_.solve_inertia(column_, blocks_of_row_[r]);
        for (int k = coupled_.start[r]; k < coupled_.start[r + 1]; ++k) {
            const int s = coupled_.column[k];
            double sum = 0;
            for (int i = p.start[s]; i < p.start[s + 1]; ++i) sum += g[i] * column_[p.column[i]];
            ldlt_.add(s, r, sum);
        }
        for (int i = moved_.start[r]; i < moved_.start[r + 1]; ++i) {
            answers_[i] = column_[moved_.column[i]];
            column_[moved_.column[i]] = 0;
        }
    }
    factor_response();
}

// A small pivot means rows that depend on each other, or a light part between them: W is then the
// sum of a large response that the rows share and of a small one that distinguishes them. That
// needs no raise: the pivot keeps the digits that are above rounding, and refinement the others.
void RowResponse::factor_response() {
    constexpr double rounding = tolerance::pivot_rounding;  // of a pivot, some hundred terms
    ldlt_.factor(tolerance::dependent, tolerance::dependent_raise);
    if (ldlt_.regularised() && ldlt_.smallest_pivot() > rounding && !are_dependent())
        ldlt_.factor(0, 0);
}

bool RowResponse::are_dependent() {
    const auto& g = equations_.jacobian();
    const auto& scale = equations_.column_scale();
    directions_.clear();
    for (const RowProduct& x : products_)
        directions_.add(x.other, x.row,
                        g[x.entry] / scale[x.column] * (g[x.other_entry] / scale[x.column]));
    directions_.factor(0, 0);
    return directions_.smallest_pivot() < tolerance::dependent;
}

void RowResponse::add_response(std::span<const double> lambda, std::span<double> v) const {
    for (int r = 0; r < moved_.rows(); ++r)
        for (int i = moved_.start[r]; i < moved_.start[r + 1]; ++i)
            v[moved_.column[i]] += lambda[r] * answers_[i];
}

}  // namespace pawl
