// The velocities that a dynamic run begins with.
#pragma once

#include <span>
#include <vector>

#include "equations/mechanism_equations.h"
#include "simulation/placement/assembly.h"

namespace pawl {

// Velocities that satisfy the rows and come nearest to those given in the model (bodies' `velocity`
// and `omega`); with `moved`, how much a given one had to be changed (m/s, largest).
std::vector<double> initial_velocities(const PlacedMechanism& placed,
                                       MechanismEquations<PlanarSpace>& equations,
                                       std::span<const double> q, double* moved);

}  // namespace pawl
