// The optimality (Karush, Kuhn and Tucker) conditions of a design.
#pragma once

#include "design/optimisation.h"

namespace pawl {

// Active constraints with multipliers that bring grad f + sum lambda grad g nearest to zero
// (lambda >= 0 for inequalities and bounds), and what remains over |grad f|, or over the steepest
// one that the search has met: in an interior optimum grad f itself is zero.
struct Optimality {
    std::vector<ActiveConstraint> active;
    double residual = 0;
};
Optimality optimality(const DesignProblem& problem, const std::vector<double>& x,
                      const std::vector<double>& constraints, const DesignGradient& gradient,
                      double steepest, double tolerance);

}  // namespace pawl
