// A mechanism that is moved, turned, mirrored or rescaled as a whole moves in the same way, seen
// from where it is.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "agreement/columns.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// The similarity p -> p0 + s R(turn) M p, with M = diag(1, m).
struct Similarity {
    const char* name;
    double px = 0, py = 0, turn = 0, m = 1, s = 1;
};

// A four-bar (revolutes) with a coupler point and a slider (prismatic on a slanted guide) pulled by
// a massless rod; everything is written through the similarity. The base has a size of about 1.5 m.
constexpr const char* mechanism = R"toml(
format = 1
parameters = { px = 0, py = 0, turn = 0, m = 1, size = 1 }
[body.ground]
points.O = ["px", "py"]
points.D = ["px + size*(0.5*cos(turn) - m*0.1*sin(turn))", "py + size*(0.5*sin(turn) + m*0.1*cos(turn))"]
points.G = ["px + size*(0.9*cos(turn) - m*0.2*sin(turn))", "py + size*(0.9*sin(turn) + m*0.2*cos(turn))"]
[body.crank]
angle = "turn + m*1.0"
points = { O = [0, 0], A = ["size*0.2", 0] }
[body.coupler]
angle = "turn + m*0.6"
points = { A = [0, 0], C = ["size*0.5", "m*size*0.02"], P = ["size*0.25", "m*size*0.15"] }
[body.rocker]
angle = "turn + m*1.5"
points = { D = ["size*0.03", "-m*size*0.01"], C = ["size*0.4", 0] }
[body.slider]
position = ["px + size*(1.3*cos(turn) - m*0.3*sin(turn))", "py + size*(1.3*sin(turn) + m*0.3*cos(turn))"]
angle = "turn"
points = { B = ["size*0.05", "m*size*0.03"] }
[joint.O]
type = "revolute"
a = "ground.O"
b = "crank.O"
[joint.A]
type = "revolute"
a = "crank.A"
b = "coupler.A"
[joint.C]
type = "revolute"
a = "coupler.C"
b = "rocker.C"
[joint.D]
type = "revolute"
a = "ground.D"
b = "rocker.D"
[joint.guide]
type = "prismatic"
a = "ground.G"
b = "slider.B"
axis = "turn + m*0.3"
angle = "turn"
[joint.rod]
type = "rod"
a = "rocker.C"
b = "slider.B"
length = "size*0.8"
[driver.motor]
joint = "O"
type = "expression"
value = "turn + m*(1 + 4*t + 0.5*sin(3*t))"
[measure.reach]
type = "distance"
a = "ground.O"
b = "coupler.P"
)toml";

Overrides overrides(const Similarity& f) {
    return {{"px", fmt::format("{}", f.px)},
            {"py", fmt::format("{}", f.py)},
            {"turn", fmt::format("{}", f.turn)},
            {"m", fmt::format("{}", f.m)},
            {"size", fmt::format("{}", f.s)}};
}

constexpr double end = 2, step = 0.02;

class Similar : public testing::TestWithParam<Similarity> {};

TEST_P(Similar, mechanism_moves_as_the_original_seen_from_its_place) {
    const Similarity f = GetParam();
    const PlacedMechanism base = test::placed_of(mechanism),
                          moved = test::placed_of(mechanism, overrides(f));
    const double size = base.assembly.model_size;
    // Turning changes the box around the points, so the size is the same up to its shape only.
    EXPECT_GT(moved.assembly.diameter, 0.5 * f.s * size);
    EXPECT_LT(moved.assembly.diameter, 2 * f.s * size);
    for (const CoordinateKind kind : test::both_coordinates) {
        const KinematicResult a = test::run_of(base, end, step, kind),
                              b = test::run_of(moved, end, step, kind);
        ASSERT_EQ(a.trajectory.rows(), b.trajectory.rows());
        const test::ColumnScale scale(a.trajectory, size);
        // As for the agreement of coordinates, and positions far from the origin lose the digits of
        // their distance.
        const double room =
            1e-12 * a.statistics.largest_condition * (1 + std::hypot(f.px, f.py) / (f.s * size));
        for (std::size_t r = 0; r < a.trajectory.rows(); ++r) {
            const auto x = a.trajectory.row(r), y = b.trajectory.row(r);
            for (std::size_t body = 0; body < 4; ++body)
                for (std::size_t order = 0; order < 3; ++order) {
                    const std::size_t c = 1 + 9 * body + 3 * order;
                    const bool is_position = order == 0;
                    const double cs = std::cos(f.turn), sn = std::sin(f.turn);
                    const double expected[3] = {
                        f.s * (cs * x[c] - sn * f.m * x[c + 1]) + (is_position ? f.px : 0),
                        f.s * (sn * x[c] + cs * f.m * x[c + 1]) + (is_position ? f.py : 0),
                        f.m * x[c + 2] + (is_position ? f.turn : 0)};
                    for (std::size_t i = 0; i < 3; ++i)
                        ASSERT_NEAR(y[c + i], expected[i],
                                    room * scale.at(r, c + i) * (i < 2 ? f.s : 1))
                            << a.trajectory.columns[c + i].name << " at t = " << x[0] << ", "
                            << test::name_of(kind);
                }
            for (std::size_t c = x.size() - 3; c < x.size();
                 ++c)  // the distance, its rate and acceleration
                ASSERT_NEAR(y[c], f.s * x[c], room * f.s * scale.at(r, c))
                    << a.trajectory.columns[c].name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(ways, Similar,
                         testing::Values(Similarity{"moved", 3, -8},
                                         Similarity{"ten_thousand_sizes_away", 1.2e4, -0.9e4},
                                         Similarity{"turned", 0, 0, 2.3},
                                         Similarity{"turned_beyond_a_turn", 0, 0, -7.1},
                                         Similarity{"mirrored", 0, 0, 0, -1},
                                         Similarity{"thousand_times_larger", 0, 0, 0, 1, 1000},
                                         Similarity{"thousand_times_smaller", 0, 0, 0, 1, 1e-3},
                                         Similarity{"million_times_larger", 0, 0, 0, 1, 1e6},
                                         Similarity{"million_times_smaller", 0, 0, 0, 1, 1e-6},
                                         Similarity{"all_at_once", -0.3, 0.4, 1.1, -1, 0.05}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
