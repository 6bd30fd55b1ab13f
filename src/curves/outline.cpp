#include "curves/outline.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "curves/inside.h"
#include "curves/pieces.h"

namespace pawl {

namespace {

using S = Planar<double>;
using Vector = S::Vector;

// Adds points after the one at `low` up to that at `high`, halving until the chords are near
// enough.
template <class E>
void add_points(const E& e, double low, double high, double sagitta, int depth,
                std::vector<Vector>& points) {
    const Vector p = e.point(low).p, q = e.point(high).p, m = e.point(0.5 * (low + high)).p;
    if (depth > 0 && S::length(m - 0.5 * (p + q)) > sagitta) {
        add_points(e, low, 0.5 * (low + high), sagitta, depth - 1, points);
        add_points(e, 0.5 * (low + high), high, sagitta, depth - 1, points);
    } else {
        points.push_back(q);
    }
}

// The points of the profile itself, in the order of travel.
std::vector<Vector> points_of(const Profile<S>& profile, double sagitta) {
    constexpr int max_halvings = 8;  // 256 chords for each piece of a curve
    std::vector<Vector> points;
    for (const auto& element : profile.elements)
        std::visit(
            [&](const auto& e) {
                using E = std::decay_t<decltype(e)>;
                if constexpr (std::is_same_v<E, Corner<S>>) {
                    if (profile.elements.size() == 1) points.push_back(e.point(0).p);
                } else {
                    std::vector<double> ends = pieces_of(e);
                    // Half a turn has the middle of its chord on the other side.
                    if constexpr (!GeneralCurve<E> && !std::is_same_v<E, LineCurve<S>>)
                        ends = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1};
                    if (points.empty()) points.push_back(e.point(0).p);
                    for (std::size_t i = 1; i < ends.size(); ++i)
                        add_points(e, ends[i - 1], ends[i], sagitta, max_halvings, points);
                }
            },
            element);
    if (profile.closed && points.size() > 1) points.pop_back();  // it is the first
    return points;
}

double cross_of_sides(Vector a, Vector p, Vector q) { return S::cross(q - p, a - p); }

}  // namespace

double thickness(const Profile<S>& profile) {
    if (!profile.closed) return std::numeric_limits<double>::infinity();
    const std::vector<Vector> points = points_of(profile, std::numeric_limits<double>::infinity());
    double area = 0, way = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vector p = points[i], q = points[i + 1 < points.size() ? i + 1 : 0];
        area += S::cross(p - points[0], q - points[0]) / 2;
        way += S::length(q - p);
    }
    if (points.size() < 3) return 0;
    return area > 0 ? 2 * area / way : std::numeric_limits<double>::infinity();
}

Outline::Outline(const Profile<S>& profile, double sagitta, double depth)
    : points_(points_of(profile, sagitta)), closed_(profile.closed && points_.size() > 2) {
    if (points_.empty()) return;
    solid_ = !closed_ || is_solid(profile);
    const std::vector<Vector> on = points_;
    // A corner moves along its bisector, a sharp one by no more than four times the depth.
    for (std::size_t i = 0; closed_ && depth > 0 && i < on.size(); ++i) {
        const Vector before = on[i] - on[(i + on.size() - 1) % on.size()],
                     after = on[(i + 1) % on.size()] - on[i];
        const double a = S::length(before), b = S::length(after);
        if (!(a > 0 && b > 0)) continue;
        const Vector n = S::turned((1 / a) * before), m = S::turned((1 / b) * after);
        points_[i] += (depth / std::max(0.25, 1 + S::dot(n, m))) * (n + m);
    }
    low_ = high_ = points_[0];
    for (const Vector p : points_) {
        low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
        high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    }
    for (const Vector p : points_) radius_ = std::max(radius_, S::length(p - centre()));
}

// The times a ray along x is crossed, each with its direction.
bool Outline::holds(Vector a) const {
    if (!closed_) return false;
    if (solid_ && (a.x < low_.x || a.x > high_.x || a.y < low_.y || a.y > high_.y)) return false;
    int turns = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const Vector p = points_[i], q = next(i);
        if ((p.y > a.y) == (q.y > a.y)) continue;
        const bool left = cross_of_sides(a, p, q) > 0;
        if (q.y > p.y && left) ++turns;
        if (q.y < p.y && !left) --turns;
    }
    return solid_ ? turns > 0 : turns == 0;
}

double Outline::distance(Vector a) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < std::max<std::size_t>(1, chords()); ++i) {
        const Vector p = points_[i], d = next(i) - p;
        const double square = S::dot(d, d);
        const double u = square > 0 ? std::clamp(S::dot(a - p, d) / square, 0.0, 1.0) : 0;
        const Vector off = a - p - u * d;
        least = std::min(least, S::dot(off, off));
    }
    return std::sqrt(least);
}

double Outline::distance_from_box(Vector a) const {
    const double x = std::max({low_.x - a.x, a.x - high_.x, 0.0}),
                 y = std::max({low_.y - a.y, a.y - high_.y, 0.0});
    return std::sqrt(x * x + y * y);
}

bool Outline::is_cut_by(Vector p, Vector q) const {
    if (std::max(p.x, q.x) < low_.x || std::min(p.x, q.x) > high_.x ||
        std::max(p.y, q.y) < low_.y || std::min(p.y, q.y) > high_.y)
        return false;
    bool left = cross_of_sides(points_[0], p, q) > 0;
    for (std::size_t i = 0; i < chords(); ++i) {
        const Vector a = points_[i], b = next(i);
        const bool was_left = left;
        left = cross_of_sides(b, p, q) > 0;
        if (left != was_left && (cross_of_sides(p, a, b) > 0) != (cross_of_sides(q, a, b) > 0))
            return true;
    }
    return false;
}

}  // namespace pawl
