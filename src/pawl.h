// Everything a program that uses Pawl needs: one include.
#pragma once

#include "model_file/embedded_models.h"
#include "model_file/model_file.h"
#include "output/report.h"
#include "output/result_folder.h"
#include "output/run_folder.h"
#include "simulation/dynamic_run.h"
#include "simulation/kinematic_run.h"
#include "simulation/mobility.h"
#include "simulation/run_options.h"
#include "simulation/simulation.h"
#include "simulation/statics.h"
#include "simulation/verdict.h"
#include "version.h"
