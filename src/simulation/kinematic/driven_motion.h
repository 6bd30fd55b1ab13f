// Position, velocity and acceleration of driven equations at a time: Newton on the independent
// rows, then two linear solves with the same factors. Below the waist: knows rows and coordinates
// only. Allocates nothing per solve for small systems.
#pragma once

#include <vector>

#include "equations/equations.h"
#include "math/polynomial_path.h"

namespace pawl {

enum class SolveOutcome {
    solved,    // residual <= position tolerance x size, or rounding below the accepted one
    diverged,  // the residual grew twice or is above the accepted one after all iterations
    singular,  // a pivot is zero
};

// A solved instant.
struct MotionNode {
    double t = 0;
    std::vector<double> q, v, a;
    double determinant_sign = 0, log_determinant = 0;
};

// The quintic through position, velocity and acceleration at both ends of a step; v and a on
// request.
void interpolate(const MotionNode& a, const MotionNode& b, double t, std::vector<double>& q,
                 std::vector<double>* v = nullptr, std::vector<double>* acceleration = nullptr);

// The same as polynomials.
void polynomials(const MotionNode& a, const MotionNode& b, PolynomialPath& path);

class DrivenMotion {
public:
    // `rows` are independent and as many as there are coordinates.
    DrivenMotion(Equations& equations, std::vector<int> rows);

    // From the guess in node.q at node.t to the solution; then rates.
    SolveOutcome solve(MotionNode& node);
    // Velocity and acceleration at node.q, which is taken as it is.
    SolveOutcome solve_rates(MotionNode& node);
    // Determinant of the driven Jacobian at (q, t) without solving.
    void factor_at(std::span<const double> q, double t);

    [[nodiscard]] RowSystem& system() { return system_; }
    [[nodiscard]] Equations& equations() { return equations_; }
    [[nodiscard]] long iterations() const { return iterations_; }
    double condition() { return system_.condition(equations_.column_scale()); }

private:
    [[nodiscard]] double chosen_residual() const;

    Equations& equations_;
    RowSystem system_;
    std::vector<double> step_;
    long iterations_ = 0;
};

}  // namespace pawl
