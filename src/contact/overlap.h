// Whether two profiles run into each other in a given placement: for the check of a model's start.
#pragma once

#include <optional>

#include "contact/search.h"

namespace pawl {

struct Overlap {
    double depth = 0;
    PlanarSpace::Vector point;  // ground axes
    int a = 0, b = 0;           // elements
};

// The deepest overlap of more than rounding. A negative gap counts where both touching points lie
// in the material of the other profile (an open profile has no inside: there the other one
// decides), as deep as the nearest boundary; the far sides of bodies do not. When one body lies
// within the other, its shortest way out. Bodies that cross without a corner of either in the other
// overlap by the depth of what is cut off.
std::optional<Overlap> overlap(const Profile<PlanarSpace>& a, const PlanarSpace::Position& frame_a,
                               const Profile<PlanarSpace>& b, const PlanarSpace::Position& frame_b);

// Whether a point (ground axes) lies in the material of a profile by more than a margin, m.
bool lies_in_material(const Profile<PlanarSpace>& profile, const PlanarSpace::Position& frame,
                      PlanarSpace::Vector point, double margin);

}  // namespace pawl
