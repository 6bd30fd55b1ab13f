#include "math/linear/row_rotations.h"

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "equations/mechanism_equations.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Mechanics = MechanismEquations<PlanarSpace>;

std::string chain(int links) {
    std::string text = "format = 1\n";
    for (int i = 0; i < links; ++i)
        text += fmt::format(
            "body.b{0} = {{ position = [{0}, 0] }}\njoint.J{0} = {{ type = \"revolute\", bodies = "
            "[\"{1}\", \"b{0}\"], at = [{0}, 0] }}\n",
            i, i == 0 ? "ground" : fmt::format("b{}", i - 1));
    return text;
}

// Windows side by side on ground pivots, upright.
std::string ladder(int windows) {
    std::string text = "format = 1\n";
    for (int i = 0; i <= windows; ++i)
        text += fmt::format(
            "body.u{0} = {{ position = [{0}, 0], angle = \"90 deg\" }}\njoint.P{0} = {{ type = "
            "\"revolute\", bodies = [\"ground\", \"u{0}\"], at = [{0}, 0] }}\n",
            i);
    for (int i = 0; i < windows; ++i)
        text += fmt::format(
            "body.c{0} = {{ position = [{0}, 1] }}\njoint.L{0} = {{ type = \"revolute\", bodies = "
            "[\"u{0}\", \"c{0}\"], at = [{0}, 1] }}\njoint.R{0} = {{ type = \"revolute\", bodies = "
            "[\"c{0}\", \"u{1}\"], at = [{1}, 1] }}\n",
            i, i + 1);
    return text;
}

RowRotations rotations_of(const std::string& text) {
    const PlacedMechanism placed = test::placed_of(text);
    Mechanics eq(placed.mechanism, placed.topology,
                 {.coordinates = CoordinateKind::absolute, .drivers = false});
    eq.set_model_size(placed.assembly.model_size);
    eq.set_position(eq.coordinates().from_positions(placed.assembly.positions), 0);
    return {eq.pattern(), eq.jacobian(), eq.column_scale()};
}

// Sparse rows of which every fifth is a combination of two before it.
struct Rows {
    RowPattern pattern;
    std::vector<double> values;
};
Rows random_rows(int rows, int columns, std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Eigen::VectorXd> all;
    Rows out;
    out.pattern.columns = columns;
    for (int r = 0; r < rows; ++r) {
        Eigen::VectorXd row = Eigen::VectorXd::Zero(columns);
        if (r % 5 == 4)
            row = uniform(random) * all[static_cast<std::size_t>(r - 1)] +
                  uniform(random) * all[static_cast<std::size_t>(r - 3)];
        else
            for (int k = 0; k < 3; ++k)
                row[static_cast<int>(random() % static_cast<unsigned>(columns))] += uniform(random);
        all.push_back(row);
        for (int c = 0; c < columns; ++c)
            if (row[c] != 0) {
                out.pattern.column.push_back(c);
                out.values.push_back(row[c]);
            }
        out.pattern.start.push_back(static_cast<int>(out.pattern.column.size()));
    }
    return out;
}

TEST(RowRotations, find_the_rank_that_a_dense_decomposition_finds) {
    std::mt19937 random(5);
    for (int i = 0; i < 40; ++i) {
        const Rows all = random_rows(60, 50 + i, random);
        const std::vector<double> ones(static_cast<std::size_t>(all.pattern.columns), 1.0);
        const RowRotations rotations(all.pattern, all.values, ones);
        EXPECT_EQ(rotations.rank().rank, rank_of_rows(all.pattern, all.values, ones).rank);
        EXPECT_EQ(static_cast<int>(rotations.free_columns().size()),
                  all.pattern.columns - rotations.rank().rank);
    }
}

TEST(RowRotations, directions_are_free_and_have_the_values_asked_for) {
    std::mt19937 random(6);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Rows all = random_rows(40, 60, random);
    std::vector<double> scale;
    for (int c = 0; c < 60; ++c) scale.push_back(0.5 + 0.1 * c);
    const RowRotations rotations(all.pattern, all.values, scale);
    std::vector<double> given;
    for (std::size_t i = 0; i < rotations.free_columns().size(); ++i)
        given.push_back(uniform(random));
    const std::vector<double> x = rotations.direction(given);
    const Eigen::Map<const Eigen::VectorXd> direction(x.data(), 60);
    // Rounding, at the condition of sixty random rows.
    EXPECT_LT((scaled_dense(all.pattern, all.values, scale) * direction).norm(),
              1e-11 * direction.norm());
    for (std::size_t i = 0; i < given.size(); ++i)
        EXPECT_EQ(x[static_cast<std::size_t>(rotations.free_columns()[i])], given[i]);
}

// Twice as many bodies: twice the entries and twice the work, up to what begins and ends cost.
TEST(RowRotations, cost_of_chains_and_ladders_is_linear) {
    for (const auto make : {chain, ladder}) {
        const RowRotations small = rotations_of(make(200)), large = rotations_of(make(800));
        EXPECT_TRUE(large.rank().dependent.empty());
        EXPECT_LT(large.entries(), 4.4 * small.entries());
        EXPECT_LT(large.work(), 4.8 * small.work());
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
