// The system in force, single steps and their ends; march_cuts.cpp finds where steps end.
#include "simulation/dynamic/march.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances.h"
#include "results/text.h"
#include "simulation/stepping/remember.h"

namespace pawl {

using Space = PlanarSpace;

March::March(const PlacedMechanism& placed, const DynamicOptions& options, DynamicResult& result,
             RunRecord& record)
    : placed_(placed),
      options_(options),
      result_(result),
      record_(record),
      failure_(placed.mechanism, result),
      stepping_(placed.mechanism, options, result),
      switches_(placed.mechanism, result.events),
      singularities_(result) {}

bool March::choose_solver() {
    result_.dynamics =
        options_.dynamics == Formulation::automatic ? Formulation::multipliers : options_.dynamics;
    result_.integrator = stepping_.integrator();
    systems_.emplace(make_systems());
    contacts_.emplace(placed_, *systems_, impacts(), result_.events);
    if (options_.reactions) contacts_->report_joint_impulses(placed_);
    adopt_system();
    if (const int max_size = largest_size(result_.dynamics);
        max_size > 0 && equations_->size() > max_size)
        return failure_.fail(DynamicStatus::refused,
                             "dynamics = \"" + std::string(value_name(result_.dynamics)) +
                                 "\" works up to " + std::to_string(max_size) +
                                 " coordinates; this model has " +
                                 std::to_string(equations_->size()) + "; choose \"multipliers\"");
    return true;
}

DynamicSystems March::make_systems() const {
    Mechanics::Choice choice;
    choice.coordinates = options_.coordinates;
    return {placed_,
            choice,
            result_.dynamics,
            options_.make_equations,
            options_.make_solver,
            options_.system_room};
}

ContactProblem::Impacts March::impacts() const {
    return options_.sequential_impacts ? ContactProblem::Impacts::sequential
                                       : ContactProblem::Impacts::simultaneous;
}

void March::adopt_system() {
    singularities_.adopt(contacts_->system(), options_cross());
    adopt_dynamics(singularities_.is_near());
}

void March::renew_systems() {
    singularities_.leave();
    contacts_->renew();
    adopt_system();
    dynamics_->refresh(state_);
}

std::vector<double> March::potentials() {
    equations_->set_motion(state_.q, state_.v, state_.t);
    equations_->set_inertia();
    equations_->set_forces(state_.z);
    std::vector<double> stored;
    for (const ForceEnergy& e : equations_->forces().energies()) stored.push_back(e.potential);
    return stored;
}

// `near`: a singular position is close.
void March::adopt_dynamics(bool near) {
    DynamicSystem& system = contacts_->system();
    const bool crosses = near && !options_cross();
    equations_ = system.equations.get();
    stepping_.adopt(system, crosses);
    dynamics_ = crosses ? system.crossing.get() : system.dynamics.get();
    dynamics_->set_near_singular(near);
    system.dynamics->set_near_singular(near);  // of which the rows are taken
}

// Whether what the user chose is what crosses singular positions.
bool March::options_cross() const {
    return result_.dynamics == Formulation::multipliers &&
           stepping_.integrator() == Integrator::dop853 &&
           std::min(options_.rtol, options_.atol) >= tolerance::crossing_error;
}

// Near singular positions the run continues with what crosses them.
void March::choose_dynamics() {
    const bool near = singularities_.is_near();
    if (dynamics_->near_singular() == near) return;
    // A crossing in one step, if the error allows it.
    if (near && !options_cross())
        stepping_.set_first_step(singularities_.stop(state_, options_.end) - state_.t);
    adopt_system();
    if (options_cross()) return;
    dynamics_->refresh(state_);
    restart();
    stepping_.set_first_step(0);
}

// Of an integrator without error control.
double March::fixed_step() const {
    if (options_.integrator != Integrator::rk4) return 0;
    return options_.integrator_step > 0 ? options_.integrator_step : options_.step;
}

void March::limit_steps(double t) {
    limits_.emplace(Limits{{placed_.mechanism, t, options_.end, fixed_step(), options_.rtol},
                           {placed_.mechanism, options_.atol}});
}

bool March::resolve(ContactOccurrence::Kind kind, double until) {
    ContactOccurrence occurrence;
    occurrence.kind = kind;
    occurrence.t = state_.t;
    return resolve(occurrence, until);
}

bool March::resolve(ContactOccurrence occurrence, double until) {
    using Outcome = ContactCycle::Outcome;
    occurrence.until = until;
    CourseMark from = mark();
    const Outcome outcome = contacts_->resolve(occurrence, state_);
    const auto fail = [&](DynamicStatus status, const std::string& when = "") {
        return failure_.fail(status, contacts_->message() + when, contacts_->span());
    };
    const bool failed =
        outcome == Outcome::jam || outcome == Outcome::painleve || outcome == Outcome::undecided;
    if (failed && failure_.not_finite(state_, *equations_)) return false;
    switch (outcome) {
        case Outcome::unchanged:
            note_transition(std::move(from), occurrence);
            return true;
        case Outcome::jam:
            return fail(DynamicStatus::jam);
        case Outcome::overlap:
            return fail(DynamicStatus::overlap);
        case Outcome::painleve:
        case Outcome::undecided:
            return fail(DynamicStatus::painleve);
        case Outcome::chatter:
            return fail(DynamicStatus::step_too_small,
                        " at t = " + number_text(state_.t, 9) + " s");
        case Outcome::changed:
            break;
    }
    stiffness_.restart();
    choose_integrator();
    if (const auto& window = contacts_->last_window()) {
        finished_.window = *window;
        result_.windows.push_back(window->record);
        record_.pass_over(*window);
    }
    adopt_system();
    if (dynamics_->project(state_) < 0) return lost(state_.t);
    dynamics_->refresh(state_);
    if (contacts_->last_window())
        begin_switches();
    else
        follow_switches();
    note_transition(std::move(from), occurrence);
    return true;
}

// Chosen from the steps so far, if the user leaves the integrator open. A restart follows.
void March::choose_integrator() {
    const bool implicit = stiffness_.is_implicit();
    if (implicit == stepping_.is_implicit()) return;
    stepping_.choose(implicit, stiffness_.explicit_step());
    result_.integrator_changes.push_back({state_.t, implicit});
}

void March::restart() {
    record_.restart();
    stepping_.restart(state_, contacts_->presses());
}

double March::kinetic_energy() {
    equations_->set_position(state_.q, state_.t);
    equations_->coordinates().set_velocity(state_.v);
    return equations_->inertia().kinetic_energy();
}

void March::begin_switches() {
    switches_.begin(*equations_, state_);
    systems_->set_sides(switches_.sides());
    if (options_.course && !options_.course->entries.empty())
        options_.course->entries.back().sides = switches_.sides();
}

void March::follow_switches() {
    switches_.follow(*equations_, state_);
    systems_->set_sides(switches_.sides());
}

bool March::take_step(double stop) {
    systems_->tidy(contacts_->system());  // nothing holds the others between two steps
    ended_ = {};
    for (;;) {
        begin_step();
        if (!step(limits_->over_time.latest_end(state_.t, stop)) || !makes_progress()) return false;
        find_switch();
        if (!begins_at_switch()) break;
        if (!go_on_after_switch(stop)) return false;
        if (switches_.has_stopped()) {
            record_.sample(state_);
            return false;
        }
    }
    return cut_at_switch() && cut_at_contact() && shorten_until_projected();
}

void March::begin_step() {
    const bool is_solved = contacts_->begin_step(state_);
    if (contacts_->is_loose()) {
        dynamics_->response().set_start(contacts_->system().dynamics->response().start());
        stepping_.renew_rates(state_);
    }
    record_.begin_step(*dynamics_, stepping_, state_, is_solved);
}

void March::take_step_back() {
    stepping_.forget_move();
    stepping_.rewind();
    end_is_projected_ = false;
    ended_ = {};
}

State March::look_at(double t) {
    end_is_projected_ = false;
    State state;
    if (t < stepping_.end()) {
        state = stepping_.at(std::min(t, stepping_.t()));
    } else {
        stepping_.end_state(state);
    }
    if (dynamics_->project(state) < 0) return state_;
    return state;
}

bool March::finish_step() {
    CourseMark from = mark();
    switch (record_.look_inside(*dynamics_, stepping_, between_)) {
        case RunRecord::Inside::lost:
            return lost(between_.t);
        case RunRecord::Inside::looked:
            end_is_projected_ = false;
            break;
        case RunRecord::Inside::untouched:
            break;
    }
    const double t_new = stepping_.end();
    finished_.begin = state_;
    finished_.window.reset();
    if (end_is_projected_)
        state_ = between_;
    else
        stepping_.end_state(state_);
    if (equations_->pattern().rows() > 0) {
        if (!end_is_projected_ && dynamics_->project(state_) < 0) return release_overload(t_new);
        end_is_projected_ = false;
        equations_->settle_contacts();
        singularities_.finish(t_new);
    }
    record_.end_step(*dynamics_, stepping_, finished_.begin, state_);
    stepping_.forget_move();
    record_.sample_end(state_);
    note(RunCourse::Kind::step, std::move(from));
    if (stepping_.is_open() && !stepping_.crosses())
        stiffness_.see(state_.t - finished_.begin.t, stepping_.take_cost(),
                       stepping_.is_bound_by_stability());
    return true;
}

// The closed contacts cannot be kept closed together at the end of the step: some are released.
bool March::release_overload(double t) {
    note(RunCourse::Kind::overload, mark());
    if (contacts_->resolve(ContactOccurrence::Kind::is_overloaded, state_) !=
        ContactCycle::Outcome::changed)
        return lost(t);
    adopt_system();
    ended_.occurrence.reset();
    if (dynamics_->project(state_) < 0) return lost(t);
    stepping_.forget_move();
    restart();
    record_.sample_end(state_);
    return true;
}

void March::go_on() {
    if (equations_->pattern().rows() > 0) {
        if (dynamics_->refresh(state_))
            restart();
        else
            stepping_.replace(state_);
        choose_dynamics();
    }
    if (stiffness_.is_implicit() == stepping_.is_implicit()) return;
    choose_integrator();
    adopt_system();
    restart();
}

bool March::remember(Memory& memory) {
    memory(state_, finished_.begin, finished_.window, progress_.from, progress_.steps,
           progress_.cut_steps, progress_.pace_from, progress_.pace_steps, progress_.paradox,
           progress_.paradoxes, ended_.occurrence, ended_.switched, stiffness_);
    switches_.remember(memory);
    systems_->set_sides(switches_.sides());
    contacts_->remember(memory);
    bool near = memory.writes() && dynamics_->near_singular();
    memory(near);
    if (!memory.writes()) {
        if (!memory.fits() || !contacts_->found_solver()) return false;
        singularities_.adopt(contacts_->system(), options_cross());
        adopt_dynamics(near);
        end_is_projected_ = false;
    }
    singularities_.remember(memory);
    dynamics_->remember(memory);
    std::vector<double> shared = dynamics_->response().start();
    memory(shared);
    if (!memory.writes())
        for (Dynamics* dynamics : {dynamics_, contacts_->system().dynamics.get()})
            dynamics->response().set_start(shared);
    if (contacts_->system().independence) contacts_->system().independence->remember(memory);
    return stepping_.remember(memory) && memory.fits();
}

}  // namespace pawl
