// An implicit Runge-Kutta method for stiff problems: ESDIRK of order 5, L-stable and stiffly
// accurate (Kennedy and Carpenter 2019), run by ARKODE of SUNDIALS with a dense Jacobian from
// differences. Dense output is a Hermite polynomial of degree 4, of degree 3 where the
// step is too stiff for it; a real step to the time wanted has the full order.
#pragma once

#include <exception>

#include "integration/stepper.h"

namespace pawl {

class Stiff final : public Stepper {
public:
    Stiff(RightHandSide& f, int size, StepperOptions options);
    ~Stiff() override;

    void start(double t, std::span<const double> y) override;
    StepOutcome step(double t_end) override;
    void interpolate(double t, std::span<double> y) const override;
    void polynomials(std::size_t size, PolynomialPath& path) const override;
    void replace(std::span<const double> y) override;
    void rewind() override;
    void remember(Memory& memory) override;

private:
    struct Solver;  // what ARKODE holds
    struct Callbacks;

    bool finite_rates(double t, std::span<const double> y, std::span<double> dy);
    int rates_for_arkode(double t, std::span<const double> y, std::span<double> dy);
    bool prepare_solver();
    double missing_slope();
    void find_dense_output();

    StepperOptions options_;
    int controlled_;
    double h_last_ = 0;
    double time_scale_ = 0;  // stands for t in the smallest step while t is near zero
    PolynomialPath dense_;
    std::vector<double> quartic_, inside_, slope_, slope_inside_;
    std::unique_ptr<Solver> solver_;
    std::exception_ptr thrown_;  // by the rates, while ARKODE, which is C, asks for them
};

}  // namespace pawl
