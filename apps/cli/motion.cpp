#include "motion.h"

#include <filesystem>

#include <fmt/format.h>

#include "simulation/kinematic_run.h"

namespace pawl::cli {

Source read_source(const ModelOptions& options) {
    std::error_code error;
    if (!std::filesystem::is_directory(options.file, error)) return {options.read(), std::nullopt};
    std::string problem;
    auto result = read_result(options.file, problem);
    if (!result) throw Failure{bad_model, "pawl: " + problem};
    if (!options.sets.empty())
        throw Failure{wrong_usage, "--set: " + options.file +
                                       " is a result, which keeps its parameters; give the model"};
    Diagnostics diagnostics;
    const std::string name = (result->folder / "model.toml").string();
    auto model = read_model(result->model, name, result->parameters, diagnostics);
    if (!model) throw Failure{bad_model, diagnostics.text()};
    return {std::move(*model), std::move(result)};
}

std::size_t Motion::row_at(double t) const {
    std::size_t row = 0;
    while (row + 1 < trajectory.rows() && trajectory.row(row + 1)[0] <= t + 1e-9 * (1 + t)) ++row;
    return row;
}

Motion run_for_picture(const PlacedMechanism& placed, const RunSettings& run) {
    const auto taken = [](auto&& result, bool completed) {
        return Motion{std::move(result.trajectory), completed, result.message, result.span};
    };
    if (run.analysis == "dynamics") {
        DynamicOptions options = dynamic_options(run);
        options.reactions = false;
        DynamicResult result = run_dynamics(placed, options);
        return taken(result, result.status == DynamicStatus::completed);
    }
    KinematicOptions options;
    options.end = run.end;
    options.step = run.step;
    if (run.coordinates == "absolute") options.coordinates = CoordinateKind::absolute;
    KinematicResult result = run_kinematics(placed, options);
    return taken(result, result.status == KinematicStatus::completed);
}

Motion stored_motion(const Result& result, const PlanarMechanism& mechanism) {
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
        for (const char* tail : {".x", ".y", ".angle"})
            if (const std::string name = mechanism.bodies[b].name + tail;
                result.trajectory.find(name) < 0)
                throw Failure{bad_model,
                              fmt::format("pawl: {}: no column '{}'; run the model again",
                                          (result.folder / "trajectory.csv").string(), name)};
    return {result.trajectory, true, {}, {}};
}

void warn_of_end(const Motion& motion, const Model& model) {
    if (motion.completed) return;
    Diagnostics problems;
    problems.file = model.file;
    problems.warning(motion.span, motion.message);
    fmt::print(stderr, "{}", problems.text());
}

}  // namespace pawl::cli
