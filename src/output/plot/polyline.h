// Long polylines with as few points as the eye needs. Knows points only.
#pragma once

#include <vector>

#include "mechanism/mechanism.h"

namespace pawl::drawing {

// Those of the points that are needed so that the line through them leaves none of the others by
// more than the tolerance (Ramer 1972, Douglas and Peucker 1973).
std::vector<PlanarSpace::Vector> simplified(const std::vector<PlanarSpace::Vector>& points,
                                            double tolerance);

}  // namespace pawl::drawing
