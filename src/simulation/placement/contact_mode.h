// What the runs share about closed contacts: their events, their numbers, and their forces on the
// bodies; and the mode of a run that has no impacts (kinematic, static): which contacts are closed,
// and where on which elements.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "contact/contact_point.h"
#include "equations/mechanism_equations.h"
#include "events/contact_guards.h"
#include "events/gap_watch.h"
#include "results/event.h"
#include "results/trajectory.h"
#include "simulation/placement/contact_states.h"
#include "simulation/placement/start_contacts.h"

namespace pawl {

// An event of a contact, with what it was on and what it is on.
Event contact_event(const PlanarMechanism& mechanism, EventKind kind, double t,
                    const ContactPoint<PlanarSpace>& point, std::string from, std::string to,
                    std::vector<EventFact> facts);

std::vector<std::string> driver_names(const PlanarMechanism& mechanism);
// "driver 'm'" or "drivers 'm', 'n'".
std::string drivers_text(const PlanarMechanism& mechanism);

// The point with the least number that no closed contact of its pair has.
ContactPoint<PlanarSpace> numbered(ContactPoint<PlanarSpace> point,
                                   const std::vector<ContactPoint<PlanarSpace>>& closed);

// The friction points of all joints and of these contacts (as numbered in the equations), all
// sticking. Compliant contacts have their friction among their forces.
std::vector<FrictionMode> friction_points(const PlanarMechanism& mechanism,
                                          const std::vector<ContactPoint<PlanarSpace>>& contacts);

// Adds the normal force of a contact to the wrenches on its two bodies, at their origins.
void add_contact_force(const PlanarMechanism& mechanism,
                       const Coordinates<PlanarSpace>& coordinates,
                       const ContactPoint<PlanarSpace>& point, double force,
                       std::vector<PlanarSpace::Wrench>& on_bodies);

// Changes are noted as events. Knows no time steps and no forces: when something changes is up to
// the run.
class ContactMode {
public:
    using Point = ContactPoint<PlanarSpace>;
    using Mechanics = MechanismEquations<PlanarSpace>;
    ContactMode(const PlacedMechanism& placed, std::vector<Event>& events);

    // The way out where a permanent contact cannot be kept.
    static constexpr const char* set_free =
        "; remove `permanent`, so that the contact may open or move to another point";

    [[nodiscard]] bool empty() const { return watch_.empty() && permanent_.empty(); }
    [[nodiscard]] GapWatch& watch() { return watch_; }
    [[nodiscard]] const GapWatch& watch() const { return watch_; }
    [[nodiscard]] const std::vector<Point>& closed() const { return closed_; }  // not permanent
    [[nodiscard]] std::size_t permanent() const { return permanent_.size(); }

    // Sets where the permanent contacts are in equations of these contacts, and reads where all
    // are.
    void apply_to(Mechanics& equations) const;
    void follow(Mechanics& equations);

    [[nodiscard]] std::optional<ContactTrouble> overlap(const Coordinates<PlanarSpace>& c) const;
    // Places that touch at the start, one of each pair.
    void close_touching(const Coordinates<PlanarSpace>& coordinates);
    void close(double t, const Point& met);
    void open(double t, std::size_t index, EventKind kind, std::vector<EventFact> why);
    void drop(std::size_t index);  // without a word
    void note(EventKind kind, double t, const Point& point, std::string from, std::string to,
              std::vector<EventFact> facts);
    // A contact of the equations goes on to the next element, or is lost where nothing beyond
    // touches. The message and its location when it must not be lost.
    std::optional<ContactTrouble> pass_end(Mechanics& equations, double t, const EndPassed& passed);
    struct Change {
        std::optional<GapWatch::Hit> hit;
        std::optional<EndPassed> passed;
    };
    // The first change of contact between two times: an open gap closes, else a closed one comes
    // to the end of an element. `set` brings the equations into position and velocity at a time.
    // The coordinates between the times are polynomials, or known by their points.
    [[nodiscard]] Change first_change(Mechanics& equations, double t_low, double t_high,
                                      const std::function<void(double t)>& set,
                                      const PolynomialPath& path);
    [[nodiscard]] Change first_change(Mechanics& equations, double t_low, double t_high,
                                      const std::function<void(double t)>& set,
                                      const GapWatch::Points& points);
    // The row of the contact that closed last, where it is a sum of the others: how much of each
    // contact closed before is in it. The contact cannot be held with all of them; those with a
    // positive part open when it takes over, the others would be pressed in.
    [[nodiscard]] std::optional<std::vector<double>> parts_of_last(
        const Mechanics& equations) const;
    // Why another one opens then.
    [[nodiscard]] fact::TakenOver takes_over() const;
    // What the contacts that are closed now leave free, for the last event.
    void note_state(const Coordinates<PlanarSpace>& coordinates) {
        states_.note(events_, coordinates, permanent_, closed_);
    }

private:
    using FirstHit = std::function<std::optional<GapWatch::Hit>(
        double end, const std::function<Coordinates<PlanarSpace>&(double t)>& motion)>;
    [[nodiscard]] Change first_change(Mechanics& equations, double t_low, double t_high,
                                      const std::function<void(double t)>& set,
                                      const FirstHit& first_hit);

    const PlanarMechanism& mechanism_;
    std::vector<Event>& events_;
    double size_, touching_;
    GapWatch watch_;
    EndWatch ends_;
    ContactStates states_;
    std::vector<Point> permanent_, closed_;
};

}  // namespace pawl
