#include "integration/rk4.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pawl {

Rk4::Rk4(RightHandSide& f, int size, const StepperOptions& options)
    : Stepper(f, size),
      fixed_step_(options.fixed_step),
      k1_(size),
      k2_(size),
      k3_(size),
      k4_(size),
      stage_(size),
      y_end_(size),
      k_end_(size) {
    assert(fixed_step_ > 0);
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

StepOutcome Rk4::step(double t_end) {
    if (!(t_end > t_)) return StepOutcome::failed;
    // Output times are multiples of the step up to rounding: no sliver of a step is left before
    // them.
    const bool lands = t_ + fixed_step_ * (1 + 1e-9) >= t_end;
    const double t_new = lands ? t_end : t_ + fixed_step_;
    const double h = t_new - t_, t_half = t_ + h / 2;

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
        !stage(t_new, h, k3_, k4_))
        return StepOutcome::not_finite;
    for (std::size_t i = 0; i < y_.size(); ++i) {
        stage_[i] = y_[i] + h / 6 * (k1_[i] + 2 * (k2_[i] + k3_[i]) + k4_[i]);
        if (!std::isfinite(stage_[i])) return StepOutcome::not_finite;
    }

    t_old_ = t_;
    t_ = t_new;
    y_old_ = y_;
    y_ = stage_;
    y_end_ = stage_;
    first_is_ready_ = last_is_ready_ = replaced_ = false;
    ++statistics_.accepted;
    return StepOutcome::stepped;
}

void Rk4::interpolate(double t, std::span<double> y) const {
    if (!last_is_ready_) last_is_ready_ = rates(t_, y_end_, k_end_);
    const double h = t_ - t_old_, s = (t - t_old_) / h, r = 1 - s;
    const std::vector<double>& k_end = last_is_ready_ ? k_end_ : k4_;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double change = y_end_[i] - y_old_[i];
        const double bend = h * k1_[i] - change;
        y[i] = y_old_[i] + s * (change + r * (bend + s * (change - h * k_end[i] - bend)));
    }
}

}  // namespace pawl
