// Influence coefficients of first and second order: how the motion of every body and measure
// depends on the driven (and resting) coordinates f:  x' = K f',  x'' = K f'' + f'^T L f'.
#pragma once

#include "equations/mechanism_equations.h"
#include "results/trajectory.h"

namespace pawl {

class Influence {
public:
    using Mechanics = MechanismEquations<PlanarSpace>;
    // The inputs are the driven and resting coordinates of these equations.
    Influence(const PlanarMechanism& mechanism, const Mechanics& equations, Trajectory& table);
    // The equations in force. An input that they do not have is moved by a contact: it depends on
    // the others, and its cells have no value.
    void adopt(Mechanics& equations, RowSystem& system);
    // The equations hold the position and the system its factors.
    void take(double t);

private:
    struct Input {
        std::string name;
        int row = -1;
        double scale = 1;  // of the row: one unit of the coordinate is this many metres of phi
    };
    // Second derivatives of all outputs along the direction v of unit inputs.
    void curvature(std::span<const double> v, std::vector<double>& out);
    void outputs(std::vector<double>& first, std::vector<double>& second) const;

    const PlanarMechanism& mechanism_;
    Mechanics* equations_ = nullptr;
    RowSystem* system_ = nullptr;
    Trajectory& table_;
    std::vector<Input> inputs_;
};

}  // namespace pawl
