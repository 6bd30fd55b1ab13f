// Small vibrations about an equilibrium: M x'' + C x' + K x = 0 on the free directions, natural
// frequencies, damping and the motion of every body. Drivers are held, the user's states too.
#pragma once

#include <complex>
#include <string_view>
#include <vector>

#include "simulation/equilibrium/equilibrium_search.h"

namespace pawl {

enum class ModeKind {
    oscillating,  // a pair of complex eigenvalues s; damping ratio below zero: the vibration grows
                  // (flutter)
    decaying,     // real s < 0: creeps back without overshoot
    growing,      // real s > 0: leaves an unstable equilibrium
    neutral,      // s = 0: nothing brings it back
};
std::string_view mode_kind_name(ModeKind kind);

struct VibrationMode {
    struct Displacement {
        std::complex<double> x, y;   // m, of the origin of the body
        std::complex<double> angle;  // rad
    };
    ModeKind kind = ModeKind::oscillating;
    std::complex<double> eigenvalue;  // s of exp(s t), 1/s, imaginary part not negative
    double frequency = 0;             // Hz, natural: |s|/(2 pi); 0 unless it oscillates
    double damping_ratio = 0;         // -Re s/|s|
    // Per body; the largest translation of an origin, centre of mass or named point is 1 m, with
    // phase zero in its larger component. A mode that only turns bodies about them has the largest
    // angle 1 rad.
    std::vector<Displacement> shape;
};

struct Vibration {
    std::vector<VibrationMode> modes;  // ascending |s|
    bool damped = false;
    int without_inertia = 0;  // motions that follow the others at once, without an eigenvalue
    std::string problem;      // why there are none
};

// Whether a mode grows by more than rounding.
[[nodiscard]] bool grows(const Vibration& vibration);

// At the equilibrium where the balance is set.
Vibration analyse_vibration(EquilibriumSystem& balance, const PlanarMechanism& mechanism);

}  // namespace pawl
