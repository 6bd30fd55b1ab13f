// Curves x(w), y(w) from their shape in axes of its own: formulas of the user, ellipses. Curves
// that end where and as they begin are closed: their fraction is periodic.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "curves/curve_point.h"
#include "math/expression/formula.h"
#include "math/tolerances/geometry.h"

namespace pawl {

// Where x is not given it is the variable itself: y(x).
template <class T>
struct FormulaShape {
    using Jet = TimeJet<T>;
    static constexpr std::string_view name = "formula";
    std::optional<Formula<T>> x;
    Formula<T> y;
    [[nodiscard]] std::pair<Jet, Jet> at(const Jet& w) const { return {x ? x->of(w) : w, y.of(w)}; }
    [[nodiscard]] bool is_smooth() const {
        return y.expression.switch_count() == 0 && !(x && x->expression.switch_count() > 0);
    }
};

template <class T>
struct EllipseShape {
    using Jet = TimeJet<T>;
    static constexpr std::string_view name = "ellipse";
    T a{}, b{};  // semi-axes
    [[nodiscard]] std::pair<Jet, Jet> at(const Jet& w) const {
        return {Jet(a) * cos(w), Jet(b) * sin(w)};
    }
    [[nodiscard]] bool is_smooth() const { return true; }
};

template <class S, template <class> class ShapeOf>
struct ParametricCurve {
    using T = typename S::Scalar;
    using Jet = TimeJet<T>;
    using Vector = typename S::Vector;
    using Shape = ShapeOf<T>;
    static constexpr std::string_view name = Shape::name;
    Shape shape;
    T from{}, to{};  // of the variable
    Similarity<S> similarity{};
    T offset{};              // distance of the parallel curve, outward
    bool is_mirror = false;  // of the shape about its x axis, travelled backwards
    bool is_closed = false;

    ParametricCurve(Shape given, const T& begin, const T& end)
        : shape(std::move(given)), from(begin), to(end) {
        is_closed = closes();
    }

    [[nodiscard]] CurvePoint<S> point(const T& u) const {
        const T along = is_closed ? u - T(std::floor(value_of(u))) : u;
        const T span = to - from, back = T(is_mirror ? -1 : 1);
        const Jet w((is_mirror ? to : from) + back * along * span, back * span);
        auto [x, y] = evaluated(w);
        if (is_mirror) y = Jet() - y;
        using std::cos;
        using std::sin;
        const Jet c(similarity.scale * cos(similarity.angle)),
            s(similarity.scale * sin(similarity.angle));
        return shifted<S>(point_from<S>(c * x - s * y + Jet(similarity.shift.x),
                                        s * x + c * y + Jet(similarity.shift.y)),
                          offset);
    }
    [[nodiscard]] bool whole() const { return is_closed; }
    [[nodiscard]] std::vector<double> breaks() const {
        std::vector<double> ends;
        for (int i = 0; i <= parts; ++i) ends.push_back(double(i) / parts);
        return ends;
    }
    [[nodiscard]] std::optional<std::string> problem() const {
        const std::string article = name == "ellipse" ? "an " : "a ";
        if (value_of(from) == value_of(to)) return article + std::string(name) + " has no length";
        if (!shape.is_smooth())
            return "a formula with abs, sign, min, max, floor, mod, if or a comparison has kinks; "
                   "write an element for each smooth part";
        constexpr int samples = 64 * parts;
        for (int i = 0; i <= samples; ++i) {
            const CurvePoint<S> p = point(T(double(i) / samples));
            const double speed = value_of(p.speed), turn = value_of(p.turn);
            const double w = value_of(from) + value_of(to - from) * i / samples;
            if (!std::isfinite(value_of(p.p.x) + value_of(p.p.y) + speed + turn))
                return fmt::format("the curve is not finite, or has zero speed, at {:.6g}", w);
            if (!(speed > 0)) return fmt::format("the curve has zero speed at {:.6g}", w);
        }
        return std::nullopt;
    }
    [[nodiscard]] ParametricCurve moved(const Similarity<S>& map) const {
        ParametricCurve m = *this;
        m.similarity.shift = map.of(similarity.shift);
        m.similarity.angle = similarity.angle + map.angle;
        m.similarity.scale = similarity.scale * map.scale;
        m.offset = map.scale * offset;
        return m;
    }
    [[nodiscard]] ParametricCurve mirrored() const {
        ParametricCurve m = *this;
        m.is_mirror = !is_mirror;
        m.similarity.angle = -similarity.angle;
        m.similarity.shift.y = -similarity.shift.y;
        return m;
    }

private:
    static constexpr int parts = 16;

    // Formulas need no values beyond their ends.
    [[nodiscard]] std::pair<Jet, Jet> evaluated(const Jet& w) const {
        const double low = std::min(value_of(from), value_of(to)),
                     high = std::max(value_of(from), value_of(to));
        if (const double v = value_of(w); v >= low && v <= high) return shape.at(w);
        return {extended<T>([&](const Jet& v) { return shape.at(v).first; }, w, low, high),
                extended<T>([&](const Jet& v) { return shape.at(v).second; }, w, low, high)};
    }
    // Ends meet in position, direction and curvature.
    [[nodiscard]] bool closes() const {
        const CurvePoint<S> a = point(T(0)), b = point(T(1));
        const Vector gap = b.p - a.p;
        constexpr double rounding = tolerance::closed_curve;
        return std::sqrt(value_of(S::dot(gap, gap))) < rounding * value_of(a.speed) &&
               std::abs(value_of(S::cross(a.n, b.n))) < rounding &&
               value_of(S::dot(a.n, b.n)) > 0 &&
               std::abs(value_of(a.turn - b.turn)) <
                   tolerance::closed_curve_turn * (1 + std::abs(value_of(a.turn)));
    }
};

template <class S>
using FormulaCurve = ParametricCurve<S, FormulaShape>;
template <class S>
using EllipseCurve = ParametricCurve<S, EllipseShape>;

}  // namespace pawl
