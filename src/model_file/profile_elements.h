// The table of a profile and the kinds of elements in its list, as a model file has them. Each kind
// makes its curve elements, given those before it.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "curves/profile.h"
#include "math/span.h"

namespace pawl {

template <class S>
using CurveChain = std::vector<CurveElement<S>>;

// Each kind has: append(chain), which adds its curves or returns what is wrong.
template <class S>
struct LineElement {
    using Vector = typename S::Vector;
    static constexpr std::string_view name = "line";
    static constexpr std::string_view summary = "A straight line.";
    std::optional<Vector> from;
    Vector to;
    template <class V>
    void fields(V& v) {
        v.vector("from", from, dimension::length,
                 "its start; default: the end of the element before");
        v.vector("to", to, dimension::length, "its end");
    }
    [[nodiscard]] std::string append(CurveChain<S>& chain) const {
        if (!from && chain.empty()) return "the first element needs the key 'from'";
        const LineCurve<S> line{from ? *from : point_of<S>(chain.back(), 1).p, to};
        if (!(value_of(line.length()) > 0)) return "the line has no length";
        chain.push_back(line);
        return "";
    }
};

template <class S>
struct ArcElement {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "arc";
    static constexpr std::string_view summary =
        "A part of a circle. Where `to` is greater than `from` it runs counter-clockwise and is "
        "convex; else it is hollow.";
    typename S::Vector centre;
    T radius{}, from{}, to{};
    template <class V>
    void fields(V& v) {
        v.vector("centre", centre, dimension::length, "its centre");
        v.number("radius", radius, dimension::length, "its radius");
        v.positive("radius", radius);
        v.number("from", from, dimension::angle, "the angle of its start, seen from the centre");
        v.number("to", to, dimension::angle, "the angle of its end");
        const double sweep = std::abs(value_of(to - from));
        v.require(sweep > 0, "to", "the arc has no length");
        v.require(sweep < 2 * std::numbers::pi, "to",
                  "an arc is less than a whole turn; use type = \"circle\"");
    }
    [[nodiscard]] std::string append(CurveChain<S>& chain) const {
        chain.push_back(ArcCurve<S>{centre, radius, from, to - from});
        return "";
    }
};

template <class S>
struct CircleElement {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "circle";
    static constexpr std::string_view summary =
        "A whole circle; it is the only element of its profile.";
    T x{}, y{}, radius{}, from{};
    bool hollow = false;
    template <class V>
    void fields(V& v) {
        v.vector("centre", x, y, dimension::length, "its centre", "[0, 0]");
        v.number("radius", radius, dimension::length, "its radius");
        v.positive("radius", radius);
        v.number("from", from, dimension::angle, "where its coordinate begins", "0");
        v.flag("hollow", hollow, "true: the material is outside, as of a hole");
    }
    [[nodiscard]] std::string append(CurveChain<S>& chain) const {
        chain.push_back(CircleCurve<S>{{x, y}, radius, from, hollow});
        return "";
    }
};

template <class S>
using ProfileElementKind = std::variant<LineElement<S>, ArcElement<S>, CircleElement<S>>;

template <class S>
struct ProfileElement {
    Span span;
    ProfileElementKind<S> kind;
};

template <class S>
struct ProfileTable {
    using T = typename S::Scalar;
    static constexpr std::string_view summary =
        "An outline carried by a body: a chain of elements with the material on the left of the "
        "direction of travel. A closed outline that runs counter-clockwise is a disk, clockwise a "
        "hole.";
    std::optional<int> body;
    typename S::Vector at;
    T angle{};
    std::optional<bool> closed;
    std::vector<ProfileElement<S>> elements;
    template <class V>
    void fields(V& v) {
        v.body("body", body, "the body that carries it", true);
        v.point_of_body("at", at, body,
                        "origin of the profile's axes: a point in the axes of the body, or a place "
                        "of the body; default: the body's origin");
        v.number("angle", angle, dimension::angle, "angle of the profile's axes on the body", "0");
        v.flag("closed", closed,
               "whether the end is joined to the start; default: true where they meet");
        v.kinds("elements", elements, "its elements, each beginning where the one before ends");
    }
};

}  // namespace pawl
