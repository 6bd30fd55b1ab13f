// Cuts a curve without closed-form normals into pieces on which its normal turns one way by at most
// 15 degrees and its curvature grows or falls throughout. Each piece is convex or hollow, has each
// normal once, and lies in the circle over its chord. Its evolute is a convex arc without a cusp,
// so at most two of its normals pass through a point. Works on plain numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "curves/curve.h"
#include "math/roots.h"
#include "math/tolerances/geometry.h"

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

// The zero of the turn between two fractions where its signs differ.
template <class E>
double inflection(const E& e, double low, double high) {
    const bool rising = value_of(e.point(low).turn) < 0;
    const auto is_before = [&](double u) { return (value_of(e.point(u).turn) < 0) == rising; };
    const auto is_narrow = [](double a, double b) { return b - a <= tolerance::fraction_rounding; };
    return bisect(low, high, 100, is_before, is_narrow).middle();
}

// Where the curvature is largest (sign 1) or smallest (-1) between two fractions: golden section.
template <class E>
double vertex(const E& e, double low, double high, double sign) {
    const double part = 0.5 * (std::sqrt(5.0) - 1);
    const auto value = [&](double u) { return sign * value_of(e.point(u).curvature_numerator); };
    double a = high - part * (high - low), b = low + part * (high - low);
    double at_a = value(a), at_b = value(b);
    for (int i = 0; i < 40; ++i)
        if (at_a > at_b) {
            high = b;
            b = a;
            at_b = at_a;
            at_a = value(a = high - part * (high - low));
        } else {
            low = a;
            a = b;
            at_a = at_b;
            at_b = value(b = low + part * (high - low));
        }
    return 0.5 * (low + high);
}

// Inflections and extrema of curvature between the points of a grid, sorted, with 0 and 1.
template <class E>
std::vector<double> cuts_of(const E& e, const std::vector<double>& grid) {
    std::vector<double> k;
    double largest = 0;
    for (const double u : grid) {
        k.push_back(value_of(e.point(u).curvature_numerator));
        largest = std::max(largest, std::abs(k.back()));
    }
    // Differences of rounding (a circle, the ends of a natural spline) have no sign.
    const auto sign = [&](double difference) {
        return std::abs(difference) <= tolerance::same_curvature * largest ? 0
               : difference < 0                                            ? -1
                                                                           : 1;
    };
    std::vector<double> cuts{0, 1};
    for (std::size_t i = 1; i < grid.size(); ++i) {
        if (sign(k[i - 1]) * sign(k[i]) < 0) cuts.push_back(inflection(e, grid[i - 1], grid[i]));
        if (i + 1 == grid.size()) break;
        if (sign(k[i]) == 0) cuts.push_back(grid[i]);
        const int rise = sign(k[i] - k[i - 1]);
        if (rise * sign(k[i + 1] - k[i]) < 0)
            cuts.push_back(vertex(e, grid[i - 1], grid[i + 1], rise));
    }
    std::sort(cuts.begin(), cuts.end());
    // Cuts closer than this are one: no piece is shorter.
    const auto same = [](double u, double w) { return w - u < tolerance::same_fraction; };
    cuts.erase(std::unique(cuts.begin(), cuts.end(), same), cuts.end());
    cuts.back() = 1;
    return cuts;
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
        grid.back() = 1;
        const std::vector<double> cuts = cuts_of(e, grid);
        std::vector<double> ends{0};
        for (std::size_t i = 1; i < cuts.size(); ++i) {
            std::vector<double> fine{cuts[i - 1]};
            for (const double u : grid)
                if (u > fine.back() && u < cuts[i]) halve(e, fine.back(), u, 12, fine);
            halve(e, fine.back(), cuts[i], 12, fine);
            for (std::size_t k = 1; k < fine.size(); ++k) {
                const double turn = turn_between(normal_at(e, ends.back()), normal_at(e, fine[k]));
                if (fine[k - 1] > ends.back() && std::abs(turn) > largest_turn)
                    ends.push_back(fine[k - 1]);
            }
            ends.push_back(cuts[i]);
        }
        return ends;
    }
}

}  // namespace pawl
