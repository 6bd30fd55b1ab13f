// One step of DOP853 of a given length, forwards or backwards, whatever its error: as a run has
// taken it. Knows rates, not what they belong to.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace pawl {

class FrozenStep {
public:
    using Rates = std::function<bool(double t, std::span<const double> y, std::span<double> dy)>;

    // y at t becomes y at t + h. False where the rates cannot be evaluated.
    bool take(double t, double h, std::vector<double>& y, const Rates& rates);
    // The estimates of the last step's error of order 5 and 3, before they are combined.
    [[nodiscard]] const std::vector<double>& error5() const { return error5_; }
    [[nodiscard]] const std::vector<double>& error3() const { return error3_; }

private:
    std::vector<std::vector<double>> k_;
    std::vector<double> stage_, error5_, error3_;
};

}  // namespace pawl
