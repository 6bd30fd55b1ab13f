#include "analysis/lyapunov.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

DynamicOptions accurate(double step) {
    DynamicOptions options;
    options.step = step;
    options.rtol = options.atol = 1e-12;
    options.reactions = false;
    return options;
}

TEST(DynamicRun, goes_on_from_where_another_ended_through_impacts) {
    const PlacedMechanism placed =
        test::placed_of(test::embedded_text("bouncing_on_plate"), {{"phase", "0.3 rad"}});
    DynamicOptions options = accurate(0.01);
    options.end = 1.5;
    const DynamicResult whole = run_dynamics(placed, options);
    ASSERT_EQ(whole.status, DynamicStatus::completed);
    options.end = 0.7;
    const DynamicResult first = run_dynamics(placed, options);
    options.start = first.last;
    options.end = 1.5;
    const DynamicResult second = run_dynamics(placed, options);
    ASSERT_EQ(second.status, DynamicStatus::completed);
    EXPECT_EQ(first.events.size() + second.events.size(), whole.events.size());
    EXPECT_GT(second.events.size(), 2U);
    // Errors of the steps, 1e-12 each, over some hundred of them.
    for (std::size_t c = 0; c < whole.last.state.q.size(); ++c) {
        EXPECT_NEAR(second.last.state.q[c], whole.last.state.q[c], 1e-9);
        EXPECT_NEAR(second.last.state.v[c], whole.last.state.v[c], 1e-8);
    }
    EXPECT_TRUE(second.audit.passed());
}

TEST(DynamicRun, goes_on_with_contacts_that_are_closed) {
    const PlacedMechanism placed = test::placed_of(test::embedded_text("cam_liftoff"));
    DynamicOptions options = accurate(0.01);
    options.end = 0.4;
    const DynamicResult whole = run_dynamics(placed, options);
    for (const double middle : {0.013, 0.1, 0.2}) {
        options.start.reset();
        options.end = middle;
        const DynamicResult first = run_dynamics(placed, options);
        options.start = first.last;
        options.end = 0.4;
        const DynamicResult second = run_dynamics(placed, options);
        ASSERT_EQ(second.status, DynamicStatus::completed) << middle;
        EXPECT_TRUE(second.events.empty() || second.events[0].t > middle) << "told again";
        for (std::size_t c = 0; c < whole.last.state.q.size(); ++c)
            EXPECT_NEAR(second.last.state.q[c], whole.last.state.q[c], 1e-8) << middle;
    }
}

TEST(Lyapunov, growth_of_equal_windows_has_no_error) {
    const auto [rate, error] =
        rate_of_growth(std::vector<double>(40, 0.3), std::vector<double>(40, 0.1), 20);
    EXPECT_NEAR(rate, 3, 1e-14);
    EXPECT_NEAR(error, 0, 1e-14);
}

// Neighbours that part like t (as those of an undamped pendulum do, whose period goes with its
// energy) have the exponent 0: after any time that is long against a window it is in the error.
TEST(Lyapunov, growth_like_a_power_of_time_is_zero_within_its_error) {
    for (const int n : {50, 200, 5000}) {
        std::vector<double> growth;
        for (int i = 1; i <= n; ++i) growth.push_back(std::log((i + 1.0) / i));
        const auto [rate, error] =
            rate_of_growth(growth, std::vector<double>(growth.size(), 0.1), 20);
        EXPECT_LT(rate, error) << n;
    }
}

// The multipliers of the motion are a pair of size e, so that the exponent is ln(e)/T.
TEST(Lyapunov, exponent_of_the_ball_on_a_plate_is_that_of_its_multipliers) {
    const PlacedMechanism placed = test::placed_of(test::embedded_text("bouncing_on_plate"));
    LyapunovOptions options;
    options.end = 20;
    options.window = 0.2;
    const LyapunovResult found = largest_exponent(placed, accurate(0.01), options);
    ASSERT_EQ(found.status, DynamicStatus::completed) << found.message;
    EXPECT_EQ(found.left_out, 0);
    const double exact = std::log(0.8) / 0.2;
    EXPECT_NEAR(found.exponent, exact, found.error);
    EXPECT_LT(found.error, 0.1 * std::abs(exact));  // the pair turns: windows differ
}

// Implicit steps have no tangent: two runs are taken, and windows wait until both have struck.
TEST(Lyapunov, windows_of_two_runs_that_end_at_an_impact_are_prolonged) {
    const PlacedMechanism placed = test::placed_of(test::embedded_text("bouncing_on_plate"));
    LyapunovOptions options;
    options.after = 0.1;
    options.end = 4.1;
    options.window = 0.2;
    DynamicOptions run = accurate(0.01);
    run.integrator = Integrator::stiff;
    const LyapunovResult found = largest_exponent(placed, run, options);
    ASSERT_EQ(found.status, DynamicStatus::completed) << found.message;
    EXPECT_NE(found.differences_because.find("implicit steps"), std::string::npos);
    EXPECT_GE(found.prolonged, 1);
    EXPECT_EQ(found.left_out, 0);
    EXPECT_NEAR(found.exponent, std::log(0.8) / 0.2, found.error);
}

// A ball that flies freely between impacts on the plate A sin(W t + p), with its tangent (y, v):
// free flight in closed form, the impact by bisection, the tangent through it by the jump matrix.
// With A = 25 mm no flight is shorter than 1 ms.
std::pair<double, double> exponent_by_jump_matrices(double A, double after, double end) {
    constexpr double g = 9.80665, e = 0.8, W = 10 * std::numbers::pi;
    const double p = std::acos(g * 0.1 * (1 - e) / (1 + e) / (A * W)) - std::numbers::pi;
    const auto plate = [&](double t) { return A * std::sin(W * t + p); };
    double t = 0, y = A * std::sin(p + std::numbers::pi) + g * 0.04 / 8, v = 0, a = 1, b = 0;
    std::vector<double> growth, lengths;
    while (t < end) {
        const auto gap = [&](double s) { return y + v * s - g / 2 * s * s - plate(t + s); };
        double low = 1e-7, high = low;  // just after an impact the gap grows
        while (gap(high) > 0) high = (low = high) + 1e-4;
        for (int i = 0; i < 60; ++i)
            (gap(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
        y += v * high - g / 2 * high * high;
        v -= g * high;
        t += high;
        a += b * high;
        const double w = A * W * std::cos(W * t + p), u = v - w,
                     push = -A * W * W * std::sin(W * t + p);
        v = w - e * u;
        b = -(1 + e) * (g + push) / u * a - e * b;
        a *= -e;
        const double norm = std::hypot(a, 0.1 * b);
        a /= norm;
        b /= norm;
        if (t < after) continue;
        growth.push_back(std::log(norm));
        lengths.push_back(high);
    }
    return rate_of_growth(growth, lengths, 20);
}

TEST(Lyapunov, exponent_of_chaos_with_impacts_is_that_of_the_jump_matrices) {
    const PlacedMechanism placed =
        test::placed_of(test::embedded_text("bouncing_on_plate"), {{"A", "25 mm"}});
    LyapunovOptions options;
    options.after = 10;
    options.end = 310;
    options.window = 0.37;
    const LyapunovResult found = largest_exponent(placed, accurate(0.05), options);
    ASSERT_EQ(found.status, DynamicStatus::completed) << found.message;
    const auto [exact, error] = exponent_by_jump_matrices(0.025, 10, 3010);
    EXPECT_NEAR(found.exponent, exact, found.error + error);
    EXPECT_GT(exact, 10 * error);
    EXPECT_LT(found.error, 0.15 * exact);
}

TEST(Lyapunov, a_motion_given_by_drivers_alone_has_none) {
    const PlacedMechanism placed = test::placed_of(test::fourbar());
    LyapunovOptions options;
    const LyapunovResult found = largest_exponent(placed, accurate(0.01), options);
    EXPECT_NE(found.status, DynamicStatus::completed);
}

// A pendulum at its highest place leaves it as exp(sqrt(g/L) t).
TEST(Lyapunov, exponent_of_a_pendulum_upside_down_is_its_rate_of_falling) {
    const PlacedMechanism placed = test::placed_of(R"(
format = 1
body.bob = { angle = "90 deg", mass = 1, centre = [0.5, 0] }
joint.O = { type = "revolute", a = "ground", b = "bob" }
force.weight = { type = "gravity" }
)");
    LyapunovOptions options;
    options.end = 2;
    options.window = 0.05;
    const LyapunovResult found = largest_exponent(placed, accurate(0.05), options);
    ASSERT_EQ(found.status, DynamicStatus::completed) << found.message;
    const double exact = std::sqrt(9.81 / 0.5);
    // Rounding of the start, 6e-17 of an angle, has grown by exp(8.9) = 7000 at the end. The first
    // windows hold the part that decays: it is in the error.
    EXPECT_NEAR(found.exponent, exact, found.error);
    EXPECT_LT(found.error, 0.1 * exact);
    EXPECT_NEAR(found.growth.back() / found.lengths.back(), exact, 1e-6 * exact);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
