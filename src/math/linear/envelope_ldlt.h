// LDL^T of a symmetric positive semidefinite matrix in envelope storage: row i from its first entry
// to the diagonal. Dense for small systems, linear for banded ones. Rows that depend on each other
// are regularised: their diagonal is raised a little, and the solution refined until its residual
// no longer falls, so that regular directions stay exact and singular ones stay bounded. What is
// factored and solved depends on the matrix at hand alone, not on earlier ones.
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
    // The same with the rows of each group, which follow each other, eliminated together.
    EnvelopeLdlt(const std::vector<std::pair<int, int>>& coupled,
                 const std::vector<int>& group_of_row);
    // Rows of one group are judged by the largest diagonal among them: at a singular position one
    // of them may vanish as a whole. Without groups each row is judged by its own.
    void set_groups(const std::vector<int>& group_of_row);

    [[nodiscard]] int size() const { return static_cast<int>(order_.size()); }
    // Fill the matrix: clear, then add entries of either triangle (each pair once), then factor.
    void clear();
    void add(int i, int j, double value) {
        int a = position_[i], b = position_[j];
        if (a < b) std::swap(a, b);
        matrix_[start_[a] + b - first_[a]] += value;
    }
    // When a pivot falls below `dependent` of the scale of its row, all diagonals are raised by the
    // part `raise` of their scale and the factors made again.
    void factor(double dependent, double raise);
    // Refined where the smallest pivot is below `refine` of its scale. With `start`, where rows
    // depend on each other, the solution nearest to it: what b contradicts itself by changes
    // nothing. (Without, the one nearest to zero but for b's contradictions over the raise.)
    void solve(std::span<double> x, double refine = 0, std::span<const double> start = {});
    // Smallest pivot relative to the scale of its row, before any raise; never below zero.
    [[nodiscard]] double smallest_pivot() const { return smallest_pivot_; }
    // The same with scales of at least `largest`, which grow to those at hand, among the rows that
    // have once been independent: `best` is the largest relative pivot of each so far. Two rows of
    // a group that are eliminated one after the other count by the eigenvalues of what is left of
    // them, whatever their directions.
    double smallest_pivot(std::vector<double>& largest, std::vector<double>& best) const;
    [[nodiscard]] bool regularised() const { return regularised_; }

private:
    bool factor_few(double dependent);
    void find_scales();
    void eliminate();
    void solve_factors(std::span<double> x) const;  // in the order of elimination
    // The step to the solution from what is left, without its part along singular directions.
    void solve_filtered(std::span<double> x);
    void residual(std::span<const double> x, std::span<double> b) const;  // b <- b - A x

    void lay_out(const std::vector<std::vector<int>>& neighbours);

    std::vector<int> order_, position_;  // order_[k] is the row eliminated k-th
    std::vector<int> first_;             // per eliminated row: first column of its envelope
    std::vector<std::size_t> start_;     // per eliminated row: where its values begin
    std::vector<double> matrix_, values_, inverse_, scale_, group_scale_, work_, left_, step_,
        filter_;
    std::vector<double> pivot_;  // before any raise
    std::vector<int> group_;     // per eliminated row
    double smallest_pivot_ = 1;
    bool regularised_ = false;
};

}  // namespace pawl
