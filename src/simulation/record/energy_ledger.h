// The energies of a dynamic run from row to row: kinetic, stored, worked, and what is left over.
// Knows the mechanism and its states of work, not how the motion was found.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "equations/mechanism_equations.h"
#include "math/memory.h"
#include "results/audit.h"
#include "results/trajectory.h"

namespace pawl {

class EnergyLedger {
public:
    explicit EnergyLedger(const PlanarMechanism& mechanism);

    void add_columns(std::vector<Column>& columns);
    // The energies at the motion that the equations hold, with the states z; appends their cells.
    void take(const MechanismEquations<PlanarSpace>& equations, std::span<const double> z, double t,
              std::vector<double>& row);
    // What each element has stored and worked since the start, at the energies of the last row;
    // forces first. Before the first row everything is zero (no z).
    const std::vector<LedgerLine>& lines(std::span<const double> z);
    // Kinetic energy at the end of a step: what is exchanged does not depend on the rows.
    void see_kinetic(double kinetic) { largest_kinetic_ = std::max(largest_kinetic_, kinetic); }
    // Kinetic energy that the run starts from, where it is not that of the first row.
    void set_first_kinetic(double kinetic) { first_kinetic_ = kinetic; }

    [[nodiscard]] double kinetic_change() const { return last_kinetic_ - first_kinetic_; }
    [[nodiscard]] const Worst& residual() const { return residual_; }
    // The largest energies that were exchanged: kinetic, stored and worked.
    [[nodiscard]] double scale() const {
        return largest_kinetic_ + largest_exchange_ + total_work_;
    }
    [[nodiscard]] double largest_potential() const { return largest_potential_; }
    void remember(Memory& memory);

private:
    [[nodiscard]] double first_potential() const;

    const PlanarMechanism& mechanism_;
    AuxiliaryLayout layout_;
    bool has_first_ = false;  // energies to compare with
    double initial_energy_ = 0, first_kinetic_ = 0, last_kinetic_ = 0;
    double largest_kinetic_ = 0, largest_potential_ = 0, largest_exchange_ = 0, total_work_ = 0;
    Worst residual_;
    std::vector<ForceEnergy> first_energies_, last_energies_;
    std::vector<LedgerLine> lines_;
};

}  // namespace pawl
