// Evaluates the forces of a mechanism at a state: wrenches on the bodies, stored energy and power
// of each element, rates of the user's states. Knows frames, no constraints.
#pragma once

#include <vector>

#include "coordinates/measures.h"
#include "coordinates/tree_inertia.h"

namespace pawl {

// The share of one force in the energy ledger.
struct ForceEnergy {
    double potential = 0;  // J, stored
    double power = 0;      // W, of the part that is not stored: work done on the mechanism
};

template <class S>
class AppliedForces {
public:
    // `sides`: of the mechanism's switches, the branches that expressions are evaluated on, as long
    // as there are any; null: those of their arguments.
    AppliedForces(const Mechanism<S>& mechanism, const Coordinates<S>& coordinates,
                  const std::vector<signed char>* sides = nullptr);

    // Position and velocity of the coordinates are set; `states` are the user's.
    void evaluate(const Coordinates<S>& coordinates, const TreeInertia<S>& inertia, double t,
                  std::span<const double> states);
    // The same without the weights, whose wrenches and energies are then left out.
    void evaluate_weightless(const Coordinates<S>& coordinates, double t,
                             std::span<const double> states);
    // The acceleration of free fall that the weights come from.
    [[nodiscard]] typename S::Vector gravity() const { return gravity_; }

    // Adds a force at a point of a body, both in ground axes; after evaluate.
    void press(int body, const typename S::Position& position, typename S::Vector point,
               typename S::Vector force) {
        on_bodies_[static_cast<std::size_t>(body)].f += force;
        on_bodies_[static_cast<std::size_t>(body)].m += S::cross(point - position.p, force);
    }
    [[nodiscard]] const std::vector<typename S::Wrench>& on_bodies() const { return on_bodies_; }
    [[nodiscard]] const std::vector<ForceEnergy>& energies() const { return energies_; }
    [[nodiscard]] const std::vector<double>& state_rates() const { return state_rates_; }
    [[nodiscard]] double potential() const;
    // The scalar force of an element along its coordinate; for the trajectory.
    [[nodiscard]] const std::vector<double>& scalars() const { return scalars_; }

private:
    void add(const Coordinates<S>& coordinates, const Attachment<S>& at,
             const typename S::Wrench& wrench);

    // A force along a degree of freedom of a branch, at its centre, on both bodies.
    void add_along(const Coordinates<S>& coordinates, int branch, Component freedom, double force);

    const Mechanism<S>& mechanism_;
    const std::vector<signed char>* sides_;
    typename S::Vector gravity_;
    std::vector<std::size_t> acting_;  // all forces but the weights
    std::vector<int> branch_of_;  // per force: whose degree of freedom it acts along; -1 for none
    bool needs_channels_ = false;
    std::vector<TimeJet<double>> channels_;
    std::vector<typename S::Wrench> on_bodies_;
    std::vector<ForceEnergy> energies_;
    std::vector<double> state_rates_, scalars_;
};

extern template class AppliedForces<PlanarSpace>;

}  // namespace pawl
