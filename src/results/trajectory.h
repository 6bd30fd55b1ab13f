// What a run leaves behind: samples in named columns with units.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "math/memory.h"
#include "math/spool.h"
#include "results/column.h"

namespace pawl {

class Trajectory {
public:
    std::vector<Column> columns;

    // Before the first row: rows that outgrow memory go to a file there.
    void spool(const SpoolLocation& location) {
        location_ = location;
        values_.use(location, "rows");
    }
    void add(std::span<const double> row) { values_.add(row); }
    [[nodiscard]] std::size_t rows() const {
        return columns.empty() ? 0 : values_.size() / columns.size();
    }
    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return values_.part(i * columns.size(), columns.size());
    }
    // All rows, one after the other; valid until something is added.
    [[nodiscard]] std::span<const double> values() const { return values_.all(); }
    // Adds columns on the right; `fill` gives the cells of a row, one row after the other.
    using Fill = std::function<void(std::size_t row, std::span<double> cells)>;
    void widen(const std::vector<Column>& added, const Fill& fill);
    void remember(Memory& memory) { memory(values_); }
    // Index of a column by name; -1 when there is none.
    [[nodiscard]] int find(const std::string& name) const;

private:
    Spool<double> values_;  // row by row
    SpoolLocation location_;
};

}  // namespace pawl
