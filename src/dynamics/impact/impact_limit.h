// Impacts that accumulate, followed to their end: the return map of contact points whose responses
// and accelerations no longer change. Pure mathematics; knows no bodies.
#pragma once

#include <optional>
#include <vector>

#include "dynamics/impact/impact_system.h"

namespace pawl {

struct ImpactLimit {
    std::vector<double> rest;  // per contact: how long its impacts go on, s; 0: it has none
    std::vector<int> impacts;  // and how many there are until they count as rest
    Eigen::VectorXd velocity;  // of all rows at the end
};

// From the velocities after an impact on, with these accelerations of the rows while nothing
// touches, and these gaps. Nothing where the impacts do not end, or too many come before.
std::optional<ImpactLimit> impact_limit(const ImpactSystem& system,
                                        const Eigen::VectorXd& acceleration, Eigen::VectorXd gap,
                                        bool sequential);

}  // namespace pawl
