// What looks like a mistake in a model: parameters that nothing uses, two names that differ by a
// slip of the pen, and rules of contacts without effect or sense.
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

// A warning for each contact whose `tangential_restitution` has no friction to act by, and for each
// whose law of Lankarani and Nikravesh has no restitution.
void warn_of_contact_rules(const ModelData& model, Diagnostics& diagnostics);

}  // namespace pawl
