// What a run by time stepping writes down: rows at the ends of steps, contacts that come and go as
// the steps show them, the energy ledger and the audit.
#pragma once

#include <vector>

#include "results/event.h"
#include "simulation/columns/contact_columns.h"
#include "simulation/columns/sampler.h"
#include "simulation/stepping/dynamic_run.h"
#include "simulation/time_stepping/moreau_step.h"

namespace pawl {

class MoreauRecord {
public:
    MoreauRecord(const PlacedMechanism& placed, const DynamicOptions& options,
                 DynamicSystem& system, DynamicResult& result);

    // After each step: what its contacts have done.
    void see(const MoreauStep& step, const State& begin, const State& end, double h);
    void sample(const MoreauStep& step, const State& state, double h);
    void remember(Memory& memory);
    void close(const State& last, const TimeSteppingStatistics& statistics, double h);

private:
    void note(EventKind kind, double t, const MoreauStep::Contact& contact);
    void note_contacts(const std::vector<MoreauStep::Contact>& contacts, double t, double slow);
    [[nodiscard]] std::vector<LedgerLine> ledger(const State& state) const;
    // Energies at a state, and the work until then.
    struct Energies {
        double kinetic = 0, potential = 0, work = 0;
        [[nodiscard]] double rest() const { return kinetic + potential - work; }
        void remember(Memory& memory) { memory(kinetic, potential, work); }
    };
    Energies energies(const State& state);

    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    AuxiliaryLayout layout_;
    DynamicSystem& system_;
    DynamicResult& result_;
    Sampler sampler_;
    ContactColumns columns_;
    bool shows_contacts_;
    std::vector<int> closed_;  // pairs that touch, sorted
    bool has_first_ = false;
    Energies first_, last_;
    double largest_kinetic_ = 0, largest_exchange_ = 0, largest_work_ = 0, largest_speed_ = 0;
    Worst energy_, position_, penetration_, gain_;
};

}  // namespace pawl
