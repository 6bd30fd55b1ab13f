// The event cycle of the contacts in a dynamic run: the mode in force and its system, what ends the
// flow (two profiles meet, a contact passes the end of an element, a contact separates, friction
// changes), and the transition to the next mode.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/event.h"
#include "simulation/event_cycle/contact_forces.h"
#include "simulation/event_cycle/transition.h"
#include "simulation/placement/contact_states.h"

namespace pawl {

class ContactCycle {
public:
    using Space = PlanarSpace;
    using Point = ContactPoint<Space>;
    using Outcome = Transition::Outcome;
    using Forces = ContactForces::Forces;
    // State at a time inside the last step.
    using StateAt = std::function<const State&(double t)>;
    // The coordinates over the step.
    using PathOf = std::function<const PolynomialPath&()>;

    ContactCycle(const PlacedMechanism& placed, DynamicSystems& systems,
                 ContactProblem::Impacts impacts, std::vector<Event>& events);
    ContactCycle(const ContactCycle&) = delete;  // parts refer to each other
    ContactCycle& operator=(const ContactCycle&) = delete;

    [[nodiscard]] bool empty() const { return world_.is_empty(); }
    // With the points where they were at the last event.
    [[nodiscard]] const Mode& mode() const { return mode_; }
    [[nodiscard]] const std::vector<Point>& closed() const { return mode_.closed; }
    [[nodiscard]] bool presses() const {  // a compliant contact is closed
        return std::any_of(mode_.closed.begin(), mode_.closed.end(),
                           [](const Point& point) { return point.compliant; });
    }
    // Normal forces of the closed contacts at a state; then where they are and how they slip.
    [[nodiscard]] const std::vector<double>& normal_forces(const State& state) {
        return forces_.normal(state, false);
    }
    [[nodiscard]] const Point& point(std::size_t closed) {
        return system_->equations->contacts()[mode_.permanent.size() + closed];
    }
    [[nodiscard]] bool found_solver() const { return system_ != nullptr; }
    // The system of the contacts that are closed now.
    [[nodiscard]] DynamicSystem& system() { return *system_; }
    [[nodiscard]] GapWatch& watch() { return world_.watch; }
    // Forces at a state, with the accelerations of the solver in force.
    const Forces& forces_with_motion(const State& state) { return forces_.with_motion(state); }
    // Whether the motion depends on how forces are shared: as at the begin of each step.
    [[nodiscard]] bool is_loose() const { return !system_->dynamics->response().start().empty(); }

    // The mode of another run, to look at states in it.
    void adopt(const Mode& mode);
    // What would follow from an occurrence at a state: nothing changes.
    [[nodiscard]] Transition preview(const ContactOccurrence& occurrence, const State& state);
    // The contacts of another run, permanent ones first, to go on with: a disturbance comes next.
    void take(std::span<const Point> contacts);
    [[nodiscard]] const std::vector<Point>& contacts() { return system_->equations->contacts(); }
    // What has come and gone until now, between two steps. When it is read, the system in force
    // follows.
    void remember(Memory& memory);
    // A step begins at this state: its forces are looked at once, for the step and for what may end
    // it. Returns whether the solver in force has its accelerations of this state.
    bool begin_step(const State& state);
    // The first occurrence in (t_low, t_high].
    std::optional<ContactOccurrence> first(double t_low, double t_high, const StateAt& state_at,
                                           const PathOf& path);
    // The switching function that fired, at a projected state, and its rate (NaN where it is not
    // known).
    std::pair<double, double> guard(const ContactOccurrence& occurrence, const State& state);

    // What follows: changes the state, the mode in force and its system, and records events.
    Outcome resolve(const ContactOccurrence& occurrence, State& state);
    Outcome resolve(ContactOccurrence::Kind kind, State& state) {
        ContactOccurrence occurrence;
        occurrence.kind = kind;
        occurrence.t = state.t;
        return resolve(occurrence, state);
    }

    // From now on events say what impulses the joints gave.
    void report_joint_impulses(const PlacedMechanism& placed) { world_.impulses.emplace(placed); }
    // An impulse acts on bodies, at their origins: joints, drivers and permanent contacts answer
    // it. What it does to the other contacts is for the disturbance that must follow. False where
    // bodies without mass are hit.
    bool take_impulse(State& state, const std::vector<Space::Wrench>& on_bodies,
                      std::vector<EventFact>& facts);

    // Whether other couplings are engaged than these.
    [[nodiscard]] bool is_coupled_otherwise(const std::vector<char>& engaged) const;
    // These couplings are engaged from now on. Those that engage stop the motion along their rows
    // by an inelastic impact, which joints, drivers and permanent contacts answer; the other
    // contacts are for the disturbance that must follow. False where a body has no inertia.
    bool engage(const std::vector<char>& engaged, State& state);

    // The mechanism has changed: the mode stays, its system is made anew.
    void renew();

    // That the last call of resolve has passed, if any.
    [[nodiscard]] const std::optional<PassedWindow>& last_window() const { return window_; }
    [[nodiscard]] State state_inside(const PassedWindow& window, double t);
    // Shows the state at a time inside the window, with the mode that it would have ended in there
    // in force; nothing where there is none.
    void look_inside(const PassedWindow& window, double t,
                     const std::function<void(const State&)>& look);
    // Why it cannot go on.
    [[nodiscard]] const std::string& message() const { return message_; }
    [[nodiscard]] Span span() const { return span_; }
    [[nodiscard]] double touching() const { return world_.touching; }
    // Speeds below this are rest.
    [[nodiscard]] double still() const { return world_.still(mode_); }

private:
    void enforce();        // the mode
    void follow_points();  // to where the system in force has them
    void record(std::vector<Event> events);
    void note_engaged(const std::vector<std::size_t>& engaged, MechanismEquations<Space>& equations,
                      State& state, std::span<const double> jump, const std::vector<double>& asked,
                      const std::vector<double>& impulses);
    void sample_guards(std::size_t k, const State& state);
    const std::vector<double>& guards_at(double t, const StateAt& state_at);
    void note_fast_friction(const State& state);
    [[nodiscard]] bool is_guarded() const {
        return !mode_.shared && mode_.closed.size() + mode_.friction.size() > 0;
    }
    [[nodiscard]] std::optional<ContactOccurrence> first_to_yield(double t_low, double t_high,
                                                                  const StateAt& state_at);
    [[nodiscard]] std::optional<ContactOccurrence> first_load_to_turn(double t_low, double t_high,
                                                                      const StateAt& state_at);
    [[nodiscard]] std::size_t guards_of_mode() const {  // before the loads
        return mode_.closed.size() + mode_.friction.size();
    }
    [[nodiscard]] std::optional<ContactOccurrence> first_to_meet(double t_low, double t_high,
                                                                 const StateAt& state_at,
                                                                 const PathOf& path);

    ContactWorld world_;
    Mode mode_;
    DynamicSystem* system_ = nullptr;  // of the mode
    ContactForces forces_;             // of the mode
    std::vector<Event>& events_;
    ContactStates contact_states_;
    EndWatch ends_;
    std::array<std::vector<double>, 3> samples_;  // of the guards: low end, middle, high end
    std::array<bool, 3> sampled_{};
    std::vector<std::pair<double, double>> seen_;  // times and values of a guard
    // All guards at the times that were looked at in the step: contacts that share their forces
    // have one guard together, of which each asks for the same times.
    std::vector<std::pair<double, std::vector<double>>> looks_;
    double begun_at_ = NAN;        // the low end was sampled by begin_step
    double step_end_ = NAN;        // the high end
    bool told_not_shown_ = false;  // that friction was not shown to be unique
    std::optional<PassedWindow> window_;
    std::string message_;
    Span span_;
};

}  // namespace pawl
