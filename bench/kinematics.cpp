// Speed of driven positions: a four-bar (position, velocity and acceleration per instant) and
// ladders of many four-bars, whose time per position must grow linearly with their length.
#include <numbers>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "model_file/reading/model_file.h"
#include "simulation/kinematic/driven_motion.h"
#include "simulation/placement/assembly.h"

namespace {

using namespace pawl;

PlacedMechanism placed(const std::string& text) {
    Diagnostics diagnostics;
    auto model = read_model(text, "bench.toml", {}, diagnostics);
    if (!model) throw std::runtime_error(diagnostics.text());
    return assemble(std::move(model->mechanism));
}

std::string fourbar() {
    return R"(format = 1
[body.ground]
points = { O = [0, 0], D = [0.4, 0] }
[body.crank]
angle = "60 deg"
points = { O = [0, 0], A = [0.1, 0] }
[body.coupler]
angle = "30 deg"
points = { A = [0, 0], B = [0.35, 0] }
[body.rocker]
angle = "100 deg"
points = { D = [0, 0], B = [0.3, 0] }
[joint.O]
type = "revolute"
a = "ground.O"
b = "crank.O"
[joint.A]
type = "revolute"
a = "crank.A"
b = "coupler.A"
[joint.D]
type = "revolute"
a = "ground.D"
b = "rocker.D"
[joint.B]
type = "revolute"
a = "coupler.B"
b = "rocker.B"
[driver.motor]
joint = "O"
type = "speed"
speed = 1
)";
}

// N windows of 1 m on the ground pivots (i, 0); uprights at 60 degrees, couplers level.
std::string ladder(int windows) {
    std::string text = "format = 1\n";
    for (int i = 0; i <= windows; ++i) {
        text += fmt::format(
            "[body.u{0}]\nposition = [{0}, 0]\nangle = \"60 deg\"\npoints = {{ T = [1, 0] }}\n", i);
        text += fmt::format(
            "[joint.P{0}]\ntype = \"revolute\"\nbodies = [\"ground\", \"u{0}\"]\nat = [{0}, 0]\n",
            i);
    }
    for (int i = 0; i < windows; ++i)
        text += fmt::format(
            "[body.c{0}]\npoints = {{ R = [1, 0] }}\n[joint.L{0}]\ntype = \"revolute\"\na = "
            "\"u{0}.T\"\nb = \"c{0}\"\n"
            "[joint.R{0}]\ntype = \"revolute\"\na = \"c{0}.R\"\nb = \"u{1}.T\"\n",
            i, i + 1);
    return text + "[driver.motor]\njoint = \"P0\"\ntype = \"speed\"\nspeed = 1\n";
}

// One position after another, 1/1000 turn apart, predicted from the last one.
void march(benchmark::State& state, const PlacedMechanism& mechanism, CoordinateKind kind) {
    MechanismEquations<PlanarSpace> equations(mechanism.mechanism, mechanism.topology,
                                              {kind, true, {}});
    equations.set_model_size(mechanism.assembly.model_size);
    const std::size_t n = equations.size();
    MotionNode node{0, equations.coordinates().from_positions(mechanism.assembly.positions),
                    std::vector<double>(n), std::vector<double>(n)};
    equations.set_position(node.q, 0);
    const auto rank =
        rank_of_rows(equations.pattern(), equations.jacobian(), equations.column_scale());
    DrivenMotion motion(equations, rank.independent);
    if (motion.solve(node) != SolveOutcome::solved) throw std::runtime_error("does not start");
    // Swing back and forth over half a radian, away from the ladder's change points.
    const double step = std::numbers::pi / 500;
    double direction = 1;
    for (auto _ : state) {
        if (node.t > 0.5 || node.t < -0.5) direction = node.t > 0 ? -1 : 1;
        const double h = direction * step;
        node.t += h;
        for (std::size_t i = 0; i < n; ++i) node.q[i] += h * (node.v[i] + 0.5 * h * node.a[i]);
        if (motion.solve(node) != SolveOutcome::solved)
            throw std::runtime_error("lost the position");
        benchmark::DoNotOptimize(node.a.data());
    }
    state.counters["Newton/position"] =
        static_cast<double>(motion.iterations()) / state.iterations();
    state.SetComplexityN(state.range(0));
}

void fourbar_relative(benchmark::State& state) {
    march(state, placed(fourbar()), CoordinateKind::relative);
}
void fourbar_absolute(benchmark::State& state) {
    march(state, placed(fourbar()), CoordinateKind::absolute);
}
void ladder_relative(benchmark::State& state) {
    march(state, placed(ladder(static_cast<int>(state.range(0)))), CoordinateKind::relative);
}
void ladder_absolute(benchmark::State& state) {
    march(state, placed(ladder(static_cast<int>(state.range(0)))), CoordinateKind::absolute);
}

BENCHMARK(fourbar_relative)->Arg(1);
BENCHMARK(fourbar_absolute)->Arg(1);
BENCHMARK(ladder_relative)
    ->Arg(25)
    ->Arg(50)
    ->Arg(100)
    ->Arg(200)
    ->Arg(400)
    ->Unit(benchmark::kMicrosecond)
    ->Complexity();
BENCHMARK(ladder_absolute)
    ->Arg(25)
    ->Arg(50)
    ->Arg(100)
    ->Arg(200)
    ->Arg(400)
    ->Unit(benchmark::kMicrosecond)
    ->Complexity();

}  // namespace
