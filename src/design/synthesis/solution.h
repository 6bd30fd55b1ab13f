// The two ways to solve a synthesis: by closure and path errors together, and at exact closure.
// Knows rows of positions, nothing of linkages.
#pragma once

#include <vector>

#include "design/synthesis/problem.h"
#include "math/tolerances/outside.h"

namespace pawl {

struct SolveOptions {
    int iterations = 100;
    double damping = 0;  // at the start; 0: plain Gauss-Newton steps while they reduce
    double small = tolerance::zero_objective;  // objective that counts as zero, over the square of
                                               // the task's size
    double least_gain = 0;                     // ends where an iteration gains less than this share
};

struct SolveRecord {
    std::vector<double> objectives;  // at the start and after each step that was taken
    bool converged = false;          // the step vanished, or the objective did
    [[nodiscard]] double objective() const { return objectives.back(); }
};

// min 1/2 |Phi|^2 over positions and design together (10.58), by the iteration (10.63). Each step
// solves the least squares itself, the positions eliminated one by one with rotations, instead of
// its normal equations; where a step does not reduce the objective it is damped (Levenberg).
SolveRecord solve_natural(const SynthesisProblem& problem, SynthesisUnknowns& x,
                          const SolveOptions& options);

// The same for one position with the design held: the best it can do.
void solve_position(const SynthesisProblem& problem, int position, const Eigen::VectorXd& b,
                    Eigen::VectorXd& q, int iterations);

// min 1/2 |functional rows|^2 with closure exact in every position: steps along closure, then a
// return to it. Does not converge where the start cannot be closed.
SolveRecord solve_exact(const SynthesisProblem& problem, SynthesisUnknowns& x,
                        const SolveOptions& options);

// Returns the position to exact closure of a design; false where it does not get there.
bool close_position(const SynthesisProblem& problem, int position, const Eigen::VectorXd& b,
                    Eigen::VectorXd& q);

}  // namespace pawl
