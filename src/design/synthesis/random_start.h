// First guesses of a search, each made from its number alone. Knows nothing of how they are solved.
#pragma once

#include <cstdint>

#include "design/synthesis/problem.h"

namespace pawl {

// Numbers in [0, 1) that are the same everywhere (splitmix64).
class RandomNumbers {
public:
    RandomNumbers(std::uint64_t seed, std::uint64_t stream);
    double next();
    double between(double low, double high) { return low + (high - low) * next(); }

private:
    std::uint64_t state_;
};

// A linkage that has one position of the task exactly and the others as well as it can: its points
// are thrown at random around those of the task, and its dimensions taken from them.
SynthesisUnknowns random_start(const SynthesisProblem& problem, double bounds,
                               RandomNumbers& random);
// The linkage of the problem with its numbers changed by up to a share, placed in every position.
SynthesisUnknowns varied_start(const SynthesisProblem& problem, double share,
                               RandomNumbers& random);

}  // namespace pawl
