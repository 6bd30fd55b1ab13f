// Profiles and elements made from others: mirror images, parallel curves, patterns.
#pragma once

#include <optional>
#include <vector>

#include "curves/profile.h"

namespace pawl {

// The mirror image about the x axis of the profile, with the travel reversed so that the material
// stays on the left.
template <class S>
Profile<S> mirrored(const Profile<S>& profile);

// The parallel curve at a distance outward (inward when negative): lines shift, radii change,
// corners become arcs. A problem (its element counts in the given profile) where a radius vanishes
// or where neighbours would have to be trimmed: outward at a re-entrant corner, inward at a convex
// one.
template <class S>
std::optional<ProfileProblem> offset(const Profile<S>& profile, const typename S::Scalar& distance,
                                     Profile<S>& result);

// `count` copies of a chain of elements one after another, each turned about the origin by `step`
// against the one before. For make_profile.
template <class S>
std::vector<CurveElement<S>> patterned(const std::vector<CurveElement<S>>& elements, int count,
                                       const typename S::Scalar& step);

}  // namespace pawl
