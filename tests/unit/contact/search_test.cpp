#include "contact/search.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "curves/cam.h"
#include "curves/derived.h"
#include "support/made_profile.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;
constexpr double pi = std::numbers::pi;

S::Position at(double x, double y, double angle) { return S::position_of({{x, y}, angle}); }

std::vector<Candidate> found(const Profile<S>& a, const S::Position& frame_a, const Profile<S>& b,
                             const S::Position& frame_b, double within) {
    std::vector<Candidate> out;
    ContactSearch(a, b).find(frame_a, frame_b, within, out);
    return out;
}

// A cam with a rise and a return, dwells between.
Profile<S> cam() {
    CamDrive<S> drive;
    drive.base = 0.5;
    drive.roller = 0.2;
    const auto elements = cam_elements<S>(drive, {{MotionLaw::cycloidal, 0.3, pi / 2},
                                                  {MotionLaw::dwell, 0, pi / 2},
                                                  {MotionLaw::harmonic, -0.3, pi / 2},
                                                  {MotionLaw::dwell, 0, pi / 2}});
    return made(std::get<0>(elements), true);
}
// A body whose right side is a polar polynomial, with two corners.
Profile<S> heart() {
    PolarPolynomial<S> curve;
    curve.from = -pi / 2;
    curve.to = pi / 2;
    curve.coefficients = {0.9, 0.15, -0.05};
    curve.exponents = {0, 2, 4};
    const S::Vector low = curve.point(0).p, high = curve.point(1).p;
    return made({curve, LineCurve<S>{high, low}}, true);
}
std::vector<Profile<S>> bodies() {
    return {circle(1), polygon(5, 1), lens(), bar(), clover(), cam(), heart()};
}

struct Samples {
    std::vector<S::Vector> points, normals;
};

// Points along a closed profile, at most about `step` apart.
Samples sampled(const Profile<S>& profile, const S::Position& frame, double step) {
    Samples samples;
    for (const auto& e : profile.elements) {
        if (std::holds_alternative<Corner<S>>(e)) continue;
        const int n = 1 + static_cast<int>(2 * point_of<S>(e, 0.5).speed / step);
        for (int i = 0; i < n; ++i) {
            const auto p = point_of<S>(e, double(i) / n);
            samples.points.push_back(frame.p + frame.to_ground(p.p));
            samples.normals.push_back(frame.to_ground(p.n));
        }
    }
    return samples;
}

TEST(ContactSearch, finds_every_local_minimum_of_the_distance_and_nothing_else) {
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> angle(-pi, pi), way(2.6, 3.6);
    const double step = 0.03;
    int minima = 0;
    for (const auto& a : bodies())
        for (const auto& b : bodies())
            for (int trial = 0; trial < 3; ++trial) {
                const double direction = angle(engine), r = way(engine);
                const auto fa = at(0.3, -0.2, angle(engine)),
                           fb = at(0.3 + r * std::cos(direction), -0.2 + r * std::sin(direction),
                                   angle(engine));
                const Samples sa = sampled(a, fa, step), sb = sampled(b, fb, step);
                const int n = static_cast<int>(sa.points.size()),
                          m = static_cast<int>(sb.points.size());
                const auto distance = [&](int i, int k) {
                    const S::Vector d = sb.points[static_cast<std::size_t>((k + m) % m)] -
                                        sa.points[static_cast<std::size_t>((i + n) % n)];
                    return std::sqrt(S::dot(d, d));
                };
                const auto all = found(a, fa, b, fb, 20);
                double best = 1e300, smallest = 1e300;
                for (int i = 0; i < n; ++i)
                    for (int k = 0; k < m; ++k) {
                        const double d = distance(i, k);
                        smallest = std::min(smallest, d);
                        bool is_minimum = true;
                        for (int p = -1; p <= 1 && is_minimum; ++p)
                            for (int q = -1; q <= 1; ++q)
                                if ((p || q) && distance(i + p, k + q) < d) is_minimum = false;
                        const auto x = static_cast<std::size_t>(i), y = static_cast<std::size_t>(k);
                        const S::Vector across = 1 / d * (sb.points[y] - sa.points[x]);
                        // Through the material there are minima too, at far sides.
                        const bool facing = S::dot(sa.normals[x], across) > -0.1 &&
                                            S::dot(sb.normals[y], across) < 0.1;
                        if (!is_minimum || !facing) continue;
                        ++minima;
                        double off = 1e300;
                        for (const auto& c : all) {
                            const S::Vector da = c.touch.p[0] - sa.points[x],
                                            db = c.touch.p[1] - sb.points[y];
                            off = std::min(off, std::sqrt(S::dot(da, da) + S::dot(db, db)));
                        }
                        // Minima of samples lie beside true ones; a flat valley (a side that faces
                        // a side at a small angle) shifts them along by several steps.
                        EXPECT_LT(off, 6 * step);
                    }
                for (const auto& c : all) {
                    if (!(c.touch.gap > 0)) continue;
                    best = std::min(best, c.touch.gap);
                    for (const auto& p : sa.points)
                        for (const auto& q : sb.points) {
                            const S::Vector da = p - c.touch.p[0], db = q - c.touch.p[1], d = q - p;
                            if (S::dot(da, da) + S::dot(db, db) < step * step) {
                                EXPECT_GT(std::sqrt(S::dot(d, d)), c.touch.gap - 1e-12);
                            }
                        }
                }
                EXPECT_LE(best, smallest + 1e-12);
                // Points half a step off on both sides, along the tangents: step^2 (1/gap + 2 k).
                EXPECT_GE(best, smallest - step * step * (1 / smallest + 6));
            }
    EXPECT_GT(minima, 100);
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

TEST(ContactSearch, flat_faces_touch_at_both_corners_in_every_direction) {
    // Angles are sums with rounding; faces that are parallel but for that touch at both corners.
    for (int i = 0; i < 100; ++i) {
        const double tilt = 0.1 + 0.37 * i;
        const auto table = S::position_of({{0.3, -0.7}, tilt});
        const S::Vector up = table.to_ground({0.2, 0.5});
        const auto block = at(0.3 + up.x, -0.7 + up.y, tilt + pi - pi);
        EXPECT_EQ(found(plate(5), table, box(1, 0.5), block, 1e-9).size(), 2u) << tilt;
    }
}

TEST(ContactSearch, ball_rolls_all_round_a_long_arc) {
    const auto disc = made({ArcCurve<S>{{0, 0}, 1, 0.3, 1.8 * pi}}, false);
    for (double angle = 0.35; angle < 0.25 + 1.8 * pi; angle += 0.1) {
        const auto all = found(disc, at(0, 0, 0), circle(0.2),
                               at(1.3 * std::cos(angle), 1.3 * std::sin(angle), 0), 0.15);
        ASSERT_EQ(all.size(), 1u) << angle;
        EXPECT_NEAR(all[0].touch.gap, 0.1, 1e-14);
    }
}

TEST(ContactSearch, common_normal_at_the_seam_of_pieces_is_found) {
    // Two equal ovals tip to tip: both touch where their curvature is largest, which is a seam.
    PolarPolynomial<S> tip;
    tip.from = -0.8;
    tip.to = 0.8;
    tip.coefficients = {0.5, -0.01};
    tip.exponents = {0, 2};
    const auto profile = made({tip}, false);
    for (int i = 0; i < 50; ++i) {
        const double turn = 0.3 * i;
        const auto all = found(profile, at(0, 0, turn), profile,
                               at(1.1 * std::cos(turn), 1.1 * std::sin(turn), turn + pi), 0.15);
        ASSERT_EQ(all.size(), 1u) << i;
        EXPECT_NEAR(all[0].touch.gap, 0.1, 1e-14);
    }
}

TEST(ContactSearch, hollow_faces_far_apart_have_no_place_of_contact) {
    // Between the bottoms of two dishes the distance is a maximum; only their rims come near.
    PolarPolynomial<S> dish;
    dish.from = 0.8;
    dish.to = -0.8;
    dish.coefficients = {0.5, 0.01};
    dish.exponents = {0, 2};
    const auto profile = made({dish}, false);
    for (const auto& c : found(profile, at(0, 0, pi), profile, at(3, 0, 0), 10)) {
        EXPECT_NE(c.a, 1);
        EXPECT_NE(c.b, 1);
    }
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

// Sorted gaps of all candidates.
std::vector<double> gaps(const std::vector<Candidate>& all) {
    std::vector<double> gaps;
    for (const auto& c : all) gaps.push_back(c.touch.gap);
    std::sort(gaps.begin(), gaps.end());
    return gaps;
}

TEST(ContactSearch, candidates_scale_with_the_profiles_and_mirror_with_them) {
    for (const auto& a : bodies())
        for (const auto& b : bodies()) {
            const auto fa = at(0, 0, 0.4), fb = at(1.9, 1.3, -0.7);
            const auto plain = gaps(found(a, fa, b, fb, 1));
            const double scale = 1000;
            const auto scaled = [&](const Profile<S>& profile) {
                Profile<S> image{{}, profile.closed};
                for (const auto& e : profile.elements)
                    image.elements.push_back(moved<S>(e, {scale, 0, {}}));
                return image;
            };
            const auto large = gaps(
                found(scaled(a), fa, scaled(b), at(scale * fb.p.x, scale * fb.p.y, -0.7), scale));
            const auto image =
                gaps(found(mirrored(a), at(0, 0, -0.4), mirrored(b), at(1.9, -1.3, 0.7), 1));
            ASSERT_EQ(large.size(), plain.size());
            ASSERT_EQ(image.size(), plain.size());
            for (std::size_t i = 0; i < plain.size(); ++i) {
                EXPECT_NEAR(large[i], scale * plain[i], scale * 1e-14);
                EXPECT_NEAR(image[i], plain[i], 1e-14);
            }
        }
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

TEST(ContactSearch, pin_in_the_middle_of_its_bearing_is_as_far_as_its_play) {
    const Profile<S> bearing = made({CircleCurve<S>{{}, 1.05, 0, true}}, true), pin = circle(1);
    // In the middle all directions are the same; a little beside it there is one.
    for (const double e : {0.0, 1e-17, 1e-12, 1e-6, 0.049}) {
        const auto out = found(bearing, at(2, 3, 0.4), pin, at(2 + e, 3, 1), 1);
        ASSERT_EQ(out.size(), 1U) << e;
        EXPECT_NEAR(out[0].touch.gap, 0.05 - e, 1e-9 * 0.05 + 1e-15) << e;
    }
}

TEST(ContactSearch, side_pressed_in_is_held_at_both_its_corners) {
    const Profile<S> floor = made({LineCurve<S>{{5, 0}, {-5, 0}}}, false),
                     box = made({LineCurve<S>{{-1, 0}, {1, 0}}, LineCurve<S>{{1, 0}, {1, 2}},
                                 LineCurve<S>{{1, 2}, {-1, 2}}, LineCurve<S>{{-1, 2}, {-1, 0}}},
                                true);
    std::vector<Candidate> out;
    for (const double tilt : {-0.4, -0.01, 0.01, 0.4}) {
        const auto frame = at(0.3, -0.02, tilt);
        ContactSearch(floor, box, true).find(at(0, 0, 0), frame, 1, out);
        ASSERT_EQ(out.size(), 2U) << tilt;
        for (const auto& c : out) EXPECT_NEAR(c.touch.gap, c.touch.p[1].y, 1e-15);
        ContactSearch(floor, box).find(at(0, 0, 0), frame, 1, out);
        EXPECT_EQ(out.size(), 1U) << tilt;
    }
}

// What the parts that are kept for an interval promise: whatever is found at a time in it among all
// parts is found among them, as long as nothing moves or turns faster than was said.
TEST(ContactSearch, kept_pairs_hold_all_candidates_of_an_interval) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> share(-1, 1);
    const std::vector<Profile<S>> all = bodies();
    long compared = 0, left_out = 0;
    for (const Profile<S>& a : all)
        for (const Profile<S>& b : all) {
            const ContactSearch search(a, b);
            for (int trial = 0; trial < 20; ++trial) {
                const double x = 2.2 * share(random), y = 2.2 * share(random),
                             angle = 4 * share(random);
                const double within = 0.05, way = 0.1, turn = 0.2;
                // A turn about the frame moves points of b by up to its radius times the angle.
                const double reach = within + way + turn * search.radius_b();
                std::vector<PartPair> kept;
                search.collect(at(0, 0, 0), at(x, y, angle), reach, turn, kept);
                const std::size_t first = kept.size();
                search.narrow(at(0, 0, 0), at(x, y, angle), reach, turn, 0, first, kept);
                ASSERT_EQ(kept.size(), 2 * first) << "the same asked once more";
                kept.resize(first);
                left_out += static_cast<long>(search.part_pairs() - first);
                for (int k = 0; k < 5; ++k) {
                    const double along = pi * share(random);
                    const S::Position moved =
                        at(x + way * std::cos(along), y + way * std::sin(along),
                           angle + turn * share(random));
                    std::vector<Candidate> of_all, of_kept;
                    search.find(at(0, 0, 0), moved, within, of_all);
                    search.find(at(0, 0, 0), moved, within, kept, of_kept);
                    ASSERT_EQ(of_kept.size(), of_all.size());
                    compared += static_cast<long>(of_all.size());
                    for (std::size_t i = 0; i < of_all.size(); ++i) {
                        EXPECT_EQ(of_kept[i].a, of_all[i].a);
                        EXPECT_EQ(of_kept[i].b, of_all[i].b);
                        EXPECT_EQ(of_kept[i].touch.gap, of_all[i].touch.gap);
                    }
                }
            }
        }
    EXPECT_GT(compared, 200);
    EXPECT_GT(left_out, 10000) << "most pairs are not kept";
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
