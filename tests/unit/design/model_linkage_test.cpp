// A model of the user as the start of a synthesis, and back to its text.
#include "design/model_linkage.h"

#include <gtest/gtest.h>

#include "design/atlas.h"
#include "design/synthesis/search.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Points of the path of a model's measure P, at rows of its run.
SynthesisTask path_of(const std::string& text, const std::vector<std::size_t>& rows) {
    const ModelData model = test::model_of(text);
    const PlacedMechanism placed = assemble(model.mechanism);
    const KinematicResult run = test::run_of(placed, 1, 0.005, CoordinateKind::relative);
    SynthesisTask task;
    for (const std::size_t row : rows)
        task.positions.emplace_back().point = {test::value(run.trajectory, row, "P.x"),
                                               test::value(run.trajectory, row, "P.y")};
    return task;
}

TEST(ModelLinkage, a_model_is_changed_so_that_its_point_passes_where_it_is_asked_to) {
    const std::string text(test::embedded_text("fourbar_closed_form"));
    // Where P would go with another coupler and rocker.
    std::string other = text;
    other.replace(other.find("\"500 mm\", min"), 8, "\"520 mm\"");
    other.replace(other.find("\"400 mm\", min"), 8, "\"380 mm\"");
    const SynthesisTask task = path_of(other, {0, 40, 80, 120, 160});

    Diagnostics diagnostics;
    const auto given = ModelLinkage::read(
        test::model_of(text), {.point = "coupler.P", .moves_pivots = false}, diagnostics);
    ASSERT_TRUE(given) << diagnostics.text();
    const Linkage& l = given->linkage();
    EXPECT_EQ(l.bars.size(), 3u);
    EXPECT_NEAR(l.numbers[index_of(l.find_number("coupler"))].value, 0.5, 1e-12);

    const SynthesisProblem problem(task, l);
    SearchOptions options;
    options.starts = 4;
    options.keep = 1;
    const SearchResult result = search_linkages(problem, options, true);
    ASSERT_FALSE(result.solutions.empty());
    const Solution& best = result.solutions.front();
    EXPECT_LT(best.appraisal.worst_error, 1e-6);

    const std::string changed = given->text(best, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << diagnostics.text();
    EXPECT_NE(changed.find("# a slender bar"), std::string::npos);  // comments are kept
    EXPECT_EQ(make_sheet(problem, changed, 1).problem, "");
    // The changed model passes the points, at whatever times.
    const PlacedMechanism placed = assemble(test::model_of(changed).mechanism);
    const KinematicResult run = test::run_of(placed, 1, 0.0005, CoordinateKind::relative);
    for (const Requirement& r : task.positions) {
        double nearest = 1;
        for (std::size_t i = 0; i < run.trajectory.rows(); ++i)
            nearest =
                std::min(nearest, std::hypot(test::value(run.trajectory, i, "P.x") - r.point.x,
                                             test::value(run.trajectory, i, "P.y") - r.point.y));
        EXPECT_LT(nearest, 5e-4);  // half the way between two samples: 2 m/s * 0.25 ms
    }
}

TEST(ModelLinkage, joints_that_are_no_pins_are_refused_by_name) {
    Diagnostics diagnostics;
    const auto given =
        ModelLinkage::read(test::model_of(test::embedded_text("scotch_yoke")), {}, diagnostics);
    EXPECT_FALSE(given);
    EXPECT_NE(diagnostics.text().find("pawl optimise"), std::string::npos);
}

TEST(ModelLinkage, unknown_names_are_reported) {
    Diagnostics diagnostics;
    const auto given =
        ModelLinkage::read(test::model_of(test::embedded_text("fourbar_closed_form")),
                           {.point = "couplr.P"}, diagnostics);
    EXPECT_FALSE(given);
    EXPECT_NE(diagnostics.text().find("did you mean 'coupler'"), std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
