#include "simulation/dynamic/simulation_run.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/placement/initial_velocities.h"
#include "simulation/placement/mobility.h"
#include "simulation/stepping/break_times.h"
#include "simulation/stepping/remember.h"

namespace pawl {

using Space = PlanarSpace;

DynamicSimulation::Run::Run(const PlacedMechanism& placed, const DynamicOptions& options,
                            DynamicResult& result)
    : placed_(placed),
      mechanism_(placed.mechanism),
      options_(options),
      result_(result),
      record_(placed, options, result),
      march_(placed, options, result, record_) {}

bool DynamicSimulation::Run::advance() {
    if (over_) return false;
    over_ = !(record_.has_begun() ? finish_step() && pass_end() : start());
    over_ = over_ || march_.switches().has_stopped();
    if (!over_) over_ = !(march_.state().t < options_.end && take_step(next_stop()));
    return !over_;
}

// If continued sliding has no solution, the contacts determine what follows; if they would continue
// in the same way, a window follows. It may end at `stop`, in which case no step is open.
bool DynamicSimulation::Run::take_step(double stop) {
    using Kind = ContactOccurrence::Kind;
    for (;;) {
        has_open_step_ = march_.take_step(stop);
        if (has_open_step_) return true;
        if (march_.paradox() == 0) return false;
        ContactOccurrence paradox;
        paradox.kind = march_.paradox() == 1 ? Kind::is_disturbed : Kind::has_no_flow;
        paradox.t = march_.state().t;
        if (!resolve(paradox) || !pass_end()) return false;
        stop = std::min(stop, next_stop());
        if (!(march_.state().t < stop)) return true;
    }
}

// Where there is one that is open.
bool DynamicSimulation::Run::finish_step() {
    if (!std::exchange(has_open_step_, false)) return true;
    if (!march_.finish_step()) return false;
    const double begin = record_.begun_at();
    if (options_.progress) options_.progress((march_.state().t - begin) / (options_.end - begin));
    return true;
}

double DynamicSimulation::Run::time() const {
    return has_open_step_ ? march_.stepping().end() : march_.state().t;
}

double DynamicSimulation::Run::begin_of_step() const {
    if (march_.window()) return march_.window()->record.t;
    return has_open_step_ ? march_.state().t : march_.begin_of_finished_step().t;
}

const State& DynamicSimulation::Run::state() {
    if (!has_open_step_) return march_.state();
    if (seen_.t != time()) seen_ = march_.look_at(time());
    return seen_;
}

State DynamicSimulation::Run::state_at(double t) {
    if (!(t < time())) return state();
    if (const auto& window = march_.window(); window && t < window->end())
        return t > window->record.t ? march_.contacts().state_inside(*window, t) : window->start;
    if (!(t > (has_open_step_ ? march_.state().t : begin_of_step())))
        return has_open_step_ ? march_.state() : march_.begin_of_finished_step();
    return march_.look_at(t);
}

// Up to the first row.
bool DynamicSimulation::Run::start() {
    if (const auto problem = indeterminate_friction(placed_))
        return march_.failure().fail(DynamicStatus::indeterminate, problem->message, problem->span);
    if (!march_.choose_solver()) return false;
    const bool begun = begin();
    if (!begun && !fails_at_start()) return false;
    begin_records();
    if (!begun) {
        record_.rows().sample_start(march_.state());
        return false;
    }
    march_.begin_switches();
    sample_before_impacts();
    if (!march_.engage(next_break())) return false;
    if (apply_impulses(march_.state().t)) {
        if (!march_.resolve(ContactOccurrence::Kind::is_disturbed, next_break())) return false;
        march_.restart();
    }
    record_.sample(march_.state());
    // An impulse or an impact at the start counts as work, like any other.
    record_.rows().set_first_kinetic(kinetic_at_start_);
    return true;
}

void DynamicSimulation::Run::begin_records() {
    record_.begin(march_.contacts(), given_.t);
    collect_breaks();
    march_.limit_steps(given_.t);
}

// The row before impacts at the start, from a record of its own, as if no contact had closed.
void DynamicSimulation::Run::sample_before_impacts() {
    if (options_.start || std::none_of(result_.events.begin(), result_.events.end(),
                                       [](const Event& e) { return e.kind == EventKind::impact; }))
        return;
    DynamicResult aside;
    DynamicSystems systems = march_.make_systems();
    ContactCycle contacts(placed_, systems, march_.impacts(), aside.events);
    DynamicRecord record(placed_, options_, contacts, aside);
    record.sample(given_);
    if (aside.trajectory.rows() != 1) return;
    record_.rows().put(aside.trajectory.row(0));
    if (options_.course) options_.course->first_row_is_before = true;
}

// Whether the start itself failed, and not because the model or the choice of a solver is refused.
bool DynamicSimulation::Run::fails_at_start() {
    return result_.status != DynamicStatus::refused && result_.status != DynamicStatus::massless &&
           march_.equations().size() > 0;
}

// First state: assembled position, given velocities projected on the rows; or a given one.
bool DynamicSimulation::Run::begin() {
    const std::size_t own = mechanism_.states.size();
    State& state = march_.state();
    state.z.assign(march_.dynamics().auxiliary_size(), 0.0);
    if (options_.start) {
        const State& start = options_.start->state;
        state.t = start.t;
        state.q = start.q;
        std::copy_n(start.z.begin(), own, state.z.begin());
        march_.contacts().take(options_.start->contacts);
        march_.adopt_system();
    } else {
        state.q = march_.equations().coordinates().from_positions(placed_.assembly.positions);
        for (std::size_t i = 0; i < own; ++i) state.z[i] = mechanism_.states[i].start;
    }
    given_ = state;
    march_.equations().set_position(state.q, state.t);
    if (!march_.equations().set_inertia()) return march_.failure().massless(march_.equations());
    if (options_.start)
        state.v = options_.start->state.v;
    else
        take_given_velocities();
    if (march_.dynamics().project(state) < 0)
        return march_.failure().fail(DynamicStatus::left_constraints,
                                     "the start does not satisfy the constraints");
    kinetic_at_start_ = march_.kinetic_energy();
    given_ = state;
    march_.note(RunCourse::Kind::begins, march_.mark());
    if (!march_.resolve(options_.start ? ContactOccurrence::Kind::is_disturbed
                                       : ContactOccurrence::Kind::starts,
                        -INFINITY))
        return false;
    march_.dynamics().refresh(state);  // before its size is known
    march_.restart();
    return true;
}

void DynamicSimulation::Run::take_given_velocities() {
    double moved = 0;
    State& state = march_.state();
    state.v = initial_velocities(placed_, march_.equations(), state.q, &moved);
    if (moved > tolerance::moved_by_projection * (1 + placed_.assembly.model_size))
        result_.warnings.push_back(
            "the given initial velocities do not fit the joints and drivers; they were changed "
            "by up to " +
            number_text(moved, 3) + " m/s");
}

// A step ends there.
void DynamicSimulation::Run::collect_breaks() {
    breaks_ = break_times(mechanism_, given_.t, options_.end);
}

// What the end of the last step brings: a change of contact, a switch, a break.
bool DynamicSimulation::Run::pass_end() {
    march_.go_on();
    if (!awaited_.empty() && march_.state().t >= awaited_.front()) {
        awaited_.erase(awaited_.begin());
        march_.note(RunCourse::Kind::awaits, march_.mark());
        record_.sample(march_.state());
    }
    if (march_.occurrence() && !pass_contact()) return false;
    if (march_.switched() && !pass_switch()) return false;
    if (next_break_ < breaks_.size() && march_.state().t >= breaks_[next_break_]) {
        march_.note(RunCourse::Kind::breaks, march_.mark(), next_break_++);
        return pass_break();
    }
    return true;
}

bool DynamicSimulation::Run::pass_contact() {
    const ContactOccurrence& occurrence = *march_.occurrence();
    // Nothing jumps: the step only had to end there.
    if (occurrence.kind == ContactOccurrence::Kind::load_turns)
        return march_.resolve(occurrence, next_break());
    return resolve(occurrence);
}

bool DynamicSimulation::Run::resolve(const ContactOccurrence& occurrence) {
    record_.sample(march_.state());
    const std::size_t first_event = result_.events.size();
    if (!march_.resolve(occurrence, next_break())) return false;
    await_contacts(first_event);
    record_.sample(march_.state());
    march_.restart();
    return true;
}

// Impacts that accumulate end later than the event: a row has the time.
void DynamicSimulation::Run::await_contacts(std::size_t first_event) {
    const double now = march_.state().t * (1 + tolerance::time_rounding);
    for (std::size_t i = first_event; i < result_.events.size(); ++i) {
        const Event& e = result_.events[i];
        if (e.kind == EventKind::contact_formed && e.t > now) awaited_.push_back(e.t);
        if (const auto* end = e.find<fact::Accumulation>(); end != nullptr && end->until > now)
            awaited_.push_back(end->until);
    }
    std::sort(awaited_.begin(), awaited_.end());
    awaited_.erase(std::unique(awaited_.begin(), awaited_.end()), awaited_.end());
    std::erase_if(awaited_, [&](double t) { return t <= march_.state().t; });
}

// Just behind a switch the forces are those after it: no row shows them with the contacts before.
bool DynamicSimulation::Run::pass_switch() {
    const std::size_t first_event = result_.events.size();
    if (!march_.pass_switch(next_break())) return false;
    await_contacts(first_event);
    if (result_.events.size() > first_event + 1 || march_.switches().has_stopped())
        record_.sample(march_.state());
    return true;
}

bool DynamicSimulation::Run::pass_break() {
    State& state = march_.state();
    if (apply_impulses(state.t)) {
        if (!march_.resolve(ContactOccurrence::Kind::is_disturbed, next_break())) return false;
        record_.sample(state);
    } else {
        Event e;
        e.t = state.t;
        e.kind = EventKind::time;
        e.facts = {Cause::driver_piece_ends};
        result_.events.push_back(std::move(e));
        // Forces may jump with the accelerations of the drivers: those just after count.
        if (!march_.contacts().empty()) {
            state.t += tolerance::time_rounding * (1 + state.t);
            if (!march_.resolve(ContactOccurrence::Kind::is_disturbed, next_break())) return false;
        }
    }
    march_.restart();
    return true;
}

// Impulses that act now.
bool DynamicSimulation::Run::apply_impulses(double t) {
    bool any = false;
    March::CourseMark from = march_.mark();
    for (std::size_t i = 0; i < mechanism_.forces.size(); ++i) {
        const auto* impulse = std::get_if<GivenImpulse<Space>>(&mechanism_.forces[i].kind);
        if (!impulse || std::abs(impulse->at - t) > tolerance::same_time * (1 + t)) continue;
        // Between two impulses of one time the contacts have not answered: no row shows it.
        if (!std::exchange(any, true)) record_.sample(march_.state());
        apply_impulse(i);
    }
    if (any) march_.note(RunCourse::Kind::impulses, std::move(from));
    return any;
}

// With event and ledger.
void DynamicSimulation::Run::apply_impulse(std::size_t force) {
    const auto& impulse = std::get<GivenImpulse<Space>>(mechanism_.forces[force].kind);
    State& state = march_.state();
    auto& equations = march_.equations();
    equations.set_position(state.q, state.t);
    const auto on_bodies = given_impulse(mechanism_, force, equations.coordinates());
    const double before = march_.kinetic_energy();
    Event e;
    march_.contacts().take_impulse(state, on_bodies, e.facts);
    e.t = state.t;
    e.kind = EventKind::impulse;
    e.element = mechanism_.forces[force].name;
    e.impulse = std::hypot(impulse.x, impulse.y);
    e.energy_change = march_.kinetic_energy() - before;
    state.z[mechanism_.states.size() + force] += e.energy_change;
    result_.events.push_back(std::move(e));
}

// A step that ends before t leaves further steps to take.
bool DynamicSimulation::Run::end_step_at(double t) {
    if (has_open_step_ && t < time()) {
        march_.take_step_back();
        has_open_step_ = false;
    }
    for (;;) {
        if (has_open_step_ && !(finish_step() && pass_end())) return false;
        if (!(march_.state().t < t)) return true;
        if (!take_step(std::min(t, next_stop()))) return false;
    }
}

// Energy that appears in a force with its law counts as work of what has changed it.
bool DynamicSimulation::Run::change(double t, const RunningModel::Change& change,
                                    const std::function<void()>& apply) {
    if (!record_.has_begun()) return apply(), true;
    over_ = over_ || !end_step_at(t);
    if (over_) return apply(), false;
    State& state = march_.state();
    record_.sample(state);
    const std::vector<double> before = march_.potentials();
    apply();
    if (change.systems) {
        march_.renew_systems();
        collect_breaks();
        next_break_ = static_cast<std::size_t>(
            std::upper_bound(breaks_.begin(), breaks_.end(), state.t) - breaks_.begin());
    }
    if (change.limits) march_.limit_steps(given_.t);
    const std::vector<double> after = march_.potentials();
    Event e;
    e.t = state.t;
    e.kind = EventKind::user;
    e.element = change.name;
    e.from = change.from;
    e.to = change.to;
    for (std::size_t i = 0; i < after.size(); ++i) {
        state.z[mechanism_.states.size() + i] += after[i] - before[i];
        e.energy_change += after[i] - before[i];
    }
    e.facts = {Cause::set_by_user};
    result_.events.push_back(std::move(e));
    march_.begin_switches();
    over_ = !march_.engage(next_break()) ||
            !march_.resolve(ContactOccurrence::Kind::is_disturbed, next_break());
    if (over_) return false;
    march_.restart();
    record_.sample(state);
    return true;
}

bool DynamicSimulation::Run::remember(Memory& memory) {
    memory.mark("simulation 8");
    bool begun = record_.has_begun();
    memory(begun);
    if (!begun) return memory.is_done();
    if (!memory.writes() && !march_.choose_solver()) return false;
    memory(given_.t, kinetic_at_start_, next_break_, awaited_, has_open_step_, over_);
    if (!march_.remember(memory)) return false;
    if (!memory.writes()) begin_records();
    memory(record_);
    auto& s = result_.statistics;
    memory(result_.trajectory, result_.events, result_.warnings, result_.status, result_.message,
           result_.span, result_.integrator, result_.integrator_changes, result_.windows, s.samples,
           s.steps, s.rejected, s.evaluations, s.smallest_pivot);
    return memory.is_done();
}

void DynamicSimulation::Run::close(const WrittenAudit::ValuesAt& values) {
    if (!record_.has_begun()) return;
    finish_step();
    if (options_.course) options_.course->events = result_.events;
    march_.stepping().add_statistics();
    ContactCycle& contacts = march_.contacts();
    if (const long left = contacts.watch().unproven(); left > 0)
        result_.warnings.push_back("in " + std::to_string(left) +
                                   " intervals no bound proves that open contacts stay open; a "
                                   "smaller `run.largest_step` may help");
    result_.last = {march_.state(), contacts.contacts()};
    record_.close(march_.state(), values);
}

}  // namespace pawl
