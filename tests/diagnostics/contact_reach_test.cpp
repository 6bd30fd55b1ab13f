// Contact pairs that can never touch, as `pawl check` tells them, and pairs of which it is not
// certain.
#include "simulation/contact_reach.h"

#include <gtest/gtest.h>

#include "model_file/embedded_models.h"
#include "support/program.h"
#include "support/runs.h"

namespace pawl {
namespace {

std::string warnings_of(std::string_view text) {
    Diagnostics diagnostics;
    diagnostics.file = "m";
    warn_of_contacts_out_of_reach(test::placed_of(text), diagnostics);
    return diagnostics.text();
}

// An arm with a disk of radius 0.1 m, 1 m from its pivot at the origin, and a disk of radius 0.2 m
// on another body.
std::string arm_and(const std::string& other, const std::string& bodies) {
    return "format = 1\n[body.ground]\npoints = { G = [3, 0] }\n[body.arm]\npoints = { H = [0.5, "
           "0], W = [2, 0] }\n[joint.O]\ntype = \"revolute\"\na = \"ground\"\nb = \"arm\"\n" +
           bodies +
           "[profile.tip]\nbody = \"arm\"\nelements = [{ type = \"circle\", centre = [1, 0], "
           "radius = 0.1 }]\n" +
           other + "[contact.C]\na = \"tip\"\nb = \"stop\"\n";
}

std::string stop(const std::string& body, const std::string& x) {
    return "[profile.stop]\nbody = \"" + body + "\"\nelements = [{ type = \"circle\", centre = [" +
           x + ", 0], radius = 0.2 }]\n";
}

std::string body_on(const std::string& joint, const std::string& at) {
    return "[body.far]\n[joint.Q]\ntype = \"" + joint + "\"\na = \"" + at + "\"\nb = \"far\"\n";
}

// A circle is known in 64 pieces, each within 0.25 (2 pi/64)(chord) of its chord: 0.25 % of its
// radius. The ranges of the text are wider by that, and nothing is said within it.
TEST(ContactReach, arm_too_short_for_a_fixed_stop_is_told) {
    EXPECT_EQ(warnings_of(arm_and(stop("ground", "1.5"), "")),
              "m:16:1: warning: contact 'C' can never touch: profile 'tip' stays 0.8998 m to 1.1 m "
              "from joint 'O', profile 'stop' 1.3 m to 1.7 m from it; 0.1993 m are missing; move "
              "one of the bodies, or remove the contact\n");
    EXPECT_EQ(warnings_of(arm_and(stop("ground", "1.3"), "")), "");
    EXPECT_NE(warnings_of(arm_and(stop("ground", "1.31"), "")), "");
}

TEST(ContactReach, arm_too_long_for_a_fixed_stop_is_told) {
    EXPECT_NE(warnings_of(arm_and(stop("ground", "0.65"), "")), "");
    EXPECT_EQ(warnings_of(arm_and(stop("ground", "0.75"), "")), "");
}

// Pivots 3 m apart, reaches 1.1 m and x + 0.2 m.
TEST(ContactReach, two_arms_that_do_not_reach_each_other_are_told) {
    const std::string far = body_on("revolute", "ground.G");
    EXPECT_NE(warnings_of(arm_and(stop("far", "1.6"), far)).find("the joints are 3 m apart"),
              std::string::npos);
    EXPECT_EQ(warnings_of(arm_and(stop("far", "1.75"), far)), "");
    // All round the first arm.
    EXPECT_NE(warnings_of(arm_and(stop("far", "5"), far)), "");
}

TEST(ContactReach, body_hinged_to_the_other_is_told) {
    const std::string far = body_on("revolute", "arm.H");
    EXPECT_NE(warnings_of(arm_and(stop("far", "0.1"), far)), "");
    EXPECT_EQ(warnings_of(arm_and(stop("far", "0.3"), far)), "");
}

TEST(ContactReach, bodies_that_move_as_one_are_told) {
    const std::string far = body_on("weld", "arm.W");
    EXPECT_EQ(warnings_of(arm_and(stop("far", "0"), far)),
              "m:21:1: warning: contact 'C' can never touch: bodies 'arm' and 'far' are fixed to "
              "each other, and their profiles do not meet; move one of the bodies, or remove the "
              "contact\n");
    EXPECT_EQ(warnings_of(arm_and(stop("far", "-0.7"), far)), "");  // touches for ever
    EXPECT_EQ(warnings_of(arm_and(stop("far", "-0.8"), far)), "");  // overlaps: the run says so
}

TEST(ContactReach, sliding_and_free_bodies_are_left_alone) {
    EXPECT_EQ(warnings_of(arm_and(stop("far", "9"), body_on("prismatic", "ground.G"))), "");
    EXPECT_EQ(warnings_of(arm_and(stop("far", "9"), "[body.far]\n")), "");
}

TEST(ContactReach, examples_touch) {
    for (const EmbeddedModel& model : embedded_models())
        EXPECT_EQ(warnings_of(model.text), "") << model.name;
}

using CheckProgram = test::Program;

TEST_F(CheckProgram, contact_out_of_reach_is_a_warning_with_its_place) {
    write("model.toml", arm_and(stop("ground", "1.5"), ""));
    test::ProgramOutcome o = run({"check", "model.toml"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.err.find("model.toml:16:1: warning: contact 'C' can never touch"), 0u) << o.err;
    o = run({"check", "model.toml", "--json"});
    EXPECT_NE(o.out.find("\"model.toml:16:1: contact 'C' can never touch"), std::string::npos)
        << o.out;
    EXPECT_EQ(o.err, "");
}

}  // namespace
}  // namespace pawl
