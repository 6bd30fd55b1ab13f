#include "simulation/dynamic_run.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "integration/stepper.h"
#include "math/tolerances.h"
#include "simulation/clearance.h"
#include "simulation/clearance_record.h"
#include "simulation/dynamic_record.h"
#include "simulation/mobility.h"
#include "simulation/switches.h"
#include "simulation/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Mechanics = MechanismEquations<Space>;

class Rates : public RightHandSide {
public:
    bool rates(double t, std::span<const double> y, std::span<double> dy) override {
        outcome = dynamics->rates(t, y, dy);
        return outcome == RateOutcome::solved;
    }
    Dynamics* dynamics = nullptr;  // of the system in force
    RateOutcome outcome = RateOutcome::solved;
};

class DynamicRun {
public:
    DynamicRun(const PlacedMechanism& placed, const DynamicOptions& options, DynamicResult& result)
        : placed_(placed),
          mechanism_(placed.mechanism),
          options_(options),
          result_(result),
          layout_(placed.mechanism),
          switches_(placed.mechanism) {}

    void run() {
        if (const auto problem = indeterminate_friction(placed_)) {
            fail(DynamicStatus::indeterminate, problem->message, problem->span);
            return;
        }
        if (!choose_solver() || !begin()) return;
        record_.emplace(placed_, options_, *contacts_, result_);
        clearances_.emplace(mechanism_, *contacts_);
        collect_breaks();
        march();
        add_statistics();
        result_.last = {state_, contacts_->contacts()};
        record_->close(state_);
        result_.clearances = clearances_->close(result_.events);
    }

private:
    bool fail(DynamicStatus status, std::string message, Span span = {}) {
        result_.status = status;
        result_.message = std::move(message);
        result_.span = span;
        return false;
    }

    bool choose_solver() {
        const std::string name = options_.dynamics == "auto" ? "multipliers" : options_.dynamics;
        Mechanics::Choice choice;
        choice.coordinates = options_.coordinates;
        choice.particles = options_.particles;
        systems_.emplace(placed_, choice, name, options_.make_equations, options_.make_solver);
        contacts_.emplace(placed_, *systems_,
                          options_.sequential_impacts ? ContactProblem::Impacts::sequential
                                                      : ContactProblem::Impacts::simultaneous,
                          result_.events);
        if (!contacts_->found_solver())
            return fail(DynamicStatus::refused, "no dynamics of the name '" + name + "'");
        adopt_system();
        if (const int most = largest_size(name); most > 0 && equations_->size() > most)
            return fail(DynamicStatus::refused,
                        "dynamics = \"" + name + "\" works up to " + std::to_string(most) +
                            " coordinates; this model has " + std::to_string(equations_->size()) +
                            "; choose \"multipliers\"");
        result_.dynamics = name;
        result_.integrator = options_.integrator;
        return true;
    }

    // The equations and the solver of the contacts that are closed now.
    void adopt_system() {
        equations_ = contacts_->system().equations.get();
        dynamics_ = contacts_->system().dynamics.get();
        rates_.dynamics = dynamics_;
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
        if (!equations_->set_inertia()) return fail_massless();
        if (options_.start)
            state_.v = options_.start->state.v;
        else
            take_given_velocities();
        if (dynamics_->project(state_) < 0)
            return fail(DynamicStatus::left_constraints,
                        "the start does not satisfy the constraints");
        kinetic_at_start_ = kinetic();
        if (!continue_after(options_.start ? contacts_->review(state_, driver_work())
                                           : contacts_->begin(state_)))
            return false;
        dynamics_->refresh(state_);  // before its size is known
        restart();
        if (!stepper_)
            return fail(DynamicStatus::refused,
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

    // The work of the drivers in z.
    [[nodiscard]] std::span<double> driver_work() {
        return std::span(state_.z).subspan(layout_.drivers);
    }

    // Goes on with the contacts that are closed after an event; false when the run ends.
    bool continue_after(ContactCycle::Outcome outcome) {
        switch (outcome) {
            case ContactCycle::Outcome::unchanged:
                return true;
            case ContactCycle::Outcome::jam:
                return fail(DynamicStatus::jam, contacts_->message(), contacts_->span());
            case ContactCycle::Outcome::overlap:
                return fail(DynamicStatus::overlap, contacts_->message(), contacts_->span());
            case ContactCycle::Outcome::painleve:
                return fail(DynamicStatus::painleve, contacts_->message(), contacts_->span());
            case ContactCycle::Outcome::chatter:
                return fail(DynamicStatus::step_too_small,
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

    bool fail_massless() {
        const std::string column = equations_->massless();
        return fail(DynamicStatus::massless, "coordinate '" + column +
                                                 "' has no inertia, so its motion is not defined: "
                                                 "give the bodies it moves a mass and an inertia" +
                                                 (options_.coordinates == CoordinateKind::absolute
                                                      ? ", or choose coordinates = \"relative\", "
                                                        "which needs none for each body alone"
                                                      : ""));
    }

    StepperOptions stepper_options() const {
        StepperOptions o;
        o.rtol = options_.rtol;
        const int n = equations_->size();
        // Positions: a part of the size; velocities: the same per characteristic time of a body
        // falling the size.
        const double time = std::sqrt(equations_->model_size() / 9.81);
        for (int c = 0; c < n; ++c)
            o.atol.push_back(options_.atol * equations_->model_size() /
                             equations_->column_scale()[c]);
        // Momenta: that of the lightest coordinate at that velocity.
        double momentum = INFINITY;
        if (dynamics_->has_momenta()) {
            equations_->set_position(state_.q, state_.t);
            equations_->set_inertia();
            const Eigen::VectorXd mass = equations_->mass_matrix().diagonal();
            for (int c = 0; c < n; ++c)
                if (mass[c] > 0) momentum = std::min(momentum, mass[c] * o.atol[c] / time);
        }
        for (int i = n; i < dynamics_->size() - dynamics_->auxiliary_size(); ++i)
            o.atol.push_back(dynamics_->has_momenta() ? momentum : o.atol[i - n] / time);
        const int own = static_cast<int>(mechanism_.states.size());
        for (int i = 0; i < own; ++i) o.atol.push_back(options_.atol);
        o.controlled = static_cast<int>(o.atol.size());
        if (options_.largest_step > 0) o.largest_step = options_.largest_step;
        // What rests or follows a driver gives the integrator no reason for small steps, but forces
        // that change with time may still end it: they are looked at as often as the user wants to
        // see them.
        if (!contacts_->empty() && (layout_.has_friction() || forces_vary()))
            o.largest_step = std::min(o.largest_step, options_.step);
        o.fixed_step = options_.integrator_step > 0 ? options_.integrator_step : options_.step;
        return o;
    }

    // Drivers, and forces given by expressions, which may hold the time.
    [[nodiscard]] bool forces_vary() const {
        return !mechanism_.drivers.empty() ||
               std::any_of(mechanism_.forces.begin(), mechanism_.forces.end(), [](const auto& f) {
                   return std::holds_alternative<JointForce<Space>>(f.kind) ||
                          std::holds_alternative<PointForce<Space>>(f.kind) ||
                          std::holds_alternative<BodyTorque<Space>>(f.kind);
               });
    }

    // Begins to integrate at the present state; the size of the integrated vector may have changed.
    void restart() {
        if (!stepper_ || y_.size() != static_cast<std::size_t>(dynamics_->size())) {
            if (stepper_) add_statistics();
            stepper_ =
                make_stepper(options_.integrator, rates_, dynamics_->size(), stepper_options());
            if (!stepper_) return;
        }
        y_.resize(dynamics_->size());
        dynamics_->pack(state_, y_);
        stepper_->start(state_.t, y_);
    }

    void add_statistics() {
        const auto& s = stepper_->statistics();
        result_.statistics.steps += s.accepted;
        result_.statistics.rejected += s.rejected;
        result_.statistics.evaluations += s.evaluations;
        if (s.stiff && !stiff_) {
            stiff_ = true;
            result_.warnings.push_back("the model is stiff from t = " + number_text(s.stiff_at) +
                                       " s on: small steps are taken for stability only; "
                                       "integrator = \"stiff\" may be faster");
        }
    }

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

    void march() {
        if (!switches_.empty()) {
            equations_->set_position(state_.q, state_.t);
            equations_->coordinates().set_velocity(state_.v);
            switch_signs_ = switches_.evaluate(equations_->coordinates(), state_.t,
                                               std::span(state_.z).first(mechanism_.states.size()));
            // A switch that starts at zero takes the side it moves to.
            const auto later = switches_ahead(1e-7);
            for (std::size_t i = 0; i < switch_signs_.size(); ++i) {
                const double value =
                    std::abs(switch_signs_[i]) > 1e-12 ? switch_signs_[i] : later[i];
                switch_signs_[i] = value < 0 ? -1 : 1;
            }
        }
        if (apply_impulses(t_start_)) {
            if (!continue_after(contacts_->review(state_, driver_work()))) return;
            restart();
        }
        record_->sample(state_);
        // An impulse or an impact at the start counts as work, like any other.
        record_->set_first_kinetic(kinetic_at_start_);
        std::size_t next_break = 0;
        next_output_ = 1;
        while (state_.t < options_.end) {
            const double stop = next_break < breaks_.size() ? breaks_[next_break] : options_.end;
            const StepOutcome outcome = stepper_->step(stop);
            if (outcome != StepOutcome::stepped) {
                explain(outcome);
                return;
            }
            if (!cut_at_switch() || !cut_at_contact() || !shorten_until_projected() ||
                !finish_step())
                return;
            if (occurrence_ && !pass_contact()) return;
            if (switched_ >= 0 && !pass_switch()) return;
            if (state_.t >= stop && next_break < breaks_.size()) {
                ++next_break;
                if (!pass_break()) return;
            }
            if (options_.progress)
                options_.progress((state_.t - t_start_) / (options_.end - t_start_));
        }
    }

    const std::vector<double>& switches_at(double t) {
        State between;
        if (t == stepper_->t())
            dynamics_->unpack(stepper_->y(), between);
        else {
            stepper_->interpolate(t, y_);
            dynamics_->unpack(y_, between);
        }
        equations_->set_position(between.q, t);
        equations_->coordinates().set_velocity(between.v);
        return switches_.evaluate(equations_->coordinates(), t,
                                  std::span(between.z).first(mechanism_.states.size()));
    }

    // Looks for the first switch inside the last step, at thirds of it so that two crossings are
    // not missed, and makes the step end there. The sign of a switch is that of the branch the
    // expressions are on.
    bool cut_at_switch() {
        switched_ = -1;
        if (switches_.empty()) return true;
        const double begin = stepper_->t_old(), end = stepper_->t();
        double low = begin;
        for (int part = 1; part <= 3 && switched_ < 0; ++part) {
            const double high = part == 3 ? end : begin + (end - begin) * part / 3;
            const std::vector<double> at_high = switches_at(high);
            double first = INFINITY;
            for (std::size_t i = 0; i < at_high.size(); ++i) {
                if (!(at_high[i] * switch_signs_[i] < 0)) continue;
                double a = low, b = high;
                for (int k = 0; k < 60 && b - a > 1e-14 * (1 + b); ++k) {
                    const double middle = 0.5 * (a + b);
                    (switches_at(middle)[i] * switch_signs_[i] < 0 ? b : a) = middle;
                }
                if (b < first) {
                    first = b;
                    switched_ = static_cast<int>(i);
                }
            }
            if (switched_ >= 0 && end - first > 1e-13 * (1 + end) &&
                first - begin > 1e-13 * (1 + begin)) {
                if (!step_to(first)) return false;
            }
            low = high;
        }
        return true;
    }

    void note_switch(int i) {
        Event e;
        e.t = state_.t;
        e.kind = EventKind::time;
        e.element = switches_.name(i);
        e.detail = "an expression or table changes branch";
        result_.events.push_back(std::move(e));
    }

    // The switches a little later, along the velocities.
    std::vector<double> switches_ahead(double h) {
        std::vector<double> q = state_.q;
        for (std::size_t c = 0; c < q.size(); ++c) q[c] += h * state_.v[c];
        equations_->set_position(q, state_.t + h);
        equations_->coordinates().set_velocity(state_.v);
        return switches_.evaluate(equations_->coordinates(), state_.t + h,
                                  std::span(state_.z).first(mechanism_.states.size()));
    }

    // State inside the last step, or at its end.
    const State& state_at(double t) {
        between_.t = t;
        if (t == stepper_->t())
            dynamics_->unpack(stepper_->y(), between_);
        else {
            y_.resize(dynamics_->size());
            stepper_->interpolate(t, y_);
            dynamics_->unpack(y_, between_);
        }
        return between_;
    }

    // Takes the last step back and steps to t instead. Where that needs several steps all but the
    // last are finished.
    bool step_to(double t) {
        stepper_->rewind();
        for (int k = 0; k < 50 && stepper_->t() < t; ++k) {
            if (const StepOutcome outcome = stepper_->step(t); outcome != StepOutcome::stepped) {
                explain(outcome);
                return false;
            }
            if (stepper_->t() < t && !finish_step()) return false;
        }
        return true;
    }

    // A step from whose end no projection leads back on the constraints was too long.
    bool shorten_until_projected() {
        if (equations_->pattern().rows() == 0) return true;
        for (int i = 0; i < 20; ++i) {
            between_.t = t_event_ > 0 ? t_event_ : stepper_->t();
            dynamics_->unpack(t_event_ > 0 ? y_event_ : stepper_->y(), between_);
            if (dynamics_->project(between_) >= 0) return true;
            t_event_ = 0;
            const double t = stepper_->t_old() + 0.25 * (stepper_->t() - stepper_->t_old());
            if (!(t > stepper_->t_old()) || !step_to(t))
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
        t_event_ = 0;
        if (contacts_->empty()) return true;
        occurrence_ = contacts_->first(stepper_->t_old(), stepper_->t(),
                                       [this](double t) -> const State& { return state_at(t); });
        if (!occurrence_) return true;
        if (stepper_->t() - occurrence_->t > 1e-14 * (1 + occurrence_->t)) switched_ = -1;
        double t = occurrence_->t;
        constexpr int most = 6;
        for (int i = 0; i < most; ++i) {
            const double from = t_event_ > 0 ? t_event_ : stepper_->t();
            if (t != from) {
                if (std::abs(t - from) < shiftable * (stepper_->t() - stepper_->t_old())) {
                    if (!shift_end(t)) return false;
                } else {
                    t_event_ = 0;
                    if (!step_to(t)) return false;
                }
            }
            between_.t = t;
            dynamics_->unpack(t_event_ > 0 ? y_event_ : stepper_->y(), between_);
            if (equations_->pattern().rows() > 0 && dynamics_->project(between_) < 0) break;
            const auto [value, rate] = contacts_->guard(*occurrence_, between_);
            const double correction = rate != 0 ? -value / rate : 0;
            if (!(std::abs(correction) > 1e-14 * (1 + t)) ||
                !(std::abs(correction) < 1e-3 * (1 + t)))
                break;
            t = std::max(t + correction, stepper_->t_old() + 0.5 * (t - stepper_->t_old()));
            occurrence_->t = t;
        }
        return true;
    }

    // Moves the end of the step to a time close by: one step of the classical Runge-Kutta method,
    // forwards or backwards. Its error is of the fifth power of the part of the step: below
    // rounding.
    static constexpr double shiftable = 1e-3;
    bool shift_end(double t) {
        const std::size_t n = stepper_->y().size();
        const double from = t_event_ > 0 ? t_event_ : stepper_->t(), h = t - from;
        if (!(t_event_ > 0)) y_event_.assign(stepper_->y().begin(), stepper_->y().end());
        t_event_ = t;
        std::vector<double> start = y_event_, place = y_event_, rate(n);
        constexpr double at[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        for (int k = 0; k < 4; ++k) {
            for (std::size_t i = 0; k > 0 && i < n; ++i) place[i] = start[i] + at[k] * h * rate[i];
            if (!rates_.rates(from + at[k] * h, place, rate)) {
                explain(StepOutcome::not_finite);
                return false;
            }
            for (std::size_t i = 0; i < n; ++i) y_event_[i] += weight[k] * h * rate[i];
        }
        result_.statistics.evaluations += 4;
        return true;
    }

    bool pass_contact() {
        record_->sample(state_);
        if (!continue_after(contacts_->resolve(*occurrence_, state_, driver_work()))) return false;
        record_->sample(state_);
        restart();
        return true;
    }

    bool pass_switch() {
        switch_signs_[switched_] = -switch_signs_[switched_];
        crowded_ = state_.t - last_switch_ < 1e-9 * (1 + state_.t) ? crowded_ + 1 : 0;
        last_switch_ = state_.t;
        if (crowded_ > 100)
            return fail(DynamicStatus::step_too_small,
                        "'" + switches_.name(switched_) +
                            "' switches to and fro without end at t = " + number_text(state_.t, 9) +
                            " s; smooth its expression (tanh instead of sign)");
        if (const int d = switches_.driver(switched_); d >= 0) {
            const double h = 1e-9 * (1 + state_.t);
            const double before = mechanism_.drivers[d].at(state_.t - h).rate,
                         after = mechanism_.drivers[d].at(state_.t + h).rate;
            if (std::abs(after - before) > 1e-6 * (1 + std::abs(before)))
                return fail(DynamicStatus::driver_jump,
                            "the velocity of driver '" + mechanism_.drivers[d].name +
                                "' jumps from " + number_text(before) + " to " +
                                number_text(after) + " at t = " + number_text(state_.t) +
                                " s; make its law smooth",
                            mechanism_.drivers[d].span);
        }
        note_switch(switched_);
        // Others may change sides at the same time: look a little ahead along the velocities.
        const auto ahead = switches_ahead(1e-9 * (1 + state_.t));
        for (std::size_t i = 0; i < ahead.size(); ++i)
            if (ahead[i] * switch_signs_[i] < 0) {
                switch_signs_[i] = -switch_signs_[i];
                note_switch(static_cast<int>(i));
            }
        restart();
        return true;
    }

    // Outputs inside the step, then projection of its end.
    bool finish_step() {
        const double t_new = t_event_ > 0 ? t_event_ : stepper_->t();
        if (!clearances_->empty())
            clearances_->step(stepper_->t_old(), std::min(t_new, stepper_->t()),
                              [this](double t) -> const State& { return state_at(t); });
        while (output_time(next_output_) <= t_new - 1e-12 * (1 + t_new) &&
               output_time(next_output_) < options_.end) {
            State between;
            between.t = output_time(next_output_++);
            stepper_->interpolate(between.t, y_);
            dynamics_->unpack(y_, between);
            if (dynamics_->project(between) < 0) return lost(between.t);
            record_->sample(between);
        }
        state_.t = t_new;
        dynamics_->unpack(t_event_ > 0 ? y_event_ : stepper_->y(), state_);
        t_event_ = 0;
        if (equations_->pattern().rows() > 0) {
            if (dynamics_->project(state_) < 0) {
                if (!contacts_->simplify(state_, driver_work())) return lost(t_new);
                adopt_system();
                occurrence_.reset();
                if (dynamics_->project(state_) < 0) return lost(t_new);
                restart();
            }
            equations_->settle_contacts();
            watch_singularity();
            if (dynamics_->refresh(state_)) {
                restart();
            } else {
                dynamics_->pack(state_, y_);
                stepper_->replace(y_);
            }
        }
        if (output_time(next_output_) <= t_new + 1e-12 * (1 + t_new) || t_new >= options_.end) {
            ++next_output_;
            record_->sample(state_);
        }
        return true;
    }

    // How far the rows are from dependence at a time inside the last step: goes to zero like |t -
    // t*| at a singular position.
    double independence(double t) {
        stepper_->interpolate(t, y_);
        State between;
        dynamics_->unpack(y_, between);
        equations_->set_position(between.q, t);
        equations_->set_inertia();
        dynamics_->response().factor();
        return std::sqrt(std::max(0.0, dynamics_->response().smallest_pivot()));
    }

    // A singular position inside the step: the independence falls at its start and rises at its
    // end. Golden section brings its foot near, then the crossing of the two straight sides gives
    // the time.
    void watch_singularity() {
        constexpr double near =
            0.3;  // of the largest independence seen: only there it pays to look
        const double at_end = std::sqrt(std::max(0.0, dynamics_->response().smallest_pivot()));
        result_.statistics.smallest_pivot =
            std::min(result_.statistics.smallest_pivot, at_end * at_end);
        const double at_start = last_independence_;
        last_independence_ = at_end;
        if (std::min(at_start, at_end) > near) return;
        double low = stepper_->t_old(), high = stepper_->t();
        const double probe = 1e-3 * (high - low);
        if (independence(low + probe) >= independence(low) ||
            independence(high - probe) >= independence(high))
            return;
        constexpr double golden = 0.3819660112501051;
        double x1 = low + golden * (high - low), x2 = high - golden * (high - low);
        double f1 = independence(x1), f2 = independence(x2);
        for (int i = 0; i < 40 && high - low > 20 * probe * 1e-3; ++i) {
            if (f1 < f2) {
                high = x2;
                x2 = x1;
                f2 = f1;
                f1 = independence(x1 = low + golden * (high - low));
            } else {
                low = x1;
                x1 = x2;
                f1 = f2;
                f2 = independence(x2 = high - golden * (high - low));
            }
        }
        const double foot = 0.5 * (low + high),
                     reach = std::min(
                         {2e-2 * probe * 1e3, foot - stepper_->t_old(), stepper_->t() - foot});
        if (std::min(f1, f2) > 1e-3) return;  // a minimum, but not a singular position
        const double before = independence(foot - reach), after = independence(foot + reach);
        Event e;
        e.t = before + after > 0 ? foot - reach + 2 * reach * before / (before + after) : foot;
        e.kind = EventKind::bifurcation;
        e.to = "passed on its branch";
        e.detail = "singular position: the constraints become dependent and another branch opens";
        result_.events.push_back(std::move(e));
    }

    [[nodiscard]] double output_time(std::size_t k) const {
        const double t = t_start_ + static_cast<double>(k) * options_.step;
        return t > options_.end - 1e-9 * options_.step ? options_.end : t;
    }

    bool lost(double t) {
        int worst = 0;
        for (int r = 0; r < equations_->pattern().rows(); ++r)
            if (std::abs(equations_->phi()[r]) > std::abs(equations_->phi()[worst])) worst = r;
        const RowLabel& label = equations_->labels()[worst];
        if (label.role == RowRole::contact &&
            dynamics_->response().smallest_pivot() < tolerance::near_singular)
            return jam(t, label);
        return fail(DynamicStatus::left_constraints,
                    std::string(label.role == RowRole::contact ? "contact '" : "joint '") +
                        label.element + "' cannot be kept closed at t = " + number_text(t) +
                        " s: gap " + length_text(std::abs(equations_->phi()[worst])) +
                        (label.role == RowRole::contact ? "; the bodies around it may be jammed"
                                                        : "; smaller tolerances may help"),
                    label.span);
    }

    // Near the singular position a contact gives way by a lever arm near zero only, and at it not
    // at all.
    bool jam(double t, const RowLabel& label) {
        Event e;
        e.t = t;
        e.kind = EventKind::jam;
        e.element = label.element;
        e.to = "stopped";
        e.detail = "joints and drivers let it give way by a lever arm near zero only";
        result_.events.push_back(e);
        return fail(DynamicStatus::jam,
                    "jam at t = " + number_text(t, 9) + " s: contact '" + label.element +
                        "' cannot give way, " + e.detail,
                    label.span);
    }

    // Below this part of its value without friction the matrix of the sliding is taken as singular.
    static constexpr double painleve_margin = 1e-2;
    void explain(StepOutcome outcome) {
        const std::string when = " at t = " + number_text(state_.t, 9) + " s";
        if (rates_.outcome == RateOutcome::painleve ||
            (equations_->slides() && dynamics_->sliding().margin() < painleve_margin)) {
            Event e;
            e.t = state_.t;
            e.kind = EventKind::painleve;
            for (const FrictionPlace& place : equations_->friction())
                if (place.direction != 0) e.element += (e.element.empty() ? "" : " ") + place.name;
            e.detail = "friction grows beyond all bounds: sliding on has no solution";
            fail(DynamicStatus::painleve,
                 "the sliding of " + e.element + " has no solution" + when +
                     ": friction presses harder than it is pressed (Painleve's paradox); a smaller "
                     "coefficient of friction or compliant contacts lead on");
            result_.events.push_back(std::move(e));
        } else if (rates_.outcome == RateOutcome::massless) {
            fail_massless();
            result_.message += when;
        } else if (outcome == StepOutcome::not_finite) {
            std::string who;
            for (std::size_t i = 0; i < mechanism_.forces.size() && who.empty(); ++i)
                if (!std::isfinite(equations_->forces().scalars()[i]) ||
                    !std::isfinite(equations_->forces().energies()[i].power)) {
                    who = mechanism_.forces[i].name;
                    result_.span = mechanism_.forces[i].span;
                }
            const Span span = result_.span;
            fail(DynamicStatus::not_finite,
                 (who.empty() ? "the motion" : "force '" + who + "'") + " is not finite" + when,
                 span);
        } else {
            fail(DynamicStatus::step_too_small,
                 "no step is small enough" + when +
                     ": a force changes too fast or grows without bound");
        }
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
            if (t > t_start_) record_->sample(state_);
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
            if (!continue_after(contacts_->review(state_, driver_work()))) return false;
            record_->sample(state_);
        } else {
            Event e;
            e.t = state_.t;
            e.kind = EventKind::time;
            e.detail = "end of a driver segment or knot of a table";
            result_.events.push_back(std::move(e));
            // Forces may jump with the accelerations of the drivers: those just after count.
            if (!contacts_->empty()) {
                state_.t += 1e-14 * (1 + state_.t);
                if (!continue_after(contacts_->review(state_, driver_work()))) return false;
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
    Switches switches_;
    std::vector<double> switch_signs_;
    int switched_ = -1, crowded_ = 0;
    double last_switch_ = -1;
    std::optional<DynamicSystems> systems_;
    std::optional<ContactCycle> contacts_;
    std::optional<ContactOccurrence> occurrence_;
    Mechanics* equations_ = nullptr;  // of the system in force
    Dynamics* dynamics_ = nullptr;
    Rates rates_;
    std::unique_ptr<Stepper> stepper_;
    std::optional<DynamicRecord> record_;
    std::optional<ClearanceRecord> clearances_;
    State state_, between_;
    double t_start_ = 0;
    std::vector<double> y_, breaks_;
    double kinetic_at_start_ = 0;
    double t_event_ = 0;  // where the end of the last step was shifted to; 0: it was not
    std::vector<double> y_event_;
    std::size_t next_output_ = 1;
    double last_independence_ = 1;
    bool stiff_ = false;
};

}  // namespace

DynamicResult run_dynamics(const PlacedMechanism& placed, const DynamicOptions& options) {
    DynamicResult result;
    if (has_clearance(placed.mechanism))
        DynamicRun(open_clearances(placed), options, result).run();
    else
        DynamicRun(placed, options, result).run();
    return result;
}

}  // namespace pawl
