// The shared workloads as ordinary model texts, and what the trajectories of their runs are in
// error by. Rods are uniform, 1 m and 1 kg, with their origin at the near end.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "model_file/reading/model_file.h"
#include "results/trajectory.h"
#include "simulation/placement/assembly.h"
#include "yardstick_vector.h"

namespace pawl::workload {

using yardstick::Vector2;

inline PlanarMechanism mechanism(const std::string& text) {
    Diagnostics diagnostics;
    auto model = read_model(text, "bench.toml", {}, diagnostics);
    if (!model) throw std::runtime_error(diagnostics.text());
    return std::move(model->mechanism);
}

inline const std::string rod =
    "points = { B = [1, 0] }\nmass = 1\ncentre = [0.5, 0]\ninertia = \"1/12\"\n";

// Level and at rest, pinned at the left.
inline std::string chain(int rods) {
    std::string text = "format = 1\n[force.weight]\ntype = \"gravity\"\n";
    for (int i = 1; i <= rods; ++i)
        text += fmt::format(
            "[body.r{0}]\n{1}[joint.j{0}]\ntype = \"revolute\"\na = \"{2}\"\nb = \"r{0}\"\n", i,
            rod, i == 1 ? std::string("ground") : fmt::format("r{}.B", i - 1));
    return text;
}

// Windows on the ground pivots (i, 0), upright, pushed to the right at 1 rad/s.
inline std::string ladder(int windows) {
    std::string text = "format = 1\n[force.weight]\ntype = \"gravity\"\n";
    for (int i = 0; i <= windows; ++i)
        text += fmt::format(
            "[body.u{0}]\nposition = [{0}, 0]\nangle = \"90 deg\"\nvelocity = [0, 0]\nomega = "
            "-1\n{1}"
            "[joint.P{0}]\ntype = \"revolute\"\nbodies = [\"ground\", \"u{0}\"]\nat = [{0}, 0]\n",
            i, rod);
    for (int i = 0; i < windows; ++i)
        text += fmt::format(
            "[body.c{0}]\nposition = [{0}, 1]\nvelocity = [1, 0]\nomega = 0\n{2}"
            "[joint.L{0}]\ntype = \"revolute\"\na = \"u{0}.B\"\nb = \"c{0}\"\n"
            "[joint.R{0}]\ntype = \"revolute\"\na = \"c{0}.B\"\nb = \"u{1}.B\"\n",
            i, i + 1, rod);
    return text;
}

inline std::string slider_crank() {
    return R"(format = 1
[body.crank]
points = { A = [0.1, 0] }
mass = 1
centre = [0.05, 0]
inertia = "0.01/12"
[body.rod]
position = [0.1, 0]
points = { B = [0.3, 0] }
mass = 1
centre = [0.15, 0]
inertia = "0.09/12"
[body.slider]
position = [0.4, 0]
mass = 1
inertia = 0
[joint.O]
type = "revolute"
a = "ground"
b = "crank"
[joint.A]
type = "revolute"
a = "crank.A"
b = "rod"
[joint.B]
type = "revolute"
a = "rod.B"
b = "slider"
[joint.G]
type = "prismatic"
a = "ground"
b = "slider"
[driver.motor]
joint = "O"
type = "speed"
speed = "10*pi"
[force.weight]
type = "gravity"
)";
}

// The motion of one body in a row of a trajectory: nine columns from its x on.
struct RodMotion {
    Vector2 start, along, velocity;
    double omega;
    RodMotion(std::span<const double> row, int body) {
        const double* at = row.data() + 1 + 9 * (body - 1);
        start = {at[0], at[1]};
        along = {std::cos(at[2]), std::sin(at[2])};
        velocity = {at[3], at[4]};
        omega = at[5];
    }
    [[nodiscard]] Vector2 end() const { return start + along; }
    [[nodiscard]] double energy() const {
        const Vector2 v = velocity + 0.5 * omega * yardstick::normal(along);
        return 0.5 * dot(v, v) + omega * omega / 24 +
               yardstick::gravity * (start.y + 0.5 * along.y);
    }
};

inline double energy(std::span<const double> row, int bodies) {
    double sum = 0;
    for (int b = 1; b <= bodies; ++b) sum += RodMotion(row, b).energy();
    return sum;
}

// The largest change of the energy of rods.
inline double energy_error(const Trajectory& trajectory, int bodies) {
    double worst = 0;
    for (std::size_t i = 1; i < trajectory.rows(); ++i)
        worst = std::max(
            worst, std::abs(energy(trajectory.row(i), bodies) - energy(trajectory.row(0), bodies)));
    return worst;
}

// The largest distance of what the joints of a ladder hold together.
inline double ladder_gap(const Trajectory& trajectory, int windows) {
    double worst = 0;
    for (std::size_t i = 0; i < trajectory.rows(); ++i)
        for (int w = 1; w <= windows; ++w) {
            const RodMotion left(trajectory.row(i), w), right(trajectory.row(i), w + 1);
            const RodMotion over(trajectory.row(i), windows + 1 + w);
            worst = std::max(
                {worst, distance(left.end(), over.start), distance(over.end(), right.end())});
        }
    return worst;
}

}  // namespace pawl::workload
