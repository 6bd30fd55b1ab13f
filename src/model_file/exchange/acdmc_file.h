// Data files of the program ACDMC (Wang 1996, appendix D): reading them, and writing what the
// format knows of a model.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model_file/exchange/exchange_model.h"
#include "model_file/reading/model_file.h"

namespace pawl {

struct ImportOptions {
    ExchangeUnits units;  // empty: those of the format
    bool drive = false;   // coordinates marked as independent turn at their initial speed
};

// Whether a text is such a file: one of its lines begins an entity.
bool is_acdmc(std::string_view text);

// Nothing when there are errors.
std::optional<ExchangeModel> read_acdmc(std::string_view text, const ImportOptions& options,
                                        Diagnostics& diagnostics);

// The data file of a model whose bodies stand at the given poses. Elements that the format does not
// know are errors with their location in the model file; what it leaves out harmlessly is a
// warning.
std::optional<std::string> write_acdmc(const ModelData& model,
                                       std::span<const PlanarSpace::Pose> poses,
                                       const ExchangeUnits& units, Diagnostics& diagnostics);

}  // namespace pawl
