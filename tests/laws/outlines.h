// Shapes for laws of contact, each known twice: as the text of a profile for the program, and as a
// polygon for a judge that shares no code with it. The polygon of a rounded side is inscribed in
// it; only for hollow arcs does it stand out of the material, by the sagitta.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pawl::test {

struct Point {
    double x = 0, y = 0;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }
inline double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
inline double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
inline Point polar(double r, double angle) { return {r * std::cos(angle), r * std::sin(angle)}; }

struct Pose {
    Point at;
    double angle = 0;
    [[nodiscard]] Point of(Point p) const {
        const double c = std::cos(angle), s = std::sin(angle);
        return at + Point{c * p.x - s * p.y, s * p.x + c * p.y};
    }
};

class Outline {
public:
    static constexpr double chord = 0.03;  // largest angle of a chord, rad

    void line_to(Point p) {
        elements_ += fmt::format(
            "{{ type = \"line\", from = [{:.17g}, {:.17g}], to = [{:.17g}, "
            "{:.17g}] }}, ",
            last_.x, last_.y, p.x, p.y);
        add(p);
    }
    // From angle `from` to angle `to`; clockwise is hollow.
    void arc(Point centre, double radius, double from, double to) {
        elements_ += fmt::format(
            "{{ type = \"arc\", centre = [{:.17g}, {:.17g}], radius = {:.17g}, from = "
            "{:.17g}, to = {:.17g} }}, ",
            centre.x, centre.y, radius, from, to);
        const int chords = std::max(4, static_cast<int>(std::ceil(std::abs(to - from) / chord)));
        for (int i = 1; i <= chords; ++i)
            add(centre + polar(radius, from + (to - from) * i / chords));
        const double half = 0.5 * std::abs(to - from) / chords;
        if (to < from) error_ = std::max(error_, radius * (1 - std::cos(half)));
    }
    void start(Point p) { last_ = p; }
    static Outline circle(double radius, bool hollow = false) {
        Outline o;
        const int chords = static_cast<int>(std::ceil(2 * std::numbers::pi / chord));
        for (int i = 1; i <= chords; ++i)
            o.add(polar(radius, (hollow ? -2 : 2) * std::numbers::pi * i / chords));
        o.elements_ =
            fmt::format("{{ type = \"circle\", radius = {:.17g}, hollow = {} }}", radius, hollow);
        o.outside_ = hollow;
        if (hollow) o.error_ = radius * (1 - std::cos(std::numbers::pi / chords));
        return o;
    }
    [[nodiscard]] std::string profile(const std::string& name, const std::string& body,
                                      Pose at = {}) const {
        return fmt::format(
            "[profile.{}]\nbody = \"{}\"\nat = [{:.17g}, {:.17g}]\nangle = {:.17g}\n"
            "closed = true\nelements = [{}]\n",
            name, body, at.at.x, at.at.y, at.angle, elements_);
    }
    [[nodiscard]] const std::vector<Point>& points() const { return points_; }
    [[nodiscard]] bool outside() const { return outside_; }  // the material is outside
    void turn_inside_out() { outside_ = true; }
    [[nodiscard]] double error() const { return error_; }
    [[nodiscard]] double radius() const {
        double r = 0;
        for (const Point p : points_) r = std::max(r, std::hypot(p.x, p.y));
        return r;
    }

private:
    void add(Point p) {
        points_.push_back(p);
        last_ = p;
    }
    std::string elements_;
    std::vector<Point> points_;
    Point last_;
    bool outside_ = false;
    double error_ = 0;
};

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
    }
    int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
    double sign() { return below(2) == 0 ? -1 : 1; }

private:
    std::mt19937 engine_;
};

inline Outline polygon_of(const std::vector<Point>& corners) {
    Outline o;
    o.start(corners.front());
    for (std::size_t i = 1; i <= corners.size(); ++i) o.line_to(corners[i % corners.size()]);
    return o;
}
inline Outline box_outline(double half_width, double half_height) {
    const double x = half_width, y = half_height;
    return polygon_of({{-x, -y}, {x, -y}, {x, y}, {-x, y}});
}
inline Outline convex_outline(Random& random, double r) {
    const int n = 3 + random.below(5);
    std::vector<Point> corners;
    for (int i = 0; i < n; ++i)
        corners.push_back(polar(r, 2 * std::numbers::pi * (i + random.between(-0.3, 0.3)) / n));
    return polygon_of(corners);
}
// Points with re-entrant corners between.
inline Outline star_outline(Random& random, double r) {
    const int n = 3 + random.below(4);
    const double inner = r * random.between(0.35, 0.75), turn = random.between(0, 1);
    std::vector<Point> corners;
    for (int i = 0; i < 2 * n; ++i)
        corners.push_back(polar(i % 2 ? inner : r, turn + std::numbers::pi * i / n));
    return polygon_of(corners);
}
inline Outline lens_outline(Random& random, double r) {
    const double pi = std::numbers::pi, half = random.between(0.3, 1.2),
                 radius = r / std::sin(half);
    const double rise = radius * std::cos(half);
    Outline o;
    o.start({-r, 0});
    o.arc({0, rise}, radius, -pi / 2 - half, -pi / 2 + half);
    o.arc({0, -rise}, radius, pi / 2 - half, pi / 2 + half);
    return o;
}
inline Outline round_bar_outline(Random& random, double r) {
    const double pi = std::numbers::pi, end = r * random.between(0.05, 0.3), x = r - end;
    Outline o;
    o.start({-x, -end});
    o.line_to({x, -end});
    o.arc({x, 0}, end, -pi / 2, pi / 2);
    o.line_to({-x, end});
    o.arc({-x, 0}, end, pi / 2, 3 * pi / 2);
    return o;
}
// A box with a hollow arc in its upper side.
inline Outline cradle_outline(Random& random, double r) {
    const double pi = std::numbers::pi, x = 0.8 * r, y = 0.6 * r,
                 reach = x * random.between(0.3, 0.8);
    const double half = random.between(0.3, 0.9), radius = reach / std::sin(half);
    Outline o;
    o.start({-x, -y});
    o.line_to({x, -y});
    o.line_to({x, y});
    o.line_to({reach, y});
    o.arc({0, y + radius * std::cos(half)}, radius, -pi / 2 + half, -pi / 2 - half);
    o.line_to({-x, y});
    o.line_to({-x, -y});
    return o;
}
// Teeth with round tips and hollow arcs between them.
inline Outline gear_outline(Random& random, double r) {
    const int teeth = 5 + random.below(6);
    const double pi = std::numbers::pi, root = 0.75 * r, pitch = 2 * pi / teeth;
    Outline o;
    o.start(polar(r, -0.15 * pitch));
    for (int i = 0; i < teeth; ++i) {
        const double tip = i * pitch;
        o.arc({0, 0}, r, tip - 0.15 * pitch, tip + 0.15 * pitch);
        const Point low = polar(root, tip + 0.3 * pitch), high = polar(root, tip + 0.7 * pitch);
        o.line_to(low);
        // A hollow arc about a point outside, on the middle of the gap.
        const double half_chord = 0.5 * std::hypot(high.x - low.x, high.y - low.y);
        const double radius = 1.3 * half_chord, half = std::asin(half_chord / radius);
        const double middle = tip + 0.5 * pitch;
        const Point centre = polar(root * std::cos(0.2 * pitch) + radius * std::cos(half), middle);
        o.arc(centre, radius, middle + pi + half, middle + pi - half);
        o.line_to(polar(r, tip + 0.85 * pitch));
    }
    return o;
}
inline Outline any_outline(Random& random, double r) {
    switch (random.below(8)) {
        case 0:
            return Outline::circle(r);
        case 1:
            return star_outline(random, r);
        case 2:
            return lens_outline(random, r);
        case 3:
            return round_bar_outline(random, r);
        case 4:
            return cradle_outline(random, r);
        case 5:
            return gear_outline(random, r);
        case 6:
            return box_outline(r, r * random.between(0.01, 0.2));
        default:
            return convex_outline(random, r);
    }
}

// An outline where it stands at a time.
class Placed {
public:
    Placed(const Outline& outline, Pose pose) : outside_(outline.outside()) {
        for (const Point p : outline.points()) points_.push_back(pose.of(p));
        for (const Point p : points_) {
            low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
            high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
        }
    }
    // How deep a point lies in the material; 0 outside of it.
    [[nodiscard]] double depth(Point p) const {
        const bool in_box = p.x >= low_.x && p.x <= high_.x && p.y >= low_.y && p.y <= high_.y;
        if (!in_box && !outside_) return 0;
        bool inside = false;
        double nearest = INFINITY;
        for (std::size_t i = 0, j = points_.size() - 1; i < points_.size(); j = i++) {
            const Point a = points_[j], b = points_[i], ab = b - a, ap = p - a;
            if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / ab.y * ab.x)
                inside = !inside;
            const double along = std::clamp(dot(ap, ab) / dot(ab, ab), 0.0, 1.0);
            const Point off = ap - along * ab;
            nearest = std::min(nearest, dot(off, off));
        }
        return inside != outside_ ? std::sqrt(nearest) : 0;
    }
    // The deepest point of the other's boundary in this material: its corners, and points of each
    // edge between the crossings with this boundary.
    [[nodiscard]] double deepest(const Placed& other) const {
        double depth = 0;
        std::vector<double> cuts;
        for (std::size_t i = 0, j = other.points_.size() - 1; i < other.points_.size(); j = i++) {
            const Point p = other.points_[j], d = other.points_[i] - p;
            if (!outside_ && misses(p, other.points_[i])) continue;
            cuts.assign({0, 1});
            for (std::size_t k = 0, l = points_.size() - 1; k < points_.size(); l = k++) {
                const Point a = points_[l], e = points_[k] - a;
                const double across = cross(d, e);
                if (across == 0) continue;
                const double s = cross(a - p, e) / across, u = cross(a - p, d) / across;
                if (s > 0 && s < 1 && u >= 0 && u <= 1) cuts.push_back(s);
            }
            std::sort(cuts.begin(), cuts.end());
            depth = std::max(depth, this->depth(p));
            for (std::size_t k = 1; k < cuts.size() && cuts.size() > 2; ++k)
                for (const double part : {0.25, 0.5, 0.75})
                    depth = std::max(
                        depth, this->depth(p + (cuts[k - 1] + part * (cuts[k] - cuts[k - 1])) * d));
        }
        return depth;
    }
    [[nodiscard]] bool misses(const Placed& other) const {
        return !outside_ && !other.outside_ &&
               (low_.x > other.high_.x || high_.x < other.low_.x || low_.y > other.high_.y ||
                high_.y < other.low_.y);
    }

private:
    [[nodiscard]] bool misses(Point p, Point q) const {
        return std::max(p.x, q.x) < low_.x || std::min(p.x, q.x) > high_.x ||
               std::max(p.y, q.y) < low_.y || std::min(p.y, q.y) > high_.y;
    }
    std::vector<Point> points_;
    Point low_{INFINITY, INFINITY}, high_{-INFINITY, -INFINITY};
    bool outside_;
};

inline double overlap_depth(const Placed& a, const Placed& b) {
    return a.misses(b) ? 0 : std::max(a.deepest(b), b.deepest(a));
}

}  // namespace pawl::test
