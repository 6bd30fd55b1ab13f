// What looks like a mistake, as `pawl check` and the runs tell it: contact pairs that can never
// touch (and pairs of which it is not certain), profiles drawn the wrong way, inertias in other
// units, coordinates driven twice.
#include "simulation/placement/likely_mistakes.h"

#include <gtest/gtest.h>

#include "model_file/reading/unused.h"
#include "model_file/reference/embedded_models.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/program.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

std::string warnings_of(std::string_view text) {
    Diagnostics diagnostics;
    diagnostics.file = "m";
    warn_of_likely_mistakes(test::placed_of(text), diagnostics);
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
TEST(LikelyMistakes, arm_too_short_for_a_fixed_stop_is_told) {
    EXPECT_EQ(warnings_of(arm_and(stop("ground", "1.5"), "")),
              "m:16:1: warning: contact 'C' can never touch: profile 'tip' stays 0.8998 m to 1.1 m "
              "from joint 'O', profile 'stop' 1.3 m to 1.7 m from it; they miss each other by "
              "0.1993 m; move one of the bodies, or remove the contact\n");
    EXPECT_EQ(warnings_of(arm_and(stop("ground", "1.3"), "")), "");
    EXPECT_NE(warnings_of(arm_and(stop("ground", "1.31"), "")), "");
}

TEST(LikelyMistakes, arm_too_long_for_a_fixed_stop_is_told) {
    EXPECT_NE(warnings_of(arm_and(stop("ground", "0.65"), "")), "");
    EXPECT_NE(warnings_of(arm_and(stop("ground", "0.75"), "")).find("overlap at the start"),
              std::string::npos);
}

// Pivots 3 m apart, reaches 1.1 m and x + 0.2 m.
TEST(LikelyMistakes, two_arms_that_do_not_reach_each_other_are_told) {
    const std::string far = body_on("revolute", "ground.G");
    EXPECT_NE(warnings_of(arm_and(stop("far", "1.6"), far)).find("the joints are 3 m apart"),
              std::string::npos);
    EXPECT_EQ(warnings_of(arm_and(stop("far", "1.75"), far)), "");
    // All round the first arm.
    EXPECT_NE(warnings_of(arm_and(stop("far", "5"), far)), "");
}

TEST(LikelyMistakes, body_hinged_to_the_other_is_told) {
    const std::string far = body_on("revolute", "arm.H");
    EXPECT_NE(warnings_of(arm_and(stop("far", "0.1"), far)), "");
    EXPECT_NE(warnings_of(arm_and(stop("far", "0.3"), far)).find("overlap at the start"),
              std::string::npos);
}

TEST(LikelyMistakes, bodies_that_move_as_one_are_told) {
    const std::string far = body_on("weld", "arm.W");
    EXPECT_EQ(
        warnings_of(arm_and(stop("far", "0"), far)),
        "m:21:1: warning: contact 'C' can never touch: bodies 'arm' and 'far' do not move relative "
        "to each other, and their profiles do not touch; move one of the bodies, or remove the "
        "contact\n");
    EXPECT_EQ(warnings_of(arm_and(stop("far", "-0.7"), far)), "");  // touches for ever
    EXPECT_NE(warnings_of(arm_and(stop("far", "-0.8"), far)).find("overlap at the start"),
              std::string::npos);  // overlaps: the run says so
}

TEST(LikelyMistakes, sliding_and_free_bodies_are_left_alone) {
    EXPECT_EQ(warnings_of(arm_and(stop("far", "9"), body_on("prismatic", "ground.G"))), "");
    EXPECT_EQ(warnings_of(arm_and(stop("far", "9"), "[body.far]\n")), "");
}

TEST(LikelyMistakes, examples_touch) {
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

std::string ball_over(const std::string& floor, const std::string& ball) {
    return "format = 1\nbody.b = { position = [0, 1], mass = 1, inertia = 0.004 }\nprofile.floor = "
           "{ "
           "body = \"ground\", elements = [" +
           floor + "] }\nprofile.ball = { body = \"b\", elements = [" + ball +
           "] }\ncontact.C = { a = \"floor\", b = \"ball\" }\n";
}

TEST(LikelyMistakes, floor_that_is_drawn_the_wrong_way_is_told) {
    const std::string ball = "{ type = \"circle\", radius = 0.1 }";
    EXPECT_EQ(warnings_of(ball_over("{ type = \"line\", from = [1, 0], to = [-1, 0] }", ball)), "");
    EXPECT_NE(
        warnings_of(ball_over("{ type = \"line\", from = [-1, 0], to = [1, 0] }", ball))
            .find("m:5:13: warning: contact 'C': the other body starts behind profile 'floor'"),
        std::string::npos);
}

TEST(LikelyMistakes, outline_that_runs_clockwise_is_a_hole_and_its_surroundings_overlap) {
    const std::string clockwise =
        "{ type = \"line\", from = [-0.1, -0.1], to = [-0.1, 0.1] }, { type = \"line\", to = [0.1, "
        "0.1] }, { type = \"line\", to = [0.1, -0.1] }, { type = \"line\", to = [-0.1, -0.1] }";
    const DynamicResult r = run_dynamics(
        test::placed_of(ball_over("{ type = \"line\", from = [1, 0], to = [-1, 0] }", clockwise)),
        {});
    EXPECT_EQ(r.status, DynamicStatus::overlap);
    EXPECT_NE(r.message.find("profile 'ball' runs clockwise"), std::string::npos) << r.message;
}

// The row of the contact is the only one that is open.
TEST(LikelyMistakes, permanent_contact_that_cannot_close_is_named) {
    const PlacedMechanism placed = assemble(
        test::model_of(
            "format = 1\nbody.c = {}\njoint.O = { type = \"revolute\", a = \"ground\", b = \"c\" "
            "}\nbody.f = { position = [0, 0.3] }\njoint.G = { type = \"revolute\", bodies = "
            "[\"ground\", \"f\"], at = [-0.5, 0.35] }\nprofile.c = { body = \"c\", elements = [{ "
            "type "
            "= \"circle\", radius = 0.1 }] }\nprofile.f = { body = \"f\", elements = [{ type = "
            "\"point\", at = [0, 0] }] }\ncontact.C = { a = \"c\", b = \"f\", permanent = true }\n")
            .mechanism);
    EXPECT_EQ(placed.assembly.outcome, AssemblyOutcome::joint_open);
    EXPECT_NE(placed.assembly.message.find("permanent contact 'C' cannot close: nearest gap"),
              std::string::npos)
        << placed.assembly.message;
}

TEST(LikelyMistakes, inertia_in_other_units_is_told) {
    const auto rod = [](const std::string& inertia) {
        return "format = 1\nunits = { length = \"mm\" }\nbody.rod = { points = { P = [300, 0] }, "
               "centre = [150, 0], mass = 1, inertia = " +
               inertia + " }\njoint.O = { type = \"revolute\", a = \"ground\", b = \"rod\" }\n";
    };
    EXPECT_EQ(warnings_of(rod("\"7.5e-3 kg m^2\"")), "");
    EXPECT_EQ(
        warnings_of(rod("7.5e-3")),
        "m:3:12: warning: body 'rod': an inertia of 7.5e-09 kg m^2 is that of a ring of radius "
        "0.0866 mm, but the body reaches 0.15 m from its centre of mass; check the units\n");
    EXPECT_NE(warnings_of(rod("7.5e12")), "");
}

TEST(LikelyMistakes, clockwise_outline_and_overlap_are_told_before_a_run) {
    const auto beside_floor = [](const std::string& height, const std::string& outline) {
        return warnings_of("format = 1\nbody.b = { position = [0, " + height +
                           "], mass = 1, inertia = 0.01 }\n"
                           "profile.floor = { body = \"ground\", elements = [{ type = \"line\", "
                           "from = [2, 0], to = [-2, 0] }] }\n"
                           "profile.b = { body = \"b\", elements = [" +
                           outline + "] }\ncontact.C = { a = \"floor\", b = \"b\" }\n");
    };
    const std::string
        square =
            R"({ type = "line", from = [-0.1, -0.1], to = [0.1, -0.1] }, { type = "line", to = [0.1, 0.1] }, { type = "line", to = [-0.1, 0.1] }, { type = "line", to = [-0.1, -0.1] })",
        clockwise =
            R"({ type = "line", from = [-0.1, -0.1], to = [-0.1, 0.1] }, { type = "line", to = [0.1, 0.1] }, { type = "line", to = [0.1, -0.1] }, { type = "line", to = [-0.1, -0.1] })";
    EXPECT_EQ(beside_floor("0.5", square), "");
    EXPECT_EQ(beside_floor("0.5", clockwise),
              "m:5:13: warning: contact 'C': profile 'b' runs clockwise, a hole in material all "
              "round, and 'floor' lies in that material; reverse the order of its elements\n");
    EXPECT_NE(beside_floor("0.09", square).find("overlap at the start by 10 mm"), std::string::npos)
        << beside_floor("0.09", square);
}

TEST(LikelyMistakes, disk_that_does_not_fit_in_its_hole_is_told_with_the_excess) {
    const auto in_hole = [](const std::string& position, const std::string& radius) {
        return warnings_of(
            "format = 1\nbody.d = { position = " + position +
            ", mass = 1, inertia = 0.1 }\n"
            "profile.hole = { body = \"ground\", elements = [{ type = \"circle\", "
            "radius = 1, hollow = true }] }\n"
            "profile.d = { body = \"d\", elements = [{ type = \"circle\", radius = " +
            radius + " }] }\ncontact.C = { a = \"hole\", b = \"d\" }\n");
    };
    EXPECT_EQ(in_hole("[0, 0]", "0.9"), "");
    const std::string too_large =
        "m:5:13: warning: contact 'C': profile 'd', a disk of radius 1.125 m, does not fit in the "
        "hole 'hole' of radius 1 m: it is 0.125 m too large; make the disk smaller or the hole "
        "larger\n";
    EXPECT_EQ(in_hole("[0, 0]", "1.125"), too_large);
    EXPECT_EQ(in_hole("[0.5, 0]", "1.125"), too_large);
    EXPECT_EQ(in_hole("[2, 0]", "0.5"),
              "m:5:13: warning: contact 'C': profile 'hole' is a hole (hollow = true) in material "
              "all round, and 'd' lies in that material; place it within the hole, or leave hollow "
              "away\n");
}

TEST(LikelyMistakes, coordinate_that_is_driven_twice_is_told) {
    const auto driven = [](const std::string& second) {
        return warnings_of(
            "format = 1\nbody.a = { mass = 1, inertia = 1 }\n"
            "body.b = { mass = 1, inertia = 1 }\n"
            "joint.A = { type = \"prismatic\", a = \"ground\", b = \"a\" }\n"
            "joint.B = { type = \"prismatic\", a = \"ground\", b = \"b\", axis = 1 "
            "}\n"
            "driver.first = { joint = \"A\", type = \"speed\", speed = 1 }\n"
            "driver.second = { joint = \"" +
            second + "\", type = \"speed\", speed = 2 }\n");
    };
    EXPECT_EQ(driven("B"), "");
    EXPECT_EQ(driven("A"),
              "m:7:17: warning: driver 'second' drives the same coordinate as driver 'first'; "
              "remove one of them\n");
}

TEST(LikelyMistakes, cam_that_goes_nearly_round_is_told) {
    const auto cam = [](const std::string& dwell) {
        return warnings_of(R"(format = 1
body.cam = { mass = 1, inertia = 0.01 }
joint.O = { type = "revolute", a = "ground", b = "cam" }
profile.cam = { body = "cam", elements = [{ type = "cam", follower = "roller", roller = 0.05, base = 0.1, segments = [{ law = "harmonic", lift = 0.02, angle = "60 deg" }, { law = "harmonic", lift = -0.02, angle = "60 deg" }, { angle = ")" +
                           dwell + "\" }] }] }\n");
    };
    EXPECT_EQ(cam("230 deg"),
              "m:4:15: warning: profile 'cam' is open: its cam covers only 350 deg; add a dwell "
              "for the rest, so that its segments add up to 360 deg\n");
    EXPECT_EQ(cam("240 deg"), "");
    EXPECT_EQ(cam("60 deg"), "") << "a sector";
}

// Two disks that overlap: told unless a contact or a joint connects their bodies.
TEST(LikelyMistakes, bodies_that_pass_through_each_other_are_told) {
    const auto two = [](const char* x, const char* more) {
        return std::string("format = 1\n[body.one]\n[body.two]\nposition = [") + x +
               ", 0]\n[profile.a]\nbody = \"one\"\nelements = [{ type = \"circle\", radius = 1 "
               "}]\n[profile.b]\nbody = \"two\"\nelements = [{ type = \"circle\", radius = 1 }]\n" +
               more;
    };
    EXPECT_EQ(warnings_of(two("1.5", "")),
              "m:8:1: warning: profiles 'a' and 'b' overlap at the start by 0.5 m and no contact "
              "keeps their bodies apart: they pass through each other; if they should touch, move "
              "them apart and add a [contact.NAME] of both\n");
    EXPECT_EQ(warnings_of(two("2.5", "")), "");
    EXPECT_EQ(warnings_of(two("1.5", "[joint.P]\ntype = \"revolute\"\na = \"one\"\nb = \"two\"\n")),
              "");
}

std::string name_warnings(const std::string& parameters) {
    std::string text = "format = 1\n[parameters]\n" + parameters + "[body.one]\n";
    Diagnostics diagnostics;
    diagnostics.file = "m";
    warn_of_similar_names(test::model_of(text), diagnostics);
    return diagnostics.text();
}

TEST(LikelyMistakes, names_that_differ_by_a_slip_are_told) {
    EXPECT_EQ(
        name_warnings("length = 1\nlenght = 2\n"),
        "m:4:1: warning: 'lenght' and 'length' further up differ by one letter; if one of them "
        "is a typo, give both the same name\n");
    for (const char* slip : {"crank = 1\ncranck = 2\n", "spring_rate = 1\nsprng_rate = 2\n",
                             "stiffness = 1\nstifness = 2\n", "Mass = 1\nmass = 2\n",
                             "wheel_radius = 1\nwheel_radios = 2\n"})
        EXPECT_NE(name_warnings(slip), "") << slip;
    for (const char* meant :
         {"guide1 = 1\nguide2 = 2\n", "length_a = 1\nlength_b = 2\n", "wheel = 1\nwheels = 2\n",
          "upper = 1\nlower = 2\n", "r1 = 1\nr2 = 2\n", "rod = 1\nrot = 2\n",
          "length = 1\nlength2 = 2\n", "phi_x = 1\nphi_y = 2\n"})
        EXPECT_EQ(name_warnings(meant), "") << meant;
}

std::string rule_warnings(const std::string& rules) {
    Diagnostics diagnostics;
    diagnostics.file = "m";
    warn_of_contact_rules(
        test::model_of(
            "format = 1\nbody.ball = { mass = 1, inertia = 1 }\nprofile.ball = { body = "
            "\"ball\", elements = [{ type = \"circle\", radius = 0.1 }] }\nprofile.floor "
            "= { body = \"ground\", elements = [{ type = \"line\", from = [1, -1], to = "
            "[-1, -1] }] }\ncontact.C = { a = \"floor\", b = \"ball\"" +
            rules + " }\n"),
        diagnostics);
    return diagnostics.text();
}

TEST(LikelyMistakes, rules_of_contact_without_effect_or_sense_are_told) {
    const std::string lankarani = ", law = \"lankarani_nikravesh\", stiffness = 1e6";
    EXPECT_NE(rule_warnings(lankarani).find("give `restitution`, or choose law = "
                                            "\"hunt_crossley\" with `damping`"),
              std::string::npos);
    EXPECT_EQ(rule_warnings(lankarani + ", restitution = 0.9"), "");
    EXPECT_NE(rule_warnings(", tangential_restitution = 0.5")
                  .find("has no effect without friction; give `friction`, or leave it out"),
              std::string::npos);
    EXPECT_EQ(rule_warnings(", tangential_restitution = 0.5, friction = { kinetic = 0.3 }"), "");
    EXPECT_EQ(rule_warnings(""), "");
}

TEST(LikelyMistakes, no_example_has_names_that_differ_by_a_slip) {
    for (const EmbeddedModel& model : embedded_models()) {
        Diagnostics diagnostics;
        warn_of_similar_names(test::model_of(model.text), diagnostics);
        EXPECT_EQ(diagnostics.text(), "") << model.name;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
