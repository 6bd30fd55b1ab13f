// A dynamic run under the control of the caller: taken step by step, inspected in between, changed,
// saved and restored. `run_dynamics` is one taken to its end.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model_file/reading/model_file.h"
#include "simulation/stepping/dynamic_run.h"

namespace pawl {

class StepwiseRun;

class DynamicSimulation {
public:
    // Of a model, with the options of its run table where none are given. Where it cannot be
    // assembled no step is taken, and so_far() has the reason.
    explicit DynamicSimulation(const ModelData& model, std::optional<DynamicOptions> options = {});
    // Of a mechanism that was placed before: its values cannot be set. It is copied, with every
    // play opened.
    DynamicSimulation(const PlacedMechanism& placed, DynamicOptions options);
    ~DynamicSimulation();
    DynamicSimulation(DynamicSimulation&&) noexcept;
    DynamicSimulation& operator=(DynamicSimulation&&) noexcept;

    // One step of the integrator, which ends where something happens. What follows from that (an
    // impact, a new mode) comes with the next step, and so do the rows inside. False when the run
    // is over: at its end, or because it cannot continue, for which so_far().status has the reason.
    bool step();
    // Steps until the motion is known at t; false when the run was over before. Never shortens a
    // step: the motion does not depend on the times that are asked for.
    // `progress` is called after each step with the share of the way, and may throw.
    bool advance_to(double t, const std::function<void(double share)>& progress = {});

    // Where the last step ends, and where it began.
    [[nodiscard]] double time() const;
    [[nodiscard]] double begin_of_step() const;
    [[nodiscard]] const State& state() const;
    // At a time inside the last step.
    [[nodiscard]] State state_at(double t);
    // Rows and events until now; the audit comes with finish().
    [[nodiscard]] const DynamicResult& so_far() const;
    // The mechanism that runs, with the values of now.
    [[nodiscard]] const PlacedMechanism& placed() const { return *placed_; }

    // Another value of a parameter or an input of the model, from the time on that was advanced to
    // (or stepped to): it ends the step there, and what it changes at once, contacts that open or
    // slip too, is an event. As text, "300 N/m", or in SI; as a plain number where the model gives
    // it without a unit. False, with errors, for a name that the model does not have and for what
    // cannot change while the mechanism moves: bodies, their masses, joints, profiles. False
    // without errors when the run is over.
    bool set(std::string_view name, std::string_view value, Diagnostics& diagnostics);
    bool set(std::string_view name, double value, Diagnostics& diagnostics);

    // Everything that the steps to come and the result depend on, as text. A simulation of the same
    // model with the same options that is restored from it continues with the same bits as one that
    // was never saved. False when the text is not of such a simulation; it then stands at its
    // beginning.
    [[nodiscard]] std::string save();
    bool restore(std::string saved);

    // From the beginning again: what was set on the way is undone.
    void reset();
    // From the beginning with other values of parameters or inputs, or of any path of the file, as
    // "body.crank.mass"; what is not named is as in the model. False, with errors and unchanged,
    // where they do not fit.
    bool reset(const Overrides& values, Diagnostics& diagnostics);
    // The result of the run until now, with its audit. The simulation is then at its beginning.
    DynamicResult finish();

private:
    class Run;
    template <class Value>
    bool set_value(std::string_view name, Value value, Diagnostics& diagnostics);
    void begin();

    std::unique_ptr<class RunningModel> model_;  // null: it was not made from one
    std::unique_ptr<PlacedMechanism> placed_;
    std::unique_ptr<DynamicOptions> options_;
    std::unique_ptr<DynamicResult> result_;
    std::unique_ptr<StepwiseRun> run_;
    double now_ = 0;  // when what is set acts
};

}  // namespace pawl
