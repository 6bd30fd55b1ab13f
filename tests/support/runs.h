// What the tests of whole mechanisms share: a model from text, its assembly, its kinematic run, and
// columns by name. A model that does not read or assemble throws, with the message that the user
// would see.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model_file/reading/model_file.h"
#include "model_file/reference/embedded_models.h"
#include "simulation/kinematic/kinematic_run.h"

namespace pawl::test {

inline constexpr CoordinateKind both_coordinates[] = {CoordinateKind::relative,
                                                      CoordinateKind::absolute};

inline const char* name_of(CoordinateKind kind) {
    return kind == CoordinateKind::relative ? "relative" : "absolute";
}

inline ModelData model_of(std::string_view text, const Overrides& overrides = {}) {
    Diagnostics diagnostics;
    auto model = read_model(text, "test.toml", overrides, diagnostics);
    if (!model) throw std::runtime_error(diagnostics.text());
    return std::move(*model);
}

inline std::string_view embedded_text(std::string_view name) {
    for (const EmbeddedModel& model : embedded_models())
        if (model.name == name) return model.text;
    throw std::runtime_error("no embedded model " + std::string(name));
}

inline PlacedMechanism placed_of(std::string_view text, const Overrides& overrides = {}) {
    PlacedMechanism placed = assemble(model_of(text, overrides).mechanism);
    if (!placed.ok()) throw std::runtime_error(placed.assembly.message);
    return placed;
}

inline KinematicResult run_of(const PlacedMechanism& placed, double end, double step,
                              CoordinateKind coordinates, bool influence = false) {
    KinematicOptions options;
    options.end = end;
    options.step = step;
    options.coordinates = coordinates;
    options.influence = influence;
    return run_kinematics(placed, options);
}

inline double value(const Trajectory& trajectory, std::size_t row, const std::string& column) {
    const int index = trajectory.find(column);
    if (index < 0) throw std::runtime_error("no column " + column);
    return trajectory.row(row)[static_cast<std::size_t>(index)];
}

// A four-bar with its pivots on the x axis, O at the origin. The crank's angle is driven by `law`,
// the inside of a driver table. Ground 0.5 m, crank 0.2 m, coupler 0.5 m, rocker 0.4 m unless
// parameters are overridden.
inline std::string fourbar(const std::string& law = "type = \"speed\"\nspeed = \"60 rpm\"") {
    return R"(
format = 1
parameters = { g = 0.5, c = 0.2, k = 0.5, r = 0.4, crank_angle = "60 deg", coupler_angle = "27 deg", rocker_angle = "83 deg" }
[body.ground]
points = { O = [0, 0], D = ["g", 0] }
[body.crank]
angle = "crank_angle"
points = { O = [0, 0], A = ["c", 0] }
[body.coupler]
angle = "coupler_angle"
points = { A = [0, 0], C = ["k", 0] }
[body.rocker]
angle = "rocker_angle"
points = { D = [0, 0], C = ["r", 0] }
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
)" + (law.empty() ? std::string() : "[driver.motor]\njoint = \"O\"\n" + law + "\n");
}

}  // namespace pawl::test
