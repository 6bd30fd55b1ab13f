// Inputs whose values a program computes while the model runs: functions of the time, of measures
// and their rates, and of the user's states. Knows no mechanism.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace pawl {

inline constexpr std::size_t max_arguments = 64;  // of a function; they are kept on the stack

struct ComputedInput {
    struct Argument {
        enum class Of { time, measure, rate, state };
        Of of = Of::time;
        std::size_t index = 0;  // among the measures or the states
    };
    std::size_t parameter = 0;  // its index among the parameters and inputs
    std::vector<Argument> arguments;
    std::function<double(std::span<const double> arguments)> value;

    [[nodiscard]] bool uses_measures() const {
        return std::any_of(arguments.begin(), arguments.end(), [](const Argument& a) {
            return a.of == Argument::Of::measure || a.of == Argument::Of::rate;
        });
    }
};
using ComputedInputs = std::vector<ComputedInput>;

}  // namespace pawl
