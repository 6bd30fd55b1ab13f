// A massless rod between two points: their distance is constant.
#pragma once

#include "mechanism/joints/lower_pairs.h"

namespace pawl {

// phi = |p_b - p_a| - L. The rod has no length zero: there the constraint has no direction.
template <class S>
struct Rod {
    static constexpr std::string_view name = "rod";
    static constexpr std::string_view summary =
        "A massless rod: the distance between points a and b is constant.";
    static constexpr int frames = 2;
    static constexpr bool carries_tree = false;
    static constexpr bool to_ground = false;
    static constexpr std::array row_components{Component::x};  // one row, a length
    static constexpr std::array<Component, 0> coordinates{};
    static constexpr std::string_view row_label(int i) { return i == 0 ? "length" : ""; }
    std::optional<typename S::Scalar> length;

    template <class V>
    void fields(V& v) {
        v.places();
        v.number("length", length, dimension::length,
                 "length of the rod; default: the initial distance");
        v.positive("length", length);
    }
    void settle(JointPlacement<S>& p) {
        using std::hypot;
        if (length) return;
        const auto d = p.origin(1) - p.origin(0);
        length = hypot(d.x, d.y);
        if (!(*length > 0))
            p.problem = "the rod has no length: its two ends coincide; give 'length'";
    }
    void rows(const std::array<typename S::Frame, 3>& f, typename S::Row* out) const {
        *out = distance_row<S>(f[0], f[1]);
        out->phi = out->phi - *length;
    }
};

}  // namespace pawl
