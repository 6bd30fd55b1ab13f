// Derivatives of a run by the parameters of its model, as plain numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/column.h"
#include "results/response.h"

namespace pawl {

struct SensitivityOptions {
    std::vector<std::string> responses;   // names or texts; empty: all of the model
    std::vector<std::string> parameters;  // names; empty: all of the model
    bool columns = false;                 // also of every column of every row
    bool differences = false;             // of whole runs, in any case: a check
    int threads = 0;                      // 0: one for each core
};

enum class SensitivityMethod {
    along_the_run,       // of the steps and events that a dynamic run has taken
    differences_of_runs  // extrapolated differences of whole runs
};

// Where one number of a run moves with one parameter.
struct Derivative {
    double value = 0;     // unit of the response per unit of the parameter; NaN: there is none
    double relative = 0;  // percent of the response per percent of the parameter; NaN: one is zero
    double error = 0;     // estimated, as the value
    std::string problem;  // why there is none
};

// From here on a parameter has no derivative.
struct MissingDerivativeAt {
    std::string parameter;
    double t = 0;       // s
    std::string event;  // as "impact C#1"
    std::string reason;
};

struct Sensitivity {
    struct OfParameter {
        std::string name;
        double value = 0;  // SI; as written where the model gives it without a unit
        std::string unit;  // empty: a bare number
    };
    struct OfResponse {
        Response response;
        ResponseValue value;
    };
    SensitivityMethod method = SensitivityMethod::along_the_run;
    std::vector<OfParameter> parameters;
    std::vector<OfResponse> responses;
    std::vector<std::vector<Derivative>> derivatives;  // by responses, then by parameters
    std::vector<MissingDerivativeAt> missing;
    std::vector<std::string> notes;
    // Where columns are asked for: t, then for each parameter all columns as "d(column)/d(name)",
    // row by row; NaN where there is no derivative. At events a row moves with the event, and so
    // does its time.
    std::vector<Column> columns;
    std::vector<double> cells;
};

}  // namespace pawl
