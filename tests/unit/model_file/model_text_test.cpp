#include "model_file/text/model_text.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "support/paths.h"

namespace pawl {
namespace PAWL_TEST_FILE {

const std::string original = R"(# ü: a comment
format = 1
[parameters]   # another
L1   = "100 mm"  # the crank
L2 = { value = "2*L1",   min = 1 }

[body.crank]
points = { A = [0, 0], B = ["L1", 0] }   # points
angle = 30
[[extra]]
x = 1
)";

std::string replaced(std::string text, const std::string& old_part, const std::string& new_part) {
    return text.replace(text.find(old_part), old_part.size(), new_part);
}

std::string after(std::string_view path, std::string_view value) {
    Diagnostics diagnostics;
    ModelText text(original);
    return text.set(path, value, diagnostics) ? text.text() : diagnostics.text();
}

TEST(ModelText, only_the_value_changes) {
    EXPECT_EQ(after("parameters.L1", "15 mm"), replaced(original, "\"100 mm\"", "\"15 mm\""));
    EXPECT_EQ(after("body.crank.angle", "45"), replaced(original, "= 30", "= 45"));
    EXPECT_EQ(after("body.crank.points.B", "[1, 2]"), replaced(original, "[\"L1\", 0]", "[1, 2]"));
    EXPECT_EQ(after("body.crank.points.B.0", "2*L1"), replaced(original, "[\"L1\"", "[\"2*L1\""));
    EXPECT_EQ(after("extra.0.x", "true"), replaced(original, "x = 1", "x = true"));
}

TEST(ModelText, long_form_of_a_parameter_gets_a_new_value) {
    EXPECT_EQ(after("parameters.L2", "3"), replaced(original, "\"2*L1\"", "3"));
    EXPECT_EQ(after("parameters.L2.min", "2"), replaced(original, "min = 1", "min = 2"));
}

TEST(ModelText, values_of_a_profile_and_of_its_elements_can_be_set) {
    const std::string profile = R"([profile.p]  # an outline
body = "cam"
elements = [
  { type = "line", from = [0, 0], to = ["2*L", 0] },  # the base
  { type = "line", to = [0, 1] },
]
closed = true
)";
    const auto set = [&](std::string_view path, std::string_view value) {
        Diagnostics diagnostics;
        ModelText text(profile);
        return text.set(path, value, diagnostics) ? text.text() : diagnostics.text();
    };
    EXPECT_EQ(set("profile.p.closed", "false"), replaced(profile, "true", "false"));
    EXPECT_EQ(set("profile.p.body", "lever"), replaced(profile, "\"cam\"", "\"lever\""));
    EXPECT_EQ(set("profile.p.elements.1.to", "[0, 2]"), replaced(profile, "[0, 1]", "[0, 2]"));
    EXPECT_EQ(set("profile.p.elements.0.to.0", "3*L"), replaced(profile, "2*L", "3*L"));
}

TEST(ModelText, setting_the_old_value_changes_nothing) {
    EXPECT_EQ(after("parameters.L1", "\"100 mm\""), original);
    EXPECT_EQ(after("body.crank.points.A", "[0, 0]"), original);
}

TEST(ModelText, text_that_is_no_value_is_quoted) {
    EXPECT_EQ(after("parameters.L1", "1\nformat = 2"),
              replaced(original, "\"100 mm\"", "\"1\\u000Aformat = 2\""));
    EXPECT_EQ(after("parameters.L1", "1 # \"x\""),
              replaced(original, "\"100 mm\"", "\"1 # \\\"x\\\"\""));
    EXPECT_EQ(after("parameters.L1", ""), replaced(original, "\"100 mm\"", "\"\""));
}

TEST(ModelText, missing_value_is_told) {
    EXPECT_EQ(
        after("parameters.L3", "1"),
        ":3:1: error: cannot set parameters.L3: there is no 'L3'; did you mean 'L1' or 'L2'?\n");
    EXPECT_EQ(after("body.crank", "1"),
              ":7:1: error: cannot set body.crank: it is a table; valid: points, angle\n");
    EXPECT_EQ(after("extra", "1"), ":10:1: error: cannot set extra: it is a table; valid: 0\n");
    EXPECT_EQ(after("extra.1.x", "1"),
              ":10:1: error: cannot set extra.1.x: there is no '1'; valid: 0\n");
}

TEST(ModelText, key_that_an_element_does_not_have_is_added_to_it) {
    EXPECT_EQ(after("body.crank.mass", "2 kg"),
              replaced(original, "[body.crank]\n", "[body.crank]\nmass = \"2 kg\"\n"));
    EXPECT_EQ(after("body.crank.points.C", "[1, 2]"),
              replaced(original, "[\"L1\", 0] }", "[\"L1\", 0], C = [1, 2] }"));
    EXPECT_EQ(after("body.crank.extra.part", "1"),
              replaced(original, "[body.crank]\n", "[body.crank]\nextra.part = 1\n"));
    EXPECT_EQ(after("run.step", "1 ms"), original + "\n[run]\nstep = \"1 ms\"\n");
}

TEST(ModelText, name_that_is_missing_is_not_added) {
    EXPECT_EQ(
        after("body.crnk.mass", "1"),
        ":7:1: error: cannot set body.crnk.mass: there is no 'crnk'; did you mean 'crank'?\n");
    EXPECT_NE(after("bodi.crank.mass", "1").find("did you mean 'body'?"), std::string::npos);
    EXPECT_NE(after("run", "1").find("there is no 'run'"), std::string::npos);
}

TEST(ModelText, table_without_header_and_braces_is_left_to_the_user) {
    Diagnostics diagnostics;
    ModelText text("body.a.mass = 1\n");
    EXPECT_FALSE(text.set("body.a.inertia", "1", diagnostics));
    EXPECT_NE(diagnostics.text().find("write 'inertia' into the file"), std::string::npos)
        << diagnostics.text();
}

TEST(ModelText, examples_survive_a_change_and_its_reverse) {
    for (const auto& file : std::filesystem::directory_iterator(test::source_dir + "/models")) {
        if (file.is_directory()) continue;
        std::ifstream stream(file.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        Diagnostics diagnostics;
        ModelText model(text);
        ASSERT_TRUE(model.set("format", "1", diagnostics)) << file.path();
        ASSERT_TRUE(model.set("name", "other", diagnostics)) << file.path();
        EXPECT_NE(model.text(), text);
        const auto begin = text.find("name = ") + 7;
        const std::string name = text.substr(begin, text.find('\n', begin) - begin);
        ASSERT_TRUE(model.set("name", name, diagnostics)) << file.path();
        EXPECT_EQ(model.text(), text);
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
