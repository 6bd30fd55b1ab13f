// Shapes that fly past and through each other, and a judge of their distance that shares no code
// with the program: lines and arcs pair by pair, in closed form. A spline is judged by the chords
// between many of its points.
#pragma once

#include <array>
#include <vector>

#include "laws/outlines.h"
#include "support/made_profile.h"

namespace pawl::test {

// A line (or a point, where both ends are one) or an arc, in the axes of its shape.
struct Stroke {
    Point from, to;
    bool is_arc = false;
    Point centre{};
    double radius = 0, angle = 0, sweep = 0;

    static Stroke line(Point a, Point b) { return {a, b}; }
    static Stroke arc(Point c, double r, double from, double sweep) {
        return {c + polar(r, from), c + polar(r, from + sweep), true, c, r, from, sweep};
    }
    // Whether the ray from the centre to a place passes the arc.
    [[nodiscard]] bool holds(Point p) const {
        const double pi = std::numbers::pi, middle = angle + 0.5 * sweep;
        const double off =
            std::remainder(std::atan2(p.y - centre.y, p.x - centre.x) - middle, 2 * pi);
        return std::abs(off) <= 0.5 * std::abs(sweep);
    }
    [[nodiscard]] Stroke moved(const Pose& pose) const {
        Stroke s = *this;
        s.from = pose.of(from);
        s.to = pose.of(to);
        s.centre = pose.of(centre);
        s.angle = angle + pose.angle;
        return s;
    }
};

inline double length(Point p) { return std::hypot(p.x, p.y); }

inline double distance(Point p, const Stroke& s) {
    double d = std::min(length(p - s.from), length(p - s.to));
    if (s.is_arc) {
        if (s.holds(p)) d = std::min(d, std::abs(length(p - s.centre) - s.radius));
        return d;
    }
    const Point along = s.to - s.from;
    const double square = dot(along, along), u = square > 0 ? dot(p - s.from, along) / square : 0;
    return u > 0 && u < 1 ? length(p - s.from - u * along) : d;
}

// The places where a line or circle cuts the circle of an arc.
inline std::vector<Point> cuts(const Stroke& arc, const Stroke& s) {
    std::vector<Point> out;
    if (s.is_arc) {
        const Point d = s.centre - arc.centre;
        const double l = length(d);
        if (!(l > 0)) return out;
        const double x = 0.5 * (l + (arc.radius - s.radius) * (arc.radius + s.radius) / l),
                     square = arc.radius * arc.radius - x * x;
        if (square < 0) return out;
        const Point n = 1 / l * d, t{-n.y, n.x};
        for (const double side : {-1.0, 1.0})
            out.push_back(arc.centre + x * n + side * std::sqrt(square) * t);
        return out;
    }
    const Point d = s.to - s.from, m = s.from - arc.centre;
    const double a = dot(d, d), b = dot(m, d), c = dot(m, m) - arc.radius * arc.radius;
    if (!(a > 0) || b * b < a * c) return out;
    for (const double side : {-1.0, 1.0}) {
        const double u = (-b + side * std::sqrt(b * b - a * c)) / a;
        if (u >= 0 && u <= 1) out.push_back(s.from + u * d);
    }
    return out;
}

inline double distance(const Stroke& a, const Stroke& b) {
    if (!a.is_arc && b.is_arc) return distance(b, a);
    double d =
        std::min({distance(a.from, b), distance(a.to, b), distance(b.from, a), distance(b.to, a)});
    if (!a.is_arc) {
        const Point p = a.to - a.from, q = b.to - b.from, m = b.from - a.from;
        const double across = cross(p, q);
        if (across == 0) return d;
        const double u = cross(m, q) / across, w = cross(m, p) / across;
        return u >= 0 && u <= 1 && w >= 0 && w <= 1 ? 0 : d;
    }
    for (const Point p : cuts(a, b))
        if (a.holds(p) && (!b.is_arc || b.holds(p))) return 0;
    // Between ends the nearest points are on a line through the centre.
    if (b.is_arc) {
        const Point c = b.centre - a.centre;
        const double l = length(c);
        if (!(l > 0)) return std::min(d, std::abs(a.radius - b.radius));
        for (const double i : {-1.0, 1.0})
            for (const double k : {-1.0, 1.0}) {
                const Point p = a.centre + i * a.radius / l * c,
                            q = b.centre + k * b.radius / l * c;
                if (a.holds(p) && b.holds(q)) d = std::min(d, length(p - q));
            }
        return d;
    }
    const Point along = b.to - b.from;
    const double square = dot(along, along),
                 u = square > 0 ? dot(a.centre - b.from, along) / square : -1;
    if (u < 0 || u > 1) return d;
    const Point foot = b.from + u * along;
    return a.holds(foot) ? std::min(d, std::abs(length(foot - a.centre) - a.radius)) : d;
}

struct Shape {
    std::vector<CurveElement<S>> elements;
    std::vector<Stroke> strokes;
    bool closed = true;
    double radius = 0;  // of a circle around its origin
    double error = 0;   // of the strokes

    void line(Point a, Point b) {
        elements.push_back(LineCurve<S>{{a.x, a.y}, {b.x, b.y}});
        strokes.push_back(Stroke::line(a, b));
        radius = std::max({radius, length(a), length(b)});
    }
    void arc(Point c, double r, double from, double sweep) {
        elements.push_back(ArcCurve<S>{{c.x, c.y}, r, from, sweep});
        strokes.push_back(Stroke::arc(c, r, from, sweep));
        radius = std::max(radius, length(c) + r);
    }
    [[nodiscard]] Profile<S> profile() const { return made(elements, closed); }
};

inline Shape point_shape() {
    Shape s;
    s.elements = {Corner<S>{{0, 0}, 0, 2 * std::numbers::pi}};
    s.strokes = {Stroke::line({0, 0}, {0, 0})};
    return s;
}
inline Shape circle_shape(double r, bool hollow = false) {
    Shape s;
    s.elements = {CircleCurve<S>{{0, 0}, r, 0, hollow}};
    s.strokes = {Stroke::arc({0, 0}, r, 0, 2 * std::numbers::pi)};
    s.radius = r;
    return s;
}
inline Shape polygon_shape(const std::vector<Point>& corners) {
    Shape s;
    for (std::size_t i = 0; i < corners.size(); ++i)
        s.line(corners[i], corners[(i + 1) % corners.size()]);
    return s;
}
inline Shape box_shape(double x, double y) {
    return polygon_shape({{-x, -y}, {x, -y}, {x, y}, {-x, y}});
}
inline Shape star_shape(Random& random, double r) {
    const int n = 2 + random.below(4);
    const double inner = r * random.between(0.2, 0.8), turn = random.between(0, 1);
    std::vector<Point> corners;
    for (int i = 0; i < 2 * n; ++i)
        corners.push_back(polar(i % 2 ? inner : r, turn + std::numbers::pi * i / n));
    return polygon_shape(corners);
}
inline Shape lens_shape(Random& random, double r) {
    const double pi = std::numbers::pi, half = random.between(0.1, 1.4),
                 radius = r / std::sin(half), rise = radius * std::cos(half);
    Shape s;
    s.arc({0, rise}, radius, -pi / 2 - half, 2 * half);
    s.arc({0, -rise}, radius, pi / 2 - half, 2 * half);
    s.radius = r;
    return s;
}
inline Shape bar_shape(Random& random, double r) {
    const double pi = std::numbers::pi, end = r * random.between(0.01, 0.3), x = r - end;
    Shape s;
    s.line({-x, -end}, {x, -end});
    s.arc({x, 0}, end, -pi / 2, pi);
    s.line({x, end}, {-x, end});
    s.arc({-x, 0}, end, pi / 2, pi);
    return s;
}
// A box with a hollow arc in its upper side.
inline Shape cradle_shape(Random& random, double r) {
    const double pi = std::numbers::pi, x = 0.8 * r, y = 0.6 * r,
                 reach = x * random.between(0.3, 0.8), half = random.between(0.3, 1.3),
                 radius = reach / std::sin(half);
    Shape s;
    s.line({-x, -y}, {x, -y});
    s.line({x, -y}, {x, y});
    s.line({x, y}, {reach, y});
    s.arc({0, y + radius * std::cos(half)}, radius, -pi / 2 + half, -2 * half);
    s.line({-reach, y}, {-x, y});
    s.line({-x, y}, {-x, -y});
    s.radius = r;
    return s;
}
inline SplineCurve<S> any_spline(Random& random, double r) {
    const int n = 6 + random.below(8), waves = 2 + random.below(3);
    const double deep = random.between(0, 0.3), turn = random.between(0, 6),
                 flat = random.between(0.2, 1);
    std::vector<S::Vector> points;
    for (int i = 0; i < n; ++i) {
        const double angle = 2 * std::numbers::pi * i / n,
                     at = r * (1 - deep - deep * std::cos(waves * angle + turn));
        points.push_back({at * std::cos(angle), flat * at * std::sin(angle)});
    }
    return {points, Ends::periodic};
}
// Few points with deep waves may make a curve that crosses itself or turns back in a cusp.
inline bool is_sound(const SplineCurve<S>& curve, double r) {
    constexpr int looks = 2000;
    constexpr double sharpest = 200;  // curvature times size
    for (int i = 0; i < looks; ++i)
        if (std::abs(curve.point((i + 0.01) / looks).curvature_numerator) * r > sharpest)
            return false;
    Profile<S> profile;
    return !make_profile<S>({curve}, true, profile);
}
inline Shape spline_shape(Random& random, double r) {
    SplineCurve<S> curve = any_spline(random, r);
    while (!is_sound(curve, r)) curve = any_spline(random, r);
    Shape s;
    s.elements = {curve};
    constexpr int chords = 240;
    const auto at = [&](double u) {
        const auto p = curve.point(u).p;
        return Point{p.x, p.y};
    };
    for (int i = 0; i < chords; ++i) {
        const Point a = at(static_cast<double>(i) / chords), b = at((i + 1.0) / chords);
        s.strokes.push_back(Stroke::line(a, b));
        s.radius = std::max(s.radius, length(a));
        s.error = std::max(s.error, length(0.5 * (a + b) - at((i + 0.5) / chords)));
    }
    s.error *= 1.5;
    s.radius += s.error;
    return s;
}

inline constexpr std::array<const char*, 10> shape_names{
    "point", "circle", "room", "box", "thin", "star", "lens", "bar", "cradle", "spline"};
inline Shape shape_of(std::size_t kind, Random& random, double r) {
    switch (kind) {
        case 0:
            return point_shape();
        case 1:
            return circle_shape(r);
        case 2:
            return circle_shape(r, true);
        case 3:
            return box_shape(r, r * random.between(0.1, 1));
        case 4:
            return box_shape(r, r * std::pow(10, random.between(-4, -1)));
        case 5:
            return star_shape(random, r);
        case 6:
            return lens_shape(random, r);
        case 7:
            return bar_shape(random, r);
        case 8:
            return cradle_shape(random, r);
        default:
            return spline_shape(random, r);
    }
}

class PlacedShape {
public:
    PlacedShape(const Shape& shape, const Pose& pose) : shape_(shape), pose_(pose) {
        for (const Stroke& s : shape.strokes) strokes_.push_back(s.moved(pose));
    }
    // At most the distance of the outlines; exact where their circles are near.
    [[nodiscard]] double distance_to(const PlacedShape& other, bool is_inside) const {
        if (!is_inside)
            if (const double apart =
                    length(pose_.at - other.pose_.at) - shape_.radius - other.shape_.radius;
                apart > 0.1 * (shape_.radius + other.shape_.radius))
                return apart;
        double d = INFINITY;
        for (const Stroke& a : strokes_)
            for (const Stroke& b : other.strokes_) {
                d = std::min(d, distance(a, b));
                if (d == 0) return 0;
            }
        return d;
    }
    // How far points of this outline lie inside the other one.
    [[nodiscard]] double depth_in(const PlacedShape& other) const {
        double deepest = 0;
        for (const Stroke& s : strokes_)
            for (int i = 0; i < 4; ++i) {
                const Point p = s.is_arc ? s.centre + polar(s.radius, s.angle + 0.25 * i * s.sweep)
                                         : s.from + 0.25 * i * (s.to - s.from);
                if (!other.contains(p)) continue;
                double d = INFINITY;
                for (const Stroke& b : other.strokes_) d = std::min(d, distance(p, b));
                deepest = std::max(deepest, d);
            }
        return deepest;
    }

private:
    // By the chords of its strokes, which is good enough for depths that are seen.
    [[nodiscard]] bool contains(Point p) const {
        bool inside = false;
        const auto pass = [&](Point a, Point b) {
            if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
                inside = !inside;
        };
        for (const Stroke& s : strokes_) {
            if (!s.is_arc) {
                pass(s.from, s.to);
                continue;
            }
            constexpr int chords = 200;
            for (int i = 0; i < chords; ++i)
                pass(s.centre + polar(s.radius, s.angle + s.sweep * i / chords),
                     s.centre + polar(s.radius, s.angle + s.sweep * (i + 1) / chords));
        }
        return inside;
    }
    const Shape& shape_;
    Pose pose_;
    std::vector<Stroke> strokes_;
};

}  // namespace pawl::test
