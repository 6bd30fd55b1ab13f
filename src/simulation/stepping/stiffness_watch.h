// Which of two integrators a dynamic run continues with where the user leaves it open: the explicit
// one, until stability rather than accuracy has bound its steps for a while; then the implicit one,
// as long as it covers more time for the same work. Knows steps and what they cost, no states.
#pragma once

#include "math/memory.h"

namespace pawl {

class StiffnessWatch {
public:
    // A finished step: its length, what it cost in evaluations, and whether stability bounds the
    // steps of the explicit integrator.
    void see(double h, double cost, bool is_bound);
    // Something has happened: the explicit integrator begins.
    void restart();
    // The implicit integrator gave up.
    void fail();

    [[nodiscard]] bool is_implicit() const { return implicit_; }
    // Of the explicit integrator, when it was left.
    [[nodiscard]] double explicit_step() const { return explicit_step_; }
    void remember(Memory& memory) {
        memory(implicit_, time_, cost_, steps_, explicit_time_per_cost_, explicit_step_, wait_,
               next_wait_, next_probe_);
    }

private:
    void change(bool implicit, int wait);
    [[nodiscard]] double time_per_cost() const { return time_ / cost_; }

    bool implicit_ = false;
    double time_ = 0, cost_ = 0;         // of the steps that count
    int steps_ = 0;                      // since the change, or since they are bound
    double explicit_time_per_cost_ = 0;  // s per evaluation, at the bound of stability
    double explicit_step_ = 0;
    int wait_ = 0;  // explicit steps before the implicit integrator is tried
    int next_wait_ = first_wait, next_probe_ = first_probe;

    static constexpr int first_wait = 200, first_probe = 200;
};

}  // namespace pawl
