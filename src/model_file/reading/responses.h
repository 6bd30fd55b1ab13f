// Responses as a model or its user writes them: the language of results/response.h, with the names
// checked against the mechanism.
#pragma once

#include "mechanism/mechanism.h"
#include "results/response.h"

namespace pawl {

// Nothing, and the problem, where the text is no response, or where the mechanism has nothing of
// the name that it asks for. Which columns a run has is known only with the run.
std::optional<Response> read_response(std::string_view text, const PlanarMechanism& mechanism,
                                      ResponseProblem& problem);

}  // namespace pawl
