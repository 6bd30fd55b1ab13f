// Constants and plane vectors of the hand-derived programs.
#pragma once

#include <cmath>

namespace pawl::yardstick {

inline constexpr double gravity = 9.81;
inline constexpr double about_end = 1.0 / 3;  // inertia of a rod about its end

struct Vector2 {
    double x = 0, y = 0;
};
inline Vector2 operator+(Vector2 a, Vector2 b) { return {a.x + b.x, a.y + b.y}; }
inline Vector2 operator-(Vector2 a, Vector2 b) { return {a.x - b.x, a.y - b.y}; }
inline Vector2 operator*(double k, Vector2 a) { return {k * a.x, k * a.y}; }
inline double dot(Vector2 a, Vector2 b) { return a.x * b.x + a.y * b.y; }
inline Vector2 normal(Vector2 u) { return {-u.y, u.x}; }
inline double distance(Vector2 a, Vector2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

struct Symmetric2 {
    double xx = 0, xy = 0, yy = 0;
};
inline Vector2 operator*(const Symmetric2& s, Vector2 a) {
    return {s.xx * a.x + s.xy * a.y, s.xy * a.x + s.yy * a.y};
}
inline void add_square(Symmetric2& s, double k, Vector2 a) {
    s.xx += k * a.x * a.x;
    s.xy += k * a.x * a.y;
    s.yy += k * a.y * a.y;
}
inline Symmetric2 inverse(const Symmetric2& s) {
    const double k = 1 / (s.xx * s.yy - s.xy * s.xy);
    return {k * s.yy, -k * s.xy, k * s.xx};
}

}  // namespace pawl::yardstick
