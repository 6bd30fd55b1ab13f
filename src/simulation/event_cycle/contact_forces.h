// The forces of the contacts and friction points of a mode at states, distributed within the
// cones where rows depend on each other.
#pragma once

#include <vector>

#include "dynamics/contact/friction_problem.h"
#include "simulation/event_cycle/transition.h"

namespace pawl {

class ContactForces {
public:
    explicit ContactForces(const ContactWorld& world) : world_(world) {}
    // The mode in force and its system; both outlive the use.
    void adopt(const Mode& mode, DynamicSystem& system) {
        mode_ = &mode;
        system_ = &system;
        shared_.fast = -1;
    }

    // Multipliers of all rows and the friction of each friction point of the system at a state.
    // Empty where there is no solution.
    struct Forces {
        bool solved = false;
        std::vector<double> lambda, friction, loads;
        double slack = 0;    // of forces that are shared, N
        bool loose = false;  // and the accelerations depend on how they are
        std::vector<int>
            yields;  // and the way each friction point would slide without slack; 0: it would not
    };
    const Forces& at(const State& state);
    [[nodiscard]] const Forces& last() const { return forces_; }
    // The same, with the accelerations of the solver in force, which are those of this
    // distribution.
    const Forces& with_motion(const State& state);
    // A step begins: where the motion depends on how forces are shared, they stay so over the step.
    void start_sharing(const State& state);

    // Normal forces of the closed contacts; NaN where the equations have no solution. With `holds`
    // what vanishes with them.
    const std::vector<double>& normal(const State& state, bool holds);
    // Positive while the mode goes on: each closed contact holds, then each friction point
    // sticks or slides. Then the loads whose friction has a kink where they pass zero.
    const std::vector<double>& guards(const State& state);

    // The slip rate of a friction point that counts as rest.
    [[nodiscard]] double slowest(std::size_t point) const;

private:
    bool find_loose(const State& state);
    void share(const State& state);
    void share_anew(const State& state);
    void take_shared(const FrictionAnswer& answer, const FrictionTask& task,
                     const std::vector<std::size_t>& index_of_point);
    void take_sticking();
    void add_friction_guards(const State& state);
    void add_turning_loads();

    const ContactWorld& world_;
    const Mode* mode_ = nullptr;
    DynamicSystem* system_ = nullptr;
    Forces forces_;  // of the last state asked for
    // What was shared last, and where; -1: nothing in this mode.
    struct Shared {
        State state;
        long fast = -1;  // friction points that slid faster than rounding
        Forces forces;
    } shared_;
    std::vector<double> normal_, guards_;
};

}  // namespace pawl
