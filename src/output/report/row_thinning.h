// Rows that are enough to show a motion: what lies between them is missed by no more than a
// tolerance when it is interpolated linearly. Knows columns and weights, not what they mean.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "results/trajectory.h"

namespace pawl {

struct ThinnedColumn {
    std::size_t column;
    double weight;  // of its error in the tolerance
};

// The first row, the last one, all of `always` (sorted) and as few others as a single pass finds:
// each piece goes on until a row inside it would be missed. Nothing when more than `max_rows` rows
// are needed.
std::optional<std::vector<std::size_t>> rows_within(const Trajectory& trajectory,
                                                    std::span<const ThinnedColumn> columns,
                                                    double tolerance,
                                                    std::span<const std::size_t> always,
                                                    std::size_t max_rows);

}  // namespace pawl
