// Finds the singular positions that a dynamic run passes, where the constraint rows become
// dependent and another branch of the motion opens, and keeps the motion on its own: where the
// loops close through the position the motion passes straight on, which is recorded; where they
// miss, the linkage follows its own circuit around it, with steps short enough to see the turn.
#pragma once

#include <vector>

#include "math/memory.h"
#include "simulation/stepping.h"

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
    // A singular position is close: only what crosses such positions may go on.
    [[nodiscard]] bool is_near() const { return near_; }

private:
    struct Dip {
        double t, least;
    };
    struct Ahead {
        double independence, rate;
    };
    double independence(Stepping& stepping, double t);
    Ahead look_ahead(const State& state);
    Dip foot_of(Stepping& stepping, double low, double high);
    void find_dips(Stepping& stepping, double travel);
    bool passes(Stepping& stepping, const Dip& dip);
    void note(double t, double misfit);

    DynamicResult& result_;
    DynamicSystem* system_ = nullptr;
    bool always_crosses_ = false, near_ = false;
    double at_least_ = 0;  // a bound on the independence where the next step begins
    bool falling_ = false;
    std::vector<double> looks_;
    std::vector<Dip> dips_;
    std::vector<Event> passed_;  // in the last step
    double end_at_ = 0;          // of the next step only; 0: anywhere
    // Around a position at which the loops do not close.
    bool turns_ = false, straight_ = false;
    double fastest_ = 0;   // rate of the independence since then
    double fineness_ = 1;  // of the steps
    std::vector<double> ahead_;
};

}  // namespace pawl
