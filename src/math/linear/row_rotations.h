// The upper triangle of a sparse matrix, made by rotating one row after the other into it (George
// and Heath 1980): which rows depend on the others, and the directions that all rows leave free.
// Work and memory follow the structure of the matrix: linear for chains and for rows of loops.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "math/linear/row_system.h"

namespace pawl {

class RowRotations {
public:
    // Of A D_c^-1 with column scales D_c. What is left of a row counts as nothing below
    // tolerance::rank of the largest entry of the matrix.
    RowRotations(const RowPattern& pattern, std::span<const double> values,
                 std::span<const double> column_scale);

    [[nodiscard]] const RowRank& rank() const { return rank_; }
    // Columns that no row determines, ascending: each stands for one free direction.
    [[nodiscard]] const std::vector<int>& free_columns() const { return free_; }
    // The vector x with A D_c^-1 x = 0 that has these values in the free columns.
    [[nodiscard]] std::vector<double> direction(std::span<const double> of_free) const;
    // Entries of the triangle, and of all rows that were rotated on the way: the memory and the
    // work.
    [[nodiscard]] std::size_t entries() const;
    [[nodiscard]] std::size_t work() const { return work_; }

private:
    using Row = std::vector<std::pair<int, double>>;  // by the position of the column, ascending
    void choose_order(const RowPattern& pattern, const std::vector<Row>& rows);
    // Takes the row in; false when nothing is left of it.
    bool take(Row row);
    void rotate(Row& pivot, Row& row);

    double smallest_ = 0;        // entry that counts
    std::vector<int> position_;  // per column, in the order of elimination
    std::vector<Row> upper_;     // per position; empty where no row has its first entry
    std::vector<int> free_;
    RowRank rank_;
    Row merged_, left_;
    std::size_t work_ = 0;
};

}  // namespace pawl
