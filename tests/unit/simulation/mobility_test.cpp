#include "simulation/placement/mobility.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/linkages.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

Mobility mobility_of(std::string_view text, const Overrides& overrides = {}) {
    return analyse_mobility(test::placed_of(text, overrides));
}

void expect_counts(const Mobility& m, int gruebler, int here, int nearby) {
    EXPECT_EQ(m.gruebler, gruebler);
    EXPECT_EQ(m.freedoms_here, here);
    EXPECT_EQ(m.freedoms_nearby, nearby);
}

std::vector<std::string> redundant_rows(const Mobility& m) {
    std::vector<std::string> names;
    for (const RedundantRow& r : m.redundant) names.push_back(r.row);
    return names;
}

TEST(Mobility, of_a_four_bar_is_one_with_nothing_redundant) {
    const Mobility m = mobility_of(test::fourbar());
    EXPECT_EQ(m.bodies, 3);
    EXPECT_EQ(m.joint_rows, 8);
    EXPECT_EQ(m.drivers, 1);
    expect_counts(m, 1, 1, 1);
    EXPECT_TRUE(m.redundant.empty());
    EXPECT_FALSE(m.singular_here());
    EXPECT_EQ(m.independent.size(), 1U);
}

// A third bar parallel to crank and follower takes a freedom from the count, but none from the
// linkage.
TEST(Mobility, of_a_parallelogram_with_a_fifth_bar_is_one_and_the_bar_is_redundant) {
    const std::string text = R"(
format = 1
[body.ground]
points = { O = [0, 0], M = [0.1, 0], D = [0.3, 0] }
[body.crank]
angle = "60 deg"
points = { end = [0.1, 0] }
[body.coupler]
points = { M = [0.1, 0], C = [0.3, 0] }
[body.follower]
angle = "60 deg"
points = { end = [0.1, 0] }
[body.extra]
angle = "60 deg"
points = { end = [0.1, 0] }
)" + [] {
        std::string joints;
        for (const auto& [name, a, b] : {std::tuple{"O", "ground.O", "crank"},
                                         {"A", "crank.end", "coupler"},
                                         {"C", "coupler.C", "follower.end"},
                                         {"D", "ground.D", "follower"},
                                         {"M", "ground.M", "extra"},
                                         {"N", "coupler.M", "extra.end"}})
            joints += std::string("[joint.") + name + "]\ntype = \"revolute\"\na = \"" + a +
                      "\"\nb = \"" + b + "\"\n";
        return joints;
    }();
    const Mobility m = mobility_of(text);
    expect_counts(m, 0, 1, 1);
    // Rows in file order: the last joint holds the row that says nothing new, repeated by all the
    // others.
    ASSERT_EQ(m.redundant.size(), 1U);
    EXPECT_EQ(m.redundant[0].joint, "N");
    EXPECT_GT(m.redundant[0].span.line, 0);
    for (const char* other : {"O", "A", "C", "D", "M"})
        EXPECT_EQ(
            std::count(m.redundant[0].implied_by.begin(), m.redundant[0].implied_by.end(), other),
            1)
            << other;
    ASSERT_EQ(m.suggestions.size(), 1U);
    EXPECT_NE(m.suggestions[0].find("'N'"), std::string::npos) << m.suggestions[0];
    EXPECT_NE(m.suggestions[0].find("slot"), std::string::npos) << m.suggestions[0];
}

// Two bars from ground to one pin: a rigid triangle. A third bar, a rod of the right length, is
// redundant.
std::string truss(bool third_bar) {
    return std::string(R"(
format = 1
[body.ground]
points = { O = [0, 0], D = [0.6, 0], M = [0.3, 0] }
[body.left]
angle = 0.9272952180016122                  # 3-4-5 triangles
points = { end = [0.5, 0] }
[body.right]
angle = 2.214297435588181
points = { end = [0.5, 0] }
[joint.O]
type = "revolute"
a = "ground.O"
b = "left"
[joint.D]
type = "revolute"
a = "ground.D"
b = "right"
[joint.top]
type = "revolute"
a = "left.end"
b = "right.end"
)") + (third_bar
           ? "[joint.stay]\ntype = \"rod\"\na = \"ground.M\"\nb = \"left.end\"\nlength = 0.4\n"
           : "");
}

TEST(Mobility, of_a_truss_is_none) {
    const Mobility m = mobility_of(truss(false));
    expect_counts(m, 0, 0, 0);
    EXPECT_TRUE(m.independent.empty());
    EXPECT_TRUE(m.redundant.empty());
}

TEST(Mobility, of_a_truss_with_a_bar_too_many_is_none_and_the_bar_is_redundant) {
    const Mobility m = mobility_of(truss(true));
    expect_counts(m, -1, 0, 0);
    EXPECT_EQ(redundant_rows(m), (std::vector<std::string>{"stay.length"}));
    EXPECT_NE(m.suggestions.at(0).find("remove it"), std::string::npos) << m.suggestions[0];
}

TEST(Mobility, of_a_flat_parallelogram_is_two_here_but_one_nearby) {
    const Mobility m = mobility_of(test::ladder(1, "0 deg", ""));
    expect_counts(m, 1, 2, 1);
    EXPECT_TRUE(m.singular_here());
    EXPECT_TRUE(m.redundant.empty());  // an accident of the position, not of the design
    expect_counts(mobility_of(test::ladder(1, "50 deg", "")), 1, 1, 1);
}

TEST(Mobility, of_the_scissor_lift_is_one_and_its_mast_is_redundant) {
    const Mobility m = mobility_of(test::embedded_text("scissor_lift"));
    expect_counts(m, -1, 1, 1);
    EXPECT_EQ(redundant_rows(m), (std::vector<std::string>{"mast.y", "mast.angle"}));
    ASSERT_EQ(m.suggestions.size(), 1U);
    EXPECT_NE(m.suggestions[0].find("'mast'"), std::string::npos) << m.suggestions[0];
    for (const RedundantRow& r : m.redundant) EXPECT_FALSE(r.implied_by.empty());
}

TEST(Mobility, counts_free_bodies_and_open_chains) {
    expect_counts(mobility_of("format = 1\n[body.disk]\n"), 3, 3, 3);
    // Five freedoms: the contacts of the trigger count as nothing until they touch.
    expect_counts(mobility_of(test::embedded_text("trigger_topology")), 5, 5, 5);
}

TEST(IndependentCoordinates, are_those_the_user_named) {
    for (const char* name : {"O", "A", "C", "D"}) {
        const Mobility m =
            mobility_of(test::fourbar() + "[run]\nindependent = [\"" + name + "\"]\n");
        EXPECT_EQ(m.independent, std::vector<std::string>{name});
        EXPECT_TRUE(m.independent_problem.empty()) << m.independent_problem;
    }
}

TEST(IndependentCoordinates, named_but_dependent_are_reported) {
    const Mobility m = mobility_of(test::fourbar() + "[run]\nindependent = [\"D\", \"C\"]\n");
    EXPECT_EQ(m.independent, std::vector<std::string>{"D"});
    EXPECT_NE(m.independent_problem.find("'C'"), std::string::npos) << m.independent_problem;
}

TEST(IndependentCoordinates, are_as_many_as_freedoms_and_leave_none) {
    for (const EmbeddedModel& model : embedded_models()) {
        const PlacedMechanism placed = test::placed_of(model.text);
        const Mobility m = analyse_mobility(placed);
        EXPECT_EQ(m.independent.size(), static_cast<std::size_t>(m.freedoms_here)) << model.name;
        MechanismEquations<PlanarSpace> eq(
            placed.mechanism, placed.topology,
            {.drivers = false, .rests = choose_independent(placed, false)});
        eq.set_model_size(placed.assembly.model_size);
        eq.set_position(eq.coordinates().from_positions(placed.assembly.positions), 0);
        EXPECT_EQ(rank_of_rows(eq.pattern(), eq.jacobian(), eq.column_scale()).rank, eq.size())
            << model.name;
        EXPECT_LE(eq.residual(), 1e-12 * placed.assembly.model_size) << model.name;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
