// The motion that a picture shows: a stored result, or a run of the model made for it.
#pragma once

#include <optional>
#include <string>

#include "output/result/result_reader.h"
#include "results/event.h"
#include "support.h"

namespace pawl::cli {

// What a command was given: a model file, or the folder of a result, which holds its model.
struct Source {
    ModelData model;
    std::optional<StoredResult> result;
};
// Throws Failure{bad_model}, or {wrong_usage} where --set meets a result.
Source read_source(const ModelOptions& options);

struct Motion {
    Trajectory trajectory;
    bool completed = true;
    std::string message;
    Span span;

    [[nodiscard]] double last_time() const {
        return trajectory.rows() == 0 ? 0 : trajectory.row(trajectory.rows() - 1)[0];
    }
    // The last row that is not later; events have rows of their own.
    [[nodiscard]] std::size_t row_at(double t) const;
};

// A dynamic run where the model asks for one, else a driven motion.
Motion run_for_picture(const PlacedMechanism& placed, const RunSettings& run);

// The motion of a result. Throws Failure{bad_model} where columns of bodies are missing.
Motion stored_motion(const StoredResult& result, const PlanarMechanism& mechanism);

// Samples and events of a motion under forces.
struct Samples {
    ModelData model;
    std::string name;  // of the file or folder, without its ending
    Trajectory trajectory;
    std::vector<Event> events;
    // The column of a name. Throws Failure{wrong_usage} with names that are spelt alike.
    [[nodiscard]] std::size_t column(const std::string& wanted) const;
    // The column that shows most where none is asked for: the first measure, or else the first
    // speed of a body that changes.
    [[nodiscard]] std::size_t main_column() const;
    [[nodiscard]] std::vector<double> values(std::size_t column, double after) const;
};
// Of a stored result, or of a dynamic run of the model. Throws Failure{bad_model} where the model
// does not ask for dynamics, {wrong_usage} where a flag of a run meets a result.
Samples read_samples(const ModelOptions& options, const std::string& end, const std::string& step);
// Throws Failure{bad_model}.
void require_dynamics_or_fail(const ModelData& model);

// Says on standard error how far a motion that did not complete came.
void warn_of_end(const Motion& motion, const ModelData& model);

}  // namespace pawl::cli
