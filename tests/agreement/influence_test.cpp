// Influence coefficients against differences between mechanisms whose driven coordinates stand
// elsewhere.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A five-bar with both cranks held at the angles alpha and beta: two freedoms.
constexpr const char* fivebar = R"(
format = 1
parameters = { alpha = 1.9, beta = 0.8 }
[body.ground]
points = { O = [0, 0], Q = [0.4, 0] }
[body.left]
angle = "alpha"
points = { O = [0, 0], A = [0.3, 0] }
[body.right]
angle = "beta"
points = { Q = [0, 0], B = [0.25, 0] }
[body.upper_left]
angle = 0.7
points = { A = [0, 0], P = [0.45, 0] }
[body.upper_right]
angle = 2.2
points = { B = [0, 0], P = [0.4, 0] }
[joint.O]
type = "revolute"
a = "ground.O"
b = "left.O"
[joint.Q]
type = "revolute"
a = "right.Q"
b = "ground.Q"
[joint.A]
type = "revolute"
a = "left.A"
b = "upper_left.A"
[joint.B]
type = "revolute"
a = "right.B"
b = "upper_right.B"
[joint.P]
type = "revolute"
a = "upper_left.P"
b = "upper_right.P"
[driver.one]
joint = "O"
type = "polynomial"
coefficients = ["alpha"]
[driver.two]
body = "right"
of = "angle"
type = "polynomial"
coefficients = ["beta"]
[measure.tip]
type = "point"
point = "upper_left.P"
unit = "mm"
[measure.width]
type = "distance"
a = "left.A"
b = "right.B"
)";

// The same coefficients from one mechanism with one freedom: a four-bar at a crank angle.
const std::string one_crank =
    test::fourbar("type = \"polynomial\"\ncoefficients = [\"crank_angle\"]");

struct Case {
    std::string text;
    std::vector<std::pair<std::string, std::string>> inputs;  // driver, its parameter
    std::vector<double> at;
    std::vector<std::string> outputs;
};

const Case cases[] = {
    {one_crank,
     {{"motor", "crank_angle"}},
     {1.0},
     {"coupler.x", "coupler.angle", "rocker.angle", "crank.angle"}},
    {fivebar,
     {{"one", "alpha"}, {"two", "beta"}},
     {1.9, 0.8},
     {"left.angle", "right.angle", "upper_left.angle", "upper_right.x", "upper_right.y", "tip.x",
      "tip.y", "width"}},
};

// One row of a run in which the driven coordinates stand still at `at`.
struct Instant {
    KinematicResult result;
    Instant(const Case& c, const std::vector<double>& at, CoordinateKind kind) {
        Overrides overrides;
        for (std::size_t i = 0; i < at.size(); ++i)
            overrides.emplace_back(c.inputs[i].second, fmt::format("{}", at[i]));
        result = test::run_of(test::placed_of(c.text, overrides), 0.1, 0.1, kind, true);
    }
    [[nodiscard]] double value(const std::string& output) const {
        return test::value(result.trajectory, 0, output);
    }
    [[nodiscard]] double coefficient(const std::string& column) const {
        return test::value(result.influence, 0, column);
    }
};

constexpr double h = 2e-3;
// h^4 f5 / 30 with f5 below 1e3 times the output near these positions, and rounding 1e-14 / h: both
// below 1e-9 of outputs of order one (millimetres count 1000).
constexpr double error = 2e-9;

// Fourth-order central difference of a number of an Instant, by one input.
template <class Number>
double difference(const Case& c, std::size_t input, CoordinateKind kind, Number&& number) {
    const auto at = [&](double step) {
        std::vector<double> moved = c.at;
        moved[input] += step;
        return number(Instant(c, moved, kind));
    };
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
}

double unit_of(const std::string& output) { return output.starts_with("tip") ? 1000 : 1; }

TEST(Influence, of_first_order_is_the_difference_of_two_assemblies) {
    for (const Case& c : cases)
        for (const CoordinateKind kind : test::both_coordinates) {
            const Instant here(c, c.at, kind);
            for (const std::string& output : c.outputs)
                for (std::size_t j = 0; j < c.inputs.size(); ++j)
                    EXPECT_NEAR(
                        here.coefficient("d(" + output + ")/d(" + c.inputs[j].first + ")"),
                        difference(c, j, kind, [&](const Instant& i) { return i.value(output); }),
                        error * unit_of(output))
                        << output << " by " << c.inputs[j].first << ", " << test::name_of(kind);
        }
}

TEST(Influence, of_second_order_is_the_difference_of_the_first_order_also_mixed) {
    for (const Case& c : cases)
        for (const CoordinateKind kind : test::both_coordinates) {
            const Instant here(c, c.at, kind);
            for (const std::string& output : c.outputs)
                for (std::size_t j = 0; j < c.inputs.size(); ++j)
                    for (std::size_t k = j; k < c.inputs.size(); ++k) {
                        const std::string column = "d2(" + output + ")/d(" + c.inputs[j].first +
                                                   ")d(" + c.inputs[k].first + ")";
                        const std::string first = "d(" + output + ")/d(" + c.inputs[j].first + ")";
                        EXPECT_NEAR(
                            here.coefficient(column),
                            difference(c, k, kind,
                                       [&](const Instant& i) { return i.coefficient(first); }),
                            error * unit_of(output))
                            << column << ", " << test::name_of(kind);
                    }
        }
}

TEST(Influence, columns_name_their_units) {
    const Instant here(cases[1], cases[1].at, CoordinateKind::relative);
    const Trajectory& table = here.result.influence;
    const auto unit = [&](const char* name) {
        return table.columns.at(static_cast<std::size_t>(table.find(name))).unit;
    };
    EXPECT_EQ(unit("d(tip.x)/d(one)"), "mm/rad");
    EXPECT_EQ(unit("d(upper_left.angle)/d(two)"), "1");
    EXPECT_EQ(unit("d2(width)/d(one)d(two)"), "m/(rad*rad)");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
