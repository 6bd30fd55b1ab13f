// What happens to contacts that touch: those that approach strike, and of those at rest some hold.
#include <algorithm>
#include <cmath>

#include "math/tolerances/geometry.h"
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
    // A smaller value has no effect, and its sign is only rounding.
    if (!(problem.acceleration()[i] > tolerance::still * typical_acceleration))
        return Cause::nothing_presses;
    if (problem.keeping_force()[i] < 0) return fact::WouldPull{problem.keeping_force()[i]};
    return fact::LiftedOff{problem.acceleration()[i]};
}

}  // namespace

// A corner strikes a corner, but cannot stay on it: there is no normal.
bool TransitionWork::is_infirm(const Point& point) const {
    const Touch<Space>& touch = point.touch;
    return !(touch.firmness() > tolerance::infirm_contact * world_.size *
                                    touch.curvature_numerator[0] * touch.curvature_numerator[1]);
}

// Where a corner has come upon a corner the direction between them is rounding. The normals that
// both admit end at those of a side on a corner: those sides are the contacts.
void TransitionWork::drop_corners_on_corners(std::vector<Touching>& touching) const {
    for (std::size_t i = touching.size(); i-- > 0;) {
        const Point& tip = touching[i].point;
        const auto is_beside = [&](const Touching& x) {
            return x.point.pair == tip.pair && !is_infirm(x.point) &&
                   Space::length(x.point.touch.p[0] - tip.touch.p[0]) < 1e3 * world_.touching;
        };
        if (touching[i].was < 0 && is_infirm(tip) &&
            std::any_of(touching.begin(), touching.end(), is_beside))
            touching.erase(touching.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

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

// Beyond its end, or where the curve turns away from the line that lay on it: there the point is
// lost in the middle of its elements.
std::vector<EventFact> TransitionWork::why_passed(const Point& before,
                                                  const EndPassed& passed) const {
    const double u = before.touch.u[passed.side], end = passed.direction > 0 ? 1 : 0;
    if (std::abs(u - end) > passed.beyond + tolerance::contact_jump)
        return {Cause::no_position_keeps_it};
    return {end_reached(world_.mechanism, before, passed), Cause::nothing_beyond};
}

// What is pressed in goes on, by the same law, where the end of the one is pressed into the other,
// or at the next point that is pressed in: the deepest point of a dent comes from inside to a
// corner, or from there inside.
std::optional<TransitionWork::Point> TransitionWork::pressed_beyond(const Point& before,
                                                                    const EndPassed& passed) {
    if (!before.compliant || before.released) return std::nullopt;
    auto& equations = *system_->equations;
    auto next = point_at_end(equations, passed);
    if (!next) next = pressed_beside(before);
    if (!next) return std::nullopt;
    next->compliant = true;
    next->law = before.law;
    next->began = before.began;
    next->approach = before.approach;
    return next;
}

// As deep, by a normal that is about the same; the nearest.
std::optional<TransitionWork::Point> TransitionWork::pressed_beside(const Point& before) {
    constexpr double along = 0.9, deeper = 2;
    std::vector<Point> points;
    world_.watch.open_points(system_->equations->coordinates(), before.pair,
                             -deeper * before.touch.gap, before_.closed, points);
    const auto away = [&](const Point& p) {
        return Space::length(p.touch.p[0] - before.touch.p[0]);
    };
    std::erase_if(points, [&](const Point& p) {
        return !(p.touch.gap < 0) || !(Space::dot(p.touch.n, before.touch.n) > along) ||
               (p.a == before.a && p.b == before.b);
    });
    const auto nearest = std::min_element(points.begin(), points.end(),
                                          [&](auto& p, auto& q) { return away(p) < away(q); });
    return nearest == points.end() ? std::nullopt : std::optional(*nearest);
}

bool TransitionWork::begin_to_press(Touching& x) {
    const auto& pair = pair_of(x);
    const double t = result_.state.t;
    const Touch<Space>& touch = x.point.touch;
    if (x.pressed) {
        note_pressed(x.point, {-touch.gap, false});
        return true;
    }
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

// An approach slower than rest may still increase the penetration if no force acts: contacts that
// have reached the tolerance of touching are brought to rest.
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
    drop_corners_on_corners(touching);
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
        if (leaving[i] <= still_ && !is_infirm(points[i])) at_rest.push_back(i);
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
    // A contact that touches without force stays as it was: if closed, it would separate again at
    // once.
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
