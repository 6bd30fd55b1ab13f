// What a number of a trajectory is measured with when two of them are compared: the model's size
// for lengths, a radian (or the angle reached) for angles, and the rates of the fastest body for
// their derivatives.
#pragma once

#include <algorithm>
#include <cmath>

#include "math/units.h"
#include "results/trajectory.h"

namespace pawl::test {

class ColumnScale {
public:
    ColumnScale(const Trajectory& trajectory, double size) : trajectory_(trajectory), size_(size) {
        for (const Column& column : trajectory.columns)
            units_.push_back(column.unit == "1" ? Unit{} : parse_unit(column.unit).value());
        for (std::size_t r = 0; r < trajectory.rows(); ++r) {
            const auto rate = rates(r);
            for (int n = 0; n < 3; ++n) largest_[n] = std::max(largest_[n], rate[n]);
        }
    }
    // With the rates of this row.
    [[nodiscard]] double at(std::size_t row, std::size_t column) const {
        return scaled(row, column, rates(row));
    }
    // With the largest rates of the run: for numbers made of several rows.
    [[nodiscard]] double over_run(std::size_t row, std::size_t column) const {
        return scaled(row, column, largest_);
    }
    // The largest rate of turning, of any body or of the whole mechanism, 1/s.
    [[nodiscard]] double largest_rate() const { return largest_[1]; }
    // How many derivatives by time a column has; the time itself has none.
    [[nodiscard]] int order(std::size_t column) const {
        return std::max(0, static_cast<int>(std::lround(-units_[column].dimension.time)));
    }

private:
    using Rates = std::array<double, 3>;

    // 1, the largest of |v|/size and |omega|, the largest of |a|/size, |alpha| and the former
    // squared.
    [[nodiscard]] Rates rates(std::size_t row) const {
        Rates rate{1, 0, 0};
        for (std::size_t c = 1; c < units_.size(); ++c) {
            const Dimension& d = units_[c].dimension;
            const double number =
                std::abs(trajectory_.row(row)[c]) * units_[c].factor / std::pow(size_, d.length);
            if (order(c) > 0) rate[order(c)] = std::max(rate[order(c)], number);
        }
        rate[2] = std::max(rate[2], rate[1] * rate[1]);
        return rate;
    }
    [[nodiscard]] double scaled(std::size_t row, std::size_t column, const Rates& rate) const {
        const Unit& unit = units_[column];
        const double own = order(column) == 0 ? std::abs(trajectory_.row(row)[column]) : 0;
        return std::pow(size_, unit.dimension.length) * rate[order(column)] / unit.factor + own;
    }

    const Trajectory& trajectory_;
    double size_;
    std::vector<Unit> units_;
    Rates largest_{1, 0, 0};
};

}  // namespace pawl::test
