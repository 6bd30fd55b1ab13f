// The plane as a space: vectors, poses, twists, wrenches and the rows that constrain them, over a
// scalar T. Knows nothing of bodies, joints or coordinates. A spatial twin of this class will serve
// the same templates.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

namespace pawl {

template <class T>
struct Planar {
    using Scalar = T;
    static constexpr int freedoms = 3;  // x, y, angle

    struct Vector {
        T x{}, y{};
        friend Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
        friend Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y}; }
        friend Vector operator-(Vector a) { return {-a.x, -a.y}; }
        friend Vector operator*(T s, Vector a) { return {s * a.x, s * a.y}; }
        Vector& operator+=(Vector b) { return *this = *this + b; }
    };
    static T dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y; }
    static T cross(Vector a, Vector b) { return a.x * b.y - a.y * b.x; }
    static T length(Vector a) {
        using std::sqrt;
        return sqrt(dot(a, a));
    }
    // The angle from one vector to another, in (-pi, pi].
    static T angle_between(Vector from, Vector to) {
        using std::atan2;
        return atan2(cross(from, to), dot(from, to));
    }
    // The vector turned by +90 degrees: k x a.
    static Vector turned(Vector a) { return {-a.y, a.x}; }

    // A constant pose: of a frame in its body, or a first guess of a body in ground axes.
    struct Pose {
        Vector at;
        T angle{};
    };

    // Where a frame is and how it moves. `u` is the unit vector of its x axis in ground axes.
    struct Position {
        Vector p;
        T angle{};
        Vector u{T(1), T(0)};
        [[nodiscard]] Vector to_ground(Vector local) const {
            return {u.x * local.x - u.y * local.y, u.y * local.x + u.x * local.y};
        }
        [[nodiscard]] Vector to_local(Vector ground) const {
            return {u.x * ground.x + u.y * ground.y, u.x * ground.y - u.y * ground.x};
        }
    };
    // Velocity or acceleration of a frame: of its origin, and of its angle.
    struct Twist {
        Vector v;
        T omega{};
    };
    // What a row pairs with a twist: a direction at the frame's origin and a factor of the angle.
    struct Wrench {
        Vector f;
        T m{};
    };
    static T dot(const Wrench& w, const Twist& t) { return dot(w.f, t.v) + w.m * t.omega; }

    struct Frame {
        Position position;
        Twist velocity;
    };

    // One scalar constraint or coordinate over up to three frames:
    //   phi,  phi' = sum w_k . V_k,  phi'' = sum w_k . A_k + bias.
    struct Row {
        T phi{};
        T bias{};
        std::array<Wrench, 3> w{};
    };

    static Position position_of(const Pose& pose) {
        using std::cos;
        using std::sin;
        return {pose.at, pose.angle, {cos(pose.angle), sin(pose.angle)}};
    }

    // A frame fixed on a body: `local` is its pose there and `axis` the unit vector of its angle.
    static Position attached(const Position& body, const Pose& local, Vector axis) {
        return {body.p + body.to_ground(local.at), body.angle + local.angle, body.to_ground(axis)};
    }
    static Twist carried(const Twist& body, Vector arm) {
        return {body.v + body.omega * turned(arm), body.omega};
    }
};

// The components of a relative pose of frame b in frame a.
enum class Component { x, y, angle };
constexpr std::string_view component_name(Component c) {
    return c == Component::x ? "x" : c == Component::y ? "y" : "angle";
}

}  // namespace pawl
