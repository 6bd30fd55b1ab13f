// The chain of elements of a cam: arcs for its dwells, curves for its rises. Knows no bodies.
#pragma once

#include <variant>
#include <vector>

#include "curves/profile.h"

namespace pawl {

// The elements in the order of travel (counter-clockwise round the cam), for make_profile. The
// segments follow each other from cam angle zero; when they cover a whole turn, the lifts must end
// where they began and the chain is closed. The element of a problem is the index of its segment.
// `lifted` is the lift at cam angle zero.
template <class S>
std::variant<std::vector<CurveElement<S>>, ProfileProblem> cam_elements(
    const CamDrive<S>& drive, const std::vector<CamSegment<typename S::Scalar>>& segments,
    const typename S::Scalar& lifted = {});

}  // namespace pawl
