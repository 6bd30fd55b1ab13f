// Names of a model that look like mistakes: parameters that nothing uses, and two names that differ
// by a slip of the pen.
#pragma once

#include "model_file/reading/model_file.h"

namespace pawl {

// A warning for each, with its line and column. A name that stands in any text of the file counts
// as used.
void warn_of_unused_parameters(const ModelData& model, Diagnostics& diagnostics);

// A warning for each name that differs from one above it in the same table by one letter, or by
// capitals. Names that are distinct on purpose, by a digit, a single letter or a plural, do not
// count.
void warn_of_similar_names(const ModelData& model, Diagnostics& diagnostics);

}  // namespace pawl
