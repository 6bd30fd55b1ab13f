#include "math/linear/block_lu.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Dense>
#include <Eigen/OrderingMethods>
#include <Eigen/Sparse>

#include "math/tolerances/solving.h"

namespace pawl {

namespace {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// c -= a b, of m x k and k x n.
void subtract_product(double* c, const double* a, const double* b, int m, int k, int n) {
    if (m == 3 && k == 3 && n == 3) {
        for (int i = 0; i < 3; ++i, a += 3, c += 3)
            for (int j = 0; j < 3; ++j) c[j] -= a[0] * b[j] + a[1] * b[3 + j] + a[2] * b[6 + j];
        return;
    }
    for (int i = 0; i < m; ++i)
        for (int l = 0; l < k; ++l)
            for (int j = 0; j < n; ++j) c[i * n + j] -= a[i * k + l] * b[l * n + j];
}

// a <- a^-1; false when it is singular.
bool invert(double* a, int n) {
    if (n == 1) {
        if (!(std::abs(a[0]) > 0) || !std::isfinite(a[0])) return false;
        a[0] = 1 / a[0];
        return true;
    }
    if (n == 3) {
        const double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8],
                     c2 = a[3] * a[7] - a[4] * a[6];
        const double determinant = a[0] * c0 + a[1] * c1 + a[2] * c2;
        const double scale = std::abs(a[0] * c0) + std::abs(a[1] * c1) + std::abs(a[2] * c2);
        if (!(std::abs(determinant) > tolerance::singular_block * scale) ||
            !std::isfinite(determinant)) {
            // Rounding has eaten the determinant: with exchange of rows.
            Eigen::Map<Dense> m(a, 3, 3);
            const Eigen::FullPivLU<Eigen::Matrix3d> lu(Eigen::Matrix3d(m) * 1.0);
            if (!lu.isInvertible()) return false;
            m = lu.inverse();
            return m.allFinite();
        }
        const double f = 1 / determinant;
        const double inverse[9] = {
            c0 * f, (a[2] * a[7] - a[1] * a[8]) * f, (a[1] * a[5] - a[2] * a[4]) * f,
            c1 * f, (a[0] * a[8] - a[2] * a[6]) * f, (a[2] * a[3] - a[0] * a[5]) * f,
            c2 * f, (a[1] * a[6] - a[0] * a[7]) * f, (a[0] * a[4] - a[1] * a[3]) * f};
        std::copy(inverse, inverse + 9, a);
        return true;
    }
    Eigen::Map<Dense> m(a, n, n);
    const Dense inverse = Eigen::PartialPivLU<Dense>(m).inverse();
    m = inverse;
    return m.allFinite();
}

}  // namespace

void BlockLu::analyse(const std::vector<int>& sizes,
                      const std::vector<std::pair<int, int>>& coupled) {
    const int n = static_cast<int>(sizes.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
    for (const auto& [i, j] : coupled) {
        entries.emplace_back(i, j, 1.0);
        entries.emplace_back(j, i, 1.0);
    }
    Eigen::SparseMatrix<double> graph(n, n);
    graph.setFromTriplets(entries.begin(), entries.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    Eigen::AMDOrdering<int>()(graph, order);
    order_.assign(order.indices().data(), order.indices().data() + n);
    position_.assign(n, 0);
    for (int k = 0; k < n; ++k) position_[order_[k]] = k;
    std::vector<int> starts(n + 1, 0);
    std::partial_sum(sizes.begin(), sizes.end(), starts.begin() + 1);
    size_.resize(n);
    start_.resize(n);
    for (int k = 0; k < n; ++k) {
        size_[k] = sizes[order_[k]];
        start_[k] = starts[order_[k]];
    }
    // What a pivot fills is passed on to the first that it fills: its parent in the tree.
    std::vector<std::vector<int>> below(n);
    for (int c = 0; c < n; ++c)
        for (Eigen::SparseMatrix<double>::InnerIterator it(graph, c); it; ++it)
            if (position_[it.row()] > position_[c])
                below[position_[c]].push_back(position_[it.row()]);
    first_.assign(1, 0);
    off_.clear();
    std::size_t next = 0;
    diagonal_.resize(n);
    for (int k = 0; k < n; ++k) {
        auto& rows = below[k];
        std::sort(rows.begin(), rows.end());
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        if (rows.size() > 1)
            below[rows[0]].insert(below[rows[0]].end(), rows.begin() + 1, rows.end());
        diagonal_[k] = next;
        next += static_cast<std::size_t>(size_[k]) * size_[k];
        for (const int row : rows) {
            const std::size_t block = static_cast<std::size_t>(size_[k]) * size_[row];
            off_.push_back({row, next, next + block});
            next += 2 * block;
        }
        first_.push_back(static_cast<int>(off_.size()));
    }
    values_.assign(next, 0.0);
    work_.resize(starts[n]);
}

void BlockLu::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

std::size_t BlockLu::offset(int row, int column) const {
    const int i = position_[row], j = position_[column];
    if (i == j) return diagonal_[i];
    const auto list = below(std::min(i, j));
    const auto found =
        std::lower_bound(list.begin(), list.end(), std::max(i, j),
                         [](const Off& off, int position) { return off.row < position; });
    return i > j ? found->lower : found->upper;
}

void BlockLu::eliminate(int pivot) {
    const auto list = below(pivot);
    const int k = size_[pivot];
    const double* inverse = values(diagonal_[pivot]);
    for (const Off& off : list) {  // L = A D^-1
        const int m = size_[off.row];
        double* lower = values(off.lower);
        scratch_.assign(static_cast<std::size_t>(m) * k, 0.0);
        subtract_product(scratch_.data(), lower, inverse, m, k, k);
        for (int i = 0; i < m * k; ++i) lower[i] = -scratch_[i];
    }
    for (std::size_t p = 0; p < list.size(); ++p) {
        const int i = list[p].row, m = size_[i];
        const double *lower = values(list[p].lower), *upper = values(list[p].upper);
        subtract_product(values(diagonal_[i]), lower, upper, m, k, m);
        const Off* target = off_.data() + first_[i];
        for (std::size_t q = p + 1; q < list.size(); ++q) {
            while (target->row < list[q].row) ++target;
            const int l = size_[list[q].row];
            subtract_product(values(target->lower), values(list[q].lower), upper, l, k, m);
            subtract_product(values(target->upper), lower, values(list[q].upper), m, k, l);
        }
    }
}

bool BlockLu::factor() {
    for (int k = 0; k < static_cast<int>(order_.size()); ++k) {
        if (!invert(values(diagonal_[k]), size_[k])) return false;
        eliminate(k);
    }
    return true;
}

void BlockLu::solve(std::span<double> x) const {
    const int n = static_cast<int>(order_.size());
    for (int k = 0; k < n; ++k) {
        const double* from = x.data() + start_[k];
        for (const Off& off : below(k))
            subtract_product(x.data() + start_[off.row], values_.data() + off.lower, from,
                             size_[off.row], size_[k], 1);
    }
    for (int k = n - 1; k >= 0; --k) {
        double* here = x.data() + start_[k];
        for (const Off& off : below(k))
            subtract_product(here, values_.data() + off.upper, x.data() + start_[off.row], size_[k],
                             size_[off.row], 1);
        std::fill_n(work_.data(), size_[k], 0.0);
        subtract_product(work_.data(), values_.data() + diagonal_[k], here, size_[k], size_[k], 1);
        for (int i = 0; i < size_[k]; ++i) here[i] = -work_[i];
    }
}

}  // namespace pawl
