// The audit of each accepted step of a dynamic run: its change of velocity against a quadrature of
// accelerations taken from the balance of forces, and those accelerations against the rows. Knows
// states and rows, whatever the formulation integrates; no contacts.
#pragma once

#include <vector>

#include "simulation/audit.h"
#include "simulation/dynamic_systems.h"
#include "simulation/stepping.h"

namespace pawl {

class StepAudit {
public:
    StepAudit(const DynamicOptions& options, double model_size)
        : options_(options), size_(model_size) {}

    // A step begins at a projected state of the system in force. Its accelerations are kept for the
    // first stage.
    void begin(DynamicSystem& system, const State& state);
    // It has led to a projected state, and the stepper still holds it. Leaves the equations inside.
    void end(DynamicSystem& system, Stepping& stepping, const State& begin, const State& end);

    void add_checks(Audit& audit) const;
    // What the error of integrators without control of it adds to the energy, J: by the steps
    // together, and in between. Nothing where the error is controlled.
    [[nodiscard]] double energy_error() const { return energy_error_ + energy_error_inside_; }

private:
    // Accelerations, velocities and the powers of the ledger over a step: their integrals, to its
    // middle and to its end.
    struct Integral {
        std::vector<double> v, q, z;
        void clear(const State& like);
    };
    [[nodiscard]] bool integrates_exactly(const DynamicSystem& system) const;
    bool integrate(DynamicSystem& system, Stepping& stepping, double begin, double end);
    [[nodiscard]] static bool is_near_singular(const DynamicSystem& system);
    void judge_rows(const DynamicSystem& system, double t);
    [[nodiscard]] static double speed_of(const Equations& equations, const std::vector<double>& v);
    bool complete(DynamicSystem& system, Stepping& stepping, double from, const State& end);
    [[nodiscard]] double energy_of(DynamicSystem& system, const State& begin, const State& end,
                                   const Integral& change);

    const DynamicOptions& options_;
    double size_;
    Worst velocity_, rows_;
    double energy_error_ = 0, energy_error_inside_ = 0;
    long steps_ = 0;
    State inside_, middle_, raw_;
    Integral whole_, half_, coarse_;
    std::vector<double> at_begin_, momentum_, force_, slack_, rates_;
    double largest_acceleration_ = 0;  // of a step, m/s^2
};

}  // namespace pawl
