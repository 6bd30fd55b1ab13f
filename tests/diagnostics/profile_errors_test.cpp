// Errors in profiles: each is told at the element concerned.
#include <gtest/gtest.h>

#include "diagnostics/errors_of.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// The elements begin on line 6, each on its own line from column 3.
std::string errors_of_elements(const std::string& elements, const std::string& more = "") {
    return errors_of("format = 1\n[body.cam]\n[profile.p]\nbody = \"cam\"\nelements = [\n" +
                     elements + "]\n" + more);
}

TEST(ProfileErrors, unknown_type_is_told_with_the_nearest_one) {
    EXPECT_EQ(errors_of_elements("  { type = \"arcs\", radius = 1 },\n"),
              "6:13: error: profile 'p', elements 1, type: unknown type 'arcs'; did you mean "
              "'arc'?\n");
}

TEST(ProfileErrors, missing_and_unknown_keys_name_the_element) {
    EXPECT_EQ(errors_of_elements("  { type = \"line\", from = [0, 0], to = [1, 0] },\n"
                                 "  { type = \"line\", from = [0, 0], too = [1, 0] },\n"
                                 "  { radius = 1 },\n  3\n"),
              "7:3: error: profile 'p', elements 2 needs the key 'to'\n"
              "7:35: error: profile 'p', elements 2: unknown key 'too'; did you mean 'to'?\n"
              "8:3: error: profile 'p', elements 3 needs the key 'type'\n"
              "9:3: error: profile 'p', elements 4: expected a table, not a number\n");
}

TEST(ProfileErrors, keys_of_the_profile_itself_are_checked) {
    EXPECT_EQ(errors_of("format = 1\n[body.cam]\npoints = { P = [0, 0] }\n[profile.p]\n"
                        "body = \"came\"\nelements = []\n[profile.q]\nat = \"cam.P\"\n"
                        "[profile.r]\nbody = \"ground\"\nat = \"cam.P\"\nelements = [\n"
                        "{ type = \"circle\", radius = 1 } ]\n"),
              "5:9: error: profile 'p', body: there is no body 'came'; did you mean 'cam'?\n"
              "7:1: error: profile 'q' needs the key 'body'\n"
              "7:1: error: profile 'q': give either elements or like\n"
              "11:7: error: profile 'r', at: is on body 'cam', not on 'ground'\n");
    EXPECT_EQ(errors_of("format = 1\n[body.cam]\n[profile.p]\nbody = \"cam\"\nelements = []\n"),
              "5:12: error: profile 'p', elements: needs at least one table\n");
}

TEST(ProfileErrors, element_without_extent_is_refused) {
    EXPECT_EQ(errors_of_elements("  { type = \"line\", to = [1, 0] },\n"),
              "6:3: error: profile 'p', elements 1: the first element needs the key 'from'\n");
    EXPECT_EQ(errors_of_elements("  { type = \"line\", from = [0, 0], to = [1, 0] },\n"
                                 "  { type = \"line\", to = [1, 0] },\n"),
              "7:3: error: profile 'p', elements 2: a line has no length\n");
    EXPECT_EQ(errors_of_elements("  { type = \"arc\", centre = [0, 0], radius = 1, from = 1, "
                                 "to = 1 },\n"),
              "6:63: error: profile 'p', elements 1, to: the arc has no length\n");
    EXPECT_EQ(errors_of_elements("  { type = \"arc\", centre = [0, 0], radius = 1, from = 0, "
                                 "to = \"361 deg\" },\n"),
              "6:63: error: profile 'p', elements 1, to: an arc is less than a whole turn; use "
              "type = \"circle\"\n");
    EXPECT_EQ(errors_of_elements("  { type = \"circle\", radius = 0 },\n"),
              "6:31: error: profile 'p', elements 1, radius: must be positive\n");
}

TEST(ProfileErrors, elements_that_do_not_meet_are_told_with_the_gap) {
    EXPECT_EQ(errors_of_elements("  { type = \"line\", from = [0, 0], to = [1, 0] },\n"
                                 "  { type = \"line\", from = [1, 0.1], to = [1, 2] },\n"),
              "6:3: error: profile 'p': elements 1 and 2 do not meet: gap 0.1 m, from (1, 0) to "
              "(1, 0.1)\n");
    EXPECT_EQ(errors_of_elements("  { type = \"line\", from = [0, 0], to = [1, 0] },\n"
                                 "  { type = \"line\", to = [1, 1] },\n",
                                 "closed = true\n"),
              "7:3: error: profile 'p': elements 2 and 1 do not meet: gap 1.41421 m, from (1, 1) "
              "to (0, 0)\n");
}

// Drawn from (0, 0) to (2, 0) to (2, 2), then down to (1, -1) through the first line.
TEST(ProfileErrors, outline_that_crosses_itself_is_told_with_the_place) {
    EXPECT_EQ(errors_of_elements("  { type = \"line\", from = [0, 0], to = [2, 0] },\n"
                                 "  { type = \"line\", to = [2, 2] },\n"
                                 "  { type = \"line\", to = [1, -1] },\n"),
              "8:3: error: profile 'p': elements 1 and 3 cross at (1.33333, 0) m\n");
}

TEST(ProfileErrors, closed_curves_and_points_stand_alone) {
    const std::string line = "  { type = \"line\", from = [0, 0], to = [1, 0] },\n";
    EXPECT_EQ(errors_of_elements(line + "  { type = \"circle\", radius = 1 },\n"),
              "7:3: error: profile 'p': a closed curve must be the only element of its profile\n");
    EXPECT_EQ(errors_of_elements(line + "  { type = \"point\", at = [1, 0] },\n"),
              "7:3: error: profile 'p', elements 2: a point must be the only element of its "
              "profile\n");
    EXPECT_EQ(errors_of_elements("  { type = \"circle\", radius = 1 },\n", "closed = false\n"),
              "8:10: error: profile 'p', closed: this curve is always closed\n");
    EXPECT_EQ(
        errors_of_elements("  { type = \"circle\", radius = 1 },\n", "pattern = { count = 3 }\n"),
        "8:11: error: profile 'p', pattern: a closed curve cannot be joined to its copies\n");
}

TEST(ProfileErrors, polynomial_is_checked) {
    const std::string angles = "  { type = \"polynomial\", from = 0, to = 1, ";
    EXPECT_EQ(errors_of_elements(angles + "coefficients = [1, 2], exponents = [0] },\n"),
              "6:79: error: profile 'p', elements 1, exponents: must be as many as the "
              "coefficients\n");
    EXPECT_EQ(errors_of_elements(angles + "coefficients = [-1], exponents = [0] },\n"),
              "6:3: error: profile 'p', elements 1: the radius of a polynomial must be positive\n");
}

// At th = start the argument is zero, and its negative powers infinite.
TEST(ProfileErrors, polynomial_that_is_infinite_on_its_element_is_refused) {
    const auto polynomial = [](const std::string& fields) {
        return errors_of_elements("  { type = \"polynomial\", " + fields +
                                  ", coefficients = [1, 1], exponents = [0, -1] },\n");
    };
    const auto told = [](const std::string& angle) {
        return "6:3: error: profile 'p', elements 1: the exponent -1 makes the radius infinite at "
               "the angle " +
               angle + " deg, where angle - start is zero; choose `start` outside the element\n";
    };
    EXPECT_EQ(polynomial("from = 0, to = 1"), told("0"));
    EXPECT_EQ(polynomial("from = 3, to = \"90 deg\", start = \"90 deg\""), told("90"));
    EXPECT_EQ(polynomial("from = 0, to = 2, start = \"30 deg\""), told("30"));
    EXPECT_EQ(polynomial("from = 1, to = 2"), "no error\n");
}

TEST(ProfileErrors, periodic_polar_spline_ends_at_its_first_radius) {
    const auto spline = [](const std::string& last) {
        return errors_of_elements(
            "  { type = \"spline\", ends = \"periodic\", angles = [0, \"120 deg\", \"240 deg\", "
            "\"360 deg\"], radii = [1, 1.1, 1.2, " +
            last + "] },\n");
    };
    EXPECT_EQ(spline("1"), "no error\n");
    EXPECT_EQ(spline("1.1"),
              "6:3: error: profile 'p', elements 1: a periodic spline ends where it begins, but "
              "its first radius is 1 m and its last one, a turn later, 1.1 m; make them equal, or "
              "omit the last one\n");
}

TEST(ProfileErrors, pattern_goes_round_once_at_most) {
    const auto pattern = [](const std::string& table) {
        return errors_of_elements(
            "  { type = \"line\", from = [1, 0], to = [\"1 m*cos(30 deg)\", \"1 m*sin(30 deg)\"] "
            "},\n",
            "pattern = " + table + "\n");
    };
    EXPECT_EQ(pattern("{ count = 12, step = \"30 deg\" }"), "no error\n");
    EXPECT_EQ(pattern("{ count = 13, step = \"30 deg\" }"),
              "8:11: error: profile 'p', pattern: 13 times 30 deg are 390 deg, more than a whole "
              "turn, so copies would overlap; at most 12 fit\n");
}

TEST(ProfileErrors, spline_is_checked) {
    EXPECT_EQ(errors_of_elements("  { type = \"spline\" },\n"),
              "6:3: error: profile 'p', elements 1, points: give either points, or angles and "
              "radii\n");
    EXPECT_EQ(errors_of_elements("  { type = \"spline\", angles = [0, 1] },\n"),
              "6:31: error: profile 'p', elements 1, angles: polar data are angles and radii\n");
    EXPECT_EQ(errors_of_elements("  { type = \"spline\", points = [[0, 0], [0, 0]] },\n"),
              "6:3: error: profile 'p', elements 1: two neighbouring points of a spline are the "
              "same\n");
    EXPECT_EQ(errors_of_elements("  { type = \"spline\", points = [[0, 0], 3] },\n"),
              "6:40: error: profile 'p', elements 1, points: expected an array of two numbers, "
              "[x, y]\n");
}

TEST(ProfileErrors, cam_is_checked) {
    const auto cam = [](const std::string& fields, const std::string& segments) {
        return errors_of_elements("  { type = \"cam\", base = 1, " + fields + "segments = [" +
                                  segments + "] },\n");
    };
    EXPECT_EQ(cam("roller = 0.2, ", "{ law = \"cycloidal\", lift = 1 }"),
              "6:55: error: profile 'p', elements 1, segments 1 needs the key 'angle'\n");
    EXPECT_EQ(cam("roller = 0.2, ", "{ lift = 1, angle = 1 }"),
              "6:64: error: profile 'p', elements 1, segments 1, lift: a dwell has no lift; choose "
              "a rise law, e.g. law = \"cycloidal\"\n");
    EXPECT_EQ(
        cam("pivot = [3, 0], ", "{ angle = 1 }"),
        "6:37: error: profile 'p', elements 1, pivot: a swinging follower needs pivot and arm\n");
    EXPECT_EQ(cam("roller = 0.2, ", "{ law = \"harmonic\", lift = 0.1, angle = \"360 deg\" }"),
              "6:3: error: profile 'p', elements 1: the lifts of a whole turn must end where they "
              "began\n");
    EXPECT_EQ(cam("pivot = [3, 0], arm = 2.5, roller = 0.2, ",
                  "{ law = \"harmonic\", lift = \"1 mm\", angle = 1 }"),
              "6:110: error: profile 'p', elements 1, segments 1, lift: expected an angle, but "
              "'1 mm' is a length\n");
}

TEST(ProfileErrors, copy_of_another_profile_is_checked) {
    const std::string head = "format = 1\n[body.cam]\n[profile.p]\nbody = \"cam\"\n";
    const std::string square =
        "elements = [{ type = \"line\", from = [0, 0], to = [1, 0] }, { type = \"line\", to = "
        "[1, 1] }, { type = \"line\", to = [0, 0] }]\n";
    const std::string copy = "[profile.q]\nbody = \"cam\"\n";
    EXPECT_EQ(errors_of(head + "like = \"q\"\n" + copy + square),
              "5:9: error: profile 'p', like: there is no profile 'q' further up\n");
    EXPECT_EQ(errors_of(head + square + copy + "like = \"r\"\n"),
              "8:9: error: profile 'q', like: there is no profile 'r' further up; valid: p\n");
    EXPECT_EQ(errors_of(head + square + copy + square + "like = \"p\"\n"),
              "6:1: error: profile 'q': give either elements or like\n");
    EXPECT_EQ(errors_of(head + square + copy + "like = \"p\"\noffset = -0.1\n"),
              "9:10: error: profile 'q', offset: cannot offset a profile inward at a convex "
              "corner\n");
    EXPECT_EQ(errors_of(head + square + copy + "like = \"p\"\npattern = { count = 1.5 }\n"),
              "9:21: error: profile 'q', pattern, count: must be a whole number from 1 to 10000\n");
    EXPECT_EQ(errors_of(head + square + copy + "like = \"p\"\npattern = 3\n"),
              "9:11: error: profile 'q', pattern: expected a table, not a number\n");
    EXPECT_EQ(errors_of(head + "elements = [{ type = \"line\", to = [0, 1] }]\n" + copy +
                        "like = \"p\"\n"),
              "5:13: error: profile 'p', elements 1: the first element needs the key 'from'\n");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
