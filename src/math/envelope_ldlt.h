// LDL^T of a symmetric positive semidefinite matrix in envelope storage: row i from its first entry
// to the diagonal. Dense for small systems, linear for banded ones. Rows that are nearly dependent
// are regularised: their diagonal is raised a little, and the solution refined, so that regular
// directions stay exact and singular ones stay bounded.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace pawl {

class EnvelopeLdlt {
public:
    EnvelopeLdlt() = default;
    // Pairs (i, j) of rows that are coupled; the order of elimination is chosen to keep the
    // envelope small.
    EnvelopeLdlt(int size, const std::vector<std::pair<int, int>>& coupled);

    [[nodiscard]] int size() const { return static_cast<int>(order_.size()); }
    // Fill the matrix: clear, then add entries of either triangle (each pair once), then factor.
    void clear();
    void add(int i, int j, double value) {
        int a = place_[i], b = place_[j];
        if (a < b) std::swap(a, b);
        matrix_[start_[a] + b - first_[a]] += value;
    }
    // When a pivot falls below `near_singular` of the largest diagonal that is remembered of its
    // row, all diagonals are raised by the part `raise` of theirs and the factors made again. (At a
    // singular position the whole row may vanish.)
    void factor(double near_singular, double raise);
    // The diagonals at hand are ordinary ones, not those of a trial step that blew up.
    void remember();
    void solve(std::span<double> x);
    // The rows become others: what was remembered does not count any more.
    void forget() { std::fill(reference_.begin(), reference_.end(), 0.0); }
    // Smallest pivot relative to the largest diagonal of its row, before any raise.
    [[nodiscard]] double smallest_pivot() const { return smallest_pivot_; }
    [[nodiscard]] bool regularised() const { return regularised_; }

private:
    bool factor_few(double near_singular);
    void eliminate();
    void solve_factors(std::span<double> x) const;  // in the order of elimination
    void residual(std::span<const double> x, std::span<double> b) const;  // b <- b - A x

    std::vector<int> order_, place_;  // order_[k] is the row eliminated k-th
    std::vector<int> first_;          // per eliminated row: first column of its envelope
    std::vector<std::size_t> start_;  // per eliminated row: where its values begin
    std::vector<double> matrix_, values_, inverse_, reference_, scale_, work_, left_, step_;
    double smallest_pivot_ = 1;
    bool regularised_ = false;
};

}  // namespace pawl
