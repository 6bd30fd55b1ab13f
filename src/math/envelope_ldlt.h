// LDL^T of a symmetric positive semidefinite matrix in envelope storage: row i from its first entry to the diagonal.
// Dense for small systems, linear for banded ones. A pivot that vanishes marks a dependent row, which is dropped.
#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace pawl {

class EnvelopeLdlt {
public:
    EnvelopeLdlt() = default;
    // Pairs (i, j) of rows that are coupled; the order of elimination is chosen to keep the envelope small.
    EnvelopeLdlt(int size, const std::vector<std::pair<int, int>>& coupled);

    [[nodiscard]] int size() const { return static_cast<int>(order_.size()); }
    // Fill the matrix: clear, then add entries of either triangle (each pair once), then factor.
    void clear();
    void add(int i, int j, double value) {
        int a = place_[i], b = place_[j];
        if (a < b) std::swap(a, b);
        values_[start_[a] + b - first_[a]] += value;
    }
    // Returns how many rows were dropped as dependent (pivot below `drop` of the diagonal).
    int factor(double drop);
    void solve(std::span<double> x);
    [[nodiscard]] bool dropped(int row) const { return inverse_[place_[row]] == 0; }
    // Smallest pivot relative to its diagonal.
    [[nodiscard]] double smallest_pivot() const { return smallest_pivot_; }

private:
    std::vector<int> order_, place_;   // order_[k] is the row eliminated k-th
    std::vector<int> first_;           // per eliminated row: first column of its envelope
    std::vector<std::size_t> start_;   // per eliminated row: where its values begin
    std::vector<double> values_, inverse_, work_;
    double smallest_pivot_ = 1;
};

}  // namespace pawl
