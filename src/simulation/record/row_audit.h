// What the rows of a dynamic run show of its constraints and contacts: residuals, pulling or
// penetrating contacts, friction beyond its law. Knows the forces of a row, not how they were
// found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "math/memory.h"
#include "results/audit.h"
#include "simulation/event_cycle/contact_cycle.h"

namespace pawl {

// Residuals of position and velocity.
class ConstraintAudit {
public:
    void see(const MechanismEquations<PlanarSpace>& equations, const State& state);
    void add_checks(Audit& audit, double size) const;
    [[nodiscard]] double largest_speed() const { return largest_speed_; }
    void remember(Memory& memory);

private:
    Worst position_, velocity_;
    double largest_speed_ = 0;
};

// Contacts and friction.
class ContactAudit {
public:
    using Space = PlanarSpace;
    explicit ContactAudit(const PlanarMechanism& mechanism);

    // A closed contact without compliance, with its normal force.
    void see_rigid(const ContactPoint<Space>& point, double force, double t);
    // A compliant one that is pressed in.
    void see_compliant(const ContactPoint<Space>& point);
    void see_penetration(double depth, double t, std::string_view who = {}) {
        penetration_.see(depth, t, who);
    }
    // Friction within its limit, at it where it slides, and never in the direction of the slip.
    void see_friction(const MechanismEquations<Space>& equations,
                      const ContactCycle::Forces& forces, const State& state);

    [[nodiscard]] double largest_force() const { return largest_force_; }
    void check_penetration(Audit& audit, double size) const;
    void check_forces(Audit& audit, double size) const;
    void check_friction(Audit& audit, double largest_speed, double size) const;
    // Bodies that are pressed into each other by a good part of their size may pass through.
    [[nodiscard]] std::vector<std::string> warnings(const GapWatch& watch) const;
    void remember(Memory& memory);

private:
    const PlanarMechanism& mechanism_;
    Worst pull_, penetration_, cone_, gain_, complementarity_;
    double largest_force_ = 0, largest_friction_ = 0;
    std::vector<double> deepest_;  // per pair: how deep a compliant contact was pressed in
};

}  // namespace pawl
