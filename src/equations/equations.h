// The waist: what solvers and integrators see of a mechanism. Coordinates, inertia, forces and
// rows; no bodies.
//   phi(q, t) = 0,   G v = nu,   G v' = gamma,   M v' = f + G^T lambda,   z' = r
// Rows are scaled so that phi is a length: rows of angles are multiplied by the model's size.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "math/linear/row_system.h"
#include "math/span.h"
#include "mechanism/contact/speed_expression.h"

namespace pawl {

enum class RowRole { joint, driver, rest, contact, friction };

struct RowLabel {
    std::string name;     // "B.x", "motor"
    std::string element;  // "B"
    Span span;
    RowRole role = RowRole::joint;
};

// A point of dry friction: sliding one way or the other, or sticking by a row. What it is limited
// by follows from its loads: one contact force, the components of a force, or forces that count
// each.
struct FrictionPoint {
    std::string name;
    int direction = 0;  // of sliding; 0: sticks
    int row = -1;       // that holds it while it sticks
    int ledger = 0;     // its work among the auxiliary states
    int first_load = 0, loads = 1;
    enum class Load { contact, vector, each } kind = Load::contact;
    double lever = 1;                  // m: of a pin or of rolling; else 1
    bool circle = false;               // friction circle: mu / sqrt(1 + mu^2) for mu
    double holding = 0, kinetic = 0;   // coefficients at rest and in motion
    double stribeck = 0, viscous = 0;  // 0: none
    double constant = 0;               // besides, whatever the load
    double smooth = 0;                 // m/s: it grows from zero over this speed and never sticks
    std::optional<SpeedExpression<double>> law;  // the coefficient in motion, instead of `kinetic`
    // Friction per load while it sticks, and while it slides at a slip rate.
    [[nodiscard]] double limit_at_rest() const { return factor(holding); }
    [[nodiscard]] double limit_sliding(double slip) const;
    // What its friction opposes: the direction of the sliding, or less than that near rest where it
    // is smooth.
    [[nodiscard]] double way(double slip) const;
    // The largest friction at rest.
    [[nodiscard]] double holds(std::span<const double> loads_of_all) const {
        return limit_at_rest() * load(loads_of_all) + constant;
    }
    // The load as one number, and its derivatives by the loads.
    [[nodiscard]] double load(std::span<const double> loads_of_all) const;
    [[nodiscard]] double load_slope(std::span<const double> loads_of_all, int i) const;

private:
    [[nodiscard]] double factor(double mu) const;
    [[nodiscard]] double speed(double slip) const {  // m/s
        return slip * (circle || kind == Load::vector ? lever : 1.0);
    }
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
    // Both at once.
    virtual void set_motion(std::span<const double> q, std::span<const double> v, double t) {
        set_position(q, t);
        set_velocity(v);
    }

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
    // couples. Where rows hold coordinates that have no inertia, it is (M + G^T A G)^-1: motions
    // that the rows allow are the same, and rows to which accelerations c are given answer with A c
    // too much (`HeldInertia`).
    virtual void solve_inertia(std::span<double> x) const = 0;
    virtual void solve_inertia(std::span<double> x, std::span<const int> blocks) const = 0;
    virtual void apply_inertia(std::span<const double> x, std::span<double> y) const = 0;
    // y <- M' v, the rate of M along the velocity that is set; after set_velocity.
    virtual void apply_inertia_rate(std::span<double> y) = 0;
    // 1/M of a column that is alone in its block, where that is the same everywhere; 0 elsewhere.
    [[nodiscard]] virtual double constant_inverse(int /*column*/) const { return 0; }
    // A of each row; empty where every coordinate has an inertia. And what the rows answer too
    // much, taken off.
    [[nodiscard]] const std::vector<double>& row_inertia() const { return row_inertia_; }
    void take_row_inertia(std::span<double> lambda, std::span<const double> c) const {
        for (std::size_t r = 0; r < row_inertia_.size(); ++r) lambda[r] -= row_inertia_[r] * c[r];
    }
    [[nodiscard]] virtual int block_of(int column) const = 0;
    [[nodiscard]] virtual int block_count() const = 0;
    [[nodiscard]] virtual Eigen::MatrixXd mass_matrix() const = 0;
    // Forces f and the rates of the auxiliary states z; after set_position, set_inertia and
    // set_velocity.
    virtual void set_forces(std::span<const double> z) = 0;
    // The accelerations that the forces give without the rows, M^-1 f, and the rates of the
    // auxiliary states. The forces f themselves need not be set.
    virtual void set_free_acceleration(std::span<const double> z, std::span<double> v_rate) {
        set_forces(z);
        std::copy(force_.begin(), force_.end(), v_rate.begin());
        solve_inertia(v_rate);
    }
    [[nodiscard]] const std::vector<double>& force() const { return force_; }
    [[nodiscard]] const std::vector<double>& state_rates() const { return state_rates_; }
    [[nodiscard]] int state_size() const { return static_cast<int>(state_rates_.size()); }

    // ---- friction ----
    [[nodiscard]] const std::vector<FrictionPoint>& friction() const { return friction_; }
    // Some friction point slides, so that forces depend on reactions.
    [[nodiscard]] bool slides() const { return slides_; }
    // Per friction point: the direction of its slip in the coordinates.
    [[nodiscard]] const RowPattern& slip_pattern() const { return slip_pattern_; }
    [[nodiscard]] const std::vector<double>& slip_rows() const { return slip_rows_; }
    [[nodiscard]] double slip(int point, std::span<const double> v) const;
    [[nodiscard]] int load_count() const { return load_count_; }
    // Loads of all friction points with these accelerations, multipliers and friction forces (per
    // friction point; of sliding ones only): an affine function of them. After set_forces.
    virtual void find_loads(std::span<const double> /*v_rate*/, std::span<const double> /*lambda*/,
                            std::span<const double> /*friction*/, std::span<double> /*loads*/) {}
    // Adds the friction of the friction points that slide to the forces and its power to the rates
    // of the auxiliary states; after set_forces.
    void add_friction(std::span<const double> v, std::span<const double> friction);

protected:
    std::vector<FrictionPoint> friction_;
    bool slides_ = false;
    RowPattern slip_pattern_;
    std::vector<double> slip_rows_;
    int load_count_ = 0;
    RowPattern pattern_;
    std::vector<RowLabel> labels_;
    std::vector<double> column_scale_;
    std::vector<double> phi_, jacobian_, nu_, gamma_, force_, state_rates_;
    std::vector<double> row_inertia_;
    double model_size_ = 1;
};

}  // namespace pawl
