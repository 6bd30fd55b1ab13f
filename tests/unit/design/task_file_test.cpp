// Files that ask for a linkage, and the errors in them with line and column.
#include "design/synthesis/task_file.h"

#include <numbers>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double degree = std::numbers::pi / 180;

SynthesisTask of_kind(SynthesisKind kind, LinkageKind linkage = LinkageKind::four_bar) {
    SynthesisTask task;
    task.kind = kind;
    task.linkage = linkage;
    return task;
}

std::string toml_errors(const std::string& text, SynthesisKind kind = SynthesisKind::path) {
    Diagnostics diagnostics;
    diagnostics.file = "task.toml";
    EXPECT_FALSE(read_synthesis_task(text, of_kind(kind), diagnostics));
    return diagnostics.text();
}

std::string csv_errors(const std::string& text, SynthesisKind kind = SynthesisKind::path) {
    Diagnostics diagnostics;
    diagnostics.file = "task.csv";
    EXPECT_FALSE(read_synthesis_table(text, of_kind(kind), diagnostics));
    return diagnostics.text();
}

TEST(TaskFile, toml_has_units_tolerances_timing_and_fixed_dimensions) {
    Diagnostics diagnostics;
    const auto task = read_synthesis_task(R"(
name = "test"
mechanism = "slider-crank"
tolerance = 0.1
points = [[0, 0], ["1 cm", 5]]
crank = [0, 30]
tolerances = [0.1, 0.2]
fixed = { A = [1, 2], crank = 15, guide_angle = 90 }
units = { length = "mm", angle = "deg" }
)",
                                          of_kind(SynthesisKind::path), diagnostics);
    ASSERT_TRUE(task) << diagnostics.text();
    EXPECT_EQ(task->linkage, LinkageKind::slider_crank);
    EXPECT_DOUBLE_EQ(task->tolerance, 1e-4);
    EXPECT_DOUBLE_EQ(task->positions[1].point.x, 0.01);
    EXPECT_DOUBLE_EQ(task->positions[1].point.y, 0.005);
    EXPECT_DOUBLE_EQ(*task->positions[1].input, 30 * degree);
    EXPECT_DOUBLE_EQ(*task->positions[1].tolerance, 2e-4);
    ASSERT_EQ(task->fixed.size(), 4u);
    EXPECT_EQ(task->fixed[2].first, "crank");
    EXPECT_DOUBLE_EQ(task->fixed[2].second, 0.015);
    EXPECT_EQ(task->fixed[3].first, "guide.angle");
    EXPECT_DOUBLE_EQ(task->fixed[3].second, 90 * degree);
}

TEST(TaskFile, a_mechanism_that_is_asked_for_replaces_that_of_the_file) {
    const char* text = "mechanism = \"four-bar\"\npoints = [[0, 0], [1, 1]]\n";
    for (const auto& [asked, expected] :
         {std::pair<std::optional<LinkageKind>, LinkageKind>{std::nullopt, LinkageKind::four_bar},
          {LinkageKind::six_bar, LinkageKind::six_bar}}) {
        Diagnostics diagnostics;
        const auto task = read_synthesis_task(
            text, of_kind(SynthesisKind::path, LinkageKind::slider_crank), diagnostics, asked);
        ASSERT_TRUE(task) << diagnostics.text();
        EXPECT_EQ(task->linkage, expected);
    }
}

TEST(TaskFile, linkages_that_cannot_be_are_refused) {
    EXPECT_EQ(toml_errors("points = [[0, 0], [1, 1]]\nfixed = { crank = -1 }\n"),
              "task.toml:2:19: error: fixed, crank must be positive\n");
    const std::string same = "the fixed points A and B are the same; move one of them";
    EXPECT_NE(
        toml_errors("points = [[0, 0], [1, 1]]\nfixed = { A = [1, 2], B = [1, 2] }\n").find(same),
        std::string::npos);
    EXPECT_NE(
        toml_errors("pairs = [[0, 0], [1, 1]]\nfixed = { B = [0, 0] }\n", SynthesisKind::function)
            .find(same),
        std::string::npos);
}

TEST(TaskFile, tables_have_units_in_their_head) {
    Diagnostics diagnostics;
    const auto task = read_synthesis_table("# poses\nx [mm],y [mm],angle [deg]\n1,2,3\n4,5,60\n",
                                           of_kind(SynthesisKind::motion), diagnostics);
    ASSERT_TRUE(task) << diagnostics.text();
    EXPECT_DOUBLE_EQ(task->positions[1].point.y, 0.005);
    EXPECT_DOUBLE_EQ(task->positions[1].angle, 60 * degree);
    EXPECT_EQ(task->unit, "mm");
}

TEST(TaskFile, errors_have_line_and_column) {
    EXPECT_EQ(toml_errors("points = [[0, 0], [1]]\n"),
              "task.toml:1:19: error: points, position 2: expected [x, y]\n");
    EXPECT_EQ(toml_errors("points = [[0, 0], [1, \"2 kg\"]]\n").substr(0, 22),
              "task.toml:1:24: error:");
    EXPECT_NE(toml_errors("points = [[0, 0], [1, 1]]\ntolerence = 1\n")
                  .find("2:1: error: unknown key 'tolerence'; did you mean 'tolerance'"),
              std::string::npos);
    EXPECT_NE(toml_errors("points = [[0, 0], [1, 1]]\n[fixed]\ncrnk = 1\n")
                  .find("3:1: error: fixed: a four-bar has no 'crnk'; did you mean 'crank'"),
              std::string::npos);
    EXPECT_NE(toml_errors("points = [[0, 0], [1, 1]]\ncrank = [0]\n")
                  .find("2:9: error: crank: there are 2 positions, but 1 values"),
              std::string::npos);
    EXPECT_NE(toml_errors("points = [[1, 1], [1, 1]]\n").find("no motion is required"),
              std::string::npos);
    EXPECT_NE(toml_errors("points = [[1, 1]]\n").find("at least two positions"), std::string::npos);
    EXPECT_EQ(toml_errors("name = \"Four-bar\"\nformat = 1\n[body.crank]\n"),
              "task.toml:2:10: error: this is a model, not a task with points, pairs or poses; a "
              "model to start from is given by --model\n");
    EXPECT_NE(csv_errors("x,z\n1,2\n").find("task.csv:1:3: error: unknown column 'z'"),
              std::string::npos);
    EXPECT_NE(csv_errors("x,y\n1,2\n3,four\n").find("task.csv:3:3: error: 'four' is not a number"),
              std::string::npos);
    EXPECT_NE(csv_errors("x [kg],y\n1,2\n").find("1:1: error: column 'x': 'kg' is not a unit"),
              std::string::npos);
    EXPECT_NE(csv_errors("").find("the table is empty"), std::string::npos);
    EXPECT_NE(csv_errors("x,y\n", SynthesisKind::function).find("unknown column 'x'"),
              std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
