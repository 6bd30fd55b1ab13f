#include "simulation/event_cycle/window.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/placement/contact_mode.h"
#include "simulation/stepping/remember.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Point = Mode::Point;

// Of the time of a fall through the size: short beside what is seen of the motion, long beside the
// burst of events that it replaces. One that follows soon is as many times longer.
constexpr double first_length = 1e-4, soon = 10, longer = 4, longest = 1e-2;
// Where no mode is found at its end it is extended so often.
constexpr int max_tries = 4;
constexpr int coarse_steps = 32;
// Conditions of contact that are violated by more have no solution.
constexpr double max_residual = tolerance::window_residual;

// A contact that presses at the end of the steps.
struct Pressing {
    Point point;
    double slip = 0;  // m/s
};

double distance(Space::Vector a, Space::Vector b) { return std::hypot(a.x - b.x, a.y - b.y); }

// T + V without the work done: constant where the ledger is complete.
double unaccounted(ContactWorld& world, const State& state) {
    auto& equations = *world.systems.with({}, {}, {})->equations;
    equations.set_position(state.q, state.t);
    equations.set_inertia();
    equations.set_velocity(state.v);
    equations.set_forces(state.z);
    double sum = equations.inertia().kinetic_energy() + equations.forces().potential();
    for (std::size_t i = world.mechanism.states.size(); i < state.z.size(); ++i) sum -= state.z[i];
    return sum;
}

// Points keep their numbers as long as they are on the same elements.
void number(std::vector<Pressing>& pressing, const std::vector<Point>& before) {
    std::vector<Point> taken;
    std::vector<char> known(pressing.size(), 0);
    for (std::size_t i = 0; i < pressing.size(); ++i)
        for (const Point& old : before) {
            Point& point = pressing[i].point;
            if (known[i] || old.pair != point.pair || old.a != point.a || old.b != point.b)
                continue;
            const auto is_taken = [&](const Point& p) {
                return p.pair == old.pair && p.number == old.number;
            };
            if (std::any_of(taken.begin(), taken.end(), is_taken)) continue;
            point.number = old.number;
            known[i] = 1;
            taken.push_back(point);
        }
    for (std::size_t i = 0; i < pressing.size(); ++i)
        if (!known[i]) taken.push_back(pressing[i].point = numbered(pressing[i].point, taken));
}

class Settling {
public:
    Settling(ContactWorld& world, const Mode& before, const Stretch& stretch)
        : world_(world), before_(before), stretch_(stretch), state_(stretch.state) {}

    // The mode and state that the event-driven run continues with; false where there are none.
    bool settle() {
        find_near_points();
        number(pressing_, before_.closed);
        return close_gaps() && stop();
    }
    [[nodiscard]] const Mode& mode() const { return mode_; }
    [[nodiscard]] const State& state() const { return state_; }

private:
    // What presses in the last step is closed; what has sunk besides is to come out.
    void find_near_points() {
        auto& equations = *world_.systems.with({}, {}, {})->equations;
        equations.set_position(state_.q, state_.t);
        equations.coordinates().set_velocity(state_.v);
        double reach = world_.touching + stretch_.step * stretch_.gain;
        for (const MoreauStep::Contact& c : stretch_.last)
            if (c.normal > 0) reach = std::max(reach, 2 * std::abs(c.touch.gap));
        std::vector<Point> points;
        for (const int pair : world_.watch.pairs_within(equations.coordinates(), reach)) {
            world_.watch.open_points(equations.coordinates(), pair, reach, {}, points);
            for (const Point& point : points) add(point);
        }
    }

    void add(const Point& point) {
        constexpr double near = 0.05;  // of the smaller body: the same contact of the steps
        const double far = near * world_.watch.smaller_radius(point.pair);
        const auto is_same = [&](const Point& other) {
            return other.pair == point.pair &&
                   distance(other.touch.p[0], point.touch.p[0]) < 1e3 * world_.touching &&
                   Space::dot(other.touch.n, point.touch.n) > 1 - tolerance::same_contact_normal;
        };
        if (std::any_of(pressing_.begin(), pressing_.end(),
                        [&](const Pressing& p) { return is_same(p.point); }))
            return;
        for (const MoreauStep::Contact& c : stretch_.last)
            if (c.pair == point.pair && c.normal > 0 &&
                distance(c.touch.p[0], point.touch.p[0]) < far &&
                Space::dot(c.touch.n, point.touch.n) > 0.9) {
                pressing_.push_back({point, c.slip[1]});
                return;
            }
        if (point.touch.gap < -world_.touching) sunk_.push_back(point);
    }

    // Gaps of what presses or has sunk become zero; velocities stay.
    bool close_gaps() {
        std::vector<Point> points = sunk_;
        for (const Pressing& p : pressing_) points.push_back(p.point);
        DynamicSystem* held = world_.systems.with({}, points, {});
        held->dynamics->forget();
        State placed = state_;
        if (held->dynamics->project(placed) < 0) return false;
        state_.q = placed.q;
        return true;
    }

    // What presses has no normal velocity, what sticks no slip.
    bool stop() {
        const double rest = tolerance::window_rest * stretch_.gain;
        mode_ = {};
        mode_.begun = true;
        mode_.typical_acceleration = before_.typical_acceleration;
        for (const Pressing& p : pressing_) mode_.closed.push_back(p.point);
        std::vector<FrictionMode> sliding;
        for (FrictionMode friction : friction_points(world_.mechanism, mode_.closed)) {
            const double slip = pressing_[static_cast<std::size_t>(friction.contact)].slip;
            if (std::abs(slip) <= rest) {
                mode_.friction.push_back(friction);
                continue;
            }
            friction.direction = slip > 0 ? 1 : -1;
            friction.fast = true;
            sliding.push_back(friction);
        }
        DynamicSystem* held = world_.system_of(mode_);
        held->dynamics->forget();
        if (held->dynamics->project(state_) < 0) return false;
        mode_.friction.insert(mode_.friction.end(), sliding.begin(), sliding.end());
        return true;
    }

    ContactWorld& world_;
    const Mode& before_;
    const Stretch& stretch_;
    std::vector<Pressing> pressing_;
    std::vector<Point> sunk_;
    Mode mode_;
    State state_;
};

// Contacts that formed and were lost on the way.
void note_changes(const ContactWorld& world, const Mode& from, const Mode& to, double t,
                  std::vector<Event>& events) {
    const auto& mechanism = world.mechanism;
    const auto has = [](const Mode& mode, const Point& point) {
        return std::any_of(mode.closed.begin(), mode.closed.end(), [&](const Point& p) {
            return p.pair == point.pair && p.number == point.number;
        });
    };
    for (const Point& point : from.closed)
        if (!has(to, point))
            events.push_back(contact_event(mechanism, EventKind::contact_lost, t, point,
                                           elements_text(mechanism, point), "open",
                                           {Cause::in_a_window}));
    for (const Point& point : to.closed)
        if (!has(from, point))
            events.push_back(contact_event(mechanism, EventKind::contact_formed, t, point, "open",
                                           elements_text(mechanism, point), {Cause::in_a_window}));
}

Event event_of(const Window& window) {
    Event e;
    e.t = window.t;
    e.kind = EventKind::window;
    e.facts = {
        fact::TimeSteps{window.length, window.step, window.position_error, window.velocity_error},
        window.reason};
    return e;
}

// The only two reasons for a window.
Cause reason_of(Transition::Outcome outcome) {
    return outcome == Transition::Outcome::chatter ? Cause::too_many_events
                                                   : Cause::no_forces_found;
}

double length_of(const ContactWorld& world, const Mode& mode, double t) {
    const double fall = std::sqrt(world.size / mode.typical_acceleration);
    const Mode::LastWindow& last = mode.window;
    return last.length > 0 && t - last.end < soon * last.length
               ? std::min(longer * last.length, longest * fall)
               : first_length * fall;
}

// At the end of a window the pressing contacts are closed; the work that its steps did not account
// for is attributed to the pair with the largest impulse.
struct HandedOver {
    Mode mode;
    Transition next;
    double energy_error = 0;
};

std::optional<HandedOver> hand_over(ContactWorld& world, const Mode& before, const State& start,
                                    const Stretch& stretch, double length) {
    Settling settling(world, before, stretch);
    if (!settling.settle()) return std::nullopt;
    State state = settling.state();
    HandedOver out{settling.mode(), {}, unaccounted(world, state) - unaccounted(world, start)};
    state.z[world.layout.contacts + static_cast<std::size_t>(stretch.busiest)] += out.energy_error;
    out.mode.burst = {state.t, 0};
    out.mode.window = {state.t, length};
    ContactOccurrence disturbed;
    disturbed.kind = ContactOccurrence::Kind::is_disturbed;
    disturbed.t = state.t;
    using Outcome = Transition::Outcome;
    out.next = transition(world, out.mode, state, disturbed);
    if (out.next.outcome == Outcome::unchanged) out.next.outcome = Outcome::changed;
    if (out.next.outcome != Outcome::changed) return std::nullopt;
    return out;
}

}  // namespace

void PassedWindow::remember(Memory& memory) { memory(record, before, start, steps); }

std::optional<Stretch> step_over(ContactWorld& world, const State& start, double length, int steps,
                                 double until) {
    DynamicSystem* free = world.systems.with({}, {}, {});
    free->dynamics->forget();
    MoreauStep step(world.mechanism, *free);
    Stretch out;
    out.state = start;
    out.step = length / steps;
    std::vector<double> impulses(world.mechanism.contacts.size(), 0.0);
    for (int k = 1; k <= steps && out.state.t < until; ++k) {
        const double end = std::min(start.t + length * k / steps, until);
        if (step.advance(out.state, end - out.state.t, {}) != MoreauStep::Outcome::stepped)
            return std::nullopt;
        out.state.t = end;
        for (const MoreauStep::Contact& c : step.contacts())
            impulses[static_cast<std::size_t>(c.pair)] += c.normal;
    }
    out.last = step.contacts();
    out.gain = step.gain();
    out.residual = step.statistics().worst_residual;
    out.busiest =
        static_cast<int>(std::max_element(impulses.begin(), impulses.end()) - impulses.begin());
    return out;
}

bool pass_window(ContactWorld& world, const Mode& before, double until, Transition& next) {
    Span where;
    if (!unknown_to_time_stepping(world.mechanism, where).empty()) return false;
    const State& start = next.state;
    const double least = first_length * std::sqrt(world.size / before.typical_acceleration);
    double length = length_of(world, before, start.t);
    const auto& scale = world.systems.with({}, {}, {})->equations->column_scale();
    for (int i = 0, steps = coarse_steps; i < max_tries; ++i, length *= 2, steps *= 2) {
        length = std::min(length, until - start.t);
        if (!(length > tolerance::shortest_window * least)) return false;
        const auto coarse = step_over(world, start, length, steps),
                   fine = step_over(world, start, length, 2 * steps);
        if (!coarse || !fine || fine->residual > max_residual) return false;
        auto handed = hand_over(world, before, start, *fine, length);
        if (!handed) continue;
        Window window{
            start.t, length, fine->step, 0, 0, handed->energy_error, reason_of(next.outcome)};
        for (std::size_t c = 0; c < start.q.size(); ++c) {
            const double dq = std::abs(coarse->state.q[c] - fine->state.q[c]),
                         dv = std::abs(coarse->state.v[c] - fine->state.v[c]);
            window.position_error = std::max(window.position_error, dq * scale[c]);
            window.velocity_error = std::max(window.velocity_error, dv * scale[c]);
        }
        Transition& after = handed->next;
        std::vector<Event> events = std::move(next.events);
        events.push_back(event_of(window));
        note_changes(world, before, handed->mode, fine->state.t, events);
        events.insert(events.end(), after.events.begin(), after.events.end());
        after.events = std::move(events);
        after.window = {window, before, start, 2 * steps};
        next = std::move(after);
        return true;
    }
    return false;
}

State state_inside(ContactWorld& world, const PassedWindow& window, double t) {
    const auto stretch = step_over(world, window.start, window.record.length, window.steps, t);
    if (!stretch) return window.start;
    Settling settling(world, window.before, *stretch);
    return settling.settle() ? settling.state() : stretch->state;
}

std::optional<Transition> transition_inside(ContactWorld& world, const PassedWindow& window,
                                            double t) {
    const auto stretch = step_over(world, window.start, window.record.length, window.steps, t);
    if (!stretch) return std::nullopt;
    auto handed = hand_over(world, window.before, window.start, *stretch, window.record.length);
    if (!handed) return std::nullopt;
    return std::move(handed->next);
}

}  // namespace pawl
