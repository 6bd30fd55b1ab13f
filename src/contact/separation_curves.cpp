// Separation of pieces of curves without closed-form normals: by circles that hold them and hardly
// stand out near the points that face each other, by hulls, or by halves of them.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/separation.h"
#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

using S = PlanarSpace;
using Vector = S::Vector;

// Pieces are halved as long as they are longer than the bodies move, but at most this often,
// because of rounding.
constexpr int max_cuts = 40;
// The tangents at the ends of an arc meet near it.
constexpr double largest_turn = 2;

// A piece of a curve, or an arc.
bool can_be_cut(const BoundingTree::Part& part) {
    return part.general || (part.round && part.round->radius != 0 && !part.periodic);
}

double curvature_at(const CurvePoint<S>& p) { return p.curvature_numerator / p.reach; }

}  // namespace

// The curvature grows or falls throughout a piece, so it is between those of its ends. A convex
// piece is inside the circle of the least curvature that touches it anywhere, a hollow one outside
// the circle of the largest.
std::optional<Separation::Round> Separation::round_of(const Part& part, const CurvePoint<S>& at) {
    constexpr double flat =
        tolerance::flat_circle;  // of the turn over the way: a circle too large for its digits
    // Of a hollow one, where it is negative, the strongest.
    const double curvature = std::min(curvature_at(part.start), curvature_at(part.end));
    const double way = S::length(part.end.p - part.start.p);
    if (part.turn > 0 ? !(curvature * way > flat) : !(curvature < 0)) return std::nullopt;
    // p = centre + radius n, of a hollow one with a negative radius.
    return Round{at.p - 1 / curvature * at.n, 1 / curvature, false};
}

// The piece is between its chord and the tangents at its ends and at a point.
Separation::Hull Separation::hull_of(const Part& part, const CurvePoint<S>& at) {
    Hull hull;
    hull.count = 4;
    hull.points[0] = part.start.p;
    hull.points[3] = part.end.p;
    const auto meet = [&](const CurvePoint<S>& end) {
        const Vector tangent = S::turned(at.n);
        const double slope = S::dot(end.n, tangent);
        constexpr double parallel = tolerance::parallel;
        return std::abs(slope) < parallel ? end.p
                                          : at.p + S::dot(end.n, end.p - at.p) / slope * tangent;
    };
    hull.points[1] = meet(part.start);
    hull.points[2] = meet(part.end);
    return hull;
}

// Newton's method between two points where the slope of the distance has different signs:
// f = (p - c).t, f' = speed + turn (c - p).n.
Separation::On Separation::nearest(int side, const Part& part, Vector to, bool farthest) const {
    const double sign = farthest ? -1 : 1;
    const auto value = [&](const CurvePoint<S>& p) {
        return sign * S::dot(p.p - to, S::turned(p.n));
    };
    if (value(part.start) >= 0) return {part.low, part.start};
    if (value(part.end) <= 0) return {part.high, part.end};
    double low = part.low, high = part.high, u = 0.5 * (low + high);
    On on{u, part.start};
    for (int i = 0; i < 12; ++i) {
        on = {u, point_of<S>(search_.element(side, part.element), u)};
        const double f = value(on.point),
                     slope = sign *
                             (on.point.speed + on.point.turn * S::dot(to - on.point.p, on.point.n));
        (f < 0 ? low : high) = u;
        double next = u - f / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        constexpr double fine =
            tolerance::fine_part;  // of the piece: circles there fit to the square of it
        if (std::abs(next - u) < fine * (part.high - part.low)) break;
        u = next;
    }
    return on;
}

Separation::On Separation::with_normal(int side, const Part& part, Vector n) const {
    const double turned = std::atan2(S::cross(part.start.n, n), S::dot(part.start.n, n));
    double share = part.turn != 0 ? turned / part.turn : 0.5;
    if (!(share > 0)) return {part.low, part.start};
    if (!(share < 1)) return {part.high, part.end};
    On on{part.low + share * (part.high - part.low), part.start};
    for (int i = 0; i < 6; ++i) {
        on.point = point_of<S>(search_.element(side, part.element), on.u);
        const double off = S::cross(on.point.n, n);
        constexpr double fine = tolerance::fine_part;  // rad
        if (std::abs(off) < fine || on.point.turn == 0) break;
        on.u = std::clamp(on.u + off / on.point.turn, part.low, part.high);
    }
    return on;
}

Vector Separation::to_other(int side, Vector local) const {
    const auto &from = frames_[side]->position, &to = frames_[1 - side]->position;
    return to.to_local(from.p + from.to_ground(local) - to.p);
}

// The shorter a piece is, the less its direction changes, and the better a circle encloses it.
bool Separation::general(const Part* const parts[2], double sunk, int cuts) const {
    if (!may_face(parts) || general(parts, sunk)) return true;
    if (cuts == 0) return false;
    const auto curvature_numerator = [&](int side) {
        return can_be_cut(*parts[side]) ? std::abs(parts[side]->turn) : -1;
    };
    const int side = curvature_numerator(0) > curvature_numerator(1) ? 0 : 1;
    if (S::length(parts[side]->end.p - parts[side]->start.p) < interval_.reach) return false;
    for (const Part& half : halves(side, *parts[side])) {
        const Part* const with_half[] = {side == 0 ? &half : parts[0],
                                         side == 1 ? &half : parts[1]};
        if (!general(with_half, sunk, cuts - 1)) return false;
    }
    return true;
}

std::array<Separation::Part, 2> Separation::halves(int side, const Part& part) const {
    std::array<Part, 2> out{part, part};
    const double middle = 0.5 * (part.low + part.high);
    out[0].high = out[1].low = middle;
    out[0].end = out[1].start = point_of<S>(search_.element(side, part.element), middle);
    for (Part& half : out)
        half.turn = part.general ? std::atan2(S::cross(half.start.n, half.end.n),
                                              S::dot(half.start.n, half.end.n))
                                 : 0.5 * part.turn;
    return out;
}

// Whether some normal of one part may be opposite to one of the other.
bool Separation::may_face(const Part* const parts[2]) const {
    double angle =
        (bounds_[0]->turning + bounds_[1]->turning) * std::max(interval_.before, interval_.after);
    Vector middle[2];
    for (const int side : {0, 1}) {
        const Part& part = *parts[side];
        const double turn = can_be_cut(part) ? part.turn : part.straight ? 0 : part.start.turn;
        constexpr double slack = tolerance::junction_slack;  // of junctions
        angle += 0.5 * std::abs(turn) + slack;
        const bool is_short = can_be_cut(part) && std::abs(part.turn) < 1;
        const Vector between = is_short ? part.start.n + part.end.n
                               : can_be_cut(part)
                                   ? std::cos(0.5 * turn) * part.start.n +
                                         std::sin(0.5 * turn) * S::turned(part.start.n)
                                   : part.middle;
        middle[side] = frames_[side]->position.to_ground(between);
    }
    if (!(angle < std::numbers::pi)) return true;
    return std::atan2(std::abs(S::cross(middle[0], middle[1])), -S::dot(middle[0], middle[1])) <=
           angle;
}

// Points of two curves on a common normal, or nearest to each other.
void Separation::facing(const Part* const parts[2], On on[2]) const {
    on[1] = {parts[1]->low, parts[1]->start};
    for (int i = 0; i < 3; ++i) {
        on[0] = nearest(0, *parts[0], to_other(1, on[1].point.p));
        on[1] = nearest(1, *parts[1], to_other(0, on[0].point.p));
    }
    const CurveElement<S>&a = search_.element(0, parts[0]->element),
          &b = search_.element(1, parts[1]->element);
    Touch<S> touch;
    touch.u[0] = on[0].u;
    touch.u[1] = on[1].u;
    if (!find_touch<S>(a, frames_[0]->position, b, frames_[1]->position, touch)) return;
    for (const int side : {0, 1})
        if (!(touch.u[side] > parts[side]->low && touch.u[side] < parts[side]->high)) return;
    on[0] = {touch.u[0], point_of<S>(a, touch.u[0])};
    on[1] = {touch.u[1], point_of<S>(b, touch.u[1])};
}

// A near point is where the centre is on a normal of the piece, (p - c).t = 0. With c - p along
// both tangents at its ends, from the last p, it is along all between them, and more so from those
// p before; so from the first p backwards. The end itself may stand on the circle all the time. On
// the normal where a piece was cut neither half is left out.
bool Separation::off_a_piece(int side, const Part& piece, Vector centre) const {
    if (!(std::abs(piece.turn) < 0.5 * std::numbers::pi)) return false;
    const Point c = point(1 - side, centre, side);
    const auto beyond = [&](const CurvePoint<S>& end, double way) {
        Point w = c;
        w.x = c.x - end.p;
        return stays_above(way * S::turned(piece.start.n), w, interval_.touching, 0) &&
               stays_above(way * S::turned(piece.end.n), w, interval_.touching, 0);
    };
    return beyond(piece.end, 1) || beyond(piece.start, -1);
}

// One side is a piece of a curve at least: circles that hold the pieces, then hulls.
bool Separation::general(const Part* const parts[2], double sunk) const {
    const int side = parts[0]->general ? 0 : 1, other = 1 - side;
    const Part &curve = *parts[side], &with = *parts[other];
    On on[2];
    if (with.straight) {
        if (!(curve.turn > 0)) return true;  // hollow: no near point against a line
        on[side] = with_normal(side, curve,
                               -frames_[side]->position.to_local(
                                   frames_[other]->position.to_ground(with.straight->n)));
        const auto round = round_of(curve, on[side].point);
        if (round && line_and_round(other, with, *round, sunk)) return true;
    } else if (with.round) {
        const Round own{with.round->centre, with.round->radius, true};
        if (own.radius < 0 && !(curve.turn > 0)) return true;  // both hollow
        // A part that is larger than a hollow piece touches it only at its ends.
        if (curve.turn < 0 &&
            own.radius * std::min(-curvature_at(curve.start), -curvature_at(curve.end)) > 1)
            return true;
        if (off_a_piece(side, curve, own.centre)) return true;
        on[side] = nearest(side, curve, to_other(other, own.centre), own.radius < 0);
        on[other] = nearest(other, with, to_other(side, on[side].point.p));
        if (const auto round = round_of(curve, on[side].point);
            round && rounds(parts, side == 0 ? *round : own, side == 1 ? *round : own, sunk))
            return true;
        if (own.radius < 0 && in_hollow(side, hull_of(curve, on[side].point), own, sunk))
            return true;
        if (own.radius < 0 && with.periodic) return false;
    } else {
        if (!(curve.turn > 0) && !(with.turn > 0)) return true;
        facing(parts, on);
        const auto a = round_of(*parts[0], on[0].point), b = round_of(*parts[1], on[1].point);
        if (a && b && rounds(parts, *a, *b, sunk)) return true;
    }
    Hull hull[2];
    double sum = 0;
    for (const int k : {0, 1}) {
        const Part& part = *parts[k];
        if (can_be_cut(part)) {
            if (!(std::abs(part.turn) < largest_turn)) return false;
            hull[k] = hull_of(part, on[k].point);
        } else if (part.straight) {
            hull[k].points[0] = part.start.p;
            hull[k].points[1] = part.end.p;
            hull[k].count = 2;
        } else {
            hull[k].points[0] = part.round->centre;
            hull[k].count = 1;
            sum = part.round->radius;
        }
    }
    return hulls(hull[0], hull[1], sum, sunk, ground) ||
           hulls(hull[0], hull[1], sum, sunk, hull[1].count > hull[0].count ? 1 : 0);
}

Separation::Part Separation::as_far_as_it_counts(int side, Part part) const {
    const CurveElement<S>& element = search_.element(side, part.element);
    part.low -= part.slack_low;
    part.high += part.slack_high;
    part.start = point_of<S>(element, part.low);
    part.end = point_of<S>(element, part.high);
    part.turn = part.general ? std::atan2(S::cross(part.start.n, part.end.n),
                                          S::dot(part.start.n, part.end.n))
                             : part.start.turn * (part.high - part.low);
    return part;
}

bool Separation::pieces(const Part* const parts[2], double sunk) const {
    Part changed[2];
    const Part* whole[] = {parts[0], parts[1]};
    for (const int side : {0, 1})
        if (can_be_cut(*parts[side]) && (!parts[side]->general || counts_beyond(*parts[side]))) {
            changed[side] = as_far_as_it_counts(side, *parts[side]);
            whole[side] = &changed[side];
        }
    return general(whole, sunk, max_cuts);
}

}  // namespace pawl
