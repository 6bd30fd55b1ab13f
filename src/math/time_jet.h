// A quantity with its first and second time derivative, over plain or dual numbers. Arithmetic and
// functions follow the chain rule, so the derivatives are exact. Does not know the time itself.
#pragma once

#include <cmath>
#include <compare>
#include <concepts>

#include "math/dual.h"

namespace pawl {

template <class T>
struct TimeJet {
    T value{};
    T rate{};
    T acceleration{};

    constexpr TimeJet() = default;
    constexpr TimeJet(const T& value_, const T& rate_ = T(0), const T& acceleration_ = T(0))
        : value(value_), rate(rate_), acceleration(acceleration_) {}
    constexpr TimeJet(double constant) requires(!std::same_as<T, double>) : value(constant) {}

    friend constexpr TimeJet operator+(const TimeJet& a) { return a; }
    friend constexpr TimeJet operator-(const TimeJet& a) {
        return {-a.value, -a.rate, -a.acceleration};
    }
    friend constexpr TimeJet operator+(const TimeJet& a, const TimeJet& b) {
        return {a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
    }
    friend constexpr TimeJet operator-(const TimeJet& a, const TimeJet& b) {
        return {a.value - b.value, a.rate - b.rate, a.acceleration - b.acceleration};
    }
    friend constexpr TimeJet operator*(const TimeJet& a, const TimeJet& b) {
        return {a.value * b.value, a.rate * b.value + a.value * b.rate,
                a.acceleration * b.value + 2.0 * a.rate * b.rate + a.value * b.acceleration};
    }
    // a = q b, differentiated twice and solved for the derivatives of q.
    friend constexpr TimeJet operator/(const TimeJet& a, const TimeJet& b) {
        const T q = a.value / b.value;
        const T q1 = (a.rate - q * b.rate) / b.value;
        return {q, q1, (a.acceleration - 2.0 * q1 * b.rate - q * b.acceleration) / b.value};
    }
    constexpr TimeJet& operator+=(const TimeJet& b) { return *this = *this + b; }
    constexpr TimeJet& operator-=(const TimeJet& b) { return *this = *this - b; }
    constexpr TimeJet& operator*=(const TimeJet& b) { return *this = *this * b; }
    constexpr TimeJet& operator/=(const TimeJet& b) { return *this = *this / b; }

    // Comparisons look at the value only.
    friend constexpr bool operator==(const TimeJet& a, const TimeJet& b) {
        return a.value == b.value;
    }
    friend constexpr std::partial_ordering operator<=>(const TimeJet& a, const TimeJet& b) {
        return value_of(a.value) <=> value_of(b.value);
    }
};

template <class T>
constexpr double value_of(const TimeJet<T>& x) {
    return value_of(x.value);
}

// a b, but zero when b is, even where the factor a is infinite.
template <class T>
T product_or_zero(const T& a, const T& b) {
    return is_exactly_zero(b) ? T(0) : a * b;
}

// f(x(t)): rate f' ẋ, acceleration f″ ẋ² + f' ẍ. A jet without rate and acceleration counts as a
// constant and stays one, so sqrt(0) of constants is fine where f' is infinite.
template <class T>
TimeJet<T> chain(const TimeJet<T>& x, const T& f, const T& f1, const T& f2) {
    return {f, product_or_zero(f1, x.rate),
            product_or_zero(f2, T(x.rate * x.rate)) + product_or_zero(f1, x.acceleration)};
}

template <class T>
TimeJet<T> sin(const TimeJet<T>& x) {
    using std::cos, std::sin;
    const T f = sin(x.value);
    return chain<T>(x, f, cos(x.value), -f);
}
template <class T>
TimeJet<T> cos(const TimeJet<T>& x) {
    using std::cos, std::sin;
    const T f = cos(x.value);
    return chain<T>(x, f, -sin(x.value), -f);
}
template <class T>
TimeJet<T> tan(const TimeJet<T>& x) {
    using std::tan;
    const T f = tan(x.value), f1 = 1.0 + f * f;
    return chain<T>(x, f, f1, 2.0 * f * f1);
}
template <class T>
TimeJet<T> asin(const TimeJet<T>& x) {
    using std::asin, std::sqrt;
    const T w = 1.0 - x.value * x.value, f1 = 1.0 / sqrt(w);
    return chain<T>(x, asin(x.value), f1, x.value * f1 / w);
}
template <class T>
TimeJet<T> acos(const TimeJet<T>& x) {
    using std::acos, std::sqrt;
    const T w = 1.0 - x.value * x.value, f1 = -1.0 / sqrt(w);
    return chain<T>(x, acos(x.value), f1, x.value * f1 / w);
}
template <class T>
TimeJet<T> atan(const TimeJet<T>& x) {
    using std::atan;
    const T f1 = 1.0 / (1.0 + x.value * x.value);
    return chain<T>(x, atan(x.value), f1, -2.0 * x.value * f1 * f1);
}
template <class T>
TimeJet<T> sinh(const TimeJet<T>& x) {
    using std::cosh, std::sinh;
    const T f = sinh(x.value);
    return chain<T>(x, f, cosh(x.value), f);
}
template <class T>
TimeJet<T> cosh(const TimeJet<T>& x) {
    using std::cosh, std::sinh;
    const T f = cosh(x.value);
    return chain<T>(x, f, sinh(x.value), f);
}
template <class T>
TimeJet<T> tanh(const TimeJet<T>& x) {
    using std::tanh;
    const T f = tanh(x.value), f1 = 1.0 - f * f;
    return chain<T>(x, f, f1, -2.0 * f * f1);
}
template <class T>
TimeJet<T> exp(const TimeJet<T>& x) {
    using std::exp;
    const T f = exp(x.value);
    return chain<T>(x, f, f, f);
}
template <class T>
TimeJet<T> log(const TimeJet<T>& x) {
    using std::log;
    const T f1 = 1.0 / x.value;
    return chain<T>(x, log(x.value), f1, -f1 * f1);
}
template <class T>
TimeJet<T> log10(const TimeJet<T>& x) {
    using std::log10;
    const T f1 = 1.0 / (x.value * std::log(10.0));
    return chain<T>(x, log10(x.value), f1, -f1 / x.value);
}
template <class T>
TimeJet<T> sqrt(const TimeJet<T>& x) {
    using std::sqrt;
    const T f = sqrt(x.value), f1 = 0.5 / f;
    return chain<T>(x, f, f1, -0.5 * f1 / x.value);
}
template <class T>
TimeJet<T> abs(const TimeJet<T>& x) {
    return value_of(x) < 0 ? -x : x;
}
template <class T>
TimeJet<T> floor(const TimeJet<T>& x) {
    return T(std::floor(value_of(x)));
}

// With r² = x² + y²: rate (x ẏ − y ẋ)/r², acceleration (x ÿ − y ẍ − 2 rate (x ẋ + y ẏ))/r².
template <class T>
TimeJet<T> atan2(const TimeJet<T>& y, const TimeJet<T>& x) {
    using std::atan2;
    const T inverse = 1.0 / (x.value * x.value + y.value * y.value);
    const T rate = product_or_zero<T>(inverse, x.value * y.rate - y.value * x.rate);
    const T along = x.value * x.rate + y.value * y.rate;
    return {atan2(y.value, x.value), rate,
            product_or_zero<T>(inverse, x.value * y.acceleration - y.value * x.acceleration -
                                            2.0 * product_or_zero<T>(rate, along))};
}

// h² = x² + y², differentiated twice.
template <class T>
TimeJet<T> hypot(const TimeJet<T>& x, const TimeJet<T>& y) {
    using std::hypot;
    const T h = hypot(x.value, y.value), inverse = 1.0 / h;
    const T rate = product_or_zero<T>(inverse, x.value * x.rate + y.value * y.rate);
    return {
        h, rate,
        product_or_zero<T>(inverse, x.rate * x.rate + y.rate * y.rate + x.value * x.acceleration +
                                        y.value * y.acceleration - rate * rate)};
}

// A constant exponent follows the power rule, which also holds for bases ≤ 0; a varying one goes
// through exp(n ln x).
template <class T>
TimeJet<T> pow(const TimeJet<T>& x, const TimeJet<T>& n) {
    using std::pow;
    if (!is_exactly_zero(n.rate) || !is_exactly_zero(n.acceleration)) return exp(n * log(x));
    const T& k = n.value;
    const T k2 = k * (k - 1.0);
    return chain<T>(x, pow(x.value, k), is_exactly_zero(k) ? T(0) : k * pow(x.value, T(k - 1.0)),
                    is_exactly_zero(k2) ? T(0) : k2 * pow(x.value, T(k - 2.0)));
}

template <class T>
TimeJet<T> fmod(const TimeJet<T>& x, const TimeJet<T>& y) {
    const double f = std::fmod(value_of(x), value_of(y));
    const double k = std::round((value_of(x) - f) / value_of(y));
    TimeJet<T> result = x - k * y;
    using std::fmod;
    result.value = fmod(x.value, y.value);
    return result;
}

inline bool all_finite(double x) { return std::isfinite(x); }
inline bool all_finite(const Dual& x) { return isfinite(x); }
template <class T>
bool all_finite(const TimeJet<T>& x) {
    return all_finite(x.value) && all_finite(x.rate) && all_finite(x.acceleration);
}

}  // namespace pawl
