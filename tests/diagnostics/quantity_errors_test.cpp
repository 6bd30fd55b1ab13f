// Quantities in model files: units keep their meaning beside names that equal them, and what looks
// like a mistake or is not finite is reported.
#include <gtest/gtest.h>

#include "diagnostics/errors_of.h"
#include "simulation/equilibrium/equilibrium.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/program.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

DynamicResult run_of(const std::string& text, double end) {
    DynamicOptions options;
    options.end = end;
    options.step = end;
    return run_dynamics(test::placed_of(text), options);
}
double last(const DynamicResult& r, const std::string& column) {
    return test::value(r.trajectory, r.trajectory.rows() - 1, column);
}

const std::string slider = R"(
[body.b]
mass = "1 kg"
[joint.g]
type = "prismatic"
a = "ground"
b = "b"
)";

TEST(QuantityErrors, a_parameter_with_the_name_of_a_unit_leaves_quantities_alone) {
    const auto fast = run_of(
        "format = 1\n[parameters]\nms = \"2 ms\"\nspeed = \"1 m/ms\"\n[body.b]\nmass = 1\n"
        "velocity = [\"speed\", 0]\n[joint.g]\ntype = \"prismatic\"\na = \"ground\"\nb = \"b\"\n",
        1e-3);
    EXPECT_NEAR(last(fast, "b.x"), 1, 1e-12);
    const auto spring = run_of("format = 1\n[parameters]\nm = \"2 mm\"\n" + slider +
                                   "[force.s]\ntype = \"joint_spring\"\njoint = \"g\"\n"
                                   "stiffness = \"100 N/m\"\nfree_value = \"1 m\"\n",
                               1e-6);
    EXPECT_NEAR(last(spring, "b.ax"), 100, 1e-6);
}

TEST(QuantityErrors, the_coordinate_of_a_joint_does_not_stand_for_seconds) {
    const auto ramp = run_of("format = 1\n" + slider +
                                 "[force.r]\ntype = \"joint_force\"\njoint = \"g\"\n"
                                 "value = \"5 N/s * t\"\n",
                             0.2);
    EXPECT_NEAR(last(ramp, "b.x"), 5 * 0.008 / 6, 1e-12);
}

TEST(QuantityErrors, what_can_mean_two_things_is_refused_with_both_ways_to_write_it) {
    EXPECT_EQ(errors_of("format = 1\n[parameters]\nm = 2\nk = \"3/m\"\n"),
              "4:6: error: parameter 'k': '3/m' can mean two things, for 'm' is a unit and a name "
              "of the model; write '3 m^-1' for the unit, or '3/(m)' to divide by the name\n");
    EXPECT_EQ(errors_of("format = 1\n[parameters]\nm = 2\nk = \"3/(m)\"\nc = \"3 m^-1\"\n"),
              "no error\n");
    EXPECT_EQ(errors_of("format = 1\n" + slider +
                        "[force.f]\ntype = \"joint_force\"\njoint = \"g\"\n"
                        "value = \"0.5 N*m/s * t\"\n"),
              "12:16: error: force 'f', value: unknown name 'm'; a unit can only follow a number, "
              "joined by a blank, '/' or '^': write a blank instead of '*', as in '2 N m'\n");
}

TEST(QuantityErrors, earthly_gravity_in_millimetres_is_doubted) {
    const std::string begin =
        "format = 1\nunits = { length = \"mm\" }\n[force.w]\n"
        "type = \"gravity\"\n";
    EXPECT_EQ(
        errors_of(begin + "acceleration = [0, -9.81]\n"),
        "no error\n:5:16: warning: force 'w', acceleration: 9.81 in the units of this file is "
        "0.00981 m/s^2; write \"9.81 m/s^2\" for the weight on earth\n");
    for (const char* right : {"", "acceleration = [0, \"-9.81 m/s^2\"]\n",
                              "acceleration = [0, -9810]\n", "acceleration = [0, 0]\n"})
        EXPECT_EQ(errors_of(begin + right), "no error\n") << right;
    EXPECT_EQ(errors_of("format = 1\n[force.w]\ntype = \"gravity\"\nacceleration = [0, -9.81]\n"),
              "no error\n");
}

TEST(QuantityErrors, degrees_in_a_file_of_radians_are_doubted) {
    const std::string begin = "format = 1\n[body.crank]\nangle = ";
    EXPECT_EQ(
        errors_of(begin + "60\n"),
        "no error\n:3:9: warning: body 'crank', angle: without a unit this is 60 rad, or "
        "3437.7 deg; if degrees are meant, write \"60 deg\", or angle = \"deg\" in [units]\n");
    for (const char* right : {"6\n", "-1.5\n", "\"60 deg\"\n", "\"60 rad\"\n", "1000\n"})
        EXPECT_EQ(errors_of(begin + right), "no error\n") << right;
    EXPECT_EQ(errors_of("format = 1\nunits = { angle = \"deg\" }\n[body.crank]\nangle = 60\n"),
              "no error\n");
}

TEST(QuantityErrors, decimal_comma) {
    EXPECT_EQ(errors_of("format = 1\n[body.crank]\nmass = 0,5\n"),
              "3:9: error: TOML syntax, key-value pair: expected a comment or whitespace, saw ','; "
              "write a decimal number with a point, such as 0.5, and each key on its own line\n");
}

// A block that stands on the floor, with and without friction there.
std::string standing(const std::string& contact, const std::string& force) {
    return "format = 1\n[body.b]\nposition = [0, 1]\nmass = 1\ninertia = 1\n"
           "[profile.floor]\nbody = \"ground\"\nelements = [{ type = \"line\", from = [5, 0], to = "
           "[-5, 0] }]\n[profile.ball]\nbody = \"b\"\nelements = [{ type = \"circle\", radius = 1 "
           "}]\n[contact.C]\na = \"floor\"\nb = \"ball\"\n" +
           contact +
           "[force.w]\ntype = \"gravity\"\n[measure.p]\ntype = \"point\"\npoint = "
           "\"b\"\n[force.f]\n" +
           force;
}

TEST(QuantityErrors, a_force_that_is_not_finite_is_named_whatever_the_contacts_make_of_it) {
    for (const char* contact : {"", "friction = { kinetic = 0.3 }\n", "restitution = 0.5\n"})
        for (const char* value : {"1/p.x", "p.x/p.x", "log(p.x)"}) {
            const auto r = run_of(standing(contact, "type = \"torque\"\nbody = \"b\"\nvalue = \"" +
                                                        std::string(value) + "\"\n"),
                                  0.1);
            EXPECT_EQ(r.status, DynamicStatus::not_finite) << contact << value << ": " << r.message;
            EXPECT_EQ(r.message,
                      "force 'f' is not finite at t = 0 s; is there a division by zero in its "
                      "expression?")
                << contact << value;
            EXPECT_GT(r.span.line, 0);
            for (const Event& e : r.events) EXPECT_NE(e.kind, EventKind::jam);
        }
}

class MeasureWarnings : public test::Program {};

TEST_F(MeasureWarnings, a_measure_that_is_no_number_is_reported) {
    write("m.toml", "format = 1\n" + slider +
                        "[measure.ratio]\ntype = \"expression\"\nvalue = \"1/(t - 0.5)\"\n"
                        "[measure.root]\ntype = \"expression\"\nvalue = \"sqrt(0.25 - t)\"\n"
                        "[run]\nend = 1\nstep = 0.25\n");
    for (const char* verb : {"dynamics", "kinematics"}) {
        const auto o = run({verb, "m.toml"});
        EXPECT_EQ(o.code, 0) << o.err;
        EXPECT_NE(o.out.find("measure 'ratio' is infinite at t = 0.5 s; its expression divides by "
                             "zero or leaves the range of a function"),
                  std::string::npos)
            << o.out << o.err;
        EXPECT_NE(o.out.find("measure 'root' is not a number at t = 0.5 s and in 2 more samples"),
                  std::string::npos)
            << o.out << o.err;
    }
}

TEST(QuantityErrors, tolerances_of_steps_have_the_limits_of_the_command_line) {
    for (const char* key : {"rtol", "atol"})
        for (const char* value : {"1e300", "0.11", "9e-15", "0"}) {
            const std::string text =
                std::string("format = 1\n[run]\n") + key + " = " + value + "\n";
            const std::string errors = errors_of(text);
            EXPECT_TRUE(errors.starts_with("3:8: error: run, ")) << errors;
            EXPECT_NE(
                errors.find(value[0] == '0' && value[1] == 0 ? "must be positive"
                                                             : "must be between 1e-14 and 0.1"),
                std::string::npos)
                << errors;
        }
    EXPECT_NE(errors_of("format = 1\n", {{"run.rtol", "1e10"}}).find("between 1e-14 and 0.1"),
              std::string::npos);
    EXPECT_TRUE(errors_of("format = 1\n[run]\nrtol = 0.1\natol = 1e-14\n").starts_with("no error"));
}

TEST(QuantityErrors, units_may_have_fractions_as_exponents) {
    const std::string model = "format = 1\n[body.b]\n[parameters]\nk = \"2e9 kg/m^0.5/s^2\"\n",
                      same = "n = \"k + 1 N/m^1.5\"\n", other = "n = \"k + 1 N/m^1.4\"\n";
    EXPECT_TRUE(errors_of(model + same).starts_with("no error")) << errors_of(model + same);
    EXPECT_NE(errors_of(model + other).find("5:"), std::string::npos) << errors_of(model + other);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
