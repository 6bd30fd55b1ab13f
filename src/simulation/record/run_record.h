// What a dynamic run records on its way: rows at its output times and at events, the audit of each
// step, and what joints with play did. Knows steps and states, not why a step ended.
#pragma once

#include <optional>

#include "simulation/record/clearance_record.h"
#include "simulation/record/dynamic_record.h"

namespace pawl {

class RunRecord {
public:
    RunRecord(const PlacedMechanism& placed, const DynamicOptions& options, DynamicResult& result)
        : placed_(placed),
          options_(options),
          result_(result),
          step_audit_(placed.assembly.model_size),
          passage_(placed.mechanism) {}

    // The first state is known; it is that of time t.
    void begin(ContactCycle& contacts, double t);
    [[nodiscard]] bool has_begun() const { return record_.has_value(); }
    [[nodiscard]] double begun_at() const { return t_start_; }
    // For what is asked of the rows themselves at the start.
    [[nodiscard]] DynamicRecord& rows() { return *record_; }

    // A row at a projected state; its accelerations are judged like those of the steps.
    void sample(const State& state);

    // The rows of the output times inside a window.
    void pass_over(const PassedWindow& window);
    // The motion begins anew, with velocities that may have jumped.
    void restart() { passage_.restart(); }
    void begin_step(Dynamics& dynamics, const Stepping& stepping, const State& state,
                    bool is_solved) {
        step_audit_.begin(dynamics, stepping, state, is_solved);
    }
    // What is recorded inside a step, before its end is known to be on the constraints.
    enum class Inside {
        untouched,  // the equations stand where they stood
        looked,     // they were moved
        lost,       // no projection leads back on the constraints at `inside.t`
    };
    Inside look_inside(Dynamics& dynamics, Stepping& stepping, State& inside);
    // The step is over: `end` is on the constraints, and the stepper still holds the step.
    void end_step(Dynamics& dynamics, Stepping& stepping, const State& begin, const State& end);
    // The row of an output time at the end of a step.
    void sample_end(const State& end);

    void remember(Memory& memory) {
        memory(t_start_, next_output_, *clearances_, *record_, step_audit_, passage_);
    }
    void close(const State& last, const WrittenAudit::ValuesAt& values);

private:
    [[nodiscard]] double output_time(std::size_t k) const;

    const PlacedMechanism& placed_;
    const DynamicOptions& options_;
    DynamicResult& result_;
    ContactCycle* contacts_ = nullptr;
    std::optional<DynamicRecord> record_;
    std::optional<ClearanceRecord> clearances_;
    StepAudit step_audit_;
    PassageAudit passage_;
    double t_start_ = 0;
    std::size_t next_output_ = 1;
};

}  // namespace pawl
