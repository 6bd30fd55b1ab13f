// Synthesis and optimisation as other languages call them.
#include "design/plain.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model_file/reference/embedded_models.h"

namespace pawl {
namespace PAWL_TEST_FILE {

TEST(PlainDesign, a_synthesis_returns_models_that_can_be_read) {
    Diagnostics problems;
    PlainSearch search;
    search.starts = 8;
    search.keep = 2;
    PlainTask task;
    task.kind = "path";
    task.text = "x [mm],y [mm]\n0,0\n10,5\n20,6\n";
    task.is_table = true;
    task.mechanism = "slider-crank";
    const std::string text = synthesise(task, search, problems);
    ASSERT_FALSE(problems.has_errors()) << problems.text();
    const auto json = nlohmann::json::parse(text);
    ASSERT_EQ(json["solutions"].size(), 2u);
    EXPECT_TRUE(json["solutions"][0]["runs"]);
    const auto model = Model::read(std::string(json["solutions"][0]["model"]), problems);
    ASSERT_TRUE(model) << problems.text();
    EXPECT_TRUE(model->analyse().is_complete());
}

TEST(PlainDesign, an_optimisation_returns_the_improved_model) {
    std::string_view text;
    for (const EmbeddedModel& m : embedded_models())
        if (m.name == "cam_spring") text = m.text;
    Diagnostics problems;
    const auto model = Model::read(text, problems);
    ASSERT_TRUE(model) << problems.text();
    const auto json = nlohmann::json::parse(optimise(*model, "", {}, problems));
    EXPECT_TRUE(json["feasible"]);
    const auto improved = Model::read(std::string(json["model"]), problems);
    ASSERT_TRUE(improved) << problems.text();
    const ParameterInfo stiffness = improved->parameters()[0].as_written();
    EXPECT_EQ(stiffness.unit, "N/mm");
    EXPECT_NEAR(stiffness.value, json["variables"]["stiffness"]["value"], 1e-12);
    EXPECT_NE(std::string(json["history"]).find("stiffness [N/mm]"), std::string::npos);
}

TEST(PlainDesign, unknown_words_are_reported) {
    Diagnostics problems;
    PlainTask task;
    task.kind = "paht";
    task.mechanism = "five-bar";
    EXPECT_EQ(synthesise(task, {}, problems), "");
    EXPECT_NE(problems.text().find("did you mean 'path'"), std::string::npos);
    EXPECT_NE(problems.text().find("unknown mechanism 'five-bar'"), std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
