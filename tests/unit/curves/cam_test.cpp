// Cams against their definition: the follower, placed on the cam by its motion law, touches it.
#include "curves/cam.h"

#include <gtest/gtest.h>

#include "contact/search.h"
#include "support/made_profile.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;
constexpr double pi = std::numbers::pi;

const std::vector<CamSegment<double>> segments{{MotionLaw::cycloidal, 0.2, 1.8},
                                               {MotionLaw::dwell, 0, 0.9},
                                               {MotionLaw::harmonic, -0.2, 2.0},
                                               {MotionLaw::dwell, 0, 2 * pi - 4.7}};

double lift_at(double angle) {
    double lift = 0;
    for (const auto& s : segments) {
        if (angle <= s.angle) return lift + s.lift * rise(s.law, angle / s.angle);
        lift += s.lift;
        angle -= s.angle;
    }
    return lift;
}

// Smallest gap between the cam, turned by an angle, and its follower in the place that its law asks
// for.
double gap_at(const CamDrive<S>& drive, const Profile<S>& cam, double angle) {
    const auto cam_frame = S::position_of({{0, 0}, drive.turns * angle});
    const double s = lift_at(angle);
    Profile<S> follower = drive.follower == Follower::flat ? plate(3) : circle(drive.roller);
    S::Pose pose;
    double turned = 0;
    if (drive.oscillating) turned = *CamCurve<S>::rest_angle(drive) + drive.swing * s;
    if (drive.follower == Follower::flat) {
        // The plate's normal (its +y) faces the cam.
        const double normal = drive.oscillating ? turned : 0;
        const double away = drive.oscillating ? drive.arm : drive.base + s;
        pose.at = {drive.pivot.x + away * std::cos(normal),
                   drive.pivot.y + away * std::sin(normal)};
        pose.angle = normal + pi / 2;
    } else if (drive.oscillating) {
        pose.at = {drive.pivot.x + drive.arm * std::cos(turned),
                   drive.pivot.y + drive.arm * std::sin(turned)};
    } else {
        const double reach = drive.base + drive.roller;
        pose.at = {std::sqrt(reach * reach - drive.offset * drive.offset) + s, drive.offset};
    }
    std::vector<Candidate> out;
    ContactSearch(cam, follower).find(cam_frame, S::position_of(pose), 0.05, out);
    double smallest = 1;
    for (const auto& c : out)
        if (std::abs(c.touch.gap) < std::abs(smallest)) smallest = c.touch.gap;
    return smallest;
}

void check(const CamDrive<S>& drive) {
    const auto elements = cam_elements<S>(drive, segments);
    ASSERT_EQ(elements.index(), 0u) << std::get<1>(elements).message;
    const Profile<S> cam = made(std::get<0>(elements), true);
    EXPECT_EQ(cam.elements.size(), 4u) << "segments are tangent to each other";
    // The profile and the place of the follower are each sums of about ten numbers of size 2.
    for (double angle = 0.05; angle < 2 * pi; angle += 0.1)
        EXPECT_NEAR(gap_at(drive, cam, angle), 0, 1e-14) << "cam angle " << angle;
}

CamDrive<S> drive_with(Follower follower) {
    CamDrive<S> drive;
    drive.follower = follower;
    drive.base = 0.7;
    if (follower == Follower::roller) drive.roller = 0.15;
    return drive;
}

TEST(Cam, translating_roller_follows_its_law) {
    auto drive = drive_with(Follower::roller);
    check(drive);
    drive.offset = 0.2;
    drive.turns = -1;
    check(drive);
}

TEST(Cam, translating_flat_face_follows_its_law) {
    auto drive = drive_with(Follower::flat);
    check(drive);
    drive.turns = -1;
    check(drive);
}

TEST(Cam, oscillating_followers_follow_their_law) {
    for (const double swing : {1.0, -1.0}) {
        auto roller = drive_with(Follower::roller);
        roller.oscillating = true;
        roller.pivot = {1.5, 0.5};
        roller.arm = 1.2;
        roller.swing = swing;
        check(roller);
        auto flat = drive_with(Follower::flat);
        flat.base = 0.9;
        flat.oscillating = true;
        flat.pivot = {1.2, -0.9};
        flat.arm = 0.1;
        flat.swing = swing;
        check(flat);
    }
}

TEST(Cam, knife_edge_moves_along_the_profile) {
    const auto drive = drive_with(Follower::knife);
    const auto elements = std::get<0>(cam_elements<S>(drive, segments));
    // The chain runs against the cam angle: its last element is the first segment.
    const auto& rising = std::get<CamCurve<S>>(elements.back());
    for (const double u : {0.1, 0.5, 0.8}) {
        const auto p = rising.point(u).p;
        EXPECT_NEAR(std::hypot(p.x, p.y), drive.base + lift_at(rising.cam_angle(u)), 1e-15);
        EXPECT_NEAR(std::remainder(std::atan2(p.y, p.x) + rising.cam_angle(u), 2 * pi), 0, 1e-15);
    }
}

TEST(Cam, undercut_is_told_with_the_cam_angle) {
    auto drive = drive_with(Follower::flat);
    drive.base = 0.05;
    const auto elements = cam_elements<S>(drive, segments);
    ASSERT_EQ(elements.index(), 1u);
    EXPECT_EQ(std::get<1>(elements).element, 0);
    EXPECT_NE(std::get<1>(elements).message.find("undercut"), std::string::npos);
    // The radius of curvature h + h'' with h = 0.05 + 0.2 (x - sin(2 pi x) / 2 pi), x = angle
    // / 1.8.
    double smallest = 1, worst = 0;
    for (double x = 0; x < 1; x += 1e-4) {
        const double radius = 0.05 + 0.2 * (x - std::sin(2 * pi * x) / (2 * pi)) +
                              0.2 * 2 * pi * std::sin(2 * pi * x) / (1.8 * 1.8);
        if (radius < smallest) {
            smallest = radius;
            worst = 1.8 * x * 180 / pi;
        }
    }
    const std::string& message = std::get<1>(elements).message;
    const double angle = std::stod(message.substr(message.find("angle ") + 6));
    EXPECT_NEAR(angle, worst, 1.8 / 720 * 180 / pi);  // a sample of the check
    drive = drive_with(Follower::roller);
    drive.roller = 3;
    drive.base = 0.1;
    EXPECT_EQ(cam_elements<S>(drive, segments).index(), 1u);
}

TEST(Cam, wrong_data_are_told) {
    const auto message = [](const CamDrive<S>& drive, std::vector<CamSegment<double>> given) {
        const auto elements = cam_elements<S>(drive, given);
        return elements.index() == 0 ? "none" : std::get<1>(elements).message;
    };
    const auto roller = drive_with(Follower::roller);
    EXPECT_EQ(message(roller, {}), "a cam needs at least one segment");
    EXPECT_EQ(message(roller, {{MotionLaw::cycloidal, 0.1, 2 * pi}}),
              "the lifts of a whole turn must end where they began");
    EXPECT_EQ(message(roller, {{MotionLaw::dwell, 0, 7}}),
              "the segments cover more than a whole turn of the cam");
    EXPECT_EQ(message(roller, {{MotionLaw::dwell, 0, -1}}),
              "the angle of a segment must be positive");
    auto far = roller;
    far.oscillating = true;
    far.pivot = {9, 0};
    far.arm = 1;
    EXPECT_EQ(message(far, segments), "the follower does not reach the base circle from its pivot");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
