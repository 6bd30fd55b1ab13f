// The mobility of a mechanism as JSON and on the terminal.
#pragma once

#include "simulation/placement/mobility.h"
#include "support.h"

namespace pawl::cli {

Json mobility_json(const Mobility& mobility);
void print_mobility(const Mobility& mobility);

}  // namespace pawl::cli
