// What the runs share about closed contacts: their events, their numbers, and their forces on the
// bodies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact/contact_point.h"
#include "equations/mechanism_equations.h"
#include "simulation/trajectory.h"

namespace pawl {

// An event of a contact, with what it was on and what it is on.
Event contact_event(const PlanarMechanism& mechanism, EventKind kind, double t,
                    const ContactPoint<PlanarSpace>& point, std::string from, std::string to,
                    std::string detail);

// Two profiles that lie in each other at the start, as the user is told.
struct StartOverlap {
    std::string message;
    Span span;
};
std::optional<StartOverlap> overlap_at_start(const PlanarMechanism& mechanism,
                                             const Coordinates<PlanarSpace>& coordinates,
                                             const std::vector<int>& pairs, double model_size);

// The point with the least number that no closed contact of its pair has.
ContactPoint<PlanarSpace> numbered(ContactPoint<PlanarSpace> point,
                                   const std::vector<ContactPoint<PlanarSpace>>& closed);

// The places of friction of all joints and of these contacts (as numbered in the equations), all
// sticking. Compliant contacts have their friction among their forces.
std::vector<FrictionMode> friction_places(const PlanarMechanism& mechanism,
                                          const std::vector<ContactPoint<PlanarSpace>>& contacts);

// Adds the normal force of a contact to the wrenches on its two bodies, at their origins.
void add_contact_force(const PlanarMechanism& mechanism,
                       const Coordinates<PlanarSpace>& coordinates,
                       const ContactPoint<PlanarSpace>& point, double force,
                       std::vector<PlanarSpace::Wrench>& on_bodies);

}  // namespace pawl
