// What joints and drivers give where velocities jump, and how events tell it.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "output/result/result_folder.h"
#include "output/result/result_reader.h"
#include "results/event_columns.h"
#include "results/event_text.h"
#include "simulation/dynamic/dynamic_simulation.h"
#include "support/runs.h"

namespace pawl {

namespace PAWL_TEST_FILE {

using namespace test;

DynamicResult run(const std::string& text, double end,
                  CoordinateKind coordinates = CoordinateKind::relative) {
    const PlacedMechanism placed = placed_of(text);
    DynamicOptions options;
    options.end = end;
    options.step = end;
    options.coordinates = coordinates;
    return run_dynamics(placed, options);
}

const Event& event_of(const DynamicResult& result, EventKind kind) {
    for (const Event& e : result.events)
        if (e.kind == kind) return e;
    throw std::runtime_error("no such event: " + result.message);
}

double number(const Event& event, const std::string& column) {
    return event_number(event, column).value_or(NAN);
}

// A rod on a pin turns at 2 rad/s and strikes a stop on the ground with its end.
std::string rod(const std::string& more) {
    return R"(
format = 1
[body.rod]
angle = "10 deg"
omega = -2
mass = 3
centre = [0.5, 0]
inertia = 0.25
[joint.O]
type = "revolute"
a = "ground"
b = "rod"
[profile.stop]
body = "ground"
elements = [{ type = "circle", centre = [1, -0.1], radius = 0.1 }]
[profile.side]
body = "rod"
elements = [{ type = "line", from = [0.5, 0], to = [1.5, 0] }]
[contact.C]
a = "stop"
b = "side"
restitution = 0.5
)" + more;
}

// Reference: momentum and constraints of the four-bar solved by hand as one linear system.
TEST(ImpulsiveReactions, given_impulse_on_a_fourbar) {
    const std::string model(embedded_text("struck_fourbar"));
    constexpr double digits = 1e-8;  // of the reference
    for (const CoordinateKind coordinates : both_coordinates) {
        const DynamicResult result = run(model, 0.02, coordinates);
        const Event& hit = event_of(result, EventKind::impulse);
        const auto expect = [&](const std::string& joint, double x, double y) {
            EXPECT_NEAR(number(hit, joint + ".px"), x, digits) << joint << name_of(coordinates);
            EXPECT_NEAR(number(hit, joint + ".py"), y, digits) << joint << name_of(coordinates);
        };
        expect("O", 0.01980611, 0.00070333);
        expect("A", -0.12569422, 0.08470798);
        expect("B", 0.10250588, -0.15424167);
        expect("D", 0.04213351, 0.15980884);
        EXPECT_NE(event_text(hit).find("joint impulses O (0.0198061, 0.000703326) N s"),
                  std::string::npos)
            << event_text(hit);
    }
}

// About the pin: I_O dw = P L, I_O = m L^2/3 = 1 kg m^2, dw = (1 + e) 2 = 3 rad/s, so P = 3 N s up;
// the momentum changes by m dw L/2 = 4.5 N s, of which the pin gives 1.5 N s.
TEST(ImpulsiveReactions, pin_of_a_rod_that_strikes_a_stop) {
    const DynamicResult result = run(rod(""), 0.2);
    const Event& impact = event_of(result, EventKind::impact);
    EXPECT_NEAR(impact.impulse, 3, 1e-9);
    EXPECT_NEAR(number(impact, "O.px"), 0, 1e-7);  // the rod is level to the accuracy of the event
    EXPECT_NEAR(number(impact, "O.py"), 1.5, 1e-9);
}

// The driver keeps the rod's speed: the free ball of 2 kg flies off with (1 + e) times that of the
// rod, and the driver's angular impulse balances the one of the contact.
TEST(ImpulsiveReactions, driver_feels_the_blow) {
    const DynamicResult result = run(R"(
format = 1
[body.rod]
angle = "10 deg"
mass = 1
inertia = 0.1
[joint.O]
type = "revolute"
a = "ground"
b = "rod"
[driver.motor]
joint = "O"
type = "speed"
speed = -2
[body.ball]
position = [1, -0.1]
mass = 2
inertia = 0.01
[profile.rim]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[profile.side]
body = "rod"
elements = [{ type = "line", from = [0.5, 0], to = [1.5, 0] }]
[contact.C]
a = "rim"
b = "side"
restitution = 0.5
)",
                                     0.2);
    const Event& impact = event_of(result, EventKind::impact);
    EXPECT_NEAR(impact.impulse, 2 * 1.5 * 2, 1e-9);
    EXPECT_NEAR(number(impact, "motor.impulse"), -impact.impulse * 1.0, 1e-8);
    EXPECT_NEAR(number(impact, "O.py"), -impact.impulse, 1e-8);
}

// A contact cannot pull: an impulse that lifts a body off acts as on a free one. What presses the
// body in is answered by the contact, with its restitution.
TEST(ImpulsiveReactions, impulse_on_a_body_that_rests_on_the_floor) {
    const auto model = [](const std::string& y) {
        return R"(
format = 1
[body.ball]
mass = 2
inertia = 0.01
position = [0, 0.1]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [5, 0], to = [-5, 0] }]
[profile.rim]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "floor"
b = "rim"
restitution = 0.5
[force.weight]
type = "gravity"
[force.hit]
type = "impulse"
point = "ball"
at = 0.1
x = 0.6
y = )" + y;
    };
    const auto after = [](const DynamicResult& result, const std::string& column) {
        const Trajectory& t = result.trajectory;
        std::size_t row = 0;
        while (row + 1 < t.rows() && t.row(row + 1)[0] <= 0.1) ++row;
        return value(t, row, column);
    };
    for (const auto& [given, expected] : {std::pair{"4", 2.0}, {"-4", 1.0}}) {
        const DynamicResult result = run(model(given), 0.15);
        EXPECT_NEAR(after(result, "ball.vy"), expected, 1e-9) << given;
        EXPECT_NEAR(after(result, "ball.vx"), 0.3, 1e-9) << given;
        EXPECT_TRUE(result.audit.passed());
    }
    // Two at one time, the first of which presses the ball into the floor: 2 N s up remain.
    const DynamicResult both = run(model("-4") + R"(
[force.lift]
type = "impulse"
point = "ball"
at = 0.1
y = 6
)",
                                   0.15);
    EXPECT_NEAR(after(both, "ball.vy"), 1, 1e-9);
    EXPECT_TRUE(both.audit.passed());
}

// Friction takes mu times the normal impulse while the ball goes on sliding.
TEST(ImpulsiveReactions, friction_impulse_is_a_number) {
    const DynamicResult result = run(R"(
format = 1
[body.ball]
mass = 2
inertia = 0.01
position = [0, 0.2]
velocity = [9, -1]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [5, 0], to = [-5, 0] }]
[profile.rim]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "floor"
b = "rim"
restitution = 0.5
friction.kinetic = 0.2
)",
                                     0.2);
    const Event& impact = event_of(result, EventKind::impact);
    EXPECT_NEAR(impact.impulse, 3, 1e-9);
    EXPECT_NEAR(std::abs(number(impact, "friction_impulse")), 0.6, 1e-9);
    EXPECT_FALSE(event_number(impact, "O.px").has_value());
}

// One after the other: a ball strikes the first of two that touch, which strikes the second.
TEST(ImpulsiveReactions, blows_of_a_sequence_are_counted) {
    std::string model = R"(
format = 1
[contact.AB]
a = "A"
b = "B"
restitution = 1
[contact.BC]
a = "B"
b = "C"
restitution = 1
[run]
impacts = "sequential"
)";
    const char* const bodies[] = {"a", "b", "c"};
    const char* const positions[] = {"-0.3", "0", "0.2"};
    for (int i = 0; i < 3; ++i) {
        const std::string name(bodies[i]), rim(1, static_cast<char>('A' + i));
        model += "[body." + name + "]\nmass = 1\ninertia = 0.01\nposition = [" + positions[i] +
                 ", 0]\n" + (i == 0 ? "velocity = [1, 0]\n" : "") + "[profile." + rim +
                 "]\nbody = \"" + name + "\"\nelements = [{ type = \"circle\", radius = 0.1 }]\n";
    }
    const PlacedMechanism placed = placed_of(model);
    DynamicOptions options;
    options.end = options.step = 0.2;
    options.sequential_impacts = true;
    const DynamicResult result = run_dynamics(placed, options);
    const Event& impact = event_of(result, EventKind::impact);
    EXPECT_EQ(number(impact, "blows"), 2);
    EXPECT_NE(event_text(impact).find("sequential, 2 blows"), std::string::npos);
}

TEST(ImpulsiveReactions, table_of_events_has_their_columns_and_is_read_back) {
    const DynamicResult result = run(rod(""), 0.2);
    const std::string table = csv(result.events);
    EXPECT_NE(table.find("energy_change [J],O.px [N s],O.py [N s],O.pm [N m s],detail\n"),
              std::string::npos)
        << table;
    std::string problem;
    const auto events = read_events(table, "events.csv", problem);
    ASSERT_TRUE(events) << problem;
    ASSERT_EQ(events->size(), result.events.size());
    EXPECT_EQ(events->front().impulse, result.events.front().impulse);
    EXPECT_FALSE(read_events(table.substr(0, table.size() - 1) + ",1\n", "events.csv", problem));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
