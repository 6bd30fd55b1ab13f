// The dynamic run by time stepping, integrator = "moreau": steps of a fixed length without any
// location of events, for hundreds of bodies in contact. Its rows are at the ends of steps; its
// audit says how large the error is that this leaves.
#pragma once

#include <optional>

#include "simulation/dynamic/stepwise_run.h"
#include "simulation/stepping/dynamic_failure.h"
#include "simulation/time_stepping/moreau_record.h"
#include "simulation/time_stepping/moreau_step.h"

namespace pawl {

class MoreauRun : public StepwiseRun {
public:
    MoreauRun(const PlacedMechanism& placed, const DynamicOptions& options, DynamicResult& result);

    bool advance() override;
    [[nodiscard]] const State& state() override { return state_; }
    [[nodiscard]] double time() const override { return state_.t; }
    State state_at(double t) override;
    [[nodiscard]] double begin_of_step() const override { return begin_.t; }
    [[nodiscard]] bool takes_changes() const override { return false; }
    bool change(double, const RunningModel::Change&, const std::function<void()>&) override {
        return false;
    }
    bool remember(Memory& memory) override;
    void close(const WrittenAudit::ValuesAt& values) override;

private:
    bool start();
    bool refuse();  // what time stepping does not know
    bool begin_state();
    bool take_step();
    bool fail(MoreauStep::Outcome outcome);
    [[nodiscard]] std::vector<double> impulses_between(double from, double to);
    // The steps between two rows are equally long.
    [[nodiscard]] double step_length() const;

    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    const DynamicOptions& options_;
    DynamicResult& result_;
    DynamicFailure failure_;
    std::optional<DynamicSystems> systems_;
    DynamicSystem* system_ = nullptr;
    std::optional<MoreauStep> step_;
    std::optional<MoreauRecord> record_;
    State state_, begin_;
    double t_start_ = 0;
    long row_ = 0, inside_ = 0, steps_per_row_ = 1;  // rows made, steps since the last
    bool over_ = false;
};

}  // namespace pawl
