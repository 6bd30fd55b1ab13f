#include "simulation/event_cycle/contact_forces.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "simulation/event_cycle/touching_problem.h"

namespace pawl {

namespace {

using Point = Mode::Point;

// A load below this part of the weight of all bodies, by the acceleration that the model has by
// itself, is rounding of forces in balance.
constexpr double unloaded = tolerance::unloaded;

// What holds a contact that is released, or presses again, begins at zero and may be back there
// soon: over the time since it began it has no zero at that time.
double hold_since(const Point& point, double t) {
    if (!point.was_released) return point.compliant_hold();
    const double since = t - point.began;
    return since > tolerance::time_rounding * (1 + std::abs(t)) ? point.compliant_hold() / since
                                                                : 1;
}

}  // namespace

// The friction of a friction point that sticks is the force of its row.
void ContactForces::take_sticking() {
    const auto& equations = *system_->equations;
    for (std::size_t k = 0; k < equations.friction().size(); ++k)
        if (const FrictionPoint& point = equations.friction()[k]; point.direction == 0)
            forces_.friction[k] = forces_.lambda[static_cast<std::size_t>(point.row)] *
                                  equations.row_scale(point.row);
}

const ContactForces::Forces& ContactForces::at(const State& state) {
    forces_.lambda.clear();
    forces_.friction.clear();
    auto& equations = *system_->equations;
    auto& dynamics = *system_->dynamics;
    forces_.solved = dynamics.respond(state.t, state.q, state.v, state.z) == RateOutcome::solved;
    if (!forces_.solved) return forces_;
    forces_.lambda = dynamics.multipliers();
    forces_.friction = dynamics.sliding().force();
    if (equations.friction().empty()) return forces_;
    forces_.loads.resize(static_cast<std::size_t>(equations.load_count()));
    equations.find_loads(dynamics.acceleration(), forces_.lambda, forces_.friction, forces_.loads);
    forces_.loose = false;
    if (mode_->shared) share(state);
    take_sticking();
    return forces_;
}

// The same state is requested several times: at the beginning of a step, for its row, and for its
// guards.
void ContactForces::share(const State& state) {
    const auto& friction = mode_->friction;
    const long fast = std::count_if(friction.begin(), friction.end(),
                                    [](const FrictionMode& f) { return f.fast; });
    const State& last = shared_.state;
    if (shared_.fast == fast && last.t == state.t && last.q == state.q && last.v == state.v &&
        last.z == state.z) {
        forces_ = shared_.forces;
        return;
    }
    share_anew(state);
    shared_ = {state, fast, forces_};
}

// Forces of contacts whose rows depend on each other: the distribution with the largest slack.
void ContactForces::share_anew(const State& state) {
    std::vector<Point> compliant, rigid;
    for (const Point& point : system_->equations->contacts())
        if (!world_.pair_of(point).permanent)
            (point.compliant ? compliant : rigid).push_back(point);
    TouchingProblem touching = problem_of(world_, *mode_, compliant, rigid);
    auto& [base, all, problem] = touching;
    if (!problem.set_state(state) || !problem.find_free(state)) return;
    const int n = static_cast<int>(rigid.size());
    std::vector<int> contacts, kept;
    for (int i = 0; i < n; ++i) contacts.push_back(i);
    FrictionAnswer answer;
    answer.closed.assign(rigid.size(), 1);
    std::vector<std::size_t> index_of_point;  // in the mode, of each point of the task
    const auto& friction_points = all->equations->friction_modes();
    for (std::size_t k = 0; k < friction_points.size(); ++k)
        if (const FrictionMode* now = mode_->find_friction(
                name_of_friction_point(friction_points[k], all->equations->contacts()))) {
            kept.push_back(static_cast<int>(k));
            answer.direction.push_back(now->direction);
            index_of_point.push_back(static_cast<std::size_t>(now - mode_->friction.data()));
        }
    FrictionTask task = task_of(touching, state, contacts, kept);
    for (std::size_t k = 0; k < kept.size(); ++k) {
        task.points[k].direction = answer.direction[k];
        // A row right behind an event comes before the step that looks what slides fast.
        const FrictionMode& mode = mode_->friction[index_of_point[k]];
        const int own = static_cast<int>(index_of_point[k]);
        if (!mode.fast &&
            !(mode.direction * system_->equations->slip(own, state.v) > slowest(index_of_point[k])))
            task.points[k].slip = 0;
    }
    if (!FrictionProblem(task).find_forces(answer)) return;

    // Rows of joints and drivers carry what goes with it.
    Eigen::VectorXd on_rows = Eigen::VectorXd::Zero(problem.velocity().size());
    on_rows.head(n) = answer.force.head(n);
    for (std::size_t k = 0; k < kept.size(); ++k)
        on_rows[n + kept[k]] =
            answer.force[n + static_cast<int>(k)] /
            all->equations->row_scale(
                all->equations->friction()[static_cast<std::size_t>(kept[k])].row);
    const std::vector<double> others = problem.base_multipliers(on_rows);
    std::copy(others.begin(), others.end(), forces_.lambda.begin());
    take_shared(answer, task, index_of_point);
}

// Forces of the contacts and of friction points, with the loads of joints that come with them.
void ContactForces::take_shared(const FrictionAnswer& answer, const FrictionTask& task,
                                const std::vector<std::size_t>& index_of_point) {
    auto& equations = *system_->equations;
    const int n = task.contacts;
    int next = 0;
    for (std::size_t i = 0; i < equations.contacts().size(); ++i)
        if (equations.contact_row(i) >= 0 && !world_.pair_of(equations.contacts()[i]).permanent)
            forces_.lambda[static_cast<std::size_t>(equations.contact_row(i))] =
                answer.force[next++];
    forces_.loose = answer.loose;
    forces_.slack = answer.slack;
    forces_.yields.assign(mode_->friction.size(), 0);
    const Eigen::VectorXd loads = task.load_slope * answer.force + task.load_first;
    for (std::size_t k = 0; k < index_of_point.size(); ++k) {
        const FrictionPoint& to = equations.friction()[index_of_point[k]];
        const double force = answer.force[n + static_cast<int>(k)];
        forces_.friction[index_of_point[k]] = force;
        if (to.row >= 0)
            forces_.lambda[static_cast<std::size_t>(to.row)] = force / equations.row_scale(to.row);
        if (k < answer.yields.size()) forces_.yields[index_of_point[k]] = answer.yields[k];
        for (int i = 0; i < to.loads; ++i)
            forces_.loads[static_cast<std::size_t>(to.first_load + i)] =
                loads[task.points[k].law.first_load + i];
    }
}

// Whether the motion is another one with these shares than with those of the solver. Near a
// singular position it may be, where by the ranks of the rows it is not: what the transition has
// decided by counts.
bool ContactForces::find_loose(const State& state) {
    constexpr double part =
        tolerance::acceleration_rounding;  // of the largest acceleration: less is rounding
    at(state);
    if (!forces_.solved || !mode_->shared || forces_.loose || !system_->equations->slides())
        return forces_.solved && forces_.loose;
    Dynamics& dynamics = *system_->dynamics;
    const std::vector<double> of_step = dynamics.response().start();
    const std::vector<double> by_solver = dynamics.acceleration();
    dynamics.response().set_start(forces_.lambda);
    double largest = 0, apart = 0;
    if (dynamics.respond(state.t, state.q, state.v, state.z) == RateOutcome::solved)
        for (std::size_t c = 0; c < by_solver.size(); ++c) {
            const double scale = system_->equations->column_scale()[c];
            largest = std::max(largest, std::abs(by_solver[c]) * scale);
            apart = std::max(apart, std::abs(by_solver[c] - dynamics.acceleration()[c]) * scale);
        }
    dynamics.response().set_start(of_step);
    forces_.loose = apart > part * largest;
    return forces_.loose;
}

// Where sliding friction depends on how forces are shared, so does the motion. Over a step they
// stay shared as at its start, with the largest slack, but for the least change: the rates are
// smooth.
void ContactForces::start_sharing(const State& state) {
    Dynamics& dynamics = *system_->dynamics;
    const bool loose = find_loose(state);
    dynamics.response().set_start(loose ? forces_.lambda : std::vector<double>{});
    dynamics.forget_rates();
}

const ContactForces::Forces& ContactForces::with_motion(const State& state) {
    Dynamics& dynamics = *system_->dynamics;
    auto& equations = *system_->equations;
    if (!find_loose(state)) {
        // Uses the accelerations of the last iteration.
        if (mode_->shared && equations.slides())
            dynamics.respond(state.t, state.q, state.v, state.z);
        return forces_;
    }
    const std::vector<double> of_step = dynamics.response().start();
    dynamics.response().set_start(forces_.lambda);
    forces_.solved = dynamics.respond(state.t, state.q, state.v, state.z) == RateOutcome::solved;
    dynamics.response().set_start(of_step);
    if (!forces_.solved) return forces_;
    dynamics.sliding().find_multipliers(forces_.lambda);
    forces_.friction = dynamics.sliding().force();
    equations.find_loads(dynamics.acceleration(), forces_.lambda, forces_.friction, forces_.loads);
    take_sticking();
    return forces_;
}

const std::vector<double>& ContactForces::normal(const State& state, bool holds) {
    auto& equations = *system_->equations;
    const auto& closed = mode_->closed;
    const bool rigid = std::any_of(closed.begin(), closed.end(),
                                   [](const Point& point) { return !point.compliant; });
    normal_.assign(closed.size(), NAN);
    if (rigid || !mode_->friction.empty()) {
        at(state);
    } else {
        equations.set_motion(state.q, state.v, state.t);
        forces_.solved = false;  // not asked for
    }
    if (rigid && forces_.lambda.empty()) return normal_;
    for (std::size_t i = 0; i < closed.size(); ++i) {
        const std::size_t contact = mode_->permanent.size() + i;
        const Point& point = equations.contacts()[contact];
        if (!point.compliant)
            normal_[i] = forces_.lambda[equations.contact_row(contact)];
        else if (holds)
            normal_[i] = hold_since(point, state.t);
        else
            normal_[i] = point.released ? 0.0 : point.compliant_force();
    }
    return normal_;
}

const std::vector<double>& ContactForces::guards(const State& state) {
    guards_ = normal(state, true);
    add_friction_guards(state);
    add_turning_loads();
    return guards_;
}

// Guides and slots are pressed from either side: the friction of sliding goes with the sizes of
// their loads.
void ContactForces::add_turning_loads() {
    for (const FrictionPoint& point : system_->equations->friction()) {
        if (point.direction == 0 || point.kind != FrictionPoint::Load::each) continue;
        for (int i = 0; i < point.loads; ++i) {
            const auto k = static_cast<std::size_t>(point.first_load + i);
            guards_.push_back(forces_.solved && k < forces_.loads.size() ? forces_.loads[k] : NAN);
        }
    }
}

// Of each friction point the slip in its direction, or what is left to the limit of its friction;
// NaN where the equations have no solution. A slip that begins may go astray by rounding before it
// grows. Where nothing loads a friction point its friction is zero whichever way it slides: nothing
// changes where the slip passes zero.
void ContactForces::add_friction_guards(const State& state) {
    const auto& equations = *system_->equations;
    const auto& friction_points = equations.friction();
    const std::size_t first = guards_.size();
    guards_.resize(first + friction_points.size(), NAN);
    if (forces_.friction.size() < friction_points.size()) return;
    const double no_load = unloaded * world_.mass * mode_->typical_acceleration;
    for (std::size_t k = 0; k < friction_points.size(); ++k) {
        double& guard = guards_[first + k];
        const bool idle =
            friction_points[k].load(forces_.loads) <= no_load && !(friction_points[k].constant > 0);
        if (friction_points[k].direction != 0 && (idle || friction_points[k].smooth > 0))
            guard = slowest(k);
        else if (friction_points[k].direction != 0)
            guard = friction_points[k].direction * equations.slip(static_cast<int>(k), state.v) +
                    (mode_->friction[k].fast ? 0.0 : slowest(k));
        else if (mode_->shared)
            guard = forces_.slack;
        else
            guard = friction_points[k].holds(forces_.loads) - std::abs(forces_.friction[k]);
    }
}

double ContactForces::slowest(std::size_t point) const {
    const FrictionMode& mode = mode_->friction[point];
    const bool turns =
        mode.joint >= 0 ? system_->equations->friction()[point].kind == FrictionPoint::Load::vector
                        : mode.rolling;
    const double still = world_.still(*mode_);
    return turns ? still / world_.size : still;
}

}  // namespace pawl
