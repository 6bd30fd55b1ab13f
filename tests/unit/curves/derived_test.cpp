#include "curves/derived.h"

#include <gtest/gtest.h>

#include "curves/inside.h"
#include "support/made_profile.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;
constexpr double pi = std::numbers::pi;
// Places are sums of a few numbers of size 1.
constexpr double rounding = 1e-14;

// A tooth of a ratchet wheel: a steep and a flat flank, from (1, 0) on.
std::vector<CurveElement<S>> tooth(int count) {
    const double step = 2 * pi / count;
    return {LineCurve<S>{{1, 0}, {1.2, 0}},
            LineCurve<S>{{1.2, 0}, {std::cos(step), std::sin(step)}}};
}

TEST(Derived, pattern_of_a_tooth_closes_to_a_wheel) {
    const auto wheel = made(patterned<S>(tooth(12), 12, pi / 6), true);
    int corners = 0;
    for (const auto& e : wheel.elements) corners += std::holds_alternative<Corner<S>>(e) ? 1 : 0;
    EXPECT_EQ(corners, 12);  // the tips; the roots are re-entrant
    EXPECT_EQ(wheel.elements.size(), 36u);
    EXPECT_TRUE(is_solid(wheel));
}

TEST(Derived, mirror_image_is_solid_and_holds_the_mirrored_points) {
    const auto wheel = made(patterned<S>(tooth(5), 5, 2 * pi / 5), true);
    const auto image = mirrored(wheel);
    EXPECT_TRUE(is_solid(image));
    EXPECT_FALSE(std::holds_alternative<Corner<S>>(mirrored(box(1, 1)).elements.front()));
    for (int i = 0; i < 200; ++i) {
        const S::Vector p{1.3 * std::cos(i), 1.1 * std::sin(3.0 * i + 1)};
        EXPECT_EQ(inside(wheel, p), inside(image, {p.x, -p.y}));
    }
}

TEST(Derived, offset_rounds_corners_and_keeps_the_distance) {
    Profile<S> larger;
    ASSERT_FALSE(offset<S>(box(1, 0.5), 0.2, larger));
    ASSERT_EQ(larger.elements.size(), 8u);
    const auto& arc = std::get<ArcCurve<S>>(larger.elements[1]);
    EXPECT_NEAR(arc.radius, 0.2, rounding);
    EXPECT_NEAR(arc.centre.x, 1, rounding);
    EXPECT_NEAR(arc.centre.y, -0.5, rounding);
}

TEST(Derived, offset_of_arcs_and_curves_changes_their_radius_of_curvature) {
    for (const auto& profile : {bar(), clover(), circle(0.7), circle(0.7, true)}) {
        Profile<S> shifted_profile;
        ASSERT_FALSE(offset<S>(profile, 0.05, shifted_profile));
        for (std::size_t i = 0; i < profile.elements.size(); ++i)
            for (const double u : {0.1, 0.6}) {
                const auto p = point_of<S>(profile.elements[i], u),
                           q = point_of<S>(shifted_profile.elements[i], u);
                EXPECT_NEAR(q.p.x, p.p.x + 0.05 * p.n.x, rounding);
                EXPECT_NEAR(q.p.y, p.p.y + 0.05 * p.n.y, rounding);
                EXPECT_NEAR(q.curvature_numerator * (p.reach + 0.05 * p.curvature_numerator),
                            p.curvature_numerator * q.reach, rounding);
            }
    }
}

TEST(Derived, offset_says_where_it_is_impossible) {
    Profile<S> result;
    const auto message = [&](const Profile<S>& profile, double distance) {
        const auto problem = offset<S>(profile, distance, result);
        return problem ? std::to_string(problem->element) + ": " + problem->message : "none";
    };
    EXPECT_EQ(message(bar(), -0.6), "1: the offset is larger than the radius of the arc");
    EXPECT_EQ(message(circle(1, true), 1), "0: the offset is larger than the radius of the circle");
    EXPECT_EQ(message(box(1, 1), -0.1), "1: cannot offset a profile inward at a convex corner");
    EXPECT_EQ(message(made(patterned<S>(tooth(12), 12, pi / 6), true), 0.01),
              "2: cannot offset a profile outward at a re-entrant corner");
    EXPECT_EQ(message(clover(), 1),
              "0: the offset is larger than the smallest radius of curvature");
}

TEST(Derived, offset_of_an_open_profile_keeps_its_length) {
    Profile<S> shifted_plate;
    ASSERT_FALSE(offset<S>(plate(2), 0.1, shifted_plate));
    ASSERT_EQ(shifted_plate.elements.size(), 3u);
    const auto& line = std::get<LineCurve<S>>(shifted_plate.elements[1]);
    EXPECT_NEAR(line.from.x, 2, rounding);
    EXPECT_NEAR(line.from.y, 0.1, rounding);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
