// Whether a point lies in the material of a closed profile. Works on plain numbers.
#pragma once

#include "curves/profile.h"

namespace pawl {

// The times that the closed profile runs counter-clockwise round a point of its axes; exact on
// lines and arcs, other curves are cut until the point is beside their chords.
int winding(const Profile<Planar<double>>& profile, Planar<double>::Vector point);

// Whether a closed profile runs counter-clockwise: a body, not a hole.
bool is_solid(const Profile<Planar<double>>& profile);

// Inside the material: within a body, or outside a hole. An open profile has no inside.
bool inside(const Profile<Planar<double>>& profile, Planar<double>::Vector point);
// The same where it is known whether the profile is a body.
bool inside(const Profile<Planar<double>>& profile, Planar<double>::Vector point, bool solid);

}  // namespace pawl
