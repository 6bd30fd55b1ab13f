// For programs that use the library: what a run has left behind, as columns by name and as a result
// folder like those of the program `pawl`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model_file/reading/model_file.h"
#include "output/result/result_folder.h"
#include "simulation/kinematic/kinematic_run.h"
#include "simulation/stepping/dynamic_run.h"

namespace pawl {

// The values of a column, one after the other; empty where there is none of the name.
std::vector<double> column_of(const Trajectory& trajectory, const std::string& name);

// result.json with options, outcome, audit and verdict, trajectory.csv, events.csv and the model.
// `wall_seconds` is the time that the run took, which the result keeps under "timing".
ResultWriting write_run(const std::filesystem::path& folder, const ModelData& model,
                        const PlacedMechanism& placed, const KinematicOptions& options,
                        const KinematicResult& result, double wall_seconds = 0);
ResultWriting write_run(const std::filesystem::path& folder, const ModelData& model,
                        const PlacedMechanism& placed, const DynamicOptions& options,
                        const DynamicResult& result, double wall_seconds = 0);

}  // namespace pawl
