// The length of the steps does not decide which contacts are found: a ball that bounces on a disk
// in free flights of any length, and the examples with steps as long as they like and of 1 ms.
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "laws/outlines.h"
#include "simulation/dynamic/dynamic_simulation.h"
#include "support/bowl.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/runs.h"
#include "support/soak.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A ball falls from the height h on a fixed disk: impact n at t1 (1 + 2 (e + ... + e^n)), with t1 =
// sqrt(2 h / g), and rest from t1 (1 + e) / (1 - e) on. Nothing but the impacts ends a step.
void judge_ball_on_disk(double disk, double ball, double h, double e) {
    SCOPED_TRACE(fmt::format("disk {}, ball {}, height {}, e {}", disk, ball, h, e));
    const PlacedMechanism placed = test::placed_of(fmt::format(
        "format = 1\n[body.ball]\nposition = [0, {:.17g}]\nmass = 1\ninertia = 0.001\n"
        "[profile.disk]\nbody = \"ground\"\nelements = [{{ type = \"circle\", radius = {:.17g} "
        "}}]\n"
        "[profile.ball]\nbody = \"ball\"\nelements = [{{ type = \"circle\", radius = {:.17g} }}]\n"
        "[contact.C]\na = \"disk\"\nb = \"ball\"\nrestitution = {:.17g}\n"
        "[force.weight]\ntype = \"gravity\"\n",
        disk + ball + h, disk, ball, e));
    DynamicOptions options;
    options.end = options.step = 20;
    const DynamicResult result = run_dynamics(placed, options);
    ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
    double expected = 0, flight = std::sqrt(2 * h / 9.81);
    std::size_t impacts = 0;
    for (const Event& event : result.events) {
        if (event.kind != EventKind::impact) continue;
        expected += flight;
        flight *= impacts == 0 ? 2 * e : e;
        // Each impact is timed to rounding; the speeds carry it on.
        EXPECT_NEAR(event.t, expected, 1e-10) << "impact " << impacts;
        ++impacts;
    }
    EXPECT_GE(impacts, 3u);
    const auto& last = result.trajectory;
    EXPECT_NEAR(test::value(last, last.rows() - 1, "ball.y"), disk + ball, 1e-9);
}

TEST(SameEvents, ball_does_not_fall_through_a_disk) {
    judge_ball_on_disk(0.1, 0.05, 3, 0.5);
    test::Random random(15);
    for (int i = 0; i < test::soaked(40); ++i)
        judge_ball_on_disk(std::pow(10, random.between(-2, 0)), std::pow(10, random.between(-2, 0)),
                           random.between(0.1, 5), random.between(0.2, 0.7));
}

// Flights in a bowl are found one by one however far the end is: free flight gives no reason to end
// a step before it.
TEST(SameEvents, end_of_the_run_does_not_matter) {
    const PlacedMechanism placed = test::placed_of(test::ball_in_a_bowl);
    std::vector<std::vector<double>> times;
    for (const double end : {20.0, 1e3, 1e6, 1e9, 1e12}) {
        DynamicOptions options;
        options.end = options.step = end;
        DynamicSimulation simulation(placed, options);
        simulation.advance_to(20);
        auto& of_this = times.emplace_back();
        for (const Event& event : simulation.so_far().events)
            if (event.kind == EventKind::impact) of_this.push_back(event.t);
        ASSERT_GT(of_this.size(), 20u) << end;
        for (std::size_t i = 0; i < std::min(of_this.size(), times[0].size()); ++i)
            // It is a billiard: errors grow from impact to impact.
            EXPECT_NEAR(of_this[i], times[0][i], 1e-13 * std::pow(3, i)) << end << ", " << i;
    }
}

class SameEventsOfExamples : public test::Program {
protected:
    struct Happening {
        double t = 0;
        std::string what;
    };
    // Time, kind and place of each event.
    [[nodiscard]] std::vector<Happening> events(const std::string& model,
                                                const std::vector<std::string>& more) const {
        std::vector<std::string> words{"run", test::source_dir + "/models/" + model + ".toml",
                                       "--out", "r"};
        words.insert(words.end(), more.begin(), more.end());
        const auto outcome = run(words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::istringstream table(text("r/events.csv"));
        std::vector<Happening> found;
        std::string line;
        std::getline(table, line);
        while (std::getline(table, line)) {
            const auto first = line.find(','), second = line.find(',', first + 1),
                       third = line.find(',', second + 1);
            found.push_back({std::stod(line), line.substr(first + 1, third - first - 1)});
        }
        return found;
    }
};

// Those that take long are left out (escapement, rocking_block_rough, the plays of bearings), and
// Newton's cradle, where it is a matter of rounding which of the balls at rest press each other.
TEST_F(SameEventsOfExamples, with_steps_of_any_length) {
    for (const char* model : {"bouncing_ball",
                              "bouncing_on_plate",
                              "bowling_disk",
                              "cam_arcs",
                              "cam_arcs_free",
                              "cam_flat",
                              "cam_liftoff",
                              "cam_polynomial",
                              "double_pendulum_impact",
                              "falling_dominoes",
                              "geneva",
                              "ladder_wall",
                              "marble_run",
                              "painleve_rod",
                              "ratchet",
                              "rocking_block",
                              "rolling_disk",
                              "rough_pendulum_impact",
                              "slider_fourbar",
                              "struck_rod",
                              "toggle_latch",
                              "trigger",
                              "two_pendulums",
                              "two_pendulums_compliant",
                              "wedge"}) {
        SCOPED_TRACE(model);
        const auto free = events(model, {}),
                   fine = events(model, {"--set", "run.largest_step=1 ms"});
        ASSERT_EQ(free.size(), fine.size());
        for (std::size_t i = 0; i < free.size(); ++i) {
            EXPECT_EQ(free[i].what, fine[i].what) << "event " << i;
            // The error of integration, rtol 1e-9, carried on by impacts.
            EXPECT_NEAR(free[i].t, fine[i].t, 1e-8) << "event " << i << ", " << free[i].what;
        }
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
