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
#include "simulation/stepping/switches.h"

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
    bool choose_sides(double t, signed char at_zero);
    struct Off {
        double value;
        std::size_t body;
        bool is_at_switch;
    };
    Off balance(std::span<const double> row, bool is_at_switch);
    void add_joint_forces(std::span<const double> row, std::vector<Space::Wrench>& sum);
    void add_contact_forces(std::span<const double> row, std::vector<Space::Wrench>& sum);

    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    const WrittenColumns& columns_;
    double size_;
    Switches switches_;
    std::vector<signed char> sides_;  // of the switches, in the row at hand
    std::unique_ptr<MechanismEquations<Space>> equations_;
    std::vector<char> judged_now_;  // per body, in the row at hand
    Worst worst_;
    double largest_force_ = 0;
    std::vector<double> q_, v_, z_;
};

}  // namespace pawl
