// The sear and trigger mechanism: forces of the blocked and of the stopped position from the
// balance of moments, worked out here from the dimensions of the model, and the freedoms of each
// contact state by Grübler's count.
#include <cmath>

#include <gtest/gtest.h>

#include "results/event_text.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace {

using Vector = PlanarSpace::Vector;

constexpr double degree = M_PI / 180;

// N mm about `pivot` of a force at a place, all in mm.
double moment(Vector pivot, Vector at, Vector force) {
    return PlanarSpace::cross(at - pivot, force);
}

DynamicResult run() {
    DynamicOptions options;
    options.end = 0.3;
    options.step = 0.5e-3;
    return run_dynamics(test::placed_of(test::embedded_text("trigger")), options);
}

// The last sample at or before a time.
double at(const DynamicResult& r, double t, const std::string& column) {
    std::size_t row = 0;
    for (std::size_t i = 0; i < r.trajectory.rows(); ++i)
        if (r.trajectory.row(i)[0] <= t + 1e-9) row = i;
    return test::value(r.trajectory, row, column);
}

// Forces of some 10 N from geometry known to 1e-12 of its size, by lever arms of a tenth of it.
constexpr double force_rounding = 1e-9;

TEST(Trigger, blocked_forces_balance_the_moments_about_the_pivots) {
    const DynamicResult r = run();
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    const Vector p2{100, 30}, p3{0, -20}, p4{14, 14}, q{-10, 20};
    // The pawl's side from A to B, and the place on it, 23.5 mm from A, where the hook leans on it.
    const Vector a{-7.37, 18.56},
        b{4 + 1.5 * std::cos(24 * degree), 45.5 - 1.5 * std::sin(24 * degree)};
    const double l = std::hypot(b.x - a.x, b.y - a.y);
    const Vector d{(b.x - a.x) / l, (b.y - a.y) / l}, side{-d.y, d.x}, on_side = a + 23.5 * d;
    // The spring presses the bolt with 20 N on the pawl's tip, at the height of its centre.
    const Vector bolt{20, 0};
    const double c45 = -(moment(q, {2.5, 45.5}, bolt) + 6) / moment(q, on_side, side);
    const Vector on_sear = bolt + c45 * side;  // through the joint R35
    const Vector n{std::cos(200 * degree), std::sin(200 * degree)};
    const double c23 = -(moment(p3, q, on_sear) - 6 - 50) / moment(p3, p2 + 62.0 * n, n);
    // Tail in the corner: f1 from above, f2 from aside; moments of the hook and of the trigger.
    //   10 f2 - 20 f1 + m = 0,   6 f2 - 66 f1 + 50 = 0
    const double m = 10 - moment(p4, on_side, c45 * side);
    const double f1 = (6 * m - 500) / (6 * 20 - 660), f2 = (66 * f1 - 50) / 6;
    EXPECT_NEAR(at(r, 0.04, "C45#1.normal"), c45, force_rounding);
    EXPECT_NEAR(at(r, 0.04, "C56#1.normal"), 20, force_rounding);
    EXPECT_NEAR(at(r, 0.04, "C23#1.normal"), c23, force_rounding);
    EXPECT_NEAR(at(r, 0.04, "C24#1.normal"), f1, force_rounding);
    EXPECT_NEAR(at(r, 0.04, "C24#2.normal"), f2, force_rounding);
}

TEST(Trigger, stopped_bolt_rests_on_the_nose_at_two_points) {
    const DynamicResult r = run();
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    // The nose, radius 2 mm, centre 30 mm left of and 17.7 mm above the pivot, turns until it is 2
    // mm below the bolt at 52 mm: 20 mm above the pivot; the tooth's side is 2 mm left of the
    // centre.
    const double arm = std::sqrt(30.0 * 30 + 17.7 * 17.7 - 20.0 * 20);
    const double turn = std::atan2(20, -arm) - std::atan2(17.7, -30);
    const double x = 100 - arm - 2 - 2.5;
    const double f2 = 0.2 * (100 - x), f1 = (20 * f2 + 800 - 100 * (0.5 - turn)) / arm;
    // Rest is approached through impacts whose last hops are below 1e-10 of the size; springs of
    // 0.2 N/mm turn that into 1e-8 N.
    constexpr double rest = 1e-7;
    EXPECT_NEAR(at(r, 0.3, "L2.angle"), turn, rest);
    EXPECT_NEAR(at(r, 0.3, "L6.x") * 1e3, x, rest);
    EXPECT_NEAR(at(r, 0.3, "C26#1.normal"), f1, rest);
    EXPECT_NEAR(at(r, 0.3, "C26#2.normal"), f2, rest);
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
    EXPECT_GT(told, 5);
    EXPECT_EQ(least, 0);
    // Blocked: C23, C45, C56 and C24 close four loops, in the words of Wang (1996, section 2.2.2)
    // 1-2-3-1, 1-3-5-4-1, 1-3-5-6-1 and 1-2-4-1.
    std::size_t blocked = 0;
    while (blocked + 1 < r.events.size() && r.events[blocked + 1].t == 0) ++blocked;
    const auto* state = r.events[blocked].find<fact::ContactState>();
    ASSERT_NE(state, nullptr);
    EXPECT_EQ(state->loops,
              (std::vector<std::string>{"ground-L2-L3-ground", "ground-L4-L5-L3-ground",
                                        "ground-L3-L5-L6-ground", "ground-L2-L4-ground"}));
    EXPECT_NE(event_text(r.events[blocked])
                  .find("leaves no degree of freedom, loops ground-L2-L3-ground, "),
              std::string::npos);
}

}  // namespace
}  // namespace pawl
