// Elements of a profile by formula and ellipses, as a model file has them.
#pragma once

#include <numbers>
#include <optional>
#include <string>
#include <string_view>

#include "curves/curve.h"
#include "math/tolerances.h"
#include "math/units.h"
#include "model_file/reading/cam_element.h"

namespace pawl {

template <class S>
struct FormulaElement {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "formula";
    static constexpr std::string_view summary =
        "A smooth curve by formula: y over x, or x and y over u. Formulas are in SI units; they "
        "may use parameters. The material is on the left of the travel from `from` to `to`.";
    std::optional<Formula<T>> x;
    Formula<T> y;
    T from{}, to{};
    template <class V>
    void fields(V& v) {
        v.formula("x", x, "u", dimension::length,
                  "x as a function of u; default: y is a function of x");
        v.formula("y", y, x ? "u" : "x", dimension::length, "y as a function of x, or of u");
        const Dimension variable = x ? dimension::none : dimension::length;
        v.number("from", from, variable, "x (or u, a plain number) at its start");
        v.number("to", to, variable, "x (or u) at its end");
        v.require(value_of(from) != value_of(to), "to", "the curve has no length");
    }
    [[nodiscard]] std::string append(CurveChain<S>& chain) const {
        chain.push_back(FormulaCurve<S>({x, y}, from, to));
        return "";
    }
};

template <class S>
struct EllipseElement {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "ellipse";
    static constexpr std::string_view summary =
        "An ellipse or a part of it: centre + (a cos w, b sin w), turned by `angle`. If `to` is "
        "greater than `from`, it runs counter-clockwise and is convex; otherwise it is concave.";
    T x{}, y{}, angle{}, from{}, to{2 * std::numbers::pi};
    typename S::Vector semi_axes;
    template <class V>
    void fields(V& v) {
        v.vector("centre", x, y, dimension::length, "its centre", "[0, 0]");
        v.vector("semi_axes", semi_axes, dimension::length,
                 "a along its x axis, b along its y axis");
        v.require(value_of(semi_axes.x) > 0 && value_of(semi_axes.y) > 0, "semi_axes",
                  "must be positive");
        v.number("angle", angle, dimension::angle, "the angle of its x axis", "0");
        v.number("from", from, dimension::angle, "w at its start", "0");
        v.number("to", to, dimension::angle, "w at its end", "360 deg");
        const double sweep = std::abs(value_of(to - from));
        v.require(sweep > 0, "to", "the ellipse has no length");
        v.require(sweep <= 2 * std::numbers::pi * (1 + tolerance::angle_rounding), "to",
                  "an ellipse covers at most a whole turn");
    }
    [[nodiscard]] std::string append(CurveChain<S>& chain) const {
        EllipseCurve<S> curve({semi_axes.x, semi_axes.y}, from, to);
        curve.similarity = {T(1), angle, {x, y}};
        chain.push_back(curve);
        return "";
    }
};

}  // namespace pawl
