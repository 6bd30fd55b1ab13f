// Errors in parameters, in expressions and in their replacement from the command line.
#include <gtest/gtest.h>

#include "diagnostics/errors_of.h"

namespace pawl {
namespace PAWL_TEST_FILE {

std::string parameters(const std::string& text) { return "format = 1\n[parameters]\n" + text; }

TEST(ParameterErrors, cycle_is_told_with_its_members) {
    EXPECT_EQ(errors_of(parameters("a = \"2*b\"\nb = \"c + 1\"\nc = \"a\"\nd = \"a\"\n")),
              "3:1: error: parameters depend on each other: a -> b -> c -> a\n");
    EXPECT_EQ(errors_of(parameters("a = \"a + 1\"\n")),
              "3:1: error: a parameter depends on itself: a -> a\n");
}

TEST(ParameterErrors, every_cycle_is_told_once) {
    EXPECT_EQ(errors_of(parameters("a = \"b\"\nb = \"a + b\"\nc = \"d\"\nd = \"c\"\n")),
              "3:1: error: parameters depend on each other: a -> b -> a\n"
              "5:1: error: parameters depend on each other: c -> d -> c\n");
}

TEST(ParameterErrors, error_in_an_expression_has_its_exact_column) {
    EXPECT_EQ(errors_of(parameters("L = \"100 mm\"\nM = \"2*L + 3 kg\"\n")),
              "4:10: error: parameter 'M': cannot add a length and a mass\n");
    EXPECT_EQ(errors_of(parameters("L = { min = 1, value = '2*(3 + 4' }\n")),
              "3:33: error: parameter 'L': missing ')'\n");
}

TEST(ParameterErrors, columns_count_characters_not_bytes) {
    EXPECT_EQ(errors_of("format = 1\nname = \"é\" # ü\n[parameters]\nL = \"2 µm\"\n"),
              "4:8: error: parameter 'L': expected an operator before 'µ'\n");
}

TEST(ParameterErrors, string_with_escapes_is_told_at_its_beginning) {
    EXPECT_EQ(errors_of(parameters("L = \"2\\u002Bx\"\n")),
              "3:5: error: parameter 'L': unknown name 'x'; valid: L\n");
}

TEST(ParameterErrors, unknown_name_is_told_with_the_nearest_one) {
    EXPECT_EQ(errors_of(parameters("length_a = 1\nb = \"2*lenght_a\"\n")),
              "4:8: error: parameter 'b': unknown name 'lenght_a'; did you mean 'length_a'?\n");
}

TEST(ParameterErrors, reserved_names_are_refused) {
    EXPECT_EQ(errors_of(parameters("t = 1\npi = 3\nsin = 2\n\"a b\" = 4\n")),
              "3:1: error: a parameter cannot be called 't': that is the time\n"
              "4:1: error: a parameter cannot be called 'pi': expressions use that name\n"
              "5:1: error: a parameter cannot be called 'sin': expressions use that name\n"
              "6:1: error: the name 'a b' must consist of letters, digits and _ and not begin with "
              "a digit\n");
}

TEST(ParameterErrors, time_is_for_drivers_and_measures_only) {
    EXPECT_EQ(
        errors_of(parameters("a = \"2*t\"\n[body.b]\nangle = \"t\"\n")),
        "3:8: error: parameter 'a': the time t can be used only in drivers, forces and measures\n"
        "5:10: error: body 'b', angle: the time t can be used only in drivers, forces and "
        "measures\n");
}

TEST(ParameterErrors, values_that_are_not_finite_are_refused) {
    EXPECT_EQ(
        errors_of(parameters("a = 0\nb = \"1/a\"\nc = inf\nd = \"sqrt(0 - 1)\"\n")),
        "4:6: error: parameter 'b': the value is infinite; is there a division by zero?\n"
        "5:5: error: parameter 'c': the value is infinite\n"
        "6:6: error: parameter 'd': the value is not a number; is there a division by zero?\n");
}

TEST(ParameterErrors, broken_parameter_is_not_blamed_on_those_that_use_it) {
    EXPECT_EQ(errors_of(parameters("a = \"1 mmm\"\nb = \"2*a\"\n[body.c]\nmass = \"b\"\n")),
              "3:8: error: parameter 'a': unknown unit 'mmm'; did you mean 'mm'?\n");
}

// The stand-in of a broken parameter is 1, so without care this would divide by zero.
TEST(ParameterErrors, value_made_with_a_broken_parameter_is_not_computed) {
    EXPECT_EQ(errors_of(parameters("a = \"1 mmm\"\nb = \"1/(a - 1)\"\n")),
              "3:8: error: parameter 'a': unknown unit 'mmm'; did you mean 'mm'?\n");
}

TEST(ParameterErrors, limits_must_fit_the_value) {
    EXPECT_EQ(errors_of(parameters("a = { value = \"1 mm\", min = \"1 kg\" }\n")),
              "3:30: error: parameter 'a', min: expected a length, but '1 kg' is a mass\n");
    EXPECT_EQ(errors_of(parameters("a = { value = 2, min = 3, max = 1 }\n")),
              "3:33: error: parameter 'a', max: must not be less than min\n");
    EXPECT_EQ(errors_of(parameters("a = { value = 2, tolerance = -1 }\n")),
              "3:30: error: parameter 'a', tolerance: must not be negative\n");
    EXPECT_EQ(
        errors_of(parameters("a = { min = 2, maximum = 3 }\n")),
        "3:5: error: parameter 'a' needs the key 'value'\n"
        "3:16: error: parameter 'a': unknown key 'maximum'; valid: value, min, max, tolerance, "
        "distribution\n");
}

TEST(ParameterErrors, value_outside_its_limits_is_a_warning) {
    EXPECT_EQ(errors_of(parameters("a = { value = 5, max = 3 }\n")),
              "no error\n:3:15: warning: parameter 'a': the value lies outside min and max\n");
}

TEST(ParameterErrors, replacement_of_an_unknown_parameter_is_told_with_the_nearest_one) {
    EXPECT_EQ(errors_of(parameters("L1 = 1\n"), {{"L2", "3"}}),
              "error: --set L2: the model has no parameter 'L2'; did you mean 'L1'?\n");
}

TEST(ParameterErrors, error_in_a_replacement_is_told_as_such) {
    EXPECT_EQ(errors_of(parameters("L1 = 1\n"), {{"L1", "3 mn"}}),
              "error: --set L1: unknown unit 'mn'; did you mean 'mN', 'm' or 'mm'?\n");
    EXPECT_EQ(errors_of(parameters("L1 = 1\n"), {{"L1", ""}}),
              "error: --set L1: the expression is empty\n");
}

// The parameter is a length in the file; a number alone is a length in the unit of the file.
TEST(ParameterErrors, number_alone_of_an_override_has_the_unit_of_the_parameter) {
    for (const auto& [units, factor] : {std::pair{"", 1.0}, {"units.length = \"mm\"\n", 1e-3}}) {
        Diagnostics diagnostics;
        const auto model = read_model("format = 1\n" + std::string(units) +
                                          "[parameters]\nL = \"2*a\"\nn = 3\na = \"25 mm\"\n",
                                      "test.toml", {{"L", "7"}, {"n", "4"}}, diagnostics);
        ASSERT_TRUE(model) << diagnostics.text();
        const auto& parameters = model->parameters;
        EXPECT_NEAR(parameters[0].value, 7 * factor, 1e-15);
        EXPECT_EQ(parameters[1].value, 4);
    }
}

TEST(ParameterErrors, default_unit_must_be_a_unit_of_its_dimension) {
    EXPECT_EQ(
        errors_of("format = 1\n[units]\nlength = \"kg\"\nangle = \"degr\"\nmas = \"g\"\n"),
        "3:10: error: units, length: expected a unit of a length, but 'kg' is a unit of a mass\n"
        "4:10: error: units, angle: unknown unit 'degr'; did you mean 'deg'?\n"
        "5:1: error: units: unknown key 'mas'; did you mean 'mass'?\n");
}

TEST(ParameterErrors, deep_expression_is_refused) {
    constexpr int depth = 10000;
    const std::string deep = std::string(depth, '(') + "1" + std::string(depth, ')');
    EXPECT_EQ(errors_of(parameters("a = \"" + deep + "\"\n")),
              "3:206: error: parameter 'a': expression nested more than 200 deep\n");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
