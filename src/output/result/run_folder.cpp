#include "output/result/run_folder.h"

#include "output/result/summary.h"

namespace pawl {

namespace {

template <class Options, class Result>
ResultWriting write(const std::filesystem::path& folder, const ModelData& model,
                    const PlacedMechanism& placed, const Options& options, const Result& result,
                    double wall_seconds) {
    Json summary = summary_of(model, placed, options, result);
    summary["timing"] = {{"wall_s", wall_seconds}};
    return write_result(folder, model, std::move(summary), result.trajectory, result.events);
}

}  // namespace

std::vector<double> column_of(const Trajectory& trajectory, const std::string& name) {
    std::vector<double> values;
    const int column = trajectory.find(name);
    if (column < 0) return values;
    values.reserve(trajectory.rows());
    for (std::size_t row = 0; row < trajectory.rows(); ++row)
        values.push_back(trajectory.row(row)[static_cast<std::size_t>(column)]);
    return values;
}

ResultWriting write_run(const std::filesystem::path& folder, const ModelData& model,
                        const PlacedMechanism& placed, const KinematicOptions& options,
                        const KinematicResult& result, double wall_seconds) {
    return write(folder, model, placed, options, result, wall_seconds);
}

ResultWriting write_run(const std::filesystem::path& folder, const ModelData& model,
                        const PlacedMechanism& placed, const DynamicOptions& options,
                        const DynamicResult& result, double wall_seconds) {
    return write(folder, model, placed, options, result, wall_seconds);
}

}  // namespace pawl
