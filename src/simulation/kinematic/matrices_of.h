// The matrices of a driven motion at the position and velocity that its equations hold: Jacobian,
// -phi_t and gamma (Nikravesh 1988: Phi_q v = -Phi_t, Phi_q v' = gamma), and the influence matrix
// [K] of the joint and curvilinear coordinates by the independent ones (Wang 1996, eq. 2.2.4-24:
// q' = [K] f').
#pragma once

#include "equations/mechanism_equations.h"
#include "events/gap_watch.h"
#include "results/motion_matrices.h"
#include "simulation/kinematic/driven_motion.h"
#include "simulation/placement/assembly.h"

namespace pawl {

struct MatrixSources {
    const PlacedMechanism& placed;
    MechanismEquations<PlanarSpace>& equations;  // in position
    RowSystem& system;                           // of the rows that decide the motion
    GapWatch& watch;                             // of the open contacts
};
// The equations are left in the motion of the node.
MotionMatrices matrices_of(const MatrixSources& sources, const MotionNode& node);

}  // namespace pawl
