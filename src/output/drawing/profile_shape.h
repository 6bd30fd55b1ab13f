// Profiles and the points where they touch, as drawn: polylines along the elements, hatching on the
// material side, marks of contacts. Knows profiles and poses, not how a run found its contacts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "output/drawing/scene.h"

namespace pawl::drawing {

// Points along a profile in the order of travel, in the axes of the profile: chords between
// neighbours leave the curve by less than `sagitta` (m). A closed profile ends where it began.
std::vector<CurvePoint<PlanarSpace>> points_along(const Profile<PlanarSpace>& chain,
                                                  double sagitta);

// SVG elements of a profile in the axes of its body: a closed one around material is shaded, any
// other has short strokes on its material side.
std::string profile_shape(const BodyProfile<PlanarSpace>& profile, double scale, double bar,
                          double stroke);

// The number of each element beside its middle: corners outside, the others in the material.
std::vector<SceneNumber> element_numbers(const BodyProfile<PlanarSpace>& profile);

// The nearest points of the convex hull of a body and of a profile on it, in the axes of the body;
// twice the same point where they meet or there is no hull.
std::pair<PlanarSpace::Vector, PlanarSpace::Vector> nearest_points(
    const std::vector<PlanarSpace::Vector>& hull, const BodyProfile<PlanarSpace>& profile,
    double sagitta);

// Marks in ground axes, drawing units: closed contacts as a dot on their common normal, open ones
// as a dotted line between the nearest points.
std::string contact_marks(const std::vector<ContactMark>& contacts, double scale, double bar);

}  // namespace pawl::drawing
