#include "contact/search.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "curves/pieces.h"
#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

using S = PlanarSpace;
using Vector = S::Vector;
using Part = BoundingTree::Part;

constexpr double inner_slack = BoundingTree::inner_slack, facing_slack = BoundingTree::facing_slack;

// Of lengths that are added in different orders.
constexpr double rounding = tolerance::search_rounding;

// Farthest distance of the element from the origin: at an end, or on a round element opposite to
// the origin.
// origin; other curves are searched at the ends of their pieces, which bounds what lies between.
double farthest(const CurveElement<S>& element) {
    const double ends =
        std::max(S::length(point_of<S>(element, 0).p), S::length(point_of<S>(element, 1).p));
    return std::visit(
        [&](const auto& e) {
            if constexpr (GeneralCurve<std::decay_t<decltype(e)>>) {
                const std::vector<double> u = pieces_of(e);
                double r = 0;
                for (std::size_t i = 1; i < u.size(); ++i) {
                    const Vector p = e.point(u[i - 1]).p, q = e.point(u[i]).p;
                    r = std::max(r, S::length(0.5 * (p + q)) + 0.5 * S::length(q - p));
                }
                return r;
            }
            if constexpr (requires { e.round(); }) {
                const auto r = e.round();
                const double c = S::length(r.centre);
                if (c == 0) return std::max(ends, std::abs(r.radius));
                const double u = e.fraction((r.radius < 0 ? -1 : 1) / c * r.centre);
                if (u >= 0 && u <= 1) return c + std::abs(r.radius);
            }
            return ends;
        },
        element);
}

double farthest(const Profile<S>& profile) {
    double r = 0;
    for (const auto& e : profile.elements) r = std::max(r, farthest(e));
    return r;
}

}  // namespace

int ContactSearch::run_at(int side, int element, double u) const {
    const BoundingTree& tree = tree_[side];
    if (is_whole<S>(this->element(side, element))) u -= std::floor(u);
    int run = 0;
    for (int i = tree.first_part(element); i < static_cast<int>(tree.parts()); ++i) {
        const Part& part = tree.part(i);
        if (part.element != element) break;
        if (part.low <= u) run = part.run;
    }
    return run;
}

ContactSearch::ContactSearch(const Profile<S>& a, const Profile<S>& b, bool compliant)
    : profile_{a, b}, radius_{farthest(a), farthest(b)} {
    const double reach = 2 * (radius_[0] + radius_[1]);
    for (int i = 0; i < 2; ++i) tree_[i] = BoundingTree(profile_[i], reach, compliant);
}

ContactSearch::Query ContactSearch::query_of(const S::Position& frame_a, const S::Position& frame_b,
                                             double within, double turn,
                                             std::vector<Candidate>* out) {
    Query query{frame_a,
                frame_b,
                within,
                frame_a.to_local(frame_b.p - frame_a.p),
                frame_a.to_local(frame_b.u),
                out};
    if (turn > 0) {
        query.turn_cosine = turn < std::numbers::pi ? std::cos(turn) : -1;
        query.turn_sine = turn < std::numbers::pi ? std::sin(turn) : 0;
    }
    return query;
}

// The angle between the middle normal of a and the opposite of that of b is at most the sum of the
// angles around them and of the turn to come: cosine and sine of that sum, as long as it is less
// than half a turn.
template <class Cone>
bool ContactSearch::may_face(const Query& query, const Cone& a, const Cone& b) {
    const double sine = a.sine * b.cosine + a.cosine * b.sine,
                 cosine = a.cosine * b.cosine - a.sine * b.sine;
    if (sine <= 0 || sine * query.turn_cosine + cosine * query.turn_sine <= 0) return true;
    return -S::dot(a.middle, query.turned_to_a(b.middle)) >=
           cosine * query.turn_cosine - sine * query.turn_sine;
}

void ContactSearch::find(const S::Position& frame_a, const S::Position& frame_b, double within,
                         std::vector<Candidate>& out) const {
    out.clear();
    if (tree_[0].nodes().empty() || tree_[1].nodes().empty()) return;
    const Query query = query_of(frame_a, frame_b, within, 0, &out);
    descend(query, 0, 0,
            [&](std::size_t i, std::size_t k) { match(query, part_of(0, i), part_of(1, k)); });
    settle(out);
}

void ContactSearch::find(const S::Position& frame_a, const S::Position& frame_b, double within,
                         std::span<const PartPair> among, std::vector<Candidate>& out) const {
    out.clear();
    const Query query = query_of(frame_a, frame_b, within, 0, &out);
    for (const auto& [a, b] : among) {
        const auto i = static_cast<std::size_t>(a), k = static_cast<std::size_t>(b);
        if (are_near(query, tree_[0].nodes()[i], tree_[1].nodes()[k]))
            match(query, part_of(0, i), part_of(1, k));
    }
    settle(out);
}

void ContactSearch::collect(const S::Position& frame_a, const S::Position& frame_b, double within,
                            double turn, std::vector<PartPair>& pairs) const {
    if (tree_[0].nodes().empty() || tree_[1].nodes().empty()) return;
    const Query query = query_of(frame_a, frame_b, within, turn, nullptr);
    descend(query, 0, 0, [&](std::size_t i, std::size_t k) {
        if (may_face(query, part_of(0, i), part_of(1, k)))
            pairs.push_back({static_cast<int>(i), static_cast<int>(k)});
    });
}

void ContactSearch::narrow(const S::Position& frame_a, const S::Position& frame_b, double within,
                           double turn, std::size_t first, std::size_t last,
                           std::vector<PartPair>& pairs) const {
    const Query query = query_of(frame_a, frame_b, within, turn, nullptr);
    for (std::size_t n = first; n < last; ++n) {
        const PartPair pair = pairs[n];
        const auto i = static_cast<std::size_t>(pair.a), k = static_cast<std::size_t>(pair.b);
        if (are_near(query, tree_[0].nodes()[i], tree_[1].nodes()[k]) &&
            may_face(query, part_of(0, i), part_of(1, k)))
            pairs.push_back(pair);
    }
}

void ContactSearch::settle(std::vector<Candidate>& out) {
    std::sort(out.begin(), out.end(), [](const Candidate& p, const Candidate& q) {
        if (p.a != q.a) return p.a < q.a;
        if (p.b != q.b) return p.b < q.b;
        return p.touch.u[0] < q.touch.u[0];
    });
    const auto same = [](double u, double w) {
        const double d = std::abs(u - w);
        return std::min(d, std::abs(1 - d)) < 10 * inner_slack;
    };
    const auto last = std::unique(out.begin(), out.end(), [&](const auto& p, const auto& q) {
        return p.a == q.a && p.b == q.b && same(p.touch.u[0], q.touch.u[0]) &&
               same(p.touch.u[1], q.touch.u[1]);
    });
    out.erase(last, out.end());
}

// Touching points are |gap| apart, so parts whose circles are farther apart than `within` are out.
bool ContactSearch::are_near(const Query& query, const BoundingTree::Node& a,
                             const BoundingTree::Node& b) {
    const Vector d = query.shift + query.turned_to_a(b.centre) - a.centre;
    const double reach = query.within + a.radius + b.radius;
    return S::dot(d, d) <= reach * reach;
}

// The larger node is opened first; where no normals are opposite to each other, none.
template <class Leaf>
void ContactSearch::descend(const Query& query, std::size_t i, std::size_t k,
                            const Leaf& leaf) const {
    const auto& a = tree_[0].nodes()[i];
    const auto& b = tree_[1].nodes()[k];
    if (!are_near(query, a, b)) return;
    if (a.right < 0 && b.right < 0) return leaf(i, k);
    if (!may_face(query, a, b)) return;
    if (b.right < 0 || (a.right >= 0 && a.radius >= b.radius)) {
        descend(query, i + 1, k, leaf);
        descend(query, static_cast<std::size_t>(a.right), k, leaf);
    } else {
        descend(query, i, k + 1, leaf);
        descend(query, i, static_cast<std::size_t>(b.right), leaf);
    }
}

// Gap and fraction on the straight side, as in find_touch but without the angles, which are
// expensive.
bool ContactSearch::may_touch(const Query& query, const Part& straight, const RoundShape<S>& round,
                              Vector centre) {
    if (round.radius < 0) return false;
    const StraightShape<S>& line = *straight.straight;
    const Vector d = centre - line.from;
    const double gap = S::dot(line.n, d) - round.radius;
    if (std::abs(gap) > query.within + rounding * (S::length(d) + round.radius)) return false;
    const double u = S::dot(S::turned(line.n), d) / line.length;
    return u >= straight.low - straight.slack_low - facing_slack &&
           u <= straight.high + straight.slack_high + facing_slack;
}

bool ContactSearch::may_touch(const Query& query, const Part& a, const Part& b) {
    if (a.straight && b.straight) return false;
    if (a.straight)
        return may_touch(query, a, *b.round, query.shift + query.turned_to_a(b.round->centre));
    if (b.straight)
        return may_touch(query, b, *a.round, query.turned_to_b(a.round->centre - query.shift));
    const Vector d = query.shift + query.turned_to_a(b.round->centre) - a.round->centre;
    const double distance = S::length(d), sum = a.round->radius + b.round->radius;
    if (distance <= facing_slack * std::abs(sum)) return true;  // all directions are as good
    const double sign = sum < 0 ? -1 : 1;
    if (std::abs(sign * distance - sum) >
        query.within + rounding * (distance + std::abs(a.round->radius) + std::abs(sum)))
        return false;
    return sign * S::dot(d, a.middle) >= (a.cosine - rounding) * distance &&
           -sign * S::dot(d, query.turned_to_a(b.middle)) >= (b.cosine - rounding) * distance;
}

void ContactSearch::match(const Query& query, const Part& a, const Part& b) const {
    if (!may_face(query, a, b)) return;
    if (!a.general && !b.general) {
        if (may_touch(query, a, b)) take(query, a, b, 0, 0);
        return;
    }
    if (a.general && b.general) return seed_general(query, a, b);
    const bool straight = std::holds_alternative<LineCurve<S>>(a.general ? element(1, b.element)
                                                                         : element(0, a.element));
    straight ? seed_straight(query, a, b, a.general) : seed_round(query, a, b, a.general);
}

void ContactSearch::take(const Query& query, const Part& a, const Part& b, double u,
                         double w) const {
    Candidate found{a.element, b.element, {}};
    Touch<S>& touch = found.touch;
    touch.u[0] = u;
    touch.u[1] = w;
    if (!find_touch<S>(element(0, a.element), query.frame_a, element(1, b.element), query.frame_b,
                       touch))
        return;
    if (std::abs(touch.gap) <= query.within &&
        a.holds(touch.u[0], is_flat_or_hollow(element(1, b.element))) &&
        b.holds(touch.u[1], is_flat_or_hollow(element(0, a.element))) && touch.is_nearest())
        query.out->push_back(found);
}

}  // namespace pawl
