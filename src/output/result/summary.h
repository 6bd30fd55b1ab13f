// What result.json says of a run: options, outcome, notes, audit, events, statistics. Made of the
// model and the result alone, so that a program that uses the library writes the same results.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "model_file/reading/model_file.h"
#include "output/result/result_folder.h"
#include "results/event.h"
#include "simulation/stepping/dynamic_run.h"
#include "simulation/verdict.h"

namespace pawl {

using Json = nlohmann::ordered_json;

// Indented. Bytes that are not UTF-8, of a file's name for example, are replaced: no name of a file
// makes a run fail.
std::string json_text(const Json& json);

std::string_view status_name(KinematicStatus status);
std::string_view status_name(DynamicStatus status);
// "dop853", or "dop853, stiff" where the run has changed it.
std::string integrators_of(const DynamicResult& result);

// What the start of a run changed in the model: values that assembly moved, gaps that were closed.
std::vector<std::string> start_notes(const ModelData& model, const PlacedMechanism& placed);
// The same, and where the integrator was changed, the first few times.
std::vector<std::string> notes_of(const ModelData& model, const PlacedMechanism& placed,
                                  const DynamicResult& result);

Json events_json(const std::vector<Event>& events);

// All but the time that the run took ("timing") and the list of files, which write_result adds.
Json summary_of(const ModelData& model, const PlacedMechanism& placed,
                const KinematicOptions& options, const KinematicResult& result);
Json summary_of(const ModelData& model, const PlacedMechanism& placed,
                const DynamicOptions& options, const DynamicResult& result);
Json summary_of(const ModelData& model, const PlacedMechanism& placed,
                const EquilibriumOptions& options, const EquilibriumResult& result);
Json summary_of(const ModelData& model, const PlacedMechanism& placed,
                const QuasiStaticOptions& options, const QuasiStaticResult& result);

// The result folder of a run: its summary, its tables, its model.
ResultWriting write_result(const std::filesystem::path& folder, const ModelData& model,
                           Json summary, const Trajectory& trajectory,
                           const std::vector<Event>& events, std::vector<NamedText> more = {});

}  // namespace pawl
