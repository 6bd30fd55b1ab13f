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
#include "simulation/record/passage_audit.h"
#include "simulation/record/step_audit.h"
#include "simulation/record/written_audit.h"
#include "simulation/stepping/dynamic_run.h"

namespace pawl {

class DynamicRecord {
public:
    DynamicRecord(const PlacedMechanism& placed, const DynamicOptions& options,
                  ContactCycle& contacts, DynamicResult& result);

    // A row at a projected state of the system in force.
    void sample(const State& state);
    // A row that was made elsewhere, of a time before the first one.
    void put(std::span<const double> row);
    // The only row of a run that fails at its start.
    void sample_start(const State& state);
    // A step of the integrator is over.
    void end_step() { ++steps_; }
    // Kinetic energy that the run starts from, where it is not that of the first row.
    void set_first_kinetic(double kinetic) { first_kinetic_ = kinetic; }
    void remember(Memory& memory);
    // The columns of the contacts, the ledger and the checks; `last` is where the run ended.
    void close(const State& last, const StepAudit& steps, const PassageAudit& passage,
               const WrittenAudit::ValuesAt& values);

private:
    void add_columns();
    void check_rows(const State& state);
    void take_contacts(const State& state);
    void find_static_forces(const State& state);
    [[nodiscard]] double first_potential() const;
    void check_energy(double scale, double error);
    [[nodiscard]] double largest_single_force() const;
    void check_impacts(double limit);
    void warn_of_depth();
    void explain(const AuditCheck& check);
    // What each element has stored and worked since the start, at the energies of the last row.
    const std::vector<LedgerLine>& ledger(const State& state);

    void put_events_in_order();
    void check_friction(const State& state, const ContactCycle::Forces& forces);
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
    bool has_first_ = false;  // energies to compare with
    Spool<long> step_of_row_;
    double initial_energy_ = 0, first_kinetic_ = 0, last_kinetic_ = 0;
    double largest_kinetic_ = 0, largest_potential_ = 0, largest_exchange_ = 0, total_work_ = 0,
           largest_speed_ = 0;
    Worst energy_, position_, velocity_, imbalance_, pull_, penetration_, cone_, gain_,
        complementarity_;
    double largest_force_ = 0, largest_friction_ = 0;
    std::vector<double> force_unit_;     // per force: 1, or the model's size where it is a torque
    std::vector<double> deepest_;        // per pair: how deep a compliant contact was pressed in
    ContactCycle::Forces forces_;        // of the sample at hand
    std::vector<double> static_forces_;  // then: multipliers in the same position at rest
    std::vector<ForceEnergy> first_energies_, last_energies_;
    std::vector<LedgerLine> lines_;
    std::vector<double> still_, extra_;           // no velocity; what a row has beside the motion
    std::vector<PlanarSpace::Wrench> on_bodies_;  // forces of the contacts
};

}  // namespace pawl
