// What a kinematic run writes down: rows of the trajectory with reactions, friction and contacts,
// and influence coefficients.
#pragma once

#include <optional>
#include <vector>

#include "simulation/columns/contact_columns.h"
#include "simulation/columns/influence.h"
#include "simulation/columns/reactions.h"
#include "simulation/columns/sampler.h"
#include "simulation/kinematic/driven_motion.h"
#include "simulation/kinematic/kinematic_run.h"
#include "simulation/placement/contact_mode.h"

namespace pawl {

// The times of the rows after the first: every step, the end, and where the matrices are asked for.
std::vector<double> output_times(const KinematicOptions& options);

class KinematicRecord {
public:
    using Mechanics = MechanismEquations<PlanarSpace>;
    KinematicRecord(const PlacedMechanism& placed, const KinematicOptions& options,
                    ContactMode& mode, KinematicResult& result);

    // The equations in force, with these coordinates kept at rest.
    void adopt(Mechanics& equations, DrivenMotion& motion,
               const std::vector<RestCoordinate<PlanarSpace>>& kept);
    // A row at a solved node, in whose position the equations are.
    void sample(const MotionNode& node, double condition = 1);
    // The only row of a run that fails at its start, where the equations are.
    void sample_start(Mechanics& equations);
    void close();

private:
    void append_friction(double t, std::vector<double>& row);
    // Forces at a closed contact: those of the balance, or unknown without one.
    [[nodiscard]] ContactColumns::PointForces forces_of(std::size_t contact) const;
    void add_static_parts(const MotionNode& node, std::vector<ContactColumns::PointForces>& forces);
    void judge_contacts(double t);

    const PlacedMechanism& placed_;
    const KinematicOptions& options_;
    ContactMode& mode_;
    KinematicResult& result_;
    ContactColumns columns_;
    Sampler sampler_;
    Mechanics* equations_ = nullptr;
    DrivenMotion* motion_ = nullptr;
    std::optional<Influence> influence_;
    std::optional<Reactions> reactions_;
    std::vector<FrictionMode> friction_points_;  // of friction, as the reactions number them
    bool locked_ = false, has_friction_ = false;
    std::vector<double> extra_;   // what a row has beside the motion
    std::vector<double> states_;  // of the user, at their start values, and room for the ledger
};

}  // namespace pawl
