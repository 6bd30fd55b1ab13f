// Turns the motion of the bodies at an instant into a row of the trajectory: poses, velocities and
// accelerations of the bodies, then the measures.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "coordinates/measures.h"
#include "results/trajectory.h"

namespace pawl {

class Sampler {
public:
    Sampler(const PlanarMechanism& mechanism, Trajectory& trajectory);
    // The coordinates hold the position already; `extra` follows in the columns that the caller has
    // added.
    void take(Coordinates<PlanarSpace>& coordinates, double t, std::span<const double> v,
              std::span<const double> a, std::span<const double> extra = {});

    // Of a run that fails before its first row: where it stands and, if they are known, the
    // velocities; all else is not a number.
    void take_start(Coordinates<PlanarSpace>& coordinates, double t, std::span<const double> v);

private:
    const PlanarMechanism& mechanism_;
    Trajectory& trajectory_;
    std::vector<double> row_;
    std::vector<TimeJet<double>> channels_;
};

// A warning for each measure that has no finite value, rate or acceleration at some sample.
void warn_of_measures(const PlanarMechanism& mechanism, const Trajectory& trajectory,
                      std::vector<std::string>& warnings);

}  // namespace pawl
