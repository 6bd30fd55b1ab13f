#include "simulation/quasi_static/quasi_static_failure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "events/contact_guards.h"
#include "results/event_text.h"
#include "results/text.h"
#include "simulation/placement/contact_mode.h"

namespace pawl {

bool QuasiStaticFailure::fail(QuasiStaticStatus status, std::string message, Span span) {
    result_.status = status;
    result_.message = std::move(message);
    result_.span = span;
    return false;
}

bool QuasiStaticFailure::neutral(const EquilibriumResult& start) {
    const auto weak =
        std::min_element(start.stiffness.begin(), start.stiffness.end(),
                         [](double a, double b) { return std::abs(a) < std::abs(b); });
    const std::string& who =
        start.directions[static_cast<std::size_t>(weak - start.stiffness.begin())];
    return fail(QuasiStaticStatus::neutral,
                "'" + who +
                    "' has no stiffness, so its equilibrium position is undetermined; add a spring "
                    "or a driver",
                span_of_coordinate(mechanism_, who));
}

bool QuasiStaticFailure::no_next_point(double t, const std::string& why) {
    return fail(QuasiStaticStatus::stuck,
                "the equilibrium cannot be followed beyond t = " + number_text(t, 9) + " s" + why);
}

bool QuasiStaticFailure::no_progress(int steps, double t) {
    const auto& events = result_.events;
    return fail(QuasiStaticStatus::stuck,
                std::to_string(steps) + " steps reached only t = " + number_text(t, 9) +
                    " s: contacts may keep opening and closing" +
                    (events.empty() ? "" : ", as '" + events.back().element + "' does"));
}

bool QuasiStaticFailure::touching_point_vanishes(double t, const Point& point) {
    return fail(QuasiStaticStatus::stuck,
                "contact '" + name_of(mechanism_, point) + "' is permanent, but its place on " +
                    elements_text(mechanism_, point) + " vanishes in a dent at t = " +
                    number_text(t, 9) + " s" + ContactMode::set_free,
                mechanism_.contacts[static_cast<std::size_t>(point.pair)].span);
}

bool QuasiStaticFailure::jam(double t, const Point& point, Cause cause) {
    result_.events.push_back(contact_event(mechanism_, EventKind::jam, t, point,
                                           elements_text(mechanism_, point), "stopped", {cause}));
    return fail(QuasiStaticStatus::jam,
                "jam at t = " + number_text(t, 9) + " s: contact '" + name_of(mechanism_, point) +
                    "' (" + elements_text(mechanism_, point) + ") cannot yield to " +
                    (mechanism_.drivers.empty() ? "the loads" : drivers_text(mechanism_)) + ": " +
                    event_text(result_.events.back()),
                mechanism_.contacts[static_cast<std::size_t>(point.pair)].span);
}

bool QuasiStaticFailure::dead_point(double t) {
    Event event;
    event.t = t;
    event.kind = EventKind::dead_point;
    event.to = "stopped";
    if (mechanism_.drivers.size() == 1) event.element = mechanism_.drivers[0].name;
    result_.events.push_back(event);
    return fail(QuasiStaticStatus::dead_point,
                "dead point at t = " + number_text(t, 10) +
                    " s: the drivers require a motion that the mechanism cannot make",
                mechanism_.drivers.empty() ? Span{} : mechanism_.drivers[0].span);
}

bool QuasiStaticFailure::no_equilibrium(Event lost) {
    lost.to = "none";
    lost.facts.push_back(Cause::no_other_equilibrium);
    result_.events.push_back(lost);
    return fail(QuasiStaticStatus::no_equilibrium,
                "the equilibrium is lost at t = " + number_text(lost.t, 9) + " s (" + lost.element +
                    "), and no other stable one is reached from there",
                span_of_coordinate(mechanism_, lost.element));
}

}  // namespace pawl
