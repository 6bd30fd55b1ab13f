// The table of a profile and the kinds of elements in its list, as a model file has them. Each kind
// makes its curve elements, given those before it; whether the curves are sound they say
// themselves.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "curves/profile.h"
#include "math/span.h"
#include "math/tolerances/geometry.h"
#include "model_file/reading/cam_element.h"
#include "model_file/reading/parametric_element.h"

namespace pawl {

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
        chain.push_back(LineCurve<S>{from ? *from : point_of<S>(chain.back(), 1).p, to});
        return "";
    }
};

template <class S>
struct ArcElement {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "arc";
    static constexpr std::string_view summary =
        "A part of a circle. If `to` is greater than `from`, it runs counter-clockwise and is "
        "convex; otherwise it is concave.";
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
        v.flag("hollow", hollow, "true: the material is outside, as for a hole");
    }
    [[nodiscard]] std::string append(CurveChain<S>& chain) const {
        chain.push_back(CircleCurve<S>{{x, y}, radius, from, hollow});
        return "";
    }
};

template <class S>
struct PointElement {
    static constexpr std::string_view name = "point";
    static constexpr std::string_view summary =
        "A point that touches in any direction, such as a knife-edge or the centre of a thin pin; "
        "it is the only element of its profile.";
    typename S::Vector at;
    template <class V>
    void fields(V& v) {
        v.vector("at", at, dimension::length, "its place");
    }
    [[nodiscard]] std::string append(CurveChain<S>& chain) const {
        chain.push_back(Corner<S>{at, {}, typename S::Scalar(2 * std::numbers::pi)});
        return "";
    }
};

template <class S>
struct PolynomialElement {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "polynomial";
    static constexpr std::string_view summary =
        "A curve in polar coordinates, r(th) = sum of c ((th - start)/scale)^e. If `to` is greater "
        "than `from`, the material is towards the origin, otherwise outside.";
    T x{}, y{}, from{}, to{}, start{}, scale{1};
    std::vector<T> coefficients, exponents;
    template <class V>
    void fields(V& v) {
        v.vector("origin", x, y, dimension::length, "its origin", "[0, 0]");
        v.number("from", from, dimension::angle, "the angle of its start, seen from the origin");
        v.number("to", to, dimension::angle, "the angle of its end");
        v.number("start", start, dimension::angle, "the angle at which the powers are zero", "0");
        v.number("scale", scale, dimension::angle, "the angle that corresponds to one", "1 rad");
        v.numbers("coefficients", coefficients, dimension::length, dimension::none,
                  "c: the coefficients", 1);
        v.numbers("exponents", exponents, dimension::none, dimension::none,
                  "e: the exponent of each coefficient, any real number", 1);
        v.require(coefficients.size() == exponents.size(), "exponents",
                  "must be as many as the coefficients");
    }
    // Where the argument vanishes a negative power is infinite.
    [[nodiscard]] std::string append(CurveChain<S>& chain) const {
        std::vector<double> powers;
        for (const T& e : exponents) powers.push_back(value_of(e));
        const auto [low, high] = std::minmax({value_of(from), value_of(to)});
        constexpr double rounding = tolerance::angle_rounding;  // rad
        if (value_of(start) > low - rounding && value_of(start) < high + rounding)
            for (const double e : powers)
                if (e < 0)
                    return fmt::format(
                        "the exponent {:.6g} makes the radius infinite at the angle {:.6g} deg, "
                        "where angle - start is zero; choose `start` outside the element",
                        e, value_of(start) * 180 / std::numbers::pi);
        chain.push_back(
            PolarPolynomial<S>{{x, y}, from, to, start, scale, coefficients, std::move(powers)});
        return "";
    }
};

template <class S>
struct SplineElement {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "spline";
    static constexpr std::string_view summary =
        "A smooth curve through `points`, or through `radii` at `angles` about an origin. A "
        "periodic one is closed and the only element of its profile.";
    std::vector<typename S::Vector> points;
    std::vector<T> angles, radii;
    T x{}, y{};
    Ends ends = Ends::natural;
    template <class V>
    void fields(V& v) {
        v.vectors("points", points, dimension::length, "the points, in the order of travel");
        v.numbers("angles", angles, dimension::angle, dimension::none,
                  "polar data: the angles, increasing, or decreasing where the material is outside",
                  0);
        v.numbers("radii", radii, dimension::length, dimension::none,
                  "polar data: the radius at each angle", 0);
        v.vector("origin", x, y, dimension::length, "polar data: their origin", "[0, 0]");
        v.choice("ends", ends, {"natural", "clamped", "periodic"},
                 "natural: zero curvature (polar: zero second derivative) at the ends; clamped: "
                 "zero slope of polar data at the ends; periodic: closed");
        v.require(radii.empty() == angles.empty(), radii.empty() ? "angles" : "radii",
                  "polar data are angles and radii");
        v.require(points.empty() != angles.empty(), "points",
                  "give either points, or angles and radii");
    }
    [[nodiscard]] std::string append(CurveChain<S>& chain) const {
        if (!points.empty()) {
            chain.push_back(SplineCurve<S>(points, ends));
            return "";
        }
        std::vector<double> knots;
        for (const T& a : angles) knots.push_back(value_of(a));
        if (std::string problem = seam(knots); !problem.empty()) return problem;
        PolarSpline<S> spline(std::move(knots), radii, ends);
        spline.origin = {x, y};
        chain.push_back(std::move(spline));
        return "";
    }

private:
    // A periodic spline over a whole turn ends at the radius at which it begins.
    [[nodiscard]] std::string seam(const std::vector<double>& knots) const {
        constexpr double whole = 2 * std::numbers::pi * (1 - tolerance::whole_turn),
                         rounded = tolerance::typed_turn;
        if (ends != Ends::periodic || knots.size() != radii.size() || knots.size() < 2 ||
            std::abs(knots.back() - knots.front()) < whole)
            return "";
        const double first = value_of(radii.front()), last = value_of(radii.back());
        if (std::abs(last - first) <= rounded * std::abs(first)) return "";
        return fmt::format(
            "a periodic spline ends where it begins, but its first radius is {:.6g} m and its last "
            "one, a turn later, {:.6g} m; make them equal, or omit the last one",
            first, last);
    }
};

template <class S>
using ProfileElementKind = std::variant<LineElement<S>, ArcElement<S>, CircleElement<S>,
                                        PointElement<S>, PolynomialElement<S>, SplineElement<S>,
                                        CamElement<S>, FormulaElement<S>, EllipseElement<S>>;

template <class S>
struct ProfileElement {
    Span span;
    ProfileElementKind<S> kind;
};

// Copies of a chain round the origin.
template <class T>
struct PatternTable {
    T count{};
    std::optional<T> step;
    template <class V>
    void fields(V& v) {
        v.number("count", count, dimension::none, "number of copies, including the original");
        const double n = value_of(count);
        v.require(n == std::floor(n) && n >= 1 && n <= 10000, "count",
                  "must be a whole number from 1 to 10000");
        v.number("step", step, dimension::angle,
                 "the angle from one copy to the next; default: a whole turn divided by the count");
    }
};

template <class S>
struct ProfileTable {
    using T = typename S::Scalar;
    static constexpr std::string_view summary =
        "An outline carried by a body: a chain of elements with the material on the left of the "
        "direction of travel. A closed outline that runs counter-clockwise is a disk, clockwise a "
        "hole. Give either elements or like. The pattern is applied first, then mirror and offset.";
    std::optional<int> body;
    typename S::Vector at;
    T angle{};
    std::optional<bool> closed;
    std::vector<ProfileElement<S>> elements;
    std::optional<int> like;
    bool mirror = false;
    std::optional<T> offset;
    std::optional<PatternTable<T>> pattern;
    std::optional<T> thickness, density;
    template <class V>
    void fields(V& v) {
        v.body("body", body, "the body that carries it", true);
        v.point_of_body("at", at, body,
                        "origin of the profile's axes: a point in the axes of the body, or a named "
                        "point of the body; default: the body's origin");
        v.number("angle", angle, dimension::angle, "angle of the profile's axes on the body", "0");
        v.flag("closed", closed,
               "whether the end is joined to the start; default: true where they meet");
        v.kinds("elements", elements, "its elements, each beginning where the one before ends");
        v.profile("like", like,
                  "instead of elements: a profile defined earlier whose elements are copied, "
                  "without its position on the body");
        v.table(
            "pattern", pattern,
            "copies of the elements, turned about the profile's origin and joined into one chain");
        v.flag("mirror", mirror, "true: the mirror image about the profile's x axis");
        v.number("offset", offset, dimension::length,
                 "distance of a parallel outline, outward where positive");
        v.number("thickness", thickness, dimension::length,
                 "thickness of a plate with this closed outline; it gives the body its mass, "
                 "centre and inertia unless the body has its own; holes are subtracted");
        v.number("density", density, dimension::density, "density of the plate");
        v.require(thickness.has_value() == density.has_value(), thickness ? "thickness" : "density",
                  "a plate needs thickness and density");
        v.positive("thickness", thickness);
        v.positive("density", density);
    }
};

}  // namespace pawl
