// What happens to contacts that touch: those that approach strike, and of those at rest some hold.
#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "results/event_text.h"
#include "results/text.h"
#include "simulation/event_cycle/transition_work.h"
#include "simulation/placement/contact_mode.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Point = ContactPoint<Space>;

// Why a closed contact that is at rest does not hold.
EventFact why_lost(const ContactProblem& problem, int i, double typical_acceleration) {
    // What is less leads nowhere, and its sign is rounding.
    if (!(problem.acceleration()[i] > tolerance::still * typical_acceleration))
        return Cause::nothing_presses;
    if (problem.keeping_force()[i] < 0) return fact::WouldPull{problem.keeping_force()[i]};
    return fact::LiftedOff{problem.acceleration()[i]};
}

}  // namespace

void TransitionWork::number_points(std::vector<Touching>& touching) const {
    const auto in_order = [](const Touching& x, const Touching& y) {
        return std::tuple(x.point.pair, x.was < 0, x.point.number, x.point.a, x.point.b) <
               std::tuple(y.point.pair, y.was < 0, y.point.number, y.point.a, y.point.b);
    };
    std::stable_sort(touching.begin(), touching.end(), in_order);
    for (Touching& x : touching) {
        if (x.was >= 0) continue;
        const auto used = [&](int number) {
            const auto is_it = [&](const Point& p) {
                return p.pair == x.point.pair && p.number == number;
            };
            return std::any_of(touching.begin(), touching.end(),
                               [&](const Touching& y) { return &y < &x && is_it(y.point); }) ||
                   std::any_of(before_.closed.begin(), before_.closed.end(), is_it);
        };
        x.point.number = 1;
        while (used(x.point.number)) ++x.point.number;
    }
}

bool TransitionWork::begin_to_press(Touching& x) {
    const auto& pair = pair_of(x);
    const double t = result_.state.t;
    const Touch<Space>& touch = x.point.touch;
    const double curvature = touch.curvature_numerator[0] / touch.reach[0] +
                             touch.curvature_numerator[1] / touch.reach[1];
    const double approach = std::max(0.0, -x.point.rates.closing);
    const ContactStart<double> start{approach, pair.restitution_at(approach), 1 / curvature};
    const auto force = std::visit([&](const auto& law) { return law.begin(start); }, pair.law);
    if (!force) {
        fail(Outcome::jam,
             "contact '" + pair.name + "' gets no force from its contact law on " +
                 elements_text(world_.mechanism, x.point) + " at t = " + number_text(t, 9) +
                 " s: specify a stiffness",
             pair.span);
        return false;
    }
    x.point.compliant = true;
    x.point.law = *force;
    x.point.began = t;
    x.point.approach = start.approach;
    note_pressed(x.point, {touch.gap < -world_.touching ? -touch.gap : 0, false});
    return true;
}

// The compliant ones among the touching: those that press, and those that begin to.
bool TransitionWork::take_compliant(std::vector<Touching>& touching,
                                    std::vector<Point>& compliant) {
    std::vector<Touching> rigid;
    for (Touching& x : touching) {
        if (is_rigid(pair_of(x).law)) {
            rigid.push_back(x);
            continue;
        }
        // At the start also what rests on the other or is pressed in.
        const double closing = x.point.rates.closing;
        const bool begins =
            x.pressed || closing < 0 ||
            (!before_.begun && (closing <= still_ || x.point.touch.gap < -world_.touching));
        if (x.was < 0 && !begins) continue;
        if (x.was < 0 && !begin_to_press(x)) return false;
        compliant.push_back(x.point);
    }
    touching = std::move(rigid);
    return true;
}

Transition::Outcome TransitionWork::jam(const std::vector<Touching>& touching,
                                        const EventFact& what) {
    const double t = result_.state.t;
    Event e;
    std::string names, candidates;
    for (const Touching& x : touching) {
        const std::string name = name_of(world_.mechanism, x.point);
        names += (names.empty() ? "" : " ") + name;
        candidates += (candidates.empty() ? "'" : ", '") + name + "' (" +
                      elements_text(world_.mechanism, x.point) + ")";
    }
    e.t = t;
    e.kind = EventKind::jam;
    e.element = names;
    e.facts = {what};
    result_.events.push_back(e);
    return fail(Outcome::jam,
                "jam at t = " + number_text(t, 9) + " s: contact" +
                    (touching.size() > 1 ? "s " : " ") + candidates + " " + event_text(e),
                pair_of(touching[0]).span);
}

fact::Held TransitionWork::held(fact::Held::Manner manner) const {
    using By = fact::Held::By;
    const bool drives = !world_.mechanism.drivers.empty();
    return {manner,
            drives                         ? By::drivers
            : world_.layout.has_friction() ? By::friction
                                           : By::joints,
            driver_names(world_.mechanism)};
}

// What counts as no approach may still lead deeper and deeper where nothing presses: contacts that
// have sunk as far as counts as zero are brought to rest.
void TransitionWork::stop_creeping(ContactProblem& problem, const std::vector<Touching>& touching,
                                   Eigen::VectorXd& leaving) {
    std::vector<int> creeping;
    for (std::size_t i = 0; i < touching.size(); ++i)
        if (const double v = leaving[static_cast<int>(i)];
            v < 0 && v >= -still_ && touching[i].point.touch.gap <= -0.9 * world_.touching)
            creeping.push_back(static_cast<int>(i));
    if (creeping.empty()) return;
    problem.set_velocity(result_.state);
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(problem.velocity().size());
    problem.set_impulses(none, none);
    problem.stop(creeping);
    problem.apply(result_.state, driver_work());
    leaving = problem.velocity_after();
}

// The largest speed of a coordinate, as a length.
double TransitionWork::speed() const {
    double largest = 0;
    const State& state = result_.state;
    for (std::size_t c = 0; c < state.v.size(); ++c)
        largest = std::max(largest, std::abs(state.v[c]) * system_->equations->column_scale()[c]);
    return largest;
}

void TransitionWork::activate(std::vector<Point> closed, std::vector<FrictionMode> friction) {
    result_.mode.closed = std::move(closed);
    result_.mode.friction = std::move(friction);
}

Transition::Outcome TransitionWork::solve(std::vector<Touching> touching, const Given& given) {
    number_points(touching);
    std::vector<Point> closed, points;
    if (!take_compliant(touching, closed)) return Outcome::jam;
    Mode pressed;
    pressed.permanent = before_.permanent;
    pressed.closed = closed;
    if (touching.empty() && (!world_.layout.has_friction() ||
                             friction_points(world_.mechanism, pressed.contacts()).empty())) {
        result_.mode.shared = false;
        activate(std::move(closed), {});
        return Outcome::changed;
    }
    for (const Touching& x : touching) points.push_back(x.point);
    const int n = static_cast<int>(points.size());
    TouchingProblem together = problem_of(world_, before_, closed, points);
    ContactProblem& problem = together.problem;
    together.base->dynamics->refresh(result_.state);
    if (!problem.set_state(result_.state)) return jam(touching, Cause::acts_on_massless);

    // When contacts that form have come to rest.
    std::vector<double> forming(touching.size(), result_.state.t);
    Eigen::VectorXd leaving = problem.velocity();
    // A junction that is tangent but for rounding turns the velocity a little out of the tangent;
    // that is no impact, and the projection takes it out.
    bool approach = false;
    for (int i = 0; i < n; ++i) {
        if (touching[i].passed && std::abs(leaving[i]) <= tangent_angle * speed()) leaving[i] = 0;
        approach = approach || leaving[i] < -still_;
    }
    if (approach) {
        if (!strike(together, touching, given.ending, forming))
            return jam(touching, held(fact::Held::Manner::cannot_give_way));
        leaving = problem.velocity_after();
        for (FrictionMode& friction : before_.friction)
            friction.fast = true;  // nothing goes on as begun
    }
    stop_creeping(problem, touching, leaving);
    std::vector<int> at_rest;
    for (int i = 0; i < n; ++i)
        // A corner strikes a corner, but cannot stay on it: there is no normal.
        if (leaving[i] <= still_ &&
            points[i].touch.firmness() > tolerance::infirm_contact * world_.size *
                                             points[i].touch.curvature_numerator[0] *
                                             points[i].touch.curvature_numerator[1])
            at_rest.push_back(i);
    if (world_.layout.has_friction())
        return solve_friction(together, touching, std::move(closed), at_rest, forming, given);
    return solve_forces(problem, touching, std::move(closed), at_rest, leaving, forming,
                        given.share && speed() < 1e3 * still_);
}

// Which of the contacts at rest hold, where nothing has friction.
Transition::Outcome TransitionWork::solve_forces(ContactProblem& problem,
                                                 const std::vector<Touching>& touching,
                                                 std::vector<Point> closed,
                                                 const std::vector<int>& at_rest,
                                                 const Eigen::VectorXd& leaving,
                                                 const std::vector<double>& forming, bool share) {
    if (problem.find_forces(result_.state, at_rest, share) != ComplementarityOutcome::solved)
        return jam(touching, held(fact::Held::Manner::nothing_balances));
    // What touches without pressing stays as it was: closed, it would separate again at once.
    const double rounding = no_force(problem.force());
    for (int i = 0; i < static_cast<int>(touching.size()); ++i) {
        const Touching& x = touching[static_cast<std::size_t>(i)];
        const bool holds = std::find(problem.holding().begin(), problem.holding().end(), i) !=
                               problem.holding().end() &&
                           (x.was >= 0 || problem.force()[i] > rounding);
        if (holds) {
            closed.push_back(x.point);
            if (x.was < 0)
                note_formed(forming[static_cast<std::size_t>(i)], x.point, problem.force()[i]);
        } else if (x.was >= 0) {
            note_lost(x.point,
                      {leaving[i] > still_ ? Cause::impact_throws_off
                                           : why_lost(problem, i, before_.typical_acceleration)});
        }
    }
    activate(std::move(closed), {});
    return Outcome::changed;
}

// Contacts that hold by rows or rub are decided anew, by forces that may have jumped. Compliant
// ones alone stay as they are, but for what begins to press.
Transition::Outcome TransitionWork::disturb() {
    if (world_.is_empty()) return Outcome::unchanged;
    const Mode in_force = result_.mode;
    const Outcome outcome = solve(collect(world_.touching), {});
    const auto is_same = [](const Point& x, const Point& y) {
        return x.compliant && x.pair == y.pair && x.number == y.number && x.began == y.began;
    };
    const Mode& next = result_.mode;
    const bool same = before_.friction.empty() && next.friction.empty() && result_.events.empty() &&
                      std::equal(next.closed.begin(), next.closed.end(), before_.closed.begin(),
                                 before_.closed.end(), is_same);
    if (outcome != Outcome::changed || !same) return outcome;
    result_.mode = in_force;
    return Outcome::unchanged;
}

}  // namespace pawl
