// Cuts a curve without closed-form normals into pieces on which its normal turns one way by at most
// 15 degrees: each piece is convex or hollow throughout, has each normal once, and lies in the
// circle over its chord. Works on plain numbers.
#pragma once

#include <cmath>
#include <vector>

#include "curves/curve.h"

namespace pawl {

namespace pieces {

inline constexpr double largest_turn = 15 * std::numbers::pi / 180;
inline constexpr int samples_per_break = 8;

using P = Planar<double>;

template <class E>
P::Vector normal_at(const E& e, double u) {
    const auto n = e.point(u).n;
    return {value_of(n.x), value_of(n.y)};
}
inline double turn_between(P::Vector a, P::Vector b) {
    return std::atan2(P::cross(a, b), P::dot(a, b));
}

// Adds the ends of parts of [low, high] that each turn by no more than the limit.
template <class E>
void halve(const E& e, double low, double high, int depth, std::vector<double>& ends) {
    const double turn = turn_between(normal_at(e, low), normal_at(e, high));
    if (depth > 0 && std::abs(turn) > largest_turn / 2) {
        const double middle = 0.5 * (low + high);
        halve(e, low, middle, depth - 1, ends);
        halve(e, middle, high, depth - 1, ends);
    } else {
        ends.push_back(high);
    }
}

// The zero of the turn between two places where its signs differ.
template <class E>
double inflection(const E& e, double low, double high) {
    const bool rising = value_of(e.point(low).turn) < 0;
    while (high - low > 1e-14) {
        const double middle = 0.5 * (low + high);
        (value_of(e.point(middle).turn) < 0) == rising ? low = middle : high = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace pieces

// The ends of the pieces as fractions, 0 first and 1 last. A kind with closed-form normals is one
// piece.
template <class E>
std::vector<double> pieces_of(const E& e) {
    if constexpr (!GeneralCurve<E>) {
        return {0, 1};
    } else {
        using namespace pieces;
        std::vector<double> grid{0};
        const std::vector<double> breaks = e.breaks();
        for (std::size_t i = 1; i < breaks.size(); ++i)
            for (int k = 1; k <= samples_per_break; ++k)
                grid.push_back(breaks[i - 1] + (breaks[i] - breaks[i - 1]) * k / samples_per_break);
        double largest = 0;
        for (const double u : grid)
            largest = std::max(largest, std::abs(value_of(e.point(u).turn)));
        // A turn of rounding (at the ends of a natural spline) has no sign.
        const auto sign = [&](double u) {
            const double turn = value_of(e.point(u).turn);
            return std::abs(turn) <= 1e-12 * largest ? 0 : turn < 0 ? -1 : 1;
        };
        std::vector<double> fine{0};
        std::vector<bool> fixed{true};  // ends that pieces must not be merged over
        for (std::size_t i = 1; i < grid.size(); ++i) {
            double low = grid[i - 1];
            if (sign(low) * sign(grid[i]) < 0) {
                const double zero = inflection(e, low, grid[i]);
                if (zero > low && zero < grid[i]) {
                    halve(e, low, zero, 12, fine);
                    fixed.resize(fine.size(), false);
                    fixed.back() = true;
                    low = zero;
                }
            }
            halve(e, low, grid[i], 12, fine);
            fixed.resize(fine.size(), false);
            // A place with the turn zero to rounding may be an inflection of its own.
            if (sign(grid[i]) == 0) fixed.back() = true;
        }
        std::vector<double> ends{0};
        for (std::size_t i = 1; i < fine.size(); ++i) {
            const double turn = turn_between(normal_at(e, ends.back()), normal_at(e, fine[i]));
            if (fine[i - 1] > ends.back() && (fixed[i - 1] || std::abs(turn) > largest_turn))
                ends.push_back(fine[i - 1]);
        }
        ends.push_back(1);
        return ends;
    }
}

}  // namespace pawl
