#include "results/event_text.h"

#include <array>
#include <cmath>
#include <numbers>

#include "results/text.h"

namespace pawl {

namespace {

struct CauseText {
    Cause cause;
    std::string_view name, sentence;
};

constexpr std::array causes{
    CauseText{Cause::gap_closes, "gap_closes", "gap = 0"},
    CauseText{Cause::struck_through_others, "struck_through_others",
              "struck through other contacts"},
    CauseText{Cause::force_vanishes, "force_vanishes", "normal force = 0"},
    CauseText{Cause::impact_throws_off, "impact_throws_off", "separated by the impact"},
    CauseText{Cause::forces_no_longer_press, "forces_no_longer_press",
              "the forces no longer keep it closed"},
    CauseText{Cause::nothing_presses, "nothing_presses", "no force keeps it closed"},
    CauseText{Cause::nothing_beyond, "nothing_beyond", "the next element does not touch"},
    CauseText{Cause::no_position_keeps_it, "no_position_keeps_it", "no position keeps it closed"},
    CauseText{Cause::slips_off, "slips_off", "slips off: no position beyond keeps it closed"},
    CauseText{Cause::friction_at_limit, "friction_at_limit", "friction reaches its limit"},
    CauseText{Cause::slip_stops, "slip_stops", "slip speed = 0"},
    CauseText{Cause::no_forces_fit_sliding, "no_forces_fit_sliding",
              "no forces fit the sliding: friction would raise the normal force without bound "
              "(Painleve)"},
    CauseText{Cause::sliding_has_no_solution, "sliding_has_no_solution",
              "without collision: continued sliding has no solution (Painleve)"},
    CauseText{Cause::friction_unbounded, "friction_unbounded",
              "friction grows beyond all bounds: continued sliding has no solution"},
    CauseText{
        Cause::uniqueness_not_shown, "uniqueness_not_shown",
        "uniqueness of the friction forces is not shown: too many contacts and friction points"},
    CauseText{Cause::below_capture_speed, "below_capture_speed",
              "rebound below the capture speed: contact stays"},
    CauseText{Cause::hop_brought_to_rest, "hop_brought_to_rest",
              "its rebound is below the contact tolerance: it is brought to rest"},
    CauseText{Cause::acts_on_massless, "acts_on_massless", "act on bodies that have no mass"},
    CauseText{Cause::lever_arm_vanishes, "lever_arm_vanishes",
              "joints and drivers let it yield only with a lever arm near zero"},
    CauseText{Cause::drivers_cannot_go_on, "drivers_cannot_go_on",
              "the drivers require a motion that the mechanism cannot make"},
    CauseText{Cause::self_locking, "self_locking",
              "self-locking: no finite driving force moves it against its friction"},
    CauseText{Cause::no_other_opens, "no_other_opens", "it closes, and no other contact opens"},
    CauseText{Cause::presses_across_free, "presses_across_free",
              "it presses at right angles to every free motion"},
    CauseText{Cause::branch_changes, "branch_changes", "an expression or table changes branch"},
    CauseText{Cause::driver_piece_ends, "driver_piece_ends",
              "end of a piece of a driver's law or knot of a table"},
    CauseText{Cause::set_by_user, "set_by_user", "set while the simulation ran"},
    CauseText{Cause::condition_holds, "condition_holds", "its condition becomes true"},
    CauseText{Cause::condition_ends_run, "condition_ends_run",
              "its condition becomes true; the run ends here"},
    CauseText{Cause::condition_fails, "condition_fails", "its condition no longer holds"},
    CauseText{Cause::acts_with_step, "acts_with_step", "applied in the step that ends here"},
    CauseText{Cause::too_many_events, "too_many_events", "too many events in a short time"},
    CauseText{Cause::no_forces_found, "no_forces_found",
              "no forces were found that fit the friction of the contacts"},
    CauseText{Cause::in_a_window, "in_a_window", "in a window of time steps"},
    CauseText{Cause::at_end_of_step, "at_end_of_step", "detected at the end of a step"},
    CauseText{Cause::start_is_unstable, "start_is_unstable",
              "the start is an unstable equilibrium"},
    CauseText{Cause::change_leaves_unstable, "change_leaves_unstable",
              "the change of contact makes the equilibrium unstable"},
    CauseText{Cause::contact_is_lost, "contact_is_lost", "a contact is lost"},
    CauseText{Cause::contact_slips_off, "contact_slips_off", "a contact slips off"},
    CauseText{Cause::stiffness_vanishes, "stiffness_vanishes",
              "the stiffness vanishes (limit point)"},
    CauseText{Cause::path_branches_off, "path_branches_off",
              "the stiffness vanishes (bifurcation point)"},
    CauseText{Cause::no_other_equilibrium, "no_other_equilibrium",
              "no other stable equilibrium is reached"},
};

constexpr bool follows_enumeration() {
    for (std::size_t i = 0; i < causes.size(); ++i)
        if (static_cast<std::size_t>(causes[i].cause) != i) return false;
    return causes.size() == static_cast<std::size_t>(Cause::no_other_equilibrium) + 1;
}
static_assert(follows_enumeration());

const CauseText& entry(Cause cause) { return causes[static_cast<std::size_t>(cause)]; }

std::string text(Cause cause) { return std::string(entry(cause).sentence); }

std::string text(const fact::Compression& f) {
    const std::string where =
        f.depth > 0 ? "compressed by " + length_text(f.depth) : std::string("gap = 0");
    return where + ", compliant" + (f.again ? "; presses again" : "");
}

std::string text(const fact::Rebound& f) {
    return (std::isfinite(f.restitution) ? "restitution " + number_text(f.restitution, 8) + " "
                                         : std::string()) +
           "after " + number_text(f.duration, 8) + " s";
}

std::string text(const fact::NormalForce& f) {
    return "normal force " + number_text(f.force, 7) + " N";
}

std::string text(const fact::ForceAtTransition& f) {
    const std::string before = number_text(f.before, 7) + " N";
    if (!std::isfinite(f.after))
        return "at the transition, with a normal force of " + before + " before";
    const std::string after = number_text(f.after, 7) + " N";
    return "normal force " + before + (after == before ? "" : " before, " + after + " after");
}

std::string text(const fact::WouldPull& f) {
    return "the normal force would be " + number_text(f.force, 7) + " N";
}

std::string text(const fact::LiftedOff& f) {
    return "separated by the other contacts, gap'' = " + number_text(f.acceleration, 7) + " m/s^2";
}

std::string text(const fact::TakenOver& f) { return "'" + f.by + "' takes over"; }

std::string text(const fact::EndReached& f) {
    return "curvilinear coordinate of profile '" + f.profile + "' reaches " +
           std::to_string(f.coordinate);
}

std::string text(const fact::OfRolling&) { return "of rolling"; }

std::string text(const fact::Accumulation& f) {
    return "impacts accumulate: " + std::to_string(f.skipped) +
           " more until t = " + number_text(f.until, 15) + " s";
}

std::string text(const fact::FrictionImpulse& f) {
    using Slip = fact::FrictionImpulse::Slip;
    std::string out = "friction impulse " + number_text(f.impulse, 7) + " N s";
    if (f.slip != Slip::goes_on)
        out += f.slip == Slip::stops ? ", the slip stops" : ", the slip reverses";
    if (f.rolling != 0) out += "; rolling impulse " + number_text(f.rolling, 7) + " N m s";
    if (f.wedged) out += "; wedged";
    return out;
}

std::string text(const fact::ImpactOrder& f) {
    using Order = fact::ImpactOrder::Order;
    const std::string blows = f.blows > 1 ? ", " + std::to_string(f.blows) + " blows" : "";
    if (f.order == Order::sequential_by_law)
        return "sequential, since these laws have no simultaneous form" + blows;
    if (f.order == Order::sequential_by_need)
        return "sequential, since not all can rebound by their laws at once" + blows;
    return std::string(word_of(f.order)) + blows +
           (f.part_of_restitution == 1
                ? ""
                : ", restitution reduced to " + number_text(f.part_of_restitution, 4) +
                      " of its value, since more would add energy");
}

// Joints that feel something, the largest alone where there are many.
std::string text(const fact::JointImpulses& f) {
    constexpr std::size_t max_named = 4;
    std::string named;
    std::size_t felt = 0, strongest = 0;
    const auto force = [&](std::size_t i) { return std::hypot(f.x[i], f.y[i]); };
    for (std::size_t i = 0; i < f.joints.size(); ++i) {
        if (force(i) == 0 && f.moment[i] == 0) continue;
        if (force(i) > force(strongest)) strongest = i;
        named += (felt++ > 0 ? ", " : " ") + f.joints[i];
        if (force(i) != 0)
            named += " (" + number_text(f.x[i], 6) + ", " + number_text(f.y[i], 6) + ") N s";
        if (f.moment[i] != 0)
            named += (force(i) != 0 ? " and " : " ") + number_text(f.moment[i], 6) + " N m s";
    }
    std::string out;
    if (felt > max_named)
        out = "largest joint impulse " + number_text(force(strongest), 6) + " N s in " +
              f.joints[strongest];
    else if (felt > 0)
        out = (felt > 1 ? "joint impulses" : "joint impulse") + named;
    for (std::size_t i = 0; i < f.drivers.size() && i < max_named; ++i)
        if (f.driver_impulses[i] != 0)
            out += (out.empty() ? "" : ", ") + ("driver " + f.drivers[i]) + " " +
                   number_text(f.driver_impulses[i], 6) + " " + f.driver_units[i];
    return out;
}

std::string text(const fact::ContactState& f) {
    constexpr std::size_t max_named = 6;
    const int n = f.degrees_of_freedom;
    std::string out = "leaves " + (n == 0 ? "no" : std::to_string(n)) +
                      (n < 2 ? " degree of freedom, " : " degrees of freedom, ");
    if (f.loops.empty()) return out + "no loop";
    if (f.loops.size() > max_named) return out + std::to_string(f.loops.size()) + " loops";
    out += f.loops.size() == 1 ? "loop" : "loops";
    for (std::size_t i = 0; i < f.loops.size(); ++i) out += (i > 0 ? ", " : " ") + f.loops[i];
    return out;
}

std::string text(const fact::Choice& f) {
    std::string out = std::to_string(f.motions) +
                      " different motions satisfy the friction laws (Painleve); chosen:";
    for (const std::string& one : f.taken) out += " " + one;
    return out;
}

std::string text(const fact::Misfit& f) {
    return "singular position: the constraints become dependent and another branch opens; the "
           "loops close there to " +
           number_text(f.length, 2) + " m";
}

std::string text(const fact::LostControl& f) {
    return "the drivers can no longer control " + f.coordinate + "; smallest singular value " +
           number_text(f.smallest_singular_value, 2);
}

std::string text(const fact::Held& f) { return text_of(f); }

std::string text(const fact::Leap& f) {
    return "continues from the next stable equilibrium: '" + f.body + "' moves by " +
           length_text(f.distance) + " and turns by " +
           number_text(f.turn * 180 / std::numbers::pi, 4) + " deg";
}

std::string text(const fact::TimeSteps& f) {
    return "length " + number_text(f.length, 6) + " s in steps of " + number_text(f.step, 6) +
           " s, errors " + number_text(f.position_error, 3) + " m and " +
           number_text(f.velocity_error, 3) + " m/s";
}

std::string text(const fact::Remark& f) { return f.text; }

}  // namespace

std::string_view event_name(EventKind kind) {
    static constexpr std::array<std::string_view, 19> names{
        "impact", "contact_formed", "contact_lost", "transition",  "stick",
        "slip",   "slip_reversal",  "dead_point",   "bifurcation", "contact_impossible",
        "jam",    "snap",           "impulse",      "painleve",    "window",
        "engage", "disengage",      "time",         "user"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view cause_name(Cause cause) { return entry(cause).name; }

std::string_view word_of(fact::FrictionImpulse::Slip slip) {
    return std::array{"goes on", "stops", "reverses"}[static_cast<std::size_t>(slip)];
}

std::string_view word_of(fact::ImpactOrder::Order order) {
    return order == fact::ImpactOrder::Order::simultaneous ? "simultaneous" : "sequential";
}

std::string_view word_of(fact::Held::Manner manner) {
    return manner == fact::Held::Manner::cannot_give_way ? "cannot yield" : "nothing balances";
}

std::string_view word_of(fact::Held::By by) {
    return std::array{"drivers", "friction", "joints"}[static_cast<std::size_t>(by)];
}

std::string drivers_text(const std::vector<std::string>& names) {
    std::string text = names.size() == 1 ? "driver" : "drivers";
    for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? " '" : ", '") + names[i] + "'";
    return text;
}

std::string text_of(const fact::Held& held) {
    using By = fact::Held::By;
    const std::string manner = held.manner == fact::Held::Manner::cannot_give_way
                                   ? "cannot yield: "
                                   : "press with forces that nothing balances: ";
    switch (held.by) {
        case By::drivers:
            return manner + drivers_text(held.drivers) + " cannot go on";
        case By::friction:
            return manner + "friction and the other contacts hold them";
        case By::joints:
            break;
    }
    return manner + "the joints and the other contacts hold them";
}

std::string event_text(const Event& event) {
    std::string out;
    for (const EventFact& fact : event.facts) {
        const std::string part = std::visit([](const auto& f) { return text(f); }, fact);
        if (!part.empty()) out += (out.empty() ? "" : "; ") + part;
    }
    return out;
}

}  // namespace pawl
