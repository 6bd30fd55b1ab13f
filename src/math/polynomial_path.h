// Functions of time over one interval, each a polynomial of degree up to 7: the dense output of a
// step, or an interpolant. Knows its values and bounds on its derivatives, not what they mean.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "math/memory.h"

namespace pawl {

class PolynomialPath {
public:
    static constexpr int degree = 7;
    // Of 1, s, s^2, ...; a polynomial in s = (t - begin) / length.
    using Coefficients = std::array<double, degree + 1>;

    // The functions are all zero until they are set.
    void start(double begin, double end, std::size_t size) {
        begin_ = begin;
        length_ = end - begin;
        functions_.assign(size, Coefficients{});
    }
    Coefficients& operator[](std::size_t i) { return functions_[i]; }
    const Coefficients& operator[](std::size_t i) const { return functions_[i]; }
    [[nodiscard]] std::size_t size() const { return functions_.size(); }
    [[nodiscard]] double begin() const { return begin_; }
    [[nodiscard]] double end() const { return begin_ + length_; }

    // The first functions at a time, as many as y has.
    void values(double t, std::span<double> y) const {
        const double s = (t - begin_) / length_;
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = value(i, s);
    }
    void remember(Memory& memory) { memory(begin_, length_, functions_); }
    // First and second derivatives at a time.
    void rates(double t, std::span<double> first, std::span<double> second) const {
        const double s = (t - begin_) / length_;
        for (std::size_t i = 0; i < functions_.size(); ++i) {
            const Coefficients& c = functions_[i];
            double d = 0, dd = 0;
            for (int k = degree; k > 0; --k) {
                d = d * s + k * c[static_cast<std::size_t>(k)];
                if (k > 1) dd = dd * s + k * (k - 1) * c[static_cast<std::size_t>(k)];
            }
            first[i] = d / length_;
            second[i] = dd / (length_ * length_);
        }
    }
    // The same function as a polynomial in x = (t - middle) / half of an interval: |x| <= 1 in it.
    [[nodiscard]] Coefficients about(std::size_t i, double middle, double half) const {
        Coefficients c = functions_[i];
        const double s = (middle - begin_) / length_;
        for (int low = 0; low < degree; ++low)
            for (int k = degree - 1; k >= low; --k)
                c[static_cast<std::size_t>(k)] += s * c[static_cast<std::size_t>(k) + 1];
        double scale = 1;
        for (double& term : c) {
            term *= scale;
            scale *= half / length_;
        }
        return c;
    }

    // Goes through a motion at eight times from `begin` to `end`. Returns how far it misses it at
    // three others, the largest of all functions; relative where they are larger than 1.
    template <class Points>
    double go_through(double begin, double end, const Points& points);

private:
    [[nodiscard]] double value(std::size_t i, double s) const {
        double y = 0;
        for (int k = degree; k >= 0; --k) y = y * s + functions_[i][static_cast<std::size_t>(k)];
        return y;
    }

    double begin_ = 0, length_ = 1;
    std::vector<Coefficients> functions_;
};

// Newton's divided differences at the ends of a cosine grid, then multiplied out from the last.
template <class Points>
double PolynomialPath::go_through(double begin, double end, const Points& points) {
    constexpr std::size_t count = degree + 1;
    double s[count];
    std::vector<double> at[count];
    for (std::size_t k = 0; k < count; ++k) {
        s[k] = 0.5 - 0.5 * std::cos(std::numbers::pi * static_cast<double>(k) / degree);
        at[k] = points(begin + s[k] * (end - begin));
    }
    start(begin, end, at[0].size());
    for (std::size_t i = 0; i < functions_.size(); ++i) {
        double d[count];
        for (std::size_t k = 0; k < count; ++k) d[k] = at[k][i];
        for (std::size_t order = 1; order < count; ++order)
            for (std::size_t k = count - 1; k >= order; --k)
                d[k] = (d[k] - d[k - 1]) / (s[k] - s[k - order]);
        Coefficients& c = functions_[i];
        for (std::size_t k = count; k-- > 0;) {
            for (std::size_t j = count - 1; j > 0; --j) c[j] = c[j - 1] - s[k] * c[j];
            c[0] = d[k] - s[k] * c[0];
        }
    }
    double error = 0;
    for (const double where : {0.03, 0.5, 0.9}) {
        const std::vector<double> y = points(begin + where * (end - begin));
        for (std::size_t i = 0; i < y.size(); ++i)
            error =
                std::max(error, std::abs(value(i, where) - y[i]) / std::max(1.0, std::abs(y[i])));
    }
    return error;
}

// No derivative of a function over |x| <= 1 is larger than these, by t; x = (t - middle) / half.
struct DerivativeBounds {
    double value = 0, first = 0, second = 0, third = 0;

    DerivativeBounds() = default;
    DerivativeBounds(const PolynomialPath::Coefficients& c, double half) {
        for (int k = 0; k <= PolynomialPath::degree; ++k) {
            const double term = std::abs(c[static_cast<std::size_t>(k)]);
            value += term;
            first += k * term;
            second += k * (k - 1) * term;
            third += k * (k - 1) * (k - 2) * term;
        }
        first /= half;
        second /= half * half;
        third /= half * half * half;
    }
};

}  // namespace pawl
