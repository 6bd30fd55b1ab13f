#include "simulation/stepping/dynamic_failure.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "results/event_text.h"
#include "results/text.h"
#include "simulation/placement/contact_mode.h"
#include "simulation/placement/likely_mistakes.h"

namespace pawl {

namespace {

// Below this part of its value without friction the matrix of the sliding is taken as singular.
constexpr double painleve_margin = tolerance::painleve_margin;

std::string when(double t) { return " at t = " + number_text(t, 9) + " s"; }

}  // namespace

std::string painleve_advice(bool of_contacts) {
    return of_contacts ? "a smaller coefficient of friction, compliant contacts, or "
                         "`tangential_impact = true` can help"
                       : "a smaller coefficient of friction can help";
}

bool DynamicFailure::fail(DynamicStatus status, std::string message, Span span) {
    result_.status = status;
    result_.message = std::move(message);
    result_.span = span;
    return false;
}

bool DynamicFailure::massless(const MechanismEquations<PlanarSpace>& equations) {
    return fail(DynamicStatus::massless,
                "coordinate " + equations.massless() +
                    " has no inertia, and no joint or driver constrains it, so its motion is "
                    "undefined: give the bodies it moves a mass and an inertia, or constrain them");
}

bool DynamicFailure::held_only(const MechanismEquations<PlanarSpace>& equations) {
    return fail(DynamicStatus::massless,
                "coordinate " + equations.massless() +
                    " has no inertia; integrator = \"moreau\" needs a mass and an inertia for "
                    "every body, the other integrators only for bodies that no joint constrains");
}

bool DynamicFailure::lost(double t, DynamicSystem& system) {
    for (const auto& [first, second] : driven_twice(mechanism_)) {
        const double a = first->at(t).rate, b = second->at(t).rate;
        constexpr double equal = tolerance::same_force;
        if (std::abs(a - b) > equal * std::max(std::abs(a), std::abs(b)))
            return fail(DynamicStatus::left_constraints,
                        "drivers '" + first->name + "' and '" + second->name +
                            "' drive the same coordinate and contradict each other" + when(t) +
                            "; remove one of them",
                        second->span);
    }
    const auto& equations = *system.equations;
    int worst = 0;
    for (int r = 0; r < equations.pattern().rows(); ++r)
        if (std::abs(equations.phi()[r]) > std::abs(equations.phi()[worst])) worst = r;
    const RowLabel& label = equations.labels()[worst];
    const bool contact = label.role == RowRole::contact;
    if (system.dynamics->response().smallest_pivot() < tolerance::near_singular) {
        if (contact) return jam(t, label);
        if (!mechanism_.drivers.empty()) return drivers_stop(t, equations);
    }
    return fail(
        DynamicStatus::left_constraints,
        (contact                         ? "contact '"
         : label.role == RowRole::driver ? "driver '"
                                         : "joint '") +
            label.element + "' cannot be kept closed at t = " + number_text(t) + " s: gap " +
            length_text(std::abs(equations.phi()[worst])) +
            (contact ? "; the bodies around it may be jammed" : "; smaller tolerances may help"),
        label.span);
}

// On the way to a position where the motion ends the rows seem to become dependent more than once.
void DynamicFailure::forget_bifurcations(double t) {
    constexpr double near = tolerance::near_failure;  // s
    auto& events = result_.events;
    while (!events.empty() && events.back().kind == EventKind::bifurcation &&
           events.back().t > t - near)
        events.pop_back();
}

// Near the singular position a contact yields by a lever arm near zero only, and at it not at
// all.
bool DynamicFailure::jam(double t, const RowLabel& label) {
    forget_bifurcations(t);
    Event e;
    e.t = t;
    e.kind = EventKind::jam;
    e.element = label.element;
    e.to = "stopped";
    e.facts = {Cause::lever_arm_vanishes};
    result_.events.push_back(e);
    return fail(
        DynamicStatus::jam,
        "jam" + when(t) + ": contact '" + label.element + "' cannot yield, " + event_text(e),
        label.span);
}

// A contact that has formed stops the drivers, or they stop themselves.
bool DynamicFailure::drivers_stop(double t, const Equations& equations) {
    for (const RowLabel& label : equations.labels())
        if (label.role == RowRole::contact &&
            std::none_of(
                mechanism_.contacts.begin(), mechanism_.contacts.end(),
                [&](const auto& pair) { return pair.permanent && pair.name == label.element; }))
            return jam(t, label);
    return dead_point(t);
}

bool DynamicFailure::dead_point(double t) {
    forget_bifurcations(t);
    Event e;
    e.t = t;
    e.kind = EventKind::dead_point;
    e.to = "stopped";
    if (mechanism_.drivers.size() == 1) e.element = mechanism_.drivers[0].name;
    e.facts = {Cause::drivers_cannot_go_on};
    result_.events.push_back(e);
    return fail(DynamicStatus::left_constraints,
                "dead point" + when(t) + ": " + drivers_text(mechanism_) +
                    " cannot move the mechanism any further; end the run earlier, or change the "
                    "link lengths",
                mechanism_.drivers[0].span);
}

bool DynamicFailure::painleve(double t, MechanismEquations<PlanarSpace>& equations) {
    Event e;
    e.t = t;
    e.kind = EventKind::painleve;
    bool contacts_rub = false;
    for (std::size_t k = 0; k < equations.friction().size(); ++k) {
        if (equations.friction()[k].direction == 0) continue;
        e.element += (e.element.empty() ? "" : " ") + equations.friction()[k].name;
        contacts_rub |= equations.friction_modes()[k].contact >= 0;
    }
    e.facts = {Cause::friction_unbounded};
    result_.events.push_back(e);
    return fail(DynamicStatus::painleve,
                "the sliding of " + e.element + " has no solution" + when(t) +
                    ": friction would raise the normal force without bound (Painleve's paradox); " +
                    painleve_advice(contacts_rub));
}

bool DynamicFailure::is_paradox(RateOutcome rates, const DynamicSystem& system) {
    return rates == RateOutcome::painleve ||
           (system.equations->slides() && system.dynamics->sliding().margin() < painleve_margin);
}

bool DynamicFailure::stuck(double t, StepOutcome step, RateOutcome rates, DynamicSystem& system) {
    auto& equations = *system.equations;
    if (is_paradox(rates, system)) return painleve(t, equations);
    if (rates == RateOutcome::massless) {
        massless(equations);
        result_.message += when(t);
        return false;
    }
    if (step != StepOutcome::not_finite && !mechanism_.drivers.empty() && system.independence &&
        system.independence->here() < std::sqrt(tolerance::near_singular))
        return drivers_stop(t, equations);
    if (step != StepOutcome::not_finite)
        return fail(DynamicStatus::step_too_small,
                    "no step is small enough" + when(t) +
                        ": a force changes too fast or grows without bound");
    if (name_not_finite(t, equations.forces())) return false;
    return fail(DynamicStatus::not_finite, "the motion is not finite" + when(t));
}

bool DynamicFailure::name_not_finite(double t, const AppliedForces<PlanarSpace>& forces) {
    for (std::size_t i = 0; i < mechanism_.forces.size(); ++i)
        if (!std::isfinite(forces.scalars()[i]) || !std::isfinite(forces.energies()[i].power)) {
            fail(DynamicStatus::not_finite,
                 "force '" + mechanism_.forces[i].name + "' is not finite" + when(t) +
                     "; is there a division by zero in its expression?",
                 mechanism_.forces[i].span);
            return true;
        }
    for (std::size_t i = 0; i < mechanism_.states.size(); ++i)
        if (!std::isfinite(forces.state_rates()[i])) {
            fail(DynamicStatus::not_finite,
                 "the rate of state '" + mechanism_.states[i].name + "' is not finite" + when(t) +
                     "; is there a division by zero in its expression?",
                 mechanism_.states[i].span);
            return true;
        }
    return false;
}

bool DynamicFailure::not_finite(const State& state, MechanismEquations<PlanarSpace>& equations) {
    equations.set_position(state.q, state.t);
    if (!equations.set_inertia()) return false;
    equations.set_velocity(state.v);
    equations.set_forces(state.z);
    if (!name_not_finite(state.t, equations.forces())) return false;
    auto& events = result_.events;
    while (!events.empty() && events.back().t == state.t &&
           (events.back().kind == EventKind::jam || events.back().kind == EventKind::painleve))
        events.pop_back();
    return true;
}

}  // namespace pawl
