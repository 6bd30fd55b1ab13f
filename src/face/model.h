// A model as a program holds it: read from text, changed by its parameters, run. Cheap to copy.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "face/result.h"
#include "face/sensitivity.h"
#include "math/span.h"
#include "mechanism/design_settings.h"
#include "mechanism/optimisation_settings.h"
#include "mechanism/run_settings.h"

namespace pawl {

// Names of parameters or inputs, or paths as "body.crank.mass", and texts that replace their
// values.
using Values = std::vector<std::pair<std::string, std::string>>;

struct ParameterInfo {
    std::string name;
    double value = 0;  // SI; as written where the model gives it without a unit
    std::string unit;  // empty: a bare number
    std::optional<double> min, max, tolerance;
    Distribution distribution = Distribution::normal;  // within the tolerance
    bool is_input = false;
    // How the model writes it: "N/mm" of "3 N/mm". Empty: by an expression, or without a unit.
    std::string written_unit;

    // The same with its numbers in the unit that the model writes, where it does.
    [[nodiscard]] ParameterInfo as_written() const;
};

// A named point of a body, in its axes.
struct PointInfo {
    std::string body, name;
    double x = 0, y = 0;  // m
};

// Where a body stands: m, rad.
struct BodyPosition {
    std::string body;
    double x = 0, y = 0, angle = 0;
};

struct Freedom {
    int degrees_of_freedom = 0;           // next to the start position
    int gruebler = 0;                     // by Gruebler's count
    std::vector<std::string> redundant;   // rows that say nothing new
    std::vector<std::string> notes;       // what the start changed
    std::vector<BodyPosition> positions;  // at the start
};

// Called on the way with the share of a run that is done. What it throws ends the run and is thrown
// on.
using Progress = std::function<void(double share)>;

// A function of numbers, of which it has as many as it was given names for.
using InputFunction = std::function<double(std::span<const double> arguments)>;

class Model {
public:
    // Nothing where there are errors; `problems` has them with line and column.
    static std::optional<Model> read(std::string_view text, Diagnostics& problems,
                                     std::string file = "model.toml", const Values& values = {});
    static std::optional<Model> read_file(const std::filesystem::path& path, Diagnostics& problems,
                                          const Values& values = {});

    // As the model's table [run] has them; a program may change them.
    RunSettings run;
    // False: dynamic runs leave out the columns of reactions and forces, which take time.
    bool reactions = true;

    // The same model with other values. Values of the table [run], as "run.end", replace all that
    // the program has set in `run`.
    [[nodiscard]] std::optional<Model> with(const Values& values, Diagnostics& problems) const;
    // The same model with an input that a program computes in place of its value. The arguments
    // are "t", measures, their rates as "NAME.rate" and states of the model, all in SI units. It is
    // asked whenever forces are, also for trial states: what it returns must depend on its
    // arguments alone; where it is seen not to, std::runtime_error is thrown. It may jump, but its
    // jumps are not located. What it throws ends the run and is thrown on.
    [[nodiscard]] std::optional<Model> with_function(std::string_view input,
                                                     const std::vector<std::string>& arguments,
                                                     InputFunction function,
                                                     Diagnostics& problems) const;
    [[nodiscard]] std::vector<ParameterInfo> parameters() const;
    [[nodiscard]] std::vector<PointInfo> points() const;
    // The table [sweep].
    [[nodiscard]] const std::optional<SweepSettings>& sweep() const;
    // The table [design].
    [[nodiscard]] const std::optional<OptimisationSettings>& design() const;
    // Of the tables [response.NAME].
    [[nodiscard]] const std::vector<Response>& responses() const;
    // The response of this name, or the one that a text like "max:bolt.x" describes.
    [[nodiscard]] std::optional<Response> response(std::string_view name_or_text,
                                                   Diagnostics& problems) const;
    [[nodiscard]] const std::string& text() const;
    [[nodiscard]] const std::string& file() const;
    [[nodiscard]] const Values& values() const;  // that replace those of the text

    // Nothing where it cannot be assembled. The problems are the reason, or warnings of what looks
    // like a mistake.
    [[nodiscard]] std::optional<Freedom> check(Diagnostics& problems) const;
    // The mechanism at its start as SVG; empty where it cannot be assembled.
    [[nodiscard]] std::string drawing() const;

    // Where it cannot be assembled the problems of each result say why.
    // The start position: a result without rows.
    [[nodiscard]] Result start() const;
    [[nodiscard]] Result kinematics(const Progress& progress = {}) const;
    [[nodiscard]] Result inverse(const Progress& progress = {}) const;
    [[nodiscard]] Result dynamics(const Progress& progress = {}) const;
    // The stable equilibrium next to the start, with the drivers and loads of a time (s): one row.
    // Vibrations about it are in the summary.
    [[nodiscard]] Result equilibrium(double at = 0, bool with_vibrations = false) const;
    // The equilibrium followed in time, with its snaps.
    [[nodiscard]] Result quasi_static(const Progress& progress = {}) const;
    // The analysis that `run` asks for.
    [[nodiscard]] Result analyse(const Progress& progress = {}) const;
    // Derivatives of its responses by parameters, through its events. Nothing, with the reason in
    // the problems, where it cannot be run or does not know what is asked for.
    [[nodiscard]] std::optional<Sensitivity> sensitivity(const SensitivityOptions& options,
                                                         Diagnostics& problems) const;

private:
    friend class Simulation;
    friend class Hand;
    [[nodiscard]] Result driven(bool with_forces, const Progress& progress) const;
    [[nodiscard]] Result dynamics(const Progress& progress, struct RunCourse* course) const;
    explicit Model(std::shared_ptr<const struct ModelData> data);
    std::shared_ptr<const struct ModelData> data_;
};

}  // namespace pawl
