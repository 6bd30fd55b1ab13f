// Newton and Euler of each body from what a dynamic run has written: m a against the forces of the
// columns and those that the model applies.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "equations/mechanism_equations.h"
#include "results/audit.h"
#include "simulation/placement/assembly.h"
#include "simulation/record/written_columns.h"

namespace pawl {

class WrittenBalance {
public:
    using Space = PlanarSpace;
    WrittenBalance(const PlacedMechanism& placed, const WrittenColumns& columns);

    // The model has changed.
    void renew();
    void judge(std::span<const double> row);
    [[nodiscard]] AuditCheck check() const;

private:
    void add_joint_forces(std::span<const double> row, std::vector<Space::Wrench>& sum);
    void add_contact_forces(std::span<const double> row, std::vector<Space::Wrench>& sum);

    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    const WrittenColumns& columns_;
    double size_;
    std::unique_ptr<MechanismEquations<Space>> equations_;
    std::vector<char> judged_now_;  // per body, in the row at hand
    Worst worst_;
    double largest_force_ = 0;
    std::vector<double> q_, v_, z_;
};

}  // namespace pawl
