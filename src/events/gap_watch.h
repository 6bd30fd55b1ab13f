// Watches the open contacts over a step of integration: finds the first time at which two profiles
// meet, also when they part again inside the step. Intervals are excluded by bounds, never by
// sampling alone: a pair of parts is left when a direction or a circle is found that keeps them
// apart all the time, with the third derivatives of the motion bounded. What is not excluded is
// halved, or ended at a meeting that is then shown to be the first.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "contact/contact_point.h"
#include "contact/near_profiles.h"
#include "contact/search.h"
#include "contact/separation.h"
#include "coordinates/coordinates.h"
#include "coordinates/motion_bounds.h"
#include "math/memory.h"
#include "math/tolerances/geometry.h"

namespace pawl {

class GapWatch {
public:
    using Space = PlanarSpace;
    struct Motion {
        // Sets the bodies to their position at time t; velocities are set by the watch.
        std::function<Coordinates<Space>&(double t)> set;
        // The coordinates over the interval.
        std::function<const PolynomialPath&()> path;
    };
    // The coordinates of a motion that is known by its points only, each as exact as `accuracy` (m
    // or rad), and which curves little over `shortest` (s).
    struct Points {
        std::function<std::vector<double>(double t)> at;
        double accuracy, shortest;
    };

    // Gaps within `touching` (m) of zero count as zero.
    GapWatch(const Mechanism<Space>& mechanism, double touching);

    struct Hit {
        double t = 0;
        ContactPoint<Space> point;  // pair and elements
    };
    // The first meeting in (t_low, t_high] of points that are not closed already.
    std::optional<Hit> first_hit(double t_low, double t_high,
                                 const std::vector<ContactPoint<Space>>& closed,
                                 const Motion& motion);
    // The same of a motion known by its points: polynomials through eight of them replace it,
    // which agree with it to ten times its accuracy at three others.
    std::optional<Hit> first_hit(double t_low, double t_high,
                                 const std::vector<ContactPoint<Space>>& closed,
                                 const std::function<Coordinates<Space>&(double t)>& set,
                                 const Points& points);

    // The open near points of a pair, nearest first, whose gap is at most `within`; also those that
    // have sunk behind zero, but not far.
    void open_points(const Coordinates<Space>& coordinates, int pair, double within,
                     const std::vector<ContactPoint<Space>>& closed,
                     std::vector<ContactPoint<Space>>& out);
    // The one with the least gap, however far; none where no point faces the other profile.
    std::optional<ContactPoint<Space>> nearest_point(const Coordinates<Space>& coordinates,
                                                     int pair);
    // How deep the profiles of a pair lie in each other, up to a fifth of the smaller one that has
    // a size, whatever contacts are followed.
    double penetration(const Coordinates<Space>& coordinates, int pair);
    // The distance of the farthest point from the origin of its profile, of the profile that is
    // smaller.
    [[nodiscard]] double smaller_radius(int pair) const;
    // A point given by its elements at the position that the coordinates hold, with velocities v.
    [[nodiscard]] ContactPoint<Space> locate(Coordinates<Space>& coordinates,
                                             ContactPoint<Space> point,
                                             std::span<const double> v) const;
    void remember(Memory& memory) { memory(near_, searches_, looks_, unproven_); }
    // The pairs of which points may be this near to each other; ascending. The list is good until
    // the next call.
    const std::vector<int>& pairs_within(const Coordinates<Space>& coordinates, double distance) {
        constexpr double rounding = tolerance::near_pair;
        return nearby_.profiles.within(coordinates, std::max(distance, behind_), rounding);
    }
    // Those that may lie in each other.
    const std::vector<int>& pairs_together(const Coordinates<Space>& coordinates) {
        return nearby_.profiles.within(coordinates, behind_, part_of_depth);
    }
    // Those whose nearest points are of interest: all where they are few, else those that are not
    // much farther from each other than they are large.
    const std::vector<int>& pairs_to_show(const Coordinates<Space>& coordinates) {
        constexpr std::size_t few = 100;
        constexpr double grown = 0.5;
        return watched_.size() <= few ? watched_ : nearby_.profiles.within(coordinates, 0, grown);
    }
    [[nodiscard]] bool empty() const { return watched_.empty(); }
    [[nodiscard]] const std::vector<int>& pairs() const { return watched_; }
    [[nodiscard]] long searches() const { return searches_; }
    // Looks at single times; and intervals that were left without a proof, since more looks than
    // any motion in sight needs had not given one.
    [[nodiscard]] long looks() const { return looks_; }
    [[nodiscard]] long unproven() const { return unproven_; }

private:
    // Of a profile against a single point.
    struct Tip {
        ContactSearch search;
        bool solid;  // the profile is a body
    };
    // A circle around a profile, and how far its points are from the middle of it when it turns; a
    // disk does not change then.
    struct Extent {
        BoundingTree::Node circle;
        double turned = 0;
    };
    // What is known of the two profiles of a pair wherever they are.
    struct Geometry {
        ContactSearch search;
        bool touches_once = false;  // a disk and one side, which touch at one point only
        std::array<Extent, 2> extents{};
        std::array<std::optional<Tip>, 2> tips{};  // made when they are first asked for
    };
    struct NearPoint {
        int a, b;
        double gap, rate;
        double u[2];
    };
    struct Node {
        double t = 0;
        MovingFrame a, b;
        double speed = 0;  // bound on the rate of the distance at this time
        std::vector<NearPoint> points;
    };
    void set_node(int pair, double t, const MovingFrame& a, const MovingFrame& b, Node& node) const;
    void set_node(int pair, double t, const Coordinates<Space>& c, Node& node) const;
    [[nodiscard]] MovingFrame frame_of(int profile, const Coordinates<Space>& c) const;
    // Position, velocity and acceleration at a time.
    const Coordinates<Space>& look(double t, const Motion& motion);
    [[nodiscard]] Node node_at(int pair, double t, const Motion& motion);
    // What bounds the motion of a pair over the interval that is watched.
    struct Bound {
        MotionBound side[2];
        double acceleration = 0, turning = 0;  // of the distance, of the bodies against each other
        double level = 0;                      // the deepest of its points when the watch began
    };
    void set_bound(int pair);
    // All profiles that are watched at a time; and a pair at the low end, in the middle and at the
    // high end of the interval that is watched.
    struct Moment {
        double t = 0;
        std::vector<MovingFrame> frames;
    };
    const Coordinates<Space>& see(Moment& moment, double t, const Motion& motion);
    void set_nodes(int pair);
    // The pairs that can meet in the interval, whose motion is bounded: ascending.
    const std::vector<int>& find_near(double h);
    // The pairs of parts that may meet in an interval: where they are in near_pairs_.
    struct Near {
        std::size_t first, last;
        [[nodiscard]] bool empty() const { return first == last; }
    };
    struct Interval {
        Node &low, &middle, &high;
        [[nodiscard]] double length() const { return high.t - low.t; }
    };
    // No two points of a pair come nearer to each other in an interval by more than this.
    [[nodiscard]] double reach(int pair, const Interval& in) const {
        const double h = in.length();
        return h * (in.middle.speed + 0.5 * h * bounds_[pair].acceleration);
    }
    void find_near_points(int pair, Node& node, double within, const Near& near,
                          const std::vector<ContactPoint<Space>>& closed);
    // The point on the same elements at a node, also beyond their ends; the nearest to `near` where
    // there are several.
    [[nodiscard]] std::optional<NearPoint> near_point_at(int pair, const Node& node,
                                                         const NearPoint& near) const;
    // Appends the pairs of parts for which no proof is found that they keep apart: of all (null),
    // or of some.
    Near unproven_pairs(int pair, const Interval& in, const Near* among,
                        const std::vector<ContactPoint<Space>>& closed);
    [[nodiscard]] bool stay_apart(int pair, const Interval& in, const PartPair& parts,
                                  double sunk) const;
    // A point that stands below zero at a time and sinks, and did not stand so deep when the watch
    // of its pair began; null where there is none.
    [[nodiscard]] const NearPoint* deeper_than_at_first(int pair, const Node& low) const;
    // Leaves out those that stand a little below zero and do not sink deeper.
    void leave_sunk(int pair, const Interval& in, Near& near);
    // Whether the parts hold a contact that is closed.
    [[nodiscard]] bool holds_closed(int pair, const PartPair& parts,
                                    const std::vector<ContactPoint<Space>>& closed) const;
    // The first meeting of a pair in the interval that is watched.
    std::optional<Hit> first_of_pair(int pair, const std::vector<ContactPoint<Space>>& closed,
                                     const Motion& motion);
    // The first meeting of a pair in an interval: of the pairs of parts that may meet, or of those
    // that are left of them.
    std::optional<Hit> first_between(int pair, const Interval& in,
                                     const std::vector<ContactPoint<Space>>& closed,
                                     const Motion& motion);
    std::optional<Hit> search(int pair, const Interval& in, int depth, const Near& near,
                              const std::vector<ContactPoint<Space>>& closed, const Motion& motion);
    std::optional<Hit> meet(int pair, const Interval& in, int depth, const Near& near,
                            const std::vector<ContactPoint<Space>>& closed, const Motion& motion);
    std::optional<Hit> halves(int pair, const Interval& in, int depth, const Near& near,
                              const std::vector<ContactPoint<Space>>& closed, const Motion& motion);
    [[nodiscard]] double negligible(int pair, const Near& near) const;
    // What has sunk below zero over an interval so short that nothing else can have happened.
    std::optional<Hit> sunk_in(int pair, const Interval& in, const Near& near,
                               const Motion& motion);
    // The same point among those of another time; null when it is not there.
    [[nodiscard]] const NearPoint* match(int pair, const std::vector<NearPoint>& points,
                                         const NearPoint& p) const;
    // Whether fractions on the same two elements belong to one point: two lines, arcs or corners
    // have only one, those of a curve are more than `apart` apart.
    [[nodiscard]] bool same_point(int pair, int a, int b, const double* u, const double* v,
                                  double apart) const;
    // Whether a point sinks below zero.
    [[nodiscard]] bool deeper(const NearPoint& low, const NearPoint& high) const {
        return high.gap < -touching_ && high.gap < low.gap;
    }
    // How many times the depth that counts as zero a point lies behind the other profile.
    [[nodiscard]] double level(const NearPoint& point) const {
        return std::max(0.0, std::floor(-point.gap / touching_));
    }
    // A near point at a time.
    struct Look {
        double t;
        NearPoint point;
    };
    [[nodiscard]] std::optional<std::pair<Look, Look>> through_level(int pair, Look begin, Look end,
                                                                     const Motion& motion);
    [[nodiscard]] std::optional<std::pair<Look, Look>> around_zero(int pair, const Node& low,
                                                                   const Node& high,
                                                                   const Motion& motion);
    [[nodiscard]] std::optional<std::pair<Look, Look>> sinking(int pair, const Node& low,
                                                               const Node& high, int depth,
                                                               const Motion& motion);
    [[nodiscard]] Look zero_of(int pair, Look low, Look high, const Motion& motion);
    [[nodiscard]] Hit hit_of(int pair, const Look& look) const;
    // On which side of a profile a point is, or within a distance of it. Behind an open one, which
    // has no inside, everything counts.
    enum class Side { outside, on, inside };
    Side side_of(int pair, int side, const Space::Position& frame, Space::Vector point,
                 double within);
    [[nodiscard]] int watched(int pair) const {
        return nearby_.index[static_cast<std::size_t>(pair)];
    }
    // Whether a pair may have a near point that is not closed.
    [[nodiscard]] bool may_open(std::size_t pair,
                                const std::vector<ContactPoint<Space>>& closed) const;
    [[nodiscard]] static ContactPoint<Space> point_of(int pair, const Candidate& candidate,
                                                      const Node& node);
    [[nodiscard]] bool is_closed(int pair, const Node& node, const Candidate& candidate,
                                 const std::vector<ContactPoint<Space>>& closed) const;

    const Mechanism<Space>& mechanism_;
    double touching_;
    double
        behind_;  // deeper than this is the far side of a body, or a corner of it behind the other
    static constexpr double part_of_depth = 0.01;  // depths this much smaller are rounding
    std::vector<int> watched_;                     // pairs with two profiles that are not permanent
    struct Nearby {
        std::vector<int> index;  // of each pair of the mechanism in watched_; -1: not watched
        NearProfiles profiles;
        // In first_hit: low end, middle, high end; circles with what the profiles reach; the pairs
        // of which these overlap, indices in watched_.
        std::array<Moment, 3> moments{};
        std::vector<BoundingCircle> circles{};
        std::vector<int> candidates{};
    } nearby_;
    std::vector<Geometry> geometry_;  // of each pair
    std::vector<Candidate> found_;
    std::vector<double> near_;  // of each pair: how far its nearest point is looked for at first
    const PolynomialPath* path_ = nullptr;  // in first_hit
    MotionBounds body_bounds_;
    std::vector<Bound> bounds_;  // of each pair, in first_hit
    struct Rates {
        std::vector<double> velocity, acceleration;
    } rates_;                                // of the coordinates, at the time that is looked at
    std::vector<Node> low_, middle_, high_;  // of each pair, in first_hit
    std::vector<PartPair> near_pairs_;       // of an interval after those of the one around it
    long searches_ = 0, looks_ = 0, unproven_ = 0;
    long max_looks_ = 0;  // at the pair in hand
};

}  // namespace pawl
