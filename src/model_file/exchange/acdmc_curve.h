// The contact curve of an ACDMC surface as a chain of curve elements. Knows no bodies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model_file/exchange/acdmc_text.h"
#include "model_file/exchange/exchange_model.h"

namespace pawl {

// The elements in the order of travel, material on the left; corners are left out, as Pawl finds
// them itself. What the file does not say is added to the assumptions, which begin with `title`.
std::optional<PlaneCurves> read_acdmc_curve(const AcdmcEntity& surface, const std::string& title,
                                            std::vector<std::string>& assumptions,
                                            Diagnostics& diagnostics);

}  // namespace pawl
