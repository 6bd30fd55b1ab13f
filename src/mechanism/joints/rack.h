// Rack and pinion, and a circle rolling on a line: no slip, and for the second also contact.
#pragma once

#include "mechanism/joints/lower_pairs.h"

namespace pawl {

// Frame a is the pinion's centre, frame b lies on the rack with its x axis along the pitch line.
// With s, h the components of the centre in the rack's axes and psi = th_a - th_b, a pinion on the
// left (h > 0) touches at the centre - r n; the slip speed there is s' + r psi'. On the right it is
// s' - r psi'. So
//   phi = s -+ ... = s + side r psi - const,   and for rolling also   h - side r = 0.
template <class S, bool Touches>
struct RackLike {
    using T = typename S::Scalar;
    static constexpr std::string_view name = Touches ? "roll_line" : "rack";
    static constexpr std::string_view summary =
        Touches ? "A circle of body a rolls without slip on a straight line of body b."
                : "A pinion of body a meshes with a rack of body b; its centre is held by other "
                  "joints, fixed "
                  "or moving.";
    static constexpr int frames = 2;
    static constexpr bool carries_tree = false;
    static constexpr bool to_ground = false;
    static constexpr auto row_components = [] {
        if constexpr (Touches)
            return std::array{Component::x, Component::y};
        else
            return std::array{Component::x};
    }();
    static constexpr std::array<Component, 0> coordinates{};
    static constexpr std::string_view row_label(int i) { return i == 0 ? "slip" : "touch"; }
    T radius{}, axis{}, phase{};
    bool on_right = false;

    template <class V>
    void fields(V& v) {
        v.place("a", 0, Touches ? "centre of the circle" : "centre of the pinion");
        v.place("b", 1, Touches ? "a point of the line" : "a point on the pitch line of the rack");
        v.number("radius", radius, dimension::length,
                 Touches ? "radius of the circle" : "pitch radius");
        v.positive("radius", radius);
        v.number("axis", axis, dimension::angle, "direction of the line in the axes of body b",
                 "0");
        v.choice("side", on_right, {"left", "right"},
                 "side of the directed line on which the centre lies");
    }
    [[nodiscard]] T signed_radius() const { return on_right ? -radius : radius; }

    void settle(JointPlacement<S>& p) {
        p.local[1].angle = axis;
        const auto rack = S::position_of({p.origin(1), p.body[1].angle + axis});
        const T s = rack.to_local(p.origin(0) - p.origin(1)).x;
        phase = s + signed_radius() * (p.body[0].angle - p.body[1].angle);
    }
    void rows(const std::array<typename S::Frame, 3>& f, typename S::Row* out) const {
        const auto along = component_row<S>(Component::x, f[1], f[0]);
        const T r = signed_radius();
        // component_row measures frame 0 from frame 1 here, so its wrenches are swapped.
        typename S::Row row;
        row.w[0] = along.w[1];
        row.w[1] = along.w[0];
        row.w[0].m = row.w[0].m + r;
        row.w[1].m = row.w[1].m - r;
        // The frame of the rack is turned by `axis`; the phase was taken with body angles.
        const T turn = f[0].position.angle - (f[1].position.angle - axis);
        row.phi = along.phi + r * turn - phase;
        row.bias = along.bias;
        out[0] = row;
        if constexpr (Touches) {
            const auto height = component_row<S>(Component::y, f[1], f[0]);
            out[1].phi = height.phi - r;
            out[1].bias = height.bias;
            out[1].w = {height.w[1], height.w[0], typename S::Wrench{}};
        }
    }
};

template <class S>
using Rack = RackLike<S, false>;
template <class S>
using RollLine = RackLike<S, true>;

}  // namespace pawl
