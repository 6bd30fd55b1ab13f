// The classical method of Runge and Kutta with fixed steps and without projection: tests of
// formulations need neither error control nor the program's own steppers.
#pragma once

#include <stdexcept>

#include "dynamics/formulations/dynamics.h"

namespace pawl::test {

inline State state_after(Dynamics& dynamics, State state, double end, int steps) {
    dynamics.refresh(state);
    std::vector<double> y(static_cast<std::size_t>(dynamics.size())), stage, k[4];
    dynamics.pack(state, y);
    for (auto& rate : k) rate.resize(y.size());
    const double h = (end - state.t) / steps, part[] = {0, 0.5, 0.5, 1};
    for (int i = 0; i < steps; ++i, state.t += h) {
        for (int j = 0; j < 4; ++j) {
            stage = y;
            for (std::size_t c = 0; j > 0 && c < y.size(); ++c)
                stage[c] += h * part[j] * k[j - 1][c];
            if (dynamics.rates(state.t + part[j] * h, stage, k[j]) != RateOutcome::solved)
                throw std::runtime_error("no rates");
        }
        for (std::size_t c = 0; c < y.size(); ++c)
            y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
    state.t = end;
    dynamics.unpack(y, state);
    return state;
}

}  // namespace pawl::test
