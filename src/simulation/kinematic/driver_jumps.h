// Where a driver given by an expression, or its velocity, jumps: no motion follows it there. Found
// from the expressions over the whole run, so that the steps of the output do not matter.
#pragma once

#include <optional>
#include <string>

#include "mechanism/mechanism.h"

namespace pawl {

struct DriverJump {
    double t = 0;
    std::string message;
    Span span;
};

// The driver just before and just after a time; none where it goes on smoothly.
std::optional<DriverJump> driver_jump_at(const Driver<PlanarSpace>& driver, double t);
// The first between 0 and `end`; none where the drivers are smooth.
std::optional<DriverJump> first_driver_jump(const Mechanism<PlanarSpace>& mechanism, double end);

}  // namespace pawl
