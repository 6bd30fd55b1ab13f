#include "events/gap_watch.h"

#include <algorithm>
#include <cmath>

#include "events/cubic.h"
#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

}  // namespace

bool GapWatch::may_open(std::size_t pair, const std::vector<ContactPoint<Space>>& closed) const {
    return !geometry_[pair].touches_once ||
           std::none_of(closed.begin(), closed.end(), [&](const ContactPoint<Space>& point) {
               return point.pair == watched_[pair];
           });
}

std::optional<GapWatch::Hit> GapWatch::first_hit(double t_low, double t_high,
                                                 const std::vector<ContactPoint<Space>>& closed,
                                                 const Motion& motion) {
    const std::size_t pairs = watched_.size();
    std::size_t open = 0;
    while (open < pairs && !may_open(open, closed)) ++open;
    if (open == pairs || !(t_high > t_low)) return std::nullopt;
    path_ = &motion.path();
    rates_.velocity.resize(path_->size());
    rates_.acceleration.resize(path_->size());
    auto& [begin, middle, end] = nearby_.moments;
    see(begin, t_low, motion);
    see(end, t_high, motion);
    // Last: closed contacts are then where they are in the middle, not far from either end.
    const auto& coordinates = see(middle, t_low + 0.5 * (t_high - t_low), motion);
    body_bounds_.set(coordinates, *path_, t_low, t_high);
    for (auto* nodes : {&low_, &middle_, &high_}) nodes->resize(pairs);
    bounds_.resize(pairs);
    std::optional<Hit> first;
    for (const int pair : find_near(t_high - t_low)) {
        const auto i = static_cast<std::size_t>(pair);
        if (!(end.t > t_low) || !may_open(i, closed)) continue;
        set_bound(pair);
        set_nodes(pair);
        const auto hit = first_of_pair(pair, closed, motion);
        if (!hit) continue;
        first = hit;
        if (i + 1 == pairs) break;
        // Only an earlier meeting counts.
        see(end, hit->t, motion);
        see(middle, t_low + 0.5 * (hit->t - t_low), motion);
    }
    return first;
}

// In several parts, if many elements would otherwise be within reach of each other.
std::optional<GapWatch::Hit> GapWatch::first_of_pair(int pair,
                                                     const std::vector<ContactPoint<Space>>& closed,
                                                     const Motion& motion) {
    constexpr long many = 20000;  // looks at one pair; what takes that long is counted
    max_looks_ = looks_ + many;
    const std::size_t i = static_cast<std::size_t>(pair);
    Node &low = low_[i], &high = high_[i];
    constexpr std::size_t few = 100;
    constexpr double part = 0.5, least = 0.05,
                     max_parts = 64;  // of the smaller, the larger profile
    const ContactSearch& both = geometry_[i].search;
    const double size = std::max(part * std::min(both.radius_a(), both.radius_b()),
                                 least * std::max(both.radius_a(), both.radius_b()));
    const double h = high.t - low.t;
    const double parts =
        both.part_pairs() <= few
            ? 1
            : std::clamp(std::ceil(reach(pair, {low, middle_[i], high}) / size), 1.0, max_parts);
    if (!(parts > 1)) return first_between(pair, {low, middle_[i], high}, closed, motion);
    std::optional<Hit> hit;
    Node next;
    for (double k = 1; k <= parts && !hit; ++k) {
        Node to = k == parts ? high : node_at(pair, low.t + k / parts * h, motion);
        Node half = node_at(pair, low.t + (k - 0.5) / parts * h, motion);
        hit = first_between(pair, {k == 1 ? low : next, half, to}, closed, motion);
        next = std::move(to);
    }
    return hit;
}

// Pieces as long as the polynomials fit, from one to the next.
std::optional<GapWatch::Hit> GapWatch::first_hit(
    double t_low, double t_high, const std::vector<ContactPoint<Space>>& closed,
    const std::function<Coordinates<Space>&(double t)>& set, const Points& points) {
    const double fit = 10 * points.accuracy;
    PolynomialPath path;
    double t = t_low, h = t_high - t_low;
    while (t < t_high) {
        const double end = t + 1.01 * h > t_high ? t_high : t + h;
        const double error = path.go_through(t, end, points.at);
        if (error > fit && end - t > points.shortest) {
            h = 0.5 * (end - t);
            continue;
        }
        if (error > fit) ++unproven_;
        const Motion motion{set, [&]() -> const PolynomialPath& { return path; }};
        if (auto hit = first_hit(t, end, closed, motion)) return hit;
        h = 2 * (end - t);
        t = end;
    }
    return std::nullopt;
}

std::optional<GapWatch::Hit> GapWatch::first_between(int pair, const Interval& in,
                                                     const std::vector<ContactPoint<Space>>& closed,
                                                     const Motion& motion) {
    near_pairs_.clear();
    Near near = unproven_pairs(pair, in, nullptr, closed);
    if (near.empty()) return std::nullopt;
    const double within = reach(pair, in) + behind_;
    find_near_points(pair, in.low, within, near, closed);
    find_near_points(pair, in.high, within, near, closed);
    const auto i = static_cast<std::size_t>(pair);
    if (&in.low == &low_[i])  // where the watch begins
        for (const NearPoint& p : in.low.points)
            if (p.gap >= -behind_) bounds_[i].level = std::max(bounds_[i].level, level(p));
    return meet(pair, in, 0, near, closed, motion);
}

// From the data in the middle; otherwise from the data at both ends, for the half next to each: a
// point at zero there is leaving or arriving.
bool GapWatch::stay_apart(int pair, const Interval& in, const PartPair& parts, double sunk) const {
    const ContactSearch& search = geometry_[pair].search;
    const double half = 0.5 * in.length(), way = reach(pair, in);
    const auto apart = [&](const Node& node, double before, double after) {
        const Separation::Interval interval{before, after, touching_, behind_, way};
        return Separation(search, node.a, node.b, bounds_[pair].side[0], bounds_[pair].side[1],
                          interval)
            .holds(parts, sunk);
    };
    return apart(in.middle, half, half) || (apart(in.low, 0, half) && apart(in.high, half, 0));
}

// Two points that meet are within half the reach of each other in the middle.
GapWatch::Near GapWatch::unproven_pairs(int pair, const Interval& in, const Near* among,
                                        const std::vector<ContactPoint<Space>>& closed) {
    const double within = 0.5 * reach(pair, in) + behind_,
                 turn = 0.5 * in.length() * bounds_[pair].turning;
    const std::size_t first = near_pairs_.size();
    const auto &a = in.middle.a.position, &b = in.middle.b.position;
    if (among)
        geometry_[pair].search.narrow(a, b, within, turn, among->first, among->last, near_pairs_);
    else
        geometry_[pair].search.collect(a, b, within, turn, near_pairs_);
    const auto is_proven = [&](const PartPair& parts) {
        return holds_closed(pair, parts, closed) || stay_apart(pair, in, parts, touching_);
    };
    near_pairs_.erase(std::remove_if(near_pairs_.begin() + static_cast<std::ptrdiff_t>(first),
                                     near_pairs_.end(), is_proven),
                      near_pairs_.end());
    return {first, near_pairs_.size()};
}

// What crosses a level while it stands at zero may do so between two intervals, of which the one is
// proven as far as the level and the other begins below it: by rounding none would see it.
const GapWatch::NearPoint* GapWatch::deeper_than_at_first(int pair, const Node& low) const {
    for (const NearPoint& p : low.points)
        if (p.gap >= -behind_ && p.rate <= 0 && level(p) > bounds_[pair].level) return &p;
    return nullptr;
}

void GapWatch::leave_sunk(int pair, const Interval& in, Near& near) {
    const auto stays = [&](const PartPair& parts) {
        const int a = geometry_[pair].search.part_of_leaf(0, parts.a).element,
                  b = geometry_[pair].search.part_of_leaf(1, parts.b).element;
        double sunk = 0;
        for (const NearPoint& p : in.low.points)
            if (p.a == a && p.b == b && p.gap < -touching_ && p.gap >= -behind_)
                sunk = std::max(sunk, (level(p) + 1) * touching_);
        return sunk > 0 && stay_apart(pair, in, parts, sunk);
    };
    const auto begin = near_pairs_.begin() + static_cast<std::ptrdiff_t>(near.first),
               end = near_pairs_.begin() + static_cast<std::ptrdiff_t>(near.last);
    near.last = static_cast<std::size_t>(std::remove_if(begin, end, stays) - near_pairs_.begin());
}

// Zeros of the cubic between two ends that close in on the zero of the gap; half way where one of
// them stays.
GapWatch::Look GapWatch::zero_of(int pair, Look low, Look high, const Motion& motion) {
    Look at = high;
    int moves = 0;  // of the high end (negative) or of the low end (positive), in a row
    for (int i = 0; i < 100 && high.t - low.t > tolerance::finest_time * (1 + std::abs(high.t));
         ++i) {
        const NearPoint &f = low.point, &g = high.point;
        const double h = high.t - low.t;
        const bool halve = std::abs(moves) > 3 || !(f.gap > 0);
        const double t = low.t + (halve ? 0.5 : zero_of_cubic(f.gap, f.rate, g.gap, g.rate, h)) * h;
        if (!(t > low.t && t < high.t)) break;
        const auto point = near_point_at(pair, node_at(pair, t, motion), at.point);
        if (!point) break;
        at = {t, *point};
        if (std::abs(point->gap) < tolerance::zero_of_gap * touching_) break;
        const bool behind = point->gap < 0;
        (behind ? high : low) = at;
        moves = behind ? std::min(moves, 0) - 1 : std::max(moves, 0) + 1;
    }
    return at;
}

GapWatch::Hit GapWatch::hit_of(int pair, const Look& look) const {
    Hit hit;
    hit.t = look.t;
    hit.point.pair = watched_[pair];
    hit.point.a = look.point.a;
    hit.point.b = look.point.b;
    hit.point.touch.u[0] = look.point.u[0];
    hit.point.touch.u[1] = look.point.u[1];
    return hit;
}

// A point that is behind the other body at the high end and was open before: at the low end, or
// where it has risen to from zero.
std::optional<std::pair<GapWatch::Look, GapWatch::Look>> GapWatch::around_zero(
    int pair, const Node& low, const Node& high, const Motion& motion) {
    const double h = high.t - low.t;
    std::optional<std::pair<Look, Look>> around;
    double first = 1;
    for (const NearPoint& after : high.points) {
        const NearPoint* before = after.gap < -touching_ ? match(pair, low.points, after) : nullptr;
        if (!before || before->gap < -touching_) continue;
        double begin = 0;
        std::optional<NearPoint> open = *before;
        if (before->gap <= touching_) {
            if (!(before->rate > 0)) continue;
            begin = top_of_cubic(before->gap, before->rate, after.gap, after.rate, h).first;
            if (!(begin > 0 && begin < 1)) continue;
            open = near_point_at(pair, node_at(pair, low.t + begin * h, motion), *before);
            if (!open || !(open->gap > touching_)) continue;
        }
        const double end = begin + (1 - begin) * zero_of_cubic(open->gap, open->rate, after.gap,
                                                               after.rate, (1 - begin) * h);
        if (!(end < first)) continue;
        first = end;
        around = {Look{low.t + begin * h, *open}, Look{high.t, after}};
    }
    return around;
}

// Just before and after a point sinks through the first level below that of `begin`.
std::optional<std::pair<GapWatch::Look, GapWatch::Look>> GapWatch::through_level(
    int pair, Look begin, Look end, const Motion& motion) {
    const double from = level(begin.point), fine = tolerance::finest_time * (1 + std::abs(end.t));
    while (level(end.point) > from + 1 || end.t - begin.t > fine) {
        const double t = 0.5 * (begin.t + end.t);
        if (!(t > begin.t && t < end.t)) break;
        const auto point = near_point_at(pair, node_at(pair, t, motion), end.point);
        if (!point) return std::nullopt;
        (level(*point) > from ? end : begin) = {t, *point};
        if (begin.point.gap - end.point.gap < tolerance::zero_of_gap * touching_) break;
    }
    return std::pair{begin, end};
}

// A point that stands at zero at the low end and sinks from there, so slowly that between near
// times rounding hides it, and but a little in the whole step, which was halved `depth` times. It
// meets where it sinks through the next level: the times just before and after.
std::optional<std::pair<GapWatch::Look, GapWatch::Look>> GapWatch::sinking(
    int pair, const Node& low, const Node& high, int depth, const Motion& motion) {
    const double step = std::ldexp(high.t - low.t, depth);
    for (const NearPoint& after : high.points) {
        const NearPoint* before = match(pair, low.points, after);
        if (!before || before->gap > touching_ || before->rate > 0 || after.rate > 0 ||
            -std::min(before->rate, after.rate) * step > behind_ || level(after) <= level(*before))
            continue;
        return through_level(pair, {low.t, *before}, {high.t, after}, motion);
    }
    return std::nullopt;
}

std::optional<GapWatch::Hit> GapWatch::search(int pair, const Interval& in, int depth,
                                              const Near& near,
                                              const std::vector<ContactPoint<Space>>& closed,
                                              const Motion& motion) {
    const std::size_t held = near_pairs_.size();
    const Near left = unproven_pairs(pair, in, &near, closed);
    std::optional<Hit> hit;
    if (!left.empty()) hit = meet(pair, in, depth, left, closed, motion);
    near_pairs_.resize(held);
    return hit;
}

std::optional<GapWatch::Hit> GapWatch::sunk_in(int pair, const Interval& in, const Near& near,
                                               const Motion& motion) {
    const ContactSearch& search = geometry_[pair].search;
    for (const NearPoint& p : in.high.points) {
        const NearPoint* before = match(pair, in.low.points, p);
        if (!before || before->gap < -behind_ || !deeper(*before, p)) continue;
        for (std::size_t i = near.first; i < near.last; ++i) {
            if (search.part_of_leaf(0, near_pairs_[i].a).element != p.a ||
                search.part_of_leaf(1, near_pairs_[i].b).element != p.b)
                continue;
            const Look low{in.low.t, *before}, high{in.high.t, p};
            // One that has begun below zero, or rises from it before it sinks, has no zero here.
            if (before->gap > 0 || (before->gap >= -touching_ && !(before->rate > 0)))
                return hit_of(pair, zero_of(pair, low, high, motion));
            if (level(p) <= level(*before)) return hit_of(pair, high);
            const auto sunk = through_level(pair, low, high, motion);
            return hit_of(pair, sunk ? sunk->second : high);
        }
    }
    return std::nullopt;
}

// The penetration that may remain undetected. If two corners that pass each other this closely go
// deeper, their sides are met.
double GapWatch::negligible(int pair, const Near& near) const {
    const auto is_corner = [&](int side, int leaf) {
        const auto& part = geometry_[pair].search.part_of_leaf(side, leaf);
        return part.round && part.round->radius == 0;
    };
    for (std::size_t i = near.first; i < near.last; ++i)
        if (!is_corner(0, near_pairs_[i].a) || !is_corner(1, near_pairs_[i].b)) return touching_;
    return behind_;
}

// No proof keeps these parts apart: a zero between the ends is looked for, and is the first meeting
// when nothing meets before it. An interval in which nothing sinks by more than counts as zero is
// left with what is seen at its ends.
std::optional<GapWatch::Hit> GapWatch::meet(int pair, const Interval& in, int depth,
                                            const Near& among,
                                            const std::vector<ContactPoint<Space>>& closed,
                                            const Motion& motion) {
    constexpr int deepest = 60;
    const double h = in.length();
    if (const NearPoint* sunk = deeper_than_at_first(pair, in.low))
        return hit_of(pair, {in.low.t, *sunk});
    Near near = among;
    leave_sunk(pair, in, near);
    if (near.empty()) return std::nullopt;
    if (depth >= deepest || h < tolerance::located_time * (1 + std::abs(in.high.t)))
        return sunk_in(pair, in, near, motion);
    const auto end_at = [&](double t) {
        Node end = node_at(pair, t, motion);
        find_near_points(pair, end, reach(pair, in) + behind_, near, closed);
        return end;
    };
    const auto first_before = [&](Node end, const Look& found) {
        Node half = node_at(pair, in.low.t + 0.5 * (end.t - in.low.t), motion);
        const auto earlier = search(pair, {in.low, half, end}, depth + 1, near, closed, motion);
        return earlier ? *earlier : hit_of(pair, found);
    };
    if (const auto around = around_zero(pair, in.low, in.high, motion)) {
        const Look zero = zero_of(pair, around->first, around->second, motion);
        Node end = end_at(zero.t);
        const NearPoint* met = match(pair, end.points, zero.point);
        // Otherwise it is one of elements beyond their ends.
        if (met && std::abs(met->gap) <= touching_) return first_before(std::move(end), zero);
    }
    if (const auto sunk = sinking(pair, in.low, in.high, depth, motion)) {
        const auto& [before, after] = *sunk;
        return before.t > in.low.t ? first_before(end_at(before.t), after) : hit_of(pair, after);
    }
    if (reach(pair, in) < 0.5 * negligible(pair, near)) return sunk_in(pair, in, near, motion);
    if (looks_ > max_looks_) {
        ++unproven_;
        return sunk_in(pair, in, near, motion);
    }
    return halves(pair, in, depth, near, closed, motion);
}

std::optional<GapWatch::Hit> GapWatch::halves(int pair, const Interval& in, int depth,
                                              const Near& near,
                                              const std::vector<ContactPoint<Space>>& closed,
                                              const Motion& motion) {
    const double h = in.length();
    find_near_points(pair, in.middle, reach(pair, in) + behind_, near, closed);
    Node first = node_at(pair, in.low.t + 0.25 * h, motion);
    if (auto hit = search(pair, {in.low, first, in.middle}, depth + 1, near, closed, motion))
        return hit;
    Node second = node_at(pair, in.low.t + 0.75 * h, motion);
    return search(pair, {in.middle, second, in.high}, depth + 1, near, closed, motion);
}

}  // namespace pawl
