// A dynamic run that can be held in the hand: taken step by step, looked at in between, saved and
// restored. `run_dynamics` is one taken to its end.
#pragma once

#include <memory>
#include <string>

#include "simulation/dynamic_run.h"
#include "simulation/simulation_run.h"

namespace pawl {

class Simulation {
public:
    // The mechanism is copied, with every play opened.
    Simulation(const PlacedMechanism& placed, DynamicOptions options);
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    // One step of the integrator, which ends where something happens. What follows from that (an
    // impact, a new mode) comes with the next step. False when the run is over: at its end, or
    // because it cannot go on, for which so_far().status has the reason.
    bool step();
    // Steps until the motion is known at t; false when the run was over before. Never shortens a
    // step: the motion does not depend on the times that are asked for.
    bool advance_to(double t);

    // Where the last step has ended, and where it began.
    [[nodiscard]] double time() const;
    [[nodiscard]] double begin_of_step() const;
    [[nodiscard]] const State& state() const;
    // At a time inside the last step.
    [[nodiscard]] State state_at(double t);
    // Rows and events until now; the audit comes with finish().
    [[nodiscard]] const DynamicResult& so_far() const;

    // Everything that the steps to come and the result depend on, as text. A simulation of the same
    // mechanism with the same options that is restored from it goes on with the same bits as one
    // that was never saved. False when the text is not of such a simulation; it then stands at its
    // beginning.
    [[nodiscard]] std::string save();
    bool restore(std::string saved);

    // From the beginning again.
    void reset();
    // The result of the run until now, with its audit. The simulation is then at its beginning.
    DynamicResult finish();

private:
    class Run;
    std::unique_ptr<PlacedMechanism> placed_;
    std::unique_ptr<DynamicOptions> options_;
    std::unique_ptr<DynamicResult> result_;
    std::unique_ptr<SimulationRun> run_;
};

}  // namespace pawl
