#include "contact/near_profiles.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "contact/bounding_tree.h"

namespace pawl {

using Space = PlanarSpace;

NearProfiles::NearProfiles(const PlanarMechanism& mechanism, std::span<const int> contacts)
    : mechanism_(mechanism), index_(mechanism.profiles.size(), -1) {
    for (const int contact : contacts) {
        const auto& pair = mechanism.contacts[static_cast<std::size_t>(contact)];
        index_[static_cast<std::size_t>(pair.profile_a)] = 0;
        index_[static_cast<std::size_t>(pair.profile_b)] = 0;
    }
    for (std::size_t p = 0; p < index_.size(); ++p) {
        if (index_[p] < 0) continue;
        index_[p] = static_cast<int>(profiles_.size());
        const BoundingTree tree(mechanism.profiles[p].chain, 0, false);
        profiles_.push_back(
            {static_cast<int>(p), {tree.nodes()[0].centre, tree.nodes()[0].radius}});
    }
    for (const int contact : contacts) {
        const auto& pair = mechanism.contacts[static_cast<std::size_t>(contact)];
        const auto [a, b] = std::minmax(index_[static_cast<std::size_t>(pair.profile_a)],
                                        index_[static_cast<std::size_t>(pair.profile_b)]);
        pairs_.push_back({contact, a, b});
    }
    std::sort(pairs_.begin(), pairs_.end(), [](const Pair& x, const Pair& y) {
        return std::tie(x.a, x.b, x.contact) < std::tie(y.a, y.b, y.contact);
    });
}

void NearProfiles::cover(int profile, const BoundingCircle& circle) {
    BoundingCircle& own = profiles_[static_cast<std::size_t>(index_of(profile))].circle;
    const Space::Vector away = circle.centre - own.centre;
    own.radius = std::max(own.radius, std::hypot(away.x, away.y) + circle.radius);
}

const std::vector<NearProfiles::Pair>& NearProfiles::find(std::span<const BoundingCircle> circles) {
    found_.clear();
    for (const auto& [a, b] : near_.find(circles)) {
        auto pair = std::lower_bound(pairs_.begin(), pairs_.end(), std::pair{a, b},
                                     [](const Pair& x, const std::pair<int, int>& y) {
                                         return std::pair{x.a, x.b} < y;
                                     });
        for (; pair != pairs_.end() && pair->a == a && pair->b == b; ++pair)
            found_.push_back(*pair);
    }
    return found_;
}

const std::vector<int>& NearProfiles::within(const Coordinates<Space>& coordinates, double distance,
                                             double part) {
    circles_.clear();
    for (const Own& own : profiles_) {
        const auto& profile = mechanism_.profiles[static_cast<std::size_t>(own.profile)];
        const Space::Position at = coordinates.frame(profile.frame).position;
        circles_.push_back({at.p + at.to_ground(own.circle.centre),
                            (1 + part) * own.circle.radius + 0.5 * distance});
    }
    contacts_.clear();
    for (const Pair& pair : find(circles_)) contacts_.push_back(pair.contact);
    std::sort(contacts_.begin(), contacts_.end());
    return contacts_;
}

}  // namespace pawl
