// A run of the particles that stand for the bodies of a mechanism of pins (Attia 2004), in their
// own coordinates or in joint coordinates. From rest, or with the velocities of the model's start;
// no contacts, drivers or friction.
#pragma once

#include <string>
#include <vector>

#include "mechanism/run_settings.h"
#include "results/trajectory.h"
#include "simulation/placement/assembly.h"

namespace pawl {

enum class ParticleForm {
    particles,  // coordinates of the particles, distances as constraints (eq. 9)
    joints,     // joint coordinates of the tree, closed at the cut joints (eq. 17)
};

struct ParticleOptions {
    double end = 1, step = 0.01;  // s
    double rtol = 1e-9, atol = 1e-9;
    ParticleForm form = ParticleForm::joints;
    std::vector<std::string> cuts;  // joints to cut; loops that are left are cut by the tree
    Formulation dynamics = Formulation::multipliers;
};

struct ParticleResult {
    Trajectory trajectory;    // as of any run
    int coordinates = 0;      // differential equations of second order
    int rows = 0;             // constraints
    long evaluations = 0;     // of the equations of motion
    double energy_error = 0;  // J, largest change of the kinetic and stored energy
    std::string problem;      // why there is no motion, or none to the end; empty: none
    Span span;
    [[nodiscard]] int system() const { return coordinates + rows; }
};

ParticleResult run_particles(const PlacedMechanism& placed, const ParticleOptions& options);

}  // namespace pawl
