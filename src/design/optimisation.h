// Optimisation of a design: local methods with gradients from many starts, or a search over all of
// the bounds; history, active constraints and the residual of the optimality conditions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "design/design_problem.h"

namespace pawl {

struct OptimisationOptions {
    std::optional<OptimisationMethod> method;  // nothing: as the model says
    int starts = 1;                            // the first is the design of the model
    int evaluations = 200;                     // of each start
    double tolerance = 1e-8;                   // of the scaled objective and of the constraints
    int threads = 0;
    std::uint64_t seed = 1;
    // Called after each run with its number and the best objective so far (as shown; nothing while
    // none is feasible); false ends the optimisation, which keeps the best.
    std::function<bool(long run, std::optional<double> best)> progress;
};

struct OptimisationStep {
    int start = 0, run = 0;  // the number within its start
    std::vector<double> values;
    double objective = 0;
    std::vector<double> constraints;  // of the responses, in their units
    bool valid = false, feasible = false;
};

struct ActiveConstraint {
    std::string name;       // "max:bolt.x <= 5 mm", "stiffness at its maximum"
    double multiplier = 0;  // scaled: by which the objective would gain where it were relaxed
};

struct OptimisationResult {
    bool feasible = false;
    std::string status;                         // "converged", "stopped", "run limit", ...
    std::vector<double> x;                      // scaled
    std::vector<double> values;                 // SI
    double objective = 0, first_objective = 0;  // as shown
    std::vector<double> constraints;            // values of the responses
    double violation = 0;                       // the largest, over the scale of the constraint
    std::vector<ActiveConstraint> active;
    std::optional<double> residual;  // of the optimality (KKT) conditions; nothing: no gradient
    GradientSource gradient = GradientSource::differences;
    double gradient_error = 0;
    std::vector<OptimisationStep> history;
    std::vector<std::string> warnings;
    int failed_starts = 0;
};

// Nothing, with errors, where the design has nothing to vary: a constant objective.
std::optional<OptimisationResult> optimise(const DesignProblem& problem,
                                           const OptimisationOptions& options,
                                           Diagnostics& problems);

// What was found as JSON: values, objective, constraints, which are active, the residual.
std::string optimisation_json(const DesignProblem& problem, const OptimisationResult& result);
// The history as CSV.
std::string history_table(const DesignProblem& problem, const OptimisationResult& result);

}  // namespace pawl
