// A slider-crank as two points and no bodies: q = (x1, y1, x2), two uniform rods of 1 m and 1 kg,
// gravity (Garcia de Jalon and Bayo 1994, examples 10.5 and 10.6); an analytic model for
// verification. Its singular position has both rods upright on each other.
#pragma once

#include "equations/equations.h"

namespace pawl {

class SliderCrankEquations : public Equations {
public:
    SliderCrankEquations() {
        pattern_.columns = 3;
        pattern_.column = {0, 1, 0, 1, 2};
        pattern_.start = {0, 2, 5};
        labels_ = {{"crank", "crank", {}, RowRole::joint}, {"rod", "rod", {}, RowRole::joint}};
        column_scale_.assign(3, 1.0);
        phi_.assign(2, 0.0);
        nu_ = gamma_ = phi_;
        jacobian_.assign(5, 0.0);
        force_ = {0, -9.81, 0};
        mass_ << 4, 0, 1, 0, 4, 0, 1, 0, 2;
        mass_ /= 6;
        factors_.compute(mass_);
    }

    [[nodiscard]] std::string column_name(int column) const override {
        return std::vector<std::string>{"x1", "y1", "x2"}[static_cast<std::size_t>(column)];
    }
    // phi = ((x1^2 + y1^2 - 1)/2, ((x2 - x1)^2 + y1^2 - 1)/2)
    void set_position(std::span<const double> q, double) override {
        const double x = q[0], y = q[1], d = q[2] - q[0];
        phi_ = {(x * x + y * y - 1) / 2, (d * d + y * y - 1) / 2};
        jacobian_ = {x, y, -d, y, d};
    }
    void set_velocity(std::span<const double> v) override {
        const double d = v[2] - v[0];
        gamma_ = {-v[0] * v[0] - v[1] * v[1], -d * d - v[1] * v[1]};
    }
    bool set_inertia() override { return true; }
    [[nodiscard]] std::string massless() const override { return {}; }
    void solve_inertia(std::span<double> x) const override {
        Eigen::Map<Eigen::Vector3d> y(x.data());
        y = factors_.solve(Eigen::Vector3d(y));
    }
    void solve_inertia(std::span<double> x, std::span<const int>) const override {
        solve_inertia(x);
    }
    void apply_inertia(std::span<const double> x, std::span<double> y) const override {
        Eigen::Map<Eigen::Vector3d>(y.data()) = mass_ * Eigen::Map<const Eigen::Vector3d>(x.data());
    }
    void apply_inertia_rate(std::span<double> y) override { std::fill(y.begin(), y.end(), 0.0); }
    [[nodiscard]] int block_of(int) const override { return 0; }
    [[nodiscard]] int block_count() const override { return 1; }
    [[nodiscard]] Eigen::MatrixXd mass_matrix() const override { return mass_; }
    void set_forces(std::span<const double>) override {}

private:
    Eigen::Matrix3d mass_;
    Eigen::LLT<Eigen::Matrix3d> factors_;
};

}  // namespace pawl
