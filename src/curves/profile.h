// A profile: a chain of curve elements in its own axes, open or closed, with the material on its
// left. Convex corners are elements of it; at a re-entrant corner two neighbours simply meet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "curves/curve.h"

namespace pawl {

template <class S>
struct Profile {
    std::vector<CurveElement<S>> elements;
    bool closed = false;

    // The element after (+1) or before (-1) element i; -1 at the end of an open profile.
    [[nodiscard]] int neighbour(int i, int direction) const {
        const int n = static_cast<int>(elements.size()), next = i + direction;
        if (next >= 0 && next < n) return next;
        return closed ? (next + n) % n : -1;
    }
};

// Why elements do not make a profile: what is wrong, and the element (as given) at which it is.
struct ProfileProblem {
    int element = 0;
    std::string message;
};

// Whether the end of a chain is its start, but for gaps of rounding.
template <class S>
bool ends_meet(const std::vector<CurveElement<S>>& elements);

// Makes the profile of elements in the order of travel: closes gaps of rounding, inserts a corner
// where neighbours meet in a convex angle, and checks gaps and self-intersection. An open profile
// gets a corner of 90 degrees at both ends, the edge of a plate. A closed one that runs clockwise
// is a hole in material that reaches to infinity; a closed arc of a whole turn becomes a circle.
// Corners among the given elements are left out, so that the elements of a profile make the same
// profile again; but a point alone, whose normal turns all round, is a profile.
template <class S>
std::optional<ProfileProblem> make_profile(std::vector<CurveElement<S>> elements, bool closed,
                                           Profile<S>& profile);

}  // namespace pawl
