#include "simulation/stepping/stiffness_watch.h"

#include <algorithm>

namespace pawl {

namespace {

// Steps at the bound whose pace is measured; steps in which the implicit integrator finds its size;
// steps after which its pace is judged first, and then again.
constexpr int bound_steps = 5, growing_steps = 5, trial_steps = 15, judged_steps = 50;
// The implicit integrator must be so much faster to stay after its trial, since an evaluation is
// dearer with its linear algebra; later it goes when it has lost all of that.
constexpr double worth_changing = 2, worth_staying = 1.3;
// Waits after a trial that was not worth it, and runs of implicit steps before the explicit
// integrator is tried again, grow by this factor: trials take a small share of the work.
constexpr int growth = 4, longest = 100000;

}  // namespace

void StiffnessWatch::change(bool implicit, int wait) {
    implicit_ = implicit;
    time_ = cost_ = 0;
    steps_ = 0;
    wait_ = wait;
}

void StiffnessWatch::restart() {
    if (implicit_) change(false, 0);
}

void StiffnessWatch::fail() {
    change(false, next_wait_);
    next_wait_ = std::min(growth * next_wait_, longest);
}

void StiffnessWatch::see(double h, double cost, bool is_bound) {
    if (!implicit_) {
        if (wait_ > 0) --wait_;
        if (!is_bound || wait_ > 0) {
            time_ = cost_ = 0;
            steps_ = 0;
            return;
        }
        time_ += h;
        cost_ += cost;
        if (++steps_ < bound_steps) return;
        explicit_time_per_cost_ = time_per_cost();
        explicit_step_ = h;
        return change(true, 0);
    }
    ++steps_;
    if (steps_ > growing_steps) {
        time_ += h;
        cost_ += cost;
    }
    if (steps_ == trial_steps && time_per_cost() < worth_changing * explicit_time_per_cost_)
        return fail();
    if (steps_ <= trial_steps || steps_ % judged_steps != 0) return;
    if (time_per_cost() < worth_staying * explicit_time_per_cost_) return change(false, 0);
    time_ = cost_ = 0;
    if (steps_ < next_probe_) return;
    next_probe_ = std::min(growth * next_probe_, longest);
    change(false, 0);
}

}  // namespace pawl
