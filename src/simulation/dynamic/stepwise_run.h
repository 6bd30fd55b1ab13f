// What a DynamicSimulation holds: a run that is taken step by step, whatever its method.
#pragma once

#include <functional>

#include "dynamics/formulations/dynamics.h"
#include "math/memory.h"
#include "simulation/dynamic/running_model.h"
#include "simulation/record/written_audit.h"

namespace pawl {

class StepwiseRun {
public:
    virtual ~StepwiseRun() = default;
    // What follows from the end of the last step, then the next step. False when the run is over.
    virtual bool advance() = 0;
    // Where the last step ends; it is on the constraints.
    [[nodiscard]] virtual const State& state() = 0;
    [[nodiscard]] virtual double time() const = 0;
    [[nodiscard]] virtual double begin_of_step() const = 0;
    // Inside the last step.
    [[nodiscard]] virtual State state_at(double t) = 0;

    // Whether `change` is possible at all.
    [[nodiscard]] virtual bool takes_changes() const = 0;
    // Ends the last step at t inside it; then something of the mechanism changes, which is an
    // event. False when the run ends with it.
    virtual bool change(double t, const RunningModel::Change& change,
                        const std::function<void()>& apply) = 0;

    // Everything that the next steps and the result depend on.
    virtual bool remember(Memory& memory) = 0;
    // The last words of the result.
    virtual void close(const WrittenAudit::ValuesAt& values) = 0;
};

}  // namespace pawl
