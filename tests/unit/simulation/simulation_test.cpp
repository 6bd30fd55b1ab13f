// A simulation whose values are set on the way: the motion against closed forms, what becomes of
// contacts and friction, what is refused, and that saving, restoring and starting again keep it.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "output/result/result_folder.h"
#include "simulation/dynamic/dynamic_simulation.h"
#include "simulation/run_options.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A mass of 2 kg on a spring, let go 0.1 m from rest; a force along its guide.
const std::string oscillator = R"(format = 1
[parameters]
k = "100 N/m"
double_k = "2*k"
m = "2 kg"
[inputs]
push = "0 N"
[body.slider]
position = [0.1, 0]
mass = "m"
inertia = 1
[joint.G]
type = "prismatic"
a = "ground"
b = "slider"
[force.spring]
type = "joint_spring"
joint = "G"
stiffness = "k"
free_value = 0
[force.push]
type = "joint_force"
joint = "G"
value = "push"
[run]
analysis = "dynamics"
end = 2
step = 0.05
)";

std::string bytes_of(const DynamicResult& result) {
    std::string bytes = csv(result.trajectory) + csv(result.events) + result.message;
    for (const AuditCheck& c : result.audit.checks)
        bytes += fmt::format("{} {} {}\n", c.name, c.worst.value, c.worst.t);
    return bytes;
}

std::string failed_checks(const DynamicResult& result) {
    std::string failed;
    for (const AuditCheck& c : result.audit.checks)
        if (!c.passed())
            failed += fmt::format("{}: {} > {} at {}\n", c.name, c.worst.value, c.limit, c.worst.t);
    return failed;
}

DynamicResult rest_of(DynamicSimulation& simulation) {
    while (simulation.step()) {
    }
    return simulation.finish();
}

bool set(DynamicSimulation& simulation, std::string_view name, std::string_view value) {
    Diagnostics diagnostics;
    const bool done = simulation.set(name, value, diagnostics);
    EXPECT_EQ(diagnostics.text(), "");
    return done;
}

std::string refusal(DynamicSimulation& simulation, std::string_view name, std::string_view value) {
    Diagnostics diagnostics;
    EXPECT_FALSE(simulation.set(name, value, diagnostics)) << name;
    return diagnostics.text();
}

std::vector<Event> of_kind(const std::vector<Event>& events, EventKind kind) {
    std::vector<Event> found;
    for (const Event& e : events)
        if (e.kind == kind) found.push_back(e);
    return found;
}

TEST(DynamicSimulation, a_spring_that_becomes_stiffer_on_the_way_moves_as_the_closed_form) {
    DynamicSimulation simulation(test::model_of(oscillator));
    const double t1 = 0.3, end = 2, slow = std::sqrt(50.0), fast = std::sqrt(200.0);
    ASSERT_TRUE(simulation.advance_to(t1));
    ASSERT_TRUE(set(simulation, "k", "400 N/m"));
    EXPECT_EQ(simulation.time(), t1);
    const DynamicResult result = rest_of(simulation);
    const double x1 = 0.1 * std::cos(slow * t1), v1 = -0.1 * slow * std::sin(slow * t1);
    const double tau = end - t1;
    const double x = x1 * std::cos(fast * tau) + v1 / fast * std::sin(fast * tau);
    EXPECT_NEAR(result.last.state.q[0], x, 1e-8);
    const auto events = of_kind(result.events, EventKind::user);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].t, t1);
    EXPECT_EQ(events[0].element, "k");
    EXPECT_EQ(events[0].from, "100 N/m");
    EXPECT_EQ(events[0].to, "400 N/m");
    EXPECT_NEAR(events[0].energy_change, 0.5 * 300 * x1 * x1, 1e-9);
    EXPECT_EQ(failed_checks(result), "");
}

TEST(DynamicSimulation, inputs_push_from_the_time_on_that_was_advanced_to) {
    const std::string free =
        std::string(oscillator).replace(oscillator.find("100 N/m"), 7, "0 N/m");
    DynamicSimulation simulation(test::model_of(free));
    // A bang-bang rest-to-rest move of 0.5 m with 1 m/s^2 over sqrt(2) s.
    Diagnostics diagnostics;
    ASSERT_TRUE(simulation.set("push", 2.0, diagnostics));
    simulation.advance_to(std::sqrt(0.5));
    ASSERT_TRUE(simulation.set("push", -2.0, diagnostics));
    simulation.advance_to(std::sqrt(2.0));
    ASSERT_TRUE(simulation.set("push", 0.0, diagnostics));
    EXPECT_EQ(diagnostics.text(), "");
    const DynamicResult result = rest_of(simulation);
    EXPECT_NEAR(result.last.state.q[0], 0.6, 1e-9);
    EXPECT_NEAR(result.last.state.v[0], 0, 1e-9);
    // The one before the start is no event.
    EXPECT_EQ(of_kind(result.events, EventKind::user).size(), 2u);
    EXPECT_EQ(failed_checks(result), "");
}

// A block on a floor, which friction holds until something pulls harder.
const std::string block = R"(format = 1
[parameters]
mu = 0.5
[inputs]
pull = "0 N"
lift = "0 N"
[body.block]
position = [0, 0.1]
points = { centre = [0, 0] }
mass = 1
inertia = 0.01
[profile.block]
body = "block"
closed = true
elements = [
  { type = "line", from = [-0.1, -0.1], to = [0.1, -0.1] },
  { type = "line", from = [0.1, -0.1], to = [0.1, 0.1] },
  { type = "line", from = [0.1, 0.1], to = [-0.1, 0.1] },
  { type = "line", from = [-0.1, 0.1], to = [-0.1, -0.1] }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [20, 0], to = [-20, 0] }]
[contact.C]
a = "floor"
b = "block"
friction = { kinetic = "mu" }
[force.weight]
type = "gravity"
acceleration = [0, -10]
[force.pull]
type = "force"
point = "block.centre"
x = "pull"
y = "lift"
[run]
analysis = "dynamics"
end = 1
step = 0.1
)";

TEST(DynamicSimulation, a_block_at_rest_slips_when_an_input_pulls_harder_than_its_friction) {
    DynamicSimulation simulation(test::model_of(block));
    simulation.advance_to(0.2);
    ASSERT_TRUE(set(simulation, "pull", "4 N"));  // it still sticks
    simulation.advance_to(0.4);
    ASSERT_TRUE(set(simulation, "pull", "6 N"));  // 1 m/s^2
    simulation.advance_to(0.6);
    ASSERT_TRUE(set(simulation, "pull", "3 N"));  // -2 m/s^2: at rest 0.1 s later
    const DynamicResult result = rest_of(simulation);
    const auto slips = of_kind(result.events, EventKind::slip);
    ASSERT_FALSE(slips.empty());
    EXPECT_EQ(slips.front().t, 0.4);
    const auto sticks = of_kind(result.events, EventKind::stick);
    ASSERT_FALSE(sticks.empty());
    EXPECT_NEAR(sticks.back().t, 0.7, 1e-8);
    EXPECT_NEAR(result.last.state.q[0], 0.02 + 0.01, 1e-8);
    EXPECT_EQ(failed_checks(result), "");
}

TEST(DynamicSimulation, less_friction_lets_a_block_slip_and_a_lift_opens_its_contact) {
    DynamicSimulation simulation(test::model_of(block));
    ASSERT_TRUE(set(simulation, "pull", "4 N"));
    simulation.advance_to(0.25);
    ASSERT_TRUE(set(simulation, "mu", "0.2"));  // 2 m/s^2
    simulation.advance_to(0.5);
    ASSERT_TRUE(set(simulation, "lift", "12 N"));  // 2 m/s^2 upwards, 4 m/s^2 along
    const DynamicResult result = rest_of(simulation);
    ASSERT_FALSE(of_kind(result.events, EventKind::slip).empty());
    EXPECT_EQ(of_kind(result.events, EventKind::slip).front().t, 0.25);
    const auto lost = of_kind(result.events, EventKind::contact_lost);
    ASSERT_FALSE(lost.empty());
    EXPECT_EQ(lost.front().t, 0.5);
    EXPECT_NEAR(result.last.state.q[1], 0.1 + 0.5 * 2 * 0.25, 1e-8);
    EXPECT_NEAR(result.last.state.q[0], 0.0625 + 0.5 * 0.5 + 0.5 * 4 * 0.25, 1e-8);
    EXPECT_EQ(failed_checks(result), "");
}

TEST(DynamicSimulation, what_cannot_change_on_the_way_is_refused_by_name) {
    DynamicSimulation simulation(test::model_of(oscillator));
    simulation.advance_to(0.3);
    EXPECT_NE(refusal(simulation, "pusch", "1 N")
                  .find("no parameter or input 'pusch'; did you "
                        "mean 'push'?"),
              std::string::npos);
    EXPECT_NE(refusal(simulation, "m", "3 kg").find("body 'slider', mass depends on it"),
              std::string::npos);
    EXPECT_NE(refusal(simulation, "push", "3 m").find("force 'push', value"), std::string::npos);
    EXPECT_NE(refusal(simulation, "k", "3 kg").find("stiffness"), std::string::npos);
    EXPECT_NE(refusal(simulation, "double_k", "1 NN").find("NN"), std::string::npos);
    Diagnostics diagnostics;
    EXPECT_FALSE(simulation.set("push", NAN, diagnostics));
    // Nothing of that has ended a step or left a trace.
    DynamicSimulation untouched(test::model_of(oscillator));
    EXPECT_EQ(bytes_of(rest_of(simulation)), bytes_of(rest_of(untouched)));
}

TEST(DynamicSimulation, a_driver_that_would_jump_is_refused_and_one_that_goes_on_smoothly_is_not) {
    const std::string driven = R"(format = 1
[parameters]
a = "1 rad/s"
b = "0 rad/s^2"
[body.crank]
mass = 1
inertia = 1
[joint.O]
type = "revolute"
a = "ground"
b = "crank"
[driver.motor]
joint = "O"
type = "expression"
value = "a*t + b*max(t - 0.5 s, 0 s)^2"
[run]
analysis = "dynamics"
end = 1
step = 0.1
)";
    DynamicSimulation simulation(test::model_of(driven));
    simulation.advance_to(0.5);
    EXPECT_NE(refusal(simulation, "a", "2 rad/s").find("driver 'motor' would jump from 0.5 to 1"),
              std::string::npos);
    ASSERT_TRUE(set(simulation, "b", "3 rad/s^2"));
    const DynamicResult result = rest_of(simulation);
    EXPECT_NEAR(result.last.state.q[0], 1 + 3 * 0.25, 1e-9);
    EXPECT_EQ(failed_checks(result), "");
}

TEST(DynamicSimulation, an_input_is_for_forces_and_states_only) {
    Diagnostics diagnostics;
    const std::string wrong =
        std::string(oscillator).replace(oscillator.find("\"m\""), 3, "\"push\"");
    EXPECT_FALSE(read_model(wrong, "test.toml", {}, diagnostics));
    EXPECT_NE(diagnostics.text().find("the input 'push' can be used only in forces and states"),
              std::string::npos);
    Diagnostics twice;
    EXPECT_FALSE(read_model(oscillator + "[state.push]\nrate = \"1\"\n", "test.toml", {}, twice));
    EXPECT_NE(twice.text().find("there is an input of this name"), std::string::npos);
}

// What is set, in what order, and where it is cut.
DynamicResult pulled(bool save_before, bool save_after, int looks) {
    auto simulation = std::make_unique<DynamicSimulation>(test::model_of(block));
    const auto cut = [&] {
        const std::string saved = simulation->save();
        simulation = std::make_unique<DynamicSimulation>(test::model_of(block));
        EXPECT_TRUE(simulation->restore(saved));
        EXPECT_EQ(simulation->save(), saved);
    };
    for (int i = 1; i < 8; ++i) {
        for (int k = 1; k <= looks; ++k) {
            simulation->advance_to(0.1 * (i - 1) + 0.1 * k / looks);
            EXPECT_GE(simulation->state_at(0.1 * (i - 1) + 0.1 * k / looks).t, 0);
        }
        simulation->advance_to(0.1 * i);
        if (save_before) cut();
        EXPECT_TRUE(set(*simulation, "pull", std::to_string(i % 3 * 4) + " N"));
        if (i == 4) {
            EXPECT_TRUE(set(*simulation, "mu", "0.3"));
        }
        if (save_after) cut();
    }
    return rest_of(*simulation);
}

TEST(DynamicSimulation, that_was_changed_goes_on_with_the_same_bits_wherever_it_is_cut) {
    const std::string whole = bytes_of(pulled(false, false, 1));
    EXPECT_EQ(bytes_of(pulled(true, false, 1)), whole);
    EXPECT_EQ(bytes_of(pulled(false, true, 1)), whole);
    EXPECT_EQ(bytes_of(pulled(true, true, 7)), whole);
}

TEST(DynamicSimulation, reset_begins_again_with_the_values_that_are_named) {
    DynamicSimulation simulation(test::model_of(oscillator));
    const std::string first = bytes_of(rest_of(simulation));
    DynamicSimulation stiffer(test::model_of(oscillator, {{"k", "300 N/m"}, {"m", "1 kg"}}));
    const std::string other = bytes_of(rest_of(stiffer));
    EXPECT_NE(first, other);
    Diagnostics diagnostics;
    ASSERT_TRUE(simulation.reset({{"k", "300 N/m"}, {"m", "1 kg"}}, diagnostics));
    simulation.advance_to(0.3);
    EXPECT_TRUE(set(simulation, "k", "1 N/m"));
    simulation.advance_to(0.4);
    simulation.reset();  // undoes what was set, not what it began with
    EXPECT_EQ(bytes_of(rest_of(simulation)), other);
    EXPECT_FALSE(simulation.reset({{"m", "-1 kg"}}, diagnostics));
    EXPECT_TRUE(diagnostics.has_errors());
    Diagnostics none;
    ASSERT_TRUE(simulation.reset({}, none));
    EXPECT_EQ(bytes_of(rest_of(simulation)), first);
}

TEST(DynamicSimulation, of_a_model_that_cannot_be_assembled_takes_no_step_and_has_the_reason) {
    const ModelData model = test::model_of(test::fourbar(), {{"r", "3"}});
    DynamicSimulation simulation(model);
    EXPECT_FALSE(simulation.step());
    const DynamicResult result = simulation.finish();
    EXPECT_EQ(result.status, DynamicStatus::refused);
    EXPECT_NE(result.message, "");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
