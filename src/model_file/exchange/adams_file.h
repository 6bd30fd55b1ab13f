// Data sets of the program ADAMS, as far as Wang (1996, appendix D.4) shows them: parts, markers,
// joints, motions, curves in contact, spring-dampers, requests.
#pragma once

#include <optional>
#include <string_view>

#include "model_file/exchange/acdmc_file.h"
#include "model_file/exchange/exchange_model.h"

namespace pawl {

// Whether a text is such a data set: one of its lines begins a PART or a MARKER.
bool is_adams(std::string_view text);

// Nothing when there are errors. The option `drive` has no meaning here.
std::optional<ExchangeModel> read_adams(std::string_view text, const ImportOptions& options,
                                        Diagnostics& diagnostics);

}  // namespace pawl
