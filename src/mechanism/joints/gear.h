// A pair of gears whose centres sit on a carrier (ground by default), as rolling pitch circles.
#pragma once

#include <cmath>

#include "math/tolerances/outside.h"
#include "mechanism/joints/lower_pairs.h"

namespace pawl {

// Seen from the carrier c the pitch circles do not slip (Nikravesh 1988, gears on fixed centres and
// on a carrier):
//   external:  r_a (th_a - th_c) + r_b (th_b - th_c) = const
//   internal:  r_a (th_a - th_c) - r_b (th_b - th_c) = const.
// The constant is set by the initial angles of the model file. The row is a length (arc of pitch
// circle).
//
// Where a and b are the centres of pitch circles that touch, the angle of the carrier is that of
// the line of centres d = p_b - p_a, seen from the carrier with th_c added: the row then is the
// slip at the pitch point, its multiplier the force of the teeth along the tangent there, and
// bearings carry it. With chi the angle of d in the axes of the carrier, (th_c + chi)' = (d x
// d')/r^2 as in roll_circle. Places that are farther or nearer pass on moments only, the third on
// the carrier.
template <class S>
struct Gear {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "gear";
    static constexpr std::string_view summary =
        "Two gears that mesh without backlash. Their centres, a and b, are held by other joints, "
        "on the carrier. The tooth force acts at the pitch point, tangent to the pitch circles; "
        "the component along the line of centres due to the pressure angle is left out. If the "
        "distance of the centres does not match the pitch circles, only moments are transmitted.";
    static constexpr int frames = 3;
    static constexpr bool carries_tree = false;
    static constexpr bool to_ground = false;
    static constexpr std::array row_components{Component::x};
    static constexpr std::array<Component, 0> coordinates{};
    static constexpr std::string_view row_label(int i) { return i == 0 ? "mesh" : ""; }
    T radius_a{}, radius_b{};
    bool internal = false;
    bool has_centres = false;  // the pitch circles touch
    T phase{}, first{};  // the arc at the start, the direction of the line of centres as assembled

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
    [[nodiscard]] T signed_b() const { return internal ? -radius_b : radius_b; }
    [[nodiscard]] T arc(T a, T b, T carrier) const {
        return radius_a * (a - carrier) + signed_b() * (b - carrier);
    }
    // The direction of d in axes at the angle of the carrier.
    [[nodiscard]] static T direction(typename S::Vector d, typename S::Vector axis) {
        using std::atan2;
        return atan2(S::cross(axis, d), S::dot(axis, d));
    }
    void settle(JointPlacement<S>& p) {
        phase = arc(p.body[0].angle, p.body[1].angle, p.body[2].angle);
    }
    // From the frames as assembled.
    void settle_placed(const std::array<typename S::Frame, 3>& f) {
        const auto d = f[1].position.p - f[0].position.p;
        const double both = std::abs(value_of(radius_a + signed_b()));
        const double distance = std::sqrt(value_of(S::dot(d, d)));
        has_centres = distance > 0 && std::abs(distance - both) <= tolerance::gear_centres * both;
        first = has_centres ? direction(d, f[2].position.u) : T(0);
    }
    void rows(const std::array<typename S::Frame, 3>& f, typename S::Row* out) const {
        typename S::Row row;
        const T both = radius_a + signed_b();
        row.phi = arc(f[0].position.angle, f[1].position.angle, f[2].position.angle) - phase;
        row.w[0].m = radius_a;
        row.w[1].m = signed_b();
        const auto d = f[1].position.p - f[0].position.p;
        const T r2 = S::dot(d, d);
        if (has_centres && value_of(r2) > 0) {
            const auto d_rate = f[1].velocity.v - f[0].velocity.v;
            const auto psi_row = T(1) / r2 * S::turned(d);  // psi' = psi_row . d'
            T chi = direction(d, f[2].position.u) - first;
            chi = chi - T(2 * M_PI * std::nearbyint(value_of(chi) / (2 * M_PI)));
            row.phi = row.phi - both * chi;
            row.w[0].f = both * psi_row;
            row.w[1].f = -both * psi_row;
            row.bias = both * T(2) * S::dot(d, d_rate) * S::cross(d, d_rate) / (r2 * r2);
        } else {
            row.w[2].m = -both;
        }
        *out = row;
    }
};

}  // namespace pawl
