// Friction in a transition: which friction points stick and which slide after an event.
#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/event_cycle/transition_work.h"
#include "simulation/placement/contact_mode.h"
#include "simulation/stepping/dynamic_failure.h"

namespace pawl {

namespace {

std::string mode_text(int direction) {
    return direction == 0 ? "sticking" : direction > 0 ? "sliding +" : "sliding -";
}

std::size_t index_of(int i) { return static_cast<std::size_t>(i); }

}  // namespace

// The friction points of joints and of contacts at rest whose friction can be determined: not of
// those that drivers hold.
std::vector<int> TransitionWork::rubbing_points(const TouchingProblem& together, int touching,
                                                const std::vector<int>& at_rest) const {
    const auto& equations = *together.all->equations;
    const ContactProblem& problem = together.problem;
    const int first = static_cast<int>(together.all->equations->contacts().size()) - touching;
    std::vector<int> friction_points;
    for (int k = 0; k < static_cast<int>(equations.friction().size()); ++k) {
        const int contact = together.all->equations->friction_modes()[index_of(k)].contact - first;
        const bool apart =
            contact >= 0 && std::find(at_rest.begin(), at_rest.end(), contact) == at_rest.end();
        const int row = touching + k;
        const bool idle = !(problem.response()(row, row) > 0) &&
                          std::abs(problem.velocity()[row]) <= still_ &&
                          std::abs(problem.acceleration()[row]) <= still_;
        if (!apart && !idle) friction_points.push_back(k);
    }
    return friction_points;
}

// A friction point that has just begun to slide, still slower than rounding, continues to slide: at
// rest its friction is at the limit, and only rounding would decide whether it holds.
std::vector<int> TransitionWork::give_directions(const TouchingProblem& together, int touching,
                                                 const std::vector<int>& friction_points,
                                                 const Given& given, FrictionTask& task) const {
    const ContactProblem& problem = together.problem;
    const auto& contacts = together.all->equations->contacts();
    std::vector<int> goes_on(friction_points.size(), 0);
    const bool strikes = std::any_of(result_.events.begin(), result_.events.end(),
                                     [](const Event& e) { return e.kind == EventKind::impact; });
    for (std::size_t k = 0; k < friction_points.size(); ++k) {
        auto& point = task.points[k];
        const auto& mode = together.all->equations->friction_modes()[index_of(friction_points[k])];
        const int row = touching + friction_points[k];
        if (point.law.smooth > 0) {  // slides whatever its speed, and its friction knows the way
            point.direction = 1;
            continue;
        }
        const FrictionPointName name = name_of_friction_point(mode, contacts);
        // After a slip has ended, the remaining speed is that due to the error of the event time,
        // unless an impact has changed it in the meantime.
        constexpr double located = 100;
        const bool stops = given.stops == name && !strikes;
        if (std::abs(problem.velocity()[row]) > (stops ? located : 1) * still_)
            point.direction = point.slip > 0 ? 1 : -1;
        else
            point.slip = 0;
        if (point.direction == 0 && !(problem.response()(row, row) > 0))
            point.direction = problem.acceleration()[row] > 0 ? 1 : -1;
        if (const FrictionMode* now = before_.find_friction(name)) {
            point.before = now->direction;
            if (now->direction == 0)
                point.gives_way = given.rest_ends;
            else if (point.direction == 0 && !now->fast)
                point.direction = goes_on[k] = now->direction;
        }
        for (const auto& [begins, way] : given.begins)
            if (begins == name) {
                point.direction = way;
                point.slip = 0;
            }
    }
    return goes_on;
}

Transition::Outcome TransitionWork::solve_friction(
    TouchingProblem& together, const std::vector<Touching>& touching, std::vector<Point> closed,
    const std::vector<int>& at_rest, const std::vector<double>& forming, const Given& given) {
    ContactProblem& problem = together.problem;
    problem.set_velocity(result_.state);
    if (!problem.find_free(result_.state))
        return fail(Outcome::painleve,
                    "the motion without contact forces is not finite at t = " +
                        number_text(result_.state.t, 9) + " s",
                    touching.empty() ? Span{} : pair_of(touching.front()).span);
    const int n = static_cast<int>(touching.size());
    const std::vector<int> friction_points = rubbing_points(together, n, at_rest);
    FrictionTask task = task_of(together, result_.state, at_rest, friction_points);
    for (const int i : at_rest) task.separates.push_back(pair_of(touching[index_of(i)]).separates);
    const std::vector<int> goes_on = give_directions(together, n, friction_points, given, task);
    FrictionProblem friction(task);
    FrictionOutcome outcome = friction.solve();
    const bool any_goes_on =
        std::any_of(goes_on.begin(), goes_on.end(), [](int way) { return way != 0; });
    if (outcome == FrictionOutcome::none && (!given.begins.empty() || any_goes_on)) {
        // The named contacts do not fit, probably by rounding; release any that yield.
        for (std::size_t k = 0; k < friction_points.size(); ++k) {
            if (goes_on[k] != 0) task.points[k].direction = 0;
            const FrictionPointName name = name_of_friction_point(
                together.all->equations->friction_modes()[index_of(friction_points[k])],
                together.all->equations->contacts());
            for (const auto& begins : given.begins)
                if (begins.first == name) {
                    task.points[k].direction = 0;
                    task.points[k].gives_way = true;
                }
        }
        friction = FrictionProblem(task);
        outcome = friction.solve();
    }
    if (outcome == FrictionOutcome::none &&
        take_slow_slips(together, touching, at_rest, friction_points, task)) {
        friction = FrictionProblem(task);
        outcome = friction.solve();
    }
    if (outcome == FrictionOutcome::none)
        return no_friction_fits(together, touching, closed, at_rest, friction_points);
    note_choice(together, friction, outcome, task, friction_points);
    take_answer(together, touching, std::move(closed), at_rest, friction_points, friction.answer(),
                forming);
    return Outcome::changed;
}

bool TransitionWork::take_slow_slips(const TouchingProblem& together,
                                     const std::vector<Touching>& touching,
                                     const std::vector<int>& at_rest,
                                     const std::vector<int>& friction_points,
                                     FrictionTask& task) const {
    if (touching.empty()) return false;
    const ShortTime next = short_time(together, touching, at_rest);
    if (next.outcome != ImpactOutcome::solved || next.jumps) return false;
    for (std::size_t k = 0; k < friction_points.size(); ++k) {
        auto& point = task.points[k];
        const auto& mode = together.all->equations->friction_modes()[index_of(friction_points[k])];
        if (point.contact < 0 || mode.rolling) continue;
        const double slip = next.velocity[3 * at_rest[index_of(point.contact)] + 1];
        point.direction = std::abs(slip) <= next.rest ? 0 : slip > 0 ? 1 : -1;
        point.slip = point.direction == 0 ? 0 : slip;
    }
    return true;
}

Transition::Outcome TransitionWork::no_friction_fits(TouchingProblem& together,
                                                     const std::vector<Touching>& touching,
                                                     const std::vector<Point>& closed,
                                                     const std::vector<int>& at_rest,
                                                     const std::vector<int>& friction_points) {
    constexpr int max_impacts_without_collision = 100;
    Event e;
    e.t = result_.state.t;
    e.kind = EventKind::painleve;
    bool contacts_rub = false;
    for (const int k : friction_points) {
        e.element +=
            (e.element.empty() ? "" : " ") + together.all->equations->friction()[index_of(k)].name;
        contacts_rub |= together.all->equations->friction_modes()[index_of(k)].contact >= 0;
    }
    e.facts = {Cause::no_forces_fit_sliding};
    const std::size_t reported = result_.events.size();
    result_.events.push_back(e);
    if (++impacts_without_collision_ < max_impacts_without_collision &&
        impact_without_collision(together, touching, at_rest)) {
        std::vector<Touching> now = touching;
        for (const Point& point : closed) now.push_back({point, 0});
        return solve(std::move(now), {});
    }
    // Of several contacts not all modes are tried: without a jump it is not shown to be a paradox.
    const bool shown = touching.size() < 2 ||
                       std::any_of(touching.begin(), touching.end(), [&](const Touching& x) {
                           return !pair_of(x).tangential_impact;
                       });
    if (!shown)
        result_.events.erase(result_.events.begin() + static_cast<std::ptrdiff_t>(reported));
    return fail(shown ? Outcome::painleve : Outcome::undecided,
                "at t = " + number_text(result_.state.t, 9) +
                    " s no contact forces allow the sliding of " + e.element +
                    " (Painleve's paradox); " + painleve_advice(contacts_rub),
                {});
}

// Reports that several motions fit, or that a solution is not shown to be the only one.
void TransitionWork::note_choice(const TouchingProblem& together, const FrictionProblem& friction,
                                 FrictionOutcome outcome, const FrictionTask& task,
                                 const std::vector<int>& friction_points) {
    Event e;
    e.t = result_.state.t;
    if (outcome == FrictionOutcome::several) {
        const FrictionAnswer& answer = friction.answer();
        e.kind = EventKind::painleve;
        fact::Choice choice{static_cast<int>(friction.answers().size()), {}};
        for (std::size_t k = 0; k < friction_points.size(); ++k) {
            const std::string& name =
                together.all->equations->friction()[index_of(friction_points[k])].name;
            e.element += (e.element.empty() ? "" : " ") + name;
            const int contact = task.points[k].contact;
            const bool open = contact >= 0 && !answer.closed[index_of(contact)];
            choice.taken.push_back(name + " " + (open ? "open" : mode_text(answer.direction[k])));
        }
        e.facts = {std::move(choice)};
        result_.events.push_back(e);
    } else if (outcome == FrictionOutcome::not_shown) {
        e.kind = EventKind::user;
        e.facts = {Cause::uniqueness_not_shown};
        result_.events.push_back(e);
    }
}

// The contacts that hold, and their friction points as the new equations number them. What
// touches without pressing stays as it was.
void TransitionWork::take_answer(TouchingProblem& together, const std::vector<Touching>& touching,
                                 std::vector<Point> closed, const std::vector<int>& at_rest,
                                 const std::vector<int>& friction_points,
                                 const FrictionAnswer& answer, const std::vector<double>& forming) {
    auto& equations = *together.all->equations;
    const auto& contacts = equations.contacts();
    const std::size_t first = contacts.size() - touching.size();
    const Eigen::VectorXd pressing = answer.force.head(static_cast<int>(at_rest.size()));
    const double rounding = no_force(pressing);
    std::vector<int> new_index(contacts.size(), -1);
    for (std::size_t i = 0; i < first; ++i) new_index[i] = static_cast<int>(i);
    for (std::size_t i = 0; i < touching.size(); ++i) {
        const auto found = std::find(at_rest.begin(), at_rest.end(), static_cast<int>(i));
        const auto index = static_cast<int>(found - at_rest.begin());
        const Point& point = touching[i].point;
        const bool was = touching[i].was >= 0;
        const bool holds = found != at_rest.end() && answer.closed[index_of(index)] &&
                           (was || pressing[index] > rounding);
        if (holds) {
            new_index[first + i] = static_cast<int>(before_.permanent.size() + closed.size());
            closed.push_back(point);
            if (!was) note_formed(forming[i], point, pressing[index]);
        } else if (was) {
            note_lost(point, {found == at_rest.end() ? Cause::impact_throws_off
                                                     : Cause::forces_no_longer_press});
        }
    }
    Mode next;
    next.permanent = before_.permanent;
    next.closed = std::move(closed);
    std::vector<double> slips;
    for (std::size_t k = 0; k < friction_points.size(); ++k) {
        FrictionMode friction = equations.friction_modes()[index_of(friction_points[k])];
        const FrictionMode* before =
            before_.find_friction(name_of_friction_point(friction, contacts));
        if (friction.contact >= 0) {
            friction.contact = new_index[index_of(friction.contact)];
            if (friction.contact < 0) continue;
        }
        friction.direction = answer.direction[k];
        friction.fast = false;
        friction.held =
            friction.joint >= 0 ? equations.friction_value(index_of(friction_points[k])) : 0;
        if (before != nullptr && before->direction == 0) friction.held = before->held;
        next.friction.push_back(friction);
        slips.push_back(
            together.problem.velocity()[static_cast<int>(touching.size()) + friction_points[k]]);
    }
    note_friction(next, slips);
    result_.mode.shared = answer.shared;
    activate(std::move(next.closed), std::move(next.friction));
}

void TransitionWork::note_friction(const Mode& next, const std::vector<double>& slips) {
    for (std::size_t k = 0; k < next.friction.size(); ++k) {
        const FrictionMode& friction = next.friction[k];
        const FrictionMode* now = before_.find_friction(next.name_of(friction));
        if (friction.joint >= 0 &&
            world_.mechanism.joints[index_of(friction.joint)].friction()->smooth)
            continue;
        // A friction point that starts at rest starts sticking; one that starts in motion slides
        // already.
        if (now == nullptr && (before_.begun || std::abs(slips[k]) > still_)) continue;
        const int before = now == nullptr ? 0 : now->direction;
        if (before == friction.direction) continue;
        Event e;
        e.t = result_.state.t;
        e.kind = friction.direction == 0 ? EventKind::stick
                 : before == 0           ? EventKind::slip
                                         : EventKind::slip_reversal;
        e.element =
            friction.joint >= 0
                ? world_.mechanism.joints[index_of(friction.joint)].name
                : name_of(world_.mechanism,
                          index_of(friction.contact) < next.permanent.size()
                              ? next.permanent[index_of(friction.contact)]
                              : next.closed[index_of(friction.contact) - next.permanent.size()]);
        e.from = mode_text(before);
        e.to = mode_text(friction.direction);
        e.facts = {before == 0 ? Cause::friction_at_limit : Cause::slip_stops};
        if (friction.rolling) e.facts.push_back(fact::OfRolling{});
        result_.events.push_back(std::move(e));
    }
}

// A friction point begins to slide, or its slip comes to rest.
Transition::Outcome TransitionWork::turn_friction(const ContactOccurrence& o) {
    FrictionMode& friction = before_.friction[o.index];
    friction.fast = true;
    Given given;
    if (o.kind == ContactOccurrence::Kind::slip_ends) given.stops = before_.name_of(friction);
    if (o.kind == ContactOccurrence::Kind::slip_begins) {
        State& state = result_.state;
        // If a driver's acceleration jumps, the limit is passed at once; the state just after the
        // jump counts.
        const double left = forces_.guards(state)[before_.closed.size() + o.index];
        if (left >
            tolerance::at_friction_limit * (std::abs(forces_.last().friction[o.index]) + left))
            state.t += tolerance::located_time * (1 + state.t);
        const ContactForces::Forces& forces = forces_.at(state);
        for (std::size_t k = 0; before_.shared && k < forces.yields.size(); ++k)
            if (forces.yields[k] != 0)
                given.begins.emplace_back(before_.name_of(before_.friction[k]), forces.yields[k]);
        if (!before_.shared && !forces.friction.empty())
            given.begins.emplace_back(before_.name_of(friction),
                                      forces.friction[o.index] > 0 ? -1 : 1);
        given.rest_ends = given.begins.empty();
    }
    return solve(collect(world_.touching), given);
}

}  // namespace pawl
