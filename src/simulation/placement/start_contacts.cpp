#include "simulation/placement/start_contacts.h"

#include <algorithm>
#include <cmath>

#include "contact/overlap.h"
#include "curves/inside.h"
#include "math/tolerances/motion.h"
#include "results/text.h"

namespace pawl {

using Space = PlanarSpace;

namespace {

// A box around points, in the axes of a body.
struct Box {
    Space::Vector low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    void take(Space::Vector p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    void take(const BodyProfile<Space>& profile) {
        const auto frame = profile.frame.on(Space::position_of(Space::Pose{}));
        for (const auto& element : profile.chain.elements)
            for (const double u : {0.0, 0.25, 0.5, 0.75, 1.0})
                take(frame.p + frame.to_ground(point_of<Space>(element, u).p));
    }
    [[nodiscard]] double diameter() const {
        return high.x < low.x ? 0 : std::hypot(high.x - low.x, high.y - low.y);
    }
};

double extent_of(const PlanarMechanism& mechanism, const BodyProfile<Space>& profile) {
    Box box;
    box.take(profile);
    const int b = profile.frame.body;
    if (b == 0) return box.diameter();
    for (const auto& other : mechanism.profiles)
        if (other.frame.body == b) box.take(other);
    const auto& body = mechanism.bodies[static_cast<std::size_t>(b)];
    for (const auto& point : body.points) box.take(point.at);
    for (const auto& joint : mechanism.joints)
        for (int k = 0; k < joint.frame_count(); ++k)
            if (joint.frames[static_cast<std::size_t>(k)].body == b)
                box.take(joint.frames[static_cast<std::size_t>(k)].local.at);
    if (body.mass) box.take(body.centre);
    const double gyration =
        body.mass && *body.mass > 0 && body.inertia ? std::sqrt(*body.inertia / *body.mass) : 0.0;
    return std::max(box.diameter(), 2 * gyration);
}

const BodyProfile<Space>& profile_of(const PlanarMechanism& mechanism, int profile) {
    return mechanism.profiles[static_cast<std::size_t>(profile)];
}

// The one of two profiles that is a hole with the other one all outside of it, by more than a
// margin: a point on the wall is not.
const BodyProfile<Space>* outside_hole(const BodyProfile<Space>& a, const Space::Position& frame_a,
                                       const BodyProfile<Space>& b, const Space::Position& frame_b,
                                       double margin) {
    const auto in_material = [margin](const Profile<Space>& hole, const Space::Position& frame,
                                      const Profile<Space>& other, const Space::Position& at) {
        if (!hole.closed || is_solid(hole)) return false;
        for (const auto& element : other.elements)
            for (const double u : {0.0, 0.25, 0.5, 0.75})
                if (!lies_in_material(hole, frame, at.to_ground(point_of(element, u).p) + at.p,
                                      margin))
                    return false;
        return true;
    };
    if (in_material(a.chain, frame_a, b.chain, frame_b)) return &a;
    return in_material(b.chain, frame_b, a.chain, frame_a) ? &b : nullptr;
}

// The circle that is all of a profile; null where it is something else.
const CircleCurve<Space>* circle_of(const BodyProfile<Space>& profile) {
    return profile.chain.elements.size() == 1
               ? std::get_if<CircleCurve<Space>>(&profile.chain.elements.front())
               : nullptr;
}

}  // namespace

double contact_size(const PlanarMechanism& mechanism, const ContactPair<Space>& pair) {
    const auto &a = profile_of(mechanism, pair.profile_a),
               &b = profile_of(mechanism, pair.profile_b);
    const double size_a = extent_of(mechanism, a), size_b = extent_of(mechanism, b);
    if (size_a > 0 && size_b > 0) return std::min(size_a, size_b);
    return (size_a > 0 ? a : b).chain.closed ? std::max(size_a, size_b) : 0.0;
}

double start_gap_limit(const PlanarMechanism& mechanism, const ContactPair<Space>& pair,
                       double model_size) {
    return std::max(tolerance::touching_at_start * contact_size(mechanism, pair),
                    tolerance::touching * model_size);
}

double start_overlap_limit(const PlanarMechanism& mechanism, const ContactPair<Space>& pair,
                           double model_size) {
    constexpr double larger = 100;  // than the smaller body: less than 1e-4 of that is closed
    double size = 0;
    for (const int side : {pair.profile_a, pair.profile_b}) {
        const auto& profile = profile_of(mechanism, side);
        if (profile.chain.closed) size = std::max(size, extent_of(mechanism, profile));
    }
    return std::max(
        tolerance::touching_at_start * std::min(size, larger * contact_size(mechanism, pair)),
        start_gap_limit(mechanism, pair, model_size));
}

std::vector<StartGap> gaps_closed_at_start(const PlacedMechanism& placed) {
    constexpr double rounding = tolerance::start_rounding;  // of the limit: ten digits written
    std::vector<StartGap> gaps;
    std::vector<Candidate> found;
    for (const auto& pair : placed.mechanism.contacts) {
        if (pair.profile_a < 0 || pair.permanent || !is_rigid(pair.law)) continue;
        const auto &a = profile_of(placed.mechanism, pair.profile_a),
                   &b = profile_of(placed.mechanism, pair.profile_b);
        const double size = placed.assembly.model_size,
                     limit = start_gap_limit(placed.mechanism, pair, size),
                     deepest = start_overlap_limit(placed.mechanism, pair, size),
                     least = std::max(rounding * limit, tolerance::touching * size);
        const auto frame = [&](const BodyProfile<Space>& profile) {
            return profile.frame.on(
                placed.assembly.positions[static_cast<std::size_t>(profile.frame.body)]);
        };
        ContactSearch(a.chain, b.chain).find(frame(a), frame(b), deepest, found);
        double widest = 0;
        for (const Candidate& c : found)
            if (c.touch.gap <= limit && std::abs(c.touch.gap) > std::abs(widest))
                widest = c.touch.gap;
        if (!(std::abs(widest) > least)) continue;
        gaps.push_back({"contact '" + pair.name + "' starts with " +
                            (widest > 0 ? "a gap of " : "an overlap of ") +
                            length_text(std::abs(widest)) + ", which is closed (limit " +
                            length_text(widest > 0 ? limit : deepest) +
                            (widest > 0 || deepest == limit ? ", 1e-6 of the smaller body)" : ")"),
                        pair.span});
    }
    return gaps;
}

std::optional<ContactTrouble> trouble_at_start(const PlanarMechanism& mechanism,
                                               const ContactPair<Space>& pair,
                                               const Space::Position& frame_a,
                                               const Space::Position& frame_b, double allowed) {
    const auto& a = mechanism.profiles[static_cast<std::size_t>(pair.profile_a)];
    const auto& b = mechanism.profiles[static_cast<std::size_t>(pair.profile_b)];
    const double max_overlap =
        tolerance::pressed_at_start * std::max(extent_of(mechanism, a), extent_of(mechanism, b));
    const auto* hole = outside_hole(a, frame_a, b, frame_b, std::min(allowed, max_overlap));
    const auto trouble = [&pair](const std::string& what) {
        return ContactTrouble{"contact '" + pair.name + "': " + what, pair.span};
    };
    for (const auto& [round, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
        const auto* of_hole = circle_of(*round);
        if (!of_hole || !of_hole->hollow) continue;
        const auto* disk = circle_of(*other);
        const double excess = disk && !disk->hollow ? disk->radius - of_hole->radius : 0;
        if (excess > 0 && (hole == round || excess > allowed))
            return trouble("profile '" + other->name + "', a disk of radius " +
                           length_text(disk->radius) + ", does not fit in the hole '" +
                           round->name + "' of radius " + length_text(of_hole->radius) +
                           ": it is " + length_text(excess) +
                           " too large; make the disk smaller or the hole larger");
        if (hole == round)
            return trouble("profile '" + round->name +
                           "' is a hole (hollow = true) in material all round, and '" +
                           other->name +
                           "' lies in that material; place it within the hole, or leave hollow "
                           "away");
    }
    if (hole)
        return trouble("profile '" + hole->name +
                       "' runs clockwise, a hole in material all round, and '" +
                       (hole == &a ? b.name : a.name) +
                       "' lies in that material; reverse the order of its elements");
    const auto found = overlap(a.chain, frame_a, b.chain, frame_b);
    if (!found || found->depth < allowed) return std::nullopt;
    return trouble("profiles '" + a.name + "' and '" + b.name + "' overlap at the start by " +
                   length_text(found->depth) + " near (" + number_text(found->point.x) + ", " +
                   number_text(found->point.y) + ") m; move one of the bodies apart");
}

std::optional<ContactTrouble> overlap_at_start(const PlanarMechanism& mechanism,
                                               const Coordinates<Space>& coordinates,
                                               const std::vector<int>& pairs,
                                               const std::function<double(int pair)>& allowed) {
    const auto frame = [&](int profile) {
        return coordinates.frame(mechanism.profiles[static_cast<std::size_t>(profile)].frame)
            .position;
    };
    for (const int i : pairs) {
        const auto& pair = mechanism.contacts[static_cast<std::size_t>(i)];
        if (auto trouble = trouble_at_start(mechanism, pair, frame(pair.profile_a),
                                            frame(pair.profile_b), allowed(i)))
            return trouble;
    }
    return std::nullopt;
}

}  // namespace pawl
