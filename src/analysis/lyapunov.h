// The largest Lyapunov exponent of a motion from its equations: how fast two states that are next
// to each other part, in the long run (Benettin and others 1980). They are followed by the tangent
// of the motion; as two runs where its steps have none.
#pragma once

#include "analysis/flow.h"

namespace pawl {

struct LyapunovOptions {
    double after = 0, end = 1;  // s; what happens before counts as transient
    double window = 0.1;        // s between two rescalings
    // Between two runs, part of the size: far above rounding, so small that the square of it is
    // rounding.
    double distance = 1e-8;
    std::string column;  // of the motion, to be kept as a series of samples; empty: none
    std::function<void(double share)> progress;
};

struct LyapunovResult {
    DynamicStatus status = DynamicStatus::completed;
    std::string message;
    Span span;
    double exponent = 0;  // 1/s
    double error = 0;     // see rate_of_growth
    int windows = 0;      // that count
    int left_out = 0;     // because there is no linear map
    // The first of these: at which event, and why.
    std::optional<MissingDerivative> missing;
    std::string differences_because;  // of two runs, and why; empty: by the tangent
    int prolonged = 0;            // of two runs: only one of them had passed an event at the end
    int events = 0;               // passed by the motion after the transient
    std::vector<double> growth;   // ln of the stretching of each window that counts
    std::vector<double> lengths;  // s, of those windows
    std::vector<double> times, values;  // of the column
    Column column;
};

LyapunovResult largest_exponent(const PlacedMechanism& placed, const DynamicOptions& run,
                                const LyapunovOptions& options);

// Mean of `growth` over `lengths`, and its error: twice the standard error from up to `batches`
// batches of neighbours in time, where those are long enough to be independent about 95 % of the
// cases; and, as a square beside it, the range of what has grown beyond the mean over all of the
// time, which is the error where the growth oscillates. At least this range and what the rate of
// the later half differs by: where neighbours part like a power of time (undamped motions, whose
// period goes with their energy) all windows agree that they part, at a rate that falls like 1/t.
// NaN for fewer than 2 windows.
std::pair<double, double> rate_of_growth(const std::vector<double>& growth,
                                         const std::vector<double>& lengths, int batches);

}  // namespace pawl
