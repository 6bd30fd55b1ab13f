// First guesses for common normals of curves without a closed form: on a pair of pieces every root
// is bracketed, because on each piece the normal turns one way.
#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/search.h"
#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

using S = PlanarSpace;
using Vector = S::Vector;
using Part = BoundingTree::Part;

struct Value {
    double value, slope;
};

struct End {
    double x;
    Value f;
};

// The point between two ends where f has different signs, to `accuracy`: Newton's steps where they
// stay between, else halving.
template <class F>
double root_between(End low, End high, double accuracy, F&& f) {
    const bool rising = low.f.value < high.f.value;
    double a = low.x, b = high.x;
    double x = a + (b - a) * low.f.value / (low.f.value - high.f.value);
    for (int i = 0; i < 60; ++i) {
        if (!(x > a && x < b)) x = 0.5 * (a + b);
        const Value v = f(x);
        (v.value < 0) == rising ? a = x : b = x;
        const double next = x - v.value / v.slope;
        if (std::abs(next - x) < accuracy || b - a < accuracy) break;
        x = i % 4 == 3 ? 0.5 * (a + b) : next;
    }
    return x;
}

// Guesses are this accurate, in parts of the interval; find_touch does the rest.
constexpr double guess = tolerance::seed_guess;

// take(x) for the root of f between two ends at which it passes zero in the sense `rising` (+1,
// -1), also when it lies beyond an end by at most `margin`. f has at most one extremum there, so at
// most one such root.
template <class F, class G>
void each_root(End low, End high, double rising, double margin, F&& f, G&& take) {
    const double accuracy = guess * (high.x - low.x);
    if ((low.f.slope < 0) != (high.f.slope < 0)) {
        // f runs in the wanted sense on one side of its extremum: search for a point there beyond
        // the root.
        const bool first = rising * low.f.slope > 0;
        const End outer = first ? low : high;
        const double before = (first ? 1 : -1) * rising * outer.f.value;
        if (before > margin * std::abs(outer.f.slope)) return;
        double a = low.x, b = high.x;
        for (int i = 0; i < 40; ++i) {
            const End cut{0.5 * (a + b), f(0.5 * (a + b))};
            const bool is_inner = (cut.f.slope < 0) == (outer.f.slope < 0);
            is_inner == first ? a = cut.x : b = cut.x;
            if (!is_inner) continue;
            (first ? high : low) = cut;
            if ((cut.f.value < 0) != (outer.f.value < 0)) break;
        }
        if ((low.f.slope < 0) != (high.f.slope < 0)) return;  // no such point but the end itself
    }
    const double at_low = rising * low.f.value, at_high = rising * high.f.value;
    if (at_low <= 0 && at_high >= 0)
        take(root_between(low, high, accuracy, f));
    else if (at_low > 0 && at_low <= margin * std::abs(low.f.slope))
        take(low.x);
    else if (at_high < 0 && -at_high <= margin * std::abs(high.f.slope))
        take(high.x);
}

// The fraction of a piece at which its normal has turned by an angle.
double fraction_at(const CurveElement<S>& element, const Part& part, double turned) {
    const double share = turned / part.turn;
    if (share <= 0) return part.low;
    if (share >= 1) return part.high;
    constexpr double accuracy = tolerance::seed_accuracy;  // of the piece
    return root_between({part.low, {-turned, 0}}, {part.high, {part.turn - turned, 0}},
                        accuracy * (part.high - part.low), [&](double u) {
                            const auto p = point_of<S>(element, u);
                            return Value{S::angle_between(part.start.n, p.n) - turned, p.turn};
                        });
}

}  // namespace

// Distance of the centre c from the curve: f = (p - c).t, slope speed + turn (c - p).n.
void ContactSearch::seed_round(const Query& query, const Part& a, const Part& b,
                               bool a_is_general) const {
    const Part &curve = a_is_general ? a : b, &other = a_is_general ? b : a;
    const auto &frame = a_is_general ? query.frame_a : query.frame_b,
               &other_frame = a_is_general ? query.frame_b : query.frame_a;
    const CurveElement<S>& e = element(a_is_general ? 0 : 1, curve.element);
    const auto round = std::visit(
        [](const auto& kind) {
            if constexpr (requires { kind.round(); }) return kind.round();
            return RoundShape<S>{};
        },
        element(a_is_general ? 1 : 0, other.element));
    const Vector c = frame.to_local(other_frame.p + other_frame.to_ground(round.centre) - frame.p);
    const auto value = [&](const CurvePoint<S>& p) {
        const Vector d = c - p.p;
        return Value{-S::dot(d, S::turned(p.n)), p.speed + p.turn * S::dot(d, p.n)};
    };
    const double rising = round.radius < 0 ? -1 : 1,
                 margin = std::max(curve.slack_low, curve.slack_high) + tolerance::seed_margin;
    // Most pieces are excluded here: the centre lies beyond one of their ends.
    const Value low = value(curve.start), high = value(curve.end);
    if ((low.slope < 0) == (high.slope < 0)) {
        if (rising * low.value > margin * std::abs(low.slope)) return;
        if (-rising * high.value > margin * std::abs(high.slope)) return;
    }
    each_root(
        End{curve.low, low}, End{curve.high, high}, rising, margin,
        [&](double u) { return value(point_of<S>(e, u)); },
        [&](double u) { take(query, a, b, a_is_general ? u : 0, a_is_general ? 0 : u); });
}

// The normal of the curve is the inward normal m of the line; only where the curve is convex.
void ContactSearch::seed_straight(const Query& query, const Part& a, const Part& b,
                                  bool a_is_general) const {
    const Part &curve = a_is_general ? a : b, &other = a_is_general ? b : a;
    if (!(curve.turn > 0)) return;
    const auto &frame = a_is_general ? query.frame_a : query.frame_b,
               &other_frame = a_is_general ? query.frame_b : query.frame_a;
    const Vector m = -frame.to_local(other_frame.to_ground(other.start.n));
    const double turned = S::angle_between(curve.start.n, m), margin = tolerance::seed_angle;
    if (turned < -margin || turned > curve.turn + margin) return;
    const double u = fraction_at(element(a_is_general ? 0 : 1, curve.element), curve, turned);
    take(query, a, b, a_is_general ? u : 0, a_is_general ? 0 : u);
}

// Both points as functions of the angle of their common normal: f = -(p_b - p_a).t_a, slope
// 1/k_a + 1/k_b + gap, over the angles that both pieces have.
void ContactSearch::seed_general(const Query& query, const Part& a, const Part& b) const {
    constexpr double straight = tolerance::straight_piece;
    // Fractions are known to 1e-5 of a piece here, so a root at a seam may seem to lie beyond both
    // pieces; the exact point is judged afterwards.
    constexpr double margin = tolerance::seed_seam;
    if (std::abs(a.turn) < straight || std::abs(b.turn) < straight) return;
    const auto to_a = [&](Vector v) {
        return Vector{query.axis.x * v.x - query.axis.y * v.y,
                      query.axis.y * v.x + query.axis.x * v.y};
    };
    const double first = S::angle_between(a.start.n, -to_a(b.start.n));
    double low = std::max(std::min(0.0, a.turn), first + std::min(0.0, b.turn)),
           high = std::min(std::max(0.0, a.turn), first + std::max(0.0, b.turn));
    if (low > high + margin) return;
    high = std::max(low, high);
    const CurveElement<S>&ea = element(0, a.element), &eb = element(1, b.element);
    const auto value = [&](double angle) {
        const auto pa = point_of<S>(ea, fraction_at(ea, a, angle)),
                   pb = point_of<S>(eb, fraction_at(eb, b, angle - first));
        const Vector d = query.shift + to_a(pb.p) - pa.p;
        return Value{-S::dot(d, S::turned(pa.n)), pa.reach / pa.curvature_numerator +
                                                      pb.reach / pb.curvature_numerator +
                                                      S::dot(d, pa.n)};
    };
    const double rising = (a.turn < 0) == (b.turn < 0) ? 1 : -1;
    each_root(End{low, value(low)}, End{high, value(high)}, rising, margin, value,
              [&](double angle) {
                  take(query, a, b, fraction_at(ea, a, angle), fraction_at(eb, b, angle - first));
              });
}

}  // namespace pawl
