// A pair of gears whose centres sit on a carrier (ground by default), as rolling pitch circles.
#pragma once

#include "mechanism/joints/lower_pairs.h"

namespace pawl {

// Seen from the carrier c the pitch circles do not slip (Nikravesh 1988, gears on fixed centres and
// on a carrier):
//   external:  r_a (th_a - th_c) + r_b (th_b - th_c) = const
//   internal:  r_a (th_a - th_c) - r_b (th_b - th_c) = const.
// The constant is set by the initial angles of the model file. The row is a length (arc of pitch
// circle).
template <class S>
struct Gear {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "gear";
    static constexpr std::string_view summary =
        "Two gears that mesh without play. The centres are held by other joints, on the carrier.";
    static constexpr int frames = 3;
    static constexpr bool carries_tree = false;
    static constexpr bool to_ground = false;
    static constexpr std::array row_components{Component::x};
    static constexpr std::array<Component, 0> coordinates{};
    static constexpr std::string_view row_label(int i) { return i == 0 ? "mesh" : ""; }
    T radius_a{}, radius_b{};
    bool internal = false;
    T phase{};

    template <class V>
    void fields(V& v) {
        v.places();
        v.number("radius_a", radius_a, dimension::length, "pitch radius of the gear on body a");
        v.positive("radius_a", radius_a);
        v.number("radius_b", radius_b, dimension::length, "pitch radius of the gear on body b");
        v.positive("radius_b", radius_b);
        v.flag("internal", internal, "one gear meshes inside the other");
        v.body_field("carrier", 2, "the body that carries both centres", "ground");
    }
    [[nodiscard]] T arc(T a, T b, T carrier) const {
        const T rolled_b = radius_b * (b - carrier);
        return radius_a * (a - carrier) + (internal ? -rolled_b : rolled_b);
    }
    void settle(JointPlacement<S>& p) {
        phase = arc(p.body[0].angle, p.body[1].angle, p.body[2].angle);
    }
    void rows(const std::array<typename S::Frame, 3>& f, typename S::Row* out) const {
        typename S::Row row;
        row.phi = arc(f[0].position.angle, f[1].position.angle, f[2].position.angle) - phase;
        const T rb = internal ? -radius_b : radius_b;
        row.w[0].m = radius_a;
        row.w[1].m = rb;
        row.w[2].m = -(radius_a + rb);
        *out = row;
    }
};

}  // namespace pawl
