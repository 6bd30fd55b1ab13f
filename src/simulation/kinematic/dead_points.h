// Finds the dead points that a kinematic run passes, where the determinant of the driven Jacobian
// vanishes, and the fold at which a branch ends.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "equations/mechanism_equations.h"
#include "results/event.h"
#include "results/trajectory.h"
#include "simulation/kinematic/driven_motion.h"

namespace pawl {

class DeadPointWatch {
public:
    explicit DeadPointWatch(std::vector<Event>& events) : events_(events) {}
    // The motion of other equations begins: nothing is known of the steps before.
    void adopt(MechanismEquations<PlanarSpace>& equations, DrivenMotion& motion);
    // Looks at a step and notes the dead points in it. False when it has jumped to another branch.
    bool step(const MotionNode& a, const MotionNode& b);
    // The step that began at the node is taken.
    void finish_step(const MotionNode& node) { before_ = node; }
    // Where the last step began that was taken with these equations.
    [[nodiscard]] const std::optional<MotionNode>& before() const { return before_; }
    // Where the branch would fold that comes to an end just beyond the node.
    [[nodiscard]] std::optional<double> fold(const MotionNode& node) const;
    // At the position in which the equations are, naming the coordinate that the drivers lose hold
    // of.
    [[nodiscard]] Event event(double t, const std::string& to);

private:
    double signed_determinant(const MotionNode& a, const MotionNode& b, double t, double reference);
    double locate_sign_change(MotionNode a, MotionNode b);
    double locate_minimum(MotionNode a, MotionNode m, MotionNode b);
    void report(double t);

    std::vector<Event>& events_;
    MechanismEquations<PlanarSpace>* equations_ = nullptr;
    DrivenMotion* motion_ = nullptr;
    std::optional<MotionNode> before_;  // the beginning of the last step
    std::vector<double> scratch_;
};

}  // namespace pawl
