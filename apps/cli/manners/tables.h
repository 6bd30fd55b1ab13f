// Numbers on the terminal. Rounding noise is not shown as data there; files keep every digit.
#pragma once

#include <vector>

#include "mechanism/mechanism.h"
#include "output/result/shown_units.h"

namespace pawl::cli {

// The value, or 0 where it is rounding beside a scale, the largest value of its kind: below 1e-12
// of it, which is less than the digits that are shown and less than runs and assembly are exact to.
double shown_beside(double value, double scale);

// Positions of the moving bodies.
void print_positions(const PlanarMechanism& mechanism,
                     const std::vector<PlanarSpace::Position>& positions, const ShownUnits& units);

}  // namespace pawl::cli
