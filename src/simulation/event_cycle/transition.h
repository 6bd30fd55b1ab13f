// What happens when the flow of a dynamic run ends at an event: from the mode and the state before
// to those after, with what is to be recorded. Takes values and returns values; the world that it
// is given does not change but for what it keeps to be faster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dynamics/contact/contact_problem.h"
#include "events/contact_guards.h"
#include "events/gap_watch.h"
#include "results/event.h"
#include "results/trajectory.h"
#include "simulation/columns/impulsive_reactions.h"
#include "simulation/event_cycle/mode.h"
#include "simulation/stepping/dynamic_run.h"
#include "simulation/stepping/dynamic_systems.h"

namespace pawl {

struct ContactOccurrence {
    enum class Kind {
        meets,          // a gap closes: gap = 0
        passes_end,     // the fraction of a closed contact on an element reaches 0 or 1
        separates,      // the normal force of a closed contact vanishes
        slip_ends,      // the slip of a friction point comes to rest
        slip_begins,    // the friction of a point reaches its limit
        load_turns,     // what presses a friction point changes sides: its friction has a kink
        starts,         // the run begins: what touches is found
        is_disturbed,   // something else has changed: an impulse, a switch, a driver's law
        is_overloaded,  // the closed contacts cannot be kept closed together
        has_no_flow,    // sliding on has no solution: friction grows beyond all bounds
    };
    Kind kind = Kind::meets;
    double t = 0;
    ContactPoint<PlanarSpace> point;  // meets: where
    // separates: which closed contact; friction: which friction point; load_turns: which load
    std::size_t index = 0;
    EndPassed passed;  // passes_end
    [[nodiscard]] bool of_friction() const {
        return kind == Kind::slip_ends || kind == Kind::slip_begins;
    }
    double rate = 0;           // of the guard, where it is a force or a slip; 0: it jumps
    double until = -INFINITY;  // s: a window ends by then; none where that is not after t

    void remember(Memory& memory);
};

// What stays the same in a run.
struct ContactWorld {
    using Point = ContactPoint<PlanarSpace>;
    ContactWorld(const PlacedMechanism& placed, DynamicSystems& systems,
                 ContactProblem::Impacts impacts);

    [[nodiscard]] const ContactPair<PlanarSpace>& pair_of(const Point& point) const {
        return mechanism.contacts[static_cast<std::size_t>(point.pair)];
    }
    [[nodiscard]] DynamicSystem* system_of(const Mode& mode) const {
        return systems.with(mode.permanent, mode.closed, mode.friction, mode.engaged);
    }
    // A normal or slip velocity below this is rest.
    [[nodiscard]] double still(const Mode& mode) const;
    // Nothing can ever touch or slide with friction.
    [[nodiscard]] bool is_empty() const;

    const PlanarMechanism& mechanism;
    AuxiliaryLayout layout;
    DynamicSystems& systems;
    ContactProblem::Impacts impacts;
    double size, touching;
    double mass;  // of all bodies
    GapWatch watch;
    Mode first;  // the permanent contacts alone, before the start
    // Impulses of the joints, where they are to be reported.
    std::optional<ImpulsiveReactions> impulses;
};

// A window that a transition has passed, with what its steps follow from.
struct PassedWindow {
    Window record;
    Mode before;
    State start;
    int steps = 0;
    [[nodiscard]] double end() const { return record.t + record.length; }
    void remember(Memory& memory);
};

struct Transition {
    enum class Outcome {
        unchanged,  // the same contacts on the same elements: nothing to start again
        changed,
        jam,        // contacts and drivers leave no way: the impact problem has no solution
        overlap,    // profiles overlap at the start
        painleve,   // no forces fit the sliding
        undecided,  // none were found that fit the friction of several contacts, nor that none do
        chatter,    // more than 1000 events within 1e-3 of the time of a fall through the size
    };
    Outcome outcome = Outcome::unchanged;
    Mode mode;
    State state;
    std::vector<Event> events;
    std::optional<PassedWindow> window;  // the state is that of its end
    std::string message;                 // why it cannot go on
    Span span;
};

// `mode` with its points where the system in force has them.
Transition transition(ContactWorld& world, const Mode& mode, const State& state,
                      const ContactOccurrence& occurrence);

}  // namespace pawl
