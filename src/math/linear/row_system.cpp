#include "math/linear/row_system.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <Eigen/SparseLU>

#include "math/linear/dense.h"
#include "math/linear/row_rotations.h"
#include "math/tolerances.h"

namespace pawl {

struct RowSystem::Sparse {
    Eigen::SparseMatrix<double> matrix;  // compressed columns
    std::vector<int> index;              // of each value of chosen_ in matrix
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
    Eigen::VectorXd x, y;
};

std::vector<RowProduct> row_products(const RowPattern& pattern) {
    std::vector<std::vector<std::pair<int, int>>> in_column(
        static_cast<std::size_t>(pattern.columns));  // rows and entries
    for (int r = 0; r < pattern.rows(); ++r)
        for (int i = pattern.start[r]; i < pattern.start[r + 1]; ++i)
            in_column[static_cast<std::size_t>(pattern.column[i])].emplace_back(r, i);
    std::vector<RowProduct> products;
    for (int c = 0; c < pattern.columns; ++c) {
        const auto& entries = in_column[static_cast<std::size_t>(c)];
        for (std::size_t a = 0; a < entries.size(); ++a)
            for (std::size_t b = a; b < entries.size(); ++b)
                products.push_back(
                    {entries[a].first, entries[b].first, entries[a].second, entries[b].second, c});
    }
    return products;
}

RowSystem::RowSystem(const RowPattern& pattern, std::vector<int> rows) : rows_(std::move(rows)) {
    chosen_.columns = pattern.columns;
    for (const int r : rows_) {
        for (int i = pattern.start[r]; i < pattern.start[r + 1]; ++i) {
            chosen_.column.push_back(pattern.column[i]);
            source_.push_back(i);
        }
        chosen_.start.push_back(static_cast<int>(chosen_.column.size()));
    }
    const int n = size();
    values_.resize(source_.size());
    work_.resize(4 * n);
    if (n <= largest_dense) {
        lu_.resize(n * n);
        pivot_.resize(n);
        return;
    }
    sparse_ = std::make_shared<Sparse>();
    std::vector<Eigen::Triplet<double>> entries;
    for (int r = 0; r < n; ++r)
        for (int i = chosen_.start[r]; i < chosen_.start[r + 1]; ++i)
            entries.emplace_back(r, chosen_.column[i], 1.0 + i);  // the value marks the index
    auto& m = sparse_->matrix;
    m.resize(n, n);
    m.setFromTriplets(entries.begin(), entries.end());
    sparse_->index.resize(values_.size());
    for (Eigen::Index k = 0; k < m.nonZeros(); ++k)
        sparse_->index[static_cast<std::size_t>(std::lround(m.valuePtr()[k] - 1.0))] =
            static_cast<int>(k);
    sparse_->lu.analyzePattern(m);
    sparse_->x.resize(n);
}

bool RowSystem::factor(std::span<const double> values) {
    for (std::size_t i = 0; i < source_.size(); ++i) {
        values_[i] = values[source_[i]];
        if (!std::isfinite(values_[i])) {
            sign_ = 0;
            log_determinant_ = -INFINITY;
            return false;
        }
    }
    return sparse_ ? factor_sparse(values_) : factor_dense(values_);
}

// Gauss elimination with row exchanges, in place.
bool RowSystem::factor_dense(std::span<const double> values) {
    const int n = size();
    std::fill(lu_.begin(), lu_.end(), 0.0);
    for (int r = 0; r < n; ++r)
        for (int i = chosen_.start[r]; i < chosen_.start[r + 1]; ++i)
            lu_[r * n + chosen_.column[i]] = values[i];
    sign_ = 1;
    double product = 1;
    log_determinant_ = 0;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int r = k + 1; r < n; ++r)
            if (std::abs(lu_[r * n + k]) > std::abs(lu_[best * n + k])) best = r;
        pivot_[k] = best;
        if (best != k) {
            std::swap_ranges(&lu_[k * n], &lu_[k * n] + n, &lu_[best * n]);
            sign_ = -sign_;
        }
        const double pivot = lu_[k * n + k];
        if (pivot == 0) {
            sign_ = 0;
            log_determinant_ = -INFINITY;
            return false;
        }
        if (pivot < 0) sign_ = -sign_;
        product *= std::abs(pivot);
        if (product < 1e-100 || product > 1e100) {
            log_determinant_ += std::log(product);
            product = 1;
        }
        const double inverse = 1 / pivot;
        for (int r = k + 1; r < n; ++r) {
            double* row = &lu_[r * n];
            if (row[k] == 0) continue;
            const double f = row[k] *= inverse;
            for (int c = k + 1; c < n; ++c) row[c] -= f * lu_[k * n + c];
        }
    }
    log_determinant_ += std::log(product);
    return true;
}

bool RowSystem::factor_sparse(std::span<const double> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        sparse_->matrix.valuePtr()[sparse_->index[i]] = values[i];
    sparse_->lu.factorize(sparse_->matrix);
    if (sparse_->lu.info() != Eigen::Success) {
        sign_ = 0;
        log_determinant_ = -INFINITY;
        return false;
    }
    sign_ = sparse_->lu.signDeterminant();
    log_determinant_ = sparse_->lu.logAbsDeterminant();
    return true;
}

void RowSystem::solve(std::span<const double> b, std::span<double> x) {
    for (int r = 0; r < size(); ++r) x[r] = b[rows_[r]];
    solve_chosen(x);
}

void RowSystem::solve_chosen(std::span<double> x) {
    const int n = size();
    if (sparse_) {
        for (int i = 0; i < n; ++i) sparse_->x[i] = x[i];
        sparse_->y = sparse_->lu.solve(sparse_->x);
        for (int i = 0; i < n; ++i) x[i] = sparse_->y[i];
        return;
    }
    for (int k = 0; k < n; ++k)
        if (pivot_[k] != k) std::swap(x[k], x[pivot_[k]]);
    for (int r = 1; r < n; ++r) {
        double sum = x[r];
        for (int c = 0; c < r; ++c) sum -= lu_[r * n + c] * x[c];
        x[r] = sum;
    }
    for (int r = n - 1; r >= 0; --r) {
        double sum = x[r];
        for (int c = r + 1; c < n; ++c) sum -= lu_[r * n + c] * x[c];
        x[r] = sum / lu_[r * n + r];
    }
}

void RowSystem::solve_transposed_chosen(std::span<double> x) {
    const int n = size();
    if (sparse_) {
        for (int i = 0; i < n; ++i) sparse_->x[i] = x[i];
        sparse_->y = sparse_->lu.transpose().solve(sparse_->x);
        for (int i = 0; i < n; ++i) x[i] = sparse_->y[i];
        return;
    }
    for (int r = 0; r < n; ++r) {  // U^T
        double sum = x[r];
        for (int c = 0; c < r; ++c) sum -= lu_[c * n + r] * x[c];
        x[r] = sum / lu_[r * n + r];
    }
    for (int r = n - 1; r >= 0; --r) {  // L^T
        double sum = x[r];
        for (int c = r + 1; c < n; ++c) sum -= lu_[c * n + r] * x[c];
        x[r] = sum;
    }
    for (int k = n - 1; k >= 0; --k)
        if (pivot_[k] != k) std::swap(x[k], x[pivot_[k]]);
}

// ||A^-1||_1 by maximising ||A^-1 x||_1 over the unit ball of the 1-norm: climb from the centre
// along the gradient, which is found with the transposed system. Five climbs are always enough in
// practice.
double RowSystem::condition(std::span<const double> column_scale) {
    const int n = size();
    if (n == 0) return 1;
    if (sign_ == 0) return INFINITY;
    double norm = 0;
    std::span<double> column(work_.data(), n), x(work_.data() + n, n), z(work_.data() + 2 * n, n);
    std::fill(column.begin(), column.end(), 0.0);
    for (std::size_t i = 0; i < values_.size(); ++i)
        column[chosen_.column[i]] += std::abs(values_[i]);
    for (int c = 0; c < n; ++c) norm = std::max(norm, column[c] / column_scale[c]);
    std::fill(x.begin(), x.end(), 1.0 / n);
    double inverse_norm = 0;
    for (int climb = 0; climb < 5; ++climb) {
        solve_chosen(x);
        double size = 0;
        for (int i = 0; i < n; ++i) size += std::abs(x[i] *= column_scale[i]);
        if (!std::isfinite(size)) return INFINITY;
        if (climb > 0 && size <= inverse_norm) break;
        inverse_norm = size;
        for (int i = 0; i < n; ++i) z[i] = (x[i] < 0 ? -1.0 : 1.0) * column_scale[i];
        solve_transposed_chosen(z);
        const int best = static_cast<int>(
            std::max_element(z.begin(), z.end(),
                             [](double a, double b) { return std::abs(a) < std::abs(b); }) -
            z.begin());
        std::fill(x.begin(), x.end(), 0.0);
        x[best] = 1;
    }
    return norm * inverse_norm;
}

Eigen::MatrixXd scaled_dense(const RowPattern& pattern, std::span<const double> values,
                             std::span<const double> column_scale) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(pattern.rows(), pattern.columns);
    for (int r = 0; r < pattern.rows(); ++r)
        for (int i = pattern.start[r]; i < pattern.start[r + 1]; ++i)
            a(r, pattern.column[i]) = values[i] / column_scale[pattern.column[i]];
    return a;
}

bool is_large(int rows, int columns) {
    constexpr double largest_dense = 4e5;  // entries; above, a dense QR costs seconds
    return static_cast<double>(rows) * columns > largest_dense;
}

RowRank rank_of_rows(const RowPattern& pattern, std::span<const double> values,
                     std::span<const double> column_scale) {
    const int rows = pattern.rows();
    if (rows == 0) return {};
    if (is_large(rows, pattern.columns)) return RowRotations(pattern, values, column_scale).rank();
    const ColumnRank columns =
        rank_columns(scaled_dense(pattern, values, column_scale).transpose(), tolerance::rank);
    RowRank result;
    result.rank = columns.rank;
    for (int i = 0; i < rows; ++i)
        (i < result.rank ? result.independent : result.dependent)
            .push_back(columns.order[static_cast<std::size_t>(i)]);
    std::sort(result.independent.begin(), result.independent.end());
    std::sort(result.dependent.begin(), result.dependent.end());
    return result;
}

Eigen::MatrixXd null_space(const RowPattern& pattern, std::span<const double> values,
                           std::span<const double> column_scale) {
    if (pattern.rows() == 0) return Eigen::MatrixXd::Identity(pattern.columns, pattern.columns);
    return null_space(scaled_dense(pattern, values, column_scale), tolerance::rank);
}

}  // namespace pawl
