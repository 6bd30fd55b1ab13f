#include "events/gap_watch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "events/cubic.h"
#include "math/tolerances.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

}  // namespace

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

bool GapWatch::may_open(std::size_t pair, const std::vector<ContactPoint<Space>>& closed) const {
    return !touches_once_[pair] ||
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
    if (open == pairs) return std::nullopt;
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
        if (!(high_[i].t > t_low) || !may_open(i, closed)) continue;
        Node &low = low_[i], &high = high_[i];
        // Speeds inside the step: twice the largest of three.
        const double speed = 2 * std::max({low.speed, middle_[i].speed, high.speed});
        const double turning =
            2 * std::max({this->turning(low), this->turning(middle_[i]), this->turning(high)});
        low.speed = high.speed = middle_[i].speed = speed;
        // In parts where many elements would be within reach of each other.
        constexpr std::size_t few = 100;
        constexpr double part = 0.5, least = 0.05, most = 64;  // of the smaller, the larger profile
        const ContactSearch& both = searches_of_[i];
        const double size = std::max(part * std::min(both.radius_a(), both.radius_b()),
                                     least * std::max(both.radius_a(), both.radius_b()));
        const double h = high.t - low.t;
        const double parts =
            both.part_pairs() <= few ? 1 : std::clamp(std::ceil(speed * h / size), 1.0, most);
        std::optional<Hit> hit;
        if (parts > 1) {
            Node from = low;
            for (double k = 1; k <= parts && !hit; ++k) {
                Node to = k == parts ? high : node_at(pair, low.t + k / parts * h, motion);
                Node half = node_at(pair, low.t + (k - 0.5) / parts * h, motion);
                to.speed = half.speed = speed;
                hit = first_between(pair, from, to, std::move(half), turning, closed, motion);
                from = std::move(to);
            }
        } else {
            hit = first_between(pair, low, high, middle_[i], turning, closed, motion);
        }
        if (!hit) continue;
        first = hit;
        if (i + 1 == pairs) break;
        // Only what comes before counts.
        set(high_, i + 1, hit->t);
        set(middle_, i + 1, t_low + 0.5 * (hit->t - t_low));
    }
    return first;
}

std::optional<GapWatch::Hit> GapWatch::first_between(int pair, Node& low, Node& high, Node middle,
                                                     double turning,
                                                     const std::vector<ContactPoint<Space>>& closed,
                                                     const Motion& motion) {
    const double h = high.t - low.t, reach = low.speed * h;
    // What is within reach at an end is so in the middle, but for half of it.
    near_pairs_.clear();
    searches_of_[pair].collect(middle.a.position, middle.b.position, 1.5 * reach + behind_,
                               0.5 * turning * h, near_pairs_);
    const Near near{0, near_pairs_.size(), turning};
    find_places(pair, low, reach + behind_, near, closed);
    find_places(pair, high, reach + behind_, near, closed);
    Middle half(*this, pair, std::move(middle), motion);
    return search(pair, low, high, half, 0, near, closed, motion);
}

// Whether a place that is open at the low end stays open. At either end it may stand at zero: it
// has parted there, or is about to; or it was found to meet there.
GapWatch::Verdict GapWatch::judge(const Place& low, const Place& high, double h, int pair,
                                  const Inside& inside) const {
    // What has sunk to a level is measured from there.
    const double sunk = level(low) * touching_, g0 = low.gap + sunk, g1 = high.gap + sunk;
    const bool parts = g0 <= touching_, meets = std::abs(g1) <= touching_;
    if (g1 < -touching_ && g1 < g0) return parts ? Verdict::unclear : Verdict::crossed;
    const double f0 = parts ? std::max(0.0, g0) : g0, f1 = meets ? std::max(0.0, g1) : g1;
    const double least = least_of_cubic(f0, low.rate, f1, high.rate, h);
    const bool starts_or_ends = parts || meets;
    const double zero = starts_or_ends ? -touching_ : 0.0;
    const auto fits = [&](double gap, double error, double least_of_all) {
        return starts_or_ends ? gap >= -touching_ && error <= 0.2 * std::abs(gap) + touching_
                              : 8 * error < least_of_all || error <= 0.1 * touching_;
    };
    // The error is seen at three points: what is left of a cubic may well vanish at one of them.
    Middle* const looks[] = {&inside.first, &inside.middle, &inside.second};
    double gap[3], rate[3];
    bool clear = least >= zero;
    for (const int k : {1, 0, 2}) {
        const auto place = place_at(pair, looks[k]->node(), low);
        if (!place) return Verdict::unclear;
        gap[k] = place->gap + sunk;
        rate[k] = place->rate;
        const double s = 0.25 * (k + 1);
        const double error = std::abs(gap[k] - cubic_at(s, f0, low.rate, f1, high.rate, h));
        clear = clear && fits(gap[k], error, least);
    }
    if (clear) return Verdict::clear;
    // Those over the halves may do, whose error is seen in their middles, by gap and rate. The
    // least is that of those over the quarters, whose error is smaller still.
    const double gaps[] = {f0, gap[0], gap[1], gap[2], f1},
                 rates[] = {low.rate, rate[0], rate[1], rate[2], high.rate};
    double least_of_quarters = INFINITY;
    for (int k = 0; k < 4; ++k)
        least_of_quarters =
            std::min(least_of_quarters,
                     least_of_cubic(gaps[k], rates[k], gaps[k + 1], rates[k + 1], 0.25 * h));
    if (least_of_quarters < zero) return Verdict::unclear;
    for (const int k : {1, 3}) {
        const double half = 0.5 * h;
        const double cubic =
            cubic_at(0.5, gaps[k - 1], rates[k - 1], gaps[k + 1], rates[k + 1], half);
        const double slope =
            1.5 * (gaps[k + 1] - gaps[k - 1]) - 0.25 * half * (rates[k - 1] + rates[k + 1]);
        const double error = std::abs(gaps[k] - cubic) + 0.25 * std::abs(half * rates[k] - slope);
        if (!fits(gaps[k], error, least_of_quarters)) return Verdict::unclear;
    }
    return Verdict::clear;
}

// Zeros of the cubic between two ends that close in on the zero of the gap; half way where one of
// them stays.
GapWatch::Look GapWatch::zero_of(int pair, Look low, Look high, const Motion& motion) const {
    Look at = high;
    int moves = 0;  // of the high end (negative) or of the low end (positive), in a row
    for (int i = 0; i < 100 && high.t - low.t > 1e-15 * (1 + std::abs(high.t)); ++i) {
        const Place &f = low.place, &g = high.place;
        const double h = high.t - low.t;
        const bool halve = std::abs(moves) > 3 || !(f.gap > 0);
        const double t = low.t + (halve ? 0.5 : zero_of_cubic(f.gap, f.rate, g.gap, g.rate, h)) * h;
        if (!(t > low.t && t < high.t)) break;
        const auto place = place_at(pair, node_at(pair, t, motion), at.place);
        if (!place) break;
        at = {t, *place};
        if (std::abs(place->gap) < 1e-3 * touching_) break;
        const bool behind = place->gap < 0;
        (behind ? high : low) = at;
        moves = behind ? std::min(moves, 0) - 1 : std::max(moves, 0) + 1;
    }
    return at;
}

GapWatch::Hit GapWatch::hit_of(int pair, const Look& look) const {
    Hit hit;
    hit.t = look.t;
    hit.point.pair = watched_[pair];
    hit.point.a = look.place.a;
    hit.point.b = look.place.b;
    hit.point.touch.u[0] = look.place.u[0];
    hit.point.touch.u[1] = look.place.u[1];
    return hit;
}

// A place that is behind the other body at the high end and was open before: at the low end, or
// where it has risen to from zero.
std::optional<std::pair<GapWatch::Look, GapWatch::Look>> GapWatch::around_zero(
    int pair, const Node& low, const Node& high, const Motion& motion) const {
    const double h = high.t - low.t;
    std::optional<std::pair<Look, Look>> around;
    double first = 1;
    for (const Place& after : high.places) {
        const Place* before = after.gap < -touching_ ? match(pair, low.places, after) : nullptr;
        if (!before || before->gap < -touching_) continue;
        double begin = 0;
        std::optional<Place> open = *before;
        if (before->gap <= touching_) {
            if (!(before->rate > 0)) continue;
            begin = top_of_cubic(before->gap, before->rate, after.gap, after.rate, h).first;
            if (!(begin > 0 && begin < 1)) continue;
            open = place_at(pair, node_at(pair, low.t + begin * h, motion), *before);
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

// Whether a place stands at an end of its elements and is beyond it from then on, in the open: what
// lies there is the place of other elements.
bool GapWatch::leaves(int pair, const Place& low, const Node& high, const Inside& inside) const {
    constexpr double near = 1e-9;  // of the element
    const auto beyond = [](double u) { return std::max(-u, u - 1); };
    if (std::max(beyond(low.u[0]), beyond(low.u[1])) < -near) return false;
    const auto is_beyond = [&](int side, const Node& node) {
        const auto later = place_at(pair, node, low);
        return later && later->gap >= -touching_ && beyond(later->u[side]) > 0 &&
               (later->u[side] < 0.5) == (low.u[side] < 0.5);
    };
    for (const int side : {0, 1})
        if (beyond(low.u[side]) >= -near && is_beyond(side, high) &&
            is_beyond(side, inside.middle.node()) && is_beyond(side, inside.first.node()) &&
            is_beyond(side, inside.second.node()))
            return true;
    return false;
}

// A place that stands at zero at the low end and sinks from there, so slowly that between near
// times rounding hides it, and but a little in the whole step, which was halved `depth` times. It
// meets where it sinks through the next level: the times just before and after.
std::optional<std::pair<GapWatch::Look, GapWatch::Look>> GapWatch::sinking(
    int pair, const Node& low, const Node& high, int depth, const Motion& motion) const {
    const double step = std::ldexp(high.t - low.t, depth);
    for (const Place& after : high.places) {
        const Place* before = match(pair, low.places, after);
        if (!before || before->gap > touching_ || before->rate > 0 || after.rate > 0 ||
            -std::min(before->rate, after.rate) * step > behind_ || level(after) <= level(*before))
            continue;
        Look begin{low.t, *before}, end{high.t, after};
        const double fine = 1e-15 * (1 + std::abs(high.t));
        while (level(end.place) > level(*before) + 1 || end.t - begin.t > fine) {
            const double t = 0.5 * (begin.t + end.t);
            if (!(t > begin.t && t < end.t)) break;
            const auto place = place_at(pair, node_at(pair, t, motion), after);
            if (!place) return std::nullopt;
            (level(*place) > level(*before) ? end : begin) = {t, *place};
            if (begin.place.gap - end.place.gap < 1e-3 * touching_) break;
        }
        return std::pair{begin, end};
    }
    return std::nullopt;
}

// Whether a disk is over the same side at both ends. What lies between them is then no nearer than
// the line or circle of that side, and up to half a turn the looks in between show it.
bool GapWatch::stays_on_side(int pair, const Node& low, const Node& high) const {
    if (!touches_once_[pair] || low.places.size() != 1 || high.places.size() != 1) return false;
    const Place &p = low.places[0], &q = high.places[0];
    const auto is_corner = [&](int profile, int element) {
        return std::holds_alternative<Corner<Space>>(
            mechanism_.profiles[profile].chain.elements[element]);
    };
    const auto& contact = mechanism_.contacts[watched_[pair]];
    return p.a == q.a && p.b == q.b && !is_corner(contact.profile_a, p.a) &&
           !is_corner(contact.profile_b, p.b);
}

// What two looks at a pair say of the time between them.
GapWatch::Passage GapWatch::passage(int pair, const Node& low, const Node& high,
                                    const Inside& inside) const {
    const double h = high.t - low.t, reach = low.speed * h;
    // Places that matter: open at the low end, and whatever the high end shows within reach.
    double least_low = INFINITY, least_high = INFINITY;
    for (const Place& p : low.places)
        if (p.gap >= -behind_) least_low = std::min(least_low, p.gap);
    for (const Place& p : high.places)
        if (p.gap >= -behind_) least_high = std::min(least_high, p.gap);
    // The way of the points is at least the gap at the low end, and that at the high end too where
    // it is open. A place that is gone at the high end may be inside the other body by then, seen
    // by nothing.
    const bool all_there = std::all_of(low.places.begin(), low.places.end(), [&](const Place& p) {
        return p.gap < -behind_ || p.gap > reach || match(pair, high.places, p);
    });
    const bool far = least_low > reach ||
                     (all_there && std::isfinite(least_high) && least_low + least_high > reach);
    // A place that is the same after a good part of a turn says nothing of those in between.
    Passage out;
    const double turn = std::max(turning(low), turning(high)) * h;
    out.turns =
        turn > tolerance::turn && (turn > std::numbers::pi || !stays_on_side(pair, low, high));
    if (!far && out.turns) out.unclear = true;
    if (!far && !out.unclear)
        out.unclear = std::any_of(low.places.begin(), low.places.end(), [&](const Place& p) {
            return p.gap >= -behind_ && p.gap < reach && !match(pair, high.places, p) &&
                   !leaves(pair, p, high, inside);
        });
    for (const Place& p : high.places) {
        // Only the last look asks what has crossed in an interval that must be halved anyway.
        if (out.unclear && reach >= 1e-3 * touching_) break;
        const Place* before = match(pair, low.places, p);
        if (p.gap < -touching_) {
            // Behind the other body from before, or too deep to have come there in this interval.
            if ((before && before->gap < -behind_) || p.gap < -reach - behind_) continue;
            if (!before) out.unclear = true;
        } else if (!far && !before && p.gap < reach) {
            out.unclear = true;
        }
        if (before && before->gap >= -behind_ && (!far || p.gap < -touching_)) {
            const Verdict verdict = judge(*before, p, h, pair, inside);
            if (verdict == Verdict::crossed) out.crossed = &p;
            if (verdict == Verdict::unclear) out.unclear = true;
        }
    }
    return out;
}

std::optional<GapWatch::Hit> GapWatch::search(int pair, const Node& low, const Node& high,
                                              Middle& middle, int depth, const Near& near,
                                              const std::vector<ContactPoint<Space>>& closed,
                                              const Motion& motion) {
    constexpr int deepest = 60;
    const double h = high.t - low.t, reach = low.speed * h;
    Middle first(*this, pair, low.t + 0.25 * h, motion),
        second(*this, pair, low.t + 0.75 * h, motion);
    const Passage passage = this->passage(pair, low, high, {middle, first, second});
    const auto located = [&](const Place& after) {
        const Place* before = match(pair, low.places, after);
        return hit_of(pair, zero_of(pair, {low.t, *before}, {high.t, after}, motion));
    };
    if (depth >= deepest || h < 1e-13 * (1 + std::abs(high.t))) {
        for (const Place& p : high.places) {
            const Place* before = match(pair, low.places, p);
            if (before && before->gap >= -behind_ && deeper(*before, p)) return located(p);
        }
        return std::nullopt;
    }
    if (!passage.unclear && !passage.crossed) return std::nullopt;
    if (reach < 1e-3 * touching_ && passage.crossed) return located(*passage.crossed);
    // A meeting that is found is the first one when nothing meets before it.
    const auto end_at = [&](double t) {
        Node end = node_at(pair, t, motion);
        end.speed = low.speed;
        find_places(pair, end, low.speed * (end.t - low.t) + behind_, near, closed);
        return end;
    };
    const auto first_before = [&](const Node& end, const Look& found) {
        Middle half(*this, pair, low.t + 0.5 * (end.t - low.t), motion);
        const auto earlier = search(pair, low, end, half, depth + 1, near, closed, motion);
        return earlier ? *earlier : hit_of(pair, found);
    };
    const auto around = passage.turns ? std::nullopt : around_zero(pair, low, high, motion);
    if (around) {
        const Look zero = zero_of(pair, around->first, around->second, motion);
        const Node end = end_at(zero.t);
        const Place* met = match(pair, end.places, zero.place);
        // Otherwise it is one of elements beyond their ends.
        if (met && std::abs(met->gap) <= touching_) return first_before(end, zero);
    }
    if (const auto sunk = passage.turns ? std::nullopt : sinking(pair, low, high, depth, motion)) {
        const auto& [before, after] = *sunk;
        return before.t > low.t ? first_before(end_at(before.t), after) : hit_of(pair, after);
    }
    Node& between = middle.node();
    between.speed = low.speed;
    find_places(pair, between, reach + behind_, near, closed);
    // Whatever meets in one of the halves is within reach in the middle.
    const std::size_t held = near_pairs_.size();
    Near of_halves = near;
    if (constexpr std::size_t few = 8; near.last - near.first > few) {
        of_halves.first = held;
        searches_of_[pair].narrow(between.a.position, between.b.position, reach + behind_,
                                  0.5 * near.turning * h, near.first, near.last, near_pairs_);
        of_halves.last = near_pairs_.size();
    }
    auto hit = search(pair, low, between, first, depth + 1, of_halves, closed, motion);
    if (!hit) hit = search(pair, between, high, second, depth + 1, of_halves, closed, motion);
    near_pairs_.resize(held);
    return hit;
}

}  // namespace pawl
