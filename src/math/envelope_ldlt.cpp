#include "math/envelope_ldlt.h"

#include <algorithm>
#include <numeric>

namespace pawl {

namespace {

std::size_t envelope_size(const std::vector<std::vector<int>>& neighbours, const std::vector<int>& order) {
    std::vector<int> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
    std::size_t size = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        int first = static_cast<int>(k);
        for (const int n : neighbours[order[k]]) first = std::min(first, place[n]);
        size += k - first + 1;
    }
    return size;
}

// Reverse Cuthill-McKee: breadth first from a row of least degree, neighbours by degree, then reversed.
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

}  // namespace

EnvelopeLdlt::EnvelopeLdlt(int size, const std::vector<std::pair<int, int>>& coupled) {
    std::vector<std::vector<int>> neighbours(size);
    for (const auto& [i, j] : coupled) {
        if (i == j) continue;
        neighbours[i].push_back(j);
        neighbours[j].push_back(i);
    }
    order_.resize(size);
    std::iota(order_.begin(), order_.end(), 0);
    const std::vector<int> other = reverse_cuthill_mckee(neighbours);
    if (envelope_size(neighbours, other) < envelope_size(neighbours, order_)) order_ = other;
    place_.resize(size);
    for (int k = 0; k < size; ++k) place_[order_[k]] = k;
    first_.resize(size);
    start_.resize(size);
    std::size_t total = 0;
    for (int k = 0; k < size; ++k) {
        first_[k] = k;
        for (const int n : neighbours[order_[k]]) first_[k] = std::min(first_[k], place_[n]);
        start_[k] = total;
        total += k - first_[k] + 1;
    }
    values_.assign(total, 0.0);
    inverse_.assign(size, 0.0);
    work_.assign(size, 0.0);
}

void EnvelopeLdlt::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

// Row by row: l_ij = (a_ij - sum_k l_ik d_k l_jk) / d_j. The products l_ik d_k are kept until the row is done.
int EnvelopeLdlt::factor(double drop) {
    int dropped = 0;
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
        if (!(pivot > drop * diagonal)) {
            inverse_[i] = 0;
            ++dropped;
        } else {
            inverse_[i] = 1 / pivot;
            smallest_pivot_ = std::min(smallest_pivot_, pivot / diagonal);
        }
    }
    return dropped;
}

void EnvelopeLdlt::solve(std::span<double> x) {
    const int n = size();
    for (int k = 0; k < n; ++k) work_[k] = x[order_[k]];
    for (int i = 0; i < n; ++i) {
        const double* row = &values_[start_[i]] - first_[i];
        double sum = work_[i];
        for (int j = first_[i]; j < i; ++j) sum -= row[j] * work_[j];
        work_[i] = sum;
    }
    for (int i = 0; i < n; ++i) work_[i] *= inverse_[i];
    for (int i = n - 1; i >= 0; --i) {
        if (inverse_[i] == 0) work_[i] = 0;  // a dropped row carries nothing
        const double* row = &values_[start_[i]] - first_[i];
        const double value = work_[i];
        for (int j = first_[i]; j < i; ++j) work_[j] -= row[j] * value;
    }
    for (int k = 0; k < n; ++k) x[order_[k]] = work_[k];
}

}  // namespace pawl
