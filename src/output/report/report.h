// The report of a result: one HTML file that holds the model, the moving picture, events, plots and
// the audit, and needs nothing else. The page, its style and its player come from web/player.
#pragma once

#include <string>

#include "output/result/result_reader.h"
#include "simulation/placement/assembly.h"

namespace pawl {

// `placed` is the assembled model of the result. Every body must have its pose in the trajectory.
std::string report(const StoredResult& result, const PlacedMechanism& placed);

// Whether a text is a report, by its head.
bool is_report(std::string_view text);

}  // namespace pawl
