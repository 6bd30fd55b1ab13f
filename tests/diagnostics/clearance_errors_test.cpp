// Errors in joints with play.
#include <gtest/gtest.h>

#include "diagnostics/errors_of.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Line 7 is the first of the joint's own fields.
std::string errors_of_joint(const std::string& type, const std::string& fields) {
    return errors_of("format = 1\n[body.arm]\nmass = 1\n[joint.J]\na = \"ground\"\nb = \"arm\"\n" +
                     fields + "\ntype = \"" + type + "\"\n");
}

TEST(ClearanceErrors, clearance_is_positive) {
    EXPECT_EQ(errors_of_joint("revolute", "clearance = 0"),
              "7:13: error: joint 'J', clearance: must be positive\n");
    EXPECT_EQ(errors_of_joint("prismatic", "clearance = \"-1 mm\"\nguide = 1"),
              "7:13: error: joint 'J', clearance: must be positive\n");
    EXPECT_EQ(errors_of_joint("revolute", "clearance = \"1 deg\""),
              "7:14: error: joint 'J', clearance: expected a length, but '1 deg' is an angle\n");
}

TEST(ClearanceErrors, clearance_fits_the_joint) {
    EXPECT_EQ(errors_of_joint("revolute", "clearance = 0.02\nradius = 0.02"),
              "7:13: error: joint 'J', clearance: must be smaller than the radius of the pin\n");
    EXPECT_EQ(errors_of_joint("prismatic", "clearance = 0.02\nguide = 1e-300"),
              "8:9: error: joint 'J', guide: must be longer than a millionth of the clearance\n");
    EXPECT_EQ(errors_of_joint("prismatic", "clearance = 0.02"),
              "7:13: error: joint 'J', clearance: needs the length of the 'guide'\n");
    EXPECT_EQ(errors_of_joint("slot", "clearance = 0.02").substr(0, 48),
              "7:1: error: joint 'J': unknown key 'clearance'; ");
}

TEST(ClearanceErrors, contact_of_a_joint_needs_play) {
    EXPECT_EQ(errors_of_joint("revolute", "contact = { restitution = 0.5 }"),
              "7:11: error: joint 'J', contact: is valid only with a clearance\n");
    EXPECT_EQ(errors_of_joint("prismatic", "width = 0.1\nguide = 1"),
              "7:9: error: joint 'J', width: is valid only with a clearance\n");
    EXPECT_EQ(errors_of_joint("prismatic", "travel = 0.1\nguide = 1"),
              "7:10: error: joint 'J', travel: is valid only with a clearance\n");
}

TEST(ClearanceErrors, contact_of_a_joint_is_checked_like_any_other) {
    const std::string play = "clearance = 0.001\n";
    EXPECT_EQ(errors_of_joint("revolute", play + "contact = { restitution = 1.5 }"),
              "8:27: error: joint 'J', contact, restitution: must be between 0 and 1\n");
    EXPECT_EQ(errors_of_joint("revolute", play + "contact = { law = \"hertz\", stiffness = 1e9, "
                                                 "restitution = 0.5 }"),
              "8:59: error: joint 'J', contact, restitution: is not valid with law = \"hertz\"\n");
    EXPECT_EQ(errors_of_joint("revolute", play + "contact = { law = \"herz\", stiffness = 1e9 }"),
              "8:20: error: joint 'J', contact, law: unknown law 'herz'; did you mean 'hertz'?\n");
    EXPECT_EQ(errors_of_joint("revolute", play + "contact = { permanent = true }").substr(0, 57),
              "8:13: error: joint 'J', contact: unknown key 'permanent';");
}

TEST(ClearanceErrors, friction_is_given_once) {
    EXPECT_EQ(
        errors_of_joint("revolute",
                        "clearance = 0.001\nfriction = { kinetic = 0.1 }\n"
                        "contact = { friction = { kinetic = 0.1 } }"),
        "8:12: error: joint 'J', friction: is already given in `contact`; give it only once\n");
    EXPECT_EQ(errors_of_joint("prismatic",
                              "clearance = 0.001\nfriction = { kinetic = 0.1, viscous = 1 }\n"
                              "guide = 1"),
              "8:12: error: joint 'J', friction: with a clearance, the viscous part belongs in "
              "`contact`\n");
}

TEST(ClearanceErrors, contact_may_not_take_the_name_of_a_joint_with_play) {
    EXPECT_EQ(
        errors_of("format = 1\n[body.arm]\n[joint.J]\ntype = \"revolute\"\na = \"ground\"\n"
                  "b = \"arm\"\nclearance = 0.001\n[contact.J]\na = \"ground\"\nb = \"arm\"\n"),
        "8:10: error: contact 'J': joint 'J' has a clearance and gives its contact this name; "
        "choose another\n");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
