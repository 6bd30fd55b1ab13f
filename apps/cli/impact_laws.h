// Newton's, Poisson's and Stronge's law side by side.
#pragma once

#include "simulation/stepping/dynamic_run.h"

namespace pawl::cli {

// Runs the model with each law in all rigid contacts and prints what differs; returns an exit code.
int compare_impact_laws(const PlacedMechanism& placed, const DynamicOptions& options, bool json);

}  // namespace pawl::cli
