#include "contact/search.h"

#include <random>

#include <gtest/gtest.h>

namespace pawl {
namespace {

using S = PlanarSpace;
constexpr double pi = std::numbers::pi;

Profile<S> made(const std::vector<CurveElement<S>>& elements, bool closed) {
    Profile<S> profile;
    const auto problem = make_profile<S>(elements, closed, profile);
    EXPECT_FALSE(problem) << problem->message;
    return profile;
}
Profile<S> circle(double radius) { return made({CircleCurve<S>{{0, 0}, radius, 0, false}}, true); }
Profile<S> plate(double half) { return made({LineCurve<S>{{half, 0}, {-half, 0}}}, false); }
Profile<S> polygon(int corners, double radius) {
    std::vector<CurveElement<S>> sides;
    const auto at = [&](int i) {
        return S::Vector{radius * std::cos(2 * pi * i / corners),
                         radius * std::sin(2 * pi * i / corners)};
    };
    for (int i = 0; i < corners; ++i) sides.push_back(LineCurve<S>{at(i), at((i + 1) % corners)});
    return made(sides, true);
}
// Two convex arcs of one radius that meet in two corners.
Profile<S> lens() {
    const double half = 0.6;
    return made({ArcCurve<S>{{0, std::cos(half)}, 1, -pi / 2 - half, 2 * half},
                 ArcCurve<S>{{0, -std::cos(half)}, 1, pi / 2 - half, 2 * half}},
                true);
}
// A bowl: a hollow arc with rims.
Profile<S> bowl() { return made({ArcCurve<S>{{0, 2}, 2, -0.2, -(pi - 0.4)}}, false); }
// A rounded bar: lines tangent to half circles.
Profile<S> bar() {
    return made({LineCurve<S>{{-1, -0.5}, {1, -0.5}}, ArcCurve<S>{{1, 0}, 0.5, -pi / 2, pi},
                 LineCurve<S>{{1, 0.5}, {-1, 0.5}}, ArcCurve<S>{{-1, 0}, 0.5, pi / 2, pi}},
                true);
}

S::Position at(double x, double y, double angle) { return S::position_of({{x, y}, angle}); }

std::vector<Candidate> found(const Profile<S>& a, const S::Position& frame_a, const Profile<S>& b,
                             const S::Position& frame_b, double within) {
    std::vector<Candidate> out;
    ContactSearch(a, b).find(frame_a, frame_b, within, out);
    return out;
}

// Smallest distance of two profiles, from points at steps of `step` on both.
double sampled_distance(const Profile<S>& a, const S::Position& frame_a, const Profile<S>& b,
                        const S::Position& frame_b, double step) {
    const auto sample = [&](const Profile<S>& profile, const S::Position& frame) {
        std::vector<S::Vector> points;
        for (const auto& e : profile.elements) {
            const int n = 1 + static_cast<int>(std::abs(point_of<S>(e, 0.0).speed) / step);
            for (int i = 0; i <= n; ++i)
                points.push_back(frame.p + frame.to_ground(point_of<S>(e, double(i) / n).p));
        }
        return points;
    };
    double best = 1e300;
    const auto pa = sample(a, frame_a), pb = sample(b, frame_b);
    for (const auto& p : pa)
        for (const auto& q : pb) best = std::min(best, S::dot(p - q, p - q));
    return std::sqrt(best);
}

TEST(ContactSearch, smallest_gap_is_the_distance_of_separate_profiles) {
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> angle(-pi, pi), way(2.3, 4);
    const Profile<S> profiles[] = {circle(1), polygon(5, 1), lens(), bar()};
    const double step = 0.01;
    for (const auto& a : profiles)
        for (const auto& b : profiles)
            for (int i = 0; i < 20; ++i) {
                const double direction = angle(engine), r = way(engine) + 0.8;
                const auto fa = at(0.3, -0.2, angle(engine)),
                           fb = at(0.3 + r * std::cos(direction), -0.2 + r * std::sin(direction),
                                   angle(engine));
                const double sampled = sampled_distance(a, fa, b, fb, step);
                const auto all = found(a, fa, b, fb, 10);
                ASSERT_FALSE(all.empty());
                double best = 1e300;
                for (const auto& c : all)
                    if (c.touch.gap > 0) best = std::min(best, c.touch.gap);
                EXPECT_LE(best, sampled + 1e-12);
                // Points half a step off on both sides, along the tangents: (step)^2 (1/gap + 2 k).
                EXPECT_GE(best, sampled - step * step * (1 / sampled + 2));
            }
}

TEST(ContactSearch, never_without_a_candidate_along_a_tangent_junction) {
    const Profile<S> a = bar(), b = circle(0.25);
    for (int i = -200; i <= 200; ++i) {
        const double x = 1 + i * 1e-13;  // across the junction of line and arc
        EXPECT_FALSE(found(a, at(0, 0, 0), b, at(x, -0.76, 0.1), 0.1).empty()) << i;
    }
}

TEST(ContactSearch, block_on_a_plate_touches_at_two_corners) {
    const auto all =
        found(plate(5), at(0, 0, 0), polygon(4, std::sqrt(2.0)), at(0.5, 1, pi / 4), 1e-9);
    ASSERT_EQ(all.size(), 2u);
    for (const auto& c : all) EXPECT_NEAR(c.touch.gap, 0, 1e-15);
    EXPECT_NEAR(std::abs(all[0].touch.p[1].x - all[1].touch.p[1].x), 2, 1e-14);
}

TEST(ContactSearch, ball_in_a_bowl_touches_its_bottom_and_a_larger_one_its_rims) {
    const auto small = found(bowl(), at(0, 0, 0), circle(0.5), at(0.1, 0.9, 0), 0.5);
    ASSERT_EQ(small.size(), 1u);
    EXPECT_NEAR(small[0].touch.gap, 2 - 0.5 - std::hypot(0.1, 1.1), 1e-14);
    const auto large = found(bowl(), at(0, 0, 0), circle(2.5), at(0, 3, 0), 0.5);
    ASSERT_EQ(large.size(), 2u);
    const S::Vector rim{2 * std::cos(0.2), 2 - 2 * std::sin(0.2)};
    for (const auto& c : large) EXPECT_NEAR(c.touch.gap, std::hypot(rim.x, rim.y - 3) - 2.5, 1e-14);
}

TEST(ContactSearch, gaps_beyond_the_limit_are_left_out) {
    EXPECT_TRUE(found(circle(1), at(0, 0, 0), circle(1), at(2.2, 0, 0), 0.1).empty());
    EXPECT_EQ(found(circle(1), at(0, 0, 0), circle(1), at(2.2, 0, 0), 0.3).size(), 1u);
    EXPECT_EQ(found(circle(1), at(0, 0, 0), circle(1), at(1.8, 0, 0), 0.3).size(), 1u);
    EXPECT_TRUE(found(circle(1), at(0, 0, 0), circle(1), at(1.6, 0, 0), 0.3).empty());
}

TEST(ContactSearch, radius_reaches_the_farthest_point) {
    const ContactSearch search(bar(), bowl());
    EXPECT_NEAR(search.radius_a(), 1.5, 1e-15);
    EXPECT_NEAR(search.radius_b(), std::hypot(2 * std::cos(0.2), 2 - 2 * std::sin(0.2)), 1e-15);
}

}  // namespace
}  // namespace pawl
