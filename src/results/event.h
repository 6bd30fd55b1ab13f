// An event of a run and the facts that go with it: plain values. event_text.h makes sentences of
// them.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "math/memory.h"

namespace pawl {

enum class EventKind {
    impact,
    contact_formed,
    contact_lost,
    transition,
    stick,
    slip,
    slip_reversal,
    dead_point,
    bifurcation,
    contact_impossible,
    jam,
    snap,
    impulse,
    painleve,
    window,
    engage,
    disengage,
    time,
    user
};
std::string_view event_name(EventKind kind);

// Why something happens, where no number belongs to it.
enum class Cause {
    gap_closes,
    struck_through_others,  // an impact elsewhere reaches it
    force_vanishes,         // the normal force of a closed contact
    impact_throws_off,
    forces_no_longer_press,  // with friction
    nothing_presses,
    nothing_beyond,  // the end of an element is passed and no other touches
    no_position_keeps_it,
    slips_off,  // of a quasi-static run
    friction_at_limit,
    slip_stops,
    no_forces_fit_sliding,    // Painleve
    sliding_has_no_solution,  // Painleve: an impact without collision follows
    friction_unbounded,       // Painleve: of sliding under way
    uniqueness_not_shown,
    below_capture_speed,
    hop_brought_to_rest,  // it would stay within what counts as touching
    acts_on_massless,
    lever_arm_vanishes,
    drivers_cannot_go_on,
    self_locking,
    no_other_opens,       // when a contact closes in a quasi-static run
    presses_across_free,  // a contact of a quasi-static run
    branch_changes,       // of an expression or table
    driver_piece_ends,
    set_by_user,
    condition_holds,     // of an event of the user
    condition_ends_run,  // and the run ends
    condition_fails,
    acts_with_step,   // time stepping
    too_many_events,  // a window follows
    no_forces_found,  // that fit the friction of several contacts: a window follows
    in_a_window,
    at_end_of_step,  // time stepping
    start_is_unstable,
    change_leaves_unstable,
    contact_is_lost,
    contact_slips_off,
    stiffness_vanishes,
    path_branches_off,
    no_other_equilibrium
};
std::string_view cause_name(Cause cause);

// Facts with numbers or names. Each has a name and lists its values once, for writing and reading.
namespace fact {

// A compliant contact presses; the depth counts where it does not begin at the surface.
struct Compression {
    static constexpr std::string_view name = "compression";
    double depth = 0;    // m
    bool again = false;  // it was released while still pressed in
    template <class V>
    void fields(V&& v) {
        v("depth", depth, "m");
        v("again", again);
    }
};

// A compliant contact ends.
struct Rebound {
    static constexpr std::string_view name = "rebound";
    double restitution = 0;  // -; NaN where the approach was too slow to measure
    double duration = 0;     // s
    template <class V>
    void fields(V&& v) {
        v("restitution", restitution);
        v("duration", duration, "s");
    }
};

// On a contact, after the event.
struct NormalForce {
    static constexpr std::string_view name = "normal_force";
    double force = 0;  // N
    template <class V>
    void fields(V&& v) {
        v("force", force, "N");
    }
};

// A contact passes on to the next element, or is lost there.
struct ForceAtTransition {
    static constexpr std::string_view name = "force_at_transition";
    double before = 0;  // N
    double after = 0;   // N; NaN: the contact is lost
    template <class V>
    void fields(V&& v) {
        v("before", before, "N");
        v("after", after, "N");
    }
};

// A contact that could be kept by pulling only.
struct WouldPull {
    static constexpr std::string_view name = "would_pull";
    double force = 0;  // N, negative
    template <class V>
    void fields(V&& v) {
        v("force", force, "N");
    }
};

// The other contacts lift it off.
struct LiftedOff {
    static constexpr std::string_view name = "lifted_off";
    double acceleration = 0;  // m/s^2, of the gap
    template <class V>
    void fields(V&& v) {
        v("acceleration", acceleration, "m/s^2");
    }
};

// A contact that closes makes another one open.
struct TakenOver {
    static constexpr std::string_view name = "taken_over";
    std::string by;
    template <class V>
    void fields(V&& v) {
        v("by", by);
    }
};

// A curvilinear coordinate comes to the end of an element.
struct EndReached {
    static constexpr std::string_view name = "end_reached";
    std::string profile;
    int coordinate = 0;
    template <class V>
    void fields(V&& v) {
        v("profile", profile);
        v("coordinate", coordinate);
    }
};

// A friction point that rolls.
struct OfRolling {
    static constexpr std::string_view name = "of_rolling";
    template <class V>
    void fields(V&&) {}
};

// Impacts that follow each other faster and faster are taken together.
struct Accumulation {
    static constexpr std::string_view name = "accumulation";
    int skipped = 0;   // impacts
    double until = 0;  // s
    template <class V>
    void fields(V&& v) {
        v("skipped", skipped);
        v("until", until, "s");
    }
};

// The tangential impulse of an impact with friction.
struct FrictionImpulse {
    static constexpr std::string_view name = "friction_impulse";
    enum class Slip { goes_on, stops, reverses };
    double impulse = 0;  // N s
    double rolling = 0;  // N m s
    Slip slip = Slip::goes_on;
    bool wedged = false;
    template <class V>
    void fields(V&& v) {
        v("impulse", impulse, "N s");
        v("rolling", rolling, "N m s");
        v("slip", slip);
        v("wedged", wedged);
    }
};

// Several contacts are struck at one time.
struct ImpactOrder {
    static constexpr std::string_view name = "impact_order";
    enum class Order {
        simultaneous,
        sequential,
        sequential_by_law,   // the laws have no other order
        sequential_by_need,  // all at once cannot rebound by their laws
    };
    Order order = Order::simultaneous;
    double part_of_restitution = 1;  // less where more would add energy
    int blows = 1;                   // of all the contacts together; one where they come at once
    template <class V>
    void fields(V&& v) {
        v("order", order);
        v("part_of_restitution", part_of_restitution);
        v("blows", blows);
    }
};

// What the joints and drivers give where velocities jump: the impulse of a joint on its body b at
// the origin of its frame b, in ground axes. With the first event of an impact or a given impulse;
// it holds for all contacts that are struck with it.
struct JointImpulses {
    static constexpr std::string_view name = "joint_impulses";
    std::vector<std::string> joints;
    std::vector<double> x, y;    // N s
    std::vector<double> moment;  // N m s
    std::vector<std::string> drivers;
    std::vector<double> driver_impulses;
    std::vector<std::string> driver_units;  // N s, or N m s of a rotation
    template <class V>
    void fields(V&& v) {
        v("joints", joints);
        v("x", x, "N s");
        v("y", y, "N s");
        v("moment", moment, "N m s");
        v("drivers", drivers);
        v("driver_impulses", driver_impulses);
        v("driver_units", driver_units);
    }
};

// What the contacts closed after the event leave free.
struct ContactState {
    static constexpr std::string_view name = "contact_state";
    int degrees_of_freedom = 0;
    std::vector<std::string> loops;  // "ground-cam-follower"
    template <class V>
    void fields(V&& v) {
        v("degrees_of_freedom", degrees_of_freedom);
        v("loops", loops);
    }
};

// Several motions fit the friction; this one is taken.
struct Choice {
    static constexpr std::string_view name = "choice";
    int motions = 0;
    std::vector<std::string> taken;  // "floor sticks"
    template <class V>
    void fields(V&& v) {
        v("motions", motions);
        v("taken", taken);
    }
};

// A singular position: so near do the loops close there.
struct Misfit {
    static constexpr std::string_view name = "misfit";
    double length = 0;  // m
    template <class V>
    void fields(V&& v) {
        v("length", length, "m");
    }
};

// A dead point: the coordinate that the drivers no longer control.
struct LostControl {
    static constexpr std::string_view name = "lost_control";
    std::string coordinate;
    double smallest_singular_value = 0;
    template <class V>
    void fields(V&& v) {
        v("coordinate", coordinate);
        v("smallest_singular_value", smallest_singular_value);
    }
};

// A contact cannot yield, or presses with forces that nothing balances.
struct Held {
    static constexpr std::string_view name = "held";
    enum class Manner { cannot_give_way, nothing_balances };
    enum class By { drivers, friction, joints };
    Manner manner = Manner::cannot_give_way;
    By by = By::joints;
    std::vector<std::string> drivers;
    template <class V>
    void fields(V&& v) {
        v("manner", manner);
        v("by", by);
        v("drivers", drivers);
    }
};

// A quasi-static motion leaps: what moves most.
struct Leap {
    static constexpr std::string_view name = "leap";
    std::string body;
    double distance = 0;  // m
    double turn = 0;      // rad
    template <class V>
    void fields(V&& v) {
        v("body", body);
        v("distance", distance, "m");
        v("turn", turn, "rad");
    }
};

// A window: time steps carry the motion over what an event leaves undecided. The errors are the
// differences to the same with steps twice as long.
struct TimeSteps {
    static constexpr std::string_view name = "time_steps";
    double length = 0, step = 0;                    // s
    double position_error = 0, velocity_error = 0;  // m, m/s
    template <class V>
    void fields(V&& v) {
        v("length", length, "s");
        v("step", step, "s");
        v("position_error", position_error, "m");
        v("velocity_error", velocity_error, "m/s");
    }
};

// A text that was read from a result, or is a message of its own.
struct Remark {
    static constexpr std::string_view name = "remark";
    std::string text;
    template <class V>
    void fields(V&& v) {
        v("text", text);
    }
};

template <class F>
concept Listed = requires {
    F::name;
};

template <Listed F>
void remember(Memory& memory, F& fact) {
    fact.fields([&](std::string_view, auto& value, std::string_view = {}) { memory(value); });
}

}  // namespace fact

using EventFact =
    std::variant<Cause, fact::Compression, fact::Rebound, fact::NormalForce,
                 fact::ForceAtTransition, fact::WouldPull, fact::LiftedOff, fact::TakenOver,
                 fact::EndReached, fact::OfRolling, fact::Accumulation, fact::FrictionImpulse,
                 fact::ImpactOrder, fact::JointImpulses, fact::ContactState, fact::Choice,
                 fact::Misfit, fact::LostControl, fact::Held, fact::Leap, fact::TimeSteps,
                 fact::Remark>;

struct Event {
    double t = 0;
    EventKind kind = EventKind::user;
    std::string element;
    std::string from, to;
    double normal_velocity_before = 0, normal_velocity_after = 0;  // m/s
    double impulse = 0;                                            // N s
    double energy_change = 0;                                      // J
    std::vector<EventFact> facts;                                  // in the order of the sentences

    // The fact of a kind; null: there is none.
    template <class F>
    [[nodiscard]] const F* find() const {
        for (const EventFact& fact : facts)
            if (const F* found = std::get_if<F>(&fact)) return found;
        return nullptr;
    }
    [[nodiscard]] bool is_due_to(Cause cause) const {
        for (const EventFact& fact : facts)
            if (const Cause* found = std::get_if<Cause>(&fact); found && *found == cause)
                return true;
        return false;
    }
};

}  // namespace pawl
