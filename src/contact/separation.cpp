#include "contact/separation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

using S = PlanarSpace;
using Vector = S::Vector;

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

// The vector to a point from the nearest one of a segment.
Vector from_segment(Vector p, Vector q, Vector to) {
    const Vector d = q - p;
    const double square = S::dot(d, d);
    const double u = square > 0 ? std::clamp(S::dot(to - p, d) / square, 0.0, 1.0) : 0.0;
    return to - p - u * d;
}

}  // namespace

bool Separation::counts_beyond(const Part& part) {
    constexpr double rounding = tolerance::proof_rounding;
    return part.slack_low > rounding || part.slack_high > rounding;
}

Separation::Point Separation::point(int side, Vector local) const {
    const MovingFrame& frame = *frames_[side];
    const Vector arm = frame.position.to_ground(local), across = S::turned(arm);
    const double w = frame.velocity.omega;
    return {frame.position.p + arm, frame.velocity.v + w * across,
            frame.acceleration.v + frame.acceleration.omega * across - w * w * arm,
            bounds_[side]->jerk + S::length(local) * bounds_[side]->turned_jerk};
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
    const double largest = own.acceleration + S::length(local) * own.turned_acceleration +
                           axes.acceleration,
                 speed = S::length(z.v), distance = S::length(z.x);
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
        const double farthest = std::max({S::length(w.x), S::length(half), S::length(end)});
        if (!(farthest + w.jerk * std::abs(d * d * d) / 6 <= radius)) return false;
    }
    return true;
}

std::optional<Vector> Separation::leaving(const Point& w) const {
    const double speed = S::length(w.v);
    if (!(speed > 0) || (interval_.before > 0) == (interval_.after > 0)) return std::nullopt;
    return (interval_.after > 0 ? 1 : -1) / speed * w.v;
}

// They touch if the distance of the centres is the sum of the radii and both have the direction
// between them. A smaller distance (hollow: a larger one) means penetration.
bool Separation::rounds(const Part* const parts[2], const Round& a, const Round& b,
                        double sunk) const {
    const double sum = a.radius + b.radius;
    const bool is_hollow = a.radius < 0 || b.radius < 0, exact = a.exact && b.exact;
    // Too large to touch a hollow element except at its ends, or both are hollow.
    if (is_hollow && (!(sum < 0) || (a.radius < 0 && b.radius < 0))) return exact;
    const Point w = between(point(0, a.centre), point(1, b.centre));
    const double distance = S::length(w.x);
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
    return exact && off_an_end(parts, is_hollow ? -1 : 1);
}

// A near point is on an arc or corner where the line of centres is between its end normals: on one
// side of each, as seen from its own frame. Beyond them the point is on its neighbour. Without any
// allowance: what is called off both of two neighbours would be seen by none.
bool Separation::off_an_end(const Part* const parts[2], double sign) const {
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
        const bool before = stays_above(-way * S::turned(first), y, 0, 0);
        // A point is off an arc of more than half a turn if it is on the wrong side of both end
        // normals.
        const bool long_arc = std::abs(turn) > std::numbers::pi;
        if (before && !long_arc) return true;
        if (before == long_arc && stays_above(way * S::turned(last), y, 0, 0)) return true;
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
    // As far as a point on it counts, beyond its ends too.
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
    const double distance = S::length(off);
    if (distance > interval_.behind) {
        // Over the line the direction is known better than from the two points.
        const Vector tangent = S::turned(normal);
        const bool over = S::dot(from_ends[0].x, tangent) * S::dot(from_ends[1].x, tangent) < 0;
        const double side = S::dot(off, normal) < 0 ? -1 : 1;
        const Vector n = over ? side * normal : 1 / distance * off;
        constexpr double steep = -0.5;
        return above(n, S::dot(n, normal) < steep ? -interval_.behind : sunk);
    }
    // At the line: above it, or off one of its ends. There without any allowance: depth is measured
    // along the normal, a point that sinks in at an end would be off it by being deep.
    const Vector tangent = S::turned(normal);
    const double end = S::dot(from_ends[0].x, tangent) < 0.5 * shape.length ? -1 : 1;
    return above(normal, sunk) || above(end * tangent, 0);
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
                if (const double l = S::length(d); l < nearest && l > 0) {
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

bool Separation::holds(const PartPair& pair, double sunk) const {
    const Part* const parts[] = {&search_.part_of_leaf(0, pair.a),
                                 &search_.part_of_leaf(1, pair.b)};
    if (parts[0]->general || parts[1]->general) return pieces(parts, sunk);
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
