// Finds the singular positions that a dynamic run passes, where the constraint rows become
// dependent and another branch of the motion opens, and keeps the motion on its own: where the
// loops close through the position the motion passes straight on, which is recorded; where they
// miss, the linkage follows its own circuit around it, with steps short enough to see the turn.
#pragma once

#include <vector>

#include "math/memory.h"
#include "results/event.h"
#include "simulation/stepping/stepping.h"

namespace pawl {

class SingularityWatch {
public:
    explicit SingularityWatch(DynamicResult& result) : result_(result) {}
    // The equations in force, and whether they are integrated everywhere as crossings are: by
    // multipliers and dop853, whose stages stay on the constraints.
    void adopt(DynamicSystem& system, bool always_crosses);
    // The equations in force are about to go.
    void leave() { system_ = nullptr; }
    // The end of the next step at the latest, not after `stop`.
    double stop(const State& state, double stop);
    // After a step of the integrator: false when it must be taken again, with another end or, when
    // is_near() has changed, on the constraints.
    bool accepts(Stepping& stepping);
    // The step ends at t for good: what it has passed until then is recorded.
    void finish(double t);
    // After adopt.
    void remember(Memory& memory);
    // A singular position is close: only what crosses such positions may continue.
    [[nodiscard]] bool is_near() const { return near_; }

private:
    struct Dip {
        double t, least;
    };
    struct Ahead {
        double independence, rate;
    };
    struct Look {
        double t, independence;
        bool clear_after;  // no foot between it and the next
    };
    double see(std::span<const double> q, double t);
    double independence(Stepping& stepping, double t);
    double look_coarsely(Stepping& stepping, double t);
    double turn_in_step(Stepping& stepping);
    Ahead look_ahead(const State& state);
    Dip foot_of(Stepping& stepping, const Look& a, const Look& b, double rate);
    bool judge(Stepping& stepping);
    [[nodiscard]] double best_error(const Stepping& stepping, double independence,
                                    double misfit) const;
    void look(Stepping& stepping, double turn);
    void find_dips(Stepping& stepping, double turn);
    bool passes(Stepping& stepping, const Dip& dip);
    void note(double t, double misfit);

    DynamicResult& result_;
    DynamicSystem* system_ = nullptr;
    bool always_crosses_ = false, near_ = false;
    double at_least_ = 0;       // a bound on the independence where the next step begins
    bool is_measured_ = false;  // it is the independence itself
    bool falling_ = false;
    double rate_ = 0;  // of the independence, where the last step that was looked at ended
    std::vector<Look> looks_;
    std::vector<Dip> dips_;
    std::vector<Event> passed_;  // in the last step
    double end_at_ = 0;          // of the next step only; 0: anywhere
    // Around a position at which the loops do not close.
    bool turns_ = false, straight_ = false;
    double fastest_ = 0;   // rate of the independence since then
    double fineness_ = 1;  // of the steps
    double leniency_ = 1;  // of the step under way
    std::vector<double> q_, before_, turn_;
};

}  // namespace pawl
