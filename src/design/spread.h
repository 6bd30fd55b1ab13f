// How the values of a response lie over many runs.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace pawl {

struct Spread {
    long count = 0;
    double least = std::numeric_limits<double>::infinity(), greatest = -least;

    // A value that is none does not count. Welford's sums: exact also where the values differ
    // little.
    void see(double value) {
        if (!std::isfinite(value)) return;
        ++count;
        least = std::min(least, value);
        greatest = std::max(greatest, value);
        const double before = value - mean_;
        mean_ += before / static_cast<double>(count);
        squares_ += before * (value - mean_);
    }
    // NaN where there is no value.
    [[nodiscard]] double mean() const { return count > 0 ? mean_ : NAN; }
    // Of the population that the values are a sample of.
    [[nodiscard]] double deviation() const {
        return count > 1 ? std::sqrt(squares_ / static_cast<double>(count - 1)) : NAN;
    }

private:
    double mean_ = 0, squares_ = 0;
};

}  // namespace pawl
