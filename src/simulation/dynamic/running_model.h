// The model behind a simulation: which of its values may change while it runs, and what they change
// in the mechanism. Knows the model file, not how the run continues.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/memory.h"
#include "model_file/reading/model_file.h"
#include "simulation/placement/assembly.h"

namespace pawl {

class RunningModel {
public:
    explicit RunningModel(ModelData model);

    // The mechanism as it begins, with every play opened; nothing but `assembly` is of use where it
    // could not be assembled.
    [[nodiscard]] const PlacedMechanism& placed() const { return placed_; }

    // Begins again with other values of parameters or inputs, or of any path of the file; those
    // that are not named are as in the model. Unchanged, with errors, where they do not fit it.
    bool begin(const Overrides& changes, Diagnostics& diagnostics);
    // As it began last.
    void begin();

    // A value that has changed, and what must be made anew from the mechanism.
    struct Change {
        std::string name;
        std::string from, to;  // with units
        bool systems = false;  // equations and solvers
        bool limits = false;   // of the steps: times at which something happens have moved
    };
    // Another value of a parameter or an input, as text or in SI (as a plain number where the model
    // gives one without a unit). Nothing with errors where it cannot change while the mechanism
    // moves; nothing without errors where it is that value already.
    std::optional<Change> set(std::string_view name, std::string_view value, double t,
                              Diagnostics& diagnostics);
    std::optional<Change> set(std::string_view name, double value, double t,
                              Diagnostics& diagnostics);
    // Puts the values of now into a mechanism that runs; from this row of the trajectory on they
    // count.
    void apply(const Change& change, std::size_t row, PlanarMechanism& running);
    // Once more those that counted at a row. True where equations must be made anew, which were
    // made with the values of another row.
    bool apply_of_row(std::size_t row, PlanarMechanism& running);
    [[nodiscard]] bool has_changed() const { return stretches_.size() > 1; }
    void remember(Memory& memory);
    // After it was read: those of now.
    void apply(PlanarMechanism& running) const { apply(now_, running); }

private:
    // Values from a row on.
    struct Stretch {
        std::size_t row = 0, version = 0;  // of versions_: all but the inputs
        std::vector<double> inputs;
        void remember(Memory& memory) { memory(row, version, inputs); }
    };
    void begin_history();
    [[nodiscard]] std::vector<double> inputs() const;
    void put_inputs(const std::vector<double>& inputs, PlanarMechanism& running) const;
    void apply(const ModelData& model, PlanarMechanism& running) const;

    [[nodiscard]] const Parameter* find(std::string_view name, Diagnostics& diagnostics) const;
    [[nodiscard]] bool is_computed(const Parameter& parameter, Diagnostics& diagnostics) const;
    [[nodiscard]] Overrides with(std::string_view name, std::string text) const;
    [[nodiscard]] bool may_change(const ModelData& next, double t, Diagnostics& diagnostics) const;
    [[nodiscard]] bool keeps_drivers(const ModelData& next, double t,
                                     Diagnostics& diagnostics) const;
    [[nodiscard]] bool moves_times(int slot) const;

    ModelData first_, begun_, now_;
    std::vector<PlanarSpace::Position> ideal_;  // positions that default values are taken from
    PlacedMechanism placed_;
    std::vector<Overrides> versions_;
    std::vector<Stretch> stretches_;
    std::size_t shown_ = 0;  // the version that apply_of_row has applied last, counted from 1
};

}  // namespace pawl
