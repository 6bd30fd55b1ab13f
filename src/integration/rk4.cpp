#include "integration/rk4.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "math/tolerances/solving.h"

namespace pawl {

Rk4::Rk4(RightHandSide& f, int size, const StepperOptions& options)
    : Stepper(f, size),
      fixed_step_(options.fixed_step),
      step_(options.fixed_step),
      atol_(options.checked ? options.atol : std::vector<double>{}),
      k1_(size),
      k2_(size),
      k3_(size),
      k4_(size),
      stage_(size),
      y_end_(size),
      k_end_(size) {
    assert(fixed_step_ > 0);
    if (options.checked && options.controlled >= 0)
        atol_.resize(static_cast<std::size_t>(options.controlled));
}

void Rk4::start(double t, std::span<const double> y) {
    t_old_ = t_ = t;
    std::copy(y.begin(), y.end(), y_.begin());
    y_old_ = y_;
    first_is_ready_ = last_is_ready_ = replaced_ = false;
}

void Rk4::replace(std::span<const double> y) {
    std::copy(y.begin(), y.end(), y_.begin());
    replaced_ = true;
    first_is_ready_ = false;
}

void Rk4::rewind() {
    t_ = t_old_;
    y_ = y_old_;
    first_is_ready_ = true;
    replaced_ = false;
}

void Rk4::remember(Memory& memory) {
    Stepper::remember(memory);
    memory(step_, first_is_ready_, last_is_ready_, replaced_, k1_, k2_, k3_, k4_, y_end_, k_end_);
}

// The rates at the end should be those of the last stage, which stands for them: what they differ
// by times h/6 is an error of the step. It may be this part of the way that the stages make; steps
// beyond the bound of stability are wrong by many times their way.
double Rk4::contradiction(double h) {
    constexpr double part = 0.01;
    last_is_ready_ = rates(t_ + h, stage_, k_end_);
    if (!last_is_ready_) return INFINITY;
    double worst = 0;
    for (std::size_t i = 0; i < atol_.size(); ++i) {
        const double way = std::max({std::abs(k1_[i]), std::abs(k2_[i]), std::abs(k_end_[i])});
        worst = std::max(worst, std::abs(k4_[i] - k_end_[i]) * h / 6 / (atol_[i] + part * way * h));
    }
    return worst;
}

StepOutcome Rk4::step(double t_end) {
    if (!(t_end > t_)) return StepOutcome::failed;
    double t_new = t_end;
    for (;;) {
        // Output times are multiples of the step up to rounding: no sliver of a step is left before
        // them.
        if (t_ + step_ * (1 + tolerance::last_step) < t_end) t_new = t_ + step_;
        const double h = t_new - t_;
        const StepOutcome outcome = try_step(h);
        if (atol_.empty()) {
            if (outcome != StepOutcome::stepped) return outcome;
            break;
        }
        const double wrong = outcome == StepOutcome::stepped ? contradiction(h) : INFINITY;
        if (wrong <= 1) {
            // A step of twice the size contradicts itself up to 16 times as much.
            if (wrong <= 1.0 / 16) step_ = std::min(fixed_step_, 2 * step_);
            break;
        }
        ++statistics_.rejected;
        step_ = h / 2;
        if (!(step_ > 10 * (std::nextafter(t_, INFINITY) - t_))) return StepOutcome::step_too_small;
    }

    t_old_ = t_;
    t_ = t_new;
    y_old_ = y_;
    y_ = stage_;
    y_end_ = stage_;
    last_is_ready_ = !atol_.empty();
    first_is_ready_ = replaced_ = false;
    ++statistics_.accepted;
    return StepOutcome::stepped;
}

StepOutcome Rk4::try_step(double h) {
    const double t_half = t_ + h / 2;
    if (!first_is_ready_) {
        if (last_is_ready_ && !replaced_)
            k1_.swap(k_end_);
        else if (!rates(t_, y_, k1_))
            return StepOutcome::not_finite;
        first_is_ready_ = true;
    }
    const auto stage = [&](double t, double part, const std::vector<double>& k,
                           std::vector<double>& next) {
        for (std::size_t i = 0; i < y_.size(); ++i) stage_[i] = y_[i] + part * k[i];
        return rates(t, stage_, next);
    };
    if (!stage(t_half, h / 2, k1_, k2_) || !stage(t_half, h / 2, k2_, k3_) ||
        !stage(t_ + h, h, k3_, k4_))
        return StepOutcome::not_finite;
    for (std::size_t i = 0; i < y_.size(); ++i) {
        stage_[i] = y_[i] + h / 6 * (k1_[i] + 2 * (k2_[i] + k3_[i]) + k4_[i]);
        if (!std::isfinite(stage_[i])) return StepOutcome::not_finite;
    }
    return StepOutcome::stepped;
}

void Rk4::interpolate(double t, std::span<double> y) const {
    if (!last_is_ready_) last_is_ready_ = rates(t_, y_end_, k_end_);
    const double h = t_ - t_old_, s = (t - t_old_) / h, r = 1 - s;
    const std::vector<double>& k_end = last_is_ready_ ? k_end_ : k4_;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double change = y_end_[i] - y_old_[i];
        const double curvature_numerator = h * k1_[i] - change;
        y[i] = y_old_[i] + s * (change + r * (curvature_numerator +
                                              s * (change - h * k_end[i] - curvature_numerator)));
    }
}

void Rk4::polynomials(std::size_t size, PolynomialPath& path) const {
    if (!last_is_ready_) last_is_ready_ = rates(t_, y_end_, k_end_);
    const double h = t_ - t_old_;
    const std::vector<double>& k_end = last_is_ready_ ? k_end_ : k4_;
    path.start(t_old_, t_, size);
    for (std::size_t i = 0; i < size; ++i) {
        const double change = y_end_[i] - y_old_[i], first = h * k1_[i], last = h * k_end[i];
        path[i] = {y_old_[i], first, 3 * change - 2 * first - last, first + last - 2 * change};
    }
}

}  // namespace pawl
