// A linkage that was found as the text of a model that runs.
#pragma once

#include <string>

#include "design/synthesis/appraisal.h"

namespace pawl {

// Begins in the first position of the task. A crank that goes round turns once in a second; one
// that does not goes from the first position to the last and back in two.
std::string model_text(const SynthesisProblem& problem, const Solution& solution);

}  // namespace pawl
