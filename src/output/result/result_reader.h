// Reads a result folder back: the counterpart of result_folder. Knows tables and events, not what
// the columns mean.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "model_file/reading/parameters.h"
#include "results/event.h"
#include "results/trajectory.h"

namespace pawl {

struct StoredResult {
    std::filesystem::path folder;
    std::string summary;    // the text of result.json; it is an object of a known format
    std::string model;      // the text of model.toml, as it was run
    Overrides parameters;   // what --set replaced in it
    Trajectory trajectory;  // the first column is t; times never fall
    std::vector<Event> events;
};

// Nothing when the folder is not a whole, unchanged result; `problem` then says which file, where
// in it (line, column) and what to do.
std::optional<StoredResult> read_result(const std::filesystem::path& folder, std::string& problem);

// The same for texts that were read already; the folder stands in messages.
struct ResultTexts {
    std::filesystem::path folder;
    std::string summary, model, trajectory, events;
};
std::optional<StoredResult> read_result(const ResultTexts& texts, std::string& problem);

// The parts, for texts that are not in a folder; `name` stands in messages.
std::optional<Trajectory> read_trajectory(std::string_view text, const std::string& name,
                                          std::string& problem);
std::optional<std::vector<Event>> read_events(std::string_view text, const std::string& name,
                                              std::string& problem);

}  // namespace pawl
