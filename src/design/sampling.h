// Points of the unit cube by their number: random, Latin hypercube, Sobol. The point of a number
// depends on nothing else, so that runs can be taken in any order and in any number of threads.
// Knows no parameters.
#pragma once

#include <cstdint>
#include <vector>

#include "mechanism/design_settings.h"

namespace pawl {

// Of the table of direction numbers.
inline constexpr int max_sobol_dimensions = 21;

class UnitSampler {
public:
    // `count` points; of a Sobol sequence not more dimensions than above. No grid.
    UnitSampler(SweepMethod method, int dimensions, long count, std::uint64_t seed);

    // Between 0 and 1, neither of them.
    [[nodiscard]] double operator()(long point, int dimension) const;

private:
    [[nodiscard]] double random(std::uint64_t stream, long point, int dimension) const;
    void shuffle(int dimension, long count);

    SweepMethod method_;
    std::uint64_t seed_;
    std::vector<std::vector<long>> permutations_;         // Latin hypercube: by dimension, point
    std::vector<std::vector<std::uint32_t>> directions_;  // Sobol: by dimension, bit
};

// The deviation from the nominal value, as a part of the tolerance, below which a share of all
// values lies.
double quantile(Distribution distribution, double share);
// Its standard deviation, as a part of the tolerance.
double standard_deviation(Distribution distribution);

}  // namespace pawl
