// What a row of the verification manual reads from a run: a column at a time, or a number made of
// columns and events. Knows nothing of models and references.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/event.h"
#include "results/motion_matrices.h"
#include "results/trajectory.h"
#include "simulation/equilibrium/equilibrium_friction.h"
#include "simulation/equilibrium/vibration.h"

namespace pawl {

// The value in `unit` of a response (results/response.h). A column is taken at the time `at`;
// minima, maxima and changes of sign count from there on. NaN, and a note that says why, when there
// is no such value.
double column_value(const Trajectory& trajectory, const std::vector<Event>& events,
                    std::string_view column, double at, std::string_view unit, std::string& note);

// A bound of what friction holds: "held:push:low", "held:push:high", as `statics` reports them.
double held_bound(const EquilibriumFriction& friction, std::string_view text, std::string& note);

// The natural frequency in Hz of a mode: "mode:2".
double mode_frequency(const Vibration& vibration, std::string_view text, std::string& note);

// An entry of the matrices of a motion: "matrix:jacobian:B.x:crank.angle", row and column.
double matrix_value(const MotionMatrices& matrices, std::string_view text, std::string_view unit,
                    std::string& note);

}  // namespace pawl
