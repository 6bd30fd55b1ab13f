// What rows of the verification manual read from a run, on a hand-made one: y = cos t until the
// event at t = 1.7, soon after a change of sign; then a parabola whose lowest point follows soon.
#include "verification/verification_column.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double step = 0.1;
constexpr double jump = 17 * step;
constexpr double lowest = 1.93;
double parabola(double t) { return 1 + (t - lowest) * (t - lowest); }
// Error of the polynomial of degree 6 through samples of cos t: below step^7/7 for its slope.
constexpr double interpolation = 1e-7 / 7;

struct HandMadeRun {
    Trajectory trajectory;
    std::vector<Event> events;

    HandMadeRun() {
        trajectory.columns = {{"t", "s"}, {"y", "m"}};
        const auto add = [&](double t, double y) { trajectory.add(std::vector<double>{t, y}); };
        for (int i = 0; i <= 17; ++i) add(i * step, std::cos(i * step));
        for (int i = 17; i <= 40; ++i) add(i * step, parabola(i * step));
        events.push_back({1, EventKind::transition, "C#1", "", "", 0, 0, 0, 0, {}});
        events.push_back({1.5, EventKind::transition, "D#1", "", "", 0, 0, 0, 0, {}});
        events.push_back({jump, EventKind::impact, "C#1", "", "", -3, 0.5, 7, -2, {}});
        events.push_back({jump, EventKind::contact_formed, "C#1", "", "", 0, 0, 0, 0, {}});
        events.push_back({3.05, EventKind::transition, "C#1", "", "", 0, 0, 0, 0, {}});
    }

    double operator()(std::string_view column, double at = 0, std::string_view unit = "m") {
        note.clear();
        return column_value(trajectory, events, column, at, unit, note);
    }
    std::string note;
};

TEST(VerificationColumn, event_is_found_by_kind_element_and_number) {
    HandMadeRun run;
    EXPECT_EQ(run("t@transition:C#1:1", 0, "s"), 1);
    EXPECT_EQ(run("t@transition:C#1:2", 0, "s"), 3.05);
    EXPECT_EQ(run("t@transition:D#1:1", 0, "s"), 1.5);
    EXPECT_EQ(run("t@transition:D#1", 0, "s"), 1.5);
    EXPECT_EQ(run("t@transition:2", 0, "s"), 1.5);
    EXPECT_EQ(run("t@impact", 0, "ms"), 1000 * jump);
}

TEST(VerificationColumn, event_gives_what_is_recorded_with_it) {
    HandMadeRun run;
    EXPECT_EQ(run("impulse@impact:C#1:1", 0, "N s"), 7);
    EXPECT_EQ(run("energy_change@impact:C#1:1", 0, "J"), -2);
    EXPECT_EQ(run("normal_velocity_before@impact:C#1:1", 0, "m/s"), -3);
    EXPECT_EQ(run("normal_velocity_after@impact:C#1:1", 0, "cm/s"), 50);
}

TEST(VerificationColumn, column_at_an_event_has_a_value_before_and_after) {
    HandMadeRun run;
    EXPECT_EQ(run("y-@impact:C#1:1"), std::cos(jump));
    EXPECT_EQ(run("y+@impact:C#1:1"), parabola(jump));
    EXPECT_EQ(run("y+@contact_formed:C#1:1", 0, "mm"), 1000 * parabola(jump));
}

TEST(VerificationColumn, events_are_counted) {
    HandMadeRun run;
    EXPECT_EQ(run("count@transition:C#1", 0, "1"), 2);
    EXPECT_EQ(run("count@transition", 0, "1"), 3);
    EXPECT_EQ(run("count@contact_lost:C#1", 0, "1"), 0);
    EXPECT_TRUE(run.note.empty());
}

TEST(VerificationColumn, what_is_not_there_is_not_a_number_and_says_why) {
    HandMadeRun run;
    for (const char* column :
         {"t@transition:C#1:3", "t@stick:C#1:1", "y-@transition:C#1:2", "z-@impact:C#1:1",
          "mass@impact:C#1:1", "@impact:C#1:1", "z", "zero:y:3", "median:y", "min:z"}) {
        EXPECT_TRUE(std::isnan(run(column))) << column;
        EXPECT_FALSE(run.note.empty()) << column;
    }
    EXPECT_TRUE(std::isnan(run("max:y", 10)));
    EXPECT_FALSE(run.note.empty());
}

TEST(VerificationColumn, change_of_sign_lies_on_the_curve_through_the_samples) {
    HandMadeRun run;
    EXPECT_NEAR(run("zero:y:1", 0, "s"), std::numbers::pi / 2, interpolation);
}

TEST(VerificationColumn, change_of_sign_in_a_jump_is_at_the_event) {
    HandMadeRun run;
    EXPECT_EQ(run("zero:y:2", 0, "s"), jump);
}

TEST(VerificationColumn, extremum_lies_between_samples_and_counts_from_a_time_on) {
    HandMadeRun run;
    run.trajectory = {};
    run.trajectory.columns = {{"t", "s"}, {"y", "m"}};
    for (int i = 0; i <= 100; ++i)
        run.trajectory.add(std::vector<double>{i * step, std::sin(i * step)});
    EXPECT_NEAR(run("max_at:y", 0, "s"), 0.5 * std::numbers::pi, interpolation);
    EXPECT_NEAR(run("max_at:y", 5, "s"), 2.5 * std::numbers::pi, interpolation);
    EXPECT_NEAR(run("max:y"), 1, interpolation);
    EXPECT_NEAR(run("min:y", 0, "mm"), -1000, 1000 * interpolation);
    EXPECT_EQ(run("max:y", 8), std::sin(8.));  // falling from there on
}

TEST(VerificationColumn, samples_before_a_jump_have_no_part_in_an_extremum_after_it) {
    HandMadeRun run;
    EXPECT_NEAR(run("min_at:y", 1.75, "s"), lowest, interpolation);
    EXPECT_NEAR(run("min:y", 1.75), 1, interpolation);
}

TEST(VerificationColumn, extremum_at_a_jump_is_the_sample_on_its_side) {
    HandMadeRun run;
    EXPECT_EQ(run("min:y"), std::cos(jump));
    EXPECT_EQ(run("min_at:y", 0, "s"), jump);
    EXPECT_EQ(run("max:y"), parabola(4));
    EXPECT_EQ(run("max_at:y", 0, "s"), 4);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
