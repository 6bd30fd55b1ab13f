// The kinematic run: driven motion from t = 0 to the end, at every output time position, velocity
// and acceleration exact to rounding, on one branch; dead points located in time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/audit.h"
#include "results/event.h"
#include "results/motion_matrices.h"
#include "results/trajectory.h"
#include "simulation/placement/assembly.h"

namespace pawl {

struct KinematicOptions {
    double end = 1, step = 0.01;  // s
    CoordinateKind coordinates = CoordinateKind::relative;
    bool influence = false;             // also influence coefficients
    std::optional<double> matrices_at;  // s: also the matrices of the motion at this time
    bool reactions = false;             // inverse dynamics: forces of the drivers and all reactions
    std::function<void(double share)> progress;  // called now and then with the share done
};

enum class KinematicStatus {
    completed,
    dead_point,     // a driver asks for what the mechanism cannot do: the determinant goes to zero
                    // like sqrt(t* - t)
    stuck,          // steps fell below 1e-10 of the output step without such a reason, or a driver
                    // jumps
    drivers_fight,  // dependent drivers with contradicting speeds: |G v - nu| > 1e-9 size/s on a
                    // dependent row
    indeterminate,  // inverse: friction in joints whose reactions the balance leaves open
    overlap,        // profiles overlap at the start
};

struct KinematicStatistics {
    std::size_t samples = 0;
    long steps = 0, halved = 0, newton_iterations = 0;
    double largest_residual = 0;   // m
    double largest_condition = 1;  // of the driven Jacobian at the samples
    double largest_imbalance =
        0;  // of the reactions: what the joints cannot supply over the largest force
    // Of rigid contacts: how deep profiles lie in each other (m); with reactions, what a contact
    // that may open pulls with and what its friction exceeds the model's by (N), and the largest
    // force of a contact.
    Worst penetration, pull, cone;
    double largest_contact_force = 0;
};

struct KinematicResult {
    KinematicStatus status = KinematicStatus::completed;
    Trajectory trajectory;
    Trajectory influence;
    std::optional<MotionMatrices> matrices;  // where asked for and the motion gets there
    std::vector<Event> events;
    KinematicStatistics statistics;
    std::vector<std::string> at_rest;  // coordinates that nothing drives
    std::vector<std::string> warnings;
    std::string message;  // why it did not complete
    Span span;            // the driver
};

KinematicResult run_kinematics(const PlacedMechanism& placed, const KinematicOptions& options);

}  // namespace pawl
