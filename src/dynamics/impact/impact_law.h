// The collision of one contact point with Coulomb friction and a rolling moment: impulses and
// velocities from the response of the point to impulses. Pure mathematics; knows no bodies.
//
// Vectors have three components, see `ImpactRow`. The response A is symmetric and positive
// semidefinite: an impulse P changes the velocities by A P. A row of zeros does not yield.
#pragma once

#include <functional>
#include <vector>

#include <Eigen/Dense>

#include "mechanism/contact/friction.h"

namespace pawl {

// Velocity of the gap, slip velocity, relative spin; impulses along them.
enum ImpactRow { normal_row, tangent_row, rolling_row };

struct ImpactLaw {
    RestitutionLaw restitution_law = RestitutionLaw::newton;
    FrictionRule friction_rule = FrictionRule::routh;
    RollingRule rolling_rule = RollingRule::follows;
    double restitution = 0;  // e
    // Instead, e over the speed of approach at which a blow begins; of a contact that does not
    // approach, that at no speed.
    std::function<double(double approach)> restitution_at;
    double friction = 0;                // mu, while it slips
    double static_friction = 0;         // mu_s, up to which it sticks; not below mu
    double rolling = 0;                 // s, a length: |rolling impulse| <= s times the normal one
    double tangential_restitution = 0;  // e_t: what sticks at last gets slip -e_t v_t-, as far as
                                        // friction and the work it has taken allow
};

// With the restitution of a blow that begins with this velocity of the gap.
ImpactLaw settled(ImpactLaw law, double normal_velocity);

// A part of the impact in which slip and spin keep their directions.
struct ImpactPhase {
    double from = 0;         // normal impulse at which it begins
    int slip = 0, spin = 0;  // sign; 0: it sticks, it does not turn. With RollingRule::before the
                             // spin before
};

enum class ImpactOutcome {
    solved,
    none,     // no approach, and no compression by slip: no impulse
    wedged,   // v_n >= 0 reached, but then no normal impulse raises it further: impact ended there
    jam,      // v_n < 0 and no normal impulse raises it
    unended,  // more phases or impacts than the limit: A is not positive semidefinite, or several
              // contacts strike each other again and again
    refused,  // several contacts at once under Stronge's law or under different laws
};

struct ImpactResult {
    ImpactOutcome outcome = ImpactOutcome::none;
    Eigen::Vector3d impulse{0, 0, 0};
    Eigen::Vector3d velocity{0, 0, 0};  // after
    // Of each impulse: its integral with its velocity along the path; with the separation rule,
    // which has no path, along the straight one.
    Eigen::Vector3d work{0, 0, 0};
    double compression_impulse = 0;   // normal impulse when the approach has ended
    std::vector<ImpactPhase> phases;  // with the separation rule one: as after the impact

    // Of the kinetic energy.
    [[nodiscard]] double energy_change() const { return work.sum(); }
    // Slip that turned round: the first phase with the sign opposite to an earlier one.
    [[nodiscard]] const ImpactPhase* reversal(ImpactRow row) const;
};

// `none` unless velocity[normal_row] < 0.
ImpactResult solve_impact(const Eigen::Matrix3d& response, const Eigen::Vector3d& velocity,
                          const ImpactLaw& law);

// Its part for FrictionRule::separation. `jam`: no direction of slip and spin agrees with itself.
ImpactResult separation_impact(const Eigen::Matrix3d& response, const Eigen::Vector3d& velocity,
                               const ImpactLaw& law);

// Rows and columns whose own response is not positive are zero.
Eigen::Matrix3d without_dead_rows(Eigen::Matrix3d response);

// Whether sliding as it does now draws the contact together, however large the normal force: the
// gap's velocity falls with the normal impulse. Then there may be no force that keeps the contact
// closed (Painleve).
bool is_self_locking(const Eigen::Matrix3d& response, const Eigen::Vector3d& velocity,
                     const ImpactLaw& law);

// The impact without collision that resolves it: from v_n = 0 the impulse grows until the slip has
// stopped and the approach it made has ended. `none` when the sliding does not draw it in.
ImpactResult tangential_impact(const Eigen::Matrix3d& response, const Eigen::Vector3d& velocity,
                               const ImpactLaw& law);

}  // namespace pawl
