#include "simulation/event_cycle/contact_cycle.h"

#include <iterator>

#include "simulation/event_cycle/window.h"
#include "simulation/stepping/remember.h"

namespace pawl {

ContactCycle::ContactCycle(const PlacedMechanism& placed, DynamicSystems& systems,
                           ContactProblem::Impacts impacts, std::vector<Event>& events)
    : world_(placed, systems, impacts),
      mode_(world_.first),
      forces_(world_),
      events_(events),
      contact_states_(placed) {
    system_ = world_.system_of(mode_);
    if (system_ != nullptr) forces_.adopt(mode_, *system_);
}

void ContactCycle::enforce() {
    system_ = world_.system_of(mode_);
    if (system_ == nullptr) return;
    forces_.adopt(mode_, *system_);
    // What it has settled on while it was in force before does not count; the same pairs may have
    // been closed on other elements then.
    system_->dynamics->forget();
    system_->dynamics->response().set_start({});
    if (system_->independence) system_->independence->forget();
}

void ContactCycle::adopt(const Mode& mode) {
    mode_ = mode;
    enforce();
    begun_at_ = NAN;
}

Transition ContactCycle::preview(const ContactOccurrence& occurrence, const State& state) {
    system_->equations->set_motion(state.q, state.v, state.t);
    follow_points();
    return transition(world_, mode_, state, occurrence);
}

void ContactCycle::renew() {
    follow_points();
    world_.systems.clear();
    enforce();
}

void ContactCycle::take(std::span<const Point> contacts) {
    const auto permanent = static_cast<std::ptrdiff_t>(mode_.permanent.size());
    mode_.permanent.assign(contacts.begin(), contacts.begin() + permanent);
    mode_.closed.assign(contacts.begin() + permanent, contacts.end());
    mode_.friction.clear();
    mode_.begun = true;
    enforce();
}

void ContactCycle::follow_points() {
    const auto& points = system_->equations->contacts();
    const std::size_t permanent = mode_.permanent.size();
    for (std::size_t i = 0; i < points.size(); ++i)
        (i < permanent ? mode_.permanent[i] : mode_.closed[i - permanent]) = points[i];
}

void ContactCycle::remember(Memory& memory) {
    if (memory.writes()) follow_points();
    memory(mode_, told_not_shown_, contact_states_, world_.watch);
    if (memory.writes() || !memory.fits()) return;
    system_ = world_.system_of(mode_);
    if (system_ == nullptr) return;
    forces_.adopt(mode_, *system_);
    // Curves continue from where they were last settled, which is not where the points are.
    const std::vector<Point> points = mode_.contacts();
    for (std::size_t i = 0; i < points.size(); ++i)
        std::copy_n(points[i].near, 2, system_->equations->contacts()[i].near);
}

void ContactCycle::record(std::vector<Event> events) {
    for (Event& event : events) {
        if (event.is_due_to(Cause::uniqueness_not_shown) && std::exchange(told_not_shown_, true))
            continue;
        events_.push_back(std::move(event));
    }
}

ContactCycle::Outcome ContactCycle::resolve(const ContactOccurrence& occurrence, State& state) {
    window_.reset();
    if (occurrence.kind == ContactOccurrence::Kind::load_turns) return Outcome::unchanged;
    follow_points();
    Transition next = transition(world_, mode_, state, occurrence);
    record(std::move(next.events));
    message_ = std::move(next.message);
    span_ = std::move(next.span);
    window_ = std::move(next.window);
    state = std::move(next.state);
    mode_ = std::move(next.mode);
    if (next.outcome != Outcome::changed) return next.outcome;
    contact_states_.note(events_, system_->equations->coordinates(), mode_.permanent, mode_.closed);
    enforce();
    return next.outcome;
}

State ContactCycle::state_inside(const PassedWindow& window, double t) {
    return pawl::state_inside(world_, window, t);
}

void ContactCycle::look_inside(const PassedWindow& window, double t,
                               const std::function<void(const State&)>& look) {
    const auto inside = transition_inside(world_, window, t);
    if (!inside) return;
    const Mode in_force = mode_;
    adopt(inside->mode);
    look(inside->state);
    adopt(in_force);
}

bool ContactCycle::take_impulse(State& state, const std::vector<Space::Wrench>& on_bodies,
                                std::vector<EventFact>& facts) {
    follow_points();
    std::vector<Point> compliant;
    std::copy_if(mode_.closed.begin(), mode_.closed.end(), std::back_inserter(compliant),
                 [](const Point& point) { return point.compliant; });
    DynamicSystem* base = world_.systems.with(mode_.permanent, compliant, {}, mode_.engaged);
    base->dynamics->forget();
    auto& equations = *base->equations;
    equations.set_position(state.q, state.t);
    std::vector<double> jump(state.v.size()), work;
    equations.inertia().pull_back(on_bodies, jump);
    if (!base->dynamics->set_position(state)) return false;
    base->dynamics->answer_impulse(jump, work);
    for (std::size_t c = 0; c < jump.size(); ++c) state.v[c] += jump[c];
    if (!world_.impulses) return true;
    if (auto found = world_.impulses->find(equations, state, jump, on_bodies, mode_.permanent))
        facts.emplace_back(std::move(*found));
    return true;
}

}  // namespace pawl
