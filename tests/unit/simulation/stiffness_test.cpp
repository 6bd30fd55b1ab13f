// A run whose integrator is left open goes on with the implicit one where stability binds the steps
// of the explicit one, and back again where that pays.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "output/result/result_folder.h"
#include "output/result/summary.h"
#include "simulation/dynamic/dynamic_simulation.h"
#include "simulation/run_options.h"
#include "simulation/stepping/stiffness_watch.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A disk on a floor of 1e7 N/m and 2e4 N s/m, whose time constants are 2 ms and 0.05 ms, under a
// load that changes within seconds; at `lift` it is drawn away.
std::string pressed(const std::string& lift) {
    return R"#(format = 1
[body.disk]
position = [0, 0.1]
points = { O = [0, 0] }
mass = 1
inertia = 0.005
[profile.disk]
body = "disk"
elements = [{ type = "circle", radius = 0.1 }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [1, 0], to = [-1, 0] }]
[contact.C]
a = "floor"
b = "disk"
law = "kelvin_voigt"
stiffness = 1e7
damping = 2e4
[force.weight]
type = "gravity"
[force.load]
type = "force"
point = "disk.O"
y = "if(t < )#" +
           lift + R"#(, -20 - 10*sin(2*t), 30)"
[run]
analysis = "dynamics"
end = 2
step = 0.05
)#";
}

DynamicResult run_with(const std::string& text, const std::string& integrator) {
    const ModelData model = test::model_of(text);
    DynamicOptions options = dynamic_options(model.run);
    options.integrator = named<Integrator>(integrator).value();
    return run_dynamics(test::placed_of(text), options);
}

TEST(Stiffness, a_stiff_contact_is_passed_with_a_tenth_of_the_work) {
    const std::string text = pressed("10 s");
    const DynamicResult open = run_with(text, "auto"), given = run_with(text, "dop853");
    ASSERT_EQ(open.status, DynamicStatus::completed) << open.message;
    EXPECT_LT(10 * open.statistics.evaluations, given.statistics.evaluations);
    ASSERT_EQ(open.integrator_changes.size(), 1u);
    EXPECT_TRUE(open.integrator_changes[0].to_implicit);
    EXPECT_EQ(integrators_of(open), "dop853, stiff");
    EXPECT_TRUE(open.audit.passed());
    ASSERT_EQ(open.events.size(), given.events.size());
    EXPECT_NEAR(open.last.state.q[1], given.last.state.q[1], 1e-10);
    // What the user has chosen stays, with a warning.
    EXPECT_TRUE(given.integrator_changes.empty());
    EXPECT_EQ(given.integrator, Integrator::dop853);
    ASSERT_EQ(given.warnings.size(), 1u);
    EXPECT_NE(given.warnings[0].find("the model is stiff"), std::string::npos);
}

TEST(Stiffness, the_explicit_integrator_goes_on_when_the_contact_opens) {
    const DynamicResult result = run_with(pressed("1 s"), "auto");
    ASSERT_EQ(result.integrator_changes.size(), 2u);
    EXPECT_TRUE(result.integrator_changes[0].to_implicit);
    EXPECT_FALSE(result.integrator_changes[1].to_implicit);
    EXPECT_EQ(result.integrator_changes[1].t, result.events.back().t);
    EXPECT_EQ(result.events.back().kind, EventKind::contact_lost);
    const DynamicResult given = run_with(pressed("1 s"), "dop853");
    // A step may be wrong by 1e-9 of the size, 2 m; the disk rises by some 0.1 m/s.
    EXPECT_NEAR(result.events.back().t, given.events.back().t, 2e-8);
    EXPECT_NEAR(result.last.state.q[1], given.last.state.q[1], 1e-7);
    EXPECT_TRUE(result.audit.passed());
}

TEST(Stiffness, a_run_that_is_cut_goes_on_with_the_same_bits_and_the_same_integrator) {
    const ModelData model = test::model_of(pressed("1 s"));
    DynamicSimulation whole(model);
    int steps = 0;
    while (whole.step()) ++steps;
    const std::string bytes = csv(whole.finish().trajectory);
    for (int cut = 1; cut < steps; cut += 7) {
        DynamicSimulation first(model), second(model);
        for (int i = 0; i < cut; ++i) first.step();
        ASSERT_TRUE(second.restore(first.save()));
        while (second.step()) {
        }
        EXPECT_EQ(csv(second.finish().trajectory), bytes) << cut;
    }
}

TEST(Stiffness, what_is_not_stiff_is_left_to_the_explicit_integrator) {
    for (const char* name : {"rod_linkage", "bouncing_ball", "two_pendulums_compliant"}) {
        const DynamicResult result = run_with(std::string(test::embedded_text(name)), "auto");
        EXPECT_TRUE(result.integrator_changes.empty()) << name;
    }
}

// Steps that are bound, of 1 ms at 12 evaluations; implicit ones of a size at 40.
TEST(Stiffness, a_trial_that_is_not_worth_it_is_repeated_after_longer_and_longer_waits) {
    StiffnessWatch watch;
    std::vector<int> waits;
    for (int explicit_steps = 0, i = 0; i < 20000; ++i) {
        if (!watch.is_implicit()) {
            watch.see(1e-3, 12, true);
            ++explicit_steps;
        } else {
            if (explicit_steps > 0) waits.push_back(explicit_steps);
            explicit_steps = 0;
            watch.see(2e-3, 40, false);  // twice the step, more than three times the work
        }
    }
    ASSERT_GE(waits.size(), 4u);
    EXPECT_LT(waits[0], 10);
    for (std::size_t i = 2; i < waits.size(); ++i) EXPECT_GT(waits[i], 3 * waits[i - 1]);
}

TEST(Stiffness, the_implicit_integrator_stays_while_it_is_worth_it_and_is_compared_now_and_then) {
    StiffnessWatch watch;
    int implicit_steps = 0, changes = 0;
    bool was = false;
    for (int i = 0; i < 20000; ++i) {
        watch.see(watch.is_implicit() ? 0.1 : 1e-3, watch.is_implicit() ? 40 : 12, true);
        implicit_steps += watch.is_implicit();
        changes += watch.is_implicit() != was;
        was = watch.is_implicit();
    }
    EXPECT_GT(implicit_steps, 19900);
    EXPECT_GT(changes, 3);
    EXPECT_LT(changes, 12);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
