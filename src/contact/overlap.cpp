#include "contact/overlap.h"

#include <cmath>

#include "curves/inside.h"

namespace pawl {

namespace {

using S = PlanarSpace;

// Depths below this part of the size of the profiles are rounding of their placement.
constexpr double smallest_depth = 1e-9;

// Whether a point lies in the material, not on its boundary: its neighbours lie in it as well.
bool holds(const Profile<S>& profile, const S::Position& frame, S::Vector point, double margin) {
    if (!profile.closed) return false;
    const S::Vector local = frame.to_local(point - frame.p);
    for (const S::Vector d : {S::Vector{1, 0.1}, {-0.1, 1}, {-1, -0.1}, {0.1, -1}})
        if (!inside(profile, local + margin * d)) return false;
    return true;
}

}  // namespace

std::optional<Overlap> overlap(const Profile<S>& a, const S::Position& frame_a, const Profile<S>& b,
                               const S::Position& frame_b) {
    if (!a.closed && !b.closed) return std::nullopt;
    const ContactSearch search(a, b);
    const double reach = search.radius_a() + search.radius_b();
    const double margin = smallest_depth * reach;
    const S::Vector d = frame_b.p - frame_a.p;
    const double apart = std::sqrt(S::dot(d, d));
    std::vector<Candidate> candidates;
    search.find(frame_a, frame_b, 2 * (reach + apart), candidates);
    std::optional<Overlap> deepest, nearest;
    for (const Candidate& c : candidates) {
        const double depth = -c.touch.gap;
        if (!(depth > margin)) continue;
        const Overlap found{depth, 0.5 * (c.touch.p[0] + c.touch.p[1]), c.a, c.b};
        // The points may lie on a side of the other body that runs along the normal: then they are
        // in it a little to the left or to the right.
        for (const double beside : {0.0, -margin, margin}) {
            const S::Vector shift = beside * S::turned(c.touch.n);
            const bool b_in_a = holds(a, frame_a, c.touch.p[1] + shift, 0.3 * margin),
                       a_in_b = holds(b, frame_b, c.touch.p[0] + shift, 0.3 * margin);
            if ((b_in_a || !a.closed) && (a_in_b || !b.closed) &&
                (!deepest || depth > deepest->depth))
                deepest = found;
            if (beside == 0 && (b_in_a || a_in_b) && (!nearest || depth < nearest->depth))
                nearest = found;
        }
    }
    return deepest ? deepest : nearest;
}

}  // namespace pawl
