// First zeros of guards, ends of elements and what comes after them.
#include "events/contact_guards.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Mechanics = MechanismEquations<PlanarSpace>;

// Samples at the ends of the parts, then the search.
std::optional<double> zero_in(double low, double high, int parts,
                              const std::function<double(double)>& f) {
    std::vector<double> samples;
    for (int k = 0; k <= parts; ++k) samples.push_back(f(low + k * (high - low) / parts));
    return first_zero(low, high, samples, f);
}

TEST(FirstZero, of_a_falling_function_is_found) {
    for (const int parts : {1, 2, 4}) {
        const auto t = zero_in(0, 2, parts, [](double x) { return 1 - x * x; });
        ASSERT_TRUE(t) << parts;
        EXPECT_NEAR(*t, 1, 2e-13) << parts;  // it stops within 1e-13 of the interval
    }
}

TEST(FirstZero, of_a_function_that_stays_positive_is_none) {
    EXPECT_FALSE(zero_in(0, 2, 4, [](double x) { return 1e-9 + (x - 1) * (x - 1); }));
    EXPECT_FALSE(zero_in(0, 2, 4, [](double) { return 1.0; }));
    // Zero at an end, or a zero that is only touched, does not count.
    EXPECT_FALSE(zero_in(0, 1, 4, [](double x) { return x; }));
    EXPECT_FALSE(zero_in(0, 1, 4, [](double x) { return 1 - x; }));
}

// A dip below zero between the points that are looked at.
TEST(FirstZero, of_a_dip_is_found) {
    for (const int parts : {2, 4})
        for (const double middle : {0.3, 0.45, 0.7, 0.9, 1.1, 1.6})
            for (const double depth : {1e-2, 1e-4, 1e-6}) {
                const auto t = zero_in(
                    0, 2, parts, [&](double x) { return (x - middle) * (x - middle) - depth; });
                ASSERT_TRUE(t) << parts << " " << middle << " " << depth;
                EXPECT_NEAR(*t, middle - std::sqrt(depth), 1e-9)
                    << parts << " " << middle << " " << depth;
            }
}

TEST(FirstZero, is_the_first_of_several) {
    // cos over two and a half turns, looked at in 16 parts.
    const auto t = zero_in(0, 5 * std::numbers::pi, 16, [](double x) { return std::cos(x); });
    ASSERT_TRUE(t);
    EXPECT_NEAR(*t, std::numbers::pi / 2, 1e-13);
}

// As fine as is asked for and no finer, a little before the zero; but to rounding where f jumps.
TEST(FirstZero, is_as_fine_as_asked_for) {
    int looks = 0;
    const auto smooth = [&](double x) { return ++looks, std::exp(-x) - 0.4; };
    const double samples[] = {smooth(0), smooth(1), smooth(2)};
    looks = 0;
    const auto coarse = first_zero(0, 2, samples, smooth, 1e-6);
    EXPECT_LE(looks, 6);
    ASSERT_TRUE(coarse);
    EXPECT_NEAR(*coarse, -std::log(0.4), 1e-6);
    EXPECT_LE(*coarse, -std::log(0.4));
    const auto jump = [](double x) { return x < 1.2 ? 3 - x : -0.01; };
    const double of_jump[] = {jump(0), jump(1), jump(2)};
    const auto found = first_zero(0, 2, of_jump, jump, 1e-6);
    ASSERT_TRUE(found);
    EXPECT_NEAR(*found, 1.2, 3e-13);
    EXPECT_GT(jump(*found), 0);
}

TEST(FallingRate, is_that_of_the_last_chord_before_the_end) {
    using Looks = std::vector<std::pair<double, double>>;
    const auto f = [](double t) { return 1 - t * t; };
    EXPECT_NEAR(
        falling_rate(Looks{{0, f(0)}, {2, f(2)}, {0.9, f(0.9)}, {0.999, f(0.999)}}, 0.999, 1e-3),
        -1.899, 1e-12);
    // Nearer looks are rounding.
    EXPECT_NEAR(falling_rate(Looks{{0.9, f(0.9)}, {0.9985, 7}, {0.999, f(0.999)}}, 0.999, 1e-3),
                -1.899, 1e-12);
    // None before, one that rises, an end that was not seen.
    EXPECT_EQ(falling_rate(Looks{{1, 0.5}, {2, -1}}, 1, 1e-3), 0);
    EXPECT_EQ(falling_rate(Looks{{0, 0}, {1, 0.5}, {2, -1}}, 1, 1e-3), 0);
    EXPECT_EQ(falling_rate(Looks{{0, 1}, {2, -1}}, 1, 1e-3), 0);
    // A value between those before and after a jump.
    EXPECT_EQ(falling_rate(Looks{{0, 5}, {0.9, 4.9}, {1, 2}, {2, -1}}, 1, 1e-3), 0);
}

// A disk of radius 0.1 (profile b) on a profile of the ground (profile a), at a place of our
// choice.
class Rolling {
public:
    explicit Rolling(const std::string& elements)
        : placed_(test::placed_of(
              "format = 1\n[body.disk]\nmass = 1\ninertia = 1\n[profile.disk]\nbody = \"disk\"\n"
              "elements = [{ type = \"circle\", radius = 0.1 }]\n[profile.track]\nbody = "
              "\"ground\"\n"
              "elements = [" +
              elements + "]\n[contact.C]\na = \"track\"\nb = \"disk\"\n")) {}
    void touch(int element) {
        Mechanics::Choice choice;
        ContactPoint<PlanarSpace> point;
        point.pair = 0;
        point.a = element;
        choice.contacts = {point};
        equations = std::make_unique<Mechanics>(placed_.mechanism, placed_.topology, choice);
        equations->set_model_size(placed_.assembly.model_size);
    }
    void put(double x, double y) {
        std::vector<PlanarSpace::Position> positions(2);
        positions[1] = {{x, y}, 0, {1, 0}};
        equations->set_position(equations->coordinates().from_positions(positions), 0);
    }
    [[nodiscard]] std::string element() const {
        return element_text(placed_.mechanism, equations->contacts()[0], 0);
    }
    std::unique_ptr<Mechanics> equations;

private:
    PlacedMechanism placed_;
};

// The upper edge from (2, 0) to (0, 0): element 0 is the corner of its end at x = 2.
const std::string edge = R"({ type = "line", from = [2, 0], to = [0, 0] })";
constexpr double touching = 1e-12;

TEST(EndPassed, of_a_line_is_found_with_its_side_and_time) {
    Rolling r(edge);
    r.touch(1);
    const auto left = EndWatch().first(*r.equations, 0, 1, [&](double t) { r.put(0.5 - t, 0.1); });
    ASSERT_TRUE(left);
    // An end counts as passed 1e-9 of the element beyond it.
    EXPECT_NEAR(left->t, 0.5, 3e-9);
    EXPECT_EQ(left->side, 0);
    EXPECT_EQ(left->direction, 1);
    const auto right = EndWatch().first(*r.equations, 0, 1, [&](double t) { r.put(1.5 + t, 0.1); });
    ASSERT_TRUE(right);
    EXPECT_NEAR(right->t, 0.5, 3e-9);
    EXPECT_EQ(right->direction, -1);
    EXPECT_FALSE(EndWatch().first(*r.equations, 0, 1, [&](double t) { r.put(0.1 + t, 0.1); }));
}

// What was seen at the begin is not looked at again.
TEST(EndPassed, after_a_begin_is_the_same) {
    for (const double speed : {1.0, -1.0, 1e-3}) {
        Rolling r(edge);
        r.touch(1);
        EndWatch watch;
        r.put(0.5, 0.1);
        watch.begin(*r.equations);
        int looks = 0;
        const auto put = [&](double t) {
            ++looks;
            EXPECT_GT(t, 0);
            r.put(0.5 - speed * t, 0.1);
        };
        const auto found = watch.first(*r.equations, 0, 2, put, true);
        EXPECT_EQ(found.has_value(), speed != 1e-3) << speed;
        // So far from the ends that the middle and the high end are enough.
        EXPECT_EQ(looks == 2, speed == 1e-3);
        EXPECT_NEAR(found ? found->t : 0.5, speed > 0 ? 0.5 : 1.5, 3e-9) << speed;
    }
}

TEST(EndPassed, and_passed_back_inside_one_step_is_found) {
    Rolling r(edge);
    r.touch(1);
    const auto passed = EndWatch().first(
        *r.equations, 0, 1, [&](double t) { r.put(10 * (t - 0.4) * (t - 0.4) - 1e-4, 0.1); });
    ASSERT_TRUE(passed);
    EXPECT_NEAR(passed->t, 0.4 - std::sqrt(1e-5), 1e-6);
}

TEST(EndPassed, of_a_contact_at_rest_on_an_end_is_not_seen) {
    Rolling r(edge);
    r.touch(1);
    EXPECT_FALSE(EndWatch().first(*r.equations, 0, 1,
                                  [&](double t) { r.put(1e-12 * std::sin(50 * t), 0.1); }));
}

EndPassed end_of(int direction) {
    EndPassed passed;
    passed.direction = direction;
    return passed;
}

TEST(MoveOn, from_a_line_to_the_corner_of_an_open_end) {
    Rolling r(edge);
    r.touch(1);
    r.put(0, 0.1);
    EXPECT_TRUE(move_on(*r.equations, end_of(1), touching));
    EXPECT_EQ(r.element(), "point 2");
    // Round the corner, and off its end: nothing beyond.
    r.put(-0.1, 0);
    EXPECT_FALSE(move_on(*r.equations, end_of(1), touching));
    EXPECT_EQ(r.element(), "point 2");
}

TEST(MoveOn, round_a_convex_corner) {
    Rolling r(R"({ type = "line", from = [2, 0], to = [0, 0] }, { type = "line", to = [0, -2] })");
    r.touch(1);
    r.put(0, 0.1);
    ASSERT_TRUE(move_on(*r.equations, end_of(1), touching));
    EXPECT_EQ(r.element(), "point 2");
    r.put(-0.1, 0);
    ASSERT_TRUE(move_on(*r.equations, end_of(1), touching));
    EXPECT_EQ(r.element(), "line 3");
    r.put(-0.1, 0);
    ASSERT_TRUE(move_on(*r.equations, end_of(-1), touching));
    EXPECT_EQ(r.element(), "point 2");
}

TEST(MoveOn, does_not_turn_into_a_reentrant_corner) {
    // The floor ends at a wall that rises at its left end: the normal would jump.
    Rolling r(R"({ type = "line", from = [2, 0], to = [0, 0] }, { type = "line", to = [0, 2] })");
    r.touch(1);
    r.put(0, 0.1);
    EXPECT_FALSE(move_on(*r.equations, end_of(1), touching));
    EXPECT_EQ(r.element(), "line 1");
}

TEST(MoveOn, to_an_arc_that_goes_on_smoothly) {
    // From the line into a hollow quarter of radius 1 about (0, 1).
    Rolling r(R"({ type = "line", from = [2, 0], to = [0, 0] },
                 { type = "arc", centre = [0, 1], radius = 1, from = "-90 deg", to = "-180 deg" })");
    r.touch(1);
    r.put(0, 0.1);
    ASSERT_TRUE(move_on(*r.equations, end_of(1), touching));
    EXPECT_EQ(r.element(), "arc 2");
    EXPECT_NEAR(r.equations->contacts()[0].touch.gap, 0, 1e-15);
}

TEST(MoveOn, does_not_enter_a_hollow_that_is_too_narrow) {
    Rolling r(R"({ type = "line", from = [2, 0], to = [0, 0] },
                 { type = "arc", centre = [0, 0.05], radius = 0.05, from = "-90 deg", to = "-180 deg" })");
    r.touch(1);
    r.put(0, 0.1);
    EXPECT_FALSE(move_on(*r.equations, end_of(1), touching));
    EXPECT_EQ(r.element(), "line 1");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
