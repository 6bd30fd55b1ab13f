// The balance of forces at rest, reduced to the directions that joints and drivers leave free.
// Positions are y = D q, all lengths (angles times the model's size), and forces accordingly, so
// that one norm serves all.
//   A = G D^-1,   Z orthonormal with A Z = 0,   unbalance g = Z^T f,   A^T lambda = -(1 - Z Z^T) f.
// Knows rows and forces; no strategy to find a balance.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Dense>

#include "equations/mechanism_equations.h"
#include "math/linear/dense.h"
#include "simulation/placement/assembly.h"

namespace pawl {

class EquilibriumSystem {
public:
    using Vector = Eigen::VectorXd;
    using Matrix = Eigen::MatrixXd;

    static constexpr int largest_size =
        300;  // dense matrices: a factorisation of 300 takes some 10 ms

    // With the rows of these closed contacts besides the permanent ones.
    explicit EquilibriumSystem(const PlacedMechanism& placed,
                               std::vector<ContactPoint<PlanarSpace>> closed = {});

    [[nodiscard]] MechanismEquations<PlanarSpace>& equations() { return equations_; }
    [[nodiscard]] double size() const { return equations_.model_size(); }
    // Normal force of a contact of the equations where it was set, N; 0 for one that depends on
    // other rows.
    [[nodiscard]] double contact_force(std::size_t contact) const {
        return lambda_[static_cast<std::size_t>(equations_.contact_row(contact))];
    }
    // Where the contacts are on their elements, where it was set; and where they are looked for.
    using ContactFractions = std::vector<std::array<double, 2>>;
    [[nodiscard]] ContactFractions fractions();
    void look_near(const ContactFractions& fractions);
    [[nodiscard]] Vector assembled() const;  // the position that the mechanism was assembled in

    // Rows, forces and free directions at (y, t). False when a value is not finite.
    bool set(const Vector& y, double t);
    // Moves y to the nearest position that satisfies the rows at t, and sets it there. False when
    // it does not converge.
    bool close(Vector& y, double t);
    // From a position that satisfies the rows at t0 to one at t1, in steps that stay on the branch.
    bool carry(Vector& y, double t0, double t1);

    // ---- where it was set ----
    [[nodiscard]] const Vector& y() const { return y_; }
    [[nodiscard]] double t() const { return t_; }
    [[nodiscard]] int freedoms() const { return static_cast<int>(free_.cols()); }
    [[nodiscard]] const Matrix& free_directions() const { return free_; }  // Z
    [[nodiscard]] const Vector& unbalance() const { return unbalance_; }   // g, N
    [[nodiscard]] double largest_force() const {
        return largest_force_;
    }  // N, of single elements and net on bodies
    [[nodiscard]] double largest_on_body() const {
        return largest_on_body_;
    }                                                              // N, net applied on a body
    [[nodiscard]] double potential() const { return potential_; }  // J, stored
    [[nodiscard]] double residual() const { return residual_; }    // m, largest |phi|
    [[nodiscard]] Vector closing_step() const {
        return -smallest_solution(equations_.phi());
    }  // dy that closes the rows
    [[nodiscard]] Vector drift() const {
        return smallest_solution(equations_.nu());
    }  // dy/dt that the drivers ask for

    // Derivatives by central differences; they leave everything set as it was.
    [[nodiscard]] Matrix stiffness();  // K = -Z^T d(f + A^T lambda)/dy Z at fixed lambda, N/m
    [[nodiscard]] Vector load_rate(
        double time_scale);                      // Z^T d(f + A^T lambda)/dt along the drift, N/s
    [[nodiscard]] Matrix damping(double speed);  // -Z^T df/dv Z, N s/m, between speeds of +-speed
    [[nodiscard]] Matrix mass();                 // Z^T M Z, kg

    // Sets the velocities of the bodies to those of the free directions times x, to be read from
    // the coordinates.
    void move(const Vector& x);
    // The coordinate with the largest part in a direction dy, for messages.
    [[nodiscard]] std::string leading_coordinate(const Vector& direction) const;
    // Scaled coordinates, or their rates, as those of the equations.
    [[nodiscard]] std::vector<double> unscaled(const Vector& y) const;

private:
    using Mechanics = MechanismEquations<PlanarSpace>;

    void evaluate(const Vector& y, double t);
    [[nodiscard]] Vector full_force() const;                                     // f + A^T lambda
    [[nodiscard]] Vector smallest_solution(const std::vector<double>& b) const;  // A y = b

    const PlacedMechanism& placed_;
    Mechanics equations_;
    std::vector<double> states_, rest_;
    std::vector<char> force_turns_;  // per force: its scalar is a torque
    PivotedQr qr_;                   // of A^T
    Matrix basis_;                   // its Q
    Matrix free_;
    Vector y_, unbalance_;
    std::vector<double> lambda_;
    double t_ = 0, largest_force_ = 0, largest_on_body_ = 0, potential_ = 0, residual_ = 0;
};

}  // namespace pawl
