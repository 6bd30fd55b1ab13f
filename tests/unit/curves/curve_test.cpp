// Kinds of curves against closed forms from outside the code.
#include "curves/curve.h"

#include <gtest/gtest.h>

#include "curves/pieces.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using S = Planar<double>;
constexpr double pi = std::numbers::pi;

TEST(PolarPolynomial, spiral_has_the_textbook_curvature) {
    PolarPolynomial<S> spiral;
    spiral.from = 1;
    spiral.to = 4;
    spiral.coefficients = {0.3};
    spiral.exponents = {1};
    for (const double u : {0.0, 0.4, 1.0}) {
        const double angle = 1 + 3 * u, square = 1 + angle * angle;
        // Archimedes' spiral r = c th: curvature (2 + th^2) / (c (1 + th^2)^(3/2)).
        EXPECT_NEAR(spiral.point(u).curvature_numerator,
                    (1 + square) / (0.3 * std::pow(square, 1.5)), 1e-14);
        EXPECT_NEAR(spiral.point(u).p.x, 0.3 * angle * std::cos(angle), 1e-15);
    }
}

TEST(PolarPolynomial, broken_powers_join_the_base_circle_smoothly) {
    PolarPolynomial<S> rising;
    rising.from = rising.start = pi / 2;
    rising.to = rising.from + 0.1;
    rising.scale = 0.1;
    rising.coefficients = {50, 0.8};
    rising.exponents = {0, 3.5};
    EXPECT_FALSE(rising.problem());
    EXPECT_NEAR(rising.point(0).curvature_numerator, 1.0 / 50, 1e-16);
    EXPECT_NEAR(rising.point(-0.05).curvature_numerator, 1.0 / 50, 1e-16);
    rising.from -= 0.05;
    EXPECT_EQ(*rising.problem(),
              "a polynomial with a non-integer exponent must not extend to angles before `start`");
}

TEST(PolarPolynomial, wrong_data_are_told) {
    PolarPolynomial<S> p;
    EXPECT_EQ(*p.problem(), "a polynomial needs as many exponents as coefficients, at least one");
    p.coefficients = {1};
    p.exponents = {0};
    EXPECT_EQ(*p.problem(), "a polynomial has no length");
    p.to = 1;
    p.coefficients = {-1};
    EXPECT_EQ(*p.problem(), "the radius of a polynomial must be positive");
}

TEST(SplineCurve, through_points_of_a_circle_is_nearly_one) {
    std::vector<S::Vector> points;
    const int n = 48;
    for (int i = 0; i < n; ++i)
        points.push_back({std::cos(2 * pi * i / n), std::sin(2 * pi * i / n)});
    const SplineCurve<S> ring(points, Ends::periodic);
    EXPECT_TRUE(ring.whole());
    for (double u = 0; u < 1; u += 0.0137) {
        // Interpolation errors below 5 h^4/384 in place, about h^2/12 in curvature; h = 2 pi / 48.
        const double h = 2 * pi / n;
        EXPECT_NEAR(std::hypot(ring.point(u).p.x, ring.point(u).p.y), 1, 5 * std::pow(h, 4) / 384);
        EXPECT_NEAR(ring.point(u).curvature_numerator, 1, h * h / 10);
    }
    EXPECT_NEAR(ring.point(1.25).p.x, ring.point(0.25).p.x, 1e-15);
}

TEST(SplineCurve, wrong_data_are_told) {
    using Curve = SplineCurve<S>;
    EXPECT_EQ(*Curve({{0, 0}}, Ends::natural).problem(), "a spline needs at least two points");
    EXPECT_EQ(*Curve({{0, 0}, {1, 0}}, Ends::periodic).problem(),
              "a periodic spline needs at least three points");
    EXPECT_EQ(*Curve({{0, 0}, {1, 0}, {1, 0}}, Ends::natural).problem(),
              "two neighbouring points of a spline are the same");
    EXPECT_EQ(*Curve({{0, 0}, {1, 0}}, Ends::clamped).problem(),
              "a spline through points can be natural or periodic; clamped is for polar ones");
}

TEST(PolarSpline, clamped_ends_continue_a_base_circle) {
    const PolarSpline<S> lobe({0, 0.5, 1, 1.5}, {1, 1.05, 1.15, 1.2}, Ends::clamped);
    for (const double u : {0.0, 1.0}) {
        const auto p = lobe.point(u);
        EXPECT_NEAR(S::cross(p.p, p.n), 0, 1e-15);  // the normal is radial: tangent to an arc
    }
    EXPECT_EQ(*PolarSpline<S>({0, 1, 0.5}, {1, 1, 1}, Ends::natural).problem(),
              "the angles of a polar spline must increase or decrease throughout");
    EXPECT_EQ(*PolarSpline<S>({0, 1}, {1, -1}, Ends::natural).problem(),
              "the radii of a polar spline must be positive");
}

TEST(Pieces, turn_one_way_by_at_most_fifteen_degrees_with_monotone_curvature) {
    std::vector<S::Vector> wave;
    for (int i = 0; i < 9; ++i) wave.push_back({0.5 * i, std::sin(1.3 * i)});
    const SplineCurve<S> curve(wave, Ends::natural);
    const auto ends = pieces_of(curve);
    EXPECT_EQ(ends.front(), 0);
    EXPECT_EQ(ends.back(), 1);
    for (std::size_t i = 1; i < ends.size(); ++i) {
        ASSERT_LT(ends[i - 1], ends[i]);
        const auto p = curve.point(ends[i - 1]), q = curve.point(ends[i]);
        EXPECT_LE(std::abs(pieces::turn_between(p.n, q.n)), pieces::largest_turn);
        const double middle = curve.point(0.5 * (ends[i - 1] + ends[i])).turn,
                     grows = q.curvature_numerator - p.curvature_numerator;
        double last = p.curvature_numerator;
        for (const double part : {0.1, 0.3, 0.7, 0.9}) {
            const auto between = curve.point(ends[i - 1] + part * (ends[i] - ends[i - 1]));
            EXPECT_GT(between.turn * middle, 0);
            EXPECT_GT((between.curvature_numerator - last) * grows, 0);
            last = between.curvature_numerator;
        }
    }
    EXPECT_EQ(pieces_of(LineCurve<S>{{0, 0}, {1, 0}}).size(), 2u);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
