// A column of a trajectory between its rows. Knows samples and where events cut them.
#pragma once

#include <vector>

#include "results/trajectory.h"

namespace pawl {

// Newton's polynomial through the samples of a column around a row, none of them beyond an event:
// there the time stands still for one row and the column may jump.
class Interpolant {
public:
    Interpolant(const Trajectory& t, int column, std::size_t row) {
        std::size_t first = row, last = row;
        while (last - first + 1 < samples) {
            const bool left = first > 0 && t.row(first - 1)[0] < t.row(first)[0];
            const bool right = last + 1 < t.rows() && t.row(last)[0] < t.row(last + 1)[0];
            if (!left && !right) break;
            if (left && (!right || row - first <= last - row))
                --first;
            else
                ++last;
        }
        for (std::size_t r = first; r <= last; ++r) {
            x_.push_back(t.row(r)[0]);
            c_.push_back(t.row(r)[column]);
        }
        for (std::size_t order = 1; order < x_.size(); ++order)
            for (std::size_t i = x_.size() - 1; i >= order; --i)
                c_[i] = (c_[i] - c_[i - 1]) / (x_[i] - x_[i - order]);
    }

    struct Value {
        double y, slope;
    };
    [[nodiscard]] Value operator()(double x) const {
        Value v{0, 0};
        for (std::size_t i = x_.size(); i-- > 0;) {
            v.slope = v.y + (x - x_[i]) * v.slope;
            v.y = c_[i] + (x - x_[i]) * v.y;
        }
        return v;
    }
    [[nodiscard]] double start() const { return x_.front(); }
    [[nodiscard]] double end() const { return x_.back(); }

private:
    static constexpr std::size_t samples = 7;  // error of the order of step^7
    std::vector<double> x_, c_;
};

}  // namespace pawl
