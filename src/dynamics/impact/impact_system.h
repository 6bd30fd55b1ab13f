// Collisions of several contact points, one after the other or all at once, on the response of all
// of them. Pure mathematics; knows no bodies.
#pragma once

#include <functional>
#include <vector>

#include "dynamics/impact/impact_law.h"

namespace pawl {

// Contact k has the rows 3k (normal), 3k + 1 (tangent), 3k + 2 (rolling).
struct ImpactSystem {
    Eigen::MatrixXd response;
    Eigen::VectorXd velocity;
    std::vector<ImpactLaw> laws;
    double still = 0;  // an approach slower than this is none
};

struct SingleImpact {
    int contact = 0;
    ImpactResult result;
};

struct ImpactSystemResult {
    ImpactOutcome outcome = ImpactOutcome::none;
    int culprit = -1;  // the contact that jams, if one alone does
    // Of all rows; the work as in `ImpactResult`.
    Eigen::VectorXd impulse, velocity, work;
    std::vector<SingleImpact> sequence;  // empty when solved at once
    int blows = 1;                       // of a sequence; contacts struck together count once
    double part_of_restitution = 1;      // that adds no energy
};

// Some of the contacts alone, with velocities of all rows.
ImpactSystem part_of(const ImpactSystem& system, const Eigen::VectorXd& velocity,
                     const std::vector<int>& contacts);

// Before any impulse.
ImpactSystemResult untouched(const ImpactSystem& system);

// The contact that approaches fastest is struck alone, then the next, until none approaches. Any
// law. It ends: `still` must be positive where contacts strike each other again and again.
ImpactSystemResult solve_sequential(const ImpactSystem& system);

// All at once, as one linear complementarity problem (Newton) or two (Poisson: compression, then
// restitution). Friction opposes the slip at the end of each; a contact that does not stick with
// mu_s is taken again with mu. The rolling moment follows the spin; tangential restitution only
// with Newton's law. Where coupled contacts with friction would rebound with more energy than they
// came with, all restitutions are reduced by the same part until they do not. Stronge's law is that
// of solve_stiff. Mixed laws are refused: their works depend on the order of events.
ImpactSystemResult solve_simultaneous(const ImpactSystem& system);

// Whether impulses with these works add energy.
bool adds_energy(const Eigen::VectorXd& work);
// The largest part of the restitution in [0, 1] that fits, where less fits too: without any an
// impact adds no energy.
double largest_part(const std::function<bool(double part)>& fits);

// By Stronge's law, as the limit of equal contacts that are infinitely stiff. Does not depend on
// the numbers of the contacts and adds no energy.
ImpactSystemResult solve_stiff(const ImpactSystem& system);

}  // namespace pawl
