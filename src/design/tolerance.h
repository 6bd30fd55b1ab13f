// Tolerances: what the scatter of parameters does to responses. Linear, by the derivatives at the
// nominal values; worst case, in the corners of the tolerances; and Monte Carlo, which also shows
// what happens: which sequences of events, how often.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "design/spread.h"
#include "design/sweep.h"

namespace pawl {

struct ToleranceOptions {
    std::vector<std::string> responses;  // names or texts; empty: all of the model
    long runs = 1000;                    // of Monte Carlo
    std::uint64_t seed = 1;
    int threads = 0;  // 0: one for each core
    // Called with the number of runs so far and of all; false ends the study.
    std::function<bool(long done, long all)> progress;
};

struct ToleranceParameter {
    std::string name, unit;
    double nominal = 0, tolerance = 0;  // in the unit
    Distribution distribution = Distribution::normal;
};

// What a parameter does to a response.
struct ToleranceEffect {
    double slope = 0;             // of the response by the parameter, in their units; NaN: none
    bool by_differences = false;  // of runs: there is no derivative
    double share = 0;             // of the variance, by the slopes
    double sampled_share = 0;     // of the variance, by the correlation in the sample
};

struct ToleranceOfResponse {
    ToleranceOfResponse(Response of, double value) : response(std::move(of)), nominal(value) {}

    Response response;
    double nominal = 0;
    std::vector<ToleranceEffect> effects;  // by parameter
    double linear_deviation = 0;           // standard deviation by the slopes
    double linear_width = 0;               // sum of |slope| tolerance
    double worst_low = 0, worst_high = 0;  // in the corners
    Spread sample;
    double low = 0, high = 0;  // 0.135 % of the sample below, 0.135 % above
    long good = 0;             // runs within min and max
    // Where the linear estimate does not describe the sample: why. Empty: it does.
    std::string disagreement;
};

// Runs in which the same things happen.
struct ToleranceSequence {
    std::string status, events;
    long count = 0;
    long example = 0;  // the first of them, a number of Monte Carlo from 1 on; 0: the nominal run
    Values values;     // of the example
};

struct ToleranceStudy {
    std::vector<ToleranceParameter> parameters;
    std::vector<ToleranceOfResponse> responses;
    std::vector<ToleranceSequence> sequences;  // the most frequent first
    long runs = 0;                             // of Monte Carlo
    long good = 0;                             // completed, and all responses within their limits
    bool has_limits = false;
    std::vector<std::string> notes;
    SensitivityMethod slopes = SensitivityMethod::along_the_run;  // but for those by differences
    SweepPlan plan;                                               // of the sample, with its rows
    std::vector<SweepRow> rows;                                   // nominal first
    bool is_complete = false;
};

// Nothing, with errors, where no parameter has a tolerance, a response is none, or the nominal run
// gives no value for one.
std::optional<ToleranceStudy> study_tolerances(const Model& model, const ToleranceOptions& options,
                                               Diagnostics& problems);

// A share of runs with an interval that holds the true one with 95 % (Wilson 1927).
struct Share {
    double value = 0, low = 0, high = 0;
    Share(long part, long all);
};

}  // namespace pawl
