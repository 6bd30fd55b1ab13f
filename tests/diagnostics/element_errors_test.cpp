// Errors in the elements of a model: each is told with its place, its element and a way out.
#include <gtest/gtest.h>

#include "diagnostics/errors_of.h"

namespace pawl {
namespace PAWL_TEST_FILE {

TEST(ElementErrors, unknown_key_is_told_with_the_nearest_one) {
    EXPECT_EQ(errors_of(R"(format = 1
[body.crank]
pointz = { A = [0, 0] }
)"),
              "3:1: error: body 'crank': unknown key 'pointz'; did you mean 'points'?\n");
}

TEST(ElementErrors, table_of_the_top_level_below_a_header_is_told_as_such) {
    EXPECT_EQ(
        errors_of(R"(format = 1
[body.crank]
mass = 1
force.weight = { type = "gravity" }
)"),
        "4:1: error: body 'crank': unknown key 'force'; the table of this name belongs to the "
        "top level: keys after a header in [ ] are part of that header's table, so give "
        "'force' a header of its own, or write it above the first\n");
}

TEST(ElementErrors, point_without_its_body_is_told_with_it) {
    EXPECT_EQ(errors_of(R"(format = 1
body.crank = { points = { Tip = [1, 0] } }
joint.A = { type = "revolute", a = "ground", b = "Tip" }
)"),
              "3:51: error: joint 'A', b: there is no body 'Tip'; did you mean the point "
              "'crank.Tip'?\n");
}

TEST(ElementErrors, unknown_table_is_told_with_the_nearest_one) {
    EXPECT_EQ(errors_of("format = 1\n[joints.A]\n"),
              "2:2: error: unknown key 'joints'; did you mean 'joint'?\n");
}

TEST(ElementErrors, missing_key_names_the_element) {
    EXPECT_EQ(errors_of(R"(format = 1
[body.crank]
[joint.A]
type = "revolute"
a = "ground"
)"),
              "3:1: error: joint 'A' needs the key 'b'\n");
}

TEST(ElementErrors, missing_type_is_told) {
    EXPECT_EQ(errors_of("format = 1\n[joint.A]\na = \"ground\"\n"),
              "2:1: error: joint 'A' needs the key 'type'\n");
}

TEST(ElementErrors, unknown_type_is_told_with_the_nearest_one) {
    EXPECT_EQ(errors_of("format = 1\n[joint.A]\ntype = \"revolut\"\n"),
              "3:9: error: joint 'A', type: unknown type 'revolut'; did you mean 'revolute'?\n");
}

TEST(ElementErrors, wrong_type_of_value_is_told) {
    EXPECT_EQ(
        errors_of(R"(format = 1
name = 3
[body.crank]
angle = true
position = [0, 0, 0]
points = [1, 2]
mass = [1]
)"),
        "2:8: error: name: expected a string, not a number\n"
        "4:9: error: body 'crank', angle: expected a number or a string such as \"12 mm\", not "
        "true or false\n"
        "5:12: error: body 'crank', position: expected an array of two numbers, [x, y]\n"
        "6:10: error: body 'crank', points: expected a table such as { A = [0, 0] }, not an "
        "array\n"
        "7:8: error: body 'crank', mass: expected a number or a string such as \"12 mm\", not an "
        "array\n");
}

TEST(ElementErrors, element_that_is_no_table_is_told) {
    EXPECT_EQ(errors_of("format = 1\nrun = 3\njoint = 4\n[body]\ncrank = 5\n"),
              "2:7: error: run: expected a table [run], not a number\n"
              "3:9: error: joint: expected tables [joint.NAME], not a number\n"
              "5:9: error: body 'crank': expected a table [body.crank], not a number\n");
}

TEST(ElementErrors, element_name_must_be_plain) {
    EXPECT_EQ(errors_of("format = 1\n[body.\"my crank\"]\n"),
              "2:7: error: body 'my crank': a name must consist of letters, digits and _ and not "
              "begin with a digit\n");
}

TEST(ElementErrors, unknown_body_and_point_are_told_with_the_nearest_ones) {
    EXPECT_EQ(errors_of(R"(format = 1
[body.crank]
points = { Tip = [1, 0] }
[joint.A]
type = "revolute"
a = "gruond.O"
b = "crank.Tap"
)"),
              "6:6: error: joint 'A', a: there is no body 'gruond'; did you mean 'ground'?\n"
              "7:12: error: joint 'A', b: body 'crank' has no point 'Tap'; did you mean 'Tip'?\n");
}

TEST(ElementErrors, joint_from_a_body_to_itself_is_refused) {
    EXPECT_EQ(errors_of(R"(format = 1
[body.crank]
points = { B = [1, 0] }
[joint.A]
type = "revolute"
a = "crank"
b = "crank.B"
[joint.H]
type = "y"
point = "ground"
)"),
              "7:5: error: joint 'A': connects the body 'crank' to itself\n"
              "10:9: error: joint 'H': connects the body 'ground' to itself\n");
}

TEST(ElementErrors, gear_that_is_its_own_carrier_is_refused) {
    EXPECT_EQ(
        errors_of(R"(format = 1
[body.planet]
[joint.mesh]
type = "gear"
a = "planet"
b = "ground"
radius_a = 1
radius_b = 2
)"),
        "4:8: error: joint 'mesh': the body 'ground' is a gear and its carrier at the same time; "
        "give 'carrier'\n");
}

TEST(ElementErrors, either_two_places_or_two_bodies_and_a_point) {
    EXPECT_EQ(errors_of(R"(format = 1
[body.crank]
[joint.A]
type = "revolute"
a = "ground"
b = "crank"
at = [0, 0]
[joint.B]
type = "revolute"
bodies = ["ground", "crank"]
[joint.C]
type = "revolute"
bodies = ["ground"]
at = [0, 0]
)"),
              "7:6: error: joint 'A': give either a and b, or bodies and at\n"
              "8:1: error: joint 'B' needs the key 'at'\n"
              "13:10: error: joint 'C', bodies: expected the names of two bodies\n");
}

TEST(ElementErrors, joint_that_needs_a_position_says_so) {
    EXPECT_EQ(
        errors_of(R"(format = 1
[body.bar]
points = { A = [1, 0] }
[joint.R]
type = "rod"
a = "ground"
b = "bar.A"
)"),
        "4:1: error: joint 'R' starts from the position of body 'bar', which is not given; add "
        "'position' to the body\n");
}

TEST(ElementErrors, rod_without_length_is_refused) {
    EXPECT_EQ(errors_of(R"(format = 1
[body.bar]
position = [0, 0]
[joint.R]
type = "rod"
a = "ground"
b = "bar"
[joint.S]
type = "rod"
a = "ground"
b = "bar"
length = "-1 mm"
)"),
              "4:1: error: joint 'R': the rod has no length: its two ends coincide; give 'length'\n"
              "12:10: error: joint 'S', length: must be positive\n");
}

TEST(ElementErrors, point_given_twice_is_refused) {
    EXPECT_EQ(errors_of(R"(format = 1
[body.crank]
points = { A = [0, 0] }
ground_points = { B = [1, 0], A = [0, 0] }
)"),
              "4:31: error: body 'crank': the point 'A' is given in points and in ground_points\n");
}

TEST(ElementErrors, mass_must_not_be_negative) {
    EXPECT_EQ(errors_of("format = 1\n[body.crank]\nmass = -1\n"),
              "3:8: error: body 'crank', mass: must not be negative\n");
    EXPECT_EQ(errors_of("format = 1\n[body.crank]\nmass = 1\ninertia = -1\n"),
              "4:11: error: body 'crank', inertia: must not be negative\n");
}

TEST(ElementErrors, inertia_or_centre_need_a_mass) {
    EXPECT_EQ(errors_of("format = 1\n[body.crank]\ninertia = 1\n"),
              "3:11: error: body 'crank', inertia: a body with an inertia needs a mass\n");
    EXPECT_EQ(errors_of("format = 1\n[body.crank]\ncentre = [1, 0]\n"),
              "3:10: error: body 'crank', centre: a body with a centre of mass needs a mass\n");
}

TEST(ElementErrors, dynamics_needs_the_masses_of_moving_bodies) {
    Diagnostics diagnostics;
    const auto model =
        read_model("format = 1\n[body.a]\nmass = 1\n[body.b]\n", "m.toml", {}, diagnostics);
    ASSERT_TRUE(model);
    require_masses(model->mechanism, diagnostics);
    EXPECT_EQ(diagnostics.text(),
              "m.toml:4:1: error: body 'b' has no mass; dynamics needs it (mass = ..., or mass = 0 "
              "for a massless part that joints constrain)\n");
}

TEST(ElementErrors, ground_has_no_pose_and_no_mass) {
    EXPECT_EQ(errors_of("format = 1\n[body.ground]\nangle = 1\nmass = 2\n"),
              "3:1: error: ground is fixed and cannot have 'angle'\n"
              "4:1: error: ground is fixed and cannot have 'mass'\n");
}

TEST(ElementErrors, contact_needs_two_bodies) {
    EXPECT_EQ(errors_of("format = 1\n[body.cam]\n[contact.C]\na = \"cam\"\nb = \"cam\"\n"),
              "5:5: error: contact 'C', b: a body cannot touch itself\n");
}

TEST(ElementErrors, run_must_be_finite) {
    EXPECT_EQ(errors_of("format = 1\n[run]\nend = 0\n"),
              "3:7: error: run, end: must be positive\n");
    EXPECT_EQ(errors_of("format = 1\n[run]\nstep = \"-1 ms\"\n"),
              "3:8: error: run, step: must be positive\n");
    EXPECT_EQ(errors_of("format = 1\n[run]\nend = 1\nstep = \"0.05 us\"\n"),
              "4:8: error: run, step: the run would have more than 10 million steps\n");
}

TEST(ElementErrors, unknown_choice_is_told_with_the_nearest_one) {
    EXPECT_EQ(errors_of("format = 1\n[run]\ncoordinates = \"relativ\"\n"),
              "3:16: error: run, coordinates: unknown value 'relativ'; did you mean 'relative'?\n");
}

TEST(ElementErrors, unknown_independent_coordinate_is_told) {
    EXPECT_EQ(errors_of(R"(format = 1
[body.block]
[joint.float]
type = "free"
a = "ground"
b = "block"
[run]
independent = ["float.x", "float.z"]
)"),
              "8:28: error: run, independent: there is no joint coordinate 'float.z'; did you mean "
              "'float.x' or 'float.y'?\n");
}

TEST(ElementErrors, all_errors_are_told_at_once_in_the_order_of_the_file) {
    EXPECT_EQ(errors_of(R"(format = 2
[parameters]
L = "12 mn"
[body.crank]
angle = "L"
mas = 1
[joint.A]
type = "revolute"
a = "ground"
b = "cranc"
[run]
end = "1 kg"
)"),
              "1:10: error: format: this program reads format 1 only\n"
              "3:9: error: parameter 'L': unknown unit 'mn'; did you mean 'mN', 'm' or 'mm'?\n"
              "6:1: error: body 'crank': unknown key 'mas'; did you mean 'mass'?\n"
              "10:6: error: joint 'A', b: there is no body 'cranc'; did you mean 'crank'?\n"
              "12:8: error: run, end: expected a time, but '1 kg' is a mass\n");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
