// First zeros of guards, ends of elements and what comes after them.
#include "events/contact_guards.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace {

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

}  // namespace
}  // namespace pawl
