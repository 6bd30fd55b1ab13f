// The equilibrium that a quasi-static run starts from: the nearest one, or with contacts the one
// that the bodies come to from the assembled position.
#pragma once

#include <optional>

#include "simulation/quasi_static/quasi_static_failure.h"
#include "simulation/quasi_static/quasi_static_mode.h"

namespace pawl {

// The point of the path at t = 0, where the balance of the mode is left; nothing when there is
// none, and the failure says why.
std::optional<PathPoint> find_start(const PlacedMechanism& placed, QuasiStaticMode& mode,
                                    QuasiStaticFailure& failure);

}  // namespace pawl
