#include "simulation/sensitivity/frozen_step.h"

#include "integration/dop853_coefficients.h"

namespace pawl {

bool FrozenStep::take(double t, double h, std::vector<double>& y, const Rates& rates) {
    using namespace dop853;
    const std::size_t n = y.size();
    k_.resize(stages);
    for (auto& k : k_) k.resize(n);
    const auto sum = [&](const Row& weights, int count, std::size_t i) {
        double total = 0;
        for (int j = 0; j < count; ++j)
            if (weights[static_cast<std::size_t>(j)] != 0)
                total += weights[static_cast<std::size_t>(j)] * k_[static_cast<std::size_t>(j)][i];
        return total;
    };
    stage_.resize(n);
    for (int s = 0; s < stages; ++s) {
        const auto at = static_cast<std::size_t>(s);
        for (std::size_t i = 0; i < n; ++i) stage_[i] = y[i] + h * sum(a[at], s, i);
        if (!rates(t + c[at] * h, stage_, k_[at])) return false;
    }
    error5_.resize(n);
    error3_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double slope = sum(b, stages, i);
        error5_[i] = h * sum(dop853::error5, stages, i);
        error3_[i] = h * (slope - sum(b3, stages, i));
        y[i] += h * slope;
    }
    return true;
}

}  // namespace pawl
