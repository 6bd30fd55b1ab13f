// Derivatives of a model given as text.
#pragma once

#include <cmath>
#include <stdexcept>

#include "face/model.h"

namespace pawl::test {

inline Model model_from(const std::string& text) {
    Diagnostics problems;
    auto model = Model::read(text, problems);
    if (!model) throw std::runtime_error(problems.text());
    return *model;
}

inline Sensitivity sensitivity_of(const Model& model, std::vector<std::string> responses,
                                  std::vector<std::string> parameters = {}) {
    SensitivityOptions options;
    options.responses = std::move(responses);
    options.parameters = std::move(parameters);
    options.threads = 1;
    Diagnostics problems;
    const auto found = model.sensitivity(options, problems);
    if (!found) throw std::runtime_error(problems.text());
    return *found;
}

inline const Derivative& derivative(const Sensitivity& s, std::size_t response,
                                    const std::string& parameter) {
    for (std::size_t p = 0; p < s.parameters.size(); ++p)
        if (s.parameters[p].name == parameter) return s.derivatives[response][p];
    throw std::runtime_error("no parameter " + parameter);
}

// Of a closed form at some arguments by one of them, by a difference of order 4 over 2e-4 of it:
// good to 1e-11.
template <std::size_t n, class Function>
double slope_of(const Function& f, const std::array<double, n>& at, std::size_t by) {
    double sum = 0;
    for (const auto& [step, weight] :
         {std::pair{-2, 1.0 / 12}, {-1, -2.0 / 3}, {1, 2.0 / 3}, {2, -1.0 / 12}}) {
        std::array<double, n> x = at;
        x[by] *= 1 + 2e-4 * step;
        sum += weight * std::apply(f, x);
    }
    return sum / (2e-4 * at[by]);
}

}  // namespace pawl::test
