// The equation solvers behind the interface of Dynamics.
#pragma once

#include "dynamics/dynamics.h"

namespace pawl {

class MultiplierDynamics : public Dynamics {
public:
    using Dynamics::Dynamics;
    [[nodiscard]] std::string_view name() const override { return "multipliers"; }
    RateOutcome respond(double t, std::span<const double> q, std::span<const double> v,
                        std::span<const double> z) override;
};

}  // namespace pawl
