#include "math/span.h"

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

TEST(Diagnostics, text_is_in_the_order_of_the_file) {
    Diagnostics diagnostics;
    diagnostics.file = "latch.toml";
    diagnostics.error({14, 9}, "late");
    diagnostics.warning({2, 1}, "early");
    diagnostics.error({14, 9}, "after late");
    diagnostics.error({14, 3}, "left of late");
    diagnostics.error({}, "nowhere");
    EXPECT_EQ(diagnostics.text(),
              "latch.toml: error: nowhere\n"
              "latch.toml:2:1: warning: early\n"
              "latch.toml:14:3: error: left of late\n"
              "latch.toml:14:9: error: late\n"
              "latch.toml:14:9: error: after late\n");
    EXPECT_EQ(diagnostics.all().front().message, "late");
}

TEST(Diagnostics, warnings_are_not_errors) {
    Diagnostics diagnostics;
    diagnostics.warning({1, 1}, "hm");
    EXPECT_FALSE(diagnostics.has_errors());
    diagnostics.error({1, 1}, "no");
    EXPECT_TRUE(diagnostics.has_errors());
}

TEST(Diagnostics, message_without_file_and_place_stands_alone) {
    Diagnostics diagnostics;
    diagnostics.error({}, "one");
    diagnostics.error({}, "two");
    EXPECT_EQ(diagnostics.text(), "error: one\nerror: two\n");
}

TEST(NearestNames, nearest_come_first_and_ties_keep_their_order) {
    const std::vector<std::string> valid{"coupler", "rank", "crane", "crank", "ground"};
    EXPECT_EQ(nearest_names("crnak", valid), (std::vector<std::string>{"crank"}));
    EXPECT_EQ(nearest_names("crank", valid), (std::vector<std::string>{"crank", "rank", "crane"}));
    EXPECT_EQ(nearest_names("crank", valid, 1), (std::vector<std::string>{"crank"}));
}

TEST(NearestNames, case_does_not_count) {
    EXPECT_EQ(nearest_names("CRANK", {"crank"}), (std::vector<std::string>{"crank"}));
}

TEST(NearestNames, a_name_with_nothing_in_common_is_not_near) {
    EXPECT_TRUE(nearest_names("x", {"y"}).empty());
    EXPECT_TRUE(nearest_names("lever", {"crank", "a"}).empty());
    EXPECT_EQ(nearest_names("Lx", {"L1"}).size(), 1U);
}

TEST(DidYouMean, names_the_nearest) {
    EXPECT_EQ(did_you_mean("cran", {"crank", "lever"}), "; did you mean 'crank'?");
    EXPECT_EQ(did_you_mean("L0", {"L1", "L2"}), "; did you mean 'L1' or 'L2'?");
    EXPECT_EQ(did_you_mean("L0", {"L1", "L2", "L3", "L4"}), "; did you mean 'L1', 'L2' or 'L3'?");
}

TEST(DidYouMean, lists_valid_names_when_none_is_near) {
    EXPECT_EQ(did_you_mean("lever", {"a", "b", "c"}), "; valid: a, b, c");
    EXPECT_EQ(did_you_mean("lever", {}), "");
    const std::vector<std::string> many{"a", "b", "c", "d", "e", "f", "g",
                                        "h", "i", "j", "k", "l", "m"};
    EXPECT_EQ(did_you_mean("lever", many), "; valid: a, b, c, d, e, f, g, h, i, j, k, l, …");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
