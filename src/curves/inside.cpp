#include "curves/inside.h"

#include <cmath>

#include "curves/pieces.h"
#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

using S = Planar<double>;
using Vector = S::Vector;

// The angle under which the point sees the way from p to q along their chord.
double chord_angle(Vector point, Vector p, Vector q) {
    const Vector a = p - point, b = q - point;
    return std::atan2(S::cross(a, b), S::dot(a, b));
}

double angle_of(const Corner<S>&, Vector) { return 0; }
double angle_of(const LineCurve<S>& line, Vector point) {
    return chord_angle(point, line.from, line.to);
}
// Between the arc and its chord (in the circle, on the outer side of the chord) the way round the
// point is the other one.
double angle_of(const ArcCurve<S>& arc, Vector point) {
    const Vector p = arc.point(0).p, q = arc.point(1).p, d = point - arc.centre;
    const double angle = chord_angle(point, p, q), side = arc.side();
    const bool between =
        S::dot(d, d) < arc.radius * arc.radius && side * S::cross(q - p, point - p) < 0;
    return between ? angle + side * 2 * std::numbers::pi : angle;
}
double angle_of(const CircleCurve<S>& circle, Vector point) {
    const Vector d = point - circle.centre;
    if (S::dot(d, d) >= circle.radius * circle.radius) return 0;
    return (circle.hollow ? -2 : 2) * std::numbers::pi;
}
// A piece lies in the circle over its chord: outside of it the chord serves.
template <class E>
double angle_over(const E& e, double low, double high, Vector point) {
    const Vector p = e.point(low).p, q = e.point(high).p, a = p - point, b = q - point;
    if (S::dot(a, b) > 0 || high - low < tolerance::finest_fraction)
        return chord_angle(point, p, q);
    const double middle = 0.5 * (low + high);
    return angle_over(e, low, middle, point) + angle_over(e, middle, high, point);
}
template <GeneralCurve E>
double angle_of(const E& e, Vector point) {
    const std::vector<double> ends = pieces_of(e);
    double angle = 0;
    for (std::size_t i = 1; i < ends.size(); ++i)
        angle += angle_over(e, ends[i - 1], ends[i], point);
    return angle;
}

}  // namespace

int winding(const Profile<S>& profile, Vector point) {
    double angle = 0;
    for (const auto& element : profile.elements)
        angle += std::visit([&](const auto& e) { return angle_of(e, point); }, element);
    return static_cast<int>(std::lround(angle / (2 * std::numbers::pi)));
}

// The area of a polygon through points of the profile: its sign is that of the profile.
bool is_solid(const Profile<S>& profile) {
    double area = 0;
    for (const auto& e : profile.elements) {
        if (std::holds_alternative<Corner<S>>(e)) continue;
        const int parts = std::holds_alternative<LineCurve<S>>(e) ? 1 : 32;
        for (int k = 0; k < parts; ++k)
            area += S::cross(point_of<S>(e, double(k) / parts).p,
                             point_of<S>(e, double(k + 1) / parts).p);
    }
    return area > 0;
}

bool inside(const Profile<S>& profile, Vector point) {
    return profile.closed && inside(profile, point, is_solid(profile));
}

bool inside(const Profile<S>& profile, Vector point, bool solid) {
    const bool is_point = std::holds_alternative<Corner<S>>(profile.elements.front());
    if (!profile.closed || is_point) return false;
    const int turns = winding(profile, point);
    return solid ? turns > 0 : turns == 0;
}

}  // namespace pawl
