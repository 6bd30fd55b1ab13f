// The kinds of curve elements and their list. Each is a point, an outward normal and a curvature as
// functions of a fraction u of the element; all can be evaluated slightly beyond their ends.
// Material lies on the left of the direction of travel. Knows no bodies.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "curves/cam_curve.h"
#include "curves/curve_point.h"
#include "curves/parametric_curve.h"
#include "curves/polar_polynomial.h"
#include "curves/spline_curve.h"

namespace pawl {

// A convex corner between two elements: its point is fixed and its normal turns. A point alone
// turns all round; its fraction is then periodic.
template <class S>
struct Corner {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "point";
    typename S::Vector at;
    T normal{}, turn{};  // angle of the first normal; how far it turns

    [[nodiscard]] CurvePoint<S> point(const T& u) const {
        using std::cos;
        using std::sin;
        const T angle = normal + u * turn;
        return {at, {cos(angle), sin(angle)}, T(1), T(0), T(0), turn};
    }
    [[nodiscard]] bool whole() const { return value_of(turn) >= 2 * std::numbers::pi; }
    [[nodiscard]] std::optional<std::string> problem() const { return std::nullopt; }
    [[nodiscard]] Corner moved(const Similarity<S>& map) const {
        return {map.of(at), normal + map.angle, turn};
    }
    // The mirror image about the x axis, with the travel reversed again (the material stays left).
    [[nodiscard]] Corner mirrored() const { return {{at.x, -at.y}, -normal - turn, turn}; }
    [[nodiscard]] RoundShape<S> round() const { return {at, T(0)}; }
    // The fraction at which the outward normal has this direction.
    [[nodiscard]] T fraction(typename S::Vector n) const {
        using std::atan2;
        return T(0.5) + wrapped(atan2(n.y, n.x) - normal - T(0.5) * turn) / turn;
    }
};

template <class S>
struct LineCurve {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "line";
    typename S::Vector from, to;

    [[nodiscard]] T length() const {
        using std::sqrt;
        return sqrt(S::dot(to - from, to - from));
    }
    [[nodiscard]] CurvePoint<S> point(const T& u) const {
        const T l = length();
        return {from + u * (to - from), T(-1) / l * S::turned(to - from), T(0), T(1), l, T(0)};
    }
    [[nodiscard]] std::optional<std::string> problem() const {
        if (!(value_of(length()) > 0)) return "a line has no length";
        return std::nullopt;
    }
    [[nodiscard]] LineCurve moved(const Similarity<S>& map) const {
        return {map.of(from), map.of(to)};
    }
    [[nodiscard]] LineCurve mirrored() const { return {{to.x, -to.y}, {from.x, -from.y}}; }
    [[nodiscard]] StraightShape<S> straight() const {
        const T l = length();
        return {from, T(-1) / l * S::turned(to - from), l};
    }
};

// From the angle `from` over `sweep`: counter-clockwise it is convex, clockwise hollow.
template <class S>
struct ArcCurve {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "arc";
    typename S::Vector centre;
    T radius{}, from{}, sweep{};

    [[nodiscard]] T side() const { return T(value_of(sweep) < 0 ? -1 : 1); }
    [[nodiscard]] CurvePoint<S> point(const T& u) const {
        using std::cos;
        using std::sin;
        const T angle = from + u * sweep;
        const typename S::Vector out{cos(angle), sin(angle)};
        return {centre + radius * out,   side() * out, side(), radius,
                radius * side() * sweep, sweep};
    }
    [[nodiscard]] std::optional<std::string> problem() const {
        const double turn = std::abs(value_of(sweep));
        if (!(value_of(radius) > 0))
            return "the radius of an arc must be positive (a clockwise arc is concave)";
        if (!(turn > 0)) return "an arc has no length";
        if (turn > 2 * std::numbers::pi) return "an arc covers more than a whole turn";
        return std::nullopt;
    }
    [[nodiscard]] ArcCurve moved(const Similarity<S>& map) const {
        return {map.of(centre), map.scale * radius, from + map.angle, sweep};
    }
    [[nodiscard]] ArcCurve mirrored() const {
        return {{centre.x, -centre.y}, radius, -from - sweep, sweep};
    }
    [[nodiscard]] RoundShape<S> round() const { return {centre, side() * radius}; }
    [[nodiscard]] T fraction(typename S::Vector n) const {
        using std::atan2;
        const auto out = side() * n;
        return T(0.5) + wrapped(atan2(out.y, out.x) - from - T(0.5) * sweep) / sweep;
    }
};

// A whole circle; its fraction is periodic, so that there is no transition on it.
template <class S>
struct CircleCurve {
    using T = typename S::Scalar;
    static constexpr std::string_view name = "circle";
    typename S::Vector centre;
    T radius{}, from{};
    bool hollow = false;

    [[nodiscard]] ArcCurve<S> arc() const {
        return {centre, radius, from, T((hollow ? -2 : 2) * std::numbers::pi)};
    }
    [[nodiscard]] CurvePoint<S> point(const T& u) const { return arc().point(u); }
    [[nodiscard]] bool whole() const { return true; }
    [[nodiscard]] std::optional<std::string> problem() const {
        if (!(value_of(radius) > 0)) return "the radius of a circle must be positive";
        return std::nullopt;
    }
    [[nodiscard]] CircleCurve moved(const Similarity<S>& map) const {
        return {map.of(centre), map.scale * radius, from + map.angle, hollow};
    }
    [[nodiscard]] CircleCurve mirrored() const {
        return {{centre.x, -centre.y}, radius, -from, hollow};
    }
    [[nodiscard]] RoundShape<S> round() const { return arc().round(); }
    [[nodiscard]] T fraction(typename S::Vector n) const {
        const T u = arc().fraction(n);
        return u - T(std::floor(value_of(u)));
    }
};

template <class S>
using CurveElement =
    std::variant<Corner<S>, LineCurve<S>, ArcCurve<S>, CircleCurve<S>, PolarPolynomial<S>,
                 SplineCurve<S>, PolarSpline<S>, CamCurve<S>, FormulaCurve<S>, EllipseCurve<S>>;

template <class S>
CurvePoint<S> point_of(const CurveElement<S>& element, const typename S::Scalar& u) {
    return std::visit([&](const auto& e) { return e.point(u); }, element);
}

// A closed curve by itself: its fraction is periodic.
template <class S>
bool is_whole(const CurveElement<S>& element) {
    return std::visit(
        [](const auto& e) {
            if constexpr (requires { e.whole(); })
                return e.whole();
            else
                return false;
        },
        element);
}

// The element of a kind without closed-form normals.
template <class E>
concept GeneralCurve = requires(const E& e) {
    e.breaks();
};
template <class S>
bool is_general(const CurveElement<S>& element) {
    return std::visit([](const auto& e) { return GeneralCurve<std::decay_t<decltype(e)>>; },
                      element);
}

template <class S>
CurveElement<S> mirrored(const CurveElement<S>& element) {
    return std::visit([](const auto& e) -> CurveElement<S> { return e.mirrored(); }, element);
}

template <class S>
CurveElement<S> moved(const CurveElement<S>& element, const Similarity<S>& map) {
    return std::visit([&](const auto& e) -> CurveElement<S> { return e.moved(map); }, element);
}

}  // namespace pawl
