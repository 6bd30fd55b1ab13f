#include "motion.h"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "output/result/column_names.h"
#include "output/result/result_check.h"
#include "simulation/kinematic/kinematic_run.h"

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
    if (run.analysis == Analysis::dynamics) {
        DynamicOptions options = dynamic_options(run);
        options.reactions = false;
        DynamicResult result = run_dynamics(placed, options);
        return taken(result, result.status == DynamicStatus::completed);
    }
    KinematicOptions options = kinematic_options(run);
    options.reactions = false;
    KinematicResult result = run_kinematics(placed, options);
    return taken(result, result.status == KinematicStatus::completed);
}

Motion stored_motion(const StoredResult& result, const PlanarMechanism& mechanism) {
    if (const auto damage = motion_problem(result, mechanism); !damage.empty())
        throw Failure{bad_model, "pawl: " + damage};
    return {result.trajectory, true, {}, {}};
}

void require_dynamics_or_fail(const ModelData& model) {
    if (model.run.analysis == Analysis::dynamics) return;
    throw failure_at(bad_model, model, model.run.span,
                     "this needs motion under forces, but the model asks for analysis = \"" +
                         std::string(value_name(model.run.analysis)) +
                         "\"; write analysis = \"dynamics\" under [run]");
}

Samples read_samples(const ModelOptions& options, const std::string& end, const std::string& step) {
    Samples out;
    Source source = read_source(options);
    out.model = std::move(source.model);
    std::filesystem::path path = options.file;
    if (!path.has_filename()) path = path.parent_path();
    out.name = path.stem().string();
    if (source.result) {
        if (!end.empty() || !step.empty())
            throw Failure{wrong_usage, options.file +
                                           " is a result, whose motion has been run: "
                                           "give the model for another --end or --step"};
        out.trajectory = std::move(source.result->trajectory);
        out.events = std::move(source.result->events);
        return out;
    }
    RunSettings& run = out.model.run;
    require_dynamics_or_fail(out.model);
    require_masses_or_fail(out.model);
    if (!end.empty()) run.end = seconds(end, "--end");
    if (!step.empty()) run.step = seconds(step, "--step");
    if (run.end / run.step > 1e7)
        throw Failure{wrong_usage, "more than 10 million samples; take a longer --step"};
    const PlacedMechanism placed = assemble_or_fail(out.model);
    DynamicOptions dynamic = dynamic_options(run);
    dynamic.reactions = false;
    Progress progress(!options.quiet && !options.json);
    dynamic.progress = [&](double share) { progress(share); };
    DynamicResult result = run_dynamics(placed, dynamic);
    if (result.status != DynamicStatus::completed)
        throw failure_at(exit_code(result.status), out.model, result.span, result.message);
    out.trajectory = std::move(result.trajectory);
    out.events = std::move(result.events);
    return out;
}

std::size_t Samples::column(const std::string& wanted) const {
    if (const int c = trajectory.find(wanted); c >= 0) return static_cast<std::size_t>(c);
    std::vector<std::string> names;
    for (const Column& c : trajectory.columns) names.push_back(c.name);
    std::string problem;
    names_fitting({wanted}, names, "column", problem);
    if (problem.empty()) problem = "one column is needed, not the pattern '" + wanted + "'";
    throw Failure{wrong_usage, "pawl: " + problem};
}

std::size_t Samples::main_column() const {
    for (const auto& m : model.mechanism.measures)
        if (const int c = trajectory.find(m.name); c > 0) return static_cast<std::size_t>(c);
    for (const char* tail : {".omega", ".vy", ".vx"})
        for (const auto& body : model.mechanism.bodies) {
            const int c = trajectory.find(body.name + tail);
            if (c <= 0) continue;
            const auto at = static_cast<std::size_t>(c);
            const double first = trajectory.row(0)[at];
            for (std::size_t r = 1; r < trajectory.rows(); ++r)
                if (std::abs(trajectory.row(r)[at] - first) > 1e-9 * (1 + std::abs(first)))
                    return at;
        }
    return trajectory.columns.size() > 1 ? 1 : 0;
}

std::vector<double> Samples::values(std::size_t column, double after) const {
    std::vector<double> out;
    for (std::size_t r = 0; r < trajectory.rows(); ++r)
        if (trajectory.row(r)[0] >= after) out.push_back(trajectory.row(r)[column]);
    return out;
}

void warn_of_end(const Motion& motion, const ModelData& model) {
    if (motion.completed) return;
    Diagnostics problems;
    problems.file = model.file;
    problems.warning(motion.span, motion.message);
    complain(problems.text());
}

}  // namespace pawl::cli
