#include "events/gap_watch.h"

#include <algorithm>
#include <cmath>

#include "curves/inside.h"
#include "math/tolerances.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

// Least value over [0, h] of the cubic with these end values and rates.
double least_of_cubic(double f0, double d0, double f1, double d1, double h) {
    const double a = 2 * (f0 - f1) + h * (d0 + d1), b = 3 * (f1 - f0) - h * (2 * d0 + d1),
                 c = h * d0;
    double least = std::min(f0, f1);
    const auto at = [&](double s) {
        if (s > 0 && s < 1) least = std::min(least, f0 + s * (c + s * (b + s * a)));
    };
    // 3 a s^2 + 2 b s + c = 0
    const double discriminant = b * b - 3 * a * c;
    if (discriminant >= 0) {
        const double q = -(b + std::copysign(std::sqrt(discriminant), b));
        if (a != 0) at(q / (3 * a));
        if (q != 0) at(c / q);
    }
    return least;
}

// Where the cubic that rises at first is highest, as a part of h, and its height over f0.
std::pair<double, double> top_of_cubic(double f0, double d0, double f1, double d1, double h) {
    const double a = 2 * (f0 - f1) + h * (d0 + d1), b = 3 * (f1 - f0) - h * (2 * d0 + d1),
                 c = h * d0;
    const double discriminant = std::max(0.0, b * b - 3 * a * c);
    const double s = c / (-b + std::sqrt(discriminant));  // the nearer root of 3 a s^2 + 2 b s + c
    return {s, s * (c + s * (b + s * a))};
}

double cubic_at(double s, double f0, double d0, double f1, double d1, double h) {
    const double r = 1 - s;
    return r * r * ((1 + 2 * s) * f0 + s * h * d0) + s * s * ((1 + 2 * r) * f1 - r * h * d1);
}

}  // namespace

GapWatch::GapWatch(const Mechanism<Space>& mechanism, double touching)
    : mechanism_(mechanism), touching_(touching), behind_(100 * touching) {
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i) {
        const auto& pair = mechanism.contacts[i];
        if (pair.profile_a < 0 || pair.profile_b < 0 || pair.permanent) continue;
        watched_.push_back(static_cast<int>(i));
        searches_of_.emplace_back(mechanism.profiles[pair.profile_a].chain,
                                  mechanism.profiles[pair.profile_b].chain, !is_rigid(pair.law));
    }
}

// The distance of b from a changes no faster than the fastest point of b as seen from a, or of a as
// seen from b.
void GapWatch::set_node(int pair, double t, const Coordinates<Space>& c, Node& node) const {
    const auto& contact = mechanism_.contacts[watched_[pair]];
    node.t = t;
    node.a = c.frame(mechanism_.profiles[contact.profile_a].frame);
    node.b = c.frame(mechanism_.profiles[contact.profile_b].frame);
    const auto arm = node.b.position.p - node.a.position.p;
    const auto dv = node.b.velocity.v - node.a.velocity.v;
    const double wa = node.a.velocity.omega, wb = node.b.velocity.omega;
    const auto seen_from_a = dv - wa * Space::turned(arm),
               seen_from_b = dv - wb * Space::turned(arm);
    node.speed = std::min(std::hypot(seen_from_a.x, seen_from_a.y) +
                              std::abs(wb - wa) * searches_of_[pair].radius_b(),
                          std::hypot(seen_from_b.x, seen_from_b.y) +
                              std::abs(wb - wa) * searches_of_[pair].radius_a());
}

GapWatch::Node GapWatch::node_at(int pair, double t, const Motion& motion) const {
    Node node;
    set_node(pair, t, motion(t), node);
    return node;
}

class GapWatch::Middle {
public:
    Middle(const GapWatch& watch, int pair, double t, const Motion& motion)
        : watch_(watch), pair_(pair), t_(t), motion_(motion) {}
    // One that is known already.
    Middle(const GapWatch& watch, int pair, Node node, const Motion& motion)
        : watch_(watch), pair_(pair), t_(node.t), motion_(motion), node_(std::move(node)) {}
    Node& node() {
        if (!node_) node_ = watch_.node_at(pair_, t_, motion_);
        return *node_;
    }

private:
    const GapWatch& watch_;
    int pair_;
    double t_;
    const Motion& motion_;
    std::optional<Node> node_;
};

// A candidate is a closed contact when it is the same place: the same elements, or the next ones
// where the contact stands at a junction.
bool GapWatch::is_closed(int pair, const Candidate& candidate,
                         const std::vector<ContactPoint<Space>>& closed) const {
    const auto& contact = mechanism_.contacts[watched_[pair]];
    const auto& chain_a = mechanism_.profiles[contact.profile_a].chain;
    const auto& chain_b = mechanism_.profiles[contact.profile_b].chain;
    const auto beside = [](const Profile<Space>& chain, int i, int j) {
        return i == j || chain.neighbour(i, 1) == j || chain.neighbour(i, -1) == j;
    };
    for (const auto& c : closed) {
        if (c.pair != watched_[pair]) continue;
        if (c.a == candidate.a && c.b == candidate.b &&
            same_place(pair, c.a, c.b, c.touch.u, candidate.touch.u))
            return true;
        if (!beside(chain_a, c.a, candidate.a) || !beside(chain_b, c.b, candidate.b)) continue;
        const auto apart = c.touch.p[0] - candidate.touch.p[0];
        const double near = 1e3 * touching_;
        if (std::abs(candidate.touch.gap) < near && std::hypot(apart.x, apart.y) < near &&
            Space::dot(c.touch.n, candidate.touch.n) > 1 - 1e-6)
            return true;
    }
    return false;
}

void GapWatch::find_places(int pair, Node& node, double within,
                           const std::vector<ContactPoint<Space>>& closed) {
    ++searches_;
    node.places.clear();
    searches_of_[pair].find(node.a.position, node.b.position, within, found_);
    for (const Candidate& candidate : found_) {
        if (is_closed(pair, candidate, closed)) continue;
        TouchRates<double> rates;
        gap_row<Space>(candidate.touch, node.a, node.b, &rates);
        node.places.push_back({candidate.a,
                               candidate.b,
                               candidate.touch.gap,
                               rates.closing,
                               {candidate.touch.u[0], candidate.touch.u[1]}});
    }
}

bool GapWatch::same_place(int pair, int a, int b, const double* u, const double* v) const {
    const auto& contact = mechanism_.contacts[watched_[pair]];
    const auto& ea = mechanism_.profiles[contact.profile_a].chain.elements[a];
    const auto& eb = mechanism_.profiles[contact.profile_b].chain.elements[b];
    const auto simple = [](const CurveElement<Space>& e) {
        return std::visit(
            [](const auto& k) {
                return requires { k.round(); }
                || requires { k.straight(); };
            },
            e);
    };
    if (simple(ea) && simple(eb)) return true;
    for (int side = 0; side < 2; ++side) {
        double d = std::abs(u[side] - v[side]);
        if (is_whole(side == 0 ? ea : eb)) d = std::min(d, std::abs(1 - d));
        // A curve has few places against another; they are farther apart than it moves between two
        // looks.
        if (d > 0.05 && !simple(side == 0 ? ea : eb)) return false;
    }
    return true;
}

const GapWatch::Place* GapWatch::match(int pair, const std::vector<Place>& places,
                                       const Place& p) const {
    for (const Place& q : places)
        if (q.a == p.a && q.b == p.b && same_place(pair, p.a, p.b, p.u, q.u)) return &q;
    return nullptr;
}

std::optional<GapWatch::Place> GapWatch::place_at(int pair, const Node& node,
                                                  const Place& near) const {
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
    return Place{near.a, near.b, touch.gap, rates.closing, {touch.u[0], touch.u[1]}};
}

std::optional<GapWatch::Hit> GapWatch::first_hit(double t_low, double t_high,
                                                 const std::vector<ContactPoint<Space>>& closed,
                                                 const Motion& motion) {
    const std::size_t pairs = watched_.size();
    const auto set = [&](std::vector<Node>& nodes, std::size_t first_pair, double t) {
        nodes.resize(pairs);
        const Coordinates<Space>& coordinates = motion(t);
        for (std::size_t i = first_pair; i < pairs; ++i)
            set_node(static_cast<int>(i), t, coordinates, nodes[i]);
    };
    set(low_, 0, t_low);
    set(high_, 0, t_high);
    // Last: closed contacts are then where they are in the middle, not far from either end.
    set(middle_, 0, t_low + 0.5 * (t_high - t_low));
    std::optional<Hit> first;
    for (std::size_t i = 0; i < pairs; ++i) {
        const int pair = static_cast<int>(i);
        if (!(high_[i].t > t_low)) continue;
        Node &low = low_[i], &high = high_[i];
        // Speeds inside the step: twice the largest of three.
        const double speed = 2 * std::max({low.speed, middle_[i].speed, high.speed});
        low.speed = high.speed = middle_[i].speed = speed;
        find_places(pair, low, speed * (high.t - low.t) + touching_, closed);
        find_places(pair, high, speed * (high.t - low.t) + touching_, closed);
        Middle middle(*this, pair, middle_[i], motion);
        const auto hit = search(pair, low, high, middle, 0, closed, motion);
        if (!hit) continue;
        first = hit;
        if (i + 1 == pairs) break;
        // Only what comes before counts.
        set(high_, i + 1, hit->t);
        set(middle_, i + 1, t_low + 0.5 * (hit->t - t_low));
    }
    return first;
}

// Whether a place that is open at the low end stays open.
GapWatch::Verdict GapWatch::judge(const Place& low, const Place& high, double t_low, double h,
                                  int pair, Middle& middle, const Motion& motion) const {
    const bool muted = low.gap <= touching_;  // it stands at zero: parted, or about to
    if (deeper(low, high)) return muted ? Verdict::unclear : Verdict::crossed;
    const double f0 = muted ? std::max(0.0, low.gap) : low.gap;
    const double least = least_of_cubic(f0, low.rate, high.gap, high.rate, h);
    if (least < (muted ? -touching_ : 0.0)) return Verdict::unclear;
    // The error is seen at three points: what is left of a cubic may well vanish at one of them.
    for (const double s : {0.5, 0.25, 0.75}) {
        const auto place =
            place_at(pair, s == 0.5 ? middle.node() : node_at(pair, t_low + s * h, motion), low);
        if (!place) return Verdict::unclear;
        const double error =
            std::abs(place->gap - cubic_at(s, f0, low.rate, high.gap, high.rate, h));
        const bool clear =
            muted ? place->gap >= -touching_ && error <= 0.2 * std::abs(place->gap) + touching_
                  : 8 * error < least || error <= 0.1 * touching_;
        if (!clear) return Verdict::unclear;
    }
    return Verdict::clear;
}

// Illinois on the gap of these elements.
GapWatch::Hit GapWatch::locate(int pair, const Node& low, const Node& high, const Place& place,
                               const Motion& motion) const {
    Hit hit;
    hit.point.pair = watched_[pair];
    hit.point.a = place.a;
    hit.point.b = place.b;
    hit.point.touch.u[0] = place.u[0];
    hit.point.touch.u[1] = place.u[1];
    hit.t = high.t;
    const auto at_low = place_at(pair, low, place);
    if (!at_low) return hit;
    double a = low.t, b = high.t;
    double fa = at_low->gap, fb = place.gap;
    hit.t = b;
    int side = 0;
    for (int i = 0; i < 100 && b - a > 1e-15 * (1 + std::abs(b)); ++i) {
        double t = (a * fb - b * fa) / (fb - fa);
        if (!(t > a && t < b)) t = 0.5 * (a + b);
        const auto at = place_at(pair, node_at(pair, t, motion), place);
        if (!at) break;
        hit.t = t;
        hit.point.touch.u[0] = at->u[0];
        hit.point.touch.u[1] = at->u[1];
        if (std::abs(at->gap) < 1e-3 * touching_) break;
        if (at->gap < 0) {
            b = t;
            fb = at->gap;
            if (side == -1) fa *= 0.5;
            side = -1;
        } else {
            a = t;
            fa = at->gap;
            if (side == 1) fb *= 0.5;
            side = 1;
        }
    }
    return hit;
}

// Where the cubic has one zero: when it falls all the way, or rises first. A place that rises must
// follow the cubic in the middle, to a part of its height; the zero is then behind the top.
std::optional<GapWatch::Hit> GapWatch::single_crossing(int pair, const Node& low, const Node& high,
                                                       const Place& before, const Place& after,
                                                       Middle& middle, const Motion& motion) const {
    if (after.rate > 0) return std::nullopt;
    if (before.rate <= 0)
        return before.gap <= touching_ ? std::nullopt
                                       : std::optional(locate(pair, low, high, after, motion));
    const auto place = place_at(pair, middle.node(), before);
    if (!place) return std::nullopt;
    const double h = high.t - low.t;
    const double error =
        std::abs(place->gap - cubic_at(0.5, before.gap, before.rate, after.gap, after.rate, h));
    const auto [part, height] = top_of_cubic(before.gap, before.rate, after.gap, after.rate, h);
    if (!(part > 0 && part < 1) || !(error < 0.01 * height)) return std::nullopt;
    const Node top = node_at(pair, low.t + part * h, motion);
    const auto highest = place_at(pair, top, before);
    if (!highest || !(highest->gap > touching_)) return std::nullopt;
    if (part < 0.5 && place->gap < -touching_)
        return locate(pair, top, middle.node(), *place, motion);
    return locate(pair, top, high, after, motion);
}

std::optional<GapWatch::Hit> GapWatch::search(int pair, Node& low, Node& high, Middle& middle,
                                              int depth,
                                              const std::vector<ContactPoint<Space>>& closed,
                                              const Motion& motion) {
    constexpr int deepest = 60;
    const double h = high.t - low.t, reach = low.speed * h;
    // Places that matter: open at the low end, and whatever the high end shows within reach.
    double least_low = INFINITY, least_high = INFINITY;
    bool unclear = false;
    const Place* crossed = nullptr;
    for (const Place& p : low.places)
        if (p.gap >= -behind_) least_low = std::min(least_low, p.gap);
    for (const Place& p : high.places) {
        if (p.gap >= -behind_) least_high = std::min(least_high, p.gap);
    }
    // The way of the points is at least the gap at the low end, and that at the high end too where
    // it is open. A place that is gone at the high end may be inside the other body by then, seen
    // by nothing.
    const bool all_there = std::all_of(low.places.begin(), low.places.end(), [&](const Place& p) {
        return p.gap < -behind_ || p.gap > reach || match(pair, high.places, p);
    });
    const bool far = least_low > reach ||
                     (all_there && std::isfinite(least_high) && least_low + least_high > reach);
    // A place that is the same after a good part of a turn says nothing of those in between.
    const auto turning = [](const Node& n) {
        return std::abs(n.b.velocity.omega - n.a.velocity.omega);
    };
    if (!far && std::max(turning(low), turning(high)) * h > tolerance::turn) unclear = true;
    for (const Place& p : high.places) {
        const Place* before = match(pair, low.places, p);
        if (p.gap < -touching_) {
            // Behind the other body from before, or too deep to have come there in this interval.
            if ((before && before->gap < -behind_) || p.gap < -reach - behind_) continue;
            if (!before) unclear = true;
        } else if (!far && !before) {
            unclear = true;
        }
        if (before && before->gap >= -behind_ && (!far || p.gap < -touching_)) {
            const Verdict verdict = judge(*before, p, low.t, h, pair, middle, motion);
            if (verdict == Verdict::crossed) crossed = &p;
            if (verdict == Verdict::unclear) unclear = true;
        }
    }
    if (!far)
        for (const Place& p : low.places)
            if (p.gap >= -behind_ && p.gap < reach && !match(pair, high.places, p)) unclear = true;
    const bool smallest = depth >= deepest || h < 1e-13 * (1 + std::abs(high.t));
    if (smallest) {
        for (const Place& p : high.places) {
            const Place* before = match(pair, low.places, p);
            if (before && before->gap >= -behind_ && deeper(*before, p))
                return locate(pair, low, high, p, motion);
        }
        return std::nullopt;
    }
    if (!unclear && !crossed) return std::nullopt;
    // Nothing else may come before it: the bodies are near.
    constexpr double near = 8, small = 1e-6;  // of the gap, of the bodies
    const double size = std::min(searches_of_[pair].radius_a(), searches_of_[pair].radius_b());
    if (high.places.size() == 1 && high.places[0].gap < -touching_ &&
        (!unclear || low.places.size() == 1)) {
        const Place* before = match(pair, low.places, high.places[0]);
        if (before && before->gap >= -touching_ &&
            reach <= std::max(near * before->gap, small * size))
            if (auto hit =
                    single_crossing(pair, low, high, *before, high.places[0], middle, motion))
                return hit;
    }
    if (reach < 1e-3 * touching_ && crossed) return locate(pair, low, high, *crossed, motion);
    Node& between = middle.node();
    between.speed = low.speed;
    find_places(pair, between, reach + touching_, closed);
    Middle first(*this, pair, low.t + 0.25 * h, motion),
        second(*this, pair, low.t + 0.75 * h, motion);
    Node begin = low;
    if (auto hit = search(pair, begin, between, first, depth + 1, closed, motion)) return hit;
    return search(pair, between, high, second, depth + 1, closed, motion);
}

ContactPoint<Space> GapWatch::place(Coordinates<Space>& coordinates, ContactPoint<Space> point,
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
    const auto& search = searches_of_[static_cast<std::size_t>(
        std::find(watched_.begin(), watched_.end(), pair) - watched_.begin())];
    return std::min(search.radius_a(), search.radius_b());
}

// A negative gap counts where both points lie in the material of the other profile; an open profile
// has no inside, there the other one decides.
double GapWatch::penetration(const Coordinates<Space>& coordinates, int pair) {
    const std::size_t w = static_cast<std::size_t>(
        std::find(watched_.begin(), watched_.end(), pair) - watched_.begin());
    const auto& contact = mechanism_.contacts[pair];
    const auto &a = mechanism_.profiles[contact.profile_a],
               &b = mechanism_.profiles[contact.profile_b];
    if (!a.chain.closed && !b.chain.closed) return 0;
    const auto at_a = coordinates.frame(a.frame).position,
               at_b = coordinates.frame(b.frame).position;
    const double reach = 0.2 * smaller_radius(pair);
    searches_of_[w].find(at_a, at_b, reach, found_);
    double deepest = 0;
    for (const Candidate& c : found_) {
        const double depth = -c.touch.gap;
        if (!(depth > std::max(deepest, 100 * touching_))) continue;
        const bool b_in_a =
            !a.chain.closed || inside(a.chain, at_a.to_local(c.touch.p[1] - at_a.p));
        if (b_in_a && (!b.chain.closed || inside(b.chain, at_b.to_local(c.touch.p[0] - at_b.p))))
            deepest = depth;
    }
    return deepest;
}

void GapWatch::open_places(const Coordinates<Space>& coordinates, int pair, double within,
                           const std::vector<ContactPoint<Space>>& closed,
                           std::vector<ContactPoint<Space>>& out) {
    out.clear();
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        if (watched_[i] != pair) continue;
        const int w = static_cast<int>(i);
        Node node;
        set_node(w, 0, coordinates, node);
        ++searches_;
        searches_of_[w].find(node.a.position, node.b.position, within, found_);
        for (const Candidate& candidate : found_) {
            if (candidate.touch.gap < -std::max(behind_, std::isfinite(within) ? within : 0.0) ||
                is_closed(w, candidate, closed))
                continue;
            ContactPoint<Space> point;
            point.pair = pair;
            point.a = candidate.a;
            point.b = candidate.b;
            point.touch = candidate.touch;
            gap_row<Space>(point.touch, node.a, node.b, &point.rates);
            out.push_back(point);
        }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& x, const auto& y) { return x.touch.gap < y.touch.gap; });
}

}  // namespace pawl
