#include "contact/separation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pawl {

namespace {

using S = PlanarSpace;
using Vector = S::Vector;

// A piece of a curve that bends by 15 degrees then bends by half a degree.
constexpr int most_cuts = 8;
// The tangents at the ends of an arc meet near it.
constexpr double largest_turn = 2;

double length(Vector v) { return std::sqrt(S::dot(v, v)); }

// The least of g + g1 x + g2 x^2/2 - jerk x^3/6 over [0, d].
double lowest(double g, double g1, double g2, double jerk, double d) {
    const auto value = [&](double x) { return g + x * (g1 + x * (0.5 * g2 - x * jerk / 6)); };
    double least = std::min(g, value(d));
    // g1 + g2 x - jerk x^2/2 = 0
    const double discriminant = g2 * g2 + 2 * jerk * g1;
    if (discriminant < 0) return least;
    const double q = g2 + std::copysign(std::sqrt(discriminant), g2);
    for (const double x : {q / jerk, -2 * g1 / q})
        if (x > 0 && x < d) least = std::min(least, value(x));
    return least;
}

// A piece of a curve, or an arc.
bool can_be_cut(const BoundingTree::Part& part) {
    return part.general || (part.round && part.round->radius != 0 && !part.periodic);
}

// At a re-entrant corner places count beyond the end of a piece; elsewhere by rounding only.
bool counts_beyond(const BoundingTree::Part& part) {
    constexpr double rounding = 1e-6;
    return part.slack_low > rounding || part.slack_high > rounding;
}

double curvature_at(const CurvePoint<S>& p) { return p.bend / p.reach; }

// The vector to a point from the nearest one of a segment.
Vector from_segment(Vector p, Vector q, Vector to) {
    const Vector d = q - p;
    const double square = S::dot(d, d);
    const double u = square > 0 ? std::clamp(S::dot(to - p, d) / square, 0.0, 1.0) : 0.0;
    return to - p - u * d;
}

}  // namespace

Separation::Point Separation::point(int side, Vector local) const {
    const MovingFrame& frame = *frames_[side];
    const Vector arm = frame.position.to_ground(local), across = S::turned(arm);
    const double w = frame.velocity.omega;
    return {frame.position.p + arm, frame.velocity.v + w * across,
            frame.acceleration.v + frame.acceleration.omega * across - w * w * arm,
            bounds_[side]->jerk + length(local) * bounds_[side]->turned_jerk};
}

// With z from the origin of the frame, w and alpha its rates, in its own axes:
//   y' = z' - w x z,   y'' = z'' - alpha x z + w^2 z - 2 w x y',
//   |y'''| <= |z'''| + 3 |z''| |u'| + 3 |z'| |u''| + |z| |u'''|, u its axes.
Separation::Point Separation::point(int side, Vector local, int seen_from) const {
    if (seen_from == ground) return point(side, local);
    if (seen_from == side) return {local, {}, {}, 0};
    const MovingFrame& frame = *frames_[seen_from];
    const MotionBound &own = *bounds_[side], &axes = *bounds_[seen_from];
    const Point z = between(point(seen_from, {}), point(side, local));
    const double w = frame.velocity.omega, d = std::max(interval_.before, interval_.after);
    const double largest =
                     own.acceleration + length(local) * own.turned_acceleration + axes.acceleration,
                 speed = length(z.v), distance = length(z.x);
    const Vector rate = z.v - w * S::turned(z.x),
                 second = z.a - frame.acceleration.omega * S::turned(z.x) + w * w * z.x -
                          2 * w * S::turned(rate);
    const auto& to = frame.position;
    return {to.to_local(z.x), to.to_local(rate), to.to_local(second),
            z.jerk + 3 * largest * axes.turning +
                3 * (speed + d * largest) * axes.turned_acceleration +
                (distance + d * (speed + 0.5 * d * largest)) * axes.turned_jerk};
}

Separation::Point Separation::between(const Point& from, const Point& to) {
    return {to.x - from.x, to.v - from.v, to.a - from.a, from.jerk + to.jerk};
}

bool Separation::stays_above(Vector n, const Point& w, double sum, double sunk) const {
    const double g = S::dot(n, w.x) - sum, g1 = S::dot(n, w.v), g2 = S::dot(n, w.a);
    return g >= -sunk && lowest(g, g1, g2, w.jerk, interval_.after) >= -sunk &&
           lowest(g, -g1, g2, w.jerk, interval_.before) >= -sunk;
}

// The parabola is in the triangle of its control points.
bool Separation::stays_within(const Point& w, double radius) const {
    for (const double d : {interval_.after, -interval_.before}) {
        const Vector half = w.x + 0.5 * d * w.v, end = w.x + d * w.v + 0.5 * d * d * w.a;
        const double farthest = std::max({length(w.x), length(half), length(end)});
        if (!(farthest + w.jerk * std::abs(d * d * d) / 6 <= radius)) return false;
    }
    return true;
}

std::optional<Vector> Separation::leaving(const Point& w) const {
    const double speed = length(w.v);
    if (!(speed > 0) || (interval_.before > 0) == (interval_.after > 0)) return std::nullopt;
    return (interval_.after > 0 ? 1 : -1) / speed * w.v;
}

// They touch where the centres are as far apart as the sum of the radii, in a direction that both
// have. What is nearer (a hollow one: farther) is behind.
bool Separation::rounds(const Part* const parts[2], const Round& a, const Round& b,
                        double sunk) const {
    const double sum = a.radius + b.radius;
    const bool is_hollow = a.radius < 0 || b.radius < 0, exact = a.exact && b.exact;
    // Too large to touch a hollow one but at its ends, or both hollow.
    if (is_hollow && (!(sum < 0) || (a.radius < 0 && b.radius < 0))) return exact;
    const Point w = between(point(0, a.centre), point(1, b.centre));
    const double distance = length(w.x);
    const Vector n = distance > 0 ? 1 / distance * w.x : Vector{1, 0};
    if (is_hollow) {
        if (stays_within(w, -sum + sunk)) return true;
        if (exact && stays_above(n, w, -sum, -interval_.behind)) return true;
    } else {
        if (distance > interval_.behind && stays_above(n, w, sum, sunk)) return true;
        if (distance <= interval_.behind)
            if (const auto away = leaving(w); away && stays_above(*away, w, sum, sunk)) return true;
        if (exact && stays_within(w, sum - interval_.behind)) return true;
    }
    return exact && off_an_end(parts, is_hollow ? -1 : 1, sunk);
}

// A place is on an arc or corner where the line of centres is between its end normals: on one side
// of each, as seen from its own frame. Beyond them the place is on its neighbour.
bool Separation::off_an_end(const Part* const parts[2], double sign, double sunk) const {
    for (const int side : {0, 1}) {
        const Part &part = *parts[side], &other = *parts[1 - side];
        const double turn = part.start.turn;
        if (part.periodic) continue;
        if (part.flat_low > 0 || part.flat_high > 0) continue;  // counts far beyond its ends
        Point y = point(1 - side, other.round->centre, side);
        y.x = y.x - part.round->centre;
        const bool beyond = counts_beyond(part);
        const CurveElement<S>& element = search_.element(side, part.element);
        const Vector first = beyond ? point_of<S>(element, -part.slack_low).n : part.start.n,
                     last = beyond ? point_of<S>(element, 1 + part.slack_high).n : part.end.n;
        const double way = turn < 0 ? -sign : sign;
        const bool before = stays_above(-way * S::turned(first), y, 0, sunk);
        // Off an arc of more than half a turn is what is on the wrong side of both.
        const bool long_arc = std::abs(turn) > std::numbers::pi;
        if (before && !long_arc) return true;
        if (before == long_arc && stays_above(way * S::turned(last), y, 0, sunk)) return true;
    }
    return false;
}

// A line is touched where the centre is on the line shifted outwards by the radius. A circle that
// only holds a part must keep away from the line itself.
bool Separation::line_and_round(int line_side, const Part& line, const Round& round,
                                double sunk) const {
    return round.radius < 0 || line_and_round(line_side, line, round, sunk, line_side) ||
           line_and_round(line_side, line, round, sunk, ground);
}

bool Separation::line_and_round(int line_side, const Part& line, const Round& round, double sunk,
                                int seen_from) const {
    const StraightShape<S>& shape = *line.straight;
    const Vector along = shape.length * S::turned(shape.n),
                 shift = round.exact ? round.radius * shape.n : Vector{};
    const double sum = round.exact ? 0 : round.radius;
    // As far as a place on it counts, beyond its ends too.
    const Point ends[] = {point(line_side, shape.from - line.slack_low * along + shift, seen_from),
                          point(line_side, shape.from + (1 + line.slack_high) * along + shift,
                                seen_from)},
                centre = point(1 - line_side, round.centre, seen_from);
    const Vector normal = seen_from == ground ? frames_[line_side]->position.to_ground(shape.n)
                                              : shape.n,
                 off = from_segment(ends[0].x, ends[1].x, centre.x);
    const Point from_ends[] = {between(ends[0], centre), between(ends[1], centre)};
    const auto above = [&](Vector n, double allowed) {
        return stays_above(n, from_ends[0], sum, allowed) &&
               stays_above(n, from_ends[1], sum, allowed);
    };
    const double distance = length(off);
    if (distance > interval_.behind) {
        const Vector n = 1 / distance * off;
        constexpr double steep = -0.5;
        return above(n, S::dot(n, normal) < steep ? -interval_.behind : sunk);
    }
    // At the line: above it, or off one of its ends.
    const Vector tangent = S::turned(normal);
    const double end = S::dot(from_ends[0].x, tangent) < 0.5 * shape.length ? -1 : 1;
    return above(normal, sunk) || above(end * tangent, sunk);
}

bool Separation::hulls(const Hull& a, const Hull& b, double sum, double sunk, int seen_from) const {
    Point points[2][4];
    for (int i = 0; i < a.count; ++i) points[0][i] = point(0, a.points[i], seen_from);
    for (int i = 0; i < b.count; ++i) points[1][i] = point(1, b.points[i], seen_from);
    const int count[] = {a.count, b.count};
    // From the nearest corner of one to the nearest edge of the other.
    double nearest = INFINITY;
    Vector n{};
    for (const int side : {0, 1})
        for (int i = 0; i < count[side]; ++i)
            for (int k = 0; k < count[1 - side]; ++k) {
                const Point* edge = points[1 - side];
                const Vector d =
                    from_segment(edge[k].x, edge[(k + 1) % count[1 - side]].x, points[side][i].x);
                if (const double l = length(d); l < nearest && l > 0) {
                    nearest = l;
                    n = (side == 0 ? -1 : 1) / l * d;
                }
            }
    if (!std::isfinite(nearest)) return false;
    for (int i = 0; i < count[0]; ++i)
        for (int k = 0; k < count[1]; ++k)
            if (!stays_above(n, between(points[0][i], points[1][k]), sum, sunk)) return false;
    return true;
}

bool Separation::in_hollow(int side, const Hull& hull, const Round& round, double sunk) const {
    const Point centre = point(1 - side, round.centre);
    for (int i = 0; i < hull.count; ++i)
        if (!stays_within(between(centre, point(side, hull.points[i])), -round.radius + sunk))
            return false;
    return true;
}

// The curvature grows or falls throughout a piece, so it is between those of its ends. A convex
// piece is inside the circle of the least curvature that touches it anywhere, a hollow one outside
// the circle of the largest.
std::optional<Separation::Round> Separation::round_of(const Part& part, const CurvePoint<S>& at) {
    constexpr double flat = 1e-6;  // of the turn over the way: a circle too large for its digits
    // Of a hollow one, where it is negative, the strongest.
    const double curvature = std::min(curvature_at(part.start), curvature_at(part.end));
    const double way = length(part.end.p - part.start.p);
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
        constexpr double parallel = 1e-12;
        return std::abs(slope) < parallel ? end.p
                                          : at.p + S::dot(end.n, end.p - at.p) / slope * tangent;
    };
    hull.points[1] = meet(part.start);
    hull.points[2] = meet(part.end);
    return hull;
}

// Newton's method between two places where the slope of the distance has different signs:
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
        constexpr double fine = 1e-8;  // of the piece: circles there fit to the square of it
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
        constexpr double fine = 1e-8;  // rad
        if (std::abs(off) < fine || on.point.turn == 0) break;
        on.u = std::clamp(on.u + off / on.point.turn, part.low, part.high);
    }
    return on;
}

Vector Separation::to_other(int side, Vector local) const {
    const auto &from = frames_[side]->position, &to = frames_[1 - side]->position;
    return to.to_local(from.p + from.to_ground(local) - to.p);
}

// A piece bends the less the shorter it is, and a circle around it fits the better.
bool Separation::general(const Part* const parts[2], double sunk, int cuts) const {
    if (!may_face(parts) || general(parts, sunk)) return true;
    if (cuts == 0) return false;
    const auto bend = [&](int side) {
        return can_be_cut(*parts[side]) ? std::abs(parts[side]->turn) : -1;
    };
    const int side = bend(0) > bend(1) ? 0 : 1;
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
        constexpr double slack = 1e-6;  // of junctions
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

// One side is a piece of a curve at least: circles that hold the pieces, then hulls.
bool Separation::general(const Part* const parts[2], double sunk) const {
    const int side = parts[0]->general ? 0 : 1, other = 1 - side;
    const Part &curve = *parts[side], &with = *parts[other];
    On on[2];
    if (with.straight) {
        if (!(curve.turn > 0)) return true;  // hollow: no place against a line
        on[side] = with_normal(side, curve,
                               -frames_[side]->position.to_local(
                                   frames_[other]->position.to_ground(with.straight->n)));
        const auto round = round_of(curve, on[side].point);
        if (round && line_and_round(other, with, *round, sunk)) return true;
    } else if (with.round) {
        const Round own{with.round->centre, with.round->radius, true};
        if (own.radius < 0 && !(curve.turn > 0)) return true;  // both hollow
        // What is larger than a hollow piece touches it only at its ends.
        if (curve.turn < 0 &&
            own.radius * std::min(-curvature_at(curve.start), -curvature_at(curve.end)) > 1)
            return true;
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

bool Separation::holds(const PartPair& pair, double sunk) const {
    const Part* const parts[] = {&search_.part_of_leaf(0, pair.a),
                                 &search_.part_of_leaf(1, pair.b)};
    if (parts[0]->general || parts[1]->general) {
        Part changed[2];
        const Part* whole[] = {parts[0], parts[1]};
        for (const int side : {0, 1})
            if (can_be_cut(*parts[side]) &&
                (!parts[side]->general || counts_beyond(*parts[side]))) {
                changed[side] = as_far_as_it_counts(side, *parts[side]);
                whole[side] = &changed[side];
            }
        return general(whole, sunk, most_cuts);
    }
    if (parts[0]->straight && parts[1]->straight) return true;  // they touch at their corners
    if (parts[0]->straight || parts[1]->straight) {
        const int line = parts[0]->straight ? 0 : 1;
        const auto& round = *parts[1 - line]->round;
        return line_and_round(line, *parts[line], {round.centre, round.radius, true}, sunk);
    }
    return rounds(parts, {parts[0]->round->centre, parts[0]->round->radius, true},
                  {parts[1]->round->centre, parts[1]->round->radius, true}, sunk);
}

}  // namespace pawl
