// A rigid body as a few particles with the same inertia. Knows bodies, no coordinates.
#pragma once

#include <span>
#include <vector>

#include "mechanism/mechanism.h"

namespace pawl {

// A body as particles fixed in it with the same mass, centre and moment of inertia (Attia 2004).
template <class S>
struct EquivalentParticles {
    struct Particle {
        double mass;
        typename S::Vector at;  // body coordinates
    };
    std::vector<Particle> particles;
};

// Three particles: one on each of the first two points, the third where mass, centre and inertia
// then put it; a body with its points and centre in line is a rod (ends and the middle).
template <class S>
EquivalentParticles<S> equivalent_particles(const Body<S>& body,
                                            std::span<const typename S::Vector> points);

// The points of the joints on a body, each once.
template <class S>
std::vector<typename S::Vector> joint_points(const Mechanism<S>& mechanism, int body);

}  // namespace pawl
