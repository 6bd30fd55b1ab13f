// A mechanism of pins as a system of particles (Attia 2004, sections 2, 3 and 5): three for each
// body, with its mass, centre of mass and moment of inertia, those at a pin shared by the bodies
// that meet there. The middle particle of a rod follows its ends and is no unknown. Knows masses
// and forces, no equations of motion.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "coordinates/equivalent_particles.h"
#include "mechanism/topology.h"

namespace pawl {

class ParticleSystem {
public:
    using Space = PlanarSpace;
    using Vector = Space::Vector;
    struct Particle {
        std::string name;  // of the pin, or "plate 3"
        Attachment<Space> at;
        double mass = 0;  // of all bodies that share it, without the middles of rods
        int column = -1;  // of x; y follows. -1: on ground
    };
    // A particle of a body: its mass, and the particles that it is, or lies between.
    struct Share {
        double mass = 0;
        std::vector<std::pair<int, double>> of;  // particle and part
    };
    struct BodyParticles {
        int body = 0;
        bool rod = false;
        std::vector<int> corners;   // two of a rod, three of any other body
        std::vector<int> others;    // more pins on it, without mass of its own
        std::vector<Share> shares;  // in the order of the source's table 2
    };
    // Why a mechanism cannot be put this way: only pins, forces and masses can.
    struct Refusal {
        std::string message;
        Span span;
    };
    static constexpr int max_bodies = 300;  // dense matrices
    static std::optional<Refusal> refusal(const PlanarMechanism& mechanism);
    // The graph with the tree that avoids these joints where it can: its chords are the cut joints.
    static Topology cut_at(const PlanarMechanism& mechanism, const std::vector<std::string>& cuts);

    // A mechanism that is not refused, cut at the chords of the graph.
    ParticleSystem(const PlanarMechanism& mechanism, const Topology& topology);

    [[nodiscard]] const std::vector<Particle>& particles() const { return particles_; }
    [[nodiscard]] const std::vector<BodyParticles>& bodies() const { return bodies_; }
    // The pairs of particles that are one pin, cut apart.
    struct Cut {
        int joint = 0, a = 0, b = 0;
    };
    [[nodiscard]] const std::vector<Cut>& cuts() const { return cuts_; }
    [[nodiscard]] int size() const { return size_; }
    // Where a particle is on a body, in its axes.
    [[nodiscard]] Vector local(int body, int particle) const;
    // Constant; rods couple their ends by a quarter of their middle (after eq. 7).
    [[nodiscard]] const Eigen::MatrixXd& mass_matrix() const { return mass_; }
    // Wrenches on the bodies, at their origins, over the particles: eqs. 2 and 3 for the force, a
    // pair of forces for the couple. `where` has the positions of the bodies.
    void distribute(const std::vector<Space::Wrench>& on_bodies,
                    const std::vector<Space::Position>& where, Eigen::VectorXd& force) const;

private:
    [[nodiscard]] int add_particle(const std::string& name, int body, Vector local);
    void add_pins(const PlanarMechanism& mechanism, const Topology& topology);
    void choose_corners(const Body<Space>& b, int body);
    void add_body(const PlanarMechanism& mechanism, int body);
    void assemble_mass();

    std::vector<Particle> particles_;
    std::vector<std::vector<int>> pins_;  // per body: its particles at pins, in the order of joints
    std::vector<BodyParticles> bodies_;
    std::vector<Cut> cuts_;
    std::vector<std::vector<std::pair<int, Vector>>>
        local_;  // per body: its particles, in its axes
    int size_ = 0;
    Eigen::MatrixXd mass_;
};

}  // namespace pawl
