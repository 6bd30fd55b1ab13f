// Errors in drivers and measures.
#include <gtest/gtest.h>

#include "diagnostics/errors_of.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Ten lines before the text that is tried: it begins at line 11.
std::string with_bodies(const std::string& text) {
    return R"(format = 1
[body.crank]
points = { B = [1, 0] }
position = [0, 0]
[body.block]
position = [2, 0]
[joint]
A = { type = "revolute", a = "ground", b = "crank" }
R = { type = "rod", a = "crank.B", b = "block" }
F = { type = "free", a = "ground", b = "block" }
)" + text;
}

TEST(DriverErrors, driver_needs_exactly_one_target) {
    EXPECT_EQ(errors_of(with_bodies("[driver.d]\ntype = \"speed\"\nspeed = 1\n")),
              "11:1: error: driver 'd' drives nothing; give one of joint, body and point\n");
    EXPECT_EQ(
        errors_of(with_bodies(
            "[driver.d]\njoint = \"A\"\nbody = \"crank\"\ntype = \"speed\"\nspeed = 1\n")),
        "11:1: error: driver 'd' drives more than one thing; give one of joint, body and point\n");
}

TEST(DriverErrors, errors_of_the_law_are_told_even_without_a_target) {
    EXPECT_EQ(
        errors_of(with_bodies("[driver.d]\ntype = \"speed\"\nspeed = \"1 rpn\"\nstrat = 2\n")),
        "11:1: error: driver 'd' drives nothing; give one of joint, body and point\n"
        "13:12: error: driver 'd', speed: unknown unit 'rpn'; did you mean 'rpm'?\n"
        "14:1: error: driver 'd': unknown key 'strat'; did you mean 'start'?\n");
}

TEST(DriverErrors, unknown_joint_is_told_with_the_names_there_are) {
    EXPECT_EQ(errors_of(with_bodies("[driver.d]\njoint = \"Q\"\ntype = \"speed\"\nspeed = 1\n")),
              "12:10: error: driver 'd', joint: there is no joint 'Q'; valid: A, F, R\n");
}

TEST(DriverErrors, joint_without_coordinate_cannot_be_driven) {
    EXPECT_EQ(errors_of(with_bodies("[driver.d]\njoint = \"R\"\ntype = \"speed\"\nspeed = 1\n")),
              "12:9: error: driver 'd': joint 'R' of type rod has no coordinate\n");
}

TEST(DriverErrors, joint_with_several_coordinates_needs_of) {
    EXPECT_EQ(
        errors_of(with_bodies("[driver.d]\njoint = \"F\"\ntype = \"speed\"\nspeed = 1\n")),
        "11:1: error: driver 'd' needs the key 'of': joint 'F' of type free has the coordinates x, "
        "y, angle\n");
}

TEST(DriverErrors, of_must_be_possible) {
    EXPECT_EQ(
        errors_of(
            with_bodies("[driver.d]\njoint = \"A\"\nof = \"x\"\ntype = \"speed\"\nspeed = 1\n")),
        "13:6: error: driver 'd', of: joint 'A' of type revolute has no coordinate 'x'; it has: "
        "angle\n");
    EXPECT_EQ(
        errors_of(with_bodies(
            "[driver.d]\npoint = \"crank.B\"\nof = \"angle\"\ntype = \"speed\"\nspeed = 1\n")),
        "13:6: error: driver 'd', of: a point has x and y, but no angle; give the body instead\n");
    EXPECT_EQ(errors_of(with_bodies("[driver.d]\nbody = \"crank\"\ntype = \"speed\"\nspeed = 1\n")),
              "11:1: error: driver 'd' needs the key 'of'\n");
}

TEST(DriverErrors, ground_cannot_be_driven) {
    EXPECT_EQ(errors_of(with_bodies(
                  "[driver.d]\nbody = \"ground\"\nof = \"x\"\ntype = \"speed\"\nspeed = 1\n")),
              "12:8: error: driver 'd': ground cannot be driven\n");
}

TEST(DriverErrors, speed_must_fit_the_coordinate) {
    EXPECT_EQ(
        errors_of(with_bodies("[driver.d]\njoint = \"A\"\ntype = \"speed\"\nspeed = \"3 mm/s\"\n")),
        "14:10: error: driver 'd', speed: expected an angular velocity, but '3 mm/s' is a "
        "velocity\n");
}

TEST(DriverErrors, each_polynomial_coefficient_has_its_own_dimension) {
    EXPECT_EQ(
        errors_of(with_bodies("[driver.d]\njoint = \"A\"\ntype = \"polynomial\"\n"
                              "coefficients = [0, \"1 rad\", \"1 rad/s^2\"]\n")),
        "14:21: error: driver 'd', coefficients: expected an angular velocity, but '1 rad' is an "
        "angle\n");
}

TEST(DriverErrors, table_must_increase_and_match) {
    EXPECT_EQ(errors_of(with_bodies("[driver.d]\njoint = \"A\"\ntype = \"table\"\n"
                                    "times = [0, 2, 1]\nvalues = [0, 1, 2]\n")),
              "14:9: error: driver 'd', times: times must increase\n");
    EXPECT_EQ(errors_of(with_bodies("[driver.d]\njoint = \"A\"\ntype = \"table\"\n"
                                    "times = [0, 1, 2]\nvalues = [0, 1]\n")),
              "15:10: error: driver 'd', values: times and values must have the same length\n");
    EXPECT_EQ(errors_of(with_bodies("[driver.d]\njoint = \"A\"\ntype = \"table\"\n"
                                    "times = [0]\nvalues = [0]\n")),
              "14:9: error: driver 'd', times: needs at least 2 numbers\n");
}

TEST(DriverErrors, cam_segment_is_told_by_its_number) {
    EXPECT_EQ(
        errors_of(with_bodies("[driver.d]\njoint = \"A\"\ntype = \"cam\"\nsegments = [\n"
                              "  { law = \"dwell\", time = 1 },\n"
                              "  { law = \"cycloid\", time = \"1 s\", lift = 1 },\n"
                              "  { law = \"dwell\", time = 1, lift = 2 },\n]\n")),
        "16:12: error: driver 'd', segments 2, law: unknown value 'cycloid'; did you mean "
        "'cycloidal'?\n"
        "17:37: error: driver 'd', segments 3, lift: a dwell has no lift; choose a rise law, e.g. "
        "law = \"cycloidal\"\n");
}

TEST(DriverErrors, law_that_is_infinite_at_the_start_is_refused) {
    EXPECT_EQ(
        errors_of(
            with_bodies("[driver.d]\njoint = \"A\"\ntype = \"expression\"\nvalue = \"1/t\"\n")),
        "14:10: error: driver 'd', value at t = 0: the value is infinite; is there a division by "
        "zero?\n");
}

TEST(MeasureErrors, unknown_unit_is_told_with_the_nearest_one) {
    EXPECT_EQ(
        errors_of(with_bodies("[measure.m]\ntype = \"joint\"\njoint = \"A\"\nunit = \"dag\"\n")),
        "14:9: error: measure 'm', unit: unknown unit 'dag'; did you mean 'deg'?\n");
}

TEST(MeasureErrors, unit_must_fit_the_quantity) {
    EXPECT_EQ(
        errors_of(with_bodies("[measure.m]\ntype = \"joint\"\njoint = \"A\"\nunit = \"mm\"\n")),
        "14:8: error: measure 'm', unit: expected a unit of an angle, but 'mm' is a unit of a "
        "length\n");
}

TEST(MeasureErrors, measure_further_down_cannot_be_used) {
    EXPECT_EQ(
        errors_of(with_bodies("[measure.m]\ntype = \"expression\"\nvalue = \"2*tip.x\"\n"
                              "[measure.tip]\ntype = \"point\"\npoint = \"crank.B\"\n")),
        "13:12: error: measure 'm', value: measure 'tip' stands further down; an expression can "
        "use only the measures above it\n");
    EXPECT_EQ(errors_of(with_bodies("[measure.m]\ntype = \"expression\"\nvalue = \"m + 1\"\n")),
              "13:10: error: measure 'm', value: measure 'm' cannot use itself\n");
}

TEST(MeasureErrors, point_is_used_by_its_components) {
    EXPECT_EQ(errors_of(with_bodies("[measure.tip]\ntype = \"point\"\npoint = \"crank.B\"\n"
                                    "[measure.m]\ntype = \"expression\"\nvalue = \"tip\"\n")),
              "16:10: error: measure 'm', value: measure 'tip' is a point; use tip.x or tip.y\n");
}

TEST(MeasureErrors, names_must_stay_apart) {
    EXPECT_EQ(
        errors_of(with_bodies("[measure.crank]\ntype = \"point\"\npoint = \"crank.B\"\n")),
        "11:1: error: measure 'crank': the columns 'crank.x' and 'crank.y' would be those of the "
        "body; choose another name\n");
    EXPECT_EQ(
        errors_of(with_bodies("[measure.t]\ntype = \"joint\"\njoint = \"A\"\n")),
        "11:10: error: measure 't': the name is reserved: expressions use it for something else\n");
    EXPECT_EQ(errors_of(with_bodies("[parameters]\nm = 1\n[measure.m]\ntype = \"joint\"\n"
                                    "joint = \"A\"\n")),
              "13:1: error: measure 'm': there is a parameter of this name, so expressions could "
              "not distinguish them\n");
}

TEST(MeasureErrors, broken_measure_is_not_blamed_on_those_that_use_it) {
    EXPECT_EQ(errors_of(with_bodies("[measure.tip]\ntype = \"pont\"\n[measure.m]\n"
                                    "type = \"expression\"\nvalue = \"tip.x\"\n")),
              "12:9: error: measure 'tip', type: unknown type 'pont'; did you mean 'point'?\n");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
