// What a model asks of design studies, and the choices that it has: how parameters scatter, and
// which values a sweep takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "math/named.h"
#include "math/span.h"

namespace pawl {

// Of a value within its tolerance. Normal: the tolerance is three standard deviations.
enum class Distribution { normal, uniform, triangular };
constexpr auto value_names(Distribution) {
    return std::array<std::string_view, 3>{"normal", "uniform", "triangular"};
}

enum class SweepMethod {
    grid,             // all combinations of the values given
    random,           // independent and uniform
    latin_hypercube,  // random, with one in each of as many parts of every range as there are runs
    sobol             // a sequence that fills space evenly (Sobol 1967)
};
constexpr auto value_names(SweepMethod) {
    return std::array<std::string_view, 4>{"grid", "random", "latin_hypercube", "sobol"};
}

struct SweepSettings {
    Span span;
    std::vector<std::string> vary;       // "stiffness=100:200:11 N/m"
    std::vector<std::string> responses;  // names or texts; empty: all of the model
    SweepMethod method = SweepMethod::grid;
    long runs = 0;  // of all methods but the grid
    std::uint64_t seed = 1;
};

}  // namespace pawl
