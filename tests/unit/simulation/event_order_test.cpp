// Events are told in the order of their times, also where a contact forms at the limit of impacts
// that accumulate and something else happens before that limit.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "simulation/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace {

constexpr double g = 9.81, height = 9;  // m/s^2, m

std::string ball(const std::string& name, const std::string& position, double speed) {
    return "[body." + name + "]\nposition = " + position + "\nvelocity = [0, \"" +
           std::to_string(1e6 * speed) + "e-6 m/s\"]\nmass = 1\ninertia = 0.004\n[profile." + name +
           "]\nbody = \"" + name +
           "\"\nelements = [{ type = \"circle\", radius = 0.1 }]\n[contact.C" + name +
           "]\na = \"floor\"\nb = \"" + name + "\"\nrestitution = 0.5\n";
}

// A ball let go at 1 m, and one thrown up at 9 m.
DynamicResult dropped(double speed) {
    DynamicOptions options;
    options.end = 1.5;
    return run_dynamics(test::placed_of(R"(format = 1
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [2, 0], to = [-2, 0] }]
[force.weight]
type = "gravity"
)" + ball("A", "[-1, 1.1]", 0) + ball("B", "[1, 9.1]", speed)),
                        options);
}

// The second ball comes down while the first one makes its last small hops.
TEST(EventOrder, impact_before_the_limit_of_others_is_told_after_the_contact_it_cuts_short) {
    const DynamicResult apart = dropped(5);  // comes down at 2 s
    const auto& told = apart.events;
    ASSERT_EQ(told.back().kind, EventKind::contact_formed);
    const double begins = told[told.size() - 2].t, limit = told.back().t;
    ASSERT_LT(begins, limit);
    const double strikes = 0.5 * (begins + limit);
    const DynamicResult both = dropped(0.5 * g * strikes - height / strikes);
    ASSERT_EQ(both.status, DynamicStatus::completed) << both.message;
    const auto& events = both.events;
    EXPECT_TRUE(std::is_sorted(events.begin(), events.end(),
                               [](const Event& a, const Event& b) { return a.t < b.t; }));
    const auto of = [&](EventKind kind, const char* element) {
        return std::find_if(events.begin(), events.end(),
                            [&](const Event& e) { return e.kind == kind && e.element == element; });
    };
    const auto forms = of(EventKind::contact_formed, "CA#1"),
               struck = of(EventKind::impact, "CB#1");
    ASSERT_NE(forms, events.end());
    ASSERT_NE(struck, events.end());
    ASSERT_LT(struck->t, limit);
    EXPECT_LT(forms, struck);
    EXPECT_LE(forms->t, struck->t);
}

}  // namespace
}  // namespace pawl
