#include "simulation/event_cycle/transition.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/event_cycle/transition_work.h"
#include "simulation/event_cycle/window.h"
#include "simulation/placement/contact_mode.h"
#include "simulation/stepping/remember.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Point = Mode::Point;
using Kind = ContactOccurrence::Kind;

// The same time, but for the corrections of events.
bool is_now(double t, double now) { return now - t < tolerance::same_time * (1 + std::abs(now)); }

}  // namespace

void ContactOccurrence::remember(Memory& memory) { memory(kind, t, point, index, passed, rate); }

ContactWorld::ContactWorld(const PlacedMechanism& placed, DynamicSystems& made,
                           ContactProblem::Impacts order)
    : mechanism(placed.mechanism),
      layout(placed.mechanism),
      systems(made),
      impacts(order),
      size(placed.assembly.model_size),
      touching(tolerance::touching * size),
      mass(std::accumulate(
          mechanism.bodies.begin(), mechanism.bodies.end(), 0.0,
          [](double sum, const Body<Space>& body) { return sum + body.mass.value_or(0); })),
      watch(placed.mechanism, touching) {
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i) {
        const auto& pair = mechanism.contacts[i];
        if (!pair.permanent) continue;
        Point point;
        point.pair = static_cast<int>(i);
        point.a = pair.first_a;
        point.b = pair.first_b;
        for (int side = 0; side < 2; ++side) point.touch.u[side] = pair.first_u[side];
        first.permanent.push_back(point);
    }
}

double ContactWorld::still(const Mode& mode) const {
    return tolerance::still * std::sqrt(mode.typical_acceleration * size);
}

bool ContactWorld::is_empty() const {
    return watch.empty() && first.permanent.empty() && !layout.has_friction();
}

Transition transition(ContactWorld& world, const Mode& mode, const State& state,
                      const ContactOccurrence& occurrence) {
    TransitionWork work(world, mode, state);
    work.pass(occurrence);
    Transition next = work.take();
    if (next.outcome != Transition::Outcome::chatter &&
        next.outcome != Transition::Outcome::undecided)
        return next;
    // A run that cannot continue reports the reason where its steps fail.
    if (!pass_window(world, next.mode, occurrence.until, next) && next.message.empty())
        next.outcome = Transition::Outcome::unchanged;
    return next;
}

TransitionWork::TransitionWork(ContactWorld& world, const Mode& mode, const State& state)
    : world_(world), before_(mode), system_(world.system_of(before_)), forces_(world) {
    forces_.adopt(before_, *system_);
    result_.state = state;
    if (!(before_.typical_acceleration > 0)) before_.typical_acceleration = own_acceleration();
    still_ = world.still(before_);
    result_.mode = before_;
}

// The largest of gravity, the speed squared over the size, and the accelerations at this state.
double TransitionWork::own_acceleration() {
    const State& state = result_.state;
    const auto gravity = system_->equations->forces().gravity();
    double typical_acceleration =
        std::max(std::hypot(gravity.x, gravity.y), speed() * speed() / world_.size);
    auto& dynamics = *system_->dynamics;
    if (dynamics.respond(state.t, state.q, state.v, state.z) == RateOutcome::solved)
        for (std::size_t c = 0; c < state.v.size(); ++c)
            typical_acceleration =
                std::max(typical_acceleration, std::abs(dynamics.acceleration()[c]) *
                                                   system_->equations->column_scale()[c]);
    return typical_acceleration > 0 && std::isfinite(typical_acceleration)
               ? typical_acceleration
               : world_.size;  // nothing moves
}

void TransitionWork::note(EventKind kind, const Point& point, Event event) {
    event.t = result_.state.t;
    event.kind = kind;
    event.element = name_of(world_.mechanism, point);
    result_.events.push_back(std::move(event));
}

void TransitionWork::note_formed(double t, const Point& point, double force) {
    result_.events.push_back(contact_event(world_.mechanism, EventKind::contact_formed, t, point,
                                           "open", elements_text(world_.mechanism, point),
                                           {fact::NormalForce{force}}));
}

void TransitionWork::note_lost(const Point& point, std::vector<EventFact> why) {
    result_.events.push_back(
        contact_event(world_.mechanism, EventKind::contact_lost, result_.state.t, point,
                      elements_text(world_.mechanism, point), "open", std::move(why)));
}

void TransitionWork::note_pressed(const Point& point, const fact::Compression& how) {
    Event e;
    e.from = "open";
    e.to = elements_text(world_.mechanism, point);
    e.normal_velocity_before = e.normal_velocity_after = point.rates.closing;
    e.facts = {how};
    note(EventKind::contact_formed, point, e);
}

Transition::Outcome TransitionWork::fail(Outcome outcome, std::string message, Span span) {
    result_.message = std::move(message);
    result_.span = std::move(span);
    return outcome;
}

bool TransitionWork::was_just_released(const Point& point) const {
    const Mode::Release& release = result_.mode.release;
    return is_now(release.t, result_.state.t) && !(point.rates.closing < -still_) &&
           std::any_of(release.points.begin(), release.points.end(), [&](const Point& other) {
               return other.pair == point.pair && other.a == point.a && other.b == point.b;
           });
}

std::vector<TransitionWork::Touching> TransitionWork::closed_ones() {
    std::vector<Touching> touching;
    for (std::size_t i = 0; i < before_.closed.size(); ++i) {
        before_.closed[i] = system_->equations->contacts()[before_.permanent.size() + i];
        touching.push_back({before_.closed[i], static_cast<int>(i)});
    }
    return touching;
}

std::vector<TransitionWork::Touching> TransitionWork::collect(double within) {
    const State& state = result_.state;
    auto& equations = *system_->equations;
    equations.set_position(state.q, state.t);
    equations.coordinates().set_velocity(state.v);
    std::vector<Touching> touching = closed_ones();
    std::vector<Point> points;
    for (const int pair : world_.watch.pairs_within(equations.coordinates(), within)) {
        world_.watch.open_points(equations.coordinates(), pair, within, before_.closed, points);
        for (const Point& point : points) {
            const bool known =
                std::any_of(touching.begin(), touching.end(), [&, n = point.touch.n](auto& other) {
                    const auto apart = other.point.touch.p[0] - point.touch.p[0];
                    return other.point.pair == pair &&
                           std::hypot(apart.x, apart.y) < 1e3 * world_.touching &&
                           Space::dot(other.point.touch.n, n) > 1 - tolerance::same_contact_normal;
                });
            if (!known && !was_just_released(point)) touching.push_back({point, -1});
        }
    }
    return touching;
}

Transition::Outcome TransitionWork::resolve(const ContactOccurrence& o) {
    switch (o.kind) {
        case Kind::starts:
            return start();
        case Kind::is_disturbed:
            return disturb();
        case Kind::is_overloaded:
            return simplify();
        case Kind::has_no_flow:
            return leave_paradox();
        default:
            break;
    }
    Mode::Burst& burst = result_.mode.burst;
    if (result_.state.t - burst.from >
        tolerance::burst_time * std::sqrt(world_.size / before_.typical_acceleration))
        burst = {result_.state.t, 0};
    if (++burst.count > 1000)
        return fail(
            Outcome::chatter,
            (o.point.pair >= 0 ? "contact '" + name_of(world_.mechanism, o.point)
                               : "friction of '" + system_->equations->friction()[o.index].name) +
                "' keeps switching, the run cannot advance",
            o.point.pair >= 0 ? world_.pair_of(o.point).span : Span{});
    if (o.of_friction()) return turn_friction(o);
    return o.kind == Kind::passes_end ? pass_end(o) : meet(o);
}

Transition::Outcome TransitionWork::start() {
    if (world_.is_empty()) return Outcome::unchanged;
    const PlanarMechanism& mechanism = world_.mechanism;
    const State& state = result_.state;
    auto& equations = *system_->equations;
    equations.set_position(state.q, state.t);
    // Rigid contacts are as closed as coordinates can say; compliant ones may be pressed in.
    const auto allowed = [&](int pair) {
        const auto& contact = mechanism.contacts[static_cast<std::size_t>(pair)];
        return is_rigid(contact.law)
                   ? start_overlap_limit(mechanism, contact, world_.size)
                   : tolerance::pressed_at_start * world_.watch.smaller_radius(pair);
    };
    if (const auto found =
            overlap_at_start(mechanism, equations.coordinates(), world_.watch.pairs(), allowed))
        return fail(Outcome::overlap, found->message, found->span);
    double deepest = 0;
    for (const int pair : world_.watch.pairs()) deepest = std::max(deepest, allowed(pair));
    std::vector<Touching> touching = collect(deepest);
    std::erase_if(touching, [&](const Touching& x) {
        const auto& contact = pair_of(x);
        const double gap = x.point.touch.gap;
        return gap < -allowed(x.point.pair) ||
               gap >
                   (is_rigid(contact.law) ? start_gap_limit(mechanism, contact, world_.size) : 0.0);
    });
    const Outcome outcome = solve(std::move(touching), {});
    result_.mode.begun = true;
    return outcome;
}

Transition::Outcome TransitionWork::simplify() {
    if (before_.closed.size() < 2) return Outcome::unchanged;
    Given given;
    given.share = false;
    const Outcome outcome = solve(closed_ones(), given);
    return outcome == Outcome::changed && result_.mode.closed.size() >= before_.closed.size()
               ? Outcome::unchanged
               : outcome;
}

// There is an impact without collision, or other friction points slide. The mode that cannot
// continue is not a solution, although its forces were admissible until now.
Transition::Outcome TransitionWork::leave_paradox() {
    const Outcome outcome = solve(collect(world_.touching), {});
    const Mode& next = result_.mode;
    bool same = outcome == Outcome::changed && next.closed.size() == before_.closed.size() &&
                next.friction.size() == before_.friction.size();
    for (const FrictionMode& friction : next.friction) {
        const FrictionMode* before = before_.find_friction(next.name_of(friction));
        same = same && before != nullptr && before->direction == friction.direction;
    }
    return same ? fail(Outcome::undecided, "", {}) : outcome;
}

// A contact closes, or a closed one separates.
Transition::Outcome TransitionWork::meet(const ContactOccurrence& o) {
    if (o.kind == Kind::meets)
        if (const auto outcome = end_together(o)) return *outcome;
    std::vector<Touching> touching = collect(world_.touching);
    if (o.kind == Kind::separates)
        release_contact(o.index, touching);
    else
        add_meeting(o, touching);
    return solve(std::move(touching), {});
}

void TransitionWork::add_meeting(const ContactOccurrence& o, std::vector<Touching>& touching) {
    const bool there = std::any_of(touching.begin(), touching.end(), [&](const Touching& x) {
        return x.point.pair == o.point.pair && x.point.a == o.point.a && x.point.b == o.point.b;
    });
    if (!there)
        touching.push_back(
            {world_.watch.locate(system_->equations->coordinates(), o.point, result_.state.v), -1});
}

// The contact would pull next, whatever the rounding of the force indicates. A deep contact that is
// released presses again. Closed contacts come first among those that touch.
void TransitionWork::release_contact(std::size_t index, std::vector<Touching>& touching) {
    const double t = result_.state.t;
    Point& point = touching[index].point;
    const bool lags = point.law.damping > 0 || point.law.hysteresis > 0;
    const bool deep = point.compliant && lags && point.touch.gap < -world_.touching;
    const double speed = point.rates.closing;
    if (!point.released) {
        Event e;
        e.from = elements_text(world_.mechanism, point);
        e.to = "open";
        e.facts = {Cause::force_vanishes};
        if (point.compliant) {
            e.normal_velocity_before = e.normal_velocity_after = speed;
            e.facts.push_back(fact::Rebound{point.approach > still_ ? speed / point.approach : NAN,
                                            t - point.began});
        }
        note(EventKind::contact_lost, point, e);
    } else if (deep) {
        note_pressed(point, {-point.touch.gap, true});
    }
    if (!deep) {
        Mode::Release& release = result_.mode.release;
        if (!is_now(release.t, t)) release.points.clear();
        release.t = t;
        release.points.push_back(point);
        touching.erase(touching.begin() + static_cast<std::ptrdiff_t>(index));
        return;
    }
    point.released = !point.released;
    point.was_released = true;
    point.began = t;
    point.approach = std::max(0.0, -speed);
}

Transition::Outcome TransitionWork::pass_end(const ContactOccurrence& o) {
    // Often the next contact closes at the same time, as when a block comes to stand on its side:
    // that decides.
    // It may be as deep as a side sinks while its corner is not yet seen to have passed its end.
    std::vector<Touching> touching =
        collect(10 * world_.touching + 2 * tolerance::past_end * world_.size);
    std::erase_if(touching, [&](const Touching& x) {
        return x.was < 0 && x.point.touch.gap > 10 * world_.touching;
    });
    for (const Touching& x : touching)
        if (x.was < 0 && x.point.rates.closing < -still_) {
            ContactOccurrence meets;
            meets.t = o.t;
            meets.point = x.point;
            return meet(meets);
        }
    return pass_on(o, std::move(touching));
}

Transition::Outcome TransitionWork::lose_at_end(const ContactOccurrence& o,
                                                std::vector<Touching> touching) {
    auto& equations = *system_->equations;
    const Point before = equations.contacts()[o.passed.contact];
    if (o.passed.contact < before_.permanent.size())
        return fail(Outcome::jam,
                    "contact '" + name_of(world_.mechanism, before) +
                        "' is permanent but reaches the end of " +
                        element_text(world_.mechanism, before, o.passed.side) +
                        " at t = " + number_text(result_.state.t, 9) + " s",
                    world_.pair_of(before).span);
    const int index = static_cast<int>(o.passed.contact - before_.permanent.size());
    if (!before.released) note_lost(before, why_passed(before, o.passed));
    std::erase_if(touching, [&](const Touching& x) { return x.was == index; });
    if (const auto next = pressed_beyond(before, o.passed))
        touching.push_back({*next, -1, false, true});
    return solve(std::move(touching), {});
}

Transition::Outcome TransitionWork::pass_on(const ContactOccurrence& o,
                                            std::vector<Touching> touching) {
    const State& state = result_.state;
    auto& equations = *system_->equations;
    const std::size_t contact = o.passed.contact;
    const bool permanent = contact < before_.permanent.size();
    const std::size_t index = contact - before_.permanent.size();
    const Point before = equations.contacts()[contact];
    const double force_before = permanent ? NAN : forces_.normal(state, false)[index];
    equations.set_position(state.q, state.t);
    if (!move_on(equations, o.passed, world_.touching)) return lose_at_end(o, std::move(touching));
    const Point point = equations.contacts()[contact];
    (permanent ? before_.permanent[contact] : before_.closed[index]) = point;
    if (permanent) result_.mode.permanent[contact] = point;
    for (Touching& x : touching)
        if (!permanent && x.was == static_cast<int>(index)) {
            x.point = point;
            x.passed = true;
        }
    Event e;
    e.from = element_text(world_.mechanism, before, o.passed.side);
    e.to = element_text(world_.mechanism, point, o.passed.side);
    e.facts = {end_reached(world_.mechanism, before, o.passed)};
    const std::size_t first = result_.events.size();
    if (!point.released) note(EventKind::transition, point, e);
    const Outcome outcome = solve(std::move(touching), {});
    if (permanent || point.released || outcome != Outcome::changed) return outcome;
    auto& events = result_.events;
    for (std::size_t i = 0; i < result_.mode.closed.size(); ++i) {
        const Point& now = result_.mode.closed[i];
        if (now.pair != before.pair || now.number != before.number) continue;
        ContactForces after(world_);
        after.adopt(result_.mode, *world_.system_of(result_.mode));
        const double force = after.normal(state, false)[i];
        if (std::isfinite(force))
            events[first].facts.push_back(fact::ForceAtTransition{force_before, force});
        return outcome;
    }
    if (first + 1 < events.size() && events[first + 1].kind == EventKind::contact_lost)
        events[first + 1].facts.insert(events[first + 1].facts.begin(),
                                       fact::ForceAtTransition{force_before, NAN});
    return outcome;
}

}  // namespace pawl
