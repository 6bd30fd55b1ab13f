// The near points of a pair of profiles at one time: where they come nearest, with gap and rate.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "curves/inside.h"
#include "events/gap_watch.h"
#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

double length(Space::Vector v) { return std::sqrt(Space::dot(v, v)); }

// Open near points of a curve are farther apart than this fraction of what they move between two
// evaluations.
constexpr double moves = 0.05;

bool is_knife_edge(const Profile<Space>& chain) {
    return chain.elements.size() == 1 && std::holds_alternative<Corner<Space>>(chain.elements[0]);
}

// An open profile has no inside, nor has a knife edge.
bool has_inside(const Profile<Space>& chain) { return chain.closed && !is_knife_edge(chain); }

bool is_disk(const Profile<Space>& chain) {
    const auto* circle = std::get_if<CircleCurve<Space>>(&chain.elements[0]);
    return chain.elements.size() == 1 && circle && !circle->hollow;
}

// A line, an arc that is convex and at most half a turn, or a circle, with corners at its ends. (A
// disk in the mouth of a longer arc touches both ends.)
bool is_simple(const Profile<Space>& chain) {
    int sides = 0;
    for (const auto& element : chain.elements) {
        if (std::holds_alternative<Corner<Space>>(element)) continue;
        const auto* arc = std::get_if<ArcCurve<Space>>(&element);
        if (is_general<Space>(element) ||
            (arc && !(arc->sweep > 0 && arc->sweep <= std::numbers::pi)))
            return false;
        ++sides;
    }
    return sides <= 1;
}

std::vector<int> pairs_to_watch(const Mechanism<Space>& mechanism) {
    std::vector<int> pairs;
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i) {
        const auto& pair = mechanism.contacts[i];
        if (pair.profile_a >= 0 && pair.profile_b >= 0 && !pair.permanent)
            pairs.push_back(static_cast<int>(i));
    }
    return pairs;
}

}  // namespace

GapWatch::GapWatch(const Mechanism<Space>& mechanism, double touching)
    : mechanism_(mechanism),
      touching_(touching),
      behind_(100 * touching),
      watched_(pairs_to_watch(mechanism)),
      nearby_{std::vector<int>(mechanism.contacts.size(), -1), NearProfiles(mechanism, watched_)} {
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        const auto& pair = mechanism.contacts[static_cast<std::size_t>(watched_[i])];
        nearby_.index[static_cast<std::size_t>(watched_[i])] = static_cast<int>(i);
        const auto &a = mechanism.profiles[pair.profile_a].chain,
                   &b = mechanism.profiles[pair.profile_b].chain;
        Geometry geometry{ContactSearch(a, b, !is_rigid(pair.law))};
        geometry.touches_once = (is_disk(a) && is_simple(b)) || (is_disk(b) && is_simple(a));
        near_.push_back(std::min(geometry.search.radius_a(), geometry.search.radius_b()));
        for (const int side : {0, 1}) {
            Extent& extent = geometry.extents[side];
            extent.circle = geometry.search.circle(side);
            const bool round =
                std::holds_alternative<CircleCurve<Space>>((side == 0 ? a : b).elements[0]);
            extent.turned = round ? 0 : extent.circle.radius;
            nearby_.profiles.cover(side == 0 ? pair.profile_a : pair.profile_b,
                                   {extent.circle.centre, extent.circle.radius});
        }
        geometry_.push_back(std::move(geometry));
    }
}

// A candidate is a closed contact when it is the same point: the same elements, or the next ones
// where the contact stands at a junction or a corner.
bool GapWatch::is_closed(int pair, const Node& node, const Candidate& candidate,
                         const std::vector<ContactPoint<Space>>& closed) const {
    const auto& contact = mechanism_.contacts[watched_[pair]];
    const auto& chain_a = mechanism_.profiles[contact.profile_a].chain;
    const auto& chain_b = mechanism_.profiles[contact.profile_b].chain;
    const auto beside = [](const Profile<Space>& chain, int i, int j) {
        return i == j || chain.neighbour(i, 1) == j || chain.neighbour(i, -1) == j;
    };
    const double near = 1e3 * touching_;
    // Round a corner that is at the point: what lies on one side of it is behind the other.
    const auto round = [&](const Profile<Space>& chain, const Space::Position& frame, int i,
                           int j) {
        for (const int way : {1, -1}) {
            const int k = chain.neighbour(i, way);
            const auto* corner = k < 0 ? nullptr : std::get_if<Corner<Space>>(&chain.elements[k]);
            if (corner && chain.neighbour(k, way) == j &&
                length(frame.p + frame.to_ground(corner->at) - candidate.touch.p[0]) < near)
                return true;
        }
        return false;
    };
    for (const auto& c : closed) {
        if (c.pair != watched_[pair]) continue;
        // Curves may touch at two points on the same elements, near to each other on both sides of
        // a dent: the closed one is where its own point at this time is.
        if (c.a == candidate.a && c.b == candidate.b) {
            const NearPoint known{c.a, c.b, 0, 0, {c.touch.u[0], c.touch.u[1]}};
            const auto now = is_general(chain_a.elements[c.a]) || is_general(chain_b.elements[c.b])
                                 ? near_point_at(pair, node, known)
                                 : known;
            // Near an inflection the point is known to half the digits only, or cannot be found
            // again.
            constexpr double flat = tolerance::flat_contact;
            const bool found = now && same_point(pair, c.a, c.b, known.u, now->u, moves);
            if (same_point(pair, c.a, c.b, found ? now->u : known.u, candidate.touch.u,
                           found ? flat : moves))
                return true;
        }
        if (!(std::abs(candidate.touch.gap) < near) ||
            !(length(c.touch.p[0] - candidate.touch.p[0]) < near))
            continue;
        const bool next = beside(chain_a, c.a, candidate.a) && beside(chain_b, c.b, candidate.b);
        if ((next && Space::dot(c.touch.n, candidate.touch.n) > 1 - tolerance::same_direction) ||
            (c.b == candidate.b && round(chain_a, node.a.position, c.a, candidate.a)) ||
            (c.a == candidate.a && round(chain_b, node.b.position, c.b, candidate.b)))
            return true;
    }
    return false;
}

// Lines, arcs and corners touch each other at one point. On a curve the contact has its own run of
// pieces that curve the same way, and what is next to it.
bool GapWatch::holds_closed(int pair, const PartPair& parts,
                            const std::vector<ContactPoint<Space>>& closed) const {
    const ContactSearch& search = geometry_[pair].search;
    const BoundingTree::Part* const both[] = {&search.part_of_leaf(0, parts.a),
                                              &search.part_of_leaf(1, parts.b)};
    const auto is_at = [&](int side, double u) {
        const BoundingTree::Part& part = *both[side];
        if (!part.general) return true;
        const double middle = 0.5 * (part.low + part.high), half = 0.5 * (part.high - part.low);
        double d = std::abs(u - middle);
        if (part.periodic) d = std::abs(u - middle - std::round(u - middle));
        // Beyond a dent, the run after the next one, another point may come down close by.
        const int away = std::abs(search.run_at(side, part.element, u) - part.run);
        return away == 0 || (away == 1 && d <= half + moves);
    };
    return std::any_of(closed.begin(), closed.end(), [&](const ContactPoint<Space>& c) {
        return c.pair == watched_[pair] && c.a == both[0]->element && c.b == both[1]->element &&
               is_at(0, c.touch.u[0]) && is_at(1, c.touch.u[1]);
    });
}

void GapWatch::find_near_points(int pair, Node& node, double within, const Near& near,
                                const std::vector<ContactPoint<Space>>& closed) {
    ++searches_;
    node.points.clear();
    const auto among = std::span(near_pairs_).subspan(near.first, near.last - near.first);
    geometry_[pair].search.find(node.a.position, node.b.position, within, among, found_);
    for (const Candidate& candidate : found_) {
        if (is_closed(pair, node, candidate, closed)) continue;
        TouchRates<double> rates;
        gap_row<Space>(candidate.touch, node.a, node.b, &rates);
        node.points.push_back({candidate.a,
                               candidate.b,
                               candidate.touch.gap,
                               rates.closing,
                               {candidate.touch.u[0], candidate.touch.u[1]}});
    }
}

bool GapWatch::same_point(int pair, int a, int b, const double* u, const double* v,
                          double apart) const {
    const auto& contact = mechanism_.contacts[watched_[pair]];
    const CurveElement<Space>* elements[] = {
        &mechanism_.profiles[contact.profile_a].chain.elements[a],
        &mechanism_.profiles[contact.profile_b].chain.elements[b]};
    for (int side = 0; side < 2; ++side) {
        if (!is_general(*elements[side])) continue;
        double d = std::abs(u[side] - v[side]);
        if (is_whole(*elements[side])) d = std::min(d, std::abs(1 - d));
        if (d > apart) return false;
    }
    return true;
}

const GapWatch::NearPoint* GapWatch::match(int pair, const std::vector<NearPoint>& points,
                                           const NearPoint& p) const {
    for (const NearPoint& q : points)
        if (q.a == p.a && q.b == p.b && same_point(pair, p.a, p.b, p.u, q.u, moves)) return &q;
    return nullptr;
}

std::optional<GapWatch::NearPoint> GapWatch::near_point_at(int pair, const Node& node,
                                                           const NearPoint& near) const {
    const auto& contact = mechanism_.contacts[watched_[pair]];
    Touch<Space> touch;
    touch.u[0] = near.u[0];
    touch.u[1] = near.u[1];
    if (!find_touch<Space>(
            mechanism_.profiles[contact.profile_a].chain.elements[near.a], node.a.position,
            mechanism_.profiles[contact.profile_b].chain.elements[near.b], node.b.position, touch))
        return std::nullopt;
    TouchRates<double> rates;
    gap_row<Space>(touch, node.a, node.b, &rates);
    return NearPoint{near.a, near.b, touch.gap, rates.closing, {touch.u[0], touch.u[1]}};
}

ContactPoint<Space> GapWatch::locate(Coordinates<Space>& coordinates, ContactPoint<Space> point,
                                     std::span<const double> v) const {
    const auto& pair = mechanism_.contacts[point.pair];
    const auto &a = mechanism_.profiles[pair.profile_a], &b = mechanism_.profiles[pair.profile_b];
    coordinates.set_velocity(v);
    const auto frame_a = coordinates.frame(a.frame), frame_b = coordinates.frame(b.frame);
    find_touch<Space>(a.chain.elements[point.a], frame_a.position, b.chain.elements[point.b],
                      frame_b.position, point.touch);
    gap_row<Space>(point.touch, frame_a, frame_b, &point.rates);
    return point;
}

double GapWatch::smaller_radius(int pair) const {
    const ContactSearch& search = geometry_[static_cast<std::size_t>(watched(pair))].search;
    return std::min(search.radius_a(), search.radius_b());
}

// A negative gap counts where both points lie in the material of the other profile, or one does and
// the other on its edge; both on the edge are a corner beside it. An open profile has no inside,
// there the other one decides. A knife edge faces all sides of a body, also from the edge of a thin
// one: it must lie in the material.
double GapWatch::penetration(const Coordinates<Space>& coordinates, int pair) {
    const int w = watched(pair);
    const auto& contact = mechanism_.contacts[pair];
    const auto &a = mechanism_.profiles[contact.profile_a],
               &b = mechanism_.profiles[contact.profile_b];
    if (!has_inside(a.chain) && !has_inside(b.chain)) return 0;
    const auto at_a = coordinates.frame(a.frame).position,
               at_b = coordinates.frame(b.frame).position;
    const double smaller = smaller_radius(pair);  // none of a knife edge
    const double reach = 0.2 * (smaller > 0 ? smaller
                                            : std::max(geometry_[w].search.radius_a(),
                                                       geometry_[w].search.radius_b()));
    geometry_[w].search.find(at_a, at_b, reach, found_);
    double deepest = 0;
    for (const Candidate& c : found_) {
        const double depth = -c.touch.gap, near = std::max(part_of_depth * depth, 100 * touching_);
        if (!(depth > std::max(deepest, 100 * touching_))) continue;
        const Side b_in_a = side_of(w, 0, at_a, c.touch.p[1], near),
                   a_in_b = side_of(w, 1, at_b, c.touch.p[0], near);
        const bool counts = is_knife_edge(b.chain) ? b_in_a == Side::inside
                            : is_knife_edge(a.chain)
                                ? a_in_b == Side::inside
                                : b_in_a != Side::outside && a_in_b != Side::outside &&
                                      (b_in_a != Side::on || a_in_b != Side::on);
        if (counts) deepest = depth;
    }
    return deepest;
}

GapWatch::Side GapWatch::side_of(int pair, int side, const Space::Position& frame,
                                 Space::Vector point, double within) {
    const auto& contact = mechanism_.contacts[watched_[pair]];
    const auto& chain =
        mechanism_.profiles[side == 0 ? contact.profile_a : contact.profile_b].chain;
    auto& known = geometry_[pair].tips[side];
    if (!known) {
        Profile<Space> tip;
        tip.elements = {Corner<Space>{{}, 0, 2 * std::numbers::pi}};
        known.emplace(Tip{ContactSearch(chain, tip), is_solid(chain)});
    }
    Space::Position at;
    at.p = point;
    std::vector<Candidate> near;
    known->search.find(frame, at, within, near);
    if (!near.empty()) return Side::on;
    const auto local = frame.to_local(point - frame.p);
    return !has_inside(chain) || inside(chain, local, known->solid) ? Side::inside : Side::outside;
}

ContactPoint<Space> GapWatch::point_of(int pair, const Candidate& candidate, const Node& node) {
    ContactPoint<Space> point;
    point.pair = pair;
    point.a = candidate.a;
    point.b = candidate.b;
    point.touch = candidate.touch;
    gap_row<Space>(point.touch, node.a, node.b, &point.rates);
    return point;
}

void GapWatch::open_points(const Coordinates<Space>& coordinates, int pair, double within,
                           const std::vector<ContactPoint<Space>>& closed,
                           std::vector<ContactPoint<Space>>& out) {
    out.clear();
    const int w = watched(pair);
    Node node;
    set_node(w, 0, coordinates, node);
    ++searches_;
    geometry_[w].search.find(node.a.position, node.b.position, std::max(within, behind_), found_);
    for (const Candidate& candidate : found_)
        if (candidate.touch.gap <= within && !is_closed(w, node, candidate, closed))
            out.push_back(point_of(pair, candidate, node));
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& x, const auto& y) { return x.touch.gap < y.touch.gap; });
}

// The search radius grows, so the first point found is the nearest.
std::optional<ContactPoint<Space>> GapWatch::nearest_point(const Coordinates<Space>& coordinates,
                                                           int pair) {
    constexpr double wider = 4, more = 2, least = 0.01;  // of the bodies
    const int w = watched(pair);
    Node node;
    set_node(w, 0, coordinates, node);
    const ContactSearch& search = geometry_[w].search;
    const double all =
        2 * (length(node.b.position.p - node.a.position.p) + search.radius_a() + search.radius_b());
    for (double within = near_[w];; within *= wider) {
        if (!(within > 0 && within < all)) within = INFINITY;
        ++searches_;
        search.find(node.a.position, node.b.position, within, found_);
        const Candidate* nearest = nullptr;
        for (const Candidate& c : found_)
            if (c.touch.gap >= -behind_ && (!nearest || c.touch.gap < nearest->touch.gap))
                nearest = &c;
        if (!nearest && within < all) continue;
        if (!nearest) return std::nullopt;
        near_[w] = std::max(more * nearest->touch.gap, least * smaller_radius(pair));
        return point_of(pair, *nearest, node);
    }
}

}  // namespace pawl
