// The explicit Runge-Kutta method of order 8(5,3) of Dormand and Prince with dense output of order
// 7 and the step control of Hairer, Norsett and Wanner 1993, sections II.4 to II.6. For problems
// that are not stiff.
#pragma once

#include <array>
#include <utility>

#include "integration/dop853_coefficients.h"
#include "integration/stepper.h"

namespace pawl {

class Dop853 final : public Stepper {
public:
    Dop853(RightHandSide& f, int size, StepperOptions options);

    void start(double t, std::span<const double> y) override;
    StepOutcome step(double t_end) override;
    void interpolate(double t, std::span<double> y) const override;
    void interpolate_coarsely(double t, std::span<double> y) const override;
    void polynomials(std::size_t size, PolynomialPath& path) const override;
    double interpolation_error(double t) const override;
    double error() const override { return error_.of_step; }
    void replace(std::span<const double> y) override;
    void rewind() override;
    void remember(Memory& memory) override;
    bool is_bound_by_stability() const override;

private:
    bool prepare_first_stage();
    double chosen_first_step(double largest);
    bool compute_stages(double h, double t_new);
    double error_of_step(double h);
    // The same of so many components, after it.
    double error_of(int first, int m, double h);
    void watch_stiffness();
    void accept(double h, double t_new);
    void prepare_dense_output() const;
    const double* end() const { return replaced_ ? y_end_ : y_.data(); }

    template <int... before>
    bool compute_ordinary_stages(double h, std::integer_sequence<int, before...>);
    template <int stage>
    bool compute_stage(const double* y_first, double h, double t, double* argument) const;

    StepperOptions options_;
    int controlled_;
    int quadratures_ = 0;  // that have a tolerance, after those that are controlled
    struct StepLength {
        double next = 0;    // 0: to be chosen
        double done = 0;    // of the last accepted step
        double before = 0;  // the next step as it was chosen before the last one
    } h_;
    double time_scale_ = 0;  // stands for t in the smallest step while t is near zero
    // In units of the tolerance.
    struct Error {
        double before = 0;   // as the step control uses it
        double of_step = 0;  // of the last step
    } error_;
    // How often h |lambda| was beyond the stability bound, and how often in a row it was not.
    struct Stiffness {
        int hits = 0, misses = 0;
    } stiffness_;

    bool first_is_ready_ = false;  // stage 0 belongs to t_, y_
    mutable bool last_is_ready_ =
        false;  // stage 12 belongs to the end of the last step, before a projection
    bool replaced_ = false;
    bool has_step_ = false;
    bool first_after_start_ = true;

    // Vectors of the size of y, in one block of memory.
    std::vector<double> memory_;
    std::array<double*, dop853::all_stages> k_{};
    double *y_end_ = nullptr, *y_trial_ = nullptr, *y_stage_ = nullptr, *y_stage12_ = nullptr;
    double* inverse_scale_ = nullptr;
    struct DenseOutput {
        std::array<double*, 7> terms{};
        bool is_ready = false;
        bool is_complete = false;  // of order 7
    };
    mutable DenseOutput dense_;
};

}  // namespace pawl
