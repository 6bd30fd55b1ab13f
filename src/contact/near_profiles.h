// Which pairs of profiles may be near each other: circles around the profiles, of which those that
// overlap are found by sweep and prune. Knows profiles and circles, not their motion.
#pragma once

#include <span>
#include <vector>

#include "contact/near_pairs.h"
#include "coordinates/coordinates.h"

namespace pawl {

class NearProfiles {
public:
    // Of these contacts, which all have two profiles.
    NearProfiles(const PlanarMechanism& mechanism, std::span<const int> contacts);

    // A profile that takes part, and a circle around it in its axes.
    struct Own {
        int profile = -1;
        BoundingCircle circle;
    };
    [[nodiscard]] const std::vector<Own>& profiles() const { return profiles_; }
    // The index of a profile of the mechanism among them.
    [[nodiscard]] int index_of(int profile) const { return index_[profile]; }
    // The circle of a profile also holds this one.
    void cover(int profile, const BoundingCircle& circle);
    [[nodiscard]] bool empty() const { return pairs_.empty(); }

    struct Pair {
        int contact = -1;
        int a = 0, b = 0;  // indices in profiles(), of the profile with the smaller number first
    };
    [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
    // The contacts of which both circles overlap, by the numbers of their profiles. The circles are
    // those of profiles() where they are now, grown by what may happen.
    const std::vector<Pair>& find(std::span<const BoundingCircle> circles);
    // The same at a position, where circles count as near within a distance and a part of their
    // radii; the numbers of the contacts, ascending.
    const std::vector<int>& within(const Coordinates<PlanarSpace>& coordinates, double distance,
                                   double part);

private:
    const PlanarMechanism& mechanism_;
    std::vector<Own> profiles_;
    std::vector<int> index_;   // of each profile of the mechanism; -1: takes no part
    std::vector<Pair> pairs_;  // all, sorted
    NearPairs near_;
    std::vector<Pair> found_;
    std::vector<BoundingCircle> circles_;
    std::vector<int> contacts_;
};

}  // namespace pawl
