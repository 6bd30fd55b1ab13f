#include "simulation/dynamic_run.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "integration/stepper.h"
#include "math/tolerances.h"
#include "simulation/reactions.h"
#include "simulation/sampler.h"
#include "simulation/switches.h"
#include "simulation/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Mechanics = MechanismEquations<Space>;

class Rates : public RightHandSide {
public:
    explicit Rates(Dynamics& dynamics) : dynamics_(dynamics) {}
    bool rates(double t, std::span<const double> y, std::span<double> dy) override {
        outcome = dynamics_.rates(t, y, dy);
        return outcome == RateOutcome::solved;
    }
    RateOutcome outcome = RateOutcome::solved;

private:
    Dynamics& dynamics_;
};

class DynamicRun {
public:
    DynamicRun(const PlacedMechanism& placed, const DynamicOptions& options, DynamicResult& result)
        : placed_(placed),
          mechanism_(placed.mechanism),
          options_(options),
          result_(result),
          switches_(placed.mechanism) {
        Mechanics::Choice choice;
        choice.coordinates = options.coordinates;
        choice.particles = options.particles;
        equations_ = options.make_equations
                         ? options.make_equations(placed, choice)
                         : std::make_unique<Mechanics>(placed.mechanism, placed.topology, choice);
        equations_->set_model_size(placed.assembly.model_size);
    }

    void run() {
        if (!choose_solver() || !begin()) return;
        sampler_.emplace(mechanism_, equations_->coordinates(), result_.trajectory);
        add_columns();
        collect_breaks();
        march();
        add_statistics();
        result_.last = state_;
        close_audit();
    }

private:
    bool fail(DynamicStatus status, std::string message, Span span = {}) {
        result_.status = status;
        result_.message = std::move(message);
        result_.span = span;
        return false;
    }

    bool choose_solver() {
        std::string name = options_.dynamics == "auto" ? "multipliers" : options_.dynamics;
        if (const int most = largest_size(name); most > 0 && equations_->size() > most)
            return fail(DynamicStatus::refused,
                        "dynamics = \"" + name + "\" works up to " + std::to_string(most) +
                            " coordinates; this model has " + std::to_string(equations_->size()) +
                            "; choose \"multipliers\"");
        dynamics_ = options_.make_solver ? options_.make_solver(*equations_)
                                         : make_dynamics(name, *equations_);
        if (!dynamics_)
            return fail(DynamicStatus::refused, "no dynamics of the name '" + name + "'");
        result_.dynamics = name;
        result_.integrator = options_.integrator;
        return true;
    }

    // First state: assembled position, given velocities projected on the rows.
    bool begin() {
        state_.t = 0;
        state_.q = equations_->coordinates().from_positions(placed_.assembly.positions);
        state_.z.assign(dynamics_->auxiliary_size(), 0.0);
        for (std::size_t i = 0; i < mechanism_.states.size(); ++i)
            state_.z[i] = mechanism_.states[i].start;
        equations_->set_position(state_.q, 0);
        if (!equations_->set_inertia()) return fail_massless();
        double moved = 0;
        state_.v = initial_velocities(placed_, *equations_, state_.q, &moved);
        if (moved > 1e-9 * (1 + placed_.assembly.model_size))
            result_.warnings.push_back(
                "the given initial velocities do not fit the joints and drivers; they were changed "
                "by up to " +
                number_text(moved, 3) + " m/s");
        if (dynamics_->project(state_) < 0)
            return fail(DynamicStatus::left_constraints,
                        "the start does not satisfy the constraints");
        rates_ = std::make_unique<Rates>(*dynamics_);
        dynamics_->refresh(state_);  // before its size is known
        restart();
        if (!stepper_)
            return fail(DynamicStatus::refused,
                        "no integrator of the name '" + options_.integrator + "'");
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
        const double mass =
            dynamics_->has_momenta() ? equations_->mass_matrix().diagonal().maxCoeff() : 0;
        for (int c = 0; c < n; ++c)
            o.atol.push_back(options_.atol * equations_->model_size() /
                             equations_->column_scale()[c]);
        for (int i = n; i < dynamics_->size() - dynamics_->auxiliary_size(); ++i)
            o.atol.push_back(dynamics_->has_momenta() ? options_.atol * mass / time
                                                      : o.atol[i - n] / time);
        const int own = static_cast<int>(mechanism_.states.size());
        for (int i = 0; i < own; ++i) o.atol.push_back(options_.atol);
        o.controlled = static_cast<int>(o.atol.size());
        if (options_.largest_step > 0) o.largest_step = options_.largest_step;
        o.fixed_step = options_.integrator_step > 0 ? options_.integrator_step : options_.step;
        return o;
    }

    // Begins to integrate at the present state; the size of the integrated vector may have changed.
    void restart() {
        if (!stepper_ || y_.size() != static_cast<std::size_t>(dynamics_->size())) {
            if (stepper_) add_statistics();
            stepper_ =
                make_stepper(options_.integrator, *rates_, dynamics_->size(), stepper_options());
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
            if (t > 0 && t < options_.end && (kept.empty() || t - kept.back() > 1e-12 * (1 + t)))
                kept.push_back(t);
        breaks_ = kept;
    }

    void march() {
        if (!switches_.empty()) {
            equations_->set_position(state_.q, 0);
            equations_->coordinates().set_velocity(state_.v);
            switch_signs_ = switches_.evaluate(equations_->coordinates(), 0,
                                               std::span(state_.z).first(mechanism_.states.size()));
            // A switch that starts at zero takes the side it moves to: look a little later along
            // the velocities.
            State ahead = state_;
            const double h = 1e-7;
            for (std::size_t c = 0; c < ahead.q.size(); ++c) ahead.q[c] += h * ahead.v[c];
            equations_->set_position(ahead.q, h);
            equations_->coordinates().set_velocity(ahead.v);
            const auto& later = switches_.evaluate(
                equations_->coordinates(), h, std::span(state_.z).first(mechanism_.states.size()));
            for (std::size_t i = 0; i < switch_signs_.size(); ++i) {
                const double value =
                    std::abs(switch_signs_[i]) > 1e-12 ? switch_signs_[i] : later[i];
                switch_signs_[i] = value < 0 ? -1 : 1;
            }
        }
        const double before_impulses = kinetic();
        apply_impulses(0);
        sample(state_);
        first_kinetic_ = before_impulses;  // an impulse at the start counts as work, like any other
        std::size_t next_break = 0;
        next_output_ = 1;
        while (state_.t < options_.end) {
            const double stop = next_break < breaks_.size() ? breaks_[next_break] : options_.end;
            const StepOutcome outcome = stepper_->step(stop);
            if (outcome != StepOutcome::stepped) {
                explain(outcome);
                return;
            }
            if (!cut_at_switch() || !finish_step()) return;
            if (switched_ >= 0 && !pass_switch()) return;
            if (state_.t >= stop && next_break < breaks_.size()) {
                ++next_break;
                pass_break();
            }
            if (options_.progress) options_.progress(state_.t / options_.end);
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
                stepper_->rewind();
                for (int k = 0; k < 50 && stepper_->t() < first; ++k)
                    if (const StepOutcome outcome = stepper_->step(first);
                        outcome != StepOutcome::stepped) {
                        explain(outcome);
                        return false;
                    }
            }
            low = high;
        }
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
        Event e;
        e.t = state_.t;
        e.kind = EventKind::time;
        e.element = switches_.name(switched_);
        e.detail = "an expression or table changes branch";
        result_.events.push_back(std::move(e));
        restart();
        return true;
    }

    // Outputs inside the step, then projection of its end.
    bool finish_step() {
        const double t_new = stepper_->t();
        while (output_time(next_output_) <= t_new - 1e-12 * (1 + t_new) &&
               output_time(next_output_) < options_.end) {
            State between;
            between.t = output_time(next_output_++);
            stepper_->interpolate(between.t, y_);
            dynamics_->unpack(y_, between);
            if (dynamics_->project(between) < 0) return lost(between.t);
            sample(between);
        }
        state_.t = t_new;
        dynamics_->unpack(stepper_->y(), state_);
        if (equations_->pattern().rows() > 0) {
            if (dynamics_->project(state_) < 0) return lost(t_new);
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
            sample(state_);
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
        const double t = static_cast<double>(k) * options_.step;
        return t > options_.end - 1e-9 * options_.step ? options_.end : t;
    }

    bool lost(double t) {
        int worst = 0;
        for (int r = 0; r < equations_->pattern().rows(); ++r)
            if (std::abs(equations_->phi()[r]) > std::abs(equations_->phi()[worst])) worst = r;
        const RowLabel& label = equations_->labels()[worst];
        return fail(DynamicStatus::left_constraints,
                    "joint '" + label.element + "' cannot be kept closed at t = " + number_text(t) +
                        " s: gap " + length_text(std::abs(equations_->phi()[worst])) +
                        "; smaller tolerances may help",
                    label.span);
    }

    void explain(StepOutcome outcome) {
        const std::string when = " at t = " + number_text(state_.t, 9) + " s";
        if (rates_->outcome == RateOutcome::massless) {
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
            if (t > 0) sample(state_);
            dynamics_->add_impulse(state_, generalized);
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

    void pass_break() {
        if (apply_impulses(state_.t)) {
            sample(state_);
        } else {
            Event e;
            e.t = state_.t;
            e.kind = EventKind::time;
            e.detail = "end of a driver segment or knot of a table";
            result_.events.push_back(std::move(e));
        }
        restart();
    }

    void add_columns() {
        auto& columns = result_.trajectory.columns;
        if (options_.reactions) {
            reactions_.emplace(placed_, std::vector<RestCoordinate<Space>>{});
            add_reaction_columns(mechanism_, columns);
        }
        for (const auto& s : mechanism_.states) columns.push_back({s.name, "1"});
        for (const auto& [name, unit] : {std::pair{"energy.kinetic", "J"},
                                         {"energy.potential", "J"},
                                         {"energy.work", "J"},
                                         {"energy.residual", "J"}})
            columns.push_back({name, unit});
    }

    void sample(State& state) {
        const RateOutcome outcome = dynamics_->respond(state.t, state.q, state.v, state.z);
        if (outcome != RateOutcome::solved) return;
        auto& s = result_.statistics;
        ++s.samples;
        auto& c = equations_->coordinates();
        const auto acceleration = dynamics_->acceleration();
        check_rows(state);
        c.set_acceleration(acceleration);
        std::vector<double> extra;
        if (reactions_) {
            reactions_->solve(c, equations_->inertia(), equations_->forces().on_bodies(), state.t);
            // At a singular position the joints share forces that no finite reaction decides; the
            // balance is not judged there.
            if (dynamics_->response().smallest_pivot() > tolerance::near_singular)
                worst_imbalance_ = std::max(worst_imbalance_, reactions_->imbalance());
            append_reactions(mechanism_, c, *reactions_, extra);
        }
        const std::size_t own = mechanism_.states.size();
        extra.insert(extra.end(), state.z.begin(), state.z.begin() + own);
        const double kinetic = equations_->inertia().kinetic_energy(),
                     potential = equations_->forces().potential();
        double work = 0;
        for (std::size_t i = own; i < state.z.size(); ++i) {
            work += state.z[i];
            total_work_ = std::max(total_work_, std::abs(state.z[i]));
        }
        energy_ = kinetic + potential - work;
        if (s.samples == 1) {
            first_kinetic_ = kinetic;
            first_energies_ = equations_->forces().energies();
            initial_energy_ = energy_;
        }
        largest_kinetic_ = std::max(largest_kinetic_, kinetic);
        const double scale_potential = std::abs(potential - first_potential());
        largest_exchange_ = std::max(largest_exchange_, scale_potential);
        const double residual = energy_ - initial_energy_;
        worst_energy_ = std::max(worst_energy_, std::abs(residual));
        extra.insert(extra.end(), {kinetic, potential, work, residual});
        last_kinetic_ = kinetic;
        last_energies_ = equations_->forces().energies();
        sampler_->take(state.t, state.v, acceleration, extra);
    }

    [[nodiscard]] double first_potential() const {
        double sum = 0;
        for (const auto& e : first_energies_) sum += e.potential;
        return sum;
    }

    void check_rows(const State& state) {
        const RowPattern& p = equations_->pattern();
        worst_position_ = std::max(worst_position_, equations_->residual());
        double speed = 0;
        for (int c = 0; c < equations_->size(); ++c)
            speed = std::max(speed, std::abs(state.v[c]) * equations_->column_scale()[c]);
        largest_speed_ = std::max(largest_speed_, speed);
        for (int r = 0; r < p.rows(); ++r) {
            double rate = -equations_->nu()[r];
            for (int i = p.start[r]; i < p.start[r + 1]; ++i)
                rate += equations_->jacobian()[i] * state.v[p.column[i]];
            worst_velocity_ = std::max(worst_velocity_, std::abs(rate));
        }
    }

    void close_audit() {
        const double size = equations_->model_size();
        Audit& a = result_.audit;
        const double energy_scale = largest_kinetic_ + largest_exchange_ + total_work_;
        a.checks.push_back(
            {"energy residual", "J", worst_energy_,
             1e3 * std::max(options_.rtol, options_.atol) * energy_scale + 1e-14,
             "|T + V - work - initial| <= 1e3 max(rtol, atol) (max T + max |dV| + max |work|)"});
        a.checks.push_back(
            {"constraint residual", "m", worst_position_, 1e-10 * size, "|phi| <= 1e-10 size"});
        a.checks.push_back({"velocity residual", "m/s", worst_velocity_,
                            1e-9 * (largest_speed_ + size),
                            "|G v - nu| <= 1e-9 (largest speed + size/s)"});
        if (reactions_)
            a.checks.push_back({"balance of forces", "1", worst_imbalance_, 1e-6,
                                "away from singular positions, what the joints cannot supply <= "
                                "1e-6 of the largest force"});
        a.kinetic_change = last_kinetic_ - first_kinetic_;
        const std::size_t own = mechanism_.states.size();
        for (std::size_t i = 0; i < mechanism_.forces.size() && !first_energies_.empty(); ++i)
            a.ledger.push_back({mechanism_.forces[i].name,
                                last_energies_[i].potential - first_energies_[i].potential,
                                state_.z[own + i]});
        for (std::size_t i = 0; i < mechanism_.drivers.size(); ++i)
            a.ledger.push_back(
                {mechanism_.drivers[i].name, 0, state_.z[own + mechanism_.forces.size() + i]});
        if (reactions_ && !reactions_->indeterminate().empty())
            result_.warnings.push_back(indeterminate_warning(*reactions_));
    }

    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    const DynamicOptions& options_;
    DynamicResult& result_;
    Switches switches_;
    std::vector<double> switch_signs_;
    int switched_ = -1, crowded_ = 0;
    double last_switch_ = -1;
    std::unique_ptr<Mechanics> equations_;
    std::unique_ptr<Dynamics> dynamics_;
    std::unique_ptr<Rates> rates_;
    std::unique_ptr<Stepper> stepper_;
    std::optional<Sampler> sampler_;
    std::optional<Reactions> reactions_;
    State state_;
    std::vector<double> y_, breaks_;
    std::size_t next_output_ = 1;
    double last_independence_ = 1;
    bool stiff_ = false;
    double energy_ = 0, initial_energy_ = 0, first_kinetic_ = 0, last_kinetic_ = 0;
    double largest_kinetic_ = 0, largest_exchange_ = 0, total_work_ = 0, largest_speed_ = 0;
    double worst_energy_ = 0, worst_position_ = 0, worst_velocity_ = 0, worst_imbalance_ = 0;
    std::vector<ForceEnergy> first_energies_, last_energies_;
};

}  // namespace

DynamicResult run_dynamics(const PlacedMechanism& placed, const DynamicOptions& options) {
    DynamicResult result;
    DynamicRun(placed, options, result).run();
    return result;
}

// Nearest to the given velocities b in the sense of least squares, A v = b on those given and G v =
// nu exactly: v = v0 + Z y with a basis Z of the free directions, the smallest y. For large models
// the velocities relative to the parent are taken as given and projected.
std::vector<double> initial_velocities(const PlacedMechanism& placed, Mechanics& equations,
                                       std::span<const double> q, double* moved) {
    constexpr int largest_dense = 300;
    const int n = equations.size();
    const auto& bodies = placed.mechanism.bodies;
    equations.set_position(q, 0);
    auto& c = equations.coordinates();
    std::vector<std::pair<int, int>> given;  // body, component
    std::vector<double> value;
    for (int b = 1; b < static_cast<int>(bodies.size()); ++b) {
        if (bodies[b].velocity) {
            given.emplace_back(b, 0);
            given.emplace_back(b, 1);
            value.insert(value.end(), {bodies[b].velocity->x, bodies[b].velocity->y});
        }
        if (bodies[b].omega) {
            given.emplace_back(b, 2);
            value.push_back(*bodies[b].omega);
        }
    }
    const auto body_rate = [&](const std::pair<int, int>& g) {
        const auto& v = c.velocity(g.first);
        return g.second == 0 ? v.v.x : g.second == 1 ? v.v.y : v.omega;
    };
    std::vector<double> v(n, 0.0);
    if (n <= largest_dense) {
        const RowPattern& p = equations.pattern();
        Eigen::MatrixXd g = scaled_dense(p, equations.jacobian(), equations.column_scale());
        Eigen::VectorXd nu(p.rows());
        for (int r = 0; r < p.rows(); ++r) nu[r] = equations.nu()[r];
        Eigen::VectorXd start = Eigen::VectorXd::Zero(n);
        if (p.rows() > 0) {
            Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
            cod.setThreshold(tolerance::rank);
            start = cod.compute(g).solve(nu);
        }
        const Eigen::MatrixXd z = null_space(p, equations.jacobian(), equations.column_scale());
        if (!given.empty()) {
            const Eigen::Map<const Eigen::VectorXd> b(value.data(),
                                                      static_cast<Eigen::Index>(value.size()));
            Eigen::MatrixXd a(given.size(), n);
            for (int j = 0; j < n; ++j) {
                std::vector<double> unit(n, 0.0);
                unit[j] = 1 / equations.column_scale()[j];
                c.set_velocity(unit);
                for (std::size_t i = 0; i < given.size(); ++i) a(i, j) = body_rate(given[i]);
            }
            if (z.cols() > 0) {
                Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
                cod.setThreshold(tolerance::rank);
                start += z * cod.compute(a * z).solve(b - a * start);
            }
        }
        for (int j = 0; j < n; ++j) v[j] = start[j] / equations.column_scale()[j];
    } else if (!given.empty()) {
        // Relative rates outwards: what the body should have, minus what its parent gives it.
        std::vector<Space::Twist> wanted(bodies.size());
        for (const auto& br : c.branches()) {
            const auto arm = c.position(br.child).p - c.position(br.parent).p;
            const auto carried = Space::carried(wanted[br.parent], arm);
            auto twist = carried;
            if (bodies[br.child].velocity) twist.v = *bodies[br.child].velocity;
            if (bodies[br.child].omega) twist.omega = *bodies[br.child].omega;
            wanted[br.child] = twist;
            for (std::size_t i = 0; i < br.freedoms.size(); ++i) {
                const double sign = br.reversed ? -1 : 1;
                if (br.freedoms[i] == Component::angle) {
                    v[br.first + i] = sign * (twist.omega - carried.omega);
                } else if (bodies[br.child].velocity) {
                    const auto axis = c.frame(br.frames[0]).position.u;
                    const auto along = br.freedoms[i] == Component::x ? axis : Space::turned(axis);
                    v[br.first + i] = sign * Space::dot(along, twist.v - carried.v);
                }
            }
            // What the branch does not allow is lost: the twist that it really gets.
            c.set_velocity(v);
            wanted[br.child] = c.velocity(br.child);
        }
    }
    if (moved) {
        c.set_velocity(v);
        *moved = 0;
        for (std::size_t i = 0; i < given.size(); ++i)
            *moved = std::max(*moved, std::abs(body_rate(given[i]) - value[i]) *
                                          (given[i].second == 2 ? equations.model_size() : 1));
    }
    return v;
}

}  // namespace pawl
