// First-order dual numbers a + b ε with ε² = 0: the coefficient of ε carries one exact derivative,
// because f(a + b ε) = f(a) + f'(a) b ε. Usable as a scalar of Eigen. Does not know what the
// derivative is taken with respect to.
#pragma once

#include <cmath>
#include <compare>
#include <limits>

#include <Eigen/Core>

namespace pawl {

struct Dual {
    double value = 0;
    double derivative = 0;

    constexpr Dual() = default;
    constexpr Dual(double value_, double derivative_ = 0)
        : value(value_), derivative(derivative_) {}

    friend constexpr Dual operator+(const Dual& a) { return a; }
    friend constexpr Dual operator-(const Dual& a) { return {-a.value, -a.derivative}; }
    friend constexpr Dual operator+(const Dual& a, const Dual& b) {
        return {a.value + b.value, a.derivative + b.derivative};
    }
    friend constexpr Dual operator-(const Dual& a, const Dual& b) {
        return {a.value - b.value, a.derivative - b.derivative};
    }
    friend constexpr Dual operator*(const Dual& a, const Dual& b) {
        return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
    }
    friend constexpr Dual operator/(const Dual& a, const Dual& b) {
        const double quotient = a.value / b.value;
        return {quotient, (a.derivative - quotient * b.derivative) / b.value};
    }
    constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
    constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
    constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
    constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

    // Comparisons look at the value only: a branch is chosen as it is for plain numbers.
    friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
    friend constexpr std::partial_ordering operator<=>(const Dual& a, const Dual& b) {
        return a.value <=> b.value;
    }
};

constexpr double value_of(double x) { return x; }
constexpr double value_of(const Dual& x) { return x.value; }

// True when a number and its derivatives are zero, so that it is zero as a function.
constexpr bool is_exactly_zero(double x) { return x == 0; }
constexpr bool is_exactly_zero(const Dual& x) { return x.value == 0 && x.derivative == 0; }

// f(x) by the chain rule. A constant stays constant even where f' is infinite, as in sqrt(0).
inline Dual chain(const Dual& x, double f, double f1) {
    return {f, x.derivative == 0 ? 0.0 : f1 * x.derivative};
}

inline Dual sin(const Dual& x) { return chain(x, std::sin(x.value), std::cos(x.value)); }
inline Dual cos(const Dual& x) { return chain(x, std::cos(x.value), -std::sin(x.value)); }
inline Dual tan(const Dual& x) {
    const double f = std::tan(x.value);
    return chain(x, f, 1 + f * f);
}
inline Dual asin(const Dual& x) {
    return chain(x, std::asin(x.value), 1 / std::sqrt(1 - x.value * x.value));
}
inline Dual acos(const Dual& x) {
    return chain(x, std::acos(x.value), -1 / std::sqrt(1 - x.value * x.value));
}
inline Dual atan(const Dual& x) {
    return chain(x, std::atan(x.value), 1 / (1 + x.value * x.value));
}
inline Dual sinh(const Dual& x) { return chain(x, std::sinh(x.value), std::cosh(x.value)); }
inline Dual cosh(const Dual& x) { return chain(x, std::cosh(x.value), std::sinh(x.value)); }
inline Dual tanh(const Dual& x) {
    const double f = std::tanh(x.value);
    return chain(x, f, 1 - f * f);
}
inline Dual exp(const Dual& x) {
    const double f = std::exp(x.value);
    return chain(x, f, f);
}
inline Dual log(const Dual& x) { return chain(x, std::log(x.value), 1 / x.value); }
inline Dual log10(const Dual& x) {
    return chain(x, std::log10(x.value), 1 / (x.value * std::log(10.0)));
}
inline Dual sqrt(const Dual& x) {
    const double f = std::sqrt(x.value);
    return chain(x, f, 0.5 / f);
}
inline Dual abs(const Dual& x) { return x.value < 0 ? -x : x; }
inline Dual floor(const Dual& x) { return std::floor(x.value); }

inline Dual atan2(const Dual& y, const Dual& x) {
    const double turning = x.value * y.derivative - y.value * x.derivative;
    const double square = x.value * x.value + y.value * y.value;
    return {std::atan2(y.value, x.value), turning == 0 ? 0.0 : turning / square};
}

inline Dual hypot(const Dual& x, const Dual& y) {
    const double f = std::hypot(x.value, y.value);
    const double along = x.value * x.derivative + y.value * y.derivative;
    return {f, along == 0 ? 0.0 : along / f};
}

// d(xⁿ) = n xⁿ⁻¹ dx + xⁿ ln x dn; the second term tends to 0 with x for n > 0.
inline Dual pow(const Dual& x, const Dual& n) {
    const double f = std::pow(x.value, n.value);
    Dual result(f);
    if (x.derivative != 0 && n.value != 0)
        result.derivative += n.value * std::pow(x.value, n.value - 1) * x.derivative;
    if (n.derivative != 0 && !(x.value == 0 && n.value > 0))
        result.derivative += f * std::log(x.value) * n.derivative;
    return result;
}

// Remainder with the sign of x, as std::fmod: x − k y with k constant between the jumps.
inline Dual fmod(const Dual& x, const Dual& y) {
    const double f = std::fmod(x.value, y.value);
    const double k = std::round((x.value - f) / y.value);
    return {f, x.derivative - k * y.derivative};
}

inline bool isfinite(const Dual& x) {
    return std::isfinite(x.value) && std::isfinite(x.derivative);
}
inline bool isnan(const Dual& x) { return std::isnan(x.value) || std::isnan(x.derivative); }
inline bool isinf(const Dual& x) { return !isfinite(x) && !isnan(x); }

}  // namespace pawl

namespace Eigen {

template <>
struct NumTraits<pawl::Dual> : GenericNumTraits<double> {
    using Real = pawl::Dual;
    using NonInteger = pawl::Dual;
    using Nested = pawl::Dual;
    using Literal = pawl::Dual;
    enum {
        IsComplex = 0,
        IsInteger = 0,
        IsSigned = 1,
        RequireInitialization = 1,
        ReadCost = 2,
        AddCost = 2,
        MulCost = 4
    };
    static pawl::Dual epsilon() { return NumTraits<double>::epsilon(); }
    static pawl::Dual dummy_precision() { return NumTraits<double>::dummy_precision(); }
    static pawl::Dual highest() { return NumTraits<double>::highest(); }
    static pawl::Dual lowest() { return NumTraits<double>::lowest(); }
    static pawl::Dual infinity() { return NumTraits<double>::infinity(); }
    static pawl::Dual quiet_NaN() { return NumTraits<double>::quiet_NaN(); }
    static int digits10() { return NumTraits<double>::digits10(); }
};

template <class Operation>
struct ScalarBinaryOpTraits<pawl::Dual, double, Operation> {
    using ReturnType = pawl::Dual;
};
template <class Operation>
struct ScalarBinaryOpTraits<double, pawl::Dual, Operation> {
    using ReturnType = pawl::Dual;
};

}  // namespace Eigen
