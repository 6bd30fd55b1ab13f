// Both ways to the derivatives of a run, behind Model::sensitivity.
#pragma once

#include <functional>

#include "face/model.h"
#include "model_file/reading/model_file.h"

namespace pawl {

// The values of one parameter: its scale, and its text at a part of the scale away.
struct MovedParameter {
    std::string name, unit;
    double value = 0, scale = 1;
    [[nodiscard]] Values at(double part) const;
};

// What is asked for, and what comes of it: the numbers of one parameter.
struct SensitivityTask {
    const Model& model;
    const ModelData& data;
    const Result& run;
    std::vector<Response> responses;
    bool columns = false;
};
struct SensitivityOfParameter {
    std::vector<Derivative> of;  // by responses
    std::vector<double> cells;   // of all rows
    std::optional<MissingDerivativeAt> missing;
    bool is_zero = true;
};

// Differences of whole runs, extrapolated to the distance zero (Ridders' table).
SensitivityOfParameter by_differences(const SensitivityTask& task, const MovedParameter& parameter);

}  // namespace pawl
