#include "events/gap_watch.h"

#include <algorithm>
#include <cmath>

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

double cubic_at(double s, double f0, double d0, double f1, double d1, double h) {
    const double r = 1 - s;
    return r * r * ((1 + 2 * s) * f0 + s * h * d0) + s * s * ((1 + 2 * r) * f1 - r * h * d1);
}

}  // namespace

GapWatch::GapWatch(const Mechanism<Space>& mechanism, double touching)
    : mechanism_(mechanism), touching_(touching) {
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i) {
        const auto& pair = mechanism.contacts[i];
        if (pair.profile_a < 0 || pair.profile_b < 0 || pair.permanent) continue;
        watched_.push_back(static_cast<int>(i));
        searches_of_.emplace_back(mechanism.profiles[pair.profile_a].chain,
                                  mechanism.profiles[pair.profile_b].chain);
    }
}

// The distance of b from a changes no faster than the fastest point of b as seen from a, or of a as
// seen from b.
GapWatch::Node GapWatch::node_at(int pair, double t, const Motion& motion) const {
    const auto& contact = mechanism_.contacts[watched_[pair]];
    const Coordinates<Space>& c = motion(t);
    Node node;
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
    return node;
}

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
        if (c.a == candidate.a && c.b == candidate.b) return true;
        if (!beside(chain_a, c.a, candidate.a) || !beside(chain_b, c.b, candidate.b)) continue;
        const auto apart = c.touch.p[0] - candidate.touch.p[0];
        const double near = 1e3 * touching_;
        if (std::abs(candidate.touch.gap) < near && std::hypot(apart.x, apart.y) < near)
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
        node.places.push_back({candidate.a, candidate.b, candidate.touch.gap, rates.closing});
    }
}

std::optional<GapWatch::Place> GapWatch::place_at(int pair, const Node& node, int a, int b) const {
    const auto& contact = mechanism_.contacts[watched_[pair]];
    Touch<Space> touch;
    if (!find_touch<Space>(
            mechanism_.profiles[contact.profile_a].chain.elements[a], node.a.position,
            mechanism_.profiles[contact.profile_b].chain.elements[b], node.b.position, touch))
        return std::nullopt;
    TouchRates<double> rates;
    gap_row<Space>(touch, node.a, node.b, &rates);
    return Place{a, b, touch.gap, rates.closing};
}

std::optional<GapWatch::Hit> GapWatch::first_hit(double t_low, double t_high,
                                                 const std::vector<ContactPoint<Space>>& closed,
                                                 const Motion& motion) {
    std::optional<Hit> first;
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        const int pair = static_cast<int>(i);
        Node low = node_at(pair, t_low, motion),
             high = node_at(pair, first ? first->t : t_high, motion);
        if (!(high.t > t_low)) continue;
        const Node middle = node_at(pair, 0.5 * (low.t + high.t), motion);
        // Speeds inside the step: twice the largest of three.
        const double speed = 2 * std::max({low.speed, middle.speed, high.speed});
        low.speed = high.speed = speed;
        find_places(pair, low, speed * (high.t - low.t) + touching_, closed);
        find_places(pair, high, speed * (high.t - low.t) + touching_, closed);
        if (auto hit = search(pair, low, high, 0, closed, motion)) first = hit;
    }
    return first;
}

// Whether a place that is open at the low end stays open.
GapWatch::Verdict GapWatch::judge(const Place& low, const Place& high, double h, int pair,
                                  double t_low, const Motion& motion) const {
    const bool muted = low.gap <= touching_;  // it stands at zero: parted, or about to
    if (high.gap < -touching_) return muted ? Verdict::unclear : Verdict::crossed;
    const double f0 = muted ? std::max(0.0, low.gap) : low.gap;
    const double least = least_of_cubic(f0, low.rate, high.gap, high.rate, h);
    if (least < (muted ? -touching_ : 0.0)) return Verdict::unclear;
    // The error is seen at three points: what is left of a cubic may well vanish at one of them.
    for (const double s : {0.5, 0.25, 0.75}) {
        const auto place = place_at(pair, node_at(pair, t_low + s * h, motion), low.a, low.b);
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
    double a = low.t, b = high.t;
    double fa = place_at(pair, low, place.a, place.b)->gap, fb = place.gap;
    hit.t = b;
    int side = 0;
    for (int i = 0; i < 100 && b - a > 1e-15 * (1 + std::abs(b)); ++i) {
        double t = (a * fb - b * fa) / (fb - fa);
        if (!(t > a && t < b)) t = 0.5 * (a + b);
        const auto at = place_at(pair, node_at(pair, t, motion), place.a, place.b);
        if (!at) break;
        hit.t = t;
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

std::optional<GapWatch::Hit> GapWatch::search(int pair, Node& low, Node& high, int depth,
                                              const std::vector<ContactPoint<Space>>& closed,
                                              const Motion& motion) {
    constexpr int deepest = 60;
    const double h = high.t - low.t, reach = low.speed * h;
    // Places that matter: open at the low end, and whatever the high end shows within reach.
    double least_low = INFINITY, least_high = INFINITY;
    bool unclear = false;
    const Place* crossed = nullptr;
    for (const Place& p : low.places)
        if (p.gap >= -touching_) least_low = std::min(least_low, p.gap);
    for (const Place& p : high.places) {
        if (p.gap >= -touching_) least_high = std::min(least_high, p.gap);
    }
    const auto match = [](const std::vector<Place>& places, const Place& p) -> const Place* {
        for (const Place& q : places)
            if (q.same(p)) return &q;
        return nullptr;
    };
    // The way of the points is at least the gap at the low end, and that at the high end too where
    // it is open. Where nothing is seen at the high end it may be inside the other body.
    const bool far =
        least_low > reach || (std::isfinite(least_high) && least_low + least_high > reach);
    // A place that is the same after a good part of a turn says nothing of those in between.
    const auto turning = [](const Node& n) {
        return std::abs(n.b.velocity.omega - n.a.velocity.omega);
    };
    if (!far && std::max(turning(low), turning(high)) * h > tolerance::turn) unclear = true;
    for (const Place& p : high.places) {
        const Place* before = match(low.places, p);
        if (p.gap < -touching_) {
            // Behind the other body from before, or too deep to have come there in this interval.
            if ((before && before->gap < -touching_) || p.gap < -reach - touching_) continue;
            if (!before) unclear = true;
        } else if (!far && !before) {
            unclear = true;
        }
        if (before && before->gap >= -touching_ && (!far || p.gap < -touching_)) {
            const Verdict verdict = judge(*before, p, h, pair, low.t, motion);
            if (verdict == Verdict::crossed) crossed = &p;
            if (verdict == Verdict::unclear) unclear = true;
        }
    }
    if (!far)
        for (const Place& p : low.places)
            if (p.gap >= -touching_ && p.gap < reach && !match(high.places, p)) unclear = true;
    const bool smallest = depth >= deepest || h < 1e-13 * (1 + std::abs(high.t));
    if (smallest) {
        for (const Place& p : high.places) {
            const Place* before = match(low.places, p);
            if (p.gap < -touching_ && before && before->gap >= -touching_)
                return locate(pair, low, high, p, motion);
        }
        return std::nullopt;
    }
    if (!unclear && !crossed) return std::nullopt;
    if (!unclear && high.places.size() == 1) {
        const Place* before = match(low.places, *crossed);
        // One crossing: the cubic falls all the way, and the bodies are so near that no other place
        // comes before it.
        constexpr double near = 8, small = 1e-6;  // of the gap, of the bodies
        const double size =
            std::min(searches_of_[pair].radius_a(), searches_of_[pair].radius_b());
        if (before->rate <= 0 && crossed->rate <= 0 &&
            reach <= std::max(near * before->gap, small * size))
            return locate(pair, low, high, *crossed, motion);
    }
    if (reach < 1e-3 * touching_ && crossed) return locate(pair, low, high, *crossed, motion);
    Node middle = node_at(pair, low.t + 0.5 * h, motion);
    middle.speed = low.speed;
    find_places(pair, middle, reach + touching_, closed);
    Node first = low;
    if (auto hit = search(pair, first, middle, depth + 1, closed, motion)) return hit;
    return search(pair, middle, high, depth + 1, closed, motion);
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

void GapWatch::open_places(const Coordinates<Space>& coordinates, int pair, double within,
                           const std::vector<ContactPoint<Space>>& closed,
                           std::vector<ContactPoint<Space>>& out) {
    out.clear();
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        if (watched_[i] != pair) continue;
        const int w = static_cast<int>(i);
        Node node = node_at(w, 0, [&](double) -> const Coordinates<Space>& { return coordinates; });
        ++searches_;
        searches_of_[w].find(node.a.position, node.b.position, within, found_);
        for (const Candidate& candidate : found_) {
            if (candidate.touch.gap < -touching_ || is_closed(w, candidate, closed)) continue;
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
