// What happens to contacts that touch: those that approach strike, and of those at rest some hold.
#include <algorithm>
#include <cmath>

#include "math/tolerances.h"
#include "simulation/contact_cycle.h"
#include "simulation/contact_mode.h"
#include "simulation/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Point = ContactPoint<Space>;

// Why a closed contact that is at rest does not hold.
std::string loss_text(const ContactProblem& problem, int i) {
    // Of the acceleration of a fall: what is less leads nowhere, and its sign is rounding.
    constexpr double no_acceleration = tolerance::still * 9.81;
    if (!(problem.acceleration()[i] > no_acceleration)) return "nothing presses it";
    if (problem.keeping_force()[i] < 0)
        return "the normal force would be " + number_text(problem.keeping_force()[i], 7) + " N";
    return "the other contacts lift it, gap'' = " + number_text(problem.acceleration()[i], 7) +
           " m/s^2";
}

}  // namespace

void ContactCycle::number_points(std::vector<Touching>& touching) const {
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
                   std::any_of(closed_.begin(), closed_.end(), is_it);
        };
        x.point.number = 1;
        while (used(x.point.number)) ++x.point.number;
    }
}

// The compliant ones among the touching: those that press, and those that begin to.
bool ContactCycle::take_compliant(const State& state, std::vector<Touching>& touching,
                                  std::vector<Point>& compliant) {
    std::vector<Touching> rigid;
    for (Touching& x : touching) {
        const auto& pair = pair_of(x.point);
        if (is_rigid(pair.law)) {
            rigid.push_back(x);
            continue;
        }
        if (x.was < 0) {
            const Touch<Space>& t = x.point.touch;
            // At the start also what rests on the other or is pressed in.
            const bool begins =
                x.pressed || x.point.rates.closing < 0 ||
                (!began_ && (x.point.rates.closing <= still_ || t.gap < -touching_));
            if (!begins) continue;
            const double curvature = t.bend[0] / t.reach[0] + t.bend[1] / t.reach[1];
            const ContactStart<double> start{std::max(0.0, -x.point.rates.closing),
                                             pair.restitution, 1 / curvature};
            const auto force =
                std::visit([&](const auto& law) { return law.begin(start); }, pair.law);
            if (!force) {
                message_ = "contact '" + pair.name + "' has no force by its law on " +
                           elements_text(mechanism_, x.point) +
                           " at t = " + number_text(state.t, 9) + " s: give a stiffness";
                span_ = pair.span;
                return false;
            }
            x.point.compliant = true;
            x.point.law = *force;
            x.point.began = state.t;
            x.point.approach = start.approach;
            note_pressed(state.t, x.point,
                         (t.gap < -touching_ ? "pressed in by " + length_text(-t.gap) : "gap = 0") +
                             ", compliant");
        }
        compliant.push_back(x.point);
    }
    touching = std::move(rigid);
    return true;
}

ContactCycle::Outcome ContactCycle::jam(const State& state, const std::vector<Point>& points,
                                        const std::string& what) {
    Event e;
    std::string names, places;
    for (const Point& p : points) {
        names += (names.empty() ? "" : " ") + name_of(mechanism_, p);
        places += (places.empty() ? "'" : ", '") + name_of(mechanism_, p) + "' (" +
                  elements_text(mechanism_, p) + ")";
    }
    e.t = state.t;
    e.kind = EventKind::jam;
    e.element = names;
    e.detail = what;
    events_.push_back(e);
    message_ = "jam at t = " + number_text(state.t, 9) + " s: contact" +
               (points.size() > 1 ? "s " : " ") + places + " " + what;
    span_ = pair_of(points[0]).span;
    return Outcome::jam;
}

std::string ContactCycle::what_holds() const {
    if (!mechanism_.drivers.empty()) return drivers_text(mechanism_) + " cannot go on";
    return layout_.has_friction() ? "friction and the other contacts hold them"
                                  : "the joints and the other contacts hold them";
}

ContactCycle::TouchingProblem ContactCycle::problem_of(const std::vector<Point>& compliant,
                                                       const std::vector<Point>& rigid) {
    DynamicSystem* base = systems_.with(permanent_, compliant, {});
    if (base != system_) base->dynamics->forget();
    std::vector<Point> together = compliant;
    together.insert(together.end(), rigid.begin(), rigid.end());
    const std::vector<Point> contacts = with_permanent(together), now = with_permanent(closed_);
    auto places = friction_places(mechanism_, contacts);
    // Where all places stick this is the system in force: it goes on holding what it holds.
    for (FrictionMode& place : places)
        for (const FrictionMode& mode : friction_)
            if (key_of(mode, now) == key_of(place, contacts)) place.held = mode.held;
    DynamicSystem* all = systems_.with(permanent_, together, places);
    std::vector<int> rows;
    for (std::size_t i = 0; i < rigid.size(); ++i)
        rows.push_back(all->equations->contact_row(permanent_.size() + compliant.size() + i));
    for (const FrictionPlace& place : all->equations->friction()) rows.push_back(place.row);
    return {base, all,
            ContactProblem(*base->dynamics, *all->equations, rows, static_cast<int>(rigid.size()))};
}

// What counts as no approach may still lead deeper and deeper where nothing presses: contacts that
// have sunk as far as counts as zero are brought to rest.
void ContactCycle::stop_creeping(ContactProblem& problem, const std::vector<Touching>& touching,
                                 Eigen::VectorXd& leaving, State& state,
                                 std::span<double> driver_work) {
    std::vector<int> creeping;
    for (std::size_t i = 0; i < touching.size(); ++i)
        if (const double v = leaving[static_cast<int>(i)];
            v < 0 && v >= -still_ && touching[i].point.touch.gap <= -0.9 * touching_)
            creeping.push_back(static_cast<int>(i));
    if (creeping.empty()) return;
    problem.set_velocity(state);
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(problem.velocity().size());
    problem.set_impulses(none, none);
    problem.stop(creeping);
    problem.apply(state, driver_work);
    leaving = problem.velocity_after();
}

ContactCycle::Outcome ContactCycle::solve(State& state, std::span<double> driver_work,
                                          std::vector<Touching> touching) {
    number_points(touching);
    std::vector<Point> closed, points;
    if (!take_compliant(state, touching, closed)) return Outcome::jam;
    if (touching.empty() &&
        (!layout_.has_friction() || friction_places(mechanism_, with_permanent(closed)).empty())) {
        shared_ = false;
        activate(std::move(closed), {});
        return Outcome::changed;
    }
    for (const Touching& x : touching) points.push_back(x.point);
    const int n = static_cast<int>(points.size());
    auto [base, all, problem] = problem_of(closed, points);
    base->dynamics->refresh(state);
    if (!problem.set_state(state)) return jam(state, points, "touch bodies without inertia");

    double forming = state.t;  // when contacts that form have come to rest
    Eigen::VectorXd leaving = problem.velocity();
    const auto speed = [&] {
        double largest = 0;
        for (std::size_t c = 0; c < state.v.size(); ++c)
            largest =
                std::max(largest, std::abs(state.v[c]) * system_->equations->column_scale()[c]);
        return largest;
    };
    // A junction that is tangent but for rounding turns the velocity a little out of the tangent;
    // that is no impact, and the projection takes it out.
    bool approach = false;
    for (int i = 0; i < n; ++i) {
        if (touching[i].passed && std::abs(leaving[i]) <= tangent_angle * speed()) leaving[i] = 0;
        approach = approach || leaving[i] < -still_;
    }
    if (approach) {
        if (!strike(problem, *all, state, driver_work, touching, forming))
            return jam(state, points, "cannot give way: " + what_holds());
        leaving = problem.velocity_after();
        armed_.assign(armed_.size(), 1);  // nothing goes on as it has begun
    }
    stop_creeping(problem, touching, leaving, state, driver_work);
    std::vector<int> at_rest;
    for (int i = 0; i < n; ++i)
        // A corner strikes a corner, but cannot stay on it: there is no normal.
        if (leaving[i] <= still_ && points[i].touch.firmness() > 1e-9 * size_ *
                                                                     points[i].touch.bend[0] *
                                                                     points[i].touch.bend[1])
            at_rest.push_back(i);
    if (layout_.has_friction())
        return solve_friction(problem, *all, state, touching, std::move(closed), at_rest, forming,
                              driver_work);
    const bool share = share_ && speed() < 1e3 * still_;
    if (problem.find_forces(state, at_rest, share) != ComplementarityOutcome::solved)
        return jam(state, points, "press with forces that nothing balances: " + what_holds());
    // What touches without pressing stays as it was: closed, it would let go again at once.
    const double rounding = no_force(problem.force());
    for (int i = 0; i < n; ++i) {
        const bool holds = std::find(problem.holding().begin(), problem.holding().end(), i) !=
                               problem.holding().end() &&
                           (touching[i].was >= 0 || problem.force()[i] > rounding);
        if (holds) {
            closed.push_back(points[i]);
            if (touching[i].was < 0) note_formed(forming, points[i], problem.force()[i]);
        } else if (touching[i].was >= 0) {
            note_lost(state.t, points[i], leaving[i] > still_ ? thrown_off : loss_text(problem, i));
        }
    }
    activate(std::move(closed), {});
    return Outcome::changed;
}

}  // namespace pawl
