// Where the profiles of a pair are at a time, how they move there, and what bounds their motion
// over the interval that is watched (gap_watch.h).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "events/gap_watch.h"
#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

double magnitude(Space::Vector v) { return std::sqrt(Space::dot(v, v)); }

}  // namespace

// The distance changes no faster than two points move relative to each other: the centres of
// circles around the profiles, plus what the rotation of the profiles adds. A disk looks the same
// however it turns.
void GapWatch::set_node(int pair, double t, const MovingFrame& a_now, const MovingFrame& b_now,
                        Node& node) const {
    node.t = t;
    node.a = a_now;
    node.b = b_now;
    const auto middle = [&](const Space::Frame& frame, const Extent& extent) {
        return Space::carried(frame.velocity, frame.position.to_ground(extent.circle.centre)).v;
    };
    const auto& [a, b] = geometry_[pair].extents;
    node.speed = magnitude(middle(node.b, b) - middle(node.a, a)) +
                 std::abs(node.a.velocity.omega) * a.turned +
                 std::abs(node.b.velocity.omega) * b.turned;
}

void GapWatch::set_node(int pair, double t, const Coordinates<Space>& c, Node& node) const {
    const auto& contact = mechanism_.contacts[watched_[pair]];
    set_node(pair, t, frame_of(contact.profile_a, c), frame_of(contact.profile_b, c), node);
}

MovingFrame GapWatch::frame_of(int profile, const Coordinates<Space>& c) const {
    const auto& on = mechanism_.profiles[static_cast<std::size_t>(profile)].frame;
    MovingFrame frame;
    static_cast<Space::Frame&>(frame) = c.frame(on);
    frame.acceleration = c.frame_acceleration(on);
    return frame;
}

const Coordinates<Space>& GapWatch::look(double t, const Motion& motion) {
    ++looks_;
    Coordinates<Space>& c = motion.set(t);
    path_->rates(t, rates_.velocity, rates_.acceleration);
    c.set_velocity(rates_.velocity);
    c.set_acceleration(rates_.acceleration);
    return c;
}

GapWatch::Node GapWatch::node_at(int pair, double t, const Motion& motion) {
    Node node;
    set_node(pair, t, look(t, motion), node);
    return node;
}

void GapWatch::set_bound(int pair) {
    const auto& contact = mechanism_.contacts[watched_[pair]];
    const auto &on_a = mechanism_.profiles[contact.profile_a].frame,
               &on_b = mechanism_.profiles[contact.profile_b].frame;
    Bound& bound = bounds_[pair];
    bound.side[0] = body_bounds_.frame(on_a);
    bound.side[1] = body_bounds_.frame(on_b);
    bound.turning = body_bounds_.turning(on_a.body, on_b.body);
    bound.acceleration = bound.level = 0;
    for (const int side : {0, 1}) {
        const Extent& extent = geometry_[pair].extents[side];
        bound.acceleration +=
            bound.side[side].acceleration + (magnitude(extent.circle.centre) + extent.turned) *
                                                bound.side[side].turned_acceleration;
    }
}

const Coordinates<Space>& GapWatch::see(Moment& moment, double t, const Motion& motion) {
    const Coordinates<Space>& coordinates = look(t, motion);
    moment.t = t;
    moment.frames.clear();
    for (const auto& own : nearby_.profiles.profiles())
        moment.frames.push_back(frame_of(own.profile, coordinates));
    return coordinates;
}

void GapWatch::set_nodes(int pair) {
    const auto& contact = mechanism_.contacts[watched_[pair]];
    const int a = nearby_.profiles.index_of(contact.profile_a),
              b = nearby_.profiles.index_of(contact.profile_b);
    const auto set = [&](const Moment& at, Node& node) {
        set_node(pair, at.t, at.frames[a], at.frames[b], node);
    };
    const auto i = static_cast<std::size_t>(pair);
    set(nearby_.moments[0], low_[i]);
    set(nearby_.moments[1], middle_[i]);
    set(nearby_.moments[2], high_[i]);
}

// As unproven_pairs has it, the bounds of both sides apart: what no circles bring together is not
// looked at.
const std::vector<int>& GapWatch::find_near(double h) {
    constexpr double rounding = tolerance::behind_corner;
    constexpr std::size_t few = 10;  // of them each is looked at by itself
    if (watched_.size() <= few) {
        nearby_.candidates.resize(watched_.size());
        std::iota(nearby_.candidates.begin(), nearby_.candidates.end(), 0);
        return nearby_.candidates;
    }
    nearby_.circles.clear();
    for (std::size_t i = 0; i < nearby_.profiles.profiles().size(); ++i) {
        const auto& [number, own] = nearby_.profiles.profiles()[i];
        const auto& chain = mechanism_.profiles[static_cast<std::size_t>(number)];
        const MovingFrame& frame = nearby_.moments[1].frames[i];
        const MotionBound bound = body_bounds_.frame(chain.frame);
        const Space::Vector arm = frame.position.to_ground(own.centre),
                            v = Space::carried(frame.velocity, arm).v;
        const double speed = std::hypot(v.x, v.y) + std::abs(frame.velocity.omega) * own.radius;
        const double acceleration = bound.acceleration + (std::hypot(arm.x, arm.y) + own.radius) *
                                                             bound.turned_acceleration;
        const double reach = h * (speed + 0.5 * h * acceleration) + behind_;
        nearby_.circles.push_back(
            {frame.position.p + arm, (1 + rounding) * (own.radius + 0.5 * reach)});
    }
    nearby_.candidates.clear();
    for (const auto& pair : nearby_.profiles.find(nearby_.circles))
        nearby_.candidates.push_back(watched(pair.contact));
    std::sort(nearby_.candidates.begin(), nearby_.candidates.end());
    return nearby_.candidates;
}

}  // namespace pawl
