// LU without exchange of rows of a sparse matrix of dense blocks with a symmetric pattern: for
// matrices whose symmetric part is positive definite, or nearly so. The order of elimination is
// that of least degree. Knows nothing of mechanisms.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace pawl {

class BlockLu {
public:
    // Sizes of the blocks on the diagonal, and pairs of blocks that are coupled.
    void analyse(const std::vector<int>& sizes, const std::vector<std::pair<int, int>>& coupled);
    void clear();
    // Where the values of a block (row, column) are, row by row; it must be in the pattern. Holds
    // until the next analyse.
    [[nodiscard]] std::size_t offset(int row, int column) const;
    [[nodiscard]] double* values(std::size_t offset) { return values_.data() + offset; }
    // Overwrites the values. False when a block on the diagonal is singular.
    bool factor();
    // x <- A^-1 x, in the order of the blocks as they were given.
    void solve(std::span<double> x) const;
    [[nodiscard]] std::size_t stored() const { return values_.size(); }

private:
    struct Off {
        int row;                   // position in the order of elimination
        std::size_t lower, upper;  // values of (row, pivot) and of (pivot, row)
    };
    [[nodiscard]] std::span<const Off> below(int pivot) const {
        return {off_.data() + first_[pivot],
                static_cast<std::size_t>(first_[pivot + 1] - first_[pivot])};
    }
    void eliminate(int pivot);

    std::vector<int> order_, position_;  // order_[k]: the block eliminated k-th
    std::vector<int> size_, start_;  // by the order of elimination; start in the caller's vector
    std::vector<int> first_;         // of the entries of a pivot in off_
    std::vector<Off> off_;           // below each pivot, ascending
    std::vector<std::size_t> diagonal_;
    std::vector<double> values_;
    std::vector<double> scratch_;
    mutable std::vector<double> work_;
};

}  // namespace pawl
