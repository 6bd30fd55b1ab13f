// Runs with contacts that cannot begin or cannot go on: exit code, message, what is kept.
#include <gtest/gtest.h>

#include "support/program.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using ContactRun = test::Program;

std::string two_sliders(double position, const std::string& rest) {
    return "format = 1\n[body.left]\nmass = 1\n[body.right]\nposition = [" +
           std::to_string(position) +
           ", 0]\nmass = 1\n[profile.left]\nbody = \"left\"\nelements = [{ type = \"circle\", "
           "radius = 0.5 }]\n[profile.right]\nbody = \"right\"\nelements = [{ type = \"circle\", "
           "radius = 0.5 }]\n[contact.C]\na = \"left\"\nb = \"right\"\n[joint.L]\ntype = "
           "\"prismatic\"\na = \"ground\"\nb = \"left\"\n[joint.R]\ntype = \"prismatic\"\na = "
           "\"ground\"\nb = \"right\"\n" +
           rest;
}

TEST_F(ContactRun, overlap_at_the_start_tells_where_and_how_deep) {
    write("model.toml", two_sliders(0.9, "[run]\nend = 1\nstep = 0.1\n"));
    const std::vector<std::string> runs[] = {
        {"dynamics"}, {"kinematics"}, {"inverse"}, {"statics", "--along"}};
    for (std::vector<std::string> words : runs) {
        const std::string verb = words[0];
        words.emplace_back("model.toml");
        const test::ProgramOutcome o = run(words);
        EXPECT_EQ(o.code, 3) << verb << o.err;
        EXPECT_NE(o.err.find("model.toml:13:"), std::string::npos) << verb << o.err;
        EXPECT_NE(o.err.find("overlap at the start by 100 mm near (0.45, 0) m"), std::string::npos)
            << verb << o.err;
    }
}

TEST_F(ContactRun, jam_of_drivers_that_fight_keeps_what_was_found) {
    for (const std::string analysis : {"dynamics", "kinematics"}) {
        write("model.toml",
              two_sliders(1.5,
                          "[driver.A]\njoint = \"L\"\ntype = \"speed\"\nspeed = 1\n[driver.B]"
                          "\njoint = \"R\"\ntype = \"speed\"\nspeed = -1\n[run]\nanalysis = "
                          "\"" +
                              analysis + "\"\nend = 1\nstep = 0.1\n"));
        const test::ProgramOutcome o = run({analysis, "model.toml", "--out", "result"});
        EXPECT_EQ(o.code, 5) << analysis << o.err;
        EXPECT_NE(o.err.find("jam at t = 0.25 s"), std::string::npos) << analysis << o.err;
        EXPECT_NE(text("result/events.csv").find(",jam,C#1,"), std::string::npos)
            << analysis << text("result/events.csv");
        EXPECT_NE(text("result/trajectory.csv").find("\n0.2,"), std::string::npos) << analysis;
    }
}

// A driven pusher meets a lever 0.2 mm beside its pivot: it turns the lever by 1e-2 rad, until the
// line of the push passes through the pivot, hypot(20, 0.2) - 20 mm later; there nothing gives way.
TEST_F(ContactRun, push_through_a_pivot_is_a_jam) {
    write("model.toml", R"(format = 1
[body.ground]
points = { P = [0, 2e-4] }
[body.lever]
mass = 1
inertia = 1e-3
[body.pusher]
position = [0.05, 2e-4]
mass = 1
[profile.lever]
body = "lever"
elements = [
    { type = "line", from = [0.01, -0.05], to = [0.01, 0.05] },
    { type = "line", to = [-0.01, 0.05] },
    { type = "line", to = [-0.01, -0.05] },
    { type = "line", to = [0.01, -0.05] },
]
[profile.pusher]
body = "pusher"
elements = [{ type = "circle", radius = 0.01 }]
[contact.C]
a = "lever"
b = "pusher"
[joint.O]
type = "revolute"
a = "ground"
b = "lever"
[joint.P]
type = "prismatic"
a = "ground.P"
b = "pusher"
[driver.push]
type = "speed"
joint = "P"
speed = -0.1
[run]
analysis = "dynamics"
end = 1
step = 0.1
)");
    const test::ProgramOutcome o = run({"dynamics", "model.toml", "--out", "result"});
    EXPECT_EQ(o.code, 5) << o.err;
    EXPECT_EQ(o.err.find("model.toml:21:1: error: jam at t = 0.30001 s"), 0u) << o.err;
    EXPECT_NE(o.err.find("contact 'C' cannot yield"), std::string::npos) << o.err;
    EXPECT_NE(text("result/events.csv").find(",jam,C,"), std::string::npos)
        << text("result/events.csv");
}

// A knife edge on a lever, kept on the side of a square that turns: where the lever stands across
// the side, it cannot go on. With a lever of l = hypot(0.5, 0.05) that is where 0.5 sin(3 t) + 0.35
// cos(3 t) = 0.1 + l, at 0.26655845 s. What stops is the driver, not a joint.
TEST_F(ContactRun, dead_point_of_a_driver_names_it) {
    write("model.toml", R"(format = 1
body.c = { mass = 1, inertia = 0.004 }
body.f = { position = [0, 0.3], mass = 1, inertia = 0.01 }
joint.O = { type = "revolute", a = "ground", b = "c" }
joint.G = { type = "revolute", bodies = ["ground", "f"], at = [-0.5, 0.35] }
profile.c = { body = "c", elements = [{ type = "line", from = [-0.1, -0.1], to = [0.1, -0.1] }, { type = "line", to = [0.1, 0.1] }, { type = "line", to = [-0.1, 0.1] }, { type = "line", to = [-0.1, -0.1] }] }
profile.f = { body = "f", elements = [{ type = "point", at = [0, 0] }] }
contact.C = { a = "c", b = "f", permanent = true }
driver.m = { joint = "O", type = "speed", speed = "3 rad/s" }
run = { analysis = "dynamics", end = "3 s" }
)");
    const test::ProgramOutcome o = run({"dynamics", "model.toml", "--out", "result"});
    EXPECT_EQ(o.code, 5) << o.err;
    // The run ends within 1e-8 s of it, in front of it.
    EXPECT_EQ(o.err.find("model.toml:9:12: error: dead point at t = 0.26655845"), 0u) << o.err;
    EXPECT_NE(o.err.find("driver 'm' cannot move the mechanism any further"), std::string::npos)
        << o.err;
    const std::string events = text("result/events.csv");
    EXPECT_NE(events.find(",dead_point,m,"), std::string::npos) << events;
    EXPECT_EQ(events.find(",bifurcation,"), std::string::npos) << events;
}

// A wall is driven against a roller that can only go up and down.
TEST_F(ContactRun, jam_names_the_elements_and_the_driver) {
    write("model.toml", R"(format = 1
body.wall = { mass = 1 }
body.roller = { position = [0, 0.1], mass = 1 }
joint.W = { type = "prismatic", a = "ground", b = "wall", axis = 0 }
joint.G = { type = "prismatic", a = "ground", b = "roller", axis = "90 deg" }
profile.wall = { body = "wall", elements = [{ type = "line", from = [-0.5, -1], to = [-0.5, 1] }] }
profile.roller = { body = "roller", elements = [{ type = "circle", radius = 0.1 }] }
contact.beside = { a = "wall", b = "roller" }
driver.m = { joint = "W", type = "speed", speed = "1 m/s" }
run = { analysis = "dynamics", end = "1 s" }
)");
    for (const char* analysis : {"dynamics", "kinematics"}) {
        const test::ProgramOutcome o = run({analysis, "model.toml", "--out", "result"});
        EXPECT_EQ(o.code, 5) << o.err;
        EXPECT_EQ(
            o.err.find("model.toml:8:18: error: jam at t = 0.4 s: contact 'beside#1' (line 1 on "
                       "circle 0) cannot yield"),
            0u)
            << o.err;
        EXPECT_NE(o.err.find("driver 'm'"), std::string::npos) << o.err;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
