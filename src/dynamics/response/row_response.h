// The response of the rows of some equations to forces along them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "equations/equations.h"
#include "math/linear/envelope_ldlt.h"
#include "math/tolerances.h"

namespace pawl {

// The response of the rows to forces along them: W = G M^-1 G^T at the position that is set.
class RowResponse {
public:
    explicit RowResponse(const Equations& equations);
    // After set_inertia: assembles and factors W.
    void factor();
    // x <- W^-1 x; bounded on rows that depend on each other.
    void solve(std::span<double> x) { ldlt_.solve(x, tolerance::near_singular); }
    // The same for all forces that act: rows that depend on each other share them as they do in
    // `start`, but for the least change. Empty: the smallest forces.
    void solve_forces(std::span<double> x) { ldlt_.solve(x, tolerance::near_singular, start_); }
    // And for a change of these forces.
    void solve_change(std::span<double> x) { ldlt_.solve(x, tolerance::near_singular, none_); }
    void set_start(std::vector<double> lambda) {
        start_ = std::move(lambda);
        none_.assign(start_.size(), 0.0);
    }
    [[nodiscard]] const std::vector<double>& start() const { return start_; }
    // v <- v + M^-1 G^T lambda; after factor.
    void add_response(std::span<const double> lambda, std::span<double> v) const;
    // How far the rows are from dependence on each other: the smallest pivot of W relative to its
    // diagonal, the square of an angle.
    [[nodiscard]] double smallest_pivot() const { return ldlt_.smallest_pivot(); }

private:
    void factor_response();
    // Whether the rows depend on each other as directions, whatever the masses.
    [[nodiscard]] bool are_dependent();

    const Equations& equations_;
    EnvelopeLdlt ldlt_, directions_;
    std::vector<std::vector<int>> blocks_of_row_;  // blocks that a row touches
    RowPattern coupled_;  // per row: rows from itself on that share a block
    // Columns that move when a force acts along a row, and how: row by row, M^-1 G^T.
    RowPattern moved_;
    std::vector<double> answers_;
    // Where all columns of the rows are alone in their blocks, with an inertia that is the same
    // everywhere: 1/M of each entry of the rows.
    bool is_simple_ = false;
    std::vector<double> inverse_;
    std::vector<RowProduct> products_;  // what W is the sum of there
    std::vector<double> column_;
    std::vector<double> start_, none_;  // one force per row, or empty
};

// Per row the first row of its element: the rows of a joint are components of one vector, which
// together say how large one of them can be.
std::vector<int> groups_of_rows(const Equations& equations);

}  // namespace pawl
