// Pulling at a mechanism by hand: a point of a body follows a target as far as joints and contacts
// allow, without inertia, friction or drivers.
//
// Each small step solves min 1/2 dq^T W dq + 1/2 |p + J dq - target|^2 with G dq = -phi and gap +
// N dq >= 0 (W a small share of the metric of the bodies' extents, so that what nothing pulls at
// stays). It is strictly convex, so it has one solution wherever the rows have one; contacts are
// those within twice a step, and no point moves farther than a step.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulation/placement/assembly.h"

namespace pawl {

class Pull {
public:
    explicit Pull(const PlacedMechanism& placed);
    ~Pull();

    struct Outcome {
        double distance = 0;     // that is left to the target, m
        std::string blocking;    // the contact that presses most while the target is out of reach
        std::string holding;     // without one, the joint of the body that holds it most
        bool is_dead = false;    // out of reach, and no motion of the mechanism moves the point
        bool is_jammed = false;  // contacts hold the point: it cannot move in any direction
        // Joints whose rows say nothing new in this position, or nearly nothing.
        std::vector<std::string> redundant;
    };
    // `local` in the axes of the body, `target` in those of ground.
    Outcome to(int body, PlanarSpace::Vector local, PlanarSpace::Vector target);

    [[nodiscard]] const std::vector<PlanarSpace::Position>& positions() const { return positions_; }

private:
    struct Contact;
    struct Problem;
    [[nodiscard]] std::vector<Contact> near_contacts() const;
    [[nodiscard]] Problem problem_of(int body, PlanarSpace::Vector local);
    void take_step(int body, PlanarSpace::Vector local, PlanarSpace::Vector target, double radius,
                   Outcome& out);
    [[nodiscard]] std::string holding_joint(int body, const Eigen::VectorXd& multipliers) const;
    [[nodiscard]] double reach(int body, PlanarSpace::Vector local) const;
    [[nodiscard]] bool is_jammed(int body, PlanarSpace::Vector local);
    [[nodiscard]] std::vector<std::string> redundant_joints();
    void move_by(const Eigen::VectorXd& change, double radius);

    PlanarMechanism mechanism_;  // without drivers
    Topology topology_;
    std::vector<PlanarSpace::Position> positions_;
    std::unique_ptr<MechanismEquations<PlanarSpace>> equations_;
    std::vector<double> extents_;     // of the bodies about their origins, m
    std::vector<double> best_reach_;  // of the bodies so far
    Eigen::VectorXd most_news_;       // of the rows so far: what each adds to the others
    std::vector<std::unique_ptr<class ContactSearch>> searches_;  // per pair; none without profiles
    double size_ = 1, step_ = 0;                                  // m
};

}  // namespace pawl
