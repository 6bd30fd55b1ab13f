// Errors in contacts.
#include <gtest/gtest.h>

#include "diagnostics/errors_of.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Line 12 is the first after the table's header.
std::string errors_of_contact(const std::string& contact) {
    return errors_of(R"(format = 1
[body.cam]
[body.lever]
[profile.disk]
body = "cam"
elements = [{ type = "circle", radius = 1 }]
[profile.hole]
body = "cam"
elements = [{ type = "circle", radius = 0.5, hollow = true }]
[profile.roller]
body = "lever"
elements = [{ type = "circle", radius = 1 }]
[body.bare]
[contact.C]
)" + contact);
}

TEST(ContactErrors, unknown_profile_is_told_with_the_nearest_names) {
    EXPECT_EQ(errors_of_contact("a = \"disc\"\nb = \"rollers\"\n"),
              "15:6: error: contact 'C', a: there is no profile and no body 'disc'; did you mean "
              "'disk'?\n"
              "16:6: error: contact 'C', b: there is no profile and no body 'rollers'; did you "
              "mean 'roller'?\n");
}

TEST(ContactErrors, body_does_not_touch_itself) {
    EXPECT_EQ(errors_of_contact("a = \"cam\"\nb = \"cam\"\n"),
              "16:5: error: contact 'C', b: a body cannot touch itself\n");
    EXPECT_EQ(errors_of_contact("a = \"disk\"\nb = \"disk\"\n"),
              "16:5: error: contact 'C', b: a body cannot touch itself\n");
    EXPECT_EQ(errors_of_contact("a = \"disk\"\nb = \"hole\"\n"),
              "16:5: error: contact 'C', b: both profiles are on body 'cam'; a body cannot touch "
              "itself\n");
}

TEST(ContactErrors, profile_does_not_touch_a_body_without_one) {
    EXPECT_EQ(errors_of_contact("a = \"cam\"\nb = \"roller\"\n"),
              "15:5: error: contact 'C', a: 'cam' is a body and the other side a profile; name a "
              "profile of it: disk, hole\n");
    EXPECT_EQ(errors_of_contact("a = \"roller\"\nb = \"bare\"\n"),
              "16:5: error: contact 'C', b: 'bare' is a body and the other side a profile; it has "
              "no profile yet: add [profile.NAME]\n");
}

TEST(ContactErrors, coefficients_are_checked) {
    const std::string sides = "a = \"disk\"\nb = \"roller\"\n";
    EXPECT_EQ(errors_of_contact(sides + "restitution = 1.1\n"),
              "17:15: error: contact 'C', restitution: must be between 0 and 1\n");
    EXPECT_EQ(errors_of_contact(sides + "restitution = -0.1\n"),
              "17:15: error: contact 'C', restitution: must be between 0 and 1\n");
    EXPECT_EQ(errors_of_contact(sides + "capture = \"0 m/s\"\n"),
              "17:11: error: contact 'C', capture: must be positive\n");
    EXPECT_EQ(errors_of_contact(sides + "capture = \"limits\"\n").substr(0, 41),
              "17:12: error: contact 'C', capture: unkno");
}

TEST(ContactErrors, keys_that_a_law_does_not_use_are_refused) {
    const std::string sides = "a = \"disk\"\nb = \"roller\"\n";
    const std::string kelvin = "law = \"kelvin_voigt\"\nstiffness = 1\n";
    EXPECT_EQ(errors_of_contact(sides + kelvin + "restitution = 0.5\n"),
              "19:15: error: contact 'C', restitution: is not valid with law = "
              "\"kelvin_voigt\"\n");
    EXPECT_EQ(errors_of_contact(sides + kelvin + "capture = \"limit\"\n"),
              "19:11: error: contact 'C', capture: is not valid with law = \"kelvin_voigt\"\n");
    EXPECT_EQ(errors_of_contact(sides + kelvin + "permanent = true\n"),
              "19:13: error: contact 'C', permanent: is not valid with law = \"kelvin_voigt\"\n");
    EXPECT_EQ(errors_of_contact(sides + "stiffness = 1\n"),
              "17:13: error: contact 'C', stiffness: a rigid contact has no stiffness; for a "
              "compliant one choose a law such as law = \"kelvin_voigt\" or \"hertz\" (with "
              "`hysteresis` restitution follows from both)\n");
}

TEST(ContactErrors, unknown_law_is_told_with_the_nearest_one) {
    EXPECT_EQ(errors_of_contact("a = \"disk\"\nb = \"roller\"\nlaw = \"herz\"\n"),
              "17:8: error: contact 'C', law: unknown law 'herz'; did you mean 'hertz'?\n");
}

TEST(ContactErrors, law_needs_a_stiffness_or_two_materials) {
    const std::string sides = "a = \"disk\"\nb = \"roller\"\nlaw = \"hertz\"\n";
    EXPECT_EQ(errors_of_contact(sides),
              "17:7: error: contact 'C', law: needs the stiffness, or young_a and young_b\n");
    EXPECT_EQ(errors_of_contact(sides + "young_a = 1\n"),
              "17:7: error: contact 'C', law: needs the stiffness, or young_a and young_b\n");
    EXPECT_EQ(errors_of_contact(sides + "stiffness = 1\nwidth = 1\n"),
              "18:13: error: contact 'C', stiffness: give either the stiffness or the materials\n");
    EXPECT_EQ(errors_of_contact(sides + "young_a = 1\nyoung_b = 1\npoisson_b = 0.6\n"),
              "20:13: error: contact 'C', poisson_b: must be above -1 and not above 0.5\n");
    EXPECT_EQ(errors_of_contact(sides + "young_a = 1\nyoung_b = 1\nexponent = 2\n"),
              "20:12: error: contact 'C', exponent: follows from the materials\n");
    EXPECT_EQ(errors_of_contact(sides + "stiffness = 1\nexponent = 0.5\n"),
              "19:12: error: contact 'C', exponent: must not be below 1\n");
}

TEST(ContactErrors, law_of_impact_needs_profiles) {
    EXPECT_EQ(errors_of_contact("a = \"cam\"\nb = \"lever\"\npermanent = true\n"),
              "17:13: error: contact 'C', permanent: is valid only between two profiles\n");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
