// Everything a program that uses Pawl needs: one include.
#pragma once

#include "model_file/reading/model_file.h"
#include "model_file/reference/embedded_models.h"
#include "output/report/report.h"
#include "output/result/result_folder.h"
#include "output/result/run_folder.h"
#include "simulation/dynamic/simulation.h"
#include "simulation/equilibrium/statics.h"
#include "simulation/kinematic/kinematic_run.h"
#include "simulation/placement/mobility.h"
#include "simulation/run_options.h"
#include "simulation/stepping/dynamic_run.h"
#include "simulation/verdict.h"
#include "version.h"
