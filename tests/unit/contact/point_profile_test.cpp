// A profile of one point, as a knife-edge or a pin in a slot.
#include <gtest/gtest.h>

#include "contact/overlap.h"
#include "support/made_profile.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;
constexpr double pi = std::numbers::pi;

Profile<S> point() { return made({Corner<S>{{0, 0}, 0, 2 * pi}}, true); }

std::vector<Candidate> found(const Profile<S>& a, const Profile<S>& b, S::Pose pose_b) {
    std::vector<Candidate> out;
    ContactSearch(a, b).find(S::position_of({}), S::position_of(pose_b), 1, out);
    return out;
}

TEST(PointProfile, touches_a_disk_in_every_direction) {
    const Profile<S> disk = circle(2);
    for (int i = 0; i < 24; ++i) {  // the seams of both, at angle zero, among them
        const double angle = i * pi / 12;
        const S::Pose pose{{2.5 * std::cos(angle), 2.5 * std::sin(angle)}, 0.3};
        for (const bool swapped : {false, true}) {
            const auto c = swapped ? found(point(), disk, pose) : found(disk, point(), pose);
            ASSERT_EQ(c.size(), 1u) << angle;
            EXPECT_NEAR(c[0].touch.gap, 0.5, 1e-14);  // roundings of lengths of 2
            EXPECT_NEAR(S::dot(c[0].touch.n, pose.at), 2.5, 1e-14);
        }
    }
}

TEST(PointProfile, follows_a_slot_along_both_of_its_sides) {
    const Profile<S> floor = plate(3);
    const auto above = found(floor, point(), {{1, 0.25}, 0});
    ASSERT_EQ(above.size(), 1u);
    EXPECT_NEAR(above[0].touch.gap, 0.25, 1e-15);  // a rounding
    const auto below = found(floor, point(), {{1, -0.25}, 0});
    ASSERT_EQ(below.size(), 1u);
    EXPECT_NEAR(below[0].touch.gap, -0.25, 1e-15);
}

TEST(PointProfile, rolls_inside_a_hole) {
    const Profile<S> hole = circle(2, true);
    const auto c = found(hole, point(), {{0, -1.75}, 0});
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].touch.gap, 0.25, 1e-15);
    EXPECT_NEAR(c[0].touch.n.y, 1, 1e-15);
}

TEST(PointProfile, overlaps_only_where_it_is_inside) {
    const Profile<S> square = polygon(4, 1);  // its sides are at the distance sqrt(1/2)
    const auto at = [&](double x) {
        return overlap(point(), S::position_of({}), square, S::position_of({{x, 0}, pi / 4}));
    };
    EXPECT_FALSE(at(0.8));
    ASSERT_TRUE(at(0.5));
    EXPECT_NEAR(at(0.5)->depth, std::sqrt(0.5) - 0.5, 1e-15);  // a rounding
}

TEST(PointProfile, mirror_image_and_copy_are_points_again) {
    const Corner<S> corner{{1, 2}, 0, 2 * pi};
    EXPECT_DOUBLE_EQ(corner.mirrored().at.y, -2);
    EXPECT_TRUE(corner.mirrored().whole());
    const Profile<S> copy = made(made({corner}, true).elements, true);
    EXPECT_EQ(copy.elements.size(), 1u);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
