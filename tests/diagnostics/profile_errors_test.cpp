// Errors in profiles: each is told at the element concerned.
#include <gtest/gtest.h>

#include "diagnostics/errors_of.h"

namespace pawl {
namespace {

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
              "7:1: error: profile 'q' needs the key 'elements'\n"
              "11:7: error: profile 'r', at: is on body 'cam', not on 'ground'\n");
    EXPECT_EQ(errors_of("format = 1\n[body.cam]\n[profile.p]\nbody = \"cam\"\nelements = []\n"),
              "5:12: error: profile 'p', elements: needs at least one table\n");
}

TEST(ProfileErrors, element_without_extent_is_refused) {
    EXPECT_EQ(errors_of_elements("  { type = \"line\", to = [1, 0] },\n"),
              "6:3: error: profile 'p', elements 1: the first element needs the key 'from'\n");
    EXPECT_EQ(errors_of_elements("  { type = \"line\", from = [0, 0], to = [1, 0] },\n"
                                 "  { type = \"line\", to = [1, 0] },\n"),
              "7:3: error: profile 'p', elements 2: the line has no length\n");
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

}  // namespace
}  // namespace pawl
