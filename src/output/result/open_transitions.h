// Changes of element of open (virtual) contacts, from the written rows: which elements come nearest
// to each other, and when others take their place. They are no events: nothing acts. Knows rows and
// profiles, no run.
#pragma once

#include <string>
#include <vector>

#include "mechanism/mechanism.h"
#include "results/trajectory.h"

namespace pawl {

struct OpenTransition {
    double t = 0;
    std::string contact;   // the pair
    std::string from, to;  // "line 3 on arc 0"
    double gap = 0;        // m
};

// Those that show between two rows, in the order of time; their times by the interpolant of the
// poses. Nothing of contacts that the mechanism does not name (those of joints with play).
std::vector<OpenTransition> open_transitions(const PlanarMechanism& mechanism,
                                             const Trajectory& trajectory);

std::string csv(const std::vector<OpenTransition>& transitions);

}  // namespace pawl
