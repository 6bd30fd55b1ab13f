// What the run table of a model asks of a run. The one place where settings become options: the
// verbs, the pictures and the verification all take them from here.
#pragma once

#include "model_file/reading/model_file.h"
#include "simulation/kinematic/kinematic_run.h"
#include "simulation/stepping/dynamic_run.h"

namespace pawl {

DynamicOptions dynamic_options(const RunSettings& run);
// With reactions where the model asks for inverse dynamics.
KinematicOptions kinematic_options(const RunSettings& run);

}  // namespace pawl
