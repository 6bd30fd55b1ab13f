// A column of a trajectory between its rows. Knows samples and where events cut them.
#pragma once

#include <array>
#include <cmath>

#include "results/trajectory.h"

namespace pawl {

// Newton's polynomial through the samples of a column around a row, none of them beyond an event:
// there the time stands still for one row and the column may jump. Nor beyond a sample without a
// value.
class Interpolant {
public:
    static constexpr std::size_t samples = 7;  // error of the order of step^7

    Interpolant(const Trajectory& t, int column, std::size_t row) : first_(row) {
        std::size_t last = row;
        const auto joined = [&](std::size_t a, std::size_t b) {
            return t.row(a)[0] < t.row(b)[0] && std::isfinite(t.row(a)[column]) &&
                   std::isfinite(t.row(b)[column]);
        };
        while (last - first_ + 1 < samples) {
            const bool left = first_ > 0 && joined(first_ - 1, first_);
            const bool right = last + 1 < t.rows() && joined(last, last + 1);
            if (!left && !right) break;
            if (left && (!right || row - first_ <= last - row))
                --first_;
            else
                ++last;
        }
        count_ = last - first_ + 1;
        for (std::size_t i = 0; i < count_; ++i) {
            x_[i] = t.row(first_ + i)[0];
            c_[i] = t.row(first_ + i)[column];
        }
        for (std::size_t order = 1; order < count_; ++order)
            for (std::size_t i = count_ - 1; i >= order; --i)
                c_[i] = (c_[i] - c_[i - 1]) / (x_[i] - x_[i - order]);
    }

    struct Value {
        double y, slope;
    };
    [[nodiscard]] Value operator()(double x) const {
        Value v{0, 0};
        for (std::size_t i = count_; i-- > 0;) {
            v.slope = v.y + (x - x_[i]) * v.slope;
            v.y = c_[i] + (x - x_[i]) * v.y;
        }
        return v;
    }
    [[nodiscard]] double start() const { return x_[0]; }
    [[nodiscard]] double end() const { return x_[count_ - 1]; }
    // The rows that it goes through.
    [[nodiscard]] std::size_t first_row() const { return first_; }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] double time(std::size_t i) const { return x_[i]; }
    // How much its value at x moves with the i-th sample (Lagrange).
    [[nodiscard]] double weight(std::size_t i, double x) const {
        double w = 1;
        for (std::size_t k = 0; k < count_; ++k)
            if (k != i) w *= (x - x_[k]) / (x_[i] - x_[k]);
        return w;
    }
    // What its last sample changes at x: an upper estimate of its error where samples are dense
    // enough.
    [[nodiscard]] double last_term(double x) const {
        if (count_ < 2) return 0;
        double w = c_[count_ - 1];
        for (std::size_t k = 0; k + 1 < count_; ++k) w *= x - x_[k];
        return std::abs(w);
    }

private:
    std::size_t first_ = 0, count_ = 0;
    std::array<double, samples> x_{}, c_{};
};

}  // namespace pawl
