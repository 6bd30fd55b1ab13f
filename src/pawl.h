// Everything a program that uses Pawl needs: one include.
#pragma once

#include "model_file/embedded_models.h"
#include "version.h"
