// Which columns and events of a run a plot shows, by name and by kind of plot. Knows the names that
// runs give their columns, not files.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "output/plot/plot.h"
#include "results/event.h"
#include "results/trajectory.h"

namespace pawl {

struct PlotChoice {
    enum class Kind {
        history,    // columns over time, one panel per unit
        phase,      // pairs of columns: the first across, the second up
        delay,      // a column against itself later
        path,       // NAME.x against NAME.y, to scale
        contacts,   // normal force of contact points with its static and dynamic part
        switching,  // what decides when a contact changes: gap, force, touching points, slip
    };
    Kind kind = Kind::history;
    // Columns; points for `path`; contacts or contact points for the last two. `*` stands for any
    // text, `?` for a letter. Without names:
    //   history: the measures, or else the poses of the bodies that move; and the normal forces;
    //   phase: each measure against its rate, or else each body's angle (or way) against its speed;
    //   delay: the first columns of those pairs;
    //   path: the measured points, or else the origins of the bodies that move;
    //   contacts, switching: the contact points that are closed at some time.
    std::vector<std::string> names = {};
    double from = -INFINITY, to = INFINITY;                         // s
    double delay = 0;                                               // s
    std::optional<std::vector<std::string>> events = std::nullopt;  // kinds to mark; not given: all
};

// Nothing, and what is wrong, where the choice fits nothing.
std::optional<Plot> make_plot(const Trajectory& trajectory, const std::vector<Event>& events,
                              const PlotChoice& choice, std::string& problem);

}  // namespace pawl
