// A model as a program holds it: read from text, changed by its parameters, run. Cheap to copy.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "face/result.h"
#include "math/span.h"
#include "mechanism/run_settings.h"

namespace pawl {

// Names of parameters or inputs, or paths as "body.crank.mass", and texts that replace their
// values.
using Values = std::vector<std::pair<std::string, std::string>>;

struct ParameterInfo {
    std::string name;
    double value = 0;  // SI; as written where the model gives it without a unit
    std::string unit;  // empty: a bare number
    std::optional<double> min, max;
    bool is_input = false;
};

// A named point of a body, in its axes.
struct PointInfo {
    std::string body, name;
    double x = 0, y = 0;  // m
};

struct Freedom {
    int degrees_of_freedom = 0;          // next to the start position
    int gruebler = 0;                    // by Gruebler's count
    std::vector<std::string> redundant;  // rows that say nothing new
    std::vector<std::string> notes;      // what the start changed
};

class Model {
public:
    // Nothing where there are errors; `problems` has them with line and column.
    static std::optional<Model> read(std::string_view text, Diagnostics& problems,
                                     std::string file = "model.toml", const Values& values = {});
    static std::optional<Model> read_file(const std::filesystem::path& path, Diagnostics& problems,
                                          const Values& values = {});

    // As the model's table [run] has them; a program may change them.
    RunSettings run;

    // The same model with other values.
    [[nodiscard]] std::optional<Model> with(const Values& values, Diagnostics& problems) const;
    [[nodiscard]] std::vector<ParameterInfo> parameters() const;
    [[nodiscard]] std::vector<PointInfo> points() const;
    [[nodiscard]] const std::string& text() const;

    // Where it cannot be assembled the message of each result says why.
    [[nodiscard]] std::optional<Freedom> check(std::string& problem) const;
    // The start position: a result without rows.
    [[nodiscard]] Result start() const;
    [[nodiscard]] Result kinematics() const;
    [[nodiscard]] Result inverse() const;
    [[nodiscard]] Result dynamics() const;
    // The stable equilibrium next to the start: one row.
    [[nodiscard]] Result equilibrium() const;
    // The equilibrium followed in time, with its snaps.
    [[nodiscard]] Result quasi_static() const;
    // The analysis that `run` asks for.
    [[nodiscard]] Result analyse() const;

private:
    friend class Simulation;
    friend class Hand;
    [[nodiscard]] Result driven(bool with_forces) const;
    explicit Model(std::shared_ptr<const struct ModelData> data);
    std::shared_ptr<const struct ModelData> data_;
};

}  // namespace pawl
