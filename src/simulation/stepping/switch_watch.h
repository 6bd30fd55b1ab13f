// Ends steps of a dynamic run where the user's expressions and tables change branch, and knows on
// which side of each switch the run is.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "math/memory.h"
#include "results/event.h"
#include "simulation/stepping/dynamic_failure.h"
#include "simulation/stepping/stepping.h"
#include "simulation/stepping/switches.h"

namespace pawl {

class SwitchWatch {
public:
    using Mechanics = MechanismEquations<PlanarSpace>;
    SwitchWatch(const PlanarMechanism& mechanism, std::vector<Event>& events)
        : mechanism_(mechanism), switches_(mechanism), events_(events) {}

    // The sides at the start.
    void begin(Mechanics& equations, const State& state);
    // Velocities or contacts have changed: what rests at zero now, and what no longer does.
    void follow(Mechanics& equations, const State& state);
    struct Crossing {
        std::size_t which = 0;
        double t = 0;
        signed char side = 0;  // that the switch comes to
        void remember(Memory& memory) { memory(which, t, side); }
    };
    // The first switch inside the last step, or at its begin. One that is at zero but for rounding,
    // where speeds below `still` are rest, has not been passed.
    [[nodiscard]] std::optional<Crossing> first(Mechanics& equations, Stepping& stepping,
                                                double still);
    // The value of a switch at a state.
    [[nodiscard]] double value(std::size_t which, Mechanics& equations, const State& state) {
        return values(equations, state)[which];
    }
    // The run has come to a switch: it continues with the other side. False when it cannot.
    bool pass(const Crossing& crossing, Mechanics& equations, const State& state,
              Stepping& stepping, DynamicFailure& failure);
    // The signs of the branches that expressions are on, by the switches; 0: at zero.
    [[nodiscard]] const std::vector<signed char>& sides() const { return sides_; }
    // The couplings whose conditions hold.
    [[nodiscard]] const std::vector<char>& engaged() const { return engaged_; }
    // An event of the user has ended the run.
    [[nodiscard]] bool has_stopped() const { return stopped_; }
    void remember(Memory& memory) {
        memory(sides_, just_passed_, conditions_, engaged_, burst_count_, last_, stopped_);
    }

private:
    const std::vector<double>& values(Mechanics& equations, const State& state,
                                      const signed char* sides = nullptr);
    [[nodiscard]] std::vector<double> ahead(Mechanics& equations, const State& state, double h,
                                            std::span<const double> before = {});
    [[nodiscard]] double rounding(std::size_t which, Mechanics& equations, const State& state,
                                  double touching, double still);
    void change(std::size_t which, signed char side, double t);
    void look_at_conditions(Mechanics& equations, const State& state, double h);
    void report_conditions(double t);

    const PlanarMechanism& mechanism_;
    Switches switches_;
    std::vector<Event>& events_;
    std::vector<signed char> sides_;
    std::vector<char> just_passed_;  // at last_
    std::vector<char> conditions_;   // of the user's events
    std::vector<char> engaged_;      // couplings
    bool stopped_ = false;
    int burst_count_ = 0;
    double last_ = -1;
};

}  // namespace pawl
