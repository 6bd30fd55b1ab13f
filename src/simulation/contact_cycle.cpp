#include "simulation/contact_cycle.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "math/tolerances.h"
#include "simulation/contact_mode.h"
#include "simulation/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Point = ContactPoint<Space>;

}  // namespace

namespace {

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
    // The same pairs may have been closed on other elements before.
    if (system_ != nullptr) system_->dynamics->response().forget();
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
            if (!known) touching.push_back({place, -1});
        }
    }
    return touching;
}

ContactCycle::Outcome ContactCycle::begin(State& state) {
    if (empty()) return Outcome::unchanged;
    auto& equations = *system_->equations;
    equations.set_position(state.q, state.t);
    if (const auto found =
            overlap_at_start(mechanism_, equations.coordinates(), watch_.pairs(), size_)) {
        message_ = found->message;
        span_ = found->span;
        return Outcome::overlap;
    }
    std::vector<double> nothing(mechanism_.drivers.size(), 0.0);
    const Outcome outcome =
        solve(state, nothing, collect(state, tolerance::touching_at_start * size_));
    began_ = true;
    return outcome;
}

void ContactCycle::take(std::span<const Point> contacts) {
    std::copy_n(contacts.begin(), permanent_.size(), permanent_.begin());
    activate({contacts.begin() + static_cast<std::ptrdiff_t>(permanent_.size()), contacts.end()},
             {});
    began_ = true;
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
    for (std::size_t i = 0; i < closed_.size(); ++i)
        touching.push_back({closed_[i], static_cast<int>(i)});
    const Outcome outcome = solve(state, driver_work, std::move(touching));
    share_ = true;
    return outcome == Outcome::changed && closed_.size() < before;
}

void ContactCycle::find_normal_forces(const State& state, std::vector<double>& forces, bool holds) {
    auto& equations = *system_->equations;
    const bool rigid = std::any_of(closed_.begin(), closed_.end(),
                                   [](const Point& point) { return !point.compliant; });
    forces.assign(closed_.size(), NAN);
    if (rigid || !friction_.empty()) {
        forces_at(state);
    } else {
        equations.set_position(state.q, state.t);
        equations.set_velocity(state.v);
    }
    const std::vector<double>& lambda = forces_.lambda;
    if (rigid && lambda.empty()) return;
    for (std::size_t i = 0; i < closed_.size(); ++i) {
        const std::size_t contact = permanent_.size() + i;
        forces[i] = closed_[i].compliant ? (holds ? equations.contacts()[contact].compliant_hold()
                                                  : equations.contacts()[contact].compliant_force())
                                         : lambda[equations.contact_row(contact)];
    }
}

double ContactCycle::force_of(std::size_t closed, const State& state) {
    find_normal_forces(state, normal_forces_, false);
    return normal_forces_[closed];
}

const std::vector<double>& ContactCycle::guards_at(const State& state) {
    find_normal_forces(state, guards_, true);
    add_friction_guards(state, guards_);
    return guards_;
}

// The first guard that vanishes: all of them at both ends and in the middle, then each by itself.
std::optional<ContactOccurrence> ContactCycle::first_to_give_way(double t_low, double t_high,
                                                                 const StateAt& state_at) {
    std::optional<ContactOccurrence> first;
    const std::size_t contacts = closed_.size(), all = contacts + friction_.size();
    if (all == 0) return first;
    arm_friction(state_at(t_low));
    std::vector<double> samples[3];
    double end = t_high;
    const auto sample = [&] {
        samples[0] = guards_at(state_at(t_low));
        for (double& guard : samples[0]) guard = std::max(0.0, guard);
        samples[1] = guards_at(state_at(0.5 * (t_low + end)));
        samples[2] = guards_at(state_at(end));
    };
    sample();
    for (std::size_t i = 0; i < all; ++i) {
        const auto guard = [&](double t) { return guards_at(state_at(t))[i]; };
        const double of_this[] = {samples[0][i], samples[1][i], samples[2][i]};
        const auto t = first_zero(t_low, end, of_this, std::ref(guard));
        if (!t) continue;
        const double h = 1e-3 * (end - t_low);
        end = *t;
        first = ContactOccurrence{};
        first->t = *t;
        if (i < contacts) {
            first->kind = ContactOccurrence::Kind::lets_go;
            first->point = closed_[i];
            first->index = i;
        } else {
            first->index = i - contacts;
            first->kind = friction_[first->index].direction != 0
                              ? ContactOccurrence::Kind::slip_ends
                              : ContactOccurrence::Kind::slip_begins;
        }
        if (*t - h > t_low) first->rate = (guard(*t) - guard(*t - h)) / h;
        if (i + 1 < all) sample();
    }
    return first;
}

std::optional<ContactOccurrence> ContactCycle::first(double t_low, double t_high,
                                                     const StateAt& state_at) {
    std::optional<ContactOccurrence> first;
    auto& equations = *system_->equations;
    double end = t_high;
    const std::size_t permanent = permanent_.size();
    const auto set_position = [&](double t) { equations.set_position(state_at(t).q, t); };
    if (const auto passed = first_end_passed(equations, t_low, end, std::ref(set_position))) {
        end = passed->t;
        first = ContactOccurrence{};
        first->kind = ContactOccurrence::Kind::passes_end;
        first->t = end;
        first->passed = *passed;
        first->point = equations.contacts()[passed->contact];
    }
    if (const auto change = first_to_give_way(t_low, end, state_at)) {
        first = change;
        end = change->t;
    }
    if (!watch_.empty()) {
        // Where the closed contacts are at the low end, to tell them from the open places.
        const auto motion = [&](double t) -> const Coordinates<Space>& {
            const State& state = state_at(t);
            if (closed_.empty())
                equations.coordinates().set_position(state.q);
            else
                equations.set_position(state.q, t);
            equations.coordinates().set_velocity(state.v);
            for (std::size_t i = 0; i < closed_.size(); ++i)
                closed_[i] = equations.contacts()[permanent + i];
            return equations.coordinates();
        };
        if (const auto hit = watch_.first_hit(t_low, end, closed_, std::ref(motion))) {
            first = ContactOccurrence{};
            first->kind = ContactOccurrence::Kind::meets;
            first->t = hit->t;
            first->point = hit->point;
        }
    }
    return first;
}

std::pair<double, double> ContactCycle::guard(const ContactOccurrence& o, const State& state) {
    auto& equations = *system_->equations;
    if (o.kind == ContactOccurrence::Kind::lets_go) return {guards_at(state)[o.index], o.rate};
    if (o.of_friction()) return {guards_at(state)[closed_.size() + o.index], o.rate};
    equations.set_position(state.q, state.t);
    equations.set_velocity(state.v);
    if (o.kind == ContactOccurrence::Kind::passes_end) {
        const Point& point = equations.contacts()[o.passed.contact];
        const double u = point.touch.u[o.passed.side], rate = point.rates.u[o.passed.side];
        return o.passed.direction < 0 ? std::pair{u + o.passed.beyond, rate}
                                      : std::pair{1 - u + o.passed.beyond, -rate};
    }
    const auto& pair = pair_of(o.point);
    const auto& coordinates = equations.coordinates();
    const auto a = coordinates.frame(
                   mechanism_.profiles[static_cast<std::size_t>(pair.profile_a)].frame),
               b = coordinates.frame(
                   mechanism_.profiles[static_cast<std::size_t>(pair.profile_b)].frame);
    Touch<Space> touch = o.point.touch;
    find_touch<Space>(
        chain_of(o.point, 0).elements[static_cast<std::size_t>(o.point.a)], a.position,
        chain_of(o.point, 1).elements[static_cast<std::size_t>(o.point.b)], b.position, touch);
    TouchRates<double> rates;
    gap_row<Space>(touch, a, b, &rates);
    return {touch.gap, rates.closing};
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
    ending_ = o.kind == ContactOccurrence::Kind::meets && accumulates(state.t, o.point.pair);
    // Impacts that accumulate on several places end on all of them.
    std::vector<Touching> touching = collect(state, ending_ ? tolerance::hop * size_ : touching_);
    if (o.kind == ContactOccurrence::Kind::lets_go) {
        // Its force has come to zero and would pull next: it opens, whatever the rounding of the
        // force says.
        const Point lost = closed_[o.index];
        touching.erase(
            std::remove_if(touching.begin(), touching.end(),
                           [&](const Touching& x) { return x.was == static_cast<int>(o.index); }),
            touching.end());
        Event e;
        e.from = elements_text(mechanism_, lost);
        e.to = "open";
        e.detail = "normal force = 0";
        if (lost.compliant) {
            const double speed =
                system_->equations->contacts()[permanent_.size() + o.index].rates.closing;
            e.normal_velocity_before = e.normal_velocity_after = speed;
            e.detail += "; restitution " + number_text(speed / lost.approach, 8) + " after " +
                        number_text(state.t - lost.began, 8) + " s";
        }
        note(EventKind::contact_lost, state.t, lost, e);
    } else {
        const bool there = std::any_of(touching.begin(), touching.end(), [&](const Touching& x) {
            return x.point.pair == o.point.pair && x.point.a == o.point.a && x.point.b == o.point.b;
        });
        if (!there) touching.push_back({o.point, -1});
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
    touching.erase(std::remove_if(touching.begin(), touching.end(),
                                  [&](const Touching& x) {
                                      return x.was < 0 && x.point.touch.gap > 10 * touching_;
                                  }),
                   touching.end());
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
        note_lost(state.t, before,
                  passing_text(mechanism_, before, o.passed) + ": nothing beyond touches");
        touching.erase(
            std::remove_if(touching.begin(), touching.end(),
                           [&](const Touching& x) { return x.was == static_cast<int>(index); }),
            touching.end());
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
    note(EventKind::transition, state.t, point, e);
    const Outcome outcome = solve(state, driver_work, std::move(touching));
    if (permanent || outcome != Outcome::changed) return outcome;
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

// Intervals between the last impacts that shrink by a settled ratio r end after d r / (1 - r) more:
// the sum of what is left. They are completed at once when that is so short that nothing else moves
// in it. The ratio may alternate between two places; then it repeats every second time.
bool ContactCycle::accumulates(double t, int pair) {
    strikes_.push_back({t, pair});
    if (strikes_.size() > 5) strikes_.pop_front();
    if (strikes_.size() < 5) return false;
    double d[4];
    for (int i = 0; i < 4; ++i) d[i] = strikes_[i + 1].t - strikes_[i].t;
    const double pace = std::sqrt(d[3] / d[1]), pace_before = std::sqrt(d[2] / d[0]);
    if (!(d[3] > 0) || !(pace < 0.9999) || std::abs(pace - pace_before) > 0.02 * pace) return false;
    const double left = d[3] * pace / (1 - pace);
    if (left > tolerance::accumulation * std::sqrt(size_ / 9.81)) return false;
    limit_ = t + left;
    skipped_ = static_cast<int>(std::ceil(std::log(1e-16 * (1 + t) / d[3]) / std::log(pace)));
    return true;
}

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
        const bool is_rigid = std::visit([](const auto& law) { return law.is_rigid; }, pair.law);
        if (is_rigid) {
            rigid.push_back(x);
            continue;
        }
        if (x.was < 0) {
            if (!(x.point.rates.closing < 0)) continue;
            const Touch<Space>& t = x.point.touch;
            const double curvature = t.bend[0] / t.reach[0] + t.bend[1] / t.reach[1];
            const ContactStart<double> start{-x.point.rates.closing, pair.restitution,
                                             1 / curvature};
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
            Event e;
            e.from = "open";
            e.to = elements_text(mechanism_, x.point);
            e.normal_velocity_before = e.normal_velocity_after = x.point.rates.closing;
            e.detail = "gap = 0, compliant";
            note(EventKind::contact_formed, state.t, x.point, e);
        }
        compliant.push_back(x.point);
    }
    touching = std::move(rigid);
    return true;
}

ContactCycle::Outcome ContactCycle::jam(const State& state, const std::vector<Point>& points,
                                        const std::string& what) {
    Event e;
    std::string names;
    for (const Point& p : points) names += (names.empty() ? "" : " ") + name_of(mechanism_, p);
    e.t = state.t;
    e.kind = EventKind::jam;
    e.element = names;
    e.detail = what;
    events_.push_back(e);
    message_ = "jam at t = " + number_text(state.t, 9) + " s: contacts " + names + " " + what;
    span_ = pair_of(points[0]).span;
    return Outcome::jam;
}

ContactCycle::TouchingProblem ContactCycle::problem_of(const std::vector<Point>& compliant,
                                                       const std::vector<Point>& rigid) {
    DynamicSystem* base = systems_.with(permanent_, compliant, {});
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
            return jam(state, points, "cannot give way: the drivers fight through them");
        leaving = problem.velocity_after();
    }
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
        return jam(state, points,
                   "press with forces that nothing balances: the drivers fight through them");
    for (int i = 0; i < n; ++i) {
        const bool holds = std::find(problem.holding().begin(), problem.holding().end(), i) !=
                           problem.holding().end();
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

// The impact of the touching contacts. Rebounds below the capture speed, hops so low that they
// cannot be told from rest (with ratio e they end after 2 v / (a (1 - e))) and impacts that
// accumulate are taken as plastic; `forming` is then the time at which they end.
bool ContactCycle::strike(ContactProblem& problem, DynamicSystem& all, State& state,
                          std::span<double> driver_work, const std::vector<Touching>& touching,
                          double& forming) {
    const int n = static_cast<int>(touching.size());
    const Eigen::VectorXd arriving = problem.velocity();
    Eigen::VectorXd restitution(n);
    for (int i = 0; i < n; ++i) restitution[i] = pair_of(touching[i].point).restitution;
    if (!find_impulses(problem, all, touching, restitution)) return false;
    const Eigen::VectorXd rebound = problem.velocity_after();
    State after = state;
    problem.apply(after, {});
    problem.find_forces(after, {}, false);
    std::vector<std::string> ending(n);
    bool captured = false;
    for (int i = 0; i < n; ++i) {
        const auto& pair = pair_of(touching[i].point);
        const double falls = -problem.acceleration()[i];
        const bool low = restitution[i] < 1 && falls > 0 &&
                         rebound[i] * rebound[i] < 2 * falls * tolerance::hop * size_;
        if (!(rebound[i] > still_)) continue;
        if (restitution[i] > 0 && pair.capture && rebound[i] < *pair.capture)
            ending[i] = "; rebound below the capture speed: contact stays";
        else if (!pair.capture && (ending_ || (low && restitution[i] > 0))) {
            double limit = limit_;
            int skipped = skipped_;
            if (!ending_) {
                limit = state.t + 2 * rebound[i] / (falls * (1 - restitution[i]));
                skipped = static_cast<int>(
                    std::ceil(std::log(1e-16 * falls / rebound[i]) / std::log(restitution[i])));
            }
            ending[i] = "; impacts accumulate: " + std::to_string(std::max(1, skipped)) +
                        " more until t = " + number_text(limit, 15) + " s";
            forming = limit;
        }
        if (ending[i].empty()) continue;
        restitution[i] = 0;
        captured = true;
    }
    if (ending_) {
        // All of them come to rest together: what would still leave is stopped too.
        restitution.setZero();
        stop_all(problem, all, touching);
        captured = false;
        forming = limit_;
        strikes_.clear();
    }
    if (captured && !find_impulses(problem, all, touching, restitution)) return false;
    problem.apply(state, driver_work);
    const double largest = problem.impulse().head(n).maxCoeff();
    const ImpactRows rows = impact_rows(all, touching.size());
    for (int i = 0; i < n; ++i) {
        const double p = problem.impulse()[i];
        if (!(p > 1e-9 * largest)) continue;
        const Point& point = touching[i].point;
        Event e;
        e.from = touching[i].was < 0 ? "open" : "closed";
        e.to = elements_text(mechanism_, point);
        e.normal_velocity_before = arriving[i];
        e.normal_velocity_after = rebound[i];
        e.impulse = p;
        e.energy_change = problem.impulse_work()[i];
        e.detail = (touching[i].was < 0 ? "gap = 0" : "struck through the other contacts") +
                   ending[i] + impact_texts_[static_cast<std::size_t>(i)];
        if (n > 1) e.detail += "; " + order_;
        state.z[layout_.contacts + static_cast<std::size_t>(point.pair)] += e.energy_change;
        // The work of the friction is booked with the friction, but belongs to the impact.
        const double rubbed = friction_work_of(problem, rows, i);
        if (rubbed != 0)
            state.z[static_cast<std::size_t>(layout_.friction_of_contact[point.pair])] += rubbed;
        e.energy_change += rubbed;
        note(EventKind::impact, state.t, point, e);
    }
    return true;
}

}  // namespace pawl
