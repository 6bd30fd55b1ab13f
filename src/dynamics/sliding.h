// Friction of the places that slide: it depends on reactions, which depend on it. Solved at once, on
// the responses of the mechanism, whatever the formulation.
#pragma once

#include <span>
#include <vector>

#include "dynamics/row_response.h"

namespace pawl {

class SlidingFriction {
public:
    explicit SlidingFriction(Equations& equations);

    // Position, inertia, velocity and forces are set and the rows factored: finds the friction and
    // adds it to the forces of the equations. False where no friction fits the sliding.
    bool solve(RowResponse& response, std::span<const double> v);
    // Per place of the equations; 0 where it sticks.
    [[nodiscard]] const std::vector<double>& force() const { return force_; }
    // Positive while the friction is determined by the sliding; vanishes where it grows beyond all
    // bounds (Painleve). 1 without friction.
    [[nodiscard]] double margin() const { return margin_; }

private:
    void respond_to(std::span<double> x, std::span<double> lambda, RowResponse& response,
                    bool with_bias);
    bool iterate(std::span<const double> v);
    bool eliminate();

    Equations& equations_;
    std::vector<int> sliding_;  // places
    std::vector<double> force_, unit_, x_, lambda_, x_unit_, lambda_unit_;
    std::vector<double> loads_, first_, slope_;  // loads; without friction; per unit of friction
    std::vector<double> matrix_, right_;
    double margin_ = 1;
};

}  // namespace pawl
