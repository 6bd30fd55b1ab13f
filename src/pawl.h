// Everything a program that uses Pawl needs: one include. Models are read and run, simulations are
// run step by step, results have columns, events, responses and an audit; sweeps, tolerances,
// optimisation and synthesis.
#pragma once

#include "design/plain.h"
#include "design/sweep.h"
#include "design/sweep_store.h"
#include "design/tolerance.h"
#include "face/hand.h"
#include "face/model.h"
#include "face/result.h"
#include "face/simulation.h"
#include "generators/generator.h"
#include "model_file/reference/schema.h"
#include "results/event_text.h"
#include "version.h"
