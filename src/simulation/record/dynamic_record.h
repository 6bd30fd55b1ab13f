// What a dynamic run writes down: rows of the trajectory with reactions, contacts and energies, and
// the audit.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "simulation/columns/contact_columns.h"
#include "simulation/columns/reactions.h"
#include "simulation/columns/sampler.h"
#include "simulation/event_cycle/contact_cycle.h"
#include "simulation/record/energy_ledger.h"
#include "simulation/record/passage_audit.h"
#include "simulation/record/row_audit.h"
#include "simulation/record/step_audit.h"
#include "simulation/record/written_audit.h"
#include "simulation/stepping/dynamic_run.h"

namespace pawl {

class DynamicRecord {
public:
    DynamicRecord(const PlacedMechanism& placed, const DynamicOptions& options,
                  ContactCycle& contacts, DynamicResult& result);

    // A row at a projected state of the system in force; false where its forces have no solution.
    bool sample(const State& state);
    // A row that was made elsewhere, of a time before the first one.
    void put(std::span<const double> row);
    // The only row of a run that fails at its start.
    void sample_start(const State& state);
    // A step of the integrator is over, with this kinetic energy.
    void end_step(double kinetic) {
        ++steps_;
        energies_.see_kinetic(kinetic);
    }
    // As many, of another kind, led to the next row.
    void pass_steps(int steps) { steps_ += steps; }
    // Kinetic energy that the run starts from, where it is not that of the first row.
    void set_first_kinetic(double kinetic) { energies_.set_first_kinetic(kinetic); }
    void remember(Memory& memory);
    // The rows get the columns of the contacts; the last thing, where they are not closed.
    void add_contact_columns() { columns_.widen(result_.trajectory); }
    // The columns of the contacts, the ledger and the checks; `last` is where the run ended.
    void close(const State& last, const StepAudit& steps, const PassageAudit& passage,
               const WrittenAudit::ValuesAt& values);

private:
    void add_columns();
    void take_contacts(const State& state);
    void find_static_forces(const State& state);
    void check_energy(double scale, const StepAudit& steps);
    void check_impacts(double limit);
    void explain(const AuditCheck& check);
    void put_events_in_order();
    void append_reactions_of(const State& state);
    void append_friction(std::vector<double>& row) const;

    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    AuxiliaryLayout layout_;
    const DynamicOptions& options_;
    ContactCycle& contacts_;
    DynamicResult& result_;
    Sampler sampler_;
    std::optional<Reactions> reactions_;
    ContactColumns columns_;
    long steps_ = 0;
    Spool<long> step_of_row_;
    EnergyLedger energies_;
    ConstraintAudit constraints_;
    ContactAudit touching_;
    Worst imbalance_;
    ContactCycle::Forces forces_;                 // of the sample at hand
    std::vector<double> static_forces_;           // then: multipliers in the same position at rest
    std::vector<double> still_, extra_;           // no velocity; what a row has beside the motion
    std::vector<PlanarSpace::Wrench> on_bodies_;  // forces of the contacts
};

}  // namespace pawl
