// Random linkages that fold flat: parallelograms and ladders of them, antiparallelograms, kites,
// and slider-cranks with equal rods. All pass singular positions; their motion through these
// follows from one parameter.
#pragma once

#include <span>

#include "families/family.h"
#include "families/one_freedom.h"

namespace pawl::test {

struct FoldedLinkage {
    std::string kind;
    OneFreedom motion;
    Course course;
    double end = 1;    // s
    std::string text;  // of the model
    // The parameter s from the angles of the bodies; linear, so that it serves for speeds too but
    // for its constant part.
    std::function<double(std::span<const double> angles)> parameter;
};

// A linkage that passes at least one singular position, and none slowly.
FoldedLinkage folded_linkage(Random& random);

}  // namespace pawl::test
