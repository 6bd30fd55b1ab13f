// Laws that every kind of curve element and every pair of kinds obeys, run over the list of kinds:
// derivatives against differences, images under similarity and mirror, symmetric touching points,
// and the row of the gap along random motions. Pairs are drawn many times, each pair of samples
// from random numbers of its own; PAWL_SOAK multiplies how often.
#include <cmath>
#include <map>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "contact/touch.h"
#include "support/curve_samples.h"
#include "support/soak.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;
using Vector = Space::Vector;

// Central differences of fourth order with one step of Richardson: error about h^6 f7 / 100 +
// 1e-15 / h.
template <class F>
double first_difference(F&& f, double h) {
    const auto d = [&](double s) {
        return (8 * (f(s) - f(-s)) - (f(2 * s) - f(-2 * s))) / (12 * s);
    };
    return (16 * d(h / 2) - d(h)) / 15;
}
template <class F>
double second_difference(F&& f, double h) {
    const auto d = [&](double s) {
        return (16 * (f(s) + f(-s)) - (f(2 * s) + f(-2 * s)) - 30 * f(0)) / (12 * s * s);
    };
    return (16 * d(h / 2) - d(h)) / 15;
}

// Fractions well inside and a little beyond the ends.
const double fractions[] = {-0.03, 0.13, 0.37, 0.52, 0.71, 0.93, 1.03};

TEST(CurveLaws, speed_turn_and_curvature_agree_with_differences) {
    // Step 1e-3 of fractions: rounding 1e-12, truncation 1e-18 f7/100 with f7 up to 1e6 where the
    // curve turns once round.
    const double h = 1e-3, error = 1e-9;
    for (const Element& e : all_samples())
        for (const double fraction : fractions) {
            const double u = off_seams(e, fraction);
            const CurvePoint<Space> p = point_of<Space>(e, u);
            const auto at = [&](double s) { return point_of<Space>(e, u + s); };
            const Vector rate{first_difference([&](double s) { return at(s).p.x; }, h),
                              first_difference([&](double s) { return at(s).p.y; }, h)};
            const Vector along = p.speed * Space::turned(p.n);
            const auto where = std::string(kind_of(e)) + " at " + std::to_string(u);
            EXPECT_NEAR(rate.x, along.x, error) << where;
            EXPECT_NEAR(rate.y, along.y, error) << where;
            EXPECT_NEAR(Space::dot(p.n, p.n), 1, 1e-15) << where;
            const double turn = first_difference(
                [&](double s) {
                    const Vector n = at(s).n;
                    return std::atan2(Space::cross(p.n, n), Space::dot(p.n, n));
                },
                h);
            EXPECT_NEAR(turn, p.turn, error * (1 + std::abs(p.turn))) << where;
            EXPECT_NEAR(p.curvature_numerator * p.speed, p.turn * p.reach,
                        1e-14 * (1 + std::abs(p.turn)))
                << where;
        }
}

TEST(CurveLaws, curves_go_on_smoothly_beyond_their_ends) {
    const double d = 1e-9;
    for (const Element& e : all_samples())
        for (const double u : {0.0, 1.0}) {
            const CurvePoint<Space> p = point_of<Space>(e, u - d), q = point_of<Space>(e, u + d);
            // Both sides are 2e-9 apart; derivatives of the samples are below 100.
            EXPECT_NEAR(p.p.x, q.p.x, 1e-7) << kind_of(e);
            EXPECT_NEAR(p.p.y, q.p.y, 1e-7) << kind_of(e);
            EXPECT_NEAR(p.turn, q.turn, 1e-6) << kind_of(e);
        }
}

TEST(CurveLaws, similarity_moves_points_and_turns_normals) {
    const Similarity<Space> map{1.7, 0.6, {0.3, -0.8}};
    for (const Element& e : all_samples())
        for (const double u : fractions) {
            const CurvePoint<Space> p = point_of<Space>(e, u),
                                    q = point_of<Space>(moved<Space>(e, map), u);
            const Vector at = map.of(p.p);
            // Sums of about ten numbers of size 5; chords of splines are summed again.
            EXPECT_NEAR(q.p.x, at.x, 1e-13) << kind_of(e);
            EXPECT_NEAR(q.p.y, at.y, 1e-13) << kind_of(e);
            EXPECT_NEAR(Space::cross(p.n, q.n), std::sin(0.6), 1e-13) << kind_of(e);
            EXPECT_NEAR(q.speed, 1.7 * p.speed, 1e-12) << kind_of(e);
            EXPECT_NEAR(q.turn, p.turn, 1e-12 * (1 + std::abs(p.turn))) << kind_of(e);
        }
}

TEST(CurveLaws, mirror_image_travels_back) {
    for (const Element& e : all_samples())
        for (const double u : fractions) {
            const CurvePoint<Space> p = point_of<Space>(e, u),
                                    q = point_of<Space>(mirrored<Space>(e), 1 - u);
            EXPECT_NEAR(q.p.x, p.p.x, 1e-13) << kind_of(e);
            EXPECT_NEAR(q.p.y, -p.p.y, 1e-13) << kind_of(e);
            EXPECT_NEAR(q.n.x, p.n.x, 1e-13) << kind_of(e);
            EXPECT_NEAR(q.n.y, -p.n.y, 1e-13) << kind_of(e);
            EXPECT_NEAR(q.turn, p.turn, 1e-12 * (1 + std::abs(p.turn))) << kind_of(e);
        }
}

// Quadratic motion of a frame in time.
struct Motion {
    Vector p0, v, a;
    double angle0, w, alpha;
    [[nodiscard]] Space::Position at(double t) const {
        return Space::position_of(
            {{p0.x + t * (v.x + 0.5 * t * a.x), p0.y + t * (v.y + 0.5 * t * a.y)},
             angle0 + t * (w + 0.5 * t * alpha)});
    }
    [[nodiscard]] Space::Frame frame() const { return {at(0), {v, w}}; }
    [[nodiscard]] Space::Twist acceleration() const { return {a, alpha}; }
};

// A pair of elements in a place where they come nearest at known fractions with a known gap.
struct Pair {
    Element a, b;
    Motion motion_a, motion_b;
    double u[2], gap;
    Touch<Space> touch;  // as found
};

// Nothing where the gap is not a clear minimum against sliding.
std::optional<Pair> drawn_pair(const Element& a, const Element& b, std::mt19937& engine) {
    std::uniform_real_distribution<double> unit(-1, 1), inside(0.15, 0.85);
    const auto vector = [&] { return Vector{unit(engine), unit(engine)}; };
    Pair pair{a, b, {}, {}, {}, 0.2 + 0.1 * unit(engine), {}};
    pair.u[0] = off_seams(a, inside(engine));
    pair.u[1] = off_seams(b, inside(engine));
    for (Motion* m : {&pair.motion_a, &pair.motion_b})
        *m = {vector(), vector(), vector(), 3 * unit(engine), unit(engine), unit(engine)};
    const auto fa = pair.motion_a.at(0);
    const auto pa = point_of<Space>(a, pair.u[0]), pb = point_of<Space>(b, pair.u[1]);
    const Vector n = fa.to_ground(pa.n);
    // b is turned so that its normal is -n, then shifted so that its point is at the gap.
    pair.motion_b.angle0 = std::atan2(-n.y, -n.x) - std::atan2(pb.n.y, pb.n.x);
    pair.motion_b.p0 = {};
    const auto fb = pair.motion_b.at(0);
    pair.motion_b.p0 = fa.p + fa.to_ground(pa.p) + pair.gap * n - fb.to_ground(pb.p);
    const double firmness = pa.curvature_numerator * pb.reach + pb.curvature_numerator * pa.reach +
                            pair.gap * pa.curvature_numerator * pb.curvature_numerator;
    if (firmness < 0.05) return std::nullopt;
    return pair;
}

template <class F>
void for_each_drawn(int how_often, F&& f) {
    const std::vector<Element> all = all_samples();
    for (unsigned i = 0; i < all.size(); ++i)
        for (unsigned k = 0; k < all.size(); ++k) {
            std::seed_seq seeds{7u, i, k};
            std::mt19937 engine(seeds);
            for (int round = 0; round < how_often; ++round)
                if (auto pair = drawn_pair(all[i], all[k], engine)) f(*pair);
        }
}

// With the touching points found, from a guess beside them.
template <class F>
void for_each_pair(int how_often, F&& f) {
    for_each_drawn(how_often, [&](Pair& pair) {
        pair.touch.u[0] = pair.u[0] + 0.001;
        pair.touch.u[1] = pair.u[1] - 0.001;
        ASSERT_TRUE(
            find_touch<Space>(pair.a, pair.motion_a.at(0), pair.b, pair.motion_b.at(0), pair.touch))
            << kind_of(pair.a) << " and " << kind_of(pair.b) << " at " << pair.u[0] << ", "
            << pair.u[1];
        f(pair);
    });
}
std::string name_of(const Pair& pair) {
    return std::string(kind_of(pair.a)) + " and " + std::string(kind_of(pair.b));
}

// Gap and fractions are solved to rounding of numbers of size 5; the fraction of a curve is less
// sharp by the inverse of firmness (20) and speed.
constexpr double gap_error = 2e-14, fraction_error = 1e-12;

TEST(CurveLaws, touching_points_are_found_for_every_pair_of_kinds) {
    std::map<std::string, int> count;
    for_each_pair(soaked(100), [&](const Pair& pair) {
        EXPECT_NEAR(pair.touch.gap, pair.gap, gap_error) << name_of(pair);
        for (int i = 0; i < 2; ++i)
            EXPECT_NEAR(pair.touch.u[i], pair.u[i], fraction_error) << name_of(pair);
        ++count[name_of(pair)];
    });
    const std::size_t kinds = std::variant_size_v<Element>;
    EXPECT_EQ(count.size(), kinds * kinds - 1);  // all but two lines
}

// From farther away another place may be nearer, but a minimum is found.
TEST(CurveLaws, guesses_beside_a_touch_lead_to_a_minimum) {
    int elsewhere = 0, all = 0;
    for_each_drawn(soaked(100), [&](const Pair& pair) {
        Touch<Space> touch;
        touch.u[0] = pair.u[0] + 0.01;
        touch.u[1] = pair.u[1] - 0.01;
        ++all;
        ASSERT_TRUE(
            find_touch<Space>(pair.a, pair.motion_a.at(0), pair.b, pair.motion_b.at(0), touch))
            << name_of(pair) << " at " << pair.u[0] << ", " << pair.u[1];
        EXPECT_GT(touch.firmness(), 0) << name_of(pair) << " at " << pair.u[0] << ", " << pair.u[1];
        elsewhere += std::abs(std::remainder(touch.u[0] - pair.u[0], 1)) > 1e-6;
    });
    EXPECT_LT(elsewhere, 1e-3 * all);
}

// Whether the distance of two curves has a minimum near fractions, by looking along the fractions
// of opposite normals in small steps. Slow and plain, another way than find_touch.
bool has_minimum_near(const Pair& pair, double t, double near) {
    const auto fa = pair.motion_a.at(t), fb = pair.motion_b.at(t);
    const auto normal = [](const Space::Position& f, const CurvePoint<Space>& p) {
        return f.to_ground(p.n);
    };
    for (const double way : {-1.0, 1.0}) {
        double w = pair.u[1], before = 0;
        for (int k = 0; k <= 500; ++k) {
            const double u = pair.u[0] + way * near * k / 500;
            const auto pa = point_of<Space>(pair.a, u);
            const Vector na = normal(fa, pa);
            double e = 1;
            for (int i = 0; i < 50 && std::abs(e) > 1e-14; ++i) {
                const auto pb = point_of<Space>(pair.b, w);
                const Vector nb = normal(fb, pb);
                e = std::atan2(-Space::cross(na, nb), -Space::dot(na, nb));
                w -= std::clamp(e / pb.turn, -0.01, 0.01);
            }
            if (!(std::abs(e) < 1e-12) || std::abs(w - pair.u[1]) > near) break;
            const auto pb = point_of<Space>(pair.b, w);
            const Vector d = fb.p + fb.to_ground(pb.p) - fa.p - fa.to_ground(pa.p);
            const double along = Space::dot(d, Space::turned(na)), gap = Space::dot(d, na);
            const double firmness = pa.curvature_numerator * pb.reach +
                                    pb.curvature_numerator * pa.reach +
                                    gap * pa.curvature_numerator * pb.curvature_numerator;
            if (k > 0 && (along > 0) != (before > 0) && firmness > 0) return true;
            before = along;
        }
    }
    return false;
}

// A touch that moves a little is found again, unless it has met a maximum and vanished with it.
TEST(CurveLaws, touch_is_not_lost_a_little_later) {
    int vanished = 0, all = 0;
    for_each_pair(soaked(60), [&](const Pair& pair) {
        for (const double t : {-4e-4, -2e-4, -1e-4, 1e-4, 2e-4, 4e-4}) {
            Touch<Space> touch = pair.touch;
            ++all;
            if (find_touch<Space>(pair.a, pair.motion_a.at(t), pair.b, pair.motion_b.at(t), touch))
                continue;
            ++vanished;
            EXPECT_FALSE(has_minimum_near(pair, t, 0.03))
                << name_of(pair) << " at " << pair.u[0] << ", " << pair.u[1] << ", t = " << t;
        }
    });
    EXPECT_LT(vanished, 1e-3 * all);
}

TEST(CurveLaws, followed_touching_points_pass_the_ends_of_elements) {
    const Element ball = CircleCurve<Space>{{0, 0}, 0.3, 0, false};
    for (const Element& e : all_samples()) {
        if (is_whole<Space>(e)) continue;
        for (const double u : {-0.05, 1.05}) {
            const auto p = point_of<Space>(e, u);
            const auto frame = Space::position_of({{0, 0}, 0}),
                       frame_ball = Space::position_of({p.p + 0.4 * p.n, 0.2});
            Touch<Space> touch;
            touch.u[0] = u < 0 ? 0.02 : 0.98;
            ASSERT_TRUE(find_touch<Space>(e, frame, ball, frame_ball, touch)) << kind_of(e);
            EXPECT_NEAR(touch.u[0], u, fraction_error) << kind_of(e);
            EXPECT_NEAR(touch.gap, 0.1, gap_error) << kind_of(e);
        }
    }
}

TEST(CurveLaws, touching_points_do_not_depend_on_the_order_of_the_pair) {
    for_each_pair(soaked(20), [&](const Pair& pair) {
        Touch<Space> back;
        back.u[0] = pair.u[1];
        back.u[1] = pair.u[0];
        ASSERT_TRUE(
            find_touch<Space>(pair.b, pair.motion_b.at(0), pair.a, pair.motion_a.at(0), back))
            << name_of(pair);
        EXPECT_NEAR(back.gap, pair.touch.gap, gap_error) << name_of(pair);
        EXPECT_NEAR(back.n.x, -pair.touch.n.x, fraction_error) << name_of(pair);
        EXPECT_NEAR(back.n.y, -pair.touch.n.y, fraction_error) << name_of(pair);
        for (int i = 0; i < 2; ++i) {
            EXPECT_NEAR(back.u[i], pair.touch.u[1 - i], fraction_error) << name_of(pair);
            EXPECT_NEAR(back.p[i].x, pair.touch.p[1 - i].x, fraction_error) << name_of(pair);
        }
        EXPECT_NEAR(back.firmness(), pair.touch.firmness(), fraction_error) << name_of(pair);
    });
}

// Not about to meet a maximum, where fractions race and differences mean nothing.
bool is_steady(const Pair& pair) {
    for (const double t : {-4e-4, 4e-4}) {
        Touch<Space> touch = pair.touch;
        if (!find_touch<Space>(pair.a, pair.motion_a.at(t), pair.b, pair.motion_b.at(t), touch) ||
            std::abs(touch.firmness() - pair.touch.firmness()) > 0.02 * pair.touch.firmness())
            return false;
    }
    return true;
}

TEST(CurveLaws, gap_row_agrees_with_differences_along_random_motions) {
    // Steps of 2e-4 s: truncation h^6 f8 / 1000 and rounding of the gap 1e-14 / h^2 = 2.5e-7 for
    // the second derivative, 1e-10 for the first.
    const double h = 2e-4, first_error = 1e-8, second_error = 3e-6;
    for_each_pair(soaked(20), [&](const Pair& pair) {
        if (!is_steady(pair)) return;
        const auto at = [&](double t) {
            Touch<Space> touch = pair.touch;
            EXPECT_TRUE(
                find_touch<Space>(pair.a, pair.motion_a.at(t), pair.b, pair.motion_b.at(t), touch));
            return touch;
        };
        TouchRates<double> rates;
        const auto frame_a = pair.motion_a.frame(), frame_b = pair.motion_b.frame();
        const Space::Row row = gap_row<Space>(pair.touch, frame_a, frame_b, &rates);
        const double rate =
            Space::dot(row.w[0], frame_a.velocity) + Space::dot(row.w[1], frame_b.velocity);
        const double acceleration = Space::dot(row.w[0], pair.motion_a.acceleration()) +
                                    Space::dot(row.w[1], pair.motion_b.acceleration()) + row.bias;
        EXPECT_NEAR(rates.closing, rate, 1e-13) << name_of(pair);
        const auto gap = [&](double t) { return at(t).gap; };
        EXPECT_NEAR(first_difference(gap, h), rate, first_error * (1 + std::abs(rate)))
            << name_of(pair);
        EXPECT_NEAR(second_difference(gap, h), acceleration,
                    second_error * (1 + std::abs(acceleration)))
            << name_of(pair);
        for (int i = 0; i < 2; ++i) {
            const auto fraction = [&](double t) {
                return pair.touch.u[i] + std::remainder(at(t).u[i] - pair.touch.u[i], 1);
            };
            EXPECT_NEAR(first_difference(fraction, h), rates.u[i],
                        1e-6 * (1 + std::abs(rates.u[i])))
                << name_of(pair) << " side " << i;
        }
    });
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
