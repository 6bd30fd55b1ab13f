// The equations of a driven mechanism in force: its rows, the closed contacts, and the coordinates
// that stay at rest because nothing drives them. Knows which rows decide the motion, not its steps.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulation/kinematic/driven_motion.h"
#include "simulation/kinematic/driver_jumps.h"
#include "simulation/kinematic/kinematic_run.h"
#include "simulation/placement/contact_mode.h"

namespace pawl {

class DrivenSystem {
public:
    using Mechanics = MechanismEquations<PlanarSpace>;
    // Why the motion cannot start or go on.
    struct Trouble {
        KinematicStatus status;
        std::string message;
        Span span;
    };
    // `end`: of the run.
    DrivenSystem(const PlacedMechanism& placed, CoordinateKind coordinates, double end);

    // The rows that decide the motion at the start, at the position that the equations hold.
    void choose_rows();
    // The first instant: rates there, and drivers that contradict each other.
    [[nodiscard]] std::optional<Trouble> begin(MotionNode& node);
    // New equations for the closed contacts.
    void hold_contacts(ContactMode& mode, const MotionNode& node);
    // The motion with them.
    [[nodiscard]] std::optional<Trouble> solve(MotionNode& node);
    // A driver that jumps up to a time.
    [[nodiscard]] std::optional<Trouble> jump_until(double t) const;
    // A row that the others determine and contradict.
    [[nodiscard]] std::optional<Trouble> contradiction(const MotionNode& node) const;

    [[nodiscard]] std::unique_ptr<Mechanics> make(
        std::vector<RestCoordinate<PlanarSpace>> rests,
        std::vector<ContactPoint<PlanarSpace>> contacts) const;
    [[nodiscard]] Mechanics& equations() { return *equations_; }
    [[nodiscard]] DrivenMotion& motion() { return *motion_; }
    // The coordinates at rest now.
    [[nodiscard]] const std::vector<RestCoordinate<PlanarSpace>>& kept() const { return kept_; }

private:
    void keep_least_moved(const Mechanics& bare, ContactMode& mode, const MotionNode& node);

    const PlacedMechanism& placed_;
    CoordinateKind coordinates_;
    std::vector<RestCoordinate<PlanarSpace>> rests_, kept_;  // all that nothing drives; at rest now
    std::unique_ptr<Mechanics> equations_;
    std::unique_ptr<DrivenMotion> motion_;
    std::vector<int> dependent_;
    std::optional<DriverJump> jump_;  // the first
    bool starts_singular_ = false;
    bool is_complete_ = false;  // as many independent rows as coordinates
};

// No coordinate turns farther in one step than an angle in which two change points do not hide.
double longest_step(const MechanismEquations<PlanarSpace>& equations, const MotionNode& node);
// By the quintic of the last step, from the node `before`, where that was no shorter, so that one
// pass of Newton's method is left; otherwise by the motion at the node.
void predict(const std::optional<MotionNode>& before, const MotionNode& node, double t,
             std::vector<double>& q);
bool stays_on_branch(const MechanismEquations<PlanarSpace>& equations, const MotionNode& a,
                     const MotionNode& b);
// The determinant falls so fast that a singular position may be near.
inline bool is_falling(const MotionNode& a, const MotionNode& b) {
    return b.log_determinant < a.log_determinant - 5;
}

}  // namespace pawl
