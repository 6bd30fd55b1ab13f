// A dynamic run under the control of the caller: taken step by step, inspected in between, changed,
// saved and restored.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "face/model.h"
#include "results/state.h"

namespace pawl {

// A measure at an instant.
struct Reading {
    std::string name, unit;
    double value = 0, rate = 0;
};

class Simulation {
public:
    // Where the model cannot be assembled no step is taken, and message() has the reason.
    explicit Simulation(const Model& model);
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    // One step of the integrator, which ends where something happens; what follows from that (an
    // impact, a new mode) and the rows inside come with the next one. False when the run is over.
    bool step();
    // Steps until the motion is known at t (s); false when the run was over before. Never shortens
    // a step: the motion does not depend on the times that are asked for.
    // What `progress` throws between two steps is thrown on.
    bool advance_to(double t, const Progress& progress = {});

    [[nodiscard]] double time() const;  // where the last step ends
    [[nodiscard]] double begin_of_step() const;
    [[nodiscard]] const State& state();
    [[nodiscard]] State state_at(double t);  // inside the last step
    // The names of the coordinates q and their velocities v.
    [[nodiscard]] std::vector<std::string> coordinates();
    // The measures of the model inside the last step, in their units, and their rates.
    [[nodiscard]] std::vector<Reading> measures_at(double t);
    [[nodiscard]] const std::vector<Event>& events() const;
    [[nodiscard]] const std::string& message() const;  // why it cannot continue
    [[nodiscard]] Diagnostics problems() const;        // the same with line and column

    // The result until now, without an audit; the simulation continues.
    [[nodiscard]] Result so_far() const;

    // Another value of a parameter or an input from the time on that was advanced to. As text,
    // "300 N/m", or in SI. False, with errors, for what cannot change on the way.
    bool set(std::string_view name, std::string_view value, Diagnostics& problems);
    bool set(std::string_view name, double value, Diagnostics& problems);

    // All that the steps to come and the result depend on. A simulation of the same model that is
    // restored from it continues with the same bits.
    [[nodiscard]] std::string save();
    bool restore(std::string saved);

    // From the beginning again, with other values where they are given.
    void reset();
    bool reset(const Values& values, Diagnostics& problems);
    // The result until now, with its audit. The simulation is then at its beginning.
    Result finish();

private:
    Model model_, now_;  // as given, and with the values of the last reset
    std::unique_ptr<class DynamicSimulation> run_;
    struct View;  // of the bodies, at the instants that are asked for
    std::unique_ptr<View> view_;
    View& view();
    [[nodiscard]] bool has_begun() const;
};

}  // namespace pawl
