#include "math/expression/enclosure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pawl {

using namespace expression_detail;

namespace {

constexpr double pi = std::numbers::pi;

struct Interval {
    double low = 0, high = 0;
};
constexpr Interval everything{-INFINITY, INFINITY};

// A bound that is no number bounds nothing.
Interval sound(Interval x) { return std::isnan(x.low) || std::isnan(x.high) ? everything : x; }

Interval value_of(const Enclosure& e) { return {e.low, e.high}; }
Interval rate_of(const Enclosure& e) { return {e.rate_low, e.rate_high}; }

Interval operator+(Interval a, Interval b) { return sound({a.low + b.low, a.high + b.high}); }
Interval operator-(Interval a) { return {-a.high, -a.low}; }
Interval operator-(Interval a, Interval b) { return a + -b; }
Interval operator*(Interval a, Interval b) {
    const auto product = [](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; };
    const auto [low, high] = std::minmax({product(a.low, b.low), product(a.low, b.high),
                                          product(a.high, b.low), product(a.high, b.high)});
    return sound({low, high});
}
Interval inverse(Interval a) {
    if (a.low > 0 || a.high < 0) return {1 / a.high, 1 / a.low};
    if (a.low == 0 && a.high > 0) return {1 / a.high, INFINITY};
    if (a.high == 0 && a.low < 0) return {-INFINITY, 1 / a.low};
    return everything;
}
Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
Interval size(Interval a) {
    if (a.low >= 0) return a;
    return a.high <= 0 ? -a : Interval{0, std::max(-a.low, a.high)};
}
Interval square(Interval a) {
    const Interval s = size(a);
    return {s.low * s.low, s.high * s.high};
}

template <class F>
Interval growing(F f, Interval x) {
    return sound({f(x.low), f(x.high)});
}

// sin over an interval: its ends, and 1 or -1 where a vertex lies between them.
Interval sine(Interval x) {
    if (!(x.high - x.low < 2 * pi)) return {-1, 1};
    const auto holds = [&](double vertex) {
        return std::floor((x.high - vertex) / (2 * pi)) >= std::ceil((x.low - vertex) / (2 * pi));
    };
    const auto [low, high] = std::minmax({std::sin(x.low), std::sin(x.high)});
    return {holds(-pi / 2) ? -1.0 : low, holds(pi / 2) ? 1.0 : high};
}
Interval cosine(Interval x) { return sine({x.low + pi / 2, x.high + pi / 2}); }

Interval cut(Interval x, double low, double high) {
    return {std::clamp(x.low, low, high), std::clamp(x.high, low, high)};
}

// x^n for a constant n. A broken power has no value below zero.
Interval power(Interval x, double n) {
    const auto f = [n](double y) { return std::pow(y, n); };
    if (n == 0) return {1, 1};
    if (n != std::round(n)) x = cut(x, 0, INFINITY);
    const bool even = std::fmod(n, 2) == 0;
    if (even) x = size(x);
    if (n > 0) return growing(f, x);
    if (x.low < 0 && x.high > 0) return everything;
    return sound(x.low == 0 && !even && x.high == 0 ? everything : Interval{f(x.high), f(x.low)});
}

Enclosure made(Interval value, Interval rate, bool known) {
    value = sound(value);
    rate = sound(rate);
    return {value.low, value.high, rate.low, rate.high, {}, known};
}

template <class F>
Enclosure sampled(Enclosure e, const Enclosure& a, F f) {
    for (std::size_t k = 0; k < e.at.size(); ++k) e.at[k] = f(a.at[k]);
    return e;
}
template <class F>
Enclosure sampled(Enclosure e, const Enclosure& a, const Enclosure& b, F f) {
    for (std::size_t k = 0; k < e.at.size(); ++k) e.at[k] = f(a.at[k], b.at[k]);
    return e;
}

// f(a) from the bounds of f and of its derivative over the values of a.
template <class F>
Enclosure chained(const Enclosure& a, Interval value, Interval derivative, F f) {
    return sampled(made(value, derivative * rate_of(a), a.known), a, f);
}

constexpr Interval truth_unknown{0, 1};
Enclosure truth(Interval value, const Enclosure& a, const Enclosure& b) {
    return made(a.known && b.known ? value : truth_unknown, {}, a.known && b.known);
}
Interval less(Interval a, Interval b) {
    if (a.high < b.low) return {1, 1};
    return a.low >= b.high ? Interval{0, 0} : truth_unknown;
}
Interval no(Interval a) { return {1 - a.high, 1 - a.low}; }

// asin or acos
Enclosure enclose_arc(Operation operation, const Enclosure& a) {
    const Interval y = cut(value_of(a), -1, 1),
                   root =
                       growing([](double s) { return std::sqrt(s); }, Interval{1, 1} - square(y));
    const auto f = [](double s) { return std::asin(s); };
    if (operation == Operation::asin) return chained(a, growing(f, y), inverse(root), f);
    const auto g = [](double s) { return std::acos(s); };
    return chained(a, {g(y.high), g(y.low)}, -inverse(root), g);
}

// sinh or cosh
Enclosure enclose_hyperbolic(Operation operation, const Enclosure& a) {
    const Interval x = value_of(a);
    const auto f = [](double y) { return std::sinh(y); };
    const auto g = [](double y) { return std::cosh(y); };
    const Interval s = growing(f, x), c = growing(g, size(x));
    return operation == Operation::sinh ? chained(a, s, c, f) : chained(a, c, s, g);
}

// log or log10
Enclosure enclose_logarithm(Operation operation, const Enclosure& a) {
    const Interval y = cut(value_of(a), 0, INFINITY);
    const double base = operation == Operation::log ? 1 : std::numbers::ln10;
    const auto f = [base](double s) { return std::log(s) / base; };
    return chained(a, growing(f, y), inverse(y) * Interval{1 / base, 1 / base}, f);
}

Enclosure enclose_function(Operation operation, const Enclosure& a) {
    const Interval x = value_of(a);
    using std::sin, std::cos, std::tan, std::atan, std::tanh, std::exp, std::sqrt, std::abs,
        std::floor;
    switch (operation) {
        case Operation::negate:
            return sampled(made(-x, -rate_of(a), a.known), a, [](double y) { return -y; });
        case Operation::sin:
            return chained(a, sine(x), cosine(x), [](double y) { return sin(y); });
        case Operation::cos:
            return chained(a, cosine(x), -sine(x), [](double y) { return cos(y); });
        case Operation::tan: {
            const bool pole = floor(x.low / pi + 0.5) != floor(x.high / pi + 0.5);
            const auto f = [](double y) { return tan(y); };
            const Interval value = pole ? everything : growing(f, x);
            return chained(a, value, Interval{1, 1} + square(value), f);
        }
        case Operation::asin:
        case Operation::acos:
            return enclose_arc(operation, a);
        case Operation::atan: {
            const auto f = [](double y) { return atan(y); };
            return chained(a, growing(f, x), inverse(Interval{1, 1} + square(x)), f);
        }
        case Operation::sinh:
        case Operation::cosh:
            return enclose_hyperbolic(operation, a);
        case Operation::tanh: {
            const auto f = [](double y) { return tanh(y); };
            const Interval value = growing(f, x);
            return chained(a, value, Interval{1, 1} - square(value), f);
        }
        case Operation::exp: {
            const auto f = [](double y) { return exp(y); };
            const Interval value = growing(f, x);
            return chained(a, value, value, f);
        }
        case Operation::log:
        case Operation::log10:
            return enclose_logarithm(operation, a);
        case Operation::sqrt: {
            const auto f = [](double y) { return sqrt(y); };
            const Interval value = growing(f, cut(x, 0, INFINITY));
            return chained(a, value, inverse(value) * Interval{0.5, 0.5}, f);
        }
        case Operation::abs: {
            const Interval sign{x.high > 0 ? (x.low >= 0 ? 1.0 : -1.0) : -1.0,
                                x.high > 0 ? 1.0 : -1.0};
            return chained(a, size(x), sign, [](double y) { return abs(y); });
        }
        case Operation::sign:
            return chained(a, {x.low > 0 ? 1.0 : -1.0, x.high < 0 ? -1.0 : 1.0}, {}, [](double y) {
                return y > 0 ? 1.0 : y < 0 ? -1.0 : 0.0;
            });
        case Operation::floor:
            return chained(a, {floor(x.low), floor(x.high)}, {}, [](double y) { return floor(y); });
        default:  // not
            return chained(a, no(x), {}, [](double y) { return y == 0 ? 1.0 : 0.0; });
    }
}

Enclosure enclose_power(const Enclosure& a, const Enclosure& b) {
    const auto f = [](double x, double y) { return std::pow(x, y); };
    const bool known = a.known && b.known;
    if (b.low == b.high && b.rate_low == 0 && b.rate_high == 0) {
        const Interval slope = Interval{b.low, b.low} * power(value_of(a), b.low - 1);
        return sampled(made(power(value_of(a), b.low), slope * rate_of(a), known), a, b, f);
    }
    // a^b = exp(b log a)
    const Enclosure logarithm = enclose_function(Operation::log, a),
                    value = enclose_function(Operation::exp, b * logarithm);
    return sampled(value, a, b, f);
}

Enclosure enclose_modulo(const Enclosure& a, const Enclosure& b) {
    const auto f = [](double x, double y) { return x - y * std::floor(x / y); };
    const bool known = a.known && b.known, constant = b.low == b.high && b.low != 0;
    const Interval x = value_of(a), y = value_of(b);
    const double first = std::floor(x.low / b.low), last = std::floor(x.high / b.low);
    const Interval range = hull({0, 0}, y);
    const Interval value = constant && first == last
                               ? Interval{std::min(f(x.low, b.low), f(x.high, b.low)),
                                          std::max(f(x.low, b.low), f(x.high, b.low))}
                               : range;
    return sampled(made(value, constant ? rate_of(a) : everything, known), a, b, f);
}

Enclosure enclose_atan2(const Enclosure& a, const Enclosure& b) {
    const Interval y = value_of(a), x = value_of(b);
    const auto f = [](double s, double c) { return std::atan2(s, c); };
    Interval value{-pi, pi};
    if (x.low > 0 || y.low > 0 || y.high < 0) {
        const auto [low, high] =
            std::minmax({f(y.low, x.low), f(y.low, x.high), f(y.high, x.low), f(y.high, x.high)});
        value = {low, high};
    }
    const Interval rate = (x * rate_of(a) - y * rate_of(b)) * inverse(square(x) + square(y));
    return sampled(made(value, rate, a.known && b.known), a, b, f);
}

Enclosure enclose_hypot(const Enclosure& a, const Enclosure& b) {
    const Interval x = value_of(a), y = value_of(b),
                   value = growing([](double s) { return std::sqrt(s); }, square(x) + square(y)),
                   rate = (x * rate_of(a) + y * rate_of(b)) * inverse(value);
    return sampled(made(value, rate, a.known && b.known), a, b,
                   [](double s, double c) { return std::hypot(s, c); });
}

// The lower of two; the higher is -min(-a, -b).
Enclosure enclose_minimum(const Enclosure& a, const Enclosure& b) {
    const bool known = a.known && b.known;
    const Interval value = known ? Interval{std::min(a.low, b.low), std::min(a.high, b.high)}
                                 : hull(value_of(a), value_of(b));
    const Interval rate = known && a.high < b.low   ? rate_of(a)
                          : known && b.high < a.low ? rate_of(b)
                                                    : hull(rate_of(a), rate_of(b));
    return sampled(made(value, rate, known), a, b,
                   [](double x, double y) { return std::min(x, y); });
}

Enclosure enclose_pair(Operation operation, const Enclosure& a, const Enclosure& b) {
    const Interval x = value_of(a), y = value_of(b);
    const auto compared = [&](Interval value, auto f) {
        return sampled(truth(value, a, b), a, b, f);
    };
    const auto opposite = [](const Enclosure& e) { return enclose_function(Operation::negate, e); };
    switch (operation) {
        case Operation::add:
            return a + b;
        case Operation::subtract:
            return a - b;
        case Operation::multiply:
            return a * b;
        case Operation::divide:
            return a / b;
        case Operation::power:
            return enclose_power(a, b);
        case Operation::atan2:
            return enclose_atan2(a, b);
        case Operation::hypot:
            return enclose_hypot(a, b);
        case Operation::minimum:
            return enclose_minimum(a, b);
        case Operation::maximum:
            return opposite(enclose_minimum(opposite(a), opposite(b)));
        case Operation::modulo:
            return enclose_modulo(a, b);
        case Operation::less:
            return compared(less(x, y), [](double s, double r) { return double(s < r); });
        case Operation::less_equal:
            return compared(no(less(y, x)), [](double s, double r) { return double(s <= r); });
        case Operation::greater:
            return compared(less(y, x), [](double s, double r) { return double(s > r); });
        case Operation::greater_equal:
            return compared(no(less(x, y)), [](double s, double r) { return double(s >= r); });
        case Operation::equal:
            return compared(truth_unknown, [](double s, double r) { return double(s == r); });
        case Operation::not_equal:
            return compared(truth_unknown, [](double s, double r) { return double(s != r); });
        case Operation::logical_and:
            return compared({std::min(x.low, y.low), std::min(x.high, y.high)},
                            [](double s, double r) { return double(s != 0 && r != 0); });
        default:  // or
            return compared({std::max(x.low, y.low), std::max(x.high, y.high)},
                            [](double s, double r) { return double(s != 0 || r != 0); });
    }
}

// A condition that may hold or not over the piece: both values.
Enclosure enclose_select(const Enclosure& condition, const Enclosure& a, const Enclosure& b) {
    const bool decided = condition.known && condition.low == condition.high;
    Enclosure e = decided ? (condition.low != 0 ? a : b)
                          : made(hull(value_of(a), value_of(b)), hull(rate_of(a), rate_of(b)),
                                 a.known && b.known && condition.known);
    for (std::size_t k = 0; k < e.at.size(); ++k)
        e.at[k] = condition.at[k] != 0 ? a.at[k] : b.at[k];
    return e;
}

}  // namespace

Enclosure Enclosure::constant(double value) {
    Enclosure e = made({value, value}, {}, true);
    e.at.fill(value);
    return e;
}

Enclosure Enclosure::time(double begin, double end) {
    Enclosure e = made({begin, end}, {1, 1}, true);
    for (std::size_t k = 0; k < e.at.size(); ++k)
        e.at[k] = begin + (end - begin) * static_cast<double>(k) / 4;
    return e;
}

// Between two samples a parabola leaves its chord by an eighth of the second difference, and its
// slope that of the chord by half of it; both are taken twice.
Enclosure Enclosure::samples(const std::array<double, 5>& at, double length) {
    double bend = 0;
    for (std::size_t k = 1; k + 1 < at.size(); ++k)
        bend = std::max(bend, std::abs(at[k + 1] - 2 * at[k] + at[k - 1]));
    Interval value{at[0], at[0]}, change{INFINITY, -INFINITY};
    for (std::size_t k = 1; k < at.size(); ++k) {
        value = hull(value, {at[k], at[k]});
        change = hull(change, {at[k] - at[k - 1], at[k] - at[k - 1]});
    }
    const double quarters = 4 / length;
    Enclosure e = made(value + Interval{-bend / 4, bend / 4},
                       (change + Interval{-bend, bend}) * Interval{quarters, quarters}, true);
    e.at = at;
    return e;
}

Enclosure operator+(const Enclosure& a, const Enclosure& b) {
    return sampled(made(value_of(a) + value_of(b), rate_of(a) + rate_of(b), a.known && b.known), a,
                   b, [](double x, double y) { return x + y; });
}
Enclosure operator-(const Enclosure& a, const Enclosure& b) {
    return sampled(made(value_of(a) - value_of(b), rate_of(a) - rate_of(b), a.known && b.known), a,
                   b, [](double x, double y) { return x - y; });
}
Enclosure operator*(const Enclosure& a, const Enclosure& b) {
    const Interval x = value_of(a), y = value_of(b);
    return sampled(made(x * y, x * rate_of(b) + rate_of(a) * y, a.known && b.known), a, b,
                   [](double s, double r) { return s * r; });
}
// (a/b)' = (a' - (a/b) b')/b
Enclosure operator/(const Enclosure& a, const Enclosure& b) {
    const Interval by = inverse(value_of(b)), ratio = value_of(a) * by;
    return sampled(made(ratio, (rate_of(a) - ratio * rate_of(b)) * by, a.known && b.known), a, b,
                   [](double x, double y) { return x / y; });
}

Enclosure enclose(Operation operation, std::span<const Enclosure> operands) {
    switch (operands.size()) {
        case 1:
            return enclose_function(operation, operands[0]);
        case 2:
            return enclose_pair(operation, operands[0], operands[1]);
        default:
            return enclose_select(operands[0], operands[1], operands[2]);
    }
}

}  // namespace pawl
