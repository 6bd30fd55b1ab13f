// The audit of each accepted step of a dynamic run: its change of velocity against a quadrature of
// accelerations taken from the balance of forces, and those accelerations against the rows. Knows
// states and rows, whatever the formulation integrates; no contacts.
#pragma once

#include <vector>

#include "results/audit.h"
#include "simulation/stepping/stepping.h"

namespace pawl {

class StepAudit {
public:
    explicit StepAudit(double model_size) : size_(model_size) {}

    // A step begins at a projected state, whose accelerations may be solved already. They are kept
    // for the first stage.
    void begin(Dynamics& dynamics, const Stepping& stepping, const State& state, bool is_solved);
    // It has led to a projected state, and the stepper still holds it. Leaves the equations inside.
    void end(Dynamics& dynamics, Stepping& stepping, const State& begin, const State& end);

    // The accelerations that a solver has found at a time, against the rows.
    void judge_rows(Dynamics& dynamics, double t) { judge_rows(dynamics, t, rows_); }

    void remember(Memory& memory);
    void add_checks(Audit& audit) const;
    // What the error of integrators without control of it adds to the energy, J: by the steps
    // together, and in between. Nothing where the error is controlled.
    [[nodiscard]] double energy_error() const { return energy_error_ + energy_error_inside_; }
    // The largest error with which a step was asked for: singular positions are crossed with one of
    // their own.
    [[nodiscard]] double tolerance() const { return tolerance_; }

private:
    // Accelerations, velocities and the powers of the ledger over a step: their integrals, to its
    // middle and to its end.
    struct Integral {
        std::vector<double> v, q, z;
        void clear(const State& like);
    };
    void judge_rows(Dynamics& dynamics, double t, Worst& worst);
    bool integrate(Dynamics& dynamics, Stepping& stepping, double begin, double end);
    [[nodiscard]] static bool has_nothing_to_judge(Dynamics& dynamics, const Stepping& stepping);
    [[nodiscard]] static double speed_of(const Equations& equations, const std::vector<double>& v);
    bool complete(Dynamics& dynamics, Stepping& stepping, double from, const State& end);
    [[nodiscard]] double growth_of_errors(Dynamics& dynamics, double h, const State& end,
                                          double speed);
    [[nodiscard]] double energy_of(Dynamics& dynamics, const State& begin, const State& end,
                                   const Integral& change);

    double size_;
    Worst velocity_, rows_;
    Worst rows_at_begin_;  // counts once the step has been taken
    double energy_error_ = 0, energy_error_inside_ = 0, tolerance_ = 0;
    long steps_ = 0;
    State inside_, middle_, raw_;
    Integral whole_, half_, coarse_;
    std::vector<double> at_begin_, momentum_, force_, slack_, rates_;
    double largest_acceleration_ = 0;  // of a step, m/s^2
};

}  // namespace pawl
