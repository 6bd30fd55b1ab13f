// Interpolating cubic splines through points (x_i, y_i). Evaluated on plain numbers or time jets,
// whose derivatives are then exact. Does not know what x and y mean.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "math/dual.h"
#include "math/time_jet.h"

namespace pawl {

// natural: no curvature at the ends, beyond them a straight line. clamped: no slope at the ends,
// beyond them constant. periodic: repeats with the period x_n − x_0.
enum class Ends { natural, clamped, periodic };

// With h_i = x_{i+1} − x_i, d_i = (y_{i+1} − y_i)/h_i and second derivatives m_i at the points, a
// continuous slope asks at each inner point for
//   h_{i−1} m_{i−1} + 2 (h_{i−1} + h_i) m_i + h_i m_{i+1} = 6 (d_i − d_{i−1}).
// Ends: m = 0 (natural); 2 h_0 m_0 + h_0 m_1 = 6 d_0 and its mirror (clamped: slope 0); the same
// equation around the seam (periodic).
template <class T>
class CubicSpline {
public:
    // Needs at least two points with x strictly increasing and, when periodic, equal first and last
    // y.
    CubicSpline(std::vector<double> x, std::vector<T> y, Ends ends)
        : x_(std::move(x)), ends_(ends) {
        assert(x_.size() >= 2 && x_.size() == y.size());
        assert(std::adjacent_find(x_.begin(), x_.end(),
                                  [](double a, double b) { return !(a < b); }) == x_.end());
        assert(ends_ != Ends::periodic || y.front() == y.back());
        const std::vector<T> m = second_derivatives(y);
        for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
            const double h = x_[i + 1] - x_[i];
            pieces_.push_back({y[i], (y[i + 1] - y[i]) / h - h * (2.0 * m[i] + m[i + 1]) / 6.0,
                               0.5 * m[i], (m[i + 1] - m[i]) / (6.0 * h)});
        }
    }

    // U is double, Dual, TimeJet<double> or TimeJet<Dual>; the result is of type T·U.
    template <class U>
    auto evaluate(const U& x) const {
        using Result = decltype(std::declval<T>() * std::declval<U>());
        const double first = x_.front(), last = x_.back();
        double turns = 0;
        if (ends_ == Ends::periodic) turns = std::floor((value_of(x) - first) / (last - first));
        const U within = x - U(turns * (last - first));
        const double at = value_of(within);
        if (ends_ != Ends::periodic && at < first)
            return Result(pieces_.front().y + pieces_.front().slope * (within - U(first)));
        if (ends_ != Ends::periodic && at > last) {
            const double h = last - x_[x_.size() - 2];
            const Piece& p = pieces_.back();
            const T y = p.y + h * (p.slope + h * (p.square + h * p.cube));
            const T slope = p.slope + h * (2.0 * p.square + 3.0 * h * p.cube);
            return Result(y + slope * (within - U(last)));
        }
        const std::size_t i = interval(at);
        const Piece& p = pieces_[i];
        const U s = within - U(x_[i]);
        return Result(p.y + s * (p.slope + s * (p.square + s * p.cube)));
    }

    const std::vector<double>& knots() const { return x_; }
    Ends ends() const { return ends_; }

private:
    struct Piece {
        T y, slope, square, cube;  // powers of the distance from the left point
    };

    // The last interval that begins at or before the argument.
    std::size_t interval(double at) const {
        const auto next = std::upper_bound(x_.begin() + 1, x_.end() - 1, at);
        return static_cast<std::size_t>(next - x_.begin()) - 1;
    }

    // One equation of a tridiagonal system: lower m_{i−1} + diagonal m_i + upper m_{i+1}.
    struct Equation {
        double lower = 0, diagonal = 1, upper = 0;
    };

    // Gauss elimination without pivoting; safe because the matrices here are diagonally dominant.
    static std::vector<T> solve(std::vector<Equation> equations, std::vector<T> b) {
        const std::size_t n = b.size();
        for (std::size_t i = 1; i < n; ++i) {
            const double factor = equations[i].lower / equations[i - 1].diagonal;
            equations[i].diagonal -= factor * equations[i - 1].upper;
            b[i] = b[i] - factor * b[i - 1];
        }
        for (std::size_t i = n; i-- > 0;) {
            if (i + 1 < n) b[i] = b[i] - equations[i].upper * b[i + 1];
            b[i] = b[i] / equations[i].diagonal;
        }
        return b;
    }

    std::vector<T> second_derivatives(const std::vector<T>& y) const {
        return ends_ == Ends::periodic ? periodic_second_derivatives(y)
                                       : open_second_derivatives(y);
    }

    std::vector<T> open_second_derivatives(const std::vector<T>& y) const {
        const std::size_t n = x_.size();
        std::vector<Equation> equations(n);
        std::vector<T> b(n, T(0));
        for (std::size_t i = 0; i < n; ++i) {
            const bool is_first = i == 0, is_last = i + 1 == n;
            if (ends_ == Ends::natural && (is_first || is_last)) continue;
            const double before = is_first ? 0 : x_[i] - x_[i - 1],
                         after = is_last ? 0 : x_[i + 1] - x_[i];
            equations[i] = {before, 2 * (before + after), after};
            if (!is_last) b[i] = b[i] + 6.0 / after * (y[i + 1] - y[i]);
            if (!is_first) b[i] = b[i] - 6.0 / before * (y[i] - y[i - 1]);
        }
        return solve(std::move(equations), std::move(b));
    }

    // The corner entries c = h_{n−1} are a rank-one change u vᵀ of a tridiagonal matrix A, with
    // u = (g, 0, …, c), v = (1, 0, …, c/g): (A + u vᵀ)⁻¹ b = p − q (vᵀp)/(1 + vᵀq), A p = b, A q =
    // u (Sherman and Morrison). g = −diagonal keeps A well conditioned.
    std::vector<T> periodic_second_derivatives(const std::vector<T>& y) const {
        const std::size_t n = x_.size() - 1;
        if (n == 1) return std::vector<T>(2, T(0));
        std::vector<Equation> equations(n);
        std::vector<T> b(n, T(0)), u(n, T(0));
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t last = i == 0 ? n - 1 : i - 1;  // the interval before the point
            const double before = x_[last + 1] - x_[last], after = x_[i + 1] - x_[i];
            equations[i] = {before, 2 * (before + after), after};
            b[i] = 6.0 / after * (y[i + 1] - y[i]) - 6.0 / before * (y[last + 1] - y[last]);
        }
        const double corner = equations.front().lower, g = -equations.front().diagonal;
        equations.front().diagonal -= g;
        equations.back().diagonal -= corner * corner / g;
        u.front() = T(g);
        u.back() = T(corner);
        const std::vector<T> p = solve(equations, std::move(b)), q = solve(equations, std::move(u));
        const T share =
            (p.front() + corner / g * p.back()) / (1.0 + q.front() + corner / g * q.back());
        std::vector<T> m;
        for (std::size_t i = 0; i < n; ++i) m.push_back(p[i] - q[i] * share);
        m.push_back(m.front());
        return m;
    }

    std::vector<double> x_;
    Ends ends_;
    std::vector<Piece> pieces_;
};

}  // namespace pawl
