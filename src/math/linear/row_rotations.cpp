#include "math/linear/row_rotations.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/OrderingMethods>

#include "math/tolerances.h"

namespace pawl {

RowRotations::RowRotations(const RowPattern& pattern, std::span<const double> values,
                           std::span<const double> column_scale)
    : upper_(static_cast<std::size_t>(pattern.columns)) {
    const auto count = static_cast<std::size_t>(pattern.rows());
    std::vector<Row> rows(count);
    double largest = 0;
    for (std::size_t r = 0; r < count; ++r)
        for (int i = pattern.start[r]; i < pattern.start[r + 1]; ++i) {
            const double value = values[i] / column_scale[pattern.column[i]];
            if (value == 0) continue;
            largest = std::max(largest, std::abs(value));
            rows[r].emplace_back(pattern.column[i], value);
        }
    smallest_ = tolerance::rank * largest;
    choose_order(pattern, rows);
    for (Row& row : rows) {
        for (auto& entry : row) entry.first = position_[static_cast<std::size_t>(entry.first)];
        std::sort(row.begin(), row.end());
    }
    // Rows whose first entries come early first: none then passes more pivots than it must.
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const auto first = [](const Row& row) { return row.empty() ? -1 : row[0].first; };
        return first(rows[static_cast<std::size_t>(a)]) < first(rows[static_cast<std::size_t>(b)]);
    });
    for (const int r : order)
        (take(std::move(rows[static_cast<std::size_t>(r)])) ? rank_.independent : rank_.dependent)
            .push_back(r);
    rank_.rank = static_cast<int>(rank_.independent.size());
    std::sort(rank_.independent.begin(), rank_.independent.end());
    std::sort(rank_.dependent.begin(), rank_.dependent.end());
    for (int c = 0; c < pattern.columns; ++c)
        if (upper_[static_cast<std::size_t>(position_[static_cast<std::size_t>(c)])].empty())
            free_.push_back(c);
}

// Columns of few entries first (COLAMD, Davis et al. 2004), by the entries that are not zero.
void RowRotations::choose_order(const RowPattern& pattern, const std::vector<Row>& rows) {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (const auto& [column, value] : rows[r])
            entries.emplace_back(static_cast<int>(r), column, value);
    Eigen::SparseMatrix<double> matrix(pattern.rows(), pattern.columns);
    matrix.setFromTriplets(entries.begin(), entries.end());
    matrix.makeCompressed();
    Eigen::COLAMDOrdering<int>::PermutationType order;
    Eigen::COLAMDOrdering<int>()(matrix, order);
    position_.assign(order.indices().begin(), order.indices().end());
}

bool RowRotations::take(Row row) {
    while (!row.empty()) {
        Row& pivot = upper_[static_cast<std::size_t>(row[0].first)];
        if (!pivot.empty()) {
            rotate(pivot, row);
        } else if (std::abs(row[0].second) > smallest_) {
            pivot = std::move(row);
            return true;
        } else {
            row.erase(row.begin());
        }
    }
    return false;
}

// Both begin in the same column; the rotation takes that entry of the row away.
void RowRotations::rotate(Row& pivot, Row& row) {
    const double length = std::hypot(pivot[0].second, row[0].second);
    const double c = pivot[0].second / length, s = row[0].second / length;
    merged_.clear();
    left_.clear();
    merged_.emplace_back(pivot[0].first, length);
    for (std::size_t i = 1, k = 1; i < pivot.size() || k < row.size();) {
        const int at = std::min(i < pivot.size() ? pivot[i].first : row[k].first,
                                k < row.size() ? row[k].first : pivot[i].first);
        const double a = i < pivot.size() && pivot[i].first == at ? pivot[i++].second : 0;
        const double b = k < row.size() && row[k].first == at ? row[k++].second : 0;
        merged_.emplace_back(at, c * a + s * b);
        if (const double rest = c * b - s * a; rest != 0) left_.emplace_back(at, rest);
    }
    work_ += merged_.size();
    pivot.swap(merged_);
    row.swap(left_);
}

std::vector<double> RowRotations::direction(std::span<const double> of_free) const {
    std::vector<double> at(upper_.size(), 0.0), x(upper_.size());
    for (std::size_t i = 0; i < free_.size(); ++i)
        at[static_cast<std::size_t>(position_[static_cast<std::size_t>(free_[i])])] = of_free[i];
    for (std::size_t k = upper_.size(); k-- > 0;) {
        if (upper_[k].empty()) continue;
        double sum = 0;
        for (std::size_t i = 1; i < upper_[k].size(); ++i)
            sum -= upper_[k][i].second * at[static_cast<std::size_t>(upper_[k][i].first)];
        at[k] = sum / upper_[k][0].second;
    }
    for (std::size_t c = 0; c < x.size(); ++c) x[c] = at[static_cast<std::size_t>(position_[c])];
    return x;
}

std::size_t RowRotations::entries() const {
    std::size_t sum = 0;
    for (const Row& row : upper_) sum += row.size();
    return sum;
}

}  // namespace pawl
