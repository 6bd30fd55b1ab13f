#include "simulation/record/passage_audit.h"

#include <algorithm>
#include <cmath>

#include "simulation/stepping/remember.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Vector = Space::Vector;

// Of the thickness of the thinner body. Outlines lie within the material by `rigid`, those of
// compliant contacts, which are pressed in, by `compliant`; chords miss the profile by `chord`. Two
// looks are at most `apart` from each other: a body that comes through another is seen inside.
constexpr double rigid = 0.05, compliant = 0.4, chord = 0.01, apart = 0.5;

double length(Vector v) { return std::sqrt(Space::dot(v, v)); }

Vector in_a(const Space::Position& at, Vector local) { return at.p + at.to_ground(local); }
Vector in_b(const Space::Position& at, Vector point) { return at.to_local(point - at.p); }

std::vector<int> pairs_to_judge(const PlanarMechanism& mechanism) {
    std::vector<int> pairs;
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i) {
        const auto& contact = mechanism.contacts[i];
        if (contact.profile_a >= 0 && contact.profile_b >= 0 && !contact.permanent)
            pairs.push_back(static_cast<int>(i));
    }
    return pairs;
}

}  // namespace

PassageAudit::PassageAudit(const PlanarMechanism& mechanism)
    : mechanism_(mechanism),
      index_(mechanism.contacts.size(), -1),
      near_(mechanism, pairs_to_judge(mechanism)) {
    for (const int i : pairs_to_judge(mechanism)) {
        const auto& contact = mechanism.contacts[static_cast<std::size_t>(i)];
        const auto& a = mechanism.profiles[static_cast<std::size_t>(contact.profile_a)].chain;
        const auto& b = mechanism.profiles[static_cast<std::size_t>(contact.profile_b)].chain;
        double thin = INFINITY;
        for (const double t : {thickness(a), thickness(b)})
            if (t > 0) thin = std::min(thin, t);
        if (!std::isfinite(thin)) continue;  // of two open lines none has an inside
        Pair pair;
        pair.contact = i;
        pair.quantum = apart * thin;
        const double depth = (is_rigid(contact.law) ? rigid : compliant) * thin;
        pair.a = Outline(a, chord * thin, depth);
        pair.b = Outline(b, chord * thin, depth);
        index_[static_cast<std::size_t>(i)] = static_cast<int>(pairs_.size());
        pairs_.push_back(std::move(pair));
    }
}

PassageAudit::Node PassageAudit::node_of(const Pair& pair, double t,
                                         const Coordinates<Space>& c) const {
    const auto& contact = mechanism_.contacts[static_cast<std::size_t>(pair.contact)];
    return node_of(pair, t,
                   c.frame(mechanism_.profiles[static_cast<std::size_t>(contact.profile_a)].frame),
                   c.frame(mechanism_.profiles[static_cast<std::size_t>(contact.profile_b)].frame));
}

PassageAudit::Node PassageAudit::node_of(const Pair& pair, const Moment& moment) const {
    const auto& contact = mechanism_.contacts[static_cast<std::size_t>(pair.contact)];
    const auto frame = [&](int profile) -> const Space::Frame& {
        return moment.frames[static_cast<std::size_t>(near_.index_of(profile))];
    };
    return node_of(pair, moment.t, frame(contact.profile_a), frame(contact.profile_b));
}

PassageAudit::Node PassageAudit::node_of(const Pair& pair, double t, const Space::Frame& a,
                                         const Space::Frame& b) const {
    Node node;
    node.t = t;
    const Vector arm = b.position.p - a.position.p;
    node.at.p = a.position.to_local(arm);
    node.at.u = a.position.to_local(b.position.u);
    node.velocity.v =
        a.position.to_local(b.velocity.v - a.velocity.v - a.velocity.omega * Space::turned(arm));
    node.velocity.omega = b.velocity.omega - a.velocity.omega;
    // About the middle of b, which may lie far from the origin of its frame.
    const Vector middle = node.at.to_ground(pair.b.centre());
    node.velocity.v += node.velocity.omega * Space::turned(middle);
    node.speed = length(node.velocity.v) + std::abs(node.velocity.omega) * pair.b.radius();
    return node;
}

// How far a point of b may have moved: by the larger speed, and what the speed may have gained and
// lost in between as its change shows.
double PassageAudit::way(const Pair& pair, const Node& low, const Node& high) {
    const double change = length(high.velocity.v - low.velocity.v) +
                          std::abs(high.velocity.omega - low.velocity.omega) * pair.b.radius();
    return (high.t - low.t) * (std::max(low.speed, high.speed) + change);
}

bool PassageAudit::overlap(const Pair& pair, const Node& node) {
    const Outline &a = pair.a, &b = pair.b;
    const std::size_t n = b.points().size(), chords = n - (b.closed() ? 0 : 1);
    if (a.holds(in_a(node.at, b.points()[0])) || b.holds(in_b(node.at, a.points()[0]))) return true;
    Vector last = in_a(node.at, b.points()[0]);
    for (std::size_t i = 0; i < chords; ++i) {
        const Vector next = in_a(node.at, b.points()[i + 1 < n ? i + 1 : 0]);
        if (a.is_cut_by(last, next)) return true;
        last = next;
    }
    return false;
}

// How deep the points of each lie in the other: at least what makes outlines cross.
double PassageAudit::depth_of(const Pair& pair, const Node& node) {
    double depth = pair.quantum;
    for (const Vector p : pair.b.points())
        if (const Vector q = in_a(node.at, p); pair.a.holds(q))
            depth = std::max(depth, pair.a.distance(q));
    for (const Vector p : pair.a.points())
        if (const Vector q = in_b(node.at, p); pair.b.holds(q))
            depth = std::max(depth, pair.b.distance(q));
    return depth;
}

double PassageAudit::clearance(Pair& pair, const Node& node) {
    const double boxes =
        std::max(pair.a.distance_from_box(in_a(node.at, pair.b.centre())) - pair.b.radius(),
                 pair.b.distance_from_box(in_b(node.at, pair.a.centre())) - pair.a.radius());
    if (boxes > 0) return boxes;
    ++looks_;
    if (overlap(pair, node)) {
        const double depth = depth_of(pair, node);
        if (depth > worst_.value)
            worst_.see(depth, node.t,
                       mechanism_.contacts[static_cast<std::size_t>(pair.contact)].name);
        return 0;
    }
    return std::max({0.0, pair.a.distance(in_a(node.at, pair.b.centre())) - pair.b.radius(),
                     pair.b.distance(in_b(node.at, pair.a.centre())) - pair.a.radius()});
}

void PassageAudit::advance(Pair& pair, const Node& low, const Node& high, const Motion& motion,
                           int depth) {
    // So many looks in one step are none that any motion in sight needs.
    constexpr long many = 2000;
    const double moved = way(pair, low, high);
    if (looks_ - looks_before_ > many) {
        unjudged_ = true;
        return;
    }
    if (moved <= pair.budget) {
        pair.budget -= moved;
        return;
    }
    // From where the interval begins; then inside it.
    pair.budget = clearance(pair, low) + pair.quantum;
    if (moved <= pair.budget || depth == 0) {
        pair.budget -= std::min(moved, pair.budget);
        return;
    }
    const double t = 0.5 * (low.t + high.t);
    ++looks_;
    const Node middle = node_of(pair, t, motion(t));
    advance(pair, low, middle, motion, depth - 1);
    advance(pair, middle, high, motion, depth - 1);
}

void PassageAudit::see(Moment& moment, double t, const Motion& motion) const {
    const auto& c = motion(t);
    moment.t = t;
    moment.frames.clear();
    for (const auto& own : near_.profiles())
        moment.frames.push_back(
            c.frame(mechanism_.profiles[static_cast<std::size_t>(own.profile)].frame));
}

// Circles around the profiles at the begin of the step, grown by the ways that their points may
// move in it, as `way` has it.
const std::vector<NearProfiles::Pair>& PassageAudit::find_near() {
    constexpr std::size_t few = 10;  // of them each is looked at by itself
    if (near_.pairs().size() <= few) return near_.pairs();
    circles_.clear();
    for (std::size_t i = 0; i < begin_.frames.size(); ++i) {
        const BoundingCircle& own = near_.profiles()[i].circle;
        const Space::Frame &low = begin_.frames[i], &high = end_.frames[i];
        const Vector from = low.position.to_ground(own.centre),
                     to = high.position.to_ground(own.centre);
        const Vector v = Space::carried(low.velocity, from).v,
                     w = Space::carried(high.velocity, to).v;
        const double speed = std::max(length(v) + std::abs(low.velocity.omega) * own.radius,
                                      length(w) + std::abs(high.velocity.omega) * own.radius),
                     change = length(w - v) +
                              std::abs(high.velocity.omega - low.velocity.omega) * own.radius;
        circles_.push_back(
            {low.position.p + from, own.radius + (end_.t - begin_.t) * (speed + change)});
    }
    return near_.find(circles_);
}

void PassageAudit::step(double begin, double end, const Motion& motion) {
    constexpr int halvings = 40;  // more than any step of a thousand sizes needs
    if (pairs_.empty()) return;
    looks_before_ = looks_;
    unjudged_ = false;
    if (!begun_) see(begin_, begin, motion);
    begun_ = true;
    see(end_, end, motion);
    for (const NearProfiles::Pair& near : find_near()) {
        const int i = index_[static_cast<std::size_t>(near.contact)];
        if (i < 0) continue;
        Pair& pair = pairs_[static_cast<std::size_t>(i)];
        if (pair.step + 1 != steps_) pair.budget = 0;  // it was far away, who knows how far
        pair.step = steps_;
        advance(pair, node_of(pair, begin_), node_of(pair, end_), motion, halvings);
    }
    ++steps_;
    std::swap(begin_, end_);
    if (unjudged_) ++unjudged_steps_;
}

void PassageAudit::remember(Memory& memory) {
    for (Pair& pair : pairs_) memory(pair.budget, pair.step);
    memory(begin_.t, begin_.frames, begun_, steps_, worst_, looks_, unjudged_steps_);
}

void PassageAudit::add_checks(Audit& audit) const {
    if (pairs_.empty()) return;
    audit.checks.push_back({"passing through", "m", worst_, 0,
                            "inside all steps, how deep a body lies in another beyond 0.1 of the "
                            "thickness of the thinner one (0.8 where the contact is compliant)"});
}

}  // namespace pawl
