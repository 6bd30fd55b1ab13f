#include "simulation/sensitivity/shadow.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/placement/initial_velocities.h"
#include "simulation/stepping/break_times.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Kind = RunCourse::Kind;

DynamicOptions of_shadow(DynamicOptions options) {
    options.course = nullptr;
    options.progress = {};
    options.spool = {};
    options.make_equations = {};
    options.make_solver = {};
    return options;
}

MechanismEquations<Space>::Choice choice(const DynamicOptions& options) {
    MechanismEquations<Space>::Choice choice;
    choice.coordinates = options.coordinates;
    return choice;
}

}  // namespace

std::vector<double*> continuous_numbers(Mode& mode) {
    std::vector<double*> out{&mode.release.t};
    for (double& t : mode.impacts) out.push_back(&t);
    for (auto* points : {&mode.permanent, &mode.closed})
        for (auto& point : *points)
            out.insert(out.end(), {&point.began, &point.approach, &point.law.stiffness,
                                   &point.law.exponent, &point.law.hysteresis, &point.law.damping});
    for (FrictionMode& friction : mode.friction) out.push_back(&friction.held);
    for (EngagedCoupling& coupling : mode.engaged)
        for (double& held : coupling.held) out.push_back(&held);
    return out;
}

bool is_same_mode(const Mode& a, const Mode& b, std::string& why) {
    const auto differ = [&](const char* what) {
        why = what;
        return false;
    };
    const auto same_points = [](const std::vector<Mode::Point>& x,
                                const std::vector<Mode::Point>& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& p, const auto& q) {
            return p.pair == q.pair && p.a == q.a && p.b == q.b && p.compliant == q.compliant &&
                   p.released == q.released;
        });
    };
    const auto same_friction = [](const FrictionMode& p, const FrictionMode& q) {
        return p.joint == q.joint && p.contact == q.contact && p.rolling == q.rolling &&
               p.direction == q.direction;
    };
    const auto same_coupling = [](const EngagedCoupling& p, const EngagedCoupling& q) {
        return p.coupling == q.coupling;
    };
    if (!same_points(a.permanent, b.permanent) || !same_points(a.closed, b.closed))
        return differ("different contacts are closed after it");
    if (!std::equal(a.friction.begin(), a.friction.end(), b.friction.begin(), b.friction.end(),
                    same_friction))
        return differ("different friction points stick or slide after it");
    if (!std::equal(a.engaged.begin(), a.engaged.end(), b.engaged.begin(), b.engaged.end(),
                    same_coupling))
        return differ("different couplings are engaged after it");
    if (a.impacts.size() != b.impacts.size()) return differ("different impacts precede it");
    return true;
}

Shadow::Shadow(PlacedMechanism placed, const DynamicOptions& options)
    : placed_(std::move(placed)),
      options_(of_shadow(options)),
      systems_(placed_, choice(options_), Formulation::multipliers, {}, {}, options_.system_room),
      cycle_(placed_, systems_,
             options_.sequential_impacts ? ContactProblem::Impacts::sequential
                                         : ContactProblem::Impacts::simultaneous,
             aside_.events),
      switches_(placed_.mechanism),
      breaks_(break_times(placed_.mechanism, 0, options_.end)) {
    if (options_.reactions) cycle_.report_joint_impulses(placed_);
    aside_.dynamics = Formulation::multipliers;
}

bool Shadow::begin(ShadowPoint& point) {
    const auto& mechanism = placed_.mechanism;
    DynamicSystem& system = cycle_.system();
    State& state = point.state;
    state = {};
    state.z.assign(static_cast<std::size_t>(system.dynamics->auxiliary_size()), 0.0);
    state.q = system.equations->coordinates().from_positions(placed_.assembly.positions);
    for (std::size_t i = 0; i < mechanism.states.size(); ++i)
        state.z[i] = mechanism.states[i].start;
    system.equations->set_position(state.q, state.t);
    if (!system.equations->set_inertia()) return fail("a coordinate has no inertia");
    double moved = 0;
    state.v = initial_velocities(placed_, *system.equations, state.q, &moved);
    point.mode = cycle_.mode();
    return project(state);
}

void Shadow::look(const ShadowPoint& point, const RunCourse::Entry& from) {
    systems_.tidy(cycle_.system());
    systems_.set_sides(from.sides);
    cycle_.adopt(point.mode);
    auto& contacts = cycle_.system().equations->contacts();
    for (std::size_t i = 0; i < std::min(contacts.size(), from.near.size()); ++i)
        std::copy_n(from.near[i].begin(), 2, contacts[i].near);
    cycle_.system().dynamics->set_near_singular(from.near_singular);
    cycle_.begin_step(point.state);
}

bool Shadow::settle(ShadowPoint& point, const RunCourse::Entry& from) {
    auto& equations = *cycle_.system().equations;
    equations.set_position(point.state.q, point.state.t);
    for (std::size_t k = 0; k < point.mode.friction.size(); ++k)
        if (FrictionMode& friction = point.mode.friction[k];
            friction.joint >= 0 && friction.direction == 0)
            friction.held = equations.friction_value(k);
    for (EngagedCoupling& coupling : point.mode.engaged)
        coupling.held = equations.coupling_values(coupling.coupling);
    look(point, from);
    return project(point.state);
}

// To rounding, as near singular positions: what is left would be divided by the distance.
bool Shadow::project(State& state) {
    Dynamics& dynamics = *cycle_.system().dynamics;
    const bool near = dynamics.near_singular();
    dynamics.set_near_singular(true);
    const bool found = dynamics.project(state) >= 0;
    dynamics.set_near_singular(near);
    return found || fail("the constraints cannot be satisfied");
}

bool Shadow::rates(const State& state, State& rates) {
    Dynamics& dynamics = *cycle_.system().dynamics;
    y_.resize(static_cast<std::size_t>(dynamics.size()));
    dynamics.pack(state, y_);
    std::vector<double> dy(y_.size());
    if (dynamics.rates(state.t, y_, dy) != RateOutcome::solved)
        return fail("the accelerations have no solution");
    rates = state;
    dynamics.unpack(dy, rates);  // of (q, v, z) by multipliers
    return true;
}

bool Shadow::flow(ShadowPoint& point, double h) {
    State& state = point.state;
    if (h == 0) return true;
    Dynamics& dynamics = *cycle_.system().dynamics;
    y_.resize(static_cast<std::size_t>(dynamics.size()));
    dynamics.pack(state, y_);
    dynamics.forget_rates();
    if (!step_.take(state.t, h, y_, [&](double t, auto y, auto dy) {
            return dynamics.rates(t, y, dy) == RateOutcome::solved;
        }))
        return fail("the accelerations have no solution");
    state.t += h;
    dynamics.unpack(y_, state);
    point.error5 = step_.error5();
    point.error3 = step_.error3();
    return project(state);
}

// Newton's method with the rate that the guard gives, the secant's where it gives none.
template <class Guard>
bool Shadow::flow_to_zero(ShadowPoint& point, double h, const Guard& guard) {
    constexpr int max_iterations = 30;
    const ShadowPoint from = point;
    const double first = h;
    double before = INFINITY, t_before = NAN, value_before = NAN;
    for (int i = 0; i < max_iterations; ++i) {
        point = from;
        if (!flow(point, h)) return false;
        auto [value, rate] = guard(point.state);
        const bool has_rate = std::isfinite(rate) && rate != 0;
        if (i > 0 && h != t_before && !has_rate) rate = (value - value_before) / (h - t_before);
        if (i == 0 && !has_rate) {
            ShadowPoint earlier = from;
            const double part = tolerance::shadow_step * h;
            if (!flow(earlier, h - part)) return false;
            rate = (value - guard(earlier.state).first) / part;
        }
        t_before = h;
        value_before = value;
        const double change = value == 0 ? 0 : -value / rate;
        const double rounding = tolerance::shadow_rounding * (1 + std::abs(point.state.t));
        if (!std::isfinite(change) || std::abs(h + change - first) > 0.5 + std::abs(first))
            return fail("it does not occur");
        if (std::abs(change) <= rounding ||
            (std::abs(change) < 1e4 * rounding && !(std::abs(change) < 0.5 * before)))
            return true;
        before = std::abs(change);
        h += change;
    }
    return fail("its time does not converge");
}

bool Shadow::flow_to(ShadowPoint& point, double h, const ContactOccurrence& occurrence) {
    // The rate of a force or a slip is that of the run, which serves for a start.
    return flow_to_zero(point, h, [&](const State& state) {
        auto found = cycle_.guard(occurrence, state);
        using Kind = ContactOccurrence::Kind;
        if (occurrence.kind == Kind::separates || occurrence.kind == Kind::load_turns ||
            occurrence.of_friction())
            found.second = NAN;
        return found;
    });
}

bool Shadow::flow_to_switch(ShadowPoint& point, double h, std::size_t which) {
    auto& equations = *cycle_.system().equations;
    return flow_to_zero(point, h, [&](const State& state) {
        equations.set_position(state.q, state.t);
        equations.coordinates().set_velocity(state.v);
        const auto& values =
            switches_.evaluate(equations.coordinates(), state.t,
                               std::span(state.z).first(placed_.mechanism.states.size()));
        return std::pair{values[which], NAN};
    });
}

bool Shadow::transit(ShadowPoint& point, const ContactOccurrence& occurrence) {
    ContactOccurrence own = occurrence;
    own.t = point.state.t;
    own.until = -INFINITY;
    Transition next = cycle_.preview(own, point.state);
    if (next.outcome != Transition::Outcome::unchanged &&
        next.outcome != Transition::Outcome::changed)
        return fail("no continuation satisfies the contacts");
    if (next.window) return fail("the motion continues by time stepping");
    point.state = std::move(next.state);
    point.mode = std::move(next.mode);
    point.events = std::move(next.events);
    std::erase_if(point.events,
                  [](const Event& e) { return e.is_due_to(Cause::uniqueness_not_shown); });
    if (next.outcome == Transition::Outcome::unchanged) return true;
    cycle_.adopt(point.mode);
    return project(point.state);
}

bool Shadow::pass(ShadowPoint& point, const RunCourse::Entry& entry) {
    switch (entry.kind) {
        case Kind::transition:
            if (entry.by_window) return fail("the motion continues by time stepping");
            if (entry.occurrence.kind == ContactOccurrence::Kind::load_turns) return true;
            return transit(point, entry.occurrence);
        case Kind::engages:
            if (!cycle_.engage(entry.engaged, point.state)) return fail("a body has no inertia");
            point.mode = cycle_.mode();
            return project(point.state);
        case Kind::impulses:
            return give_impulses(point);
        case Kind::overload:
            return fail("closed contacts cannot be kept closed together");
        default:
            return true;
    }
}

// Where they meet, at the state that the equations hold.
std::vector<ContactOccurrence> Shadow::each_of(const ContactOccurrence& first,
                                               std::span<const Event> together) {
    const auto& contacts = placed_.mechanism.contacts;
    std::vector<ContactOccurrence> out{first};
    for (const Event& event : together) {
        if (event.kind != EventKind::impact) continue;
        const auto pair = std::find_if(contacts.begin(), contacts.end(), [&](const auto& contact) {
            return event.element.starts_with(contact.name + "#");
        });
        const int number = static_cast<int>(pair - contacts.begin());
        if (pair == contacts.end() || std::any_of(out.begin(), out.end(), [&](const auto& o) {
                return o.point.pair == number;
            }))
            continue;
        const auto nearest =
            cycle_.watch().nearest_point(cycle_.system().equations->coordinates(), number);
        if (!nearest) continue;
        out.push_back(first);
        out.back().point = *nearest;
    }
    return out;
}

bool Shadow::pass_each(ShadowPoint& point, double end, const RunCourse::Entry& entry,
                       std::span<const Event> together) {
    // At the end some may lie in each other: then from a little before.
    std::vector<ContactOccurrence> waiting;
    for (const double share : {1.0, 0.99, 0.5}) {
        ShadowPoint there = point;
        if (!flow(there, share * (end - there.state.t))) return false;
        cycle_.system().equations->set_motion(there.state.q, there.state.v, there.state.t);
        std::vector<ContactOccurrence> found = each_of(entry.occurrence, together);
        if (found.size() > waiting.size()) waiting = std::move(found);
    }
    if (waiting.size() < 2) return fail("it coincides with another event");
    std::vector<Event> events;
    while (!waiting.empty()) {
        std::optional<ShadowPoint> next;
        std::size_t which = 0;
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            ShadowPoint at = point;
            if (!flow_to(at, end - at.state.t, waiting[i])) return false;
            if (next && !(at.state.t < next->state.t)) continue;
            next = std::move(at);
            which = i;
        }
        point = std::move(*next);
        if (!transit(point, waiting[which])) return false;
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(which));
        events.insert(events.end(), point.events.begin(), point.events.end());
        cycle_.begin_step(point.state);
    }
    // In the order of the course.
    point.events.clear();
    for (const Event& ours : together) {
        const auto found = std::find_if(events.begin(), events.end(), [&](const Event& e) {
            return e.kind == ours.kind && e.element == ours.element;
        });
        if (found == events.end()) return fail("with changed values the events differ");
        point.events.push_back(std::move(*found));
        events.erase(found);
    }
    if (!events.empty()) return fail("with changed values more events occur");
    auto& impacts = point.mode.impacts;
    impacts.resize(std::min(impacts.size(), entry.mode->impacts.size()));
    return flow(point, end - point.state.t);
}

bool Shadow::give_impulses(ShadowPoint& point) {
    const auto& mechanism = placed_.mechanism;
    State& state = point.state;
    auto& equations = *cycle_.system().equations;
    const auto kinetic = [&] {
        equations.set_position(state.q, state.t);
        equations.coordinates().set_velocity(state.v);
        return equations.inertia().kinetic_energy();
    };
    for (std::size_t i = 0; i < mechanism.forces.size(); ++i) {
        const auto* impulse = std::get_if<GivenImpulse<Space>>(&mechanism.forces[i].kind);
        if (!impulse || std::abs(impulse->at - state.t) > tolerance::near_time * (1 + state.t))
            continue;
        const double before = kinetic();
        std::vector<EventFact> facts;
        cycle_.take_impulse(state, given_impulse(mechanism, i, equations.coordinates()), facts);
        state.z[mechanism.states.size() + i] += kinetic() - before;
    }
    return true;
}

double Shadow::break_time(std::size_t which) const {
    return which < breaks_.size() ? breaks_[which] : NAN;
}

std::optional<std::size_t> Shadow::sample(ShadowPoint point) {
    if (!record_) record_ = std::make_unique<DynamicRecord>(placed_, options_, cycle_, aside_);
    if (!project(point.state) || !record_->sample(point.state)) return std::nullopt;
    return aside_.trajectory.rows() - 1;
}

const Trajectory& Shadow::rows() {
    if (record_ && !widened_) record_->add_contact_columns();
    widened_ = true;
    return aside_.trajectory;
}

}  // namespace pawl
