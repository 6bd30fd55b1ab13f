// The start values of a model file: which of them assembly keeps, and which it had to move. Knows
// positions and rows, not how the loops are closed.
#pragma once

#include <string>
#include <vector>

#include "simulation/placement/assembly.h"

namespace pawl {

// All start values in the order in which they are kept: coordinates named in `run.independent`,
// values of bodies marked `exact`, other values in file order. `guess` is the placed tree.
struct StartValue {
    RestCoordinate<PlanarSpace> kept;
    bool wanted = false;  // named or marked: kept also where others follow badly from it
};
std::vector<StartValue> start_values(const PlanarMechanism& mechanism,
                                     const Coordinates<PlanarSpace>& guess);

// Whether a closed position has any of them elsewhere.
bool any_moved(const std::vector<StartValue>& values, const Coordinates<PlanarSpace>& closed,
               double model_size);

// Those that the rows at a closed position leave free, each independent of those before it.
std::vector<RestCoordinate<PlanarSpace>> independent_values(const PlacedMechanism& placed,
                                                            const std::vector<StartValue>& values,
                                                            std::span<const double> q, double t,
                                                            double model_size);

// The values of the file that these positions do not have, but for rounding.
std::vector<MovedValue> moved_values(const PlanarMechanism& mechanism,
                                     const std::vector<PlanarSpace::Position>& positions,
                                     double model_size);

// "body 'crank': angle 60 deg is 66.98 deg in the assembled position".
std::string moved_text(const PlanarMechanism& mechanism, const MovedValue& moved);

}  // namespace pawl
