// Inertia where some coordinates have none of their own and rows hold them: a massless link of a
// loop, a point mass that joints keep from turning. Knows the inertia of the tree and rows, no
// bodies.
//   M v' = f + G^T lambda,   G v' = gamma   has the motion of   (M + G^T A G) v' = f + G^T y
// with y = lambda + A gamma, whatever A > 0. The sum is regular where no motion that the rows allow
// is without inertia. Only the rows of the blocks of M that are singular are needed; the blocks
// that they touch become one.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Dense>

#include "coordinates/tree_inertia.h"
#include "math/linear/row_system.h"

namespace pawl {

class HeldInertia {
public:
    // `rows`: those that hold in every mode, of any role. Blocks of `tree` that are singular at the
    // position that is set are taken out of it.
    void adopt(TreeInertia<PlanarSpace>& tree, const RowPattern& pattern,
               std::span<const int> rows);
    // Every coordinate has an inertia: nothing here is needed.
    [[nodiscard]] bool empty() const { return groups_.empty(); }
    // A of each row; empty where nothing is held.
    [[nodiscard]] const std::vector<double>& row_inertia() const { return row_inertia_; }

    // Blocks of columns that the sum couples.
    [[nodiscard]] int block_of(int column) const { return block_of_column_[column]; }
    [[nodiscard]] int blocks() const { return static_cast<int>(kept_.size() + groups_.size()); }
    // The same everywhere; as in TreeInertia.
    [[nodiscard]] bool is_held(int column) const {
        return block_of_column_[column] >= static_cast<int>(kept_.size());
    }

    // At the position of the tree, with the values of the rows. False where nothing holds a column;
    // then `loose` is it.
    bool factor(TreeInertia<PlanarSpace>& tree, const RowPattern& pattern,
                std::span<const double> jacobian);
    [[nodiscard]] int loose() const { return loose_; }
    void solve(const TreeInertia<PlanarSpace>& tree, std::span<double> x) const;
    void solve(const TreeInertia<PlanarSpace>& tree, std::span<double> x,
               std::span<const int> blocks) const;

private:
    struct Group {
        std::vector<int> columns, rows;
        Eigen::MatrixXd sum;
        Eigen::LLT<Eigen::MatrixXd> factors;
    };
    void group_blocks(const TreeInertia<PlanarSpace>& tree, const RowPattern& pattern,
                      std::span<const int> rows, const std::vector<char>& is_singular);
    bool factor(Group& group, const TreeInertia<PlanarSpace>& tree, const RowPattern& pattern,
                std::span<const double> jacobian);
    void solve(const Group& group, std::span<double> x) const;

    std::vector<int> kept_;             // blocks of the tree that are solved there
    std::vector<Group> groups_;         // the others, by what couples them
    std::vector<int> block_of_column_;  // kept ones first, then groups
    std::vector<double> row_inertia_;
    std::vector<int> slot_;  // of a column in its group
    std::vector<double> unit_, column_;
    mutable Eigen::VectorXd part_;
    int loose_ = 0;
};

}  // namespace pawl
