// Points that two plane segments or circular arcs have in common: the exact part of the check that
// a profile does not cross itself. Works on plain numbers.
#pragma once

#include <cmath>
#include <vector>

#include "math/planar.h"
#include "math/tolerances/geometry.h"

namespace pawl {

// A segment from `from` to `to`, or with a radius the arc over the angles start .. start + sweep.
struct Stretch {
    using Vector = Planar<double>::Vector;
    Vector from, to;
    Vector centre{};
    double radius = 0, start = 0, sweep = 0;
    int element = 0;

    [[nodiscard]] bool is_arc() const { return radius > 0; }
};

namespace crossing {

using P = Planar<double>;
// Parts of a stretch nearer to an end than this do not count as its inside: rounding.
inline constexpr double end_margin = tolerance::crossing_end;

inline bool within(const Stretch& arc, P::Vector p) {
    const P::Vector d = p - arc.centre;
    const double middle = arc.start + 0.5 * arc.sweep;
    const double off = std::remainder(std::atan2(d.y, d.x) - middle, 2 * M_PI);
    return std::abs(off) < (0.5 - end_margin) * std::abs(arc.sweep);
}

// f(p) for the points of the circle of `arc` at the foot `c + along` and +- `half` across it.
template <class F>
void both(const Stretch& arc, P::Vector foot, P::Vector across, F&& f) {
    for (const double sign : {-1.0, 1.0}) {
        const P::Vector p = arc.centre + foot + sign * across;
        if (within(arc, p)) f(p);
    }
}

}  // namespace crossing

// Calls found(p) for every point that lies inside both stretches.
template <class F>
void find_crossings(const Stretch& a, const Stretch& b, F&& found) {
    using namespace crossing;
    if (a.is_arc() && !b.is_arc()) return find_crossings(b, a, found);
    const P::Vector d = a.to - a.from;
    if (!a.is_arc() && !b.is_arc()) {
        const P::Vector e = b.to - b.from, f = b.from - a.from;
        const double det = P::cross(d, e);
        if (std::abs(det) <= tolerance::parallel * std::sqrt(P::dot(d, d) * P::dot(e, e)))
            return;  // parallel
        const double u = P::cross(f, e) / det, w = P::cross(f, d) / det;
        if (u > end_margin && u < 1 - end_margin && w > end_margin && w < 1 - end_margin)
            found(a.from + u * d);
    } else if (!a.is_arc()) {
        const double square = P::dot(d, d);
        const P::Vector c = b.centre - a.from;
        const double off = P::cross(d, c) / std::sqrt(square);
        const double half = b.radius * b.radius - off * off;
        if (!(half > 0)) return;
        const P::Vector foot = a.from + P::dot(c, d) / square * d - b.centre;
        both(b, foot, std::sqrt(half / square) * d, [&](P::Vector p) {
            const double u = P::dot(p - a.from, d) / square;
            if (u > end_margin && u < 1 - end_margin) found(p);
        });
    } else {
        const P::Vector c = b.centre - a.centre;
        const double square = P::dot(c, c);
        if (!(square > 0)) return;
        const double part = 0.5 * (1 + (a.radius * a.radius - b.radius * b.radius) / square);
        const double half = a.radius * a.radius / square - part * part;
        if (!(half > 0)) return;
        both(a, part * c, std::sqrt(half) * P::turned(c), [&](P::Vector p) {
            if (within(b, p)) found(p);
        });
    }
}

}  // namespace pawl
