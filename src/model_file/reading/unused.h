// Parameters that a model names and nothing uses.
#pragma once

#include "model_file/reading/model_file.h"

namespace pawl {

// A warning for each, at its place. A name that stands in any text of the file counts as used.
void warn_of_unused_parameters(const ModelData& model, Diagnostics& diagnostics);

}  // namespace pawl
