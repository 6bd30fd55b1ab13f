#include "math/linear/envelope_ldlt.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/tolerances/solving.h"

namespace pawl {

namespace {

std::size_t envelope_size(const std::vector<std::vector<int>>& neighbours,
                          const std::vector<int>& order) {
    std::vector<int> position(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<int>(k);
    std::size_t size = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        int first = static_cast<int>(k);
        for (const int n : neighbours[order[k]]) first = std::min(first, position[n]);
        size += k - first + 1;
    }
    return size;
}

// Reverse Cuthill-McKee: breadth first from a row of least degree, neighbours by degree, then
// reversed.
std::vector<int> reverse_cuthill_mckee(const std::vector<std::vector<int>>& neighbours) {
    const int n = static_cast<int>(neighbours.size());
    std::vector<int> order, by_degree(n);
    std::vector<char> seen(n, 0);
    std::iota(by_degree.begin(), by_degree.end(), 0);
    const auto less = [&](int a, int b) { return neighbours[a].size() < neighbours[b].size(); };
    std::stable_sort(by_degree.begin(), by_degree.end(), less);
    for (const int root : by_degree) {
        if (seen[root]) continue;
        seen[root] = 1;
        order.push_back(root);
        for (std::size_t head = order.size() - 1; head < order.size(); ++head) {
            std::vector<int> next;
            for (const int m : neighbours[order[head]])
                if (!seen[m]) {
                    seen[m] = 1;
                    next.push_back(m);
                }
            std::stable_sort(next.begin(), next.end(), less);
            order.insert(order.end(), next.begin(), next.end());
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

std::vector<std::vector<int>> neighbours_of(int size,
                                            const std::vector<std::pair<int, int>>& coupled) {
    std::vector<std::vector<int>> neighbours(size);
    for (const auto& [i, j] : coupled) {
        if (i == j) continue;
        neighbours[i].push_back(j);
        neighbours[j].push_back(i);
    }
    return neighbours;
}

std::vector<int> in_order(int size) {
    std::vector<int> order(size);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

}  // namespace

EnvelopeLdlt::EnvelopeLdlt(int size, const std::vector<std::pair<int, int>>& coupled) {
    const auto neighbours = neighbours_of(size, coupled);
    order_ = in_order(size);
    const std::vector<int> other = reverse_cuthill_mckee(neighbours);
    if (envelope_size(neighbours, other) < envelope_size(neighbours, order_)) order_ = other;
    lay_out(neighbours);
}

EnvelopeLdlt::EnvelopeLdlt(const std::vector<std::pair<int, int>>& coupled,
                           const std::vector<int>& group_of_row) {
    const int size = static_cast<int>(group_of_row.size());
    const auto neighbours = neighbours_of(size, coupled);
    std::vector<int> number(size), first;  // of the group of a row; row of a group
    for (int r = 0; r < size; ++r) {
        if (r == 0 || group_of_row[r] != group_of_row[r - 1]) first.push_back(r);
        number[r] = static_cast<int>(first.size()) - 1;
    }
    std::vector<std::pair<int, int>> groups;
    for (const auto& [i, j] : coupled)
        if (number[i] != number[j]) groups.push_back(std::minmax(number[i], number[j]));
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    std::vector<int> other;
    for (const int g : reverse_cuthill_mckee(neighbours_of(static_cast<int>(first.size()), groups)))
        for (int r = first[g]; r < size && number[r] == g; ++r) other.push_back(r);
    order_ = in_order(size);
    if (envelope_size(neighbours, other) < envelope_size(neighbours, order_)) order_ = other;
    lay_out(neighbours);
    set_groups(group_of_row);
}

void EnvelopeLdlt::lay_out(const std::vector<std::vector<int>>& neighbours) {
    const int size = static_cast<int>(order_.size());
    position_.resize(size);
    for (int k = 0; k < size; ++k) position_[order_[k]] = k;
    first_.resize(size);
    start_.resize(size);
    std::size_t total = 0;
    for (int k = 0; k < size; ++k) {
        first_[k] = k;
        for (const int n : neighbours[order_[k]]) first_[k] = std::min(first_[k], position_[n]);
        start_[k] = total;
        total += k - first_[k] + 1;
    }
    matrix_.assign(total, 0.0);
    values_ = matrix_;
    inverse_.assign(size, 0.0);
    scale_ = group_scale_ = work_ = left_ = step_ = filter_ = pivot_ = inverse_;
    group_ = in_order(size);
}

void EnvelopeLdlt::set_groups(const std::vector<int>& group_of_row) {
    for (int k = 0; k < size(); ++k) group_[k] = group_of_row[order_[k]];
}

void EnvelopeLdlt::clear() { std::fill(matrix_.begin(), matrix_.end(), 0.0); }

// Row by row: l_ij = (a_ij - sum_k l_ik d_k l_jk) / d_j. The products l_ik d_k are kept until the
// row is done.
void EnvelopeLdlt::eliminate() {
    constexpr double rounding = tolerance::pivot_digits;
    smallest_pivot_ = 1;
    for (int i = 0; i < size(); ++i) {
        double* row = &values_[start_[i]] - first_[i];
        const double diagonal = row[i];
        for (int j = first_[i]; j < i; ++j) {
            const double* other = &values_[start_[j]] - first_[j];
            double sum = row[j];
            for (int k = std::max(first_[i], first_[j]); k < j; ++k) sum -= row[k] * other[k];
            row[j] = sum;  // l_ij d_j for now
        }
        double pivot = diagonal;
        for (int j = first_[i]; j < i; ++j) {
            const double l = row[j] * inverse_[j];
            pivot -= l * row[j];
            row[j] = l;
        }
        // What is left of a row that depends on those before it is rounding.
        inverse_[i] = pivot > rounding * scale_[i] ? 1 / pivot : 0;
        pivot_[i] = pivot;
        smallest_pivot_ = std::min(smallest_pivot_, scale_[i] > 0 ? pivot / scale_[i] : 0);
    }
    smallest_pivot_ = std::max(0.0, smallest_pivot_);
}

// Of two rows with the pivots a, b and the factor l between them is left [a, a l; a l, b + a l^2].
double EnvelopeLdlt::smallest_pivot(std::vector<double>& largest, std::vector<double>& best) const {
    constexpr double independent = tolerance::independent_pivot;  // far above rounding of a pivot
    largest.resize(order_.size(), 0.0);
    best.resize(order_.size(), 0.0);
    double smallest = 1;
    const auto count = [&](int i, double pivot) {
        double& scale = largest[order_[i]];
        scale = std::max(scale, scale_[i]);
        if (!(scale > 0)) return;
        const double part = std::max(0.0, pivot / scale);
        best[order_[i]] = std::max(best[order_[i]], part);
        if (best[order_[i]] > independent) smallest = std::min(smallest, part);
    };
    for (int i = 0; i < size(); ++i) {
        if (i + 1 == size() || group_[i] != group_[i + 1]) {
            count(i, pivot_[i]);
            continue;
        }
        const double a = std::max(0.0, pivot_[i]), b = std::max(0.0, pivot_[i + 1]);
        const double l = first_[i + 1] <= i ? values_[start_[i + 1] + i - first_[i + 1]] : 0;
        const double half = 0.5 * (a + b + a * l * l);
        const double large = half + std::sqrt(std::max(0.0, half * half - a * b));
        count(i, large);
        count(++i, large > 0 ? a * b / large : 0);
    }
    return smallest;
}

void EnvelopeLdlt::find_scales() {
    std::fill(group_scale_.begin(), group_scale_.end(), 0.0);
    for (int i = 0; i < size(); ++i) {
        double& scale = group_scale_[group_[i]];
        scale = std::max(scale, matrix_[start_[i] + i - first_[i]]);
    }
    for (int i = 0; i < size(); ++i) scale_[i] = group_scale_[group_[i]];
}

// One row or two, as of a driver and a contact, without the loops; false where they depend on each
// other.
bool EnvelopeLdlt::factor_few(double dependent) {
    const int n = size();
    const double a = matrix_[0], d = matrix_.back(), c = matrix_.size() == 3 ? matrix_[1] : 0;
    if (!(a > 0)) return false;
    inverse_[0] = 1 / a;
    const double l = c * inverse_[0];
    const double pivot = n == 2 ? d - l * c : a;
    const bool together = n == 2 && group_[0] == group_[1];
    scale_[0] = together ? std::max(a, d) : a;
    scale_[n - 1] = together ? scale_[0] : d;
    const double first = a / scale_[0], last = pivot / scale_[n - 1];
    if (!(first >= dependent && last >= dependent)) return false;
    smallest_pivot_ = std::min({1.0, first, last});
    if (matrix_.size() == 3) values_[1] = l;
    pivot_[0] = a;
    pivot_[n - 1] = pivot;
    inverse_[n - 1] = 1 / pivot;
    regularised_ = false;
    return true;
}

void EnvelopeLdlt::factor(double dependent, double raise) {
    if (size() <= 2 && size() > 0 && factor_few(dependent)) return;
    std::copy(matrix_.begin(), matrix_.end(), values_.begin());
    find_scales();
    eliminate();
    regularised_ = smallest_pivot_ < dependent;
    if (!regularised_) return;
    const double smallest = smallest_pivot_;
    work_ = pivot_;
    values_ = matrix_;
    for (int i = 0; i < size(); ++i) values_[start_[i] + i - first_[i]] += raise * scale_[i];
    eliminate();
    smallest_pivot_ = smallest;
    pivot_.swap(work_);
}

void EnvelopeLdlt::solve_factors(std::span<double> x) const {
    const int n = size();
    for (int i = 0; i < n; ++i) {
        const double* row = &values_[start_[i]] - first_[i];
        double sum = x[i];
        for (int j = first_[i]; j < i; ++j) sum -= row[j] * x[j];
        x[i] = sum;
    }
    for (int i = 0; i < n; ++i) x[i] *= inverse_[i];
    for (int i = n - 1; i >= 0; --i) {
        const double* row = &values_[start_[i]] - first_[i];
        const double value = x[i];
        for (int j = first_[i]; j < i; ++j) x[j] -= row[j] * value;
    }
}

void EnvelopeLdlt::residual(std::span<const double> x, std::span<double> b) const {
    for (int i = 0; i < size(); ++i) {
        const double* row = &matrix_[start_[i]] - first_[i];
        double sum = row[i] * x[i];
        for (int j = first_[i]; j < i; ++j) {
            sum += row[j] * x[j];
            b[j] -= row[j] * x[i];
        }
        b[i] -= sum;
    }
}

// A'^-1 A shrinks a direction of eigenvalue s by s/(r + s): it leaves the regular ones alone and
// takes the singular ones away.
void EnvelopeLdlt::solve_filtered(std::span<double> x) {
    solve_factors(x);
    std::fill(filter_.begin(), filter_.end(), 0.0);
    residual(x, filter_);
    solve_factors(filter_);
    for (int k = 0; k < size(); ++k) x[k] = -filter_[k];
}

// With the raised matrix A' = A + r D, x <- x + A'^-1 (b - A x) shrinks the error in a direction of
// eigenvalue s (of D^-1 A) by r/(r + s) each time: at once in regular directions, slowly in those
// of a light part, not at all in singular ones, where it stops. Without a raise it takes away what
// rounding in the factors left. What the first x has along singular directions, it keeps.
void EnvelopeLdlt::solve(std::span<double> x, double refine, std::span<const double> start) {
    const int n = size();
    const bool refined = regularised_ || smallest_pivot_ < refine;
    if (n <= 2 && !refined) {
        if (n == 1) x[0] *= inverse_[0];
        if (n < 2) return;
        double &first = x[order_[0]], &second = x[order_[1]];
        const double l = values_.size() == 3 ? values_[1] : 0;
        second = (second - l * first) * inverse_[1];
        first = first * inverse_[0] - l * second;
        return;
    }
    for (int k = 0; k < n; ++k) work_[k] = x[order_[k]];
    if (refined) left_ = work_;
    const bool from_start = regularised_ && !start.empty();
    if (from_start)
        for (int k = 0; k < n; ++k) work_[k] = start[order_[k]];
    else
        solve_factors(work_);
    constexpr int max_passes = 20;
    constexpr double rounding = tolerance::solution_digits, falling = 0.7;
    double before = INFINITY;
    for (int pass = 0; refined && pass < max_passes; ++pass) {
        step_ = left_;
        residual(work_, step_);
        double left = 0, size = 0;
        for (int k = 0; k < n; ++k) {
            left = std::max(left, std::abs(step_[k]));
            size = std::max(size, std::abs(left_[k]));
        }
        if (!(left > rounding * size && left < falling * before)) break;
        before = left;
        if (from_start)
            solve_filtered(step_);
        else
            solve_factors(step_);
        for (int k = 0; k < n; ++k) work_[k] += step_[k];
    }
    for (int k = 0; k < n; ++k) x[order_[k]] = work_[k];
}

}  // namespace pawl
