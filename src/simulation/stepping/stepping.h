// The integration of the system in force in a dynamic run: its tolerances, states inside the last
// step, and the end of that step, which may be moved a little to the time of an event.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "integration/stepper.h"
#include "simulation/stepping/dynamic_run.h"
#include "simulation/stepping/dynamic_systems.h"

namespace pawl {

class Stepping {
public:
    Stepping(const PlanarMechanism& mechanism, const DynamicOptions& options, DynamicResult& result)
        : mechanism_(mechanism), options_(options), result_(result) {}

    // `crosses`: by multipliers and dop853, as singular positions are crossed, whatever was chosen.
    void adopt(DynamicSystem& system, bool crosses);
    // Begins to integrate at a state; the size of the integrated vector may have changed.
    // `pressed`: a compliant contact is closed.
    void restart(const State& state, bool pressed);
    StepOutcome step(double stop) {
        path_is_known_ = false;
        return stepper_->step(stop);
    }
    // Where the choice is left open (integrator = "auto"): the implicit integrator from the next
    // restart on, or the explicit one again; `first_step` is tried first, 0: chosen from the rates.
    void choose(bool implicit, double first_step);
    [[nodiscard]] bool is_open() const { return options_.integrator == Integrator::automatic; }
    [[nodiscard]] bool is_implicit() const { return stiffness_.implicit; }
    [[nodiscard]] bool crosses() const { return crosses_; }
    // The integrator that is chosen now where no singular position is near.
    [[nodiscard]] Integrator integrator() const {
        if (is_open()) return stiffness_.implicit ? Integrator::stiff : Integrator::dop853;
        return options_.integrator;
    }
    [[nodiscard]] bool is_bound_by_stability() const { return stepper_->is_bound_by_stability(); }
    // Evaluations that the steps have cost since this was asked last; those for dense output, which
    // depend on who looks, are left out.
    [[nodiscard]] double take_cost();
    // Tried first by the next integrator that is made; 0: chosen from the rates.
    void set_first_step(double h) { first_step_ = h; }
    // Of the integrator in force, see Stepper.
    void set_leniency(double factor) { stepper_->set_leniency(factor); }
    [[nodiscard]] double error() const { return stepper_->error(); }
    // Takes the last step back.
    void rewind() { stepper_->rewind(); }
    // The state at the end was projected: the integration continues with it.
    void replace(const State& state);
    // The forces in it are shared anew at this state: so are the rates.
    void renew_rates(const State& state);

    [[nodiscard]] double begin() const { return stepper_->t_old(); }
    // Where the step ended, and where its end was moved to.
    [[nodiscard]] double t() const { return stepper_->t(); }
    [[nodiscard]] double end() const { return moved_to_ > 0 ? moved_to_ : stepper_->t(); }
    // The coordinates at both ends of the step; every formulation integrates them first.
    [[nodiscard]] std::span<const double> q_begin() const {
        return stepper_->y_old().first(static_cast<std::size_t>(equations_->size()));
    }
    [[nodiscard]] std::span<const double> q_end() const {
        return stepper_->y().first(static_cast<std::size_t>(equations_->size()));
    }
    // State inside the last step, or at its end before that was moved.
    const State& at(double t);
    // The coordinates inside the last step, roughly, from what is known already.
    void interpolate_coarsely(double t, std::span<double> q) const {
        stepper_->interpolate_coarsely(t, q);
    }
    // The coordinates over the last step, as at() has them.
    const PolynomialPath& path();
    // Where the step ends, moved or not.
    void end_state(State& state) const;
    // Ends the step at a time inside it, with what the dense output says there. False where that is
    // not as good as a step to this time.
    bool cut(double t);
    // Moves the end of the step to a time close by. False when the rates cannot be evaluated.
    bool move_end(double t);
    void forget_move() { moved_to_ = 0; }

    // Velocities are integrated by a method of high order with control of its error: their change
    // is a quadrature of accelerations by itself.
    [[nodiscard]] bool integrates_accelerations() const {
        return crosses_ || (integrator() == Integrator::dop853 && !dynamics_->has_momenta());
    }
    // Tolerances of the integration in force.
    [[nodiscard]] double rtol() const { return crosses_ ? crossing(options_.rtol) : options_.rtol; }
    [[nodiscard]] double atol() const { return crosses_ ? crossing(options_.atol) : options_.atol; }

    // Of the system in force; false when there is no such integrator.
    bool remember(Memory& memory);

    [[nodiscard]] RateOutcome outcome() const { return rates_.outcome; }
    // Adds the steps of the present integrator to the statistics of the run.
    void add_statistics();

private:
    class Rates : public RightHandSide {
    public:
        bool rates(double t, std::span<const double> y, std::span<double> dy) override {
            outcome = dynamics->rates(t, y, dy);
            return outcome == RateOutcome::solved;
        }
        Dynamics* dynamics = nullptr;  // of the system in force
        RateOutcome outcome = RateOutcome::solved;
    };
    [[nodiscard]] double crossing(double error) const;
    void make_integrator();
    [[nodiscard]] double energy_of_fall() const;
    [[nodiscard]] StepperOptions stepper_options(const State& state) const;

    const PlanarMechanism& mechanism_;
    const DynamicOptions& options_;
    DynamicResult& result_;
    MechanismEquations<PlanarSpace>* equations_ = nullptr;
    Dynamics* dynamics_ = nullptr;
    Rates rates_;
    std::unique_ptr<Stepper> stepper_;
    StepperOptions stepper_options_;
    State between_;
    std::vector<double> y_;
    PolynomialPath path_;
    bool path_is_known_ = false;
    double first_step_ = 0;
    double moved_to_ = 0;  // 0: the end was not moved
    std::vector<double> y_moved_, move_start_, move_rate_;
    bool checked_ = false, crosses_ = false;
    struct Stiffness {
        bool reported = false;  // that the model is stiff
        bool implicit = false;  // the implicit integrator is chosen
        double cost = 0;        // that was taken
    } stiffness_;
};

}  // namespace pawl
