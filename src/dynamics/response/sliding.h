// Friction of the points that slide: it depends on reactions, which depend on it. Solved at once,
// on the responses of the mechanism, whatever the formulation.
#pragma once

#include <span>
#include <vector>

#include "dynamics/response/row_response.h"

namespace pawl {

// The friction forces f of points that slide, where the loads are affine in them: l = first +
// slope f.
class SlidingForces {
public:
    SlidingForces(std::size_t points, std::size_t loads);

    std::vector<double> first, slope;  // per load; per load and point, row by row
    std::vector<double> force;         // per point: the first guess, then the result
    // False where no friction fits the sliding.
    bool solve(std::span<const FrictionPoint* const> points, std::span<const double> slips);
    [[nodiscard]] double margin() const { return margin_; }

private:
    bool eliminate();

    std::vector<double> loads_, matrix_, right_;
    double margin_ = 1;
};

// A force to find by its response how loads answer: of the size of what is there, so that the
// difference keeps its digits, and a power of two.
double probing_force(std::span<const double> loads, std::span<const double> multipliers);

class SlidingFriction {
public:
    explicit SlidingFriction(Equations& equations);

    // Position, inertia, velocity and forces are set and the rows factored: finds the friction and
    // adds it to the forces of the equations. False where no friction fits the sliding.
    bool solve(RowResponse& response, std::span<const double> v);
    // Per friction point of the equations; 0 where it sticks.
    [[nodiscard]] const std::vector<double>& force() const { return force_; }
    // The multipliers of all rows that belong to this friction, as of the last solve: where rows
    // depend on each other a formulation may share its own out in another way.
    void find_multipliers(std::span<double> lambda) const;
    // Positive while the friction is determined by the sliding; vanishes where it grows beyond all
    // bounds (Painleve). 1 without friction.
    [[nodiscard]] double margin() const { return forces_.margin(); }

private:
    void respond_to(std::span<double> x, std::span<double> lambda, RowResponse& response,
                    bool with_bias);
    void guess(std::span<const double> start);
    void find_slopes(RowResponse& response);

    Equations& equations_;
    std::vector<int> sliding_;  // friction points
    std::vector<const FrictionPoint*> laws_;
    SlidingForces forces_;
    std::vector<double> force_, slips_, unit_, x_, lambda_, x_unit_, lambda_unit_, loads_;
    std::vector<double> lambda_slope_;  // per sliding point and row
};

}  // namespace pawl
