#include "simulation/contact_cycle.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances.h"
#include "simulation/contact_mode.h"
#include "simulation/remember.h"
#include "simulation/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Point = ContactPoint<Space>;

// The same time, but for the corrections of events.
bool is_now(double t, double now) { return now - t < 1e-12 * (1 + std::abs(now)); }

}  // namespace

ContactCycle::ContactCycle(const PlacedMechanism& placed, DynamicSystems& systems,
                           ContactProblem::Impacts impacts, std::vector<Event>& events)
    : mechanism_(placed.mechanism),
      layout_(placed.mechanism),
      systems_(systems),
      impacts_(impacts),
      events_(events),
      size_(placed.assembly.model_size),
      touching_(tolerance::touching * size_),
      still_(tolerance::still * std::sqrt(9.81 * size_)),
      watch_(placed.mechanism, touching_),
      contact_states_(placed) {
    for (std::size_t i = 0; i < mechanism_.contacts.size(); ++i) {
        const auto& pair = mechanism_.contacts[i];
        if (!pair.permanent) continue;
        Point point;
        point.pair = static_cast<int>(i);
        point.a = pair.first_a;
        point.b = pair.first_b;
        for (int side = 0; side < 2; ++side) point.touch.u[side] = pair.first_u[side];
        permanent_.push_back(point);
    }
    system_ = systems_.with(permanent_, {}, {});
}

void ContactCycle::note(EventKind kind, double t, const Point& point, Event event) {
    event.t = t;
    event.kind = kind;
    event.element = name_of(mechanism_, point);
    events_.push_back(std::move(event));
}

void ContactCycle::note_formed(double t, const Point& point, double force) {
    events_.push_back(contact_event(mechanism_, EventKind::contact_formed, t, point, "open",
                                    elements_text(mechanism_, point),
                                    "normal force " + number_text(force, 7) + " N"));
}

void ContactCycle::note_lost(double t, const Point& point, std::string why) {
    events_.push_back(contact_event(mechanism_, EventKind::contact_lost, t, point,
                                    elements_text(mechanism_, point), "open", std::move(why)));
}

void ContactCycle::activate(std::vector<Point> closed, std::vector<FrictionMode> friction) {
    closed_ = std::move(closed);
    friction_ = std::move(friction);
    armed_.assign(friction_.size(), 0);
    contact_states_.note(events_, system_->equations->coordinates(), permanent_, closed_);
    system_ = systems_.with(permanent_, closed_, friction_);
    if (system_ == nullptr) return;
    // What it has settled on while it was in force before does not count; the same pairs may have
    // been closed on other elements then.
    system_->dynamics->forget();
    system_->dynamics->response().set_start({});
    if (system_->independence) system_->independence->forget();
}

bool ContactCycle::has_just_let_go(const Point& place, double t) const {
    return is_now(let_go_from_, t) && !(place.rates.closing < -still_) &&
           std::any_of(let_go_.begin(), let_go_.end(), [&](const Point& other) {
               return other.pair == place.pair && other.a == place.a && other.b == place.b;
           });
}

std::vector<ContactCycle::Touching> ContactCycle::collect(const State& state, double within) {
    std::vector<Touching> touching;
    auto& equations = *system_->equations;
    equations.set_position(state.q, state.t);
    equations.coordinates().set_velocity(state.v);
    for (std::size_t i = 0; i < closed_.size(); ++i) {
        closed_[i] = equations.contacts()[permanent_.size() + i];
        touching.push_back({closed_[i], static_cast<int>(i)});
    }
    std::vector<Point> places;
    for (const int pair : watch_.pairs()) {
        watch_.open_places(equations.coordinates(), pair, within, closed_, places);
        for (const Point& place : places) {
            const bool known =
                std::any_of(touching.begin(), touching.end(), [&](const Touching& other) {
                    const auto apart = other.point.touch.p[0] - place.touch.p[0];
                    return other.point.pair == pair &&
                           std::hypot(apart.x, apart.y) < 1e3 * touching_ &&
                           Space::dot(other.point.touch.n, place.touch.n) > 1 - 1e-9;
                });
            if (!known && !has_just_let_go(place, state.t)) touching.push_back({place, -1});
        }
    }
    return touching;
}

ContactCycle::Outcome ContactCycle::begin(State& state) {
    if (empty()) return Outcome::unchanged;
    auto& equations = *system_->equations;
    equations.set_position(state.q, state.t);
    // Rigid contacts are as closed as coordinates can say; compliant ones may be pressed in.
    const auto allowed = [&](int pair) {
        const auto& contact = mechanism_.contacts[static_cast<std::size_t>(pair)];
        return is_rigid(contact.law) ? start_overlap_limit(mechanism_, contact, size_)
                                     : tolerance::pressed_at_start * watch_.smaller_radius(pair);
    };
    if (const auto found =
            overlap_at_start(mechanism_, equations.coordinates(), watch_.pairs(), allowed)) {
        message_ = found->message;
        span_ = found->span;
        return Outcome::overlap;
    }
    std::vector<double> nothing(mechanism_.drivers.size(), 0.0);
    double deepest = 0;
    for (const int pair : watch_.pairs()) deepest = std::max(deepest, allowed(pair));
    std::vector<Touching> touching = collect(state, deepest);
    std::erase_if(touching, [&](const Touching& x) {
        const auto& contact = pair_of(x.point);
        const double gap = x.point.touch.gap;
        return gap < -allowed(x.point.pair) ||
               gap > (is_rigid(contact.law) ? start_gap_limit(mechanism_, contact, size_) : 0.0);
    });
    const Outcome outcome = solve(state, nothing, std::move(touching));
    began_ = true;
    return outcome;
}

void ContactCycle::take(std::span<const Point> contacts) {
    std::copy_n(contacts.begin(), permanent_.size(), permanent_.begin());
    activate({contacts.begin() + static_cast<std::ptrdiff_t>(permanent_.size()), contacts.end()},
             {});
    began_ = true;
}

void ContactOccurrence::remember(Memory& memory) { memory(kind, t, point, index, passed, rate); }

void ContactCycle::remember(Memory& memory) {
    std::vector<Point> contacts;
    if (memory.writes()) contacts = system_->equations->contacts();
    memory(contacts, friction_, armed_, shared_, began_, warned_, let_go_, let_go_from_, strikes_,
           limit_, skipped_, crowd_from_, crowd_, contact_states_, watch_);
    if (memory.writes() || !memory.fits() || contacts.size() < permanent_.size()) return;
    const auto permanent = contacts.begin() + static_cast<std::ptrdiff_t>(permanent_.size());
    permanent_.assign(contacts.begin(), permanent);
    closed_.assign(permanent, contacts.end());
    system_ = systems_.with(permanent_, closed_, friction_);
    // Curves go on from where they were last settled, which is not where the points are.
    if (system_ == nullptr) return;
    for (std::size_t i = 0; i < contacts.size(); ++i)
        std::copy_n(contacts[i].near, 2, system_->equations->contacts()[i].near);
}

ContactCycle::Outcome ContactCycle::review(State& state, std::span<double> driver_work) {
    if (empty()) return Outcome::unchanged;
    ending_ = false;
    return solve(state, driver_work, collect(state, touching_));
}

bool ContactCycle::simplify(State& state, std::span<double> driver_work) {
    const std::size_t before = closed_.size();
    if (before < 2) return false;
    share_ = false;
    ending_ = false;
    std::vector<Touching> touching;
    for (std::size_t i = 0; i < closed_.size(); ++i) {
        closed_[i] = system_->equations->contacts()[permanent_.size() + i];
        touching.push_back({closed_[i], static_cast<int>(i)});
    }
    const Outcome outcome = solve(state, driver_work, std::move(touching));
    share_ = true;
    return outcome == Outcome::changed && closed_.size() < before;
}

void ContactCycle::note_pressed(double t, const Point& point, const std::string& why) {
    Event e;
    e.from = "open";
    e.to = elements_text(mechanism_, point);
    e.normal_velocity_before = e.normal_velocity_after = point.rates.closing;
    e.detail = why;
    note(EventKind::contact_formed, t, point, e);
}

// It would pull next, whatever the rounding of the force says. One that is released, and deep,
// presses again. Closed contacts come first among those that touch.
void ContactCycle::let_go(std::size_t index, double t, std::vector<Touching>& touching) {
    Point& point = touching[index].point;
    const bool lags = point.law.damping > 0 || point.law.hysteresis > 0;
    const bool deep = point.compliant && lags && point.touch.gap < -touching_;
    const double speed = point.rates.closing;
    if (!point.released) {
        Event e;
        e.from = elements_text(mechanism_, point);
        e.to = "open";
        e.detail = "normal force = 0";
        if (point.compliant) {
            e.normal_velocity_before = e.normal_velocity_after = speed;
            if (point.approach > still_)
                e.detail += "; restitution " + number_text(speed / point.approach, 8);
            e.detail += " after " + number_text(t - point.began, 8) + " s";
        }
        note(EventKind::contact_lost, t, point, e);
    } else if (deep) {
        note_pressed(
            t, point,
            "pressed in by " + length_text(-point.touch.gap) + ", compliant; presses again");
    }
    if (!deep) {
        if (!is_now(let_go_from_, t)) let_go_.clear();
        let_go_from_ = t;
        let_go_.push_back(point);
        touching.erase(touching.begin() + static_cast<std::ptrdiff_t>(index));
        return;
    }
    point.released = !point.released;
    point.has_let_go = true;
    point.began = t;
    point.approach = std::max(0.0, -speed);
}

ContactCycle::Outcome ContactCycle::resolve(const ContactOccurrence& o, State& state,
                                            std::span<double> driver_work) {
    ending_ = false;
    if (state.t - crowd_from_ > 1e-3 * std::sqrt(size_ / 9.81)) {
        crowd_from_ = state.t;
        crowd_ = 0;
    }
    if (++crowd_ > 1000) {
        message_ =
            (o.point.pair >= 0 ? "contact '" + name_of(mechanism_, o.point)
                               : "friction of '" + system_->equations->friction()[o.index].name) +
            "' changes to and fro without end";
        if (o.point.pair >= 0) span_ = pair_of(o.point).span;
        return Outcome::chatter;
    }
    if (o.of_friction()) return resolve_friction(o, state, driver_work);
    if (o.kind == ContactOccurrence::Kind::passes_end) return pass_end(o, state, driver_work);
    ending_ = o.kind == ContactOccurrence::Kind::meets && accumulates(o, state);
    // Impacts that accumulate on several places end on all of them.
    std::vector<Touching> touching = collect(state, ending_ ? tolerance::hop * size_ : touching_);
    if (o.kind == ContactOccurrence::Kind::lets_go) {
        let_go(o.index, state.t, touching);
    } else {
        const bool there = std::any_of(touching.begin(), touching.end(), [&](const Touching& x) {
            return x.point.pair == o.point.pair && x.point.a == o.point.a && x.point.b == o.point.b;
        });
        if (!there)
            touching.push_back(
                {watch_.place(system_->equations->coordinates(), o.point, state.v), -1});
    }
    return solve(state, driver_work, std::move(touching));
}

ContactCycle::Outcome ContactCycle::pass_end(const ContactOccurrence& o, State& state,
                                             std::span<double> driver_work) {
    // Often the next place closes at the same time, as when a block comes to stand on its side:
    // that decides.
    // It may be as deep as a side sinks while its corner is not yet seen to have passed its end.
    std::vector<Touching> touching =
        collect(state, 10 * touching_ + 2 * tolerance::past_end * size_);
    std::erase_if(touching, [&](const Touching& x) {
        return x.was < 0 && x.point.touch.gap > 10 * touching_;
    });
    for (const Touching& x : touching)
        if (x.was < 0 && x.point.rates.closing < -still_) {
            ContactOccurrence meets;
            meets.t = o.t;
            meets.point = x.point;
            return resolve(meets, state, driver_work);
        }
    auto& equations = *system_->equations;
    const std::size_t contact = o.passed.contact;
    const bool permanent = contact < permanent_.size();
    const std::size_t index = contact - permanent_.size();
    const Point before = equations.contacts()[contact];
    const double force_before = permanent ? NAN : force_of(index, state);
    equations.set_position(state.q, state.t);
    Event e;
    if (!move_on(equations, o.passed, touching_)) {
        if (permanent) {
            message_ = "contact '" + name_of(mechanism_, before) +
                       "' is permanent but comes to the end of " +
                       element_text(mechanism_, before, o.passed.side) +
                       " at t = " + number_text(state.t, 9) + " s";
            span_ = pair_of(before).span;
            return Outcome::jam;
        }
        if (!before.released)
            note_lost(state.t, before,
                      passing_text(mechanism_, before, o.passed) + ": nothing beyond touches");
        std::erase_if(touching,
                      [&](const Touching& x) { return x.was == static_cast<int>(index); });
        // What is pressed in goes on where the end of the one is pressed into the other.
        if (before.compliant && !before.released)
            if (const auto next = place_at_end(equations, o.passed))
                touching.push_back({*next, -1, false, true});
        return solve(state, driver_work, std::move(touching));
    }
    const Point point = equations.contacts()[contact];
    (permanent ? permanent_[contact] : closed_[index]) = point;
    for (Touching& x : touching)
        if (!permanent && x.was == static_cast<int>(index)) {
            x.point = point;
            x.passed = true;
        }
    e.from = element_text(mechanism_, before, o.passed.side);
    e.to = element_text(mechanism_, point, o.passed.side);
    e.detail = passing_text(mechanism_, before, o.passed);
    const std::size_t place = events_.size();
    if (!point.released) note(EventKind::transition, state.t, point, e);
    const Outcome outcome = solve(state, driver_work, std::move(touching));
    if (permanent || point.released || outcome != Outcome::changed) return outcome;
    double force_after = NAN;
    for (std::size_t i = 0; i < closed_.size(); ++i)
        if (closed_[i].pair == before.pair && closed_[i].number == before.number)
            force_after = force_of(i, state);
    if (std::isfinite(force_after))
        events_[place].detail += "; normal force " + number_text(force_before, 7) + " N > " +
                                 number_text(force_after, 7) + " N";
    else if (place + 1 < events_.size() && events_[place + 1].kind == EventKind::contact_lost)
        events_[place + 1].detail = "at the transition, with a normal force of " +
                                    number_text(force_before, 7) +
                                    " N before: " + events_[place + 1].detail;
    return outcome;
}

}  // namespace pawl
