// Problems of the verification manual that are more than columns of a run.
#pragma once

#include <string_view>
#include <vector>

#include "verification/verification.h"
#include "verification/verification_data.h"

namespace pawl {

std::vector<VerificationOutcome> verify_ball_on_plate();
// The multipliers of a motion that repeats up to a shift.
std::vector<VerificationOutcome> verify_rolling_hexagon();
// Path synthesis of a four-bar by both ways.
std::vector<VerificationOutcome> verify_synthesis();
// d(RESPONSE)/d(PARAMETER) of an example model, in SI units; NaN, and why, where there is none.
bool is_derivative(std::string_view column);
double derivative_value(const VerificationRow& row, std::string& note);
// Equivalent particles of Attia's chain: masses, sizes of the systems, and the motion.
std::vector<VerificationOutcome> verify_particles();

}  // namespace pawl
