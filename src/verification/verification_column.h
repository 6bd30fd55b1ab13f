// What a row of the verification manual reads from a run: a column at a time, or a number made of
// columns and events. Knows nothing of models and references.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/audit.h"
#include "results/event.h"
#include "results/motion_matrices.h"
#include "results/trajectory.h"
#include "simulation/equilibrium/vibration.h"

namespace pawl {

// The value of `column` in `unit`, where `column` is spelt
//   "crank.omega"                   a column at the time `at`
//   "zero:crank.omega:2"            time of its second change of sign
//   "period:bar.y:1"                time from its first change of sign to the next but one
//   "min:C#1.normal", "max:C#1.gap" its least and greatest value from the time `at` on
//   "min_at:...", "max_at:..."      the time of that value
//   "t@transition:C#1:2"            time of the second transition of C#1; also `impulse@`,
//                                   `normal_velocity_before@`, `normal_velocity_after@`,
//                                   `energy_change@`, and the columns of event_columns.h
//   "cam.x-@transition:C#1:2"       a column in the row before that event; with + in the row after
//   "count@contact_lost:C#1"        number of such events
//   "ledger:pin friction"           work of a line of the energy ledger at the end of the run
// The element may be left out ("t@dead_point:1": of all dead points), and so may the number 1.
// Zeros and extrema are those of a polynomial through the samples around. NaN, and a note that says
// why, when there is no such value.
double column_value(const Trajectory& trajectory, const std::vector<Event>& events,
                    std::string_view column, double at, std::string_view unit, std::string& note,
                    std::span<const LedgerLine> ledger = {});

// The natural frequency in Hz of a mode: "mode:2".
double mode_frequency(const Vibration& vibration, std::string_view text, std::string& note);

// An entry of the matrices of a motion: "matrix:jacobian:B.x:crank.angle", row and column.
double matrix_value(const MotionMatrices& matrices, std::string_view text, std::string_view unit,
                    std::string& note);

}  // namespace pawl
