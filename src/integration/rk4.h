// The classical Runge-Kutta method of order 4 with a fixed step and no error estimate; dense output
// is the cubic Hermite polynomial through both ends. For comparison and for teaching. Where it is
// asked to, it halves steps that are too long to be a motion at all.
#pragma once

#include "integration/stepper.h"

namespace pawl {

class Rk4 final : public Stepper {
public:
    Rk4(RightHandSide& f, int size, const StepperOptions& options);

    void start(double t, std::span<const double> y) override;
    StepOutcome step(double t_end) override;
    void interpolate(double t, std::span<double> y) const override;
    void polynomials(std::size_t size, PolynomialPath& path) const override;
    void replace(std::span<const double> y) override;
    void rewind() override;
    void remember(Memory& memory) override;

private:
    // One step of a size to stage_; then how much its stages contradict each other, at most 1.
    StepOutcome try_step(double h);
    [[nodiscard]] double contradiction(double h);

    double fixed_step_, step_;
    std::vector<double> atol_;            // empty: not checked
    bool first_is_ready_ = false;         // k1_ belongs to t_, y_
    mutable bool last_is_ready_ = false;  // k_end_ belongs to t_, y_end_
    bool replaced_ = false;
    std::vector<double> k1_, k2_, k3_, k4_, stage_, y_end_;
    mutable std::vector<double> k_end_;
};

}  // namespace pawl
