// A program that uses the library writes the results that `pawl` writes, verdict included.
#include <unistd.h>

#include <gtest/gtest.h>

#include "face/model.h"
#include "output/result/result_reader.h"
#include "output/result/summary.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

class RunFolder : public testing::Test {
protected:
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("pawl_run_folder_" + std::to_string(::getpid()));
    void TearDown() override { std::filesystem::remove_all(folder); }
};

Model model_of(const std::string& text, const Values& values = {}) {
    Diagnostics problems;
    auto model = Model::read(text, problems, "model.toml", values);
    EXPECT_TRUE(model) << problems.text();
    return *model;
}

TEST_F(RunFolder, of_a_dynamic_run_is_read_back_as_a_result) {
    const Result result =
        model_of(std::string(test::embedded_text("bouncing_ball")), {{"run.end", "1 s"}})
            .dynamics();
    EXPECT_EQ(result.write(folder), "");
    std::string problem;
    const auto read = read_result(folder, problem);
    ASSERT_TRUE(read) << problem;
    EXPECT_EQ(read->trajectory.rows(), result.rows());
    EXPECT_EQ(read->events.size(), result.events().size());
    ASSERT_EQ(read->parameters.size(), 1u);
    EXPECT_EQ(read->parameters[0].second, "1 s");
    const Json summary = Json::parse(result.summary());
    EXPECT_EQ(summary["status"], "completed");
    EXPECT_EQ(summary["audit"]["verdict"], "passed");
}

TEST_F(RunFolder, columns_are_found_by_name) {
    Model model = model_of(test::fourbar());
    model.run.end = 1;
    model.run.step = 0.1;
    const Result result = model.kinematics();
    const auto t = result.column("t"), angle = result.column("crank.angle");
    ASSERT_EQ(t.size(), 11u);
    ASSERT_EQ(angle.size(), 11u);
    for (std::size_t i = 0; i < t.size(); ++i)
        EXPECT_NEAR(angle[i], M_PI / 3 + 2 * M_PI * t[i], 1e-12);
    EXPECT_TRUE(result.column("crank.angel").empty());
}

TEST_F(RunFolder, verdict_of_a_kinematic_run_names_what_failed) {
    const PlacedMechanism placed = test::placed_of(test::fourbar());
    KinematicResult result = test::run_of(placed, 1, 0.1, CoordinateKind::relative);
    EXPECT_TRUE(audit_of(result, placed, false).passed());
    // What no joint can supply counts in inverse dynamics only.
    result.statistics.largest_imbalance = 2e-6;
    EXPECT_TRUE(audit_of(result, placed, false).passed());
    const Audit audit = audit_of(result, placed, true);
    EXPECT_FALSE(audit.passed());
    ASSERT_NE(find_check(audit, "balance of forces"), nullptr);
    EXPECT_FALSE(find_check(audit, "balance of forces")->passed());
    EXPECT_TRUE(find_check(audit, "constraint residual")->passed());
    EXPECT_EQ(find_check(audit, "energy"), nullptr);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
