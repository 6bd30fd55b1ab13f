// Everything a program that uses Pawl needs: one include. Models are read and run, simulations are
// held in the hand, results have columns, events and an audit.
#pragma once

#include "face/hand.h"
#include "face/model.h"
#include "face/result.h"
#include "face/simulation.h"
#include "version.h"
