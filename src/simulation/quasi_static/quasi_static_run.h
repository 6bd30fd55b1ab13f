// The quasi-static run: the stable equilibrium followed through time as drivers and loads change
// slowly, with the limit points where it ends, located in time, and the jumps from there to the
// next one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/audit.h"
#include "results/event.h"
#include "results/trajectory.h"
#include "simulation/equilibrium/vibration.h"
#include "simulation/placement/assembly.h"

namespace pawl {

struct QuasiStaticOptions {
    double end = 1, step = 0.01;  // s
    std::function<void(double share)> progress = {};
    // Also the vibrations about the equilibrium at the end, or, of a run that only starts, at t =
    // 0: closed contacts stay closed, drivers are held.
    bool modes = false, only_start = false;
};

enum class QuasiStaticStatus {
    completed,
    refused,   // more than 300 coordinates
    no_start,  // no equilibrium at t = 0
    neutral,   // a direction has no stiffness at t = 0: |k| <= 1e-9 of the largest; its position is
               // not decided
    no_equilibrium,  // after a limit point no other stable equilibrium is reached
    dead_point,      // a driver asks for what the mechanism cannot do: time turns back on a stable
                     // path
    jam,             // a contact closes whose row is a sum of others, and none of them can open
    overlap,         // profiles overlap at the start
    stuck,           // the path cannot be followed in steps of 1e-8 of size and end
};
std::string_view status_name(QuasiStaticStatus status);

struct QuasiStaticStatistics {
    std::size_t samples = 0;
    long steps = 0, halved = 0;
    double largest_residual = 0;  // m
    double largest_imbalance =
        0;  // what joints and drivers cannot supply, over max(largest force, |K| size)
    // Of the contacts: how deep profiles lie in each other, and what a contact that may open pulls
    // with; the largest force of a contact.
    Worst penetration, pull;
    double largest_contact_force = 0;
};

struct QuasiStaticResult {
    QuasiStaticStatus status = QuasiStaticStatus::completed;
    // Poses, measures, reactions, forces of drivers, stored energy, smallest stiffness; two rows at
    // each jump.
    Trajectory trajectory;
    std::vector<Event> events;  // of contacts; snap, bifurcation, dead_point, jam
    QuasiStaticStatistics statistics;
    std::optional<Vibration> vibration;  // where asked for
    std::vector<std::string> warnings;
    std::string message;
    Span span;
};

QuasiStaticResult run_quasi_static(const PlacedMechanism& placed,
                                   const QuasiStaticOptions& options);

}  // namespace pawl
