// Steppers for y' = f(t, y): one accepted step at a time, with dense output inside it. They know
// neither bodies nor constraints; whoever projects the state onto constraints informs them by
// replace(). Time runs forward.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "math/memory.h"
#include "math/polynomial_path.h"
#include "mechanism/run_settings.h"

namespace pawl {

class RightHandSide {
public:
    virtual ~RightHandSide() = default;
    // Writes f(t, y) to dy. False when it cannot be evaluated there: the step is then reduced.
    virtual bool rates(double t, std::span<const double> y, std::span<double> dy) = 0;
};

struct StepperOptions {
    double rtol = 1e-8;
    // One for each controlled component; empty: rtol for all. If there are more, those of
    // quadratures: dop853 shortens a step that is too long for them.
    std::vector<double> atol;
    int controlled =
        -1;  // the first so many components enter the error norm, the rest are quadratures; -1: all
    double first_step = 0;  // of the first start; 0: chosen from the rates
    double largest_step = std::numeric_limits<double>::infinity();
    double fixed_step = 0;  // of rk4, which needs it; the others ignore it
    // Of rk4: a step whose stages contradict each other is halved. Needs atol.
    bool checked = false;

    void remember(Memory& memory) {
        memory(rtol, atol, controlled, first_step, largest_step, fixed_step, checked);
    }
};

enum class StepOutcome {
    stepped,         // t_old() < t() <= t_end
    step_too_small,  // the error asks for h < 10 ulp(t)
    not_finite,      // rates false or not finite at t(), or for every step down to h < 10 ulp(t)
    failed,          // t_end <= t(), or an inner solver gave up
};

struct StepperStatistics {
    long evaluations = 0;
    long accepted = 0;
    long rejected = 0;
    bool stiff = false;  // stability, not accuracy, has bound the step for some while (dop853 only)
    double stiff_at = 0;

    void remember(Memory& memory) { memory(evaluations, accepted, rejected, stiff, stiff_at); }
};

class Stepper {
public:
    virtual ~Stepper() = default;
    Stepper(const Stepper&) = delete;
    Stepper& operator=(const Stepper&) = delete;

    // Begins anew, as after an event: nothing of older steps is used, but for the last step size as
    // a first trial.
    virtual void start(double t, std::span<const double> y) = 0;

    // One accepted step, never beyond t_end; t() == t_end exactly when it gets there. After any
    // other outcome than `stepped` the state is unchanged. `f` is not evaluated at the new state
    // before it is needed.
    virtual StepOutcome step(double t_end) = 0;

    // Dense output at t in [t_old, t] of the last step, the first y.size() components; not after
    // start() or rewind(). It joins y_old() to the end of the step as it was before any replace().
    // May call rates().
    virtual void interpolate(double t, std::span<double> y) const = 0;
    // The same roughly, at least a cubic's worth, without calling rates() where that is possible.
    virtual void interpolate_coarsely(double t, std::span<double> y) const { interpolate(t, y); }
    // The same as polynomials, of the first `size` components; exact but for rounding.
    virtual void polynomials(std::size_t size, PolynomialPath& path) const = 0;
    // An estimate of what the dense output is in error by at t, in units of the tolerance; from
    // above where the step is resolved. Infinite where there is none.
    virtual double interpolation_error(double) const {
        return std::numeric_limits<double>::infinity();
    }

    // Errors of so many times the tolerance are accepted from now on. Of methods that estimate
    // them.
    void set_leniency(double factor) { leniency_ = factor; }
    // The estimated error of the last step, in units of the tolerance; 0 where there is none.
    [[nodiscard]] virtual double error() const { return 0; }

    // The state at t() was changed slightly, by a projection: step size and error history stay.
    virtual void replace(std::span<const double> y) = 0;

    // Takes the last step back: to t_old() and y_old(), keeping its first stage and the step size.
    // Then step(t_event) makes one real step to an event inside it.
    virtual void rewind() = 0;

    // All that the next step and the dense output of the last one depend on, but for the options.
    virtual void remember(Memory& memory) {
        memory(t_old_, t_, y_old_, y_, leniency_, statistics_);
    }

    // Stability, not accuracy, has bound the last steps.
    virtual bool is_bound_by_stability() const { return false; }

    double t_old() const { return t_old_; }
    double t() const { return t_; }
    std::span<const double> y_old() const { return y_old_; }
    std::span<const double> y() const { return y_; }
    const StepperStatistics& statistics() const { return statistics_; }

protected:
    Stepper(RightHandSide& f, int size) : f_(f), y_old_(size), y_(size) {}

    bool rates(double t, std::span<const double> y, std::span<double> dy) const {
        ++statistics_.evaluations;
        return f_.rates(t, y, dy);
    }

    RightHandSide& f_;
    double t_old_ = 0, t_ = 0;
    std::vector<double> y_old_, y_;
    double leniency_ = 1;
    mutable StepperStatistics statistics_;  // dense output may evaluate, too
};

// `integrator` steps by itself: dop853, rk4 or stiff. `f` must outlive the stepper.
std::unique_ptr<Stepper> make_stepper(Integrator integrator, RightHandSide& f, int size,
                                      StepperOptions options);

}  // namespace pawl
