// A window: where a transition cannot determine what follows, a short stretch of Moreau's time
// steps carries the motion over it and hands a mode and a state back. Takes values and returns
// values, like the transition that it is part of.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "simulation/event_cycle/transition.h"
#include "simulation/time_stepping/moreau_step.h"

namespace pawl {

// Steps of equal length one after the other, with the contacts and laws of the model.
struct Stretch {
    State state;                            // at its end
    double step = 0;                        // s
    std::vector<MoreauStep::Contact> last;  // what contacts did in the last step
    double gain = 0;                        // what forces added to velocities in it at most, m/s
    double residual = 0;                    // the worst of a step
    int busiest = -1;                       // the pair with the largest impulse
};
// Of `steps` equal steps over `length` as many as there are until `until`, the last one shorter.
// Nothing where a step fails.
std::optional<Stretch> step_over(ContactWorld& world, const State& start, double length, int steps,
                                 double until = INFINITY);

// What the transition has left undecided is carried over a window that ends by `until`: mode, state
// and facts become those of its end. False, and nothing changes, where there is none: the model has
// what time stepping does not know, or no mode is found after it either.
bool pass_window(ContactWorld& world, const Mode& before, double until, Transition& next);

// Inside a window: the steps are taken again, up to the time.
// On the constraints, with the gaps of what presses closed.
State state_inside(ContactWorld& world, const PassedWindow& window, double t);
// What would follow had the window ended there; nothing where no mode is found.
std::optional<Transition> transition_inside(ContactWorld& world, const PassedWindow& window,
                                            double t);

}  // namespace pawl
