#include "simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "math/tolerances.h"
#include "simulation/clearance.h"
#include "simulation/clearance_record.h"
#include "simulation/dynamic_failure.h"
#include "simulation/dynamic_record.h"
#include "simulation/mobility.h"
#include "simulation/remember.h"
#include "simulation/sampler.h"
#include "simulation/singularity_watch.h"
#include "simulation/step_audit.h"
#include "simulation/step_limits.h"
#include "simulation/stepping.h"
#include "simulation/switch_watch.h"
#include "simulation/text.h"

namespace pawl {

using Space = PlanarSpace;
using Mechanics = MechanismEquations<Space>;

class Simulation::Run {
public:
    Run(const PlacedMechanism& placed, const DynamicOptions& options, DynamicResult& result)
        : placed_(placed),
          mechanism_(placed.mechanism),
          options_(options),
          result_(result),
          layout_(placed.mechanism),
          failure_(placed.mechanism, options.coordinates, result),
          stepping_(placed.mechanism, options, result),
          switches_(placed.mechanism, result.events),
          singularities_(result),
          step_audit_(placed.assembly.model_size),
          passage_(placed.mechanism) {}

    // What follows from the end of the last step, then the next step. False when the run is over.
    bool advance() {
        if (over_) return false;
        over_ = !((record_ ? pass_end() : start()) && state_.t < options_.end && take_step());
        return !over_;
    }

    [[nodiscard]] const State& state() const { return state_; }
    // Inside the last step.
    State state_at(double t) {
        if (!(t < state_.t)) return state_;
        if (!(t > step_begin_.t)) return step_begin_;
        State state = stepping_.at(std::min(t, stepping_.t()));
        return dynamics_->project(state) < 0 ? state_ : state;
    }
    [[nodiscard]] double begin_of_step() const { return step_begin_.t; }

    // Everything that the next steps and the result depend on.
    bool remember(Memory& memory) {
        memory.mark("simulation 1");
        bool begun = record_.has_value();
        memory(begun);
        if (!begun) return memory.is_done();
        if (!memory.writes() && !choose_solver()) return false;
        memory(state_, step_begin_, t_start_, kinetic_at_start_, steady_from_, slow_steps_,
               cut_steps_, next_output_, next_break_, over_, occurrence_, switched_);
        contacts_->remember(memory);
        bool near = memory.writes() && dynamics_->near_singular();
        memory(near);
        if (!memory.writes()) {
            if (!memory.fits() || !contacts_->found_solver()) return false;
            singularities_.adopt(contacts_->system(), options_cross());
            adopt_dynamics(near);
            make_records();
        }
        singularities_.remember(memory);
        dynamics_->remember(memory);
        std::vector<double> shared = dynamics_->response().start();
        memory(shared);
        if (!memory.writes())
            for (Dynamics* dynamics : {dynamics_, contacts_->system().dynamics.get()})
                dynamics->response().set_start(shared);
        if (contacts_->system().independence) contacts_->system().independence->remember(memory);
        if (!stepping_.remember(memory)) return false;
        switches_.remember(memory);
        memory(*clearances_, *record_, step_audit_, passage_);
        auto& s = result_.statistics;
        memory(result_.trajectory, result_.events, result_.warnings, result_.status,
               result_.message, result_.span, s.samples, s.steps, s.rejected, s.evaluations,
               s.smallest_pivot);
        return memory.is_done();
    }

    // The last words of the result.
    void close() {
        if (!record_) return;
        stepping_.add_statistics();
        if (const long left = contacts_->watch().unproven(); left > 0)
            result_.warnings.push_back(
                "in " + std::to_string(left) +
                " intervals no bound shows that open contacts stay open; a smaller "
                "`run.largest_step` may help");
        result_.last = {state_, contacts_->contacts()};
        record_->close(state_, step_audit_, passage_);
        result_.clearances = clearances_->close(result_.events);
    }

private:
    // Up to the first row.
    bool start() {
        if (const auto problem = indeterminate_friction(placed_))
            return failure_.say(DynamicStatus::indeterminate, problem->message, problem->span);
        if (!choose_solver()) return false;
        const bool begun = begin();
        if (!begun && !fails_at_start()) return false;
        make_records();
        if (!begun) {
            record_->sample_start(state_);
            return false;
        }
        switches_.begin(*equations_, state_);
        sample_before_impacts();
        if (apply_impulses(t_start_)) {
            if (!continue_after(contacts_->resolve(ContactOccurrence::Kind::is_disturbed, state_)))
                return false;
            restart();
        }
        sample(state_);
        // An impulse or an impact at the start counts as work, like any other.
        record_->set_first_kinetic(kinetic_at_start_);
        return true;
    }

    // The row before impacts at the start, by a record of its own: as if nothing had met.
    void sample_before_impacts() {
        if (options_.start ||
            std::none_of(result_.events.begin(), result_.events.end(),
                         [](const Event& e) { return e.kind == EventKind::impact; }))
            return;
        DynamicResult aside;
        DynamicSystems systems = make_systems();
        ContactCycle contacts(placed_, systems, impacts(), aside.events);
        DynamicRecord record(placed_, options_, contacts, aside);
        record.sample(given_);
        if (aside.trajectory.rows() == 1) record_->put(aside.trajectory.row(0));
    }

    // Rather than that the model or the choice of a solver does not fit.
    [[nodiscard]] bool fails_at_start() const {
        return result_.status != DynamicStatus::refused &&
               result_.status != DynamicStatus::massless && equations_->size() > 0;
    }

    void make_records() {
        record_.emplace(placed_, options_, *contacts_, result_);
        clearances_.emplace(mechanism_, *contacts_);
        collect_breaks();
        limits_.emplace(mechanism_, t_start_, options_.end, fixed_step());
    }

    bool choose_solver() {
        const std::string name = options_.dynamics == "auto" ? "multipliers" : options_.dynamics;
        result_.dynamics = name;
        result_.integrator = options_.integrator;
        systems_.emplace(make_systems());
        contacts_.emplace(placed_, *systems_, impacts(), result_.events);
        if (!contacts_->found_solver())
            return failure_.say(DynamicStatus::refused, "no dynamics of the name '" + name + "'");
        adopt_system();
        if (const int most = largest_size(name); most > 0 && equations_->size() > most)
            return failure_.say(DynamicStatus::refused, "dynamics = \"" + name + "\" works up to " +
                                                            std::to_string(most) +
                                                            " coordinates; this model has " +
                                                            std::to_string(equations_->size()) +
                                                            "; choose \"multipliers\"");
        return true;
    }

    [[nodiscard]] DynamicSystems make_systems() const {
        Mechanics::Choice choice;
        choice.coordinates = options_.coordinates;
        choice.particles = options_.particles;
        return {placed_,
                choice,
                result_.dynamics,
                options_.make_equations,
                options_.make_solver,
                options_.system_room};
    }
    [[nodiscard]] ContactProblem::Impacts impacts() const {
        return options_.sequential_impacts ? ContactProblem::Impacts::sequential
                                           : ContactProblem::Impacts::simultaneous;
    }

    // The equations and the solver of the contacts that are closed now.
    void adopt_system() {
        singularities_.adopt(contacts_->system(), options_cross());
        adopt_dynamics(singularities_.is_near());
    }

    // `near`: a singular position is close.
    void adopt_dynamics(bool near) {
        DynamicSystem& system = contacts_->system();
        const bool crosses = near && !options_cross();
        equations_ = system.equations.get();
        stepping_.adopt(system, crosses);
        dynamics_ = crosses ? system.crossing.get() : system.dynamics.get();
        dynamics_->set_near_singular(near);
        system.dynamics->set_near_singular(near);  // of which the rows are taken
    }

    // Whether what the user chose is what crosses singular positions.
    [[nodiscard]] bool options_cross() const {
        return result_.dynamics == "multipliers" && options_.integrator == "dop853" &&
               std::min(options_.rtol, options_.atol) >= tolerance::crossing_error;
    }

    // Near singular positions the run goes on with what crosses them.
    void hand_over() {
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

    // First state: assembled position, given velocities projected on the rows; or a given one.
    bool begin() {
        const std::size_t own = mechanism_.states.size();
        state_.z.assign(dynamics_->auxiliary_size(), 0.0);
        if (options_.start) {
            const State& start = options_.start->state;
            state_.t = t_start_ = start.t;
            state_.q = start.q;
            std::copy_n(start.z.begin(), own, state_.z.begin());
            contacts_->take(options_.start->contacts);
            adopt_system();
        } else {
            state_.q = equations_->coordinates().from_positions(placed_.assembly.positions);
            for (std::size_t i = 0; i < own; ++i) state_.z[i] = mechanism_.states[i].start;
        }
        equations_->set_position(state_.q, state_.t);
        if (!equations_->set_inertia()) return failure_.massless(*equations_);
        if (options_.start)
            state_.v = options_.start->state.v;
        else
            take_given_velocities();
        if (dynamics_->project(state_) < 0)
            return failure_.say(DynamicStatus::left_constraints,
                                "the start does not satisfy the constraints");
        kinetic_at_start_ = kinetic();
        given_ = state_;
        if (!continue_after(options_.start
                                ? contacts_->resolve(ContactOccurrence::Kind::is_disturbed, state_)
                                : contacts_->resolve(ContactOccurrence::Kind::starts, state_)))
            return false;
        dynamics_->refresh(state_);  // before its size is known
        if (!restart())
            return failure_.say(DynamicStatus::refused,
                                "no integrator of the name '" + options_.integrator + "'");
        return true;
    }

    void take_given_velocities() {
        double moved = 0;
        state_.v = initial_velocities(placed_, *equations_, state_.q, &moved);
        if (moved > 1e-9 * (1 + placed_.assembly.model_size))
            result_.warnings.push_back(
                "the given initial velocities do not fit the joints and drivers; they were changed "
                "by up to " +
                number_text(moved, 3) + " m/s");
    }

    // Goes on with the contacts that are closed after an event; false when the run ends.
    bool continue_after(ContactCycle::Outcome outcome) {
        const bool failed =
            outcome == ContactCycle::Outcome::jam || outcome == ContactCycle::Outcome::painleve;
        if (failed && failure_.not_finite(state_, *equations_)) return false;
        switch (outcome) {
            case ContactCycle::Outcome::unchanged:
                return true;
            case ContactCycle::Outcome::jam:
                return failure_.say(DynamicStatus::jam, contacts_->message(), contacts_->span());
            case ContactCycle::Outcome::overlap:
                return failure_.say(DynamicStatus::overlap, contacts_->message(),
                                    contacts_->span());
            case ContactCycle::Outcome::painleve:
                return failure_.say(DynamicStatus::painleve, contacts_->message(),
                                    contacts_->span());
            case ContactCycle::Outcome::chatter:
                return failure_.say(
                    DynamicStatus::step_too_small,
                    contacts_->message() + " at t = " + number_text(state_.t, 9) + " s",
                    contacts_->span());
            case ContactCycle::Outcome::changed:
                break;
        }
        adopt_system();
        if (dynamics_->project(state_) < 0) return lost(state_.t);
        dynamics_->refresh(state_);
        return true;
    }

    bool restart() {
        passage_.restart();
        return stepping_.restart(state_, contacts_->presses());
    }

    bool lost(double t) { return failure_.lost(t, contacts_->system()); }

    // Times at which the right-hand side is not smooth: a step ends there.
    void collect_breaks() {
        for (const auto& d : mechanism_.drivers)
            std::visit(
                [&](const auto& law) {
                    if constexpr (requires { law.breaks(0.0, breaks_); })
                        law.breaks(options_.end, breaks_);
                },
                d.law);
        for (const auto& f : mechanism_.forces)
            if (const auto* impulse = std::get_if<GivenImpulse<Space>>(&f.kind))
                breaks_.push_back(impulse->at);
        std::sort(breaks_.begin(), breaks_.end());
        std::vector<double> kept;
        for (const double t : breaks_)
            if (t > t_start_ && t < options_.end &&
                (kept.empty() || t - kept.back() > 1e-12 * (1 + t)))
                kept.push_back(t);
        breaks_ = kept;
    }

    bool take_step() {
        systems_->tidy(contacts_->system());  // nothing holds the others between two steps
        occurrence_.reset();
        switched_.reset();
        const bool is_solved = contacts_->begin_step(state_);
        if (contacts_->is_loose()) {
            dynamics_->response().set_start(contacts_->system().dynamics->response().start());
            stepping_.renew_rates(state_);
        }
        step_audit_.begin(*dynamics_, stepping_, state_, is_solved);
        if (!step(limits_->latest_end(state_.t, next_break())) || !gets_on()) return false;
        if (!cut_at_switch() || !cut_at_contact() || !shorten_until_projected() || !finish_step())
            return false;
        if (options_.progress) options_.progress((state_.t - t_start_) / (options_.end - t_start_));
        return true;
    }

    // What the end of the last step brings: a change of contact, a switch, a break.
    bool pass_end() {
        go_on();
        if (occurrence_ && !pass_contact()) return false;
        if (switched_ && !pass_switch()) return false;
        if (next_break_ < breaks_.size() && state_.t >= breaks_[next_break_]) {
            ++next_break_;
            return pass_break();
        }
        return true;
    }

    [[nodiscard]] double next_break() const {
        return next_break_ < breaks_.size() ? breaks_[next_break_] : options_.end;
    }

    // Of an integrator without error control.
    [[nodiscard]] double fixed_step() const {
        if (options_.integrator != "rk4") return 0;
        return options_.integrator_step > 0 ? options_.integrator_step : options_.step;
    }

    // One step of the integrator that does not leave its branch at a singular position.
    bool step(double stop) {
        constexpr int max_tries = 100;
        const bool watched = equations_->pattern().rows() > 0;
        bool is_cut = false;
        for (int i = 0; i < max_tries; ++i) {
            const StepOutcome outcome =
                stepping_.step(watched ? singularities_.stop(state_, stop) : stop);
            if (outcome != StepOutcome::stepped) return stuck(outcome);
            if (const double near = latest_seen_end(); near < stepping_.t()) {
                stepping_.rewind();
                stop = near;
                is_cut = true;
                continue;
            }
            if (!watched || singularities_.accepts(stepping_)) {
                cut_steps_ = is_cut ? cut_steps_ + 1 : 0;
                return true;
            }
            stepping_.rewind();
            hand_over();
        }
        return failure_.say(
            DynamicStatus::step_too_small,
            "no step passes the singular position after t = " + number_text(state_.t, 9) +
                " s on the branch of the motion; start elsewhere, or set another "
                "`run.rtol`");
    }

    // Where contacts are watched for, a step ends before rounding of the way that the bodies have
    // made in it hides what happens at its beginning; and before they have turned too often.
    [[nodiscard]] double latest_seen_end() {
        constexpr double farthest = 1e3;  // of the size and of where they are; in rad
        if (contacts_->watch().empty()) return INFINITY;
        const double begin = stepping_.begin(), h = stepping_.t() - begin;
        const auto from = stepping_.q_begin(), to = stepping_.q_end();
        double there = equations_->model_size(), way = 0, turn = 0;
        for (std::size_t c = 0; c < to.size(); ++c) {
            const bool turns =
                equations_->coordinates().column_component(static_cast<int>(c)) == Component::angle;
            double& most = turns ? turn : way;
            most = std::max(most, std::abs(to[c] - from[c]));
            if (!turns) there = std::max(there, std::abs(from[c]));
        }
        // A fall goes with the square of the time, a turn with the time.
        const double share = std::min(std::sqrt(farthest * there / way), farthest / turn);
        return share >= 1 ? INFINITY : begin + 0.9 * h * share;
    }

    bool stuck(StepOutcome outcome) {
        return failure_.stuck(state_.t, outcome, stepping_.outcome(), contacts_->system());
    }

    // Steps without number that lead nowhere come from a force that grows without bound, or from a
    // contact that slides away to infinity.
    bool gets_on() {
        constexpr long most = 200000;
        // Of steps that are cut one after the other since bodies turn or fly too far in them.
        constexpr long many_cut = 300;
        constexpr double most_left = 1e6;
        const double left = (options_.end - state_.t) / (stepping_.t() - stepping_.begin());
        if (cut_steps_ >= many_cut && left > most_left)
            return failure_.say(
                DynamicStatus::step_too_small,
                "the rest of the run from t = " + number_text(state_.t, 9) + " s would take some " +
                    number_text(left, 2) +
                    " steps: bodies whose contacts are watched turn or fly too fast "
                    "for longer ones; let the run end earlier, or slow them down");
        if (state_.t - steady_from_ > 1e-3 * options_.step) {
            steady_from_ = state_.t;
            slow_steps_ = 0;
        }
        return ++slow_steps_ < most ||
               failure_.say(DynamicStatus::step_too_small,
                            no_progress_text(most, steady_from_, state_.t) +
                                ": a force changes too fast, or a contact slides away");
    }

    // Makes the step end at the first switch inside it.
    bool cut_at_switch() {
        const double begin = stepping_.begin(), end = stepping_.t();
        for (;;) {
            switched_ = switches_.first(*equations_, stepping_);
            if (!switched_) return true;
            if (switched_->t - begin > 1e-13 * (1 + begin)) break;
            // It came with the end of the step before.
            if (!switches_.pass(switched_->which, *equations_, state_, failure_)) return false;
        }
        return !(end - switched_->t > 1e-13 * (1 + end)) || step_to(switched_->t);
    }

    [[nodiscard]] auto states_inside() {
        return [this](double t) -> const State& { return stepping_.at(t); };
    }

    [[nodiscard]] std::optional<ContactOccurrence> first_occurrence() {
        return contacts_->first(stepping_.begin(), stepping_.t(), states_inside(),
                                [this]() -> const PolynomialPath& { return stepping_.path(); });
    }

    // Takes the last step back and steps to t instead. Where that needs several steps all but the
    // last are finished.
    bool step_to(double t) {
        stepping_.rewind();
        end_is_projected_ = false;
        constexpr int max_steps = 1000;
        for (int k = 0; k < max_steps && stepping_.t() < t; ++k) {
            if (!step(t)) return false;
            if (stepping_.t() >= t) break;
            if (!finish_step()) return false;
            go_on();
        }
        return stepping_.t() >= t || stuck(StepOutcome::step_too_small);
    }

    // A step from whose end no projection leads back on the constraints was too long.
    bool shorten_until_projected() {
        if (equations_->pattern().rows() == 0) return true;
        for (int i = 0; i < 20 && !end_is_projected_; ++i) {
            stepping_.end_state(between_);
            end_is_projected_ = dynamics_->project(between_) >= 0;
            if (end_is_projected_) break;
            stepping_.forget_move();
            const double t = stepping_.begin() + 0.25 * (stepping_.t() - stepping_.begin());
            if (!(t > stepping_.begin()) || !step_to(t))
                return result_.status == DynamicStatus::completed;
            if (!cut_at_switch() || !cut_at_contact()) return false;
        }
        return true;  // the step reports what cannot be kept closed
    }

    // Makes the step end at the first change of contact inside it: found on the dense output, then
    // a real step to the time, projected, with the switching function corrected until the time
    // stands to rounding. Corrections that are small against the step are not worth another one.
    bool cut_at_contact() {
        occurrence_.reset();
        stepping_.forget_move();
        end_is_projected_ = false;
        if (contacts_->empty()) return true;
        const double begin = stepping_.begin();
        occurrence_ = first_occurrence();
        if (occurrence_ && is_unseen(*occurrence_)) {
            // A part of it, in which the contact presses at all stages, and then on with that.
            if (!step_to(begin + 0.25 * (occurrence_->t - begin))) return false;
            switched_.reset();  // it comes later
            occurrence_ = first_occurrence();
        }
        if (!occurrence_) return true;
        if (stepping_.t() - occurrence_->t > 1e-14 * (1 + occurrence_->t)) switched_.reset();
        constexpr int most = 6;
        // Ends closer than this part of the step are moved there.
        constexpr double movable = 1e-3;
        const double found = occurrence_->t;
        // What is corrected by more has no zero there, as the gap of a place that has begun below.
        const double room = movable * (found - begin) + 1e-12 * (1 + found);
        double t = found;
        for (int i = 0; i < most; ++i) {
            const double away = std::abs(t - stepping_.end());
            if (away > 0 && away < movable * (stepping_.t() - stepping_.begin())) {
                if (!stepping_.move_end(t)) return stuck(StepOutcome::not_finite);
            } else if (away > 0) {
                stepping_.forget_move();
                if (!stepping_.cut(t) && !step_to(t)) return false;
            }
            stepping_.end_state(between_);
            end_is_projected_ = dynamics_->project(between_) >= 0;
            if (!end_is_projected_) break;
            const auto [value, rate] = contacts_->guard(*occurrence_, between_);
            // One that jumps is met before the jump, as far before as rounding has moved it.
            const double correction = rate != 0   ? -value / rate
                                      : value < 0 ? -std::ldexp(1e-13, 4 * i) * (1 + t)
                                                  : 0;
            const bool jumps = rate == 0;
            if (!(std::abs(correction) > 1e-14 * (1 + t)) ||
                !(jumps || std::abs(t + correction - found) <= room))
                break;
            t = std::max(t + correction, 0.5 * (begin + t));
            occurrence_->t = t;
        }
        return true;
    }

    // A compliant contact that began to press with the step and lets go inside it: most stages may
    // lie where it has parted again, and the step knows nothing of its force.
    [[nodiscard]] bool is_unseen(const ContactOccurrence& o) const {
        const double begin = stepping_.begin();
        return o.kind == ContactOccurrence::Kind::lets_go && o.point.compliant &&
               !o.point.released && o.point.began >= begin &&
               o.t - begin > 1e-12 * (1 + std::abs(begin));
    }

    bool pass_contact() {
        sample(state_);
        if (!continue_after(contacts_->resolve(*occurrence_, state_))) return false;
        sample(state_);
        restart();
        return true;
    }

    bool pass_switch() {
        if (!switches_.pass(switched_->which, *equations_, state_, failure_)) return false;
        restart();
        return true;
    }

    // Outputs inside the step, then projection of its end.
    bool finish_step() {
        const double t_new = stepping_.end();
        if (!clearances_->empty()) {
            clearances_->step(stepping_.begin(), std::min(t_new, stepping_.t()), states_inside());
            end_is_projected_ = false;
        }
        while (output_time(next_output_) <= t_new - 1e-12 * (1 + t_new) &&
               output_time(next_output_) < options_.end) {
            between_ = stepping_.at(output_time(next_output_++));
            if (dynamics_->project(between_) < 0) return lost(between_.t);
            sample(between_);
            end_is_projected_ = false;
        }
        step_begin_ = state_;
        if (end_is_projected_)
            state_ = between_;
        else
            stepping_.end_state(state_);
        if (equations_->pattern().rows() > 0) {
            if (!end_is_projected_ && dynamics_->project(state_) < 0) {
                if (contacts_->resolve(ContactOccurrence::Kind::is_overloaded, state_) !=
                    ContactCycle::Outcome::changed)
                    return lost(t_new);
                adopt_system();
                occurrence_.reset();
                if (dynamics_->project(state_) < 0) return lost(t_new);
                stepping_.forget_move();
                restart();
                return record_end(t_new);
            }
            end_is_projected_ = false;
            equations_->settle_contacts();
            singularities_.finish(t_new);
        }
        step_audit_.end(*dynamics_, stepping_, step_begin_, state_);
        passage_.step(step_begin_.t, state_.t, [this](double t) -> const Coordinates<Space>& {
            const State& state = t == step_begin_.t ? step_begin_
                                 : t == state_.t    ? state_
                                                    : stepping_.at(std::min(t, stepping_.t()));
            equations_->coordinates().set_position(state.q);
            equations_->coordinates().set_velocity(state.v);
            return equations_->coordinates();
        });
        stepping_.forget_move();
        record_->end_step();
        return record_end(t_new);
    }

    // The integration goes on from the projected end of the step.
    void go_on() {
        if (equations_->pattern().rows() == 0) return;
        if (dynamics_->refresh(state_))
            restart();
        else
            stepping_.replace(state_);
        hand_over();
    }

    // The row of an output time at the end of a step.
    bool record_end(double t) {
        if (output_time(next_output_) <= t + 1e-12 * (1 + t) || t >= options_.end) {
            ++next_output_;
            sample(state_);
        }
        return true;
    }

    // A row; its accelerations are judged like those of the steps.
    void sample(const State& state) {
        record_->sample(state);
        if (equations_->time() == state.t)
            step_audit_.judge_rows(*contacts_->system().dynamics, state.t);
    }

    [[nodiscard]] double output_time(std::size_t k) const {
        const double t = t_start_ + static_cast<double>(k) * options_.step;
        return t > options_.end - 1e-9 * options_.step ? options_.end : t;
    }

    // Impulses that act now, with event and ledger.
    bool apply_impulses(double t) {
        bool any = false;
        for (std::size_t i = 0; i < mechanism_.forces.size(); ++i) {
            const auto* impulse = std::get_if<GivenImpulse<Space>>(&mechanism_.forces[i].kind);
            if (!impulse || std::abs(impulse->at - t) > 1e-12 * (1 + t)) continue;
            any = true;
            const auto& at = mechanism_.forces[i].frames[1];
            equations_->set_position(state_.q, state_.t);
            std::vector<Space::Wrench> on_bodies(mechanism_.bodies.size());
            const auto arm = equations_->coordinates().position(at.body).to_ground(at.local.at);
            on_bodies[at.body].f = {impulse->x, impulse->y};
            on_bodies[at.body].m = impulse->turn + Space::cross(arm, on_bodies[at.body].f);
            std::vector<double> generalized(equations_->size());
            equations_->inertia().pull_back(on_bodies, generalized);
            const double before = kinetic();
            sample(state_);
            std::vector<double> work;
            if (dynamics_->set_position(state_)) {
                dynamics_->answer_impulse(generalized, work);
                for (std::size_t c = 0; c < generalized.size(); ++c) state_.v[c] += generalized[c];
            }
            const double change = kinetic() - before;
            state_.z[mechanism_.states.size() + i] += change;
            Event e;
            e.t = t;
            e.kind = EventKind::impulse;
            e.element = mechanism_.forces[i].name;
            e.impulse = std::hypot(impulse->x, impulse->y);
            e.energy_change = change;
            result_.events.push_back(std::move(e));
        }
        return any;
    }

    double kinetic() {
        equations_->set_position(state_.q, state_.t);
        equations_->coordinates().set_velocity(state_.v);
        return equations_->inertia().kinetic_energy();
    }

    bool pass_break() {
        if (apply_impulses(state_.t)) {
            if (!continue_after(contacts_->resolve(ContactOccurrence::Kind::is_disturbed, state_)))
                return false;
            sample(state_);
        } else {
            Event e;
            e.t = state_.t;
            e.kind = EventKind::time;
            e.detail = "end of a piece of a driver's law or knot of a table";
            result_.events.push_back(std::move(e));
            // Forces may jump with the accelerations of the drivers: those just after count.
            if (!contacts_->empty()) {
                state_.t += 1e-14 * (1 + state_.t);
                if (!continue_after(
                        contacts_->resolve(ContactOccurrence::Kind::is_disturbed, state_)))
                    return false;
            }
        }
        restart();
        return true;
    }

    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    const DynamicOptions& options_;
    DynamicResult& result_;
    AuxiliaryLayout layout_;
    DynamicFailure failure_;
    Stepping stepping_;
    SwitchWatch switches_;
    SingularityWatch singularities_;
    StepAudit step_audit_;
    PassageAudit passage_;
    std::optional<SwitchWatch::Crossing> switched_;  // at which the last step ends
    std::optional<DynamicSystems> systems_;
    std::optional<ContactCycle> contacts_;
    std::optional<ContactOccurrence> occurrence_;
    Mechanics* equations_ = nullptr;  // of the system in force
    Dynamics* dynamics_ = nullptr;
    std::optional<DynamicRecord> record_;
    std::optional<ClearanceRecord> clearances_;
    State state_, between_, step_begin_;
    State given_;                    // at the start, before contacts answer
    bool end_is_projected_ = false;  // between_ is the end of the step, and the equations are there
    double t_start_ = 0;
    std::vector<double> breaks_;
    double kinetic_at_start_ = 0;
    double steady_from_ = -INFINITY;
    long slow_steps_ = 0, cut_steps_ = 0;
    std::size_t next_output_ = 1, next_break_ = 0;
    std::optional<StepLimits> limits_;
    bool over_ = false;
};

Simulation::Simulation(const PlacedMechanism& placed, DynamicOptions options)
    : placed_(std::make_unique<PlacedMechanism>(
          has_clearance(placed.mechanism) ? open_clearances(placed) : placed)),
      options_(std::make_unique<DynamicOptions>(std::move(options))),
      result_(std::make_unique<DynamicResult>()) {
    reset();
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::reset() {
    *result_ = {};
    run_ = std::make_unique<Run>(*placed_, *options_, *result_);
}

bool Simulation::step() { return run_->advance(); }

bool Simulation::advance_to(double t) {
    while (time() < t)
        if (!run_->advance()) return false;
    return true;
}

double Simulation::time() const { return run_->state().t; }
const State& Simulation::state() const { return run_->state(); }
double Simulation::begin_of_step() const { return run_->begin_of_step(); }
State Simulation::state_at(double t) { return run_->state_at(t); }
const DynamicResult& Simulation::so_far() const { return *result_; }

std::string Simulation::save() {
    Memory memory;
    run_->remember(memory);
    return memory.text();
}

bool Simulation::restore(std::string saved) {
    reset();
    Memory memory(std::move(saved));
    if (run_->remember(memory)) return true;
    reset();
    return false;
}

DynamicResult Simulation::finish() {
    run_->close();
    warn_of_measures(placed_->mechanism, result_->trajectory, result_->warnings);
    run_.reset();
    DynamicResult result = std::move(*result_);
    reset();
    return result;
}

DynamicResult run_dynamics(const PlacedMechanism& placed, const DynamicOptions& options) {
    Simulation simulation(placed, options);
    while (simulation.step()) {
    }
    return simulation.finish();
}

}  // namespace pawl
