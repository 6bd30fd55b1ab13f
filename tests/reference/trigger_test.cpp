// The sear and trigger mechanism in Wang's cycle (1996, section 4.5): forces of the blocked and of
// the held position from the balance of moments, worked out here from the dimensions of the model;
// the stages in their order; the freedoms of each contact state by Grübler's count.
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "results/event_text.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Vector = PlanarSpace::Vector;

// mm: the pivots of the sear, and of trigger and tripping lever.
constexpr Vector pivot_a{100, 30}, pivot_b{60, 2};

DynamicResult run(double rtol = DynamicOptions{}.rtol) {
    DynamicOptions options;
    options.end = 0.4;
    options.step = 0.5e-3;
    options.rtol = rtol;
    return run_dynamics(test::placed_of(test::embedded_text("trigger")), options);
}

// The last sample at or before a time.
double at(const DynamicResult& r, double t, const std::string& column) {
    std::size_t row = 0;
    for (std::size_t i = 0; i < r.trajectory.rows(); ++i)
        if (r.trajectory.row(i)[0] <= t + 1e-9) row = i;
    return test::value(r.trajectory, row, column);
}

Vector turned(Vector v, double angle) {
    return {v.x * std::cos(angle) - v.y * std::sin(angle),
            v.x * std::sin(angle) + v.y * std::cos(angle)};
}
double angle_of(Vector v) { return std::atan2(v.y, v.x); }

// Forces of some 10 N from geometry known to 1e-12 of its size, by lever arms of a tenth of it.
constexpr double force_rounding = 1e-9;

// N and N mm. The springs of trigger (80), tripping lever (40) and sear (100) press at 22 mm, 35.5
// mm and, under the slide, 30 mm from the pivots; the slide pushes with 20 N, 20 mm above the
// sear's.
constexpr double c23 = 80 / 22.0, c24 = 40 / 35.5, tooth = 20;
constexpr double under_slide = (100 + 20 * tooth - 18 * c23 - 4.5 * c24) / 30;

TEST(Trigger, blocked_forces_balance_the_moments_about_the_pivots) {
    const DynamicResult r = run();
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_NEAR(at(r, 0.01, "C23#1.normal"), c23, force_rounding);
    EXPECT_NEAR(at(r, 0.01, "C24#1.normal"), c24, force_rounding);
    EXPECT_NEAR(at(r, 0.01, "C26#1.normal"), tooth, force_rounding);
    EXPECT_NEAR(at(r, 0.01, "C26#2.normal"), under_slide, force_rounding);
}

TEST(Trigger, tripping_lever_holds_the_sear_in_its_corner_while_the_slide_runs) {
    const DynamicResult r = run();
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    // The tip, radius 1.5 mm, in the corner of the floor y = -2 and the face through (91.1, -2)
    // and (92, 3), all in the sear's blocked position: its centre is a point of the sear as well as
    // of the lever, and the pivots are 48.8 mm apart.
    const double n = std::hypot(0.9, 5);
    const Vector face{-5 / n, 0.9 / n};
    const Vector tip_from_a = Vector{91.1 - (1.5 * n - 1.35) / 5, -0.5} - pivot_a;
    const Vector tip_from_b{35.5, 2.5};
    const double ra = std::hypot(tip_from_a.x, tip_from_a.y),
                 rb = std::hypot(tip_from_b.x, tip_from_b.y);
    const Vector ab = pivot_a - pivot_b;
    const double d = std::hypot(ab.x, ab.y);
    const double aim = angle_of(ab) - std::acos((rb * rb + d * d - ra * ra) / (2 * rb * d));
    const Vector tip = pivot_b + Vector{rb * std::cos(aim), rb * std::sin(aim)};
    const double lever = aim - angle_of(tip_from_b);
    const double sear = angle_of(tip - pivot_a) - angle_of(tip_from_a);
    // Moments of the tripping lever and of the sear, N mm.
    const Vector up = turned({0, 1}, sear), aside = turned(face, sear);
    const auto arm = [&](Vector pivot, Vector force) {
        return PlanarSpace::cross(tip - pivot, force);
    };
    const double m4 = 50 * (-0.8 - lever), m2 = 100 * (-1 - sear);
    const double a11 = arm(pivot_b, up), a12 = arm(pivot_b, aside);
    const double a21 = arm(pivot_a, up), a22 = arm(pivot_a, aside);
    const double determinant = a11 * a22 - a12 * a21;
    const double floor = (-m4 * a22 - m2 * a12) / determinant;
    const double side = (a11 * m2 + a21 * m4) / determinant;
    // Rest is approached through impacts; springs turn their last hops into 1e-8 N.
    constexpr double rest = 1e-7;
    EXPECT_NEAR(at(r, 0.19, "L2.angle"), sear, rest);
    EXPECT_NEAR(at(r, 0.19, "L4.angle"), lever, rest);
    EXPECT_NEAR(at(r, 0.19, "C24#1.normal"), floor, rest);
    EXPECT_NEAR(at(r, 0.19, "C24#2.normal"), side, rest);
    EXPECT_GT(std::abs(at(r, 0.19, "L6.vx")), 0.5);
    EXPECT_EQ(at(r, 0.19, "C26#1.normal"), 0);
}

TEST(Trigger, sear_blocks_the_slide_again_as_at_the_start) {
    const DynamicResult r = run();
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    constexpr double rest = 1e-6;
    EXPECT_NEAR(at(r, 0.4, "L6.x") * 1e3, 0, rest);
    EXPECT_NEAR(at(r, 0.4, "L2.angle"), 0, rest);
    EXPECT_NEAR(at(r, 0.4, "C26#1.normal"), under_slide, rest);
    EXPECT_NEAR(at(r, 0.4, "C26#2.normal"), tooth, rest);
    EXPECT_NEAR(at(r, 0.4, "C23#1.normal"), c23, rest);
    EXPECT_NEAR(at(r, 0.4, "C24#1.normal"), c24, rest);
}

// The closed points of each pair, and since when.
struct Stage {
    std::map<std::string, int> points;
    double begin = 0, end = 0;
};

std::vector<Stage> stages(const DynamicResult& r) {
    std::vector<Stage> found(1);
    for (const Event& e : r.events) {
        const bool forms = e.kind == EventKind::contact_formed;
        if (!forms && e.kind != EventKind::contact_lost) continue;
        if (e.t > found.back().begin) {
            found.back().end = e.t;
            found.push_back({found.back().points, e.t, e.t});
        }
        auto& points = found.back().points[e.element.substr(0, e.element.find('#'))];
        points += forms ? 1 : -1;
    }
    for (Stage& s : found) std::erase_if(s.points, [](const auto& p) { return p.second == 0; });
    found.back().end = 0.4;
    return found;
}

TEST(Trigger, goes_through_wangs_cycle) {
    const DynamicResult r = run();
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    using Points = std::map<std::string, int>;
    std::vector<Points> in_order{
        {{"C23", 1}, {"C24", 1}, {"C26", 2}},  // the sear blocks the slide
        {{"C23", 1}, {"C24", 1}, {"C26", 1}},  // the trigger turns it
        {{"C23", 1}, {"C24", 1}},              // the slide is free
        {{"C23", 1}},                          // the tripping lever has left the ledge
        {{"C23", 1}, {"C24", 1}},              // and stands in front of the sear
        {{"C24", 1}},                          // the couple ends
        {{"C24", 2}},                          // the tripping lever holds the sear
        {{"C45", 1}, {"C56", 1}},              // the slide lifts it by the plunger lever
        {{"C45", 1}},                          // the sear rises
        {{"C24", 1}, {"C26", 1}},              // to the slide
        {{"C23", 1}, {"C24", 1}, {"C26", 1}},
        {{"C23", 1}, {"C24", 1}, {"C26", 2}}};  // blocked again
    std::size_t next = 0;
    std::set<Points> longer;
    for (const Stage& s : stages(r)) {
        if (next < in_order.size() && s.points == in_order[next]) ++next;
        if (s.end - s.begin > 0.5e-3) longer.insert(s.points);
    }
    EXPECT_EQ(next, in_order.size());
    EXPECT_EQ(longer.size(), 9u);
    // Parts that ricochet off each other where the nose lands are few: the cycle can be read.
    EXPECT_LT(r.events.size(), 120u);
    EXPECT_EQ(stages(r).back().points, in_order.front());
}

// Where the couple ends at once the force of C23 jumps. What the jump ends, and when, must not hang
// on the last digits of the time.
TEST(Trigger, couple_that_ends_at_once_is_passed_at_every_tolerance) {
    std::string text(test::embedded_text("trigger"));
    const std::string ramp = "min(1, max(0, (0.15 - t)/0.01))";
    const auto found = text.find(ramp);
    ASSERT_NE(found, std::string::npos);
    text.replace(found, ramp.size(), "if(t < 0.14, 1, 0)");
    for (const double rtol : {1e-6, 1e-9, 1e-10, 1e-11, 1e-12}) {
        DynamicOptions options;
        options.end = 0.15;
        options.step = 0.5e-3;
        options.rtol = rtol;
        const DynamicResult r = run_dynamics(test::placed_of(text), options);
        ASSERT_EQ(r.status, DynamicStatus::completed) << rtol << ": " << r.message;
        double lost = 0;
        for (const Event& e : r.events)
            if (e.kind == EventKind::contact_lost && e.element == "C23#1") lost = e.t;
        EXPECT_NEAR(lost, 0.14, 1e-12) << rtol;
        for (std::size_t i = 0; i < r.trajectory.rows(); ++i)
            EXPECT_GE(test::value(r.trajectory, i, "C23#1.normal"), -1e-6)
                << rtol << ", t = " << r.trajectory.row(i)[0];
    }
}

// Five bodies on joints with two rows each have 5 freedoms; every closed point takes one.
TEST(Trigger, every_contact_state_has_the_freedoms_of_gruebler_and_its_loops) {
    const DynamicResult r = run();
    int closed = 0, told = 0, least = 5;
    for (const Event& e : r.events) {
        if (e.kind == EventKind::contact_formed) ++closed;
        if (e.kind == EventKind::contact_lost) --closed;
        const auto* state = e.find<fact::ContactState>();
        if (state == nullptr) continue;
        ++told;
        const int freedoms = 5 - closed;
        least = std::min(least, freedoms);
        EXPECT_EQ(state->degrees_of_freedom, freedoms) << e.t;
    }
    EXPECT_GT(told, 9);
    EXPECT_EQ(least, 1);
    // Blocked: C23, C26 and C24 close three loops, in the words of Wang (1996, section 2.2.2)
    // 1-2-3-1, 1-2-6-1 and 1-2-4-1.
    std::size_t blocked = 0;
    while (blocked + 1 < r.events.size() && r.events[blocked + 1].t == 0) ++blocked;
    const auto* state = r.events[blocked].find<fact::ContactState>();
    ASSERT_NE(state, nullptr);
    EXPECT_EQ(state->loops, (std::vector<std::string>{"ground-L2-L3-ground", "ground-L2-L6-ground",
                                                      "ground-L2-L4-ground"}));
    EXPECT_NE(event_text(r.events[blocked])
                  .find("leaves 1 degree of freedom, loops ground-L2-L3-ground, "),
              std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
