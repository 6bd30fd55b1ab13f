// The inside of a DynamicSimulation: one run from its start to its end, event after event. Steps
// are taken by March and recorded by RunRecord; what begins a run, what follows from the end of a
// step and what is remembered of it is here.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "simulation/dynamic/dynamic_simulation.h"
#include "simulation/dynamic/march.h"
#include "simulation/dynamic/running_model.h"
#include "simulation/dynamic/stepwise_run.h"

namespace pawl {

class DynamicSimulation::Run : public StepwiseRun {
public:
    Run(const PlacedMechanism& placed, const DynamicOptions& options, DynamicResult& result);

    bool advance() override;
    [[nodiscard]] const State& state() override;
    [[nodiscard]] double time() const override;
    [[nodiscard]] double begin_of_step() const override;
    [[nodiscard]] State state_at(double t) override;
    [[nodiscard]] bool takes_changes() const override { return true; }
    bool change(double t, const RunningModel::Change& change,
                const std::function<void()>& apply) override;
    bool remember(Memory& memory) override;
    void close(const WrittenAudit::ValuesAt& values) override;

private:
    bool start();
    bool begin();
    void take_given_velocities();
    void sample_before_impacts();
    [[nodiscard]] bool fails_at_start();
    void begin_records();
    void collect_breaks();

    bool take_step(double stop);
    bool finish_step();
    bool end_step_at(double t);
    bool pass_end();
    bool pass_contact();
    bool resolve(const ContactOccurrence& occurrence);
    bool pass_switch();
    bool pass_break();
    bool apply_impulses(double t);
    void apply_impulse(std::size_t force);
    void await_contacts(std::size_t first_event);
    [[nodiscard]] double next_break() const {
        return next_break_ < breaks_.size() ? breaks_[next_break_] : options_.end;
    }
    [[nodiscard]] double next_stop() const {
        const double t = next_break();
        return awaited_.empty() ? t : std::min(t, awaited_.front());
    }

    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    const DynamicOptions& options_;
    DynamicResult& result_;
    RunRecord record_;
    March march_;
    bool has_open_step_ = false;  // the last one is not finished: it can be taken back
    bool over_ = false;
    State given_;  // at the start, before contacts answer
    State seen_;   // the end of the open step, for those who look
    double kinetic_at_start_ = 0;
    std::vector<double> breaks_;
    std::vector<double> awaited_;  // when contacts form that are closed already
    std::size_t next_break_ = 0;
};

}  // namespace pawl
