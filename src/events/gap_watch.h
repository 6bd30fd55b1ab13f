// Watches the open contacts over a step of integration: finds the first time at which two profiles
// meet, also when they part again inside the step. Nothing is sampled and hoped for: an interval is
// passed only when the speed of approach cannot close the gap in it, or when a cubic whose error
// was measured stays clear of zero; otherwise it is halved, or ended at a meeting that is then seen
// to be the first.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "contact/contact_point.h"
#include "contact/search.h"
#include "coordinates/coordinates.h"

namespace pawl {

class GapWatch {
public:
    using Space = PlanarSpace;
    // Sets position and velocity of the bodies to those at time t.
    using Motion = std::function<const Coordinates<Space>&(double t)>;

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

    // The open places of a pair, nearest first, whose gap is at most `within`; also those that have
    // sunk behind zero, but not far.
    void open_places(const Coordinates<Space>& coordinates, int pair, double within,
                     const std::vector<ContactPoint<Space>>& closed,
                     std::vector<ContactPoint<Space>>& out);
    // The one with the least gap, however far; none where no place faces the other profile.
    std::optional<ContactPoint<Space>> nearest_place(const Coordinates<Space>& coordinates,
                                                     int pair);
    // How deep the profiles of a pair lie in each other, up to a fifth of the smaller one that has
    // a size, whatever contacts are followed.
    double penetration(const Coordinates<Space>& coordinates, int pair);
    // The distance of the farthest point from the origin of its profile, of the profile that is
    // smaller.
    [[nodiscard]] double smaller_radius(int pair) const;
    // A place given by its elements at the position that the coordinates hold, with velocities v.
    [[nodiscard]] ContactPoint<Space> place(Coordinates<Space>& coordinates,
                                            ContactPoint<Space> point,
                                            std::span<const double> v) const;
    [[nodiscard]] bool empty() const { return watched_.empty(); }
    [[nodiscard]] const std::vector<int>& pairs() const { return watched_; }
    [[nodiscard]] long searches() const { return searches_; }

private:
    struct Place {
        int a, b;
        double gap, rate;
        double u[2];
    };
    struct Node {
        double t = 0;
        Space::Frame a, b;
        double speed = 0;  // bound on the rate of the distance
        std::vector<Place> places;
    };
    // How fast the bodies turn against each other.
    [[nodiscard]] static double turning(const Node& node) {
        return std::abs(node.b.velocity.omega - node.a.velocity.omega);
    }
    void set_node(int pair, double t, const Coordinates<Space>& c, Node& node) const;
    [[nodiscard]] Node node_at(int pair, double t, const Motion& motion) const;
    // Half way between two nodes, made when it is first asked for.
    class Middle;
    // The pairs of parts that may meet in an interval: where they are in near_pairs_, and a bound
    // on how fast their bodies turn against each other.
    struct Near {
        std::size_t first, last;
        double turning;
    };
    void find_places(int pair, Node& node, double within, const Near& near,
                     const std::vector<ContactPoint<Space>>& closed);
    // The place on the same elements at a node, also beyond their ends; the nearest to `near` where
    // there are several.
    [[nodiscard]] std::optional<Place> place_at(int pair, const Node& node,
                                                const Place& near) const;
    // What two looks at a pair say of the time between them.
    struct Passage {
        bool unclear = false;            // something may have met
        const Place* crossed = nullptr;  // this has, at the high end
        bool turns = false;              // too far for what is seen at the ends to be the same
    };
    // The nodes inside an interval: at its middle, and at the first and third quarter.
    struct Inside {
        Middle &middle, &first, &second;
    };
    [[nodiscard]] bool leaves(int pair, const Place& low, const Node& high,
                              const Inside& inside) const;
    [[nodiscard]] bool stays_on_side(int pair, const Node& low, const Node& high) const;
    [[nodiscard]] Passage passage(int pair, const Node& low, const Node& high,
                                  const Inside& inside) const;
    // The first meeting of a pair between two nodes, with one half way between them.
    std::optional<Hit> first_between(int pair, Node& low, Node& high, Node middle, double turning,
                                     const std::vector<ContactPoint<Space>>& closed,
                                     const Motion& motion);
    std::optional<Hit> search(int pair, const Node& low, const Node& high, Middle& middle,
                              int depth, const Near& near,
                              const std::vector<ContactPoint<Space>>& closed, const Motion& motion);
    // The same place among those of another time; null when it is not there.
    [[nodiscard]] const Place* match(int pair, const std::vector<Place>& places,
                                     const Place& p) const;
    // Whether fractions on the same two elements belong to one place: two lines, arcs or corners
    // have only one, those of a curve are more than `apart` apart.
    [[nodiscard]] bool same_place(int pair, int a, int b, const double* u, const double* v,
                                  double apart) const;
    // Whether a place sinks below zero.
    [[nodiscard]] bool deeper(const Place& low, const Place& high) const {
        return high.gap < -touching_ && high.gap < low.gap;
    }
    // How many times the depth that counts as zero a place lies behind the other profile.
    [[nodiscard]] double level(const Place& place) const {
        return std::max(0.0, std::floor(-place.gap / touching_));
    }
    enum class Verdict { clear, crossed, unclear };
    Verdict judge(const Place& low, const Place& high, double h, int pair,
                  const Inside& inside) const;
    // A place at a time.
    struct Look {
        double t;
        Place place;
    };
    [[nodiscard]] std::optional<std::pair<Look, Look>> around_zero(int pair, const Node& low,
                                                                   const Node& high,
                                                                   const Motion& motion) const;
    [[nodiscard]] std::optional<std::pair<Look, Look>> sinking(int pair, const Node& low,
                                                               const Node& high, int depth,
                                                               const Motion& motion) const;
    [[nodiscard]] Look zero_of(int pair, Look low, Look high, const Motion& motion) const;
    [[nodiscard]] Hit hit_of(int pair, const Look& look) const;
    // On which side of a profile a place is, or within a distance of it. Behind an open one, which
    // has no inside, everything counts.
    enum class Side { outside, on, inside };
    Side side_of(int pair, int side, const Space::Position& frame, Space::Vector place,
                 double within);
    [[nodiscard]] int watched(int pair) const;  // its place in watched_
    // Whether a pair may have a place that is not closed.
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
    std::vector<int> watched_;  // pairs with two profiles that are not permanent
    std::vector<ContactSearch> searches_of_;
    // Per pair: a disk and one side, which touch in one place only.
    std::vector<char> touches_once_;
    // Of the profiles of each pair against a single point; made when they are first asked for.
    struct Tip {
        ContactSearch search;
        bool solid;  // the profile is a body
    };
    std::vector<std::array<std::optional<Tip>, 2>> tips_;
    std::vector<Candidate> found_;
    std::vector<double> near_;  // of each pair: how far its nearest place is looked for at first
    std::vector<Node> low_, middle_, high_;  // of each pair, in first_hit
    std::vector<PartPair> near_pairs_;       // of an interval after those of the one around it
    long searches_ = 0;
};

}  // namespace pawl
