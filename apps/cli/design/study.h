// What the verbs of design studies share.
#pragma once

#include "design/spread.h"
#include "face/model.h"
#include "support.h"

namespace pawl::cli {

// The model by its face. Prints warnings; throws Failure{bad_model}.
Model read_face(const ModelOptions& options);

// A number for JSON; null where it is none.
Json json_number(double value);
Json to_json(const Spread& spread, const Response& response);

}  // namespace pawl::cli
