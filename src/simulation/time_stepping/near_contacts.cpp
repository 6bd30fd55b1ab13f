#include "simulation/time_stepping/near_contacts.h"

#include <algorithm>
#include <cmath>

#include "contact/overlap.h"
#include "math/tolerances/motion.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

std::vector<int> pairs_of_profiles(const PlanarMechanism& mechanism) {
    std::vector<int> pairs;
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i)
        if (!mechanism.contacts[i].permanent && mechanism.contacts[i].profile_a >= 0)
            pairs.push_back(static_cast<int>(i));
    return pairs;
}

}  // namespace

NearContacts::NearContacts(const PlanarMechanism& mechanism)
    : mechanism_(mechanism),
      near_(mechanism, pairs_of_profiles(mechanism)),
      known_(mechanism.contacts.size()) {
    circles_.resize(near_.profiles().size());
    speeds_.resize(near_.profiles().size());
}

NearContacts::Known& NearContacts::known(int pair, const Coordinates<Space>& coordinates) {
    auto& entry = known_[static_cast<std::size_t>(pair)];
    if (entry) return *entry;
    entry = std::make_unique<Known>();
    const auto& of = mechanism_.contacts[static_cast<std::size_t>(pair)];
    const auto &a = mechanism_.profiles[static_cast<std::size_t>(of.profile_a)],
               &b = mechanism_.profiles[static_cast<std::size_t>(of.profile_b)];
    // A side that comes down on a side is held at both corners, as between compliant profiles.
    entry->search = std::make_unique<ContactSearch>(a.chain, b.chain, true);
    const Attachment<Space> frames[2] = {a.frame, b.frame};
    entry->reach = coordinates.reach(frames);
    entry->smaller = std::min(entry->search->circle(0).radius, entry->search->circle(1).radius);
    if (!(entry->smaller > 0))  // a point
        entry->smaller = std::max(entry->search->circle(0).radius, entry->search->circle(1).radius);
    return *entry;
}

// Around each profile, and what it can reach in the step.
void NearContacts::set_circles(const Coordinates<Space>& coordinates, double h, double gain) {
    for (std::size_t i = 0; i < circles_.size(); ++i) {
        const auto& [number, own] = near_.profiles()[i];
        const auto& profile = mechanism_.profiles[static_cast<std::size_t>(number)];
        const Space::Frame frame = coordinates.frame(profile.frame);
        const Space::Vector arm = frame.position.to_ground(own.centre);
        const Space::Vector v = frame.velocity.v + frame.velocity.omega * Space::turned(arm);
        speeds_[i] = std::hypot(v.x, v.y) + std::abs(frame.velocity.omega) * own.radius;
        circles_[i] = {frame.position.p + arm, own.radius + h * (speeds_[i] + gain)};
    }
}

void NearContacts::find(const Coordinates<Space>& coordinates, std::span<const double> v, double h,
                        double gain) {
    contacts_.clear();
    normals_.clear();
    tangents_.clear();
    searched_.clear();
    new_depths_.clear();
    set_circles(coordinates, h, gain);
    for (const NearProfiles::Pair& pair : near_.find(circles_)) {
        searched_.push_back(pair.contact);
        search(pair.contact, coordinates, v, h, speeds_[pair.a] + speeds_[pair.b] + gain);
    }
    std::swap(depths_, new_depths_);
}

// Which candidates count: within reach, and of those below zero only where the bodies lie in each
// other, not on their far sides; the foot of a corner may lie on a side of its own body, so that
// one of the two points decides. Where another candidate is far shallower, it must lie inside by
// about its depth: bodies that lie in each other part by the shortest way.
void NearContacts::choose(const ContactPair<Space>& pair, double reach, double depth,
                          const std::array<Space::Frame, 3>& frames) {
    const int profiles[2] = {pair.profile_a, pair.profile_b};
    const auto chain = [&](int side) -> const Profile<Space>& {
        return mechanism_.profiles[static_cast<std::size_t>(profiles[side])].chain;
    };
    const auto holds = [&](int side, Space::Vector p, double margin) {
        return chain(side).closed &&
               lies_in_material(chain(side), frames[side].position, p, margin);
    };
    // Behind an open profile, which has no inside, everything counts.
    const bool open = !chain(0).closed || !chain(1).closed;
    const double sunk = -tolerance::sunk_part * depth;
    double shallow = -INFINITY;
    for (const Candidate& candidate : found_)
        if (candidate.touch.gap <= reach) shallow = std::max(shallow, candidate.touch.gap);
    std::erase_if(found_, [&](const Candidate& candidate) {
        constexpr double far = 10, half = 0.5;
        const double gap = candidate.touch.gap;
        if (gap > reach || gap < -depth) return true;
        if (open || gap > sunk) return false;
        const double margin = shallow * far > gap ? -half * gap : 0;
        return !(holds(1, candidate.touch.p[0], margin) || holds(0, candidate.touch.p[1], margin));
    });
}

void NearContacts::search(int pair, const Coordinates<Space>& coordinates,
                          std::span<const double> v, double h, double speed) {
    // Of the smaller profile: what is still this side of it; what may be sunk at the start.
    constexpr double deepest = 0.25, start = tolerance::first_reach;
    Known& of = known(pair, coordinates);
    const auto& contact = mechanism_.contacts[static_cast<std::size_t>(pair)];
    const int profiles[2] = {contact.profile_a, contact.profile_b};
    std::array<Space::Frame, 3> frames;
    for (int side = 0; side < 2; ++side)
        frames[side] =
            coordinates.frame(mechanism_.profiles[static_cast<std::size_t>(profiles[side])].frame);
    const double reach = h * speed;
    const auto last = depths_.find(pair);
    const double known = (last != depths_.end() ? last->second : 0) + 2 * reach;
    const double depth =
        std::min(deepest * of.smaller, h > 0 ? known + start * of.smaller : INFINITY);
    of.search->find(frames[0].position, frames[1].position, std::max(reach, depth), found_);
    choose(contact, reach, depth, frames);
    for (const Candidate& candidate : found_) {
        NearContact near;
        near.pair = pair;
        near.candidate = candidate;
        near.reach = &of.reach;
        near.first = normals_.size();
        const std::size_t n = of.reach.columns.size();
        normals_.resize(near.first + n);
        tangents_.resize(near.first + n);
        coordinates.pull_back(of.reach, gap_row<Space>(candidate.touch, frames[0], frames[1]),
                              frames, normals_.data() + near.first);
        coordinates.pull_back(of.reach, slip_row<Space>(candidate.touch, frames[0], frames[1]),
                              frames, tangents_.data() + near.first);
        for (std::size_t i = 0; i < n; ++i) {
            near.closing += normals_[near.first + i] * v[of.reach.columns[i]];
            near.slip += tangents_[near.first + i] * v[of.reach.columns[i]];
        }
        contacts_.push_back(near);
        double& sunk = new_depths_[pair];
        sunk = std::max(sunk, -candidate.touch.gap);
    }
}

}  // namespace pawl
