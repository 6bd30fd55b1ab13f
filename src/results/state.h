// The state of a run.
#pragma once

#include <vector>

namespace pawl {

// Coordinates, velocities, and auxiliary states: those of the equations, then the work done by each
// driver.
struct State {
    double t = 0;
    std::vector<double> q, v, z;
};

}  // namespace pawl
