// The motion that a picture shows: a stored result, or a run of the model made for it.
#pragma once

#include <optional>
#include <string>

#include "output/result_reader.h"
#include "support.h"

namespace pawl::cli {

// What a command was given: a model file, or the folder of a result, which holds its model.
struct Source {
    Model model;
    std::optional<Result> result;
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
Motion run_for_picture(const PlacedMechanism& placed, const RunSettings& settings);

// The motion of a result. Throws Failure{bad_model} where columns of bodies are missing.
Motion stored_motion(const Result& result, const PlanarMechanism& mechanism);

// Says on standard error how far a motion that did not complete came.
void warn_of_end(const Motion& motion, const Model& model);

}  // namespace pawl::cli
