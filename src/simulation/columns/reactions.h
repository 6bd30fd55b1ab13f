// Reactions in all joints and the forces of all drivers from the balance of every body: what its
// motion asks for minus what the forces give is what the joints must supply. The same whatever the
// coordinates of the run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "equations/mechanism_equations.h"
#include "math/linear/envelope_ldlt.h"
#include "math/memory.h"
#include "results/trajectory.h"
#include "simulation/placement/assembly.h"

namespace pawl {

// What a joint does to its body b at the origin of the joint's frame b, in ground axes.
struct JointReaction {
    PlanarSpace::Wrench on_b;
    // Prismatic: where along the axis the resultant acts, from the point of body b; 0 where there
    // is none.
    double offset = 0;
};

class Reactions {
public:
    using Choice = MechanismEquations<PlanarSpace>::Choice;
    // Resting coordinates and closed contacts of the choice share in the balance, and so does the
    // friction of its points, with the slip as the motion has it; its coordinates do not matter.
    Reactions(const PlacedMechanism& placed, Choice choice);
    // For runs that count the forces of the contacts among those applied.
    static Choice without_contacts() {
        Choice choice;
        choice.permanent = false;
        return choice;
    }

    // Motion of the bodies as the coordinates hold it (position, velocity, acceleration), and the
    // applied wrenches; `scale` (N) is the largest single force where the applied ones are sums.
    void solve(const Coordinates<PlanarSpace>& motion, const TreeInertia<PlanarSpace>& inertia,
               const std::vector<PlanarSpace::Wrench>& applied, double t, double scale = 0);
    // The same for a motion that is held in its position, after solve: friction keeps its
    // direction.
    void solve_held(const Coordinates<PlanarSpace>& motion, const TreeInertia<PlanarSpace>& inertia,
                    const std::vector<PlanarSpace::Wrench>& applied, double t);

    [[nodiscard]] const std::vector<JointReaction>& joints() const { return joints_; }
    // The contacts that share in the balance, for those who know on which elements they are.
    [[nodiscard]] std::vector<ContactPoint<PlanarSpace>>& contacts() {
        return equations_.contacts();
    }
    [[nodiscard]] double contact_force(std::size_t contact) const {
        return lambda_[static_cast<std::size_t>(equations_.contact_row(contact))];
    }
    // Friction of each point of the choice, in N or N m, and its power; nothing at rest.
    [[nodiscard]] const std::vector<double>& friction() const { return friction_.forces; }
    [[nodiscard]] double friction_power() const { return friction_.power; }
    [[nodiscard]] const std::vector<FrictionPoint>& friction_points() const {
        return friction_.points;
    }
    // No finite reactions fit the motion against its friction: it locks itself.
    [[nodiscard]] bool locked() const { return friction_.locked; }
    // Generalized force along each driven coordinate (N or N m), then along each resting one.
    [[nodiscard]] const std::vector<double>& drivers() const { return drivers_; }
    // Largest force that the joints cannot supply, over the largest force in the balance: zero for
    // a true motion.
    [[nodiscard]] double imbalance() const { return imbalance_; }
    // Joints whose reactions are not determined by statics; the smallest in the sense of least
    // squares are given.
    [[nodiscard]] const std::vector<std::string>& indeterminate() const { return indeterminate_; }

    // What the first call has found out.
    void remember(Memory& memory) { memory(indeterminate_, redundant_, checked_); }

private:
    void solve_rows(const std::vector<double>& wanted);
    void factor_rows();  // G D^-2 G^T
    // Finds out, once, whether the balance determines the reactions.
    void check_rank();
    void find_indeterminate(const RowRank& rank);
    // What each body needs beside the applied forces; the largest force of its balance, not less
    // than `largest`.
    double find_wanted(const Coordinates<PlanarSpace>& motion,
                       const TreeInertia<PlanarSpace>& inertia,
                       const std::vector<PlanarSpace::Wrench>& applied, double largest);
    [[nodiscard]] double largest_unsupplied();
    // The multipliers as forces of joints and drivers; those up to `rounding` (N) are left out.
    void resolve(double rounding);
    // Which rows take part in what one that depends on the others leaves open.
    void note_partners(int dependent, std::vector<char>& open);
    // Takes the friction of the points into what is wanted of the rows.
    void add_friction(const Coordinates<PlanarSpace>& motion, std::vector<double>& wanted);

    const PlanarMechanism& mechanism_;
    MechanismEquations<PlanarSpace> equations_;
    EnvelopeLdlt ldlt_;
    std::vector<RowProduct> products_;
    std::vector<double> weight_;  // per column: D^-2
    std::vector<double> lambda_, wanted_, left_, step_;
    std::vector<PlanarSpace::Position> positions_;
    struct Friction {
        std::vector<FrictionPoint> points;
        std::vector<double> forces;
        double power = 0;
        bool locked = false;
    } friction_;
    std::vector<JointReaction> joints_;
    std::vector<double> drivers_;
    std::vector<std::string> indeterminate_;
    bool redundant_ = false, checked_ = false;
    bool held_ = false;   // solve_held is at work
    bool large_ = false;  // too large for dense decompositions
    double imbalance_ = 0;
};

std::string indeterminate_warning(const Reactions& reactions);

// Columns of the trajectory for reactions, and their values: per joint the force and moment on its
// body b in ground axes and the force in the axes of body b; per driver its force.
void add_reaction_columns(const PlanarMechanism& mechanism, std::vector<Column>& columns);
// Whether the force of an element along its coordinate is a torque.
bool is_torque(const Force<PlanarSpace>& force);
// Per force element but weights and impulses its size along its coordinate: positive drives apart,
// or turns counter-clockwise.
void add_force_columns(const PlanarMechanism& mechanism, std::vector<Column>& columns);
void append_forces(const PlanarMechanism& mechanism, const AppliedForces<PlanarSpace>& forces,
                   std::vector<double>& row);
// Friction of each joint that has any, its power and the efficiency.
void add_friction_columns(const PlanarMechanism& mechanism, std::vector<Column>& columns);
void append_reactions(const PlanarMechanism& mechanism, const Coordinates<PlanarSpace>& motion,
                      const Reactions& reactions, std::vector<double>& row);

}  // namespace pawl
