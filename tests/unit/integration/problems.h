// Differential equations with known solutions, for the tests of the steppers.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "integration/stepper.h"

namespace pawl::problems {

using StateVector = std::vector<double>;

// A right-hand side from a function that returns nothing: it can always be evaluated.
class Problem final : public RightHandSide {
public:
    using Rates = std::function<void(double, std::span<const double>, std::span<double>)>;
    explicit Problem(Rates f) : f_(std::move(f)) {}
    bool rates(double t, std::span<const double> y, std::span<double> dy) override {
        f_(t, y, dy);
        return true;
    }

private:
    Rates f_;
};

// y = cos t, y' = -sin t.
inline Problem oscillator() {
    return Problem([](double, std::span<const double> y, std::span<double> dy) {
        dy[0] = y[1];
        dy[1] = -y[0];
    });
}

// The plane two-body problem with unit period 2 pi, starting at the pericentre.
inline Problem kepler() {
    return Problem([](double, std::span<const double> y, std::span<double> dy) {
        const double r = std::hypot(y[0], y[1]), r3 = r * r * r;
        dy[0] = y[2];
        dy[1] = y[3];
        dy[2] = -y[0] / r3;
        dy[3] = -y[1] / r3;
    });
}

// Its solution: Newton for the eccentric anomaly E - e sin E = t.
inline StateVector kepler_orbit(double t, double e) {
    double anomaly = t;
    for (int i = 0; i < 50; ++i)
        anomaly -= (anomaly - e * std::sin(anomaly) - t) / (1 - e * std::cos(anomaly));
    const double c = std::cos(anomaly), s = std::sin(anomaly), w = std::sqrt(1 - e * e);
    const double rate = 1 / (1 - e * c);
    return {c - e, w * s, -s * rate, w * c * rate};
}

inline Problem van_der_pol(double mu) {
    return Problem([mu](double, std::span<const double> y, std::span<double> dy) {
        dy[0] = y[1];
        dy[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
    });
}

// y = cos t whatever the rate at which other solutions fall towards it (Prothero and Robinson
// 1974).
inline Problem attracted_to_cosine(double rate) {
    return Problem([rate](double t, std::span<const double> y, std::span<double> dy) {
        dy[0] = -rate * (y[0] - std::cos(t)) - std::sin(t);
    });
}

inline double distance(std::span<const double> a, std::span<const double> b) {
    double square = 0;
    for (std::size_t i = 0; i < b.size(); ++i) square += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(square);
}

// Steps to t_end; false when a step fails.
inline bool advance(Stepper& stepper, double t_end) {
    while (stepper.t() < t_end)
        if (stepper.step(t_end) != StepOutcome::stepped) return false;
    return true;
}

// Options that make an adaptive stepper take steps of this size: every error is small enough.
inline StepperOptions steps_of(double h) {
    StepperOptions options;
    options.rtol = 1e6;
    options.first_step = options.largest_step = options.fixed_step = h;
    return options;
}

}  // namespace pawl::problems
