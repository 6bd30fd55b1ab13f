// The rows of the verification manual: what the run of an example model must give, as plain
// numbers. Knows nothing of how a model is run or compared.
#pragma once

#include <span>
#include <string_view>

namespace pawl {

// One row of the verification manual: a column of a model's run at a time, or another number
// of the run, against a published or closed-form number.
struct VerificationRow {
    std::string_view problem;   // "K1", "four-bar", ...
    std::string_view model;     // file stem in models/
    std::string_view column;    // output column without unit, e.g. "slider.x", or a number made of
                                // columns and events: see verification_column.h
    double at;                  // time, s
    std::string_view unit;      // unit in which the numbers are given, e.g. "mm", "rad/s"
    double published;           // number printed in the source; NaN when there is none
    double reference;           // recomputed reference
    double tolerance;           // absolute, in the same unit
    std::string_view source;    // where the number comes from
    std::string_view set = {};  // parameters changed for this row: "speed=20 rad/s; m=2 kg",
                                // and of the run: "run.analysis=kinematics; run.step=1e-5"
};

std::span<const VerificationRow> verification_rows();           // kinematics
std::span<const VerificationRow> dynamic_verification_rows();   // dynamics and inverse dynamics
std::span<const VerificationRow> contact_verification_rows();   // contacts that come and go
std::span<const VerificationRow> friction_verification_rows();  // friction
std::span<const VerificationRow> impact_verification_rows();    // impacts with friction

}  // namespace pawl
