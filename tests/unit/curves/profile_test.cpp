#include "curves/profile.h"

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

using S = Planar<double>;
using Elements = std::vector<CurveElement<S>>;
constexpr double pi = std::numbers::pi;

LineCurve<S> line(S::Vector from, S::Vector to) { return {from, to}; }

Profile<S> made(const Elements& elements, bool closed) {
    Profile<S> profile;
    const auto problem = make_profile<S>(elements, closed, profile);
    EXPECT_FALSE(problem) << problem->message;
    return profile;
}
std::string problem_of(const Elements& elements, bool closed) {
    Profile<S> profile;
    const auto problem = make_profile<S>(elements, closed, profile);
    return problem ? std::to_string(problem->element) + ": " + problem->message : "none";
}

// Unit square, counter-clockwise.
Elements square() {
    return {line({0, 0}, {1, 0}), line({1, 0}, {1, 1}), line({1, 1}, {0, 1}), line({0, 1}, {0, 0})};
}
Elements reversed_square() {
    return {line({0, 0}, {0, 1}), line({0, 1}, {1, 1}), line({1, 1}, {1, 0}), line({1, 0}, {0, 0})};
}

// Angles come from one atan2 of numbers of size 1.
constexpr double rounding = 1e-14;

TEST(Profile, convex_corners_are_elements) {
    const auto profile = made(square(), true);
    ASSERT_EQ(profile.elements.size(), 8u);
    const auto& corner = std::get<Corner<S>>(profile.elements[1]);
    EXPECT_EQ(corner.at.x, 1);
    EXPECT_EQ(corner.at.y, 0);
    EXPECT_NEAR(corner.normal, -pi / 2, rounding);
    EXPECT_NEAR(corner.turn, pi / 2, rounding);
    EXPECT_TRUE(std::holds_alternative<Corner<S>>(profile.elements[7]));
}

TEST(Profile, clockwise_chain_is_a_hole_with_re_entrant_corners) {
    EXPECT_EQ(made(reversed_square(), true).elements.size(), 4u);
}

TEST(Profile, its_elements_make_the_same_profile_again) {
    const auto profile = made(square(), true);
    EXPECT_EQ(made(profile.elements, true).elements.size(), profile.elements.size());
}

TEST(Profile, open_chain_ends_in_corners_of_ninety_degrees) {
    const auto profile = made({line({0, 0}, {2, 0})}, false);
    ASSERT_EQ(profile.elements.size(), 3u);
    const auto& first = std::get<Corner<S>>(profile.elements[0]);
    const auto& last = std::get<Corner<S>>(profile.elements[2]);
    // The plate lies above the x axis: its ends face -x and +x.
    EXPECT_NEAR(std::abs(wrapped(first.normal - pi)), 0, rounding);
    EXPECT_NEAR(first.turn, pi / 2, rounding);
    EXPECT_NEAR(last.normal, -pi / 2, rounding);
    EXPECT_NEAR(last.turn, pi / 2, rounding);
    EXPECT_EQ(profile.neighbour(0, -1), -1);
    EXPECT_EQ(profile.neighbour(2, 1), -1);
}

TEST(Profile, tangent_neighbours_have_no_corner) {
    const auto profile = made(
        {line({0, -1}, {2, -1}), ArcCurve<S>{{2, 0}, 1, -pi / 2, pi}, line({2, 1}, {0, 1})}, false);
    ASSERT_EQ(profile.elements.size(), 5u);
    EXPECT_TRUE(std::holds_alternative<ArcCurve<S>>(profile.elements[2]));
}

TEST(Profile, the_smallest_convex_turn_makes_a_corner) {
    const auto bent = [](double turn) {
        return made({line({-1, 0}, {0, 0}), line({0, 0}, {std::cos(turn), std::sin(turn)})}, false);
    };
    EXPECT_EQ(bent(2e-9).elements.size(), 5u);
    EXPECT_EQ(bent(0.5e-9).elements.size(), 4u);
    EXPECT_EQ(bent(-0.5).elements.size(), 4u);
    EXPECT_NEAR(std::get<Corner<S>>(bent(2e-9).elements[2]).turn, 2e-9, 1e-15);
}

TEST(Profile, gaps_of_rounding_are_closed) {
    const double off = 4e-6;
    const auto profile =
        made({line({0, -1}, {2, -1 - off}), ArcCurve<S>{{2, 0}, 1, -pi / 2, pi / 2},
              ArcCurve<S>{{2 + off, 0}, 1, 0, pi / 2}},
             false);
    const S::Vector* last = nullptr;
    S::Vector end;
    for (const auto& e : profile.elements) {
        const auto p = point_of<S>(e, 0.0).p;
        if (last) {
            // Ends are sums of a centre and a radius of size 2.
            EXPECT_NEAR(p.x, last->x, 1e-15);
            EXPECT_NEAR(p.y, last->y, 1e-15);
        }
        end = point_of<S>(e, 1.0).p;
        last = &end;
    }
}

// One curve alone that misses its start by a gap of rounding is closed there, and stays the curve
// it was: no point moves by more than the gap.
void expect_closed_in_place(const CurveElement<S>& element) {
    const auto miss = point_of<S>(element, 1.0).p - point_of<S>(element, 0.0).p;
    const double gap = std::hypot(miss.x, miss.y);
    const auto profile = made({element}, true);
    EXPECT_TRUE(profile.closed);
    const auto& closed = profile.elements.front();
    const auto first = point_of<S>(closed, 0.0).p, last = point_of<S>(closed, 1.0).p;
    EXPECT_NEAR(first.x, last.x, 1e-14);
    EXPECT_NEAR(first.y, last.y, 1e-14);
    for (int i = 0; i <= 100; ++i) {
        const auto p = point_of<S>(element, i / 100.0).p, q = point_of<S>(closed, i / 100.0).p;
        EXPECT_NEAR(p.x, q.x, 2 * gap + 1e-14) << i;
        EXPECT_NEAR(p.y, q.y, 2 * gap + 1e-14) << i;
    }
}

TEST(Profile, a_single_curve_with_a_gap_of_rounding_is_closed_in_place) {
    for (const double gap : {0.0, 1e-13, 1e-9, 1e-7, 4e-6}) {
        expect_closed_in_place(ArcCurve<S>{{0, 0}, 1, 0.3, 2 * pi - gap});
        expect_closed_in_place(ArcCurve<S>{{0, 0}, 1, 0.3, gap - 2 * pi});
        expect_closed_in_place(
            SplineCurve<S>({{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, gap}}, Ends::natural));
        expect_closed_in_place(
            PolarSpline<S>({0, 2, 4, 2 * pi - gap}, {1, 1.2, 1.1, 1 + gap}, Ends::natural));
        for (const double side : {1.0, -1.0}) {
            const double to = side * (2 * pi - gap);
            expect_closed_in_place(
                PolarPolynomial<S>{{0, 0}, 0, to, -side, 2 * side, {1, 0.1 * gap}, {0, 1.5}});
        }
    }
}

TEST(Profile, a_needle_whose_ends_lie_apart_stays_open) {
    const Elements needle{SplineCurve<S>({{0.3, 0.1}, {0.2, 1e5}, {0, 0.2}}, Ends::natural)};
    EXPECT_FALSE(ends_meet<S>(needle));
    EXPECT_FALSE(made(needle, false).closed);
    EXPECT_EQ(
        problem_of(needle, true).find("0: the profile does not close: gap 0.316228 m, from ("), 0U);
}

// A curve between neighbours, whose own ends lie no farther apart than the gaps beside it: closing
// them would blow it up.
TEST(Profile, an_element_is_not_blown_up_to_close_gaps_beside_it) {
    const double off = 5e-6;
    EXPECT_EQ(
        problem_of({line({-2, -1}, {0, -1 - off}), ArcCurve<S>{{0, 0}, 1, -pi / 2, 2 * pi - 1e-7},
                    ArcCurve<S>{{-1 - off, -1}, 1, 0, -pi / 2}},
                   false),
        "1: the ends of element 2 are 1e-07 m apart, which is no more than the gaps to its "
        "neighbours; remove it, or make its neighbours begin and end exactly at its ends");
    EXPECT_EQ(problem_of({ArcCurve<S>{{0, 1}, 1, pi, pi / 2}, line({0, 0}, {off, 0}),
                          ArcCurve<S>{{0, -1}, 1, pi / 2, -pi / 2}},
                         false),
              "1: the ends of element 2 are 5e-06 m apart, which is no more than the gaps to its "
              "neighbours; remove it, or make its neighbours begin and end exactly at its ends");
}

TEST(Profile, problems_name_the_element) {
    EXPECT_EQ(problem_of({}, false), "0: a profile needs at least one element");
    EXPECT_EQ(problem_of({line({0, 0}, {1, 0}), line({1, 1}, {0, 1})}, false),
              "0: elements 1 and 2 do not meet: gap 1 m, from (1, 0) to (1, 1)");
    EXPECT_EQ(problem_of({line({0, 0}, {1, 0}), line({1, 0}, {0, 1})}, true),
              "1: elements 2 and 1 do not meet: gap 1 m, from (0, 1) to (0, 0)");
    EXPECT_EQ(problem_of({line({1, 0}, {1, 0})}, false), "0: a line has no length");
    EXPECT_EQ(problem_of({ArcCurve<S>{{0, 0}, -1, 0, 1}}, false),
              "0: the radius of an arc must be positive (a clockwise arc is concave)");
    EXPECT_EQ(problem_of({ArcCurve<S>{{0, 0}, 1, 0, 7}}, false),
              "0: an arc covers more than a whole turn");
    EXPECT_EQ(problem_of({CircleCurve<S>{{0, 0}, 0, 0, false}}, true),
              "0: the radius of a circle must be positive");
    EXPECT_EQ(problem_of({line({-1, 0}, {1, 0}), CircleCurve<S>{{0, 0}, 1, 0, false}}, false),
              "1: a closed curve must be the only element of its profile");
}

TEST(Profile, crossing_elements_are_found_exactly) {
    EXPECT_EQ(problem_of({line({0, 0}, {2, 2}), line({2, 2}, {2, 0}), line({2, 0}, {0, 2})}, false),
              "2: elements 1 and 3 cross at (1, 1) m");
    EXPECT_EQ(problem_of({line({0, 0}, {4, 0}), line({4, 0}, {4, 1.5}), line({4, 1.5}, {2, 1.5}),
                          ArcCurve<S>{{2, 0.75}, 0.75, pi / 2, pi}, line({2, 0}, {2, -1})},
                         false),
              "none");
    EXPECT_EQ(problem_of({line({0, 0}, {4, 0}), line({4, 0}, {4, 1}), line({4, 1}, {2, 1}),
                          ArcCurve<S>{{2, 0}, 1, pi / 2, 1.5 * pi}},
                         false)
                  .substr(0, 28),
              "3: elements 1 and 4 cross at");
    EXPECT_EQ(problem_of({ArcCurve<S>{{0, 0}, 1, 0, 1.5 * pi}, ArcCurve<S>{{0.3, -1}, 0.3, pi, pi}},
                         false)
                  .substr(0, 4),
              "none");
    // An arc within a gear's tooth: tangent neighbours do not cross.
    EXPECT_EQ(problem_of({line({0, -1}, {2, -1}), ArcCurve<S>{{2, 0}, 1, -pi / 2, pi},
                          line({2, 1}, {0, 1}), ArcCurve<S>{{0, 0}, 1, pi / 2, pi}},
                         true),
              "none");
}

TEST(Profile, tip_of_a_crescent_does_not_cross_itself) {
    // Tangent circles have a double point in common, which rounding splits by 1e-8.
    for (int i = 0; i < 100; ++i) {
        const Similarity<S> map{1.3, 0.1 * i, {0.7, 0.2}};
        const auto outer = ArcCurve<S>{{0, 0}, 1, -pi / 2 - 1, 1}.moved(map);
        const auto inner = ArcCurve<S>{{0, -0.5}, 0.5, -pi / 2, -1}.moved(map);
        EXPECT_EQ(problem_of({outer, inner}, false), "none") << i;
    }
}

TEST(Profile, whole_circle_is_closed_and_has_no_corner) {
    const auto profile = made({CircleCurve<S>{{1, 2}, 3, 0, false}}, false);
    EXPECT_TRUE(profile.closed);
    EXPECT_EQ(profile.elements.size(), 1u);
    const auto arc = made({ArcCurve<S>{{1, 2}, 3, 0.5, -2 * pi}}, true);
    ASSERT_EQ(arc.elements.size(), 1u);
    EXPECT_TRUE(std::get<CircleCurve<S>>(arc.elements[0]).hollow);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
