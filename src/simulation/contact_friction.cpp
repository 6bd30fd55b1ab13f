// Friction in the event cycle: which places stick and which slide after an event, and when that
// changes.
#include <algorithm>
#include <cmath>
#include <functional>

#include "math/tolerances.h"
#include "simulation/contact_cycle.h"
#include "simulation/contact_mode.h"
#include "simulation/dynamic_failure.h"
#include "simulation/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Point = ContactPoint<Space>;

std::string mode_text(int direction) {
    return direction == 0 ? "sticking" : direction > 0 ? "sliding +" : "sliding -";
}

}  // namespace

std::vector<Point> ContactCycle::with_permanent(const std::vector<Point>& closed) const {
    std::vector<Point> all = permanent_;
    all.insert(all.end(), closed.begin(), closed.end());
    return all;
}

ContactCycle::PlaceKey ContactCycle::key_of(const FrictionMode& mode,
                                            const std::vector<Point>& contacts) const {
    if (mode.joint >= 0) return {mode.joint, -1, 0, false};
    const Point& point = contacts[static_cast<std::size_t>(mode.contact)];
    return {-1, point.pair, point.number, mode.rolling};
}

// The problem of the contacts `contacts` of the touching ones and the places `places` of the system
// `all`, in natural units.
FrictionTask ContactCycle::task_of(ContactProblem& problem, DynamicSystem& all, const State& state,
                                   const std::vector<int>& contacts,
                                   const std::vector<int>& places) {
    auto& equations = *all.equations;
    const int touching = static_cast<int>(problem.velocity().size() -
                                          static_cast<long>(equations.friction().size()));
    std::vector<int> rows = contacts;
    Eigen::VectorXd scale =
        Eigen::VectorXd::Ones(static_cast<int>(contacts.size() + places.size()));
    for (std::size_t k = 0; k < places.size(); ++k) {
        rows.push_back(touching + places[k]);
        scale[static_cast<int>(contacts.size() + k)] =
            equations.row_scale(equations.friction()[static_cast<std::size_t>(places[k])].row);
    }
    FrictionTask task;
    task.contacts = static_cast<int>(contacts.size());
    Eigen::MatrixXd slope;
    problem.find_loads(state, task.load_first, slope);
    const Eigen::VectorXd inverse = scale.cwiseInverse();
    task.response = inverse.asDiagonal() * problem.response()(rows, rows) * inverse.asDiagonal();
    task.free = inverse.asDiagonal() * problem.acceleration()(rows);
    task.load_slope = slope(Eigen::all, rows) * inverse.asDiagonal();
    const std::size_t first_touching =
        equations.contacts().size() - static_cast<std::size_t>(touching);
    for (std::size_t k = 0; k < places.size(); ++k) {
        const int place = places[k];
        auto& entry = task.places.emplace_back();
        entry.law = equations.friction()[static_cast<std::size_t>(place)];
        const FrictionMode& mode = equations.friction_modes()[static_cast<std::size_t>(place)];
        if (mode.contact >= static_cast<int>(first_touching))
            entry.contact =
                static_cast<int>(std::find(contacts.begin(), contacts.end(),
                                           mode.contact - static_cast<int>(first_touching)) -
                                 contacts.begin());
        entry.slip =
            problem.velocity()[touching + place] / scale[task.contacts + static_cast<int>(k)];
    }
    return task;
}

ContactCycle::Outcome ContactCycle::solve_friction(ContactProblem& problem, DynamicSystem& all,
                                                   State& state,
                                                   const std::vector<Touching>& touching,
                                                   std::vector<Point> closed,
                                                   const std::vector<int>& at_rest, double forming,
                                                   std::span<double> driver_work) {
    auto& equations = *all.equations;
    problem.set_velocity(state);
    if (!problem.find_free(state)) {
        message_ =
            "the motion without contact forces is not finite at t = " + number_text(state.t, 9) +
            " s";
        span_ = touching.empty() ? Span{} : pair_of(touching.front().point).span;
        return Outcome::painleve;
    }
    const int n = static_cast<int>(touching.size());
    const std::vector<Point> contacts = equations.contacts();
    const std::size_t first_touching = contacts.size() - static_cast<std::size_t>(n);
    std::vector<int> places;
    for (std::size_t k = 0; k < equations.friction_modes().size(); ++k) {
        const int contact =
            equations.friction_modes()[k].contact - static_cast<int>(first_touching);
        const bool apart =
            contact >= 0 && std::find(at_rest.begin(), at_rest.end(), contact) == at_rest.end();
        // Held by the drivers and at rest: no friction that could be told.
        const int row = n + static_cast<int>(k);
        const bool idle = !(problem.response()(row, row) > 0) &&
                          std::abs(problem.velocity()[row]) <= still_ &&
                          std::abs(problem.acceleration()[row]) <= still_;
        if (!apart && !idle) places.push_back(static_cast<int>(k));
    }
    FrictionTask task = task_of(problem, all, state, at_rest, places);
    std::vector<double> slips;
    const std::vector<Point> contacts_before = with_permanent(closed_);
    // What has just begun to slide and is still slower than rounding goes on: at rest its friction
    // is at the limit, and only rounding would tell whether it holds.
    std::vector<int> goes_on(places.size(), 0);
    for (std::size_t k = 0; k < places.size(); ++k) {
        auto& place = task.places[k];
        const auto& mode = equations.friction_modes()[static_cast<std::size_t>(places[k])];
        const int row = n + places[k];
        slips.push_back(problem.velocity()[row]);
        if (std::abs(problem.velocity()[row]) > still_)
            place.direction = place.slip > 0 ? 1 : -1;
        else
            place.slip = 0;
        if (place.direction == 0 && !(problem.response()(row, row) > 0))
            place.direction = problem.acceleration()[row] > 0 ? 1 : -1;
        const PlaceKey key = key_of(mode, contacts);
        for (std::size_t j = 0; j < friction_.size(); ++j) {
            const FrictionMode& now = friction_[j];
            if (!(key_of(now, contacts_before) == key)) continue;
            if (now.direction == 0)
                place.gives_way = mode_ends_;
            else if (place.direction == 0 && !armed_[j])
                place.direction = goes_on[k] = now.direction;
        }
        for (const auto& [begins, way] : begins_)
            if (begins == key) {
                place.direction = way;
                place.slip = 0;
            }
    }
    FrictionProblem friction(task);
    FrictionOutcome outcome = friction.solve();
    const bool goes_on_any =
        std::any_of(goes_on.begin(), goes_on.end(), [](int way) { return way != 0; });
    if (outcome == FrictionOutcome::none && (!begins_.empty() || goes_on_any)) {
        // Rounding has named the wrong ones: any that give way will do.
        for (std::size_t k = 0; k < places.size(); ++k) {
            if (goes_on[k] != 0) task.places[k].direction = 0;
            for (const auto& begins : begins_)
                if (begins.first ==
                    key_of(equations.friction_modes()[static_cast<std::size_t>(places[k])],
                           contacts)) {
                    task.places[k].direction = 0;
                    task.places[k].gives_way = true;
                }
        }
        friction = FrictionProblem(task);
        outcome = friction.solve();
    }
    if (outcome == FrictionOutcome::none) {
        if (tangential_impact_of(problem, all, state, driver_work, touching)) {
            std::vector<Touching> now = touching;
            for (const Point& point : closed) now.push_back({point, 0});
            return solve(state, driver_work, std::move(now));
        }
        Event e;
        e.t = state.t;
        e.kind = EventKind::painleve;
        bool contacts_rub = false;
        for (const int k : places) {
            e.element += (e.element.empty() ? "" : " ") +
                         equations.friction()[static_cast<std::size_t>(k)].name;
            contacts_rub |= equations.friction_modes()[static_cast<std::size_t>(k)].contact >= 0;
        }
        e.detail =
            "no forces fit the sliding: friction would have to press harder than it is "
            "pressed (Painleve)";
        events_.push_back(e);
        message_ = "at t = " + number_text(state.t, 9) + " s no forces fit the sliding of " +
                   e.element + " (Painleve's paradox); " + painleve_advice(contacts_rub);
        return Outcome::painleve;
    }
    const FrictionAnswer& answer = friction.answer();
    if (outcome == FrictionOutcome::several) {
        Event e;
        e.t = state.t;
        e.kind = EventKind::painleve;
        e.detail = std::to_string(friction.answers().size()) +
                   " different motions fit the friction (Painleve); taken:";
        for (std::size_t k = 0; k < places.size(); ++k) {
            const std::string& name =
                equations.friction()[static_cast<std::size_t>(places[k])].name;
            e.element += (e.element.empty() ? "" : " ") + name;
            const int contact = task.places[k].contact;
            const bool open = contact >= 0 && !answer.closed[static_cast<std::size_t>(contact)];
            e.detail += " " + name + " " + (open ? "open" : mode_text(answer.direction[k]));
        }
        events_.push_back(e);
    } else if (outcome == FrictionOutcome::not_shown && !warned_) {
        warned_ = true;
        Event e;
        e.t = state.t;
        e.kind = EventKind::user;
        e.detail = "uniqueness of the friction forces is not shown: too many contacts and places";
        events_.push_back(e);
    }
    shared_ = answer.shared;

    // The contacts that hold, and their places of friction as the new equations number them.
    // What touches without pressing stays as it was.
    const auto pressing = answer.force.head(task.contacts);
    const double rounding = no_force(pressing);
    std::vector<int> place_of(contacts.size(), -1);
    for (std::size_t i = 0; i < first_touching; ++i) place_of[i] = static_cast<int>(i);
    for (int i = 0; i < n; ++i) {
        const auto found = std::find(at_rest.begin(), at_rest.end(), i);
        const auto place = static_cast<int>(found - at_rest.begin());
        const Point& point = touching[static_cast<std::size_t>(i)].point;
        const bool was = touching[static_cast<std::size_t>(i)].was >= 0;
        const bool holds = found != at_rest.end() &&
                           answer.closed[static_cast<std::size_t>(place)] &&
                           (was || pressing[place] > rounding);
        if (holds) {
            place_of[first_touching + static_cast<std::size_t>(i)] =
                static_cast<int>(permanent_.size() + closed.size());
            closed.push_back(point);
            if (!was) note_formed(forming, point, pressing[place]);
        } else if (was) {
            note_lost(state.t, point,
                      found == at_rest.end() ? thrown_off : "the forces no longer press it");
        }
    }
    std::vector<FrictionMode> modes;
    std::vector<double> kept_slips;
    for (std::size_t k = 0; k < places.size(); ++k) {
        FrictionMode mode = equations.friction_modes()[static_cast<std::size_t>(places[k])];
        const PlaceKey key = key_of(mode, contacts);
        if (mode.contact >= 0) {
            mode.contact = place_of[static_cast<std::size_t>(mode.contact)];
            if (mode.contact < 0) continue;
        }
        mode.direction = answer.direction[k];
        mode.held =
            mode.joint >= 0 ? equations.friction_value(static_cast<std::size_t>(places[k])) : 0;
        for (const FrictionMode& before : friction_)
            if (before.direction == 0 && key_of(before, contacts_before) == key)
                mode.held = before.held;
        modes.push_back(mode);
        kept_slips.push_back(slips[k]);
    }
    note_friction(state, with_permanent(closed), modes, kept_slips);
    activate(std::move(closed), std::move(modes));
    return Outcome::changed;
}

// What changes between the mode in force and the next one.
void ContactCycle::note_friction(const State& state, const std::vector<Point>& contacts,
                                 const std::vector<FrictionMode>& modes,
                                 const std::vector<double>& slips) {
    const std::vector<Point> contacts_before = with_permanent(closed_);
    for (std::size_t k = 0; k < modes.size(); ++k) {
        const PlaceKey key = key_of(modes[k], contacts);
        std::optional<int> before;
        for (const FrictionMode& now : friction_)
            if (key_of(now, contacts_before) == key) before = now.direction;
        // What starts at rest starts sticking; what starts in motion slides already.
        if (!before && !began_ && std::abs(slips[k]) <= still_) before = 0;
        if (!before || *before == modes[k].direction) continue;
        Event e;
        e.t = state.t;
        e.kind = modes[k].direction == 0 ? EventKind::stick
                 : *before == 0          ? EventKind::slip
                                         : EventKind::slip_reversal;
        if (modes[k].joint >= 0)
            e.element = mechanism_.joints[static_cast<std::size_t>(modes[k].joint)].name;
        else
            e.element = name_of(mechanism_, contacts[static_cast<std::size_t>(modes[k].contact)]);
        e.from = mode_text(*before);
        e.to = mode_text(modes[k].direction);
        e.detail = *before == 0 ? "friction reaches its limit" : "slip speed = 0";
        if (modes[k].rolling) e.detail += ", of rolling";
        events_.push_back(std::move(e));
    }
}

// The friction of a place that sticks is the force of its row.
void ContactCycle::take_sticking(Forces& forces) const {
    const auto& equations = *system_->equations;
    for (std::size_t k = 0; k < equations.friction().size(); ++k)
        if (const FrictionPlace& place = equations.friction()[k]; place.direction == 0)
            forces.friction[k] =
                forces.lambda[static_cast<std::size_t>(place.row)] * equations.row_scale(place.row);
}

const ContactCycle::Forces& ContactCycle::forces_at(const State& state) {
    Forces& forces = forces_;
    forces.lambda.clear();
    forces.friction.clear();
    auto& equations = *system_->equations;
    auto& dynamics = *system_->dynamics;
    forces.solved = dynamics.respond(state.t, state.q, state.v, state.z) == RateOutcome::solved;
    if (!forces.solved) return forces;
    forces.lambda = dynamics.multipliers();
    forces.friction = dynamics.sliding().force();
    if (equations.friction().empty()) return forces;
    forces.loads.resize(static_cast<std::size_t>(equations.load_count()));
    equations.find_loads(dynamics.acceleration(), forces.lambda, forces.friction, forces.loads);
    forces.loose = false;
    if (shared_) share(state, forces);
    take_sticking(forces);
    return forces;
}

// Forces of contacts whose rows depend on each other: the distribution with the largest slack.
void ContactCycle::share(const State& state, Forces& forces) {
    std::vector<Point> compliant, rigid;
    for (const Point& point : system_->equations->contacts())
        if (!pair_of(point).permanent) (point.compliant ? compliant : rigid).push_back(point);
    auto [base, all, problem] = problem_of(compliant, rigid);
    const auto& places = all->equations->friction_modes();
    std::vector<int> contacts, kept;
    for (std::size_t i = 0; i < rigid.size(); ++i) contacts.push_back(static_cast<int>(i));
    if (!problem.set_state(state) || !problem.find_free(state)) return;
    FrictionAnswer mode;
    mode.closed.assign(rigid.size(), 1);
    std::vector<int> row_of;
    std::vector<std::size_t> place_of;
    for (std::size_t k = 0; k < places.size(); ++k)
        for (std::size_t j = 0; j < friction_.size(); ++j)
            if (key_of(friction_[j], with_permanent(closed_)) ==
                key_of(places[k], all->equations->contacts())) {
                kept.push_back(static_cast<int>(k));
                mode.direction.push_back(friction_[j].direction);
                row_of.push_back(system_->equations->friction()[j].row);
                place_of.push_back(j);
            }
    FrictionTask task = task_of(problem, *all, state, contacts, kept);
    for (std::size_t k = 0; k < kept.size(); ++k) task.places[k].direction = mode.direction[k];
    if (!FrictionProblem(task).find_forces(mode)) return;
    auto& equations = *system_->equations;
    std::size_t next = 0;
    for (std::size_t i = 0; i < equations.contacts().size(); ++i)
        if (equations.contact_row(i) >= 0 && !pair_of(equations.contacts()[i]).permanent)
            forces.lambda[static_cast<std::size_t>(equations.contact_row(i))] =
                mode.force[static_cast<int>(next++)];
    for (std::size_t k = 0; k < kept.size(); ++k) {
        const double force = mode.force[static_cast<int>(rigid.size() + k)];
        forces.friction[place_of[k]] = force;
        if (row_of[k] >= 0)
            forces.lambda[static_cast<std::size_t>(row_of[k])] =
                force / equations.row_scale(row_of[k]);
    }
    // The other rows carry what goes with it.
    Eigen::VectorXd on_rows = Eigen::VectorXd::Zero(problem.velocity().size());
    on_rows.head(static_cast<int>(rigid.size())) = mode.force.head(static_cast<int>(rigid.size()));
    for (std::size_t k = 0; k < kept.size(); ++k)
        on_rows[static_cast<int>(rigid.size()) + kept[k]] =
            mode.force[static_cast<int>(rigid.size() + k)] /
            all->equations->row_scale(
                all->equations->friction()[static_cast<std::size_t>(kept[k])].row);
    const std::vector<double> others = problem.base_multipliers(on_rows);
    std::copy(others.begin(), others.end(), forces.lambda.begin());
    forces.loose = mode.loose;
    forces.slack = mode.slack;
    // Loads of joints come with the distribution too.
    const Eigen::VectorXd loads = task.load_slope * mode.force + task.load_first;
    forces.yields.assign(friction_.size(), 0);
    for (std::size_t k = 0; k < kept.size(); ++k) {
        if (k < mode.yields.size()) forces.yields[place_of[k]] = mode.yields[k];
        const FrictionPlace& to = equations.friction()[place_of[k]];
        for (int i = 0; i < to.loads; ++i)
            forces.loads[static_cast<std::size_t>(to.first_load) + static_cast<std::size_t>(i)] =
                loads[task.places[k].law.first_load + i];
    }
}

// Where sliding friction depends on how forces are shared, so does the motion. Over a step they
// stay shared as at its begin, with the largest slack, but for the least change: the rates are
// smooth.
void ContactCycle::start_sharing(const State& state) {
    Dynamics& dynamics = *system_->dynamics;
    const Forces& forces = forces_at(state);
    const bool loose = forces.solved && forces.loose;
    dynamics.response().set_start(loose ? forces.lambda : std::vector<double>{});
    dynamics.forget_rates();
}

const ContactCycle::Forces& ContactCycle::forces_with_motion(const State& state) {
    Forces& forces = forces_;
    forces_at(state);
    if (!forces.solved || !forces.loose) return forces;
    Dynamics& dynamics = *system_->dynamics;
    auto& equations = *system_->equations;
    const std::vector<double> of_step = dynamics.response().start();
    dynamics.response().set_start(forces.lambda);
    forces.solved = dynamics.respond(state.t, state.q, state.v, state.z) == RateOutcome::solved;
    dynamics.response().set_start(of_step);
    if (!forces.solved) return forces;
    dynamics.sliding().find_multipliers(forces.lambda);
    forces.friction = dynamics.sliding().force();
    equations.find_loads(dynamics.acceleration(), forces.lambda, forces.friction, forces.loads);
    take_sticking(forces);
    return forces;
}

// Of each place the slip in its direction, or what is left to the limit of its friction; NaN where
// the equations have no solution. A slip that begins may go astray by rounding before it grows.
void ContactCycle::add_friction_guards(const State& state, std::vector<double>& guards) const {
    const auto& equations = *system_->equations;
    const auto& places = equations.friction();
    const Forces& forces = forces_;
    const std::size_t first = guards.size();
    guards.resize(first + places.size(), NAN);
    if (forces.friction.size() < places.size()) return;
    for (std::size_t k = 0; k < places.size(); ++k) {
        double& guard = guards[first + k];
        if (places[k].direction != 0)
            guard = places[k].direction * equations.slip(static_cast<int>(k), state.v) +
                    (armed_[k] ? 0.0 : slowest(k));
        else if (shared_)
            guard = forces.slack;
        else
            guard = places[k].limit_at_rest() * places[k].load(forces.loads) -
                    std::abs(forces.friction[k]);
    }
}

double ContactCycle::slowest(std::size_t place) const {
    const bool turns = friction_[place].joint >= 0 ? system_->equations->friction()[place].kind ==
                                                         FrictionPlace::Load::vector
                                                   : friction_[place].rolling;
    return turns ? still_ / size_ : still_;
}

void ContactCycle::arm_friction(const State& state) {
    if (friction_.empty()) return;
    system_->equations->set_position(state.q, state.t);
    for (std::size_t k = 0; k < friction_.size(); ++k)
        if (friction_[k].direction * system_->equations->slip(static_cast<int>(k), state.v) >
            slowest(k))
            armed_[k] = 1;
}

ContactCycle::Outcome ContactCycle::resolve_friction(const ContactOccurrence& o, State& state,
                                                     std::span<double> driver_work) {
    const FrictionMode mode = friction_[o.index];
    begins_.clear();
    mode_ends_ = false;
    armed_[o.index] = 1;
    if (o.kind == ContactOccurrence::Kind::slip_begins) {
        // Where a driver's acceleration jumps the limit is passed at once: what comes just after
        // counts.
        const double left = guards_at(state)[closed_.size() + o.index];
        if (left > 1e-9 * (std::abs(forces_.friction[o.index]) + left))
            state.t += 1e-13 * (1 + state.t);
        const Forces& forces = forces_at(state);
        const std::vector<Point> contacts = with_permanent(closed_);
        for (std::size_t k = 0; shared_ && k < forces.yields.size(); ++k)
            if (forces.yields[k] != 0)
                begins_.emplace_back(key_of(friction_[k], contacts), forces.yields[k]);
        if (!shared_ && !forces.friction.empty())
            begins_.emplace_back(key_of(mode, contacts), forces.friction[o.index] > 0 ? -1 : 1);
        mode_ends_ = begins_.empty();
    }
    const Outcome outcome = solve(state, driver_work, collect(state, touching_));
    begins_.clear();
    mode_ends_ = false;
    return outcome;
}

}  // namespace pawl
