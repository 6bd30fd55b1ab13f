// The polar polynomial r(th) = sum c_i ((th - start) / scale)^e_i about its own origin, with any
// real exponents. With growing angle the material lies towards the origin, with falling angle
// outside.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "curves/curve_point.h"
#include "math/tolerances.h"

namespace pawl {

// x = r cos th, y = r sin th from the jets of r and th.
template <class S>
CurvePoint<S> polar_point(typename S::Vector origin, const TimeJet<typename S::Scalar>& r,
                          const TimeJet<typename S::Scalar>& angle) {
    CurvePoint<S> point = point_from<S>(r * cos(angle), r * sin(angle));
    point.p = origin + point.p;
    return point;
}

template <class S>
struct PolarPolynomial {
    using T = typename S::Scalar;
    using Jet = TimeJet<T>;
    static constexpr std::string_view name = "polynomial";
    typename S::Vector origin;
    T from{}, to{};       // angles
    T start{}, scale{1};  // of the argument
    std::vector<T> coefficients;
    std::vector<double> exponents;
    T offset{};  // distance of the parallel curve, outward

    // A broken power has no value left of the start; it counts as zero there.
    [[nodiscard]] Jet radius(const Jet& angle) const {
        const Jet x = (angle - Jet(start)) / Jet(scale);
        Jet r;
        for (std::size_t i = 0; i < coefficients.size(); ++i) {
            const double e = exponents[i];
            if (value_of(x) <= 0 && e != std::round(e)) continue;
            r += Jet(coefficients[i]) * pow(x, Jet(T(e)));
        }
        return r;
    }
    [[nodiscard]] CurvePoint<S> point(const T& u) const {
        const Jet angle(from + u * (to - from), to - from);
        return shifted<S>(polar_point<S>(origin, radius(angle), angle), offset);
    }
    [[nodiscard]] std::vector<double> breaks() const { return {0, 0.5, 1}; }
    [[nodiscard]] std::optional<std::string> problem() const {
        if (coefficients.empty() || coefficients.size() != exponents.size())
            return "a polynomial needs as many exponents as coefficients, at least one";
        if (value_of(from) == value_of(to)) return "a polynomial has no length";
        if (value_of(scale) == 0) return "the scale of a polynomial must not be zero";
        for (const double e : exponents)
            for (const T& end : {from, to})
                if (e != std::round(e) &&
                    value_of((end - start) / scale) < -tolerance::angle_rounding)
                    return "a polynomial with a non-integer exponent must not extend to angles "
                           "before `start`";
        for (int i = 0; i <= 64; ++i)
            if (!(value_of(radius(Jet(from + T(i / 64.0) * (to - from))).value) > 0))
                return "the radius of a polynomial must be positive";
        return std::nullopt;
    }
    [[nodiscard]] PolarPolynomial moved(const Similarity<S>& map) const {
        PolarPolynomial m = *this;
        m.origin = map.of(origin);
        for (T* angle : {&m.from, &m.to, &m.start}) *angle = *angle + map.angle;
        for (T& c : m.coefficients) c = map.scale * c;
        m.offset = map.scale * offset;
        return m;
    }
    [[nodiscard]] PolarPolynomial mirrored() const {
        PolarPolynomial m = *this;
        m.origin.y = -origin.y;
        m.from = -to;
        m.to = -from;
        m.start = -start;
        m.scale = -scale;
        return m;
    }
};

}  // namespace pawl
