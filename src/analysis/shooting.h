// Periodic motion by shooting: Newton's method on the map over a period, and the multipliers of
// that map, which show whether nearby motions converge.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "analysis/flow.h"
#include "results/event.h"

namespace pawl {

struct ShootingOptions {
    double from = 0;           // s: the motion at this time is the first guess
    double period = 0;         // s
    bool free_period = false;  // the period is a guess: nothing depends on time itself
    int max_iterations = 20;
    // Coordinates that are elsewhere after a period: by this much (m, rad), or anywhere, since the
    // motion is the same there.
    struct Shift {
        std::string coordinate;
        std::optional<double> by;
    };
    std::vector<Shift> shifts;
};

enum class ShootingStatus {
    found,            // |x(T) - x(0)| <= 1e-9 of the size
    run_failed,       // a run did not complete: see `run`
    diverged,         // not found within the iterations
    unknown_shift,    // there is no such coordinate
    no_freedom,       // drivers alone give the motion
    not_driven_back,  // |driver(t + T) - driver(t)| > 1e-6 of the size or 1e-6 rad, but for turns
};

struct ShootingResult {
    ShootingStatus status = ShootingStatus::found;
    DynamicStatus run = DynamicStatus::completed;
    std::string message;
    Span span;
    DynamicStart start;   // a state of the periodic motion
    double period = 0;    // s
    double residual = 0;  // |x(T) - x(0)|, m
    int iterations = 0;
    // Of the map over a period, largest first; with a free period one of them is 1, along the
    // motion itself, and is left out, as are those along coordinates that may end anywhere.
    std::vector<std::complex<double>> multipliers;
    Eigen::MatrixXd map;   // its derivative
    double map_error = 0;  // of it, relative: an estimate
    // Where the motion has no tangent, and why: the map is then from differences of runs.
    std::optional<MissingDerivative> missing;
    std::vector<Event> events;   // in one period
    std::vector<double> shifts;  // what the coordinates of the options gain in it (m, rad)
    // All multipliers are below 1 by more than pairs that lie together are known to.
    [[nodiscard]] bool is_stable() const;
    [[nodiscard]] bool is_unstable() const;
};

ShootingResult find_periodic(const PlacedMechanism& placed, const DynamicOptions& run,
                             const ShootingOptions& options);

}  // namespace pawl
