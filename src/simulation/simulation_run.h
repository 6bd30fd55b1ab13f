// What a Simulation holds: a run that is taken step by step, whatever its method.
#pragma once

#include "dynamics/dynamics.h"
#include "math/memory.h"

namespace pawl {

class SimulationRun {
public:
    virtual ~SimulationRun() = default;
    // What follows from the end of the last step, then the next step. False when the run is over.
    virtual bool advance() = 0;
    [[nodiscard]] virtual const State& state() const = 0;
    // Inside the last step.
    virtual State state_at(double t) = 0;
    [[nodiscard]] virtual double begin_of_step() const = 0;
    // Everything that the next steps and the result depend on.
    virtual bool remember(Memory& memory) = 0;
    // The last words of the result.
    virtual void close() = 0;
};

}  // namespace pawl
