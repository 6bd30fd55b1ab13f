// Poincaré sections of a motion that has been run: where a column crosses a value, at equal times,
// or at events; and after how many points they repeat. Knows samples, not equations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/event.h"
#include "results/trajectory.h"

namespace pawl {

struct Crossing {
    std::string column;
    double value = 0;
    double modulus = 0;  // crossings of value + k modulus for every whole k; 0: of value alone
    int direction = 1;   // +1 rising, -1 falling, 0 both
};

// Rows at the crossings from time `after` on, all columns. Between rows the motion is a
// polynomial through seven of them, never across an event (two rows at one time); a jump over the
// value at an event is no crossing.
Trajectory section_at(const Trajectory& motion, const Crossing& crossing, double after);
// Rows at after, after + period, ...
Trajectory section_every(const Trajectory& motion, double period, double after);
// The rows that follow events of a kind; of one element where it is given.
Trajectory section_at_events(const Trajectory& motion, const std::vector<Event>& events,
                             EventKind kind, const std::string& element, double after);

// Whether a column continues from point to point, as the way of a belt does: it gets ahead by at
// least half of all its steps, with a last step of at least half their mean, and by more than
// `least`. From four points on.
bool moves_on(const Trajectory& section, int column, double least);

// The smallest number n of points after which all points repeat: point i + n is point i within
// `tolerance` times the range of each of the columns over `motion`; columns in rad are compared
// without whole turns. At least two rounds must be seen; nothing where the points do not repeat.
std::optional<int> points_per_period(const Trajectory& section, const Trajectory& motion,
                                     const std::vector<int>& columns, double tolerance);

}  // namespace pawl
