#include "contact/overlap.h"

#include <gtest/gtest.h>

#include "curves/inside.h"
#include "support/made_profile.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;
constexpr double pi = std::numbers::pi;

S::Position at(double x, double y, double angle = 0) { return S::position_of({{x, y}, angle}); }
double depth(const Profile<S>& a, const S::Position& fa, const Profile<S>& b,
             const S::Position& fb) {
    const auto there = overlap(a, fa, b, fb), back = overlap(b, fb, a, fa);
    EXPECT_EQ(there.has_value(), back.has_value());
    const double forth = there ? there->depth : 0;
    EXPECT_NEAR(forth, back ? back->depth : 0, 1e-13);
    return forth;
}
// Depths are differences of numbers of size 1.
constexpr double rounding = 1e-14;

TEST(Overlap, discs_overlap_by_the_missing_distance) {
    EXPECT_NEAR(depth(circle(1), at(0, 0), circle(0.5), at(0, 1.3)), 0.2, rounding);
    EXPECT_EQ(depth(circle(1), at(0, 0), circle(0.5), at(0, 1.6)), 0);
}

TEST(Overlap, far_sides_of_bodies_do_not_count) {
    EXPECT_NEAR(depth(box(2, 1), at(0, 0), circle(0.5), at(0.3, 1.4)), 0.1, rounding);
    EXPECT_NEAR(depth(box(2, 1), at(0, 0), circle(0.5), at(0.3, 0.9)), 0.6, rounding);
    EXPECT_EQ(depth(box(2, 1), at(0, 0), circle(0.5), at(0.3, 1.5)), 0);
}

TEST(Overlap, flat_bodies_overlap_along_their_sides) {
    EXPECT_NEAR(depth(plate(5), at(0, 0), box(1, 1), at(0, 0.9)), 0.1, rounding);
    EXPECT_NEAR(depth(box(2, 1), at(0, 0), box(0.3, 0.3), at(0.2, 1.2)), 0.1, rounding);
    EXPECT_NEAR(depth(box(2, 1), at(0, 0), box(0.3, 0.3), at(1.7, 1.2)), 0.1, rounding);  // flush
}

TEST(Overlap, touching_bodies_do_not_overlap) {
    EXPECT_EQ(depth(box(2, 1), at(0, 0), box(0.3, 0.3), at(1.7, 1.3)), 0);
    EXPECT_EQ(depth(box(1, 1), at(0, 0), box(1, 1), at(2, 0)), 0);
    EXPECT_EQ(depth(box(1, 1), at(0, 0), box(0.3, 0.3), at(0.7, 1.3)), 0);
    EXPECT_EQ(depth(plate(5), at(0, 0), box(1, 1), at(0, 1)), 0);
}

TEST(Overlap, deepest_of_two_places_is_told) {
    // A table with a leg of length 1 and one of 1.1, its top 0.95 above the plate.
    const S::Vector p[] = {{-1, -1},    {-0.8, -1}, {-0.8, 0}, {0.8, 0},
                           {0.8, -1.1}, {1, -1.1},  {1, 0.2},  {-1, 0.2}};
    std::vector<CurveElement<S>> sides;
    for (int i = 0; i < 8; ++i) sides.push_back(LineCurve<S>{p[i], p[(i + 1) % 8]});
    EXPECT_NEAR(depth(plate(5), at(0, 0), made(sides, true), at(0, 0.95)), 0.15, rounding);
}

TEST(Overlap, place_lies_between_the_touching_points) {
    // A bar turned a little sinks into the plate with its right end.
    const double tilt = -0.1;
    const auto found = overlap(plate(5), at(0, 0), bar(), at(0, 0.5, tilt));
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->depth, std::sin(0.1), rounding);
    EXPECT_NEAR(found->point.x, std::cos(0.1), rounding);
}

TEST(Overlap, body_behind_an_open_profile_is_not_in_it) {
    EXPECT_EQ(depth(plate(5), at(0, 0), circle(1), at(0, -3)), 0);
    EXPECT_EQ(depth(plate(5), at(0, 0), plate(5), at(0, -3)), 0);
}

TEST(Overlap, body_within_a_body_needs_the_shortest_way_out) {
    EXPECT_NEAR(depth(box(2, 1), at(0, 0), circle(0.1), at(0, 0.3)), 0.8, rounding);
}

TEST(Overlap, corner_is_no_deeper_than_its_nearest_side) {
    // A box sunk 0.05 into another one, 4.2 from its edge; then with all four places of the pair.
    EXPECT_NEAR(depth(box(10, 1), at(0, 0), box(5, 1), at(10.8, 1.95)), 0.05, rounding);
    EXPECT_NEAR(depth(box(10, 1), at(0, 0), box(5, 1), at(-10.8, 1.95)), 0.05, rounding);
    EXPECT_NEAR(depth(box(10, 1), at(0, 0), box(5, 1), at(-10.8, -1.95)), 0.05, rounding);
}

TEST(Overlap, body_far_through_a_thin_one_is_seen) {
    // Two bars that cross with no corner in each other: half the thickness is in the material.
    EXPECT_NEAR(depth(box(2, 0.05), at(0, 0), box(0.05, 2), at(0.3, 0.1)), 0.05, rounding);
    EXPECT_NEAR(depth(box(2, 0.05), at(0, 0), box(0.05, 2), at(0.3, 0.1, 0.7)), 0.05, rounding);
    // A thin plate through a disk, and through a spline.
    EXPECT_GT(depth(box(3, 0.001), at(0, 0.2), circle(1), at(0, 0)), 9e-4);
    EXPECT_GT(depth(box(3, 0.001), at(0, 0.2, 0.3), clover(), at(0, 0)), 9e-4);
}

TEST(Overlap, bodies_that_touch_along_curves_are_not_cut_off) {
    EXPECT_EQ(depth(box(2, 1), at(0, 0), circle(0.5), at(0.3, 1.5)), 0);
    for (const double x : {0.0, 0.1, 0.31}) {
        const auto curve = clover();
        const auto p = point_of<S>(curve.elements[0], x);
        // A ball beside the curve by more than rounding.
        EXPECT_EQ(depth(curve, at(0, 0), circle(0.05),
                        at(p.p.x + 0.05001 * p.n.x, p.p.y + 0.05001 * p.n.y)),
                  0);
    }
}

TEST(Overlap, pin_in_a_hole_overlaps_only_beyond_its_wall) {
    EXPECT_EQ(depth(circle(1, true), at(0, 0), circle(0.9), at(0.05, 0)), 0);
    EXPECT_NEAR(depth(circle(1, true), at(0, 0), circle(0.9), at(0.15, 0)), 0.05, rounding);
}

TEST(Inside, agrees_with_the_definition_on_lines_arcs_and_curves) {
    for (int i = -60; i <= 60; ++i)
        for (int k = -60; k <= 60; ++k) {
            const double x = 0.0301 * i + 0.001, y = 0.0299 * k + 0.002;
            const double c = std::cos(0.6);
            EXPECT_EQ(inside(lens(), {x, y}), std::hypot(x, y - c) < 1 && std::hypot(x, y + c) < 1);
            const double along = std::min(std::max(x, -1.0), 1.0);
            EXPECT_EQ(inside(bar(), {x, y}), std::hypot(x - along, y) < 0.5);
            EXPECT_EQ(inside(circle(1, true), {x, y}), std::hypot(x, y) > 1);
        }
    const auto curve = clover();
    const auto& spline = curve.elements[0];
    for (int i = 0; i < 100; ++i) {
        const auto p = point_of<S>(spline, i / 100.0);
        // A distance well above the 1e-13 of the last cut, well below the radii of curvature.
        EXPECT_TRUE(inside(curve, p.p - 1e-9 * p.n));
        EXPECT_FALSE(inside(curve, p.p + 1e-9 * p.n));
    }
}

TEST(Inside, open_profile_has_none) { EXPECT_FALSE(inside(plate(1), {0, -0.5})); }

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
