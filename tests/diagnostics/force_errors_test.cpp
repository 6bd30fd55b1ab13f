// Errors in forces, states and the settings of a dynamic run.
#include <gtest/gtest.h>

#include "diagnostics/errors_of.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Ten lines before the text that is tried: it begins at line 11.
std::string with_bodies(const std::string& text) {
    return R"(format = 1
[body.crank]
points = { B = [1, 0] }
[body.block]
position = [2, 0]
[joint]
A = { type = "revolute", a = "ground", b = "crank" }
F = { type = "free", a = "ground", b = "block" }
[measure]
tip = { type = "point", point = "crank.B" }
)" + text;
}

std::string joint_force(const std::string& value) {
    return with_bodies("[force.f]\ntype = \"joint_force\"\njoint = \"A\"\nvalue = \"" + value +
                       "\"\n");
}

TEST(ForceErrors, unknown_type_is_told_with_the_nearest_one) {
    EXPECT_EQ(errors_of(with_bodies("[force.f]\ntype = \"sprang\"\n")),
              "12:9: error: force 'f', type: unknown type 'sprang'; did you mean 'spring'?\n");
}

TEST(ForceErrors, joint_with_several_coordinates_needs_of) {
    EXPECT_EQ(errors_of(with_bodies("[force.f]\ntype = \"joint_force\"\njoint = \"F\"\n"
                                    "value = \"1 N\"\n")),
              "11:1: error: force 'f' needs the key 'of': joint 'F' of type free has the "
              "coordinates x, y, angle\n");
}

TEST(ForceErrors, unknown_name_is_told_with_the_nearest_ones) {
    EXPECT_EQ(errors_of(joint_force("-3*tip.x.rat")),
              "14:13: error: force 'f', value: unknown name 'tip.x.rat'; did you mean 'tip.x.rate' "
              "or 'tip.y.rate'?\n");
    EXPECT_EQ(errors_of(joint_force("tip.rate")),
              "14:10: error: force 'f', value: measure 'tip' is a point; use tip.x.rate or "
              "tip.y.rate\n");
}

TEST(ForceErrors, only_measures_have_rates) {
    EXPECT_EQ(errors_of(joint_force("z.rate") + "[state.z]\nrate = 1\n"),
              "14:10: error: force 'f', value: only measures have a rate; 'z' is a state\n");
    EXPECT_EQ(errors_of(with_bodies("m = { type = \"expression\", value = \"tip.x.rate\" }\n"
                                    "n = { type = \"expression\", value = \"m.rate + m\" }\n")),
              "no error\n");
}

TEST(ForceErrors, rate_of_a_measure_of_rates_is_an_acceleration) {
    EXPECT_EQ(errors_of(with_bodies("m = { type = \"expression\", value = \"tip.x.rate\" }\n"
                                    "[event.e]\nwhen = \"m.rate > 0\"\n")),
              "13:5: error: event 'e', when: measure 'm' uses rates, so its own rate is an "
              "acceleration; forces, states and conditions can use positions and velocities "
              "only\n");
}

TEST(ForceErrors, s_and_v_belong_to_a_coordinate) {
    EXPECT_EQ(errors_of(joint_force("-2*s - v")), "no error\n");
    EXPECT_EQ(errors_of(with_bodies("[force.f]\ntype = \"torque\"\nbody = \"crank\"\n"
                                    "value = \"-2*v\"\n")),
              "14:13: error: force 'f', value: s and v exist only for a spring or a joint "
              "coordinate; this element has neither\n");
}

TEST(ForceErrors, names_of_expressions_are_reserved) {
    EXPECT_EQ(errors_of("format = 1\n[parameters]\ns = 1\n"),
              "3:1: error: a parameter cannot be called 's': expressions use that name\n");
    EXPECT_EQ(errors_of(with_bodies("v = { type = \"joint\", joint = \"A\" }\n")),
              "11:1: error: measure 'v': the name is reserved: expressions use it for something "
              "else\n");
    EXPECT_EQ(errors_of("format = 1\n[state.t]\nrate = 1\n"),
              "2:8: error: state 't': the name is reserved: expressions use it for something "
              "else\n");
}

TEST(ForceErrors, state_must_differ_from_measures_and_parameters) {
    EXPECT_EQ(errors_of("format = 1\n[parameters]\nz = 1\n[state.z]\nrate = 1\n"),
              "4:8: error: state 'z': there is a parameter of this name, so expressions could not "
              "distinguish them\n");
    EXPECT_EQ(errors_of(with_bodies("z = { type = \"joint\", joint = \"A\" }\n"
                                    "[state.z]\nrate = 1\n")),
              "12:8: error: state 'z': there is a measure of this name, so expressions could not "
              "distinguish them\n");
}

TEST(ForceErrors, impulse_cannot_act_before_the_start) {
    EXPECT_EQ(errors_of(with_bodies("[force.f]\ntype = \"impulse\"\npoint = \"crank.B\"\n"
                                    "at = \"-1 s\"\nx = 1\n")),
              "14:6: error: force 'f', at: an impulse acts at t = 0 or later\n");
}

TEST(ForceErrors, dimensions_follow_the_coordinate) {
    EXPECT_EQ(errors_of(with_bodies("[force.f]\ntype = \"spring\"\na = \"ground\"\n"
                                    "b = \"block\"\nstiffness = \"3 N\"\n")),
              "15:14: error: force 'f', stiffness: expected a stiffness, but '3 N' is a force\n");
    EXPECT_EQ(errors_of(with_bodies("[force.f]\ntype = \"joint_spring\"\njoint = \"A\"\n"
                                    "stiffness = \"3 N/m\"\n")),
              "14:14: error: force 'f', stiffness: expected a torsional stiffness, but '3 N/m' is "
              "a stiffness\n");
    EXPECT_EQ(errors_of(joint_force("4 N")),
              "14:10: error: force 'f', value: expected a torque, but '4 N' is a force\n");
}

TEST(ForceErrors, dimensions_are_not_judged_without_a_coordinate) {
    EXPECT_EQ(errors_of(with_bodies("[force.f]\ntype = \"joint_spring\"\njoint = \"Q\"\n"
                                    "stiffness = \"3 N\"\ndamping = \"1 kg\"\n")),
              "13:10: error: force 'f', joint: there is no joint 'Q'; valid: A, F\n");
}

TEST(ForceErrors, table_of_a_spring_must_match_and_increase) {
    const std::string spring =
        with_bodies("[force.f]\ntype = \"spring\"\na = \"ground\"\nb = \"block\"\n");
    EXPECT_EQ(errors_of(spring + "elongations = [0, 1, 2]\nforces = [0, 1]\n"),
              "16:10: error: force 'f', forces: elongations and forces must have the same length, "
              "two or more\n");
    EXPECT_EQ(errors_of(spring + "elongations = [0, 1, 1]\nforces = [0, 1, 2]\n"),
              "15:15: error: force 'f', elongations: elongations must increase\n");
}

TEST(ForceErrors, spring_has_one_law) {
    const std::string spring =
        with_bodies("[force.f]\ntype = \"spring\"\na = \"ground\"\nb = \"block\"\n");
    EXPECT_EQ(errors_of(spring + "law = \"-s\"\nelongations = [0, 1]\nforces = [0, 1]\n"),
              "15:7: error: force 'f', law: give either a law or a table\n");
    EXPECT_EQ(errors_of(spring + "law = \"-s\"\nstiffness = 1\n"),
              "16:13: error: force 'f', stiffness: a law or a table replaces the stiffness; give "
              "only one of them\n");
}

TEST(ForceErrors, damping_must_not_be_negative) {
    EXPECT_EQ(errors_of(with_bodies("[force.f]\ntype = \"spring\"\na = \"ground\"\n"
                                    "b = \"block\"\ndamping = -1\n")),
              "15:11: error: force 'f', damping: damping must not be negative\n");
}

TEST(ForceErrors, force_must_have_something_to_move) {
    EXPECT_EQ(errors_of(with_bodies("[force.f]\ntype = \"spring\"\na = \"crank\"\n"
                                    "b = \"crank.B\"\n")),
              "14:5: error: force 'f': both ends are on the body 'crank'\n");
    EXPECT_EQ(errors_of(with_bodies("[force.f]\ntype = \"force\"\npoint = \"ground\"\nx = 1\n")),
              "13:9: error: force 'f': acts on ground, which cannot move\n");
}

TEST(ForceErrors, infinite_value_is_refused) {
    EXPECT_EQ(errors_of(joint_force("1/t")),
              "14:10: error: force 'f', value at t = 0: the value is infinite; is there a division "
              "by zero?\n");
}

TEST(CouplingErrors, are_told_with_their_places) {
    const std::string angle = "type = \"angle\"\nbody = \"b\"\n";
    EXPECT_EQ(errors_of("format = 1\n[body.b]\n[joint.O]\ntype = \"revolute\"\na = \"ground\"\n"
                        "b = \"b\"\n[coupling.O]\n" +
                        angle + "engaged = \"t > 1\"\n[coupling.c]\n" + angle +
                        "engaged = \"t\"\n[coupling.d]\n" + angle),
              "7:1: error: coupling 'O': there is a joint of this name; choose another\n"
              "14:12: error: coupling 'c', engaged: 't' is not a condition; write a comparison, as "
              "in \"bolt.x > 5 mm\"\n"
              "15:1: error: coupling 'd' needs the key 'engaged'\n");
    EXPECT_EQ(errors_of("format = 1\n[body.b]\n[coupling.f]\ntype = \"free\"\na = \"ground\"\n"
                        "b = \"b\"\nengaged = \"t > 1\"\n[coupling.p]\ntype = \"revolute\"\n"
                        "a = \"ground\"\nb = \"b\"\nradius = 0.1\nfriction.kinetic = 0.1\n"
                        "engaged = \"t > 1\"\n"),
              "4:8: error: coupling 'f', type: constrains nothing, so it cannot engage\n"
              "13:1: error: coupling 'p', friction: is not available for a coupling\n");
}

TEST(RunErrors, unknown_names_are_told) {
    EXPECT_EQ(errors_of("format = 1\n[run]\nanalysis = \"dynamic\"\ndynamics = \"augmentd\"\n"
                        "integrator = \"rk5\"\ncoordinates = \"cartesian\"\n"),
              "3:13: error: run, analysis: unknown value 'dynamic'; did you mean 'dynamics'?\n"
              "4:13: error: run, dynamics: unknown value 'augmentd'; did you mean 'augmented'?\n"
              "5:15: error: run, integrator: unknown value 'rk5'; did you mean 'rk4'?\n"
              "6:16: error: run, coordinates: unknown value 'cartesian'; valid: relative, "
              "absolute\n");
}

TEST(RunErrors, only_rk4_has_a_fixed_step) {
    EXPECT_EQ(errors_of("format = 1\n[run]\nintegrator_step = \"1 ms\"\n"),
              "3:19: error: run, integrator_step: only integrator = \"rk4\" and \"moreau\" "
              "have a fixed step; the others choose theirs by rtol and atol\n");
    EXPECT_EQ(errors_of("format = 1\n[run]\nintegrator = \"rk4\"\nintegrator_step = 0\n"),
              "4:19: error: run, integrator_step: must be positive\n");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
