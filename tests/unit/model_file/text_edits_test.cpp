#include <gtest/gtest.h>

#include "model_file/text/model_text.h"

namespace pawl {
namespace PAWL_TEST_FILE {

const std::string original = R"model(# ü: a four-bar
format = 1
name = "crank and others"

[parameters]
L1 = "100 mm"   # the crank
L2 = "2*L1 + 3 L1"

[body.ground]
points = { O = [0, 0], Q = ["L2", 0] }

# what turns
[body.crank]
type = "crank"
points = { A = [0, 0], B = ["L1", 0] }

[joint.A]
type = "revolute"
a = "ground.O"
b = "crank.A"   # at its end

[force.drag]
type = "joint_spring"
joint = "A"
law = "-2*A.rate - crank.omega*sin(A)"

# All profiles.
[profile.rim]
body = "crank"
elements = [
    { type = "line", from = [0, 0], to = [1, 0] },
    { type = "line", to = [1, 1] },   # the last
]

[run]
end = "1 s"
)model";

struct Edited {
    std::string text, problems;
    std::vector<TextChange> changes;
    std::vector<std::string> removed;
};
template <class Edit>
Edited edited(Edit edit, const std::string& before = original) {
    Diagnostics diagnostics;
    ModelText text(before);
    const bool done = edit(text, diagnostics);
    EXPECT_NE(done, diagnostics.has_errors());
    EXPECT_TRUE(done || text.text() == before);
    return {text.text(), diagnostics.text(), text.changes(), text.removed()};
}
std::string replaced(std::string text, const std::string& old_part, const std::string& new_part) {
    const std::size_t at = text.find(old_part);
    EXPECT_NE(at, std::string::npos) << old_part;
    return text.replace(at, old_part.size(), new_part);
}
// The changes, applied to the text before them, are the text after them.
void expect_changes_tell_all(const Edited& e, const std::string& before = original) {
    std::string made;
    std::size_t at = 0;
    for (const TextChange& c : e.changes) {
        ASSERT_LE(at, c.begin);
        made.append(before, at, c.begin - at).append(c.text);
        at = c.end;
    }
    EXPECT_EQ(made.append(before, at, std::string::npos), e.text);
}

TEST(TextEdits, a_new_element_stands_behind_the_last_of_its_section) {
    const Edited e = edited([](ModelText& t, Diagnostics& d) {
        return t.insert("joint.B", {{"type", "\"revolute\""}, {"a", "crank.B"}, {"axis", "0.5"}},
                        d);
    });
    EXPECT_EQ(e.text, replaced(original, "[force.drag]",
                               "[joint.B]\ntype = \"revolute\"\na = \"crank.B\"\naxis = 0.5\n\n"
                               "[force.drag]"));
    expect_changes_tell_all(e);
}

TEST(TextEdits, the_first_of_a_section_stands_at_the_end) {
    const Edited e = edited([](ModelText& t, Diagnostics& d) {
        return t.insert("driver.motor", {{"speed", "3"}}, d);
    });
    EXPECT_EQ(e.text, original + "\n[driver.motor]\nspeed = 3\n");
    EXPECT_EQ(
        edited([](ModelText& t, Diagnostics& d) { return t.insert("body.x", {}, d); }, "").text,
        "[body.x]\n");
}

TEST(TextEdits, a_name_that_is_taken_or_no_name_is_refused) {
    EXPECT_NE(edited([](ModelText& t, Diagnostics& d) {
                  return t.insert("joint.A", {}, d);
              }).problems.find("there is a joint 'A' already"),
              std::string::npos);
    for (const char* name : {"joint.a b", "joint.", "joint.\"x\"", "joint.1", "joint"})
        EXPECT_NE(edited([&](ModelText& t, Diagnostics& d) {
                      return t.insert(name, {}, d);
                  }).problems.find("is not a valid name"),
                  std::string::npos)
            << name;
}

TEST(TextEdits, a_value_is_appended_in_the_layout_of_its_array) {
    const Edited e = edited([](ModelText& t, Diagnostics& d) {
        return t.append("profile.rim.elements", "{ type = \"line\", to = [0, 0] }", d);
    });
    EXPECT_EQ(e.text, replaced(original, "# the last\n",
                               "# the last\n    { type = \"line\", to = [0, 0] },\n"));
    expect_changes_tell_all(e);
    EXPECT_EQ(
        edited([](ModelText& t, Diagnostics& d) { return t.append("x", "3", d); }, "x = [1, 2]\n")
            .text,
        "x = [1, 2, 3]\n");
    EXPECT_EQ(
        edited([](ModelText& t, Diagnostics& d) { return t.append("x", "3", d); }, "x = []\n").text,
        "x = [3]\n");
    EXPECT_EQ(edited([](ModelText& t, Diagnostics& d) { return t.append("x", "3", d); },
                     "x = [\n  1,\n  2 # two\n]\n")
                  .text,
              "x = [\n  1,\n  2, # two\n  3\n]\n");
}

TEST(TextEdits, a_value_of_an_array_and_a_key_are_taken_out) {
    const auto without = [](const char* path, const std::string& before) {
        return edited([&](ModelText& t, Diagnostics& d) { return t.remove(path, d); }, before).text;
    };
    EXPECT_EQ(without("x.0", "x = [1, 2, 3]\n"), "x = [2, 3]\n");
    EXPECT_EQ(without("x.1", "x = [1, 2, 3]\n"), "x = [1, 3]\n");
    EXPECT_EQ(without("x.2", "x = [1, 2, 3]\n"), "x = [1, 2]\n");
    EXPECT_EQ(without("x.0", "x = [1,]\n"), "x = []\n");
    EXPECT_EQ(without("body.b.mass", "[body.b]\nmass = 1 # kg\nangle = 2\n"),
              "[body.b]\nangle = 2\n");
    EXPECT_EQ(without("a.b", "a = { b = 1, c = 2 }\n"), "a = { c = 2 }\n");
    EXPECT_EQ(without("a.c", "a = { b = 1, c = 2 }\n"), "a = { b = 1 }\n");
}

TEST(TextEdits, an_element_goes_with_all_that_refers_to_it) {
    const Edited e = edited([](ModelText& t, Diagnostics& d) { return t.remove("body.crank", d); });
    EXPECT_EQ(e.removed,
              (std::vector<std::string>{"body.crank", "profile.rim", "force.drag", "joint.A"}));
    EXPECT_EQ(e.text.find("crank.A"), std::string::npos);
    EXPECT_NE(e.text.find("# All profiles."), std::string::npos);
    EXPECT_NE(e.text.find("# what turns"), std::string::npos);
    EXPECT_NE(e.text.find("[body.ground]"), std::string::npos);
    EXPECT_NE(e.text.find("[run]"), std::string::npos);
    expect_changes_tell_all(e);
}

TEST(TextEdits, a_new_name_reaches_every_reference_and_nothing_else) {
    const Edited e =
        edited([](ModelText& t, Diagnostics& d) { return t.rename("body.crank", "arm", d); });
    std::string expected = original;
    for (const auto& [from, to] : {std::pair{"[body.crank]", "[body.arm]"},
                                   {"\"crank.A\"", "\"arm.A\""},
                                   {"crank.omega", "arm.omega"},
                                   {"body = \"crank\"", "body = \"arm\""}})
        expected = replaced(expected, from, to);
    EXPECT_EQ(e.text, expected);
    expect_changes_tell_all(e);
}

TEST(TextEdits, a_unit_and_a_function_are_no_references) {
    // "3 L1" is a number with a unit, however odd: it stays.
    EXPECT_EQ(
        edited([](ModelText& t, Diagnostics& d) { return t.rename("parameters.L1", "R", d); }).text,
        replaced(replaced(replaced(original, "L1 =", "R ="), "2*L1", "2*R"), "B = [\"L1\"",
                 "B = [\"R\""));
    EXPECT_EQ(
        edited([](ModelText& t, Diagnostics& d) { return t.rename("parameters.sin", "k", d); },
               "[parameters]\nsin = 1\nb = \"sin(2) + sin\"\n")
            .text,
        "[parameters]\nk = 1\nb = \"sin(2) + k\"\n");
}

TEST(TextEdits, a_point_is_renamed_on_its_body_only) {
    const Edited e = edited(
        [](ModelText& t, Diagnostics& d) { return t.rename("body.crank.points.A", "tip", d); });
    EXPECT_EQ(e.text, replaced(replaced(original, "{ A = [0, 0], B", "{ tip = [0, 0], B"),
                               "\"crank.A\"", "\"crank.tip\""));
}

TEST(TextEdits, a_name_of_two_kinds_is_not_renamed) {
    const std::string text = "[body.A]\nmass = 1\n[joint.A]\na = \"A\"\n";
    EXPECT_NE(edited([](ModelText& t, Diagnostics& d) { return t.rename("body.A", "b", d); }, text)
                  .problems.find("several kinds"),
              std::string::npos);
    EXPECT_NE(edited([](ModelText& t, Diagnostics& d) {
                  return t.rename("body.crank", "ground", d);
              }).problems.find("already"),
              std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
