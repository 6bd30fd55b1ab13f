// The search for equilibria: descent of the work left in the forces to a stable one, Newton's
// method to the nearest of any kind, and what the stiffness says about it. Below bodies: knows the
// balance only.
#pragma once

#include <Eigen/Dense>

#include "simulation/equilibrium/equilibrium_system.h"

namespace pawl {

enum class EquilibriumStatus {
    balanced,      // |g| <= 1e-12 max(largest force, |K| size)
    refused,       // more than 300 coordinates
    out_of_reach,  // the drivers ask at this time for a position that the joints do not allow
    runs_away,     // released, a coordinate moves more than 1000 sizes or 100 turns
    stalled,  // no step longer than 1e-12 of the size does work: the forces jump or go round in
              // circles
    too_many_iterations,  // 2000 steps without balance
    not_finite,           // a force is not finite
};
std::string_view status_name(EquilibriumStatus status);

enum class Stability {
    held,      // no degree of freedom is left
    stable,    // every eigenvalue of the stiffness is positive
    neutral,   // none is negative, some are zero: |k| <= 1e-9 max(|K|, largest force/size)
    unstable,  // some are negative
};
std::string_view stability_name(Stability stability);

// The stiffness on the free directions and its eigenvalues (real parts where it is not symmetric),
// ascending.
struct StiffnessSpectrum {
    Eigen::MatrixXd stiffness;   // N/m; angles count as lengths at the model's size
    Eigen::VectorXd values;      // N/m
    Eigen::MatrixXd directions;  // of the free coordinates, one per value
    bool symmetric = true;       // the forces have a potential: |K - K^T| <= 1e-6 |K|
    int unstable = 0, neutral = 0;
    [[nodiscard]] Stability stability() const;
};
StiffnessSpectrum analyse_stiffness(EquilibriumSystem& balance);

struct EquilibriumSearch {
    EquilibriumStatus status = EquilibriumStatus::balanced;
    int iterations = 0;
};

// From y, which satisfies the rows at t, to where the forces do no more work: steps of a trust
// region, none longer than `longest`. Ends at a stable equilibrium unless it starts in another one,
// or after some steps.
EquilibriumSearch descend(EquilibriumSystem& balance, Eigen::VectorXd& y, double t, double longest,
                          int max_steps = 2000);
// Newton's method with halved steps on the unbalance: the nearest equilibrium, be it stable or not.
EquilibriumSearch solve_balance(EquilibriumSystem& balance, Eigen::VectorXd& y, double t);

}  // namespace pawl
