// The waist: what solvers and integrators see of a mechanism. Coordinates, inertia, forces and
// rows; no bodies.
//   phi(q, t) = 0,   G v = nu,   G v' = gamma,   M v' = f + G^T lambda,   z' = r
// Rows are scaled so that phi is a length: rows of angles are multiplied by the model's size.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "math/row_system.h"
#include "math/span.h"

namespace pawl {

enum class RowRole { joint, driver, rest, contact };

struct RowLabel {
    std::string name;     // "B.x", "motor"
    std::string element;  // "B"
    Span span;
    RowRole role = RowRole::joint;
};

class Equations {
public:
    virtual ~Equations() = default;

    [[nodiscard]] int size() const { return pattern_.columns; }
    [[nodiscard]] const RowPattern& pattern() const { return pattern_; }
    [[nodiscard]] const std::vector<RowLabel>& labels() const { return labels_; }
    [[nodiscard]] double model_size() const { return model_size_; }
    // What one unit of a coordinate counts as, in metres: 1 for a length, the model's size for an
    // angle.
    [[nodiscard]] const std::vector<double>& column_scale() const { return column_scale_; }
    [[nodiscard]] virtual std::string column_name(int column) const = 0;

    // ---- kinematics ----
    // Values of phi, G and nu at (q, t).
    virtual void set_position(std::span<const double> q, double t) = 0;
    // Values of gamma at (q, v, t); after set_position.
    virtual void set_velocity(std::span<const double> v) = 0;

    [[nodiscard]] const std::vector<double>& phi() const { return phi_; }
    [[nodiscard]] const std::vector<double>& jacobian() const { return jacobian_; }
    [[nodiscard]] const std::vector<double>& nu() const { return nu_; }
    [[nodiscard]] const std::vector<double>& gamma() const { return gamma_; }
    [[nodiscard]] double residual() const;  // largest |phi|

    // ---- dynamics ----
    // Inertia at the position that is set. False when a coordinate has none; massless() then names
    // it.
    virtual bool set_inertia() = 0;
    [[nodiscard]] virtual std::string massless() const = 0;
    // x <- M^-1 x, everywhere or in some blocks; y <- M x. A block is a set of coordinates that M
    // couples.
    virtual void solve_inertia(std::span<double> x) const = 0;
    virtual void solve_inertia(std::span<double> x, std::span<const int> blocks) const = 0;
    virtual void apply_inertia(std::span<const double> x, std::span<double> y) const = 0;
    // y <- M' v, the rate of M along the velocity that is set; after set_velocity.
    virtual void apply_inertia_rate(std::span<double> y) = 0;
    [[nodiscard]] virtual int block_of(int column) const = 0;
    [[nodiscard]] virtual int block_count() const = 0;
    [[nodiscard]] virtual Eigen::MatrixXd mass_matrix() const = 0;
    // Forces f and the rates of the auxiliary states z; after set_position, set_inertia and
    // set_velocity.
    virtual void set_forces(std::span<const double> z) = 0;
    [[nodiscard]] const std::vector<double>& force() const { return force_; }
    [[nodiscard]] const std::vector<double>& state_rates() const { return state_rates_; }
    [[nodiscard]] int state_size() const { return static_cast<int>(state_rates_.size()); }

protected:
    RowPattern pattern_;
    std::vector<RowLabel> labels_;
    std::vector<double> column_scale_;
    std::vector<double> phi_, jacobian_, nu_, gamma_, force_, state_rates_;
    double model_size_ = 1;
};

}  // namespace pawl
