// A circle that rolls without slip on another circle, outside or inside.
#pragma once

#include "mechanism/joints/lower_pairs.h"

namespace pawl {

// psi is the direction of d = p_b - p_a, psi' = (d x d')/r^2, psi'' = (d x d'')/r^2 - 2 (d.d')(d x
// d')/r^4. Seen from the line of centres both circles pass the same arc:
//   external:  r = R_a + R_b,  R_a (th_a - psi) + R_b (th_b - psi) = const
//   internal (a inside b):  r = R_b - R_a,  R_a (th_a - psi) - R_b (th_b - psi) = const.
// psi is known up to whole turns only, so the second row is taken modulo one turn of psi, nearest
// to zero.
template <class S>
struct RollCircle {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "roll_circle";
    static constexpr std::string_view summary =
        "A circle of body a rolls without slip on a circle of body b, or inside it.";
    static constexpr int frames = 2;
    static constexpr bool carries_tree = false;
    static constexpr bool to_ground = false;
    static constexpr std::array row_components{Component::x, Component::y};
    static constexpr std::array<Component, 0> coordinates{};
    static constexpr std::string_view row_label(int i) { return i == 0 ? "touch" : "slip"; }
    T radius_a{}, radius_b{}, phase{};
    bool internal = false;

    template <class V>
    void fields(V& v) {
        v.place("a", 0, "centre of the circle of body a");
        v.place("b", 1, "centre of the circle of body b");
        v.number("radius_a", radius_a, dimension::length, "radius of the circle of body a");
        v.positive("radius_a", radius_a);
        v.number("radius_b", radius_b, dimension::length, "radius of the circle of body b");
        v.positive("radius_b", radius_b);
        v.flag("internal", internal, "circle a rolls inside circle b");
        v.require(!internal || value_of(radius_a) < value_of(radius_b), "radius_a",
                  "the circle that rolls inside must be smaller than the other");
    }
    [[nodiscard]] T signed_b() const { return internal ? -radius_b : radius_b; }
    [[nodiscard]] T centre_distance() const {
        return internal ? radius_b - radius_a : radius_a + radius_b;
    }
    [[nodiscard]] T arc(T angle_a, T angle_b, typename S::Vector d) const {
        using std::atan2;
        const T psi = atan2(d.y, d.x);
        return radius_a * (angle_a - psi) + signed_b() * (angle_b - psi);
    }
    void settle(JointPlacement<S>& p) {
        phase = arc(p.body[0].angle, p.body[1].angle, p.origin(1) - p.origin(0));
    }
    void rows(const std::array<typename S::Frame, 3>& f, typename S::Row* out) const {
        out[0] = distance_row<S>(f[0], f[1]);
        out[0].phi = out[0].phi - centre_distance();
        const auto d = f[1].position.p - f[0].position.p;
        const auto d_rate = f[1].velocity.v - f[0].velocity.v;
        const T r2 = S::dot(d, d);
        const T both = radius_a + signed_b();
        typename S::Row row;
        row.phi = arc(f[0].position.angle, f[1].position.angle, d) - phase;
        // One turn of psi changes phi by 2 pi (R_a +- R_b); only the remainder has a meaning.
        const double turn = 2 * M_PI * std::abs(value_of(both));
        row.phi = row.phi - T(turn * std::nearbyint(value_of(row.phi) / turn));
        row.w[0].m = radius_a;
        row.w[1].m = signed_b();
        if (r2 > T(0)) {
            const auto psi_row = T(1) / r2 * S::turned(d);  // psi' = psi_row . d'
            row.w[0].f = both * psi_row;
            row.w[1].f = -both * psi_row;
            row.bias = both * T(2) * S::dot(d, d_rate) * S::cross(d, d_rate) / (r2 * r2);
        }
        out[1] = row;
    }
};

}  // namespace pawl
