// Which columns of a trajectory a report plots together, and what it shows first. Knows names and
// units of columns, not how they are drawn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mechanism/mechanism.h"
#include "results/trajectory.h"

namespace pawl {

// Columns of one unit. One that never changes is in no plot.
struct ReportPlot {
    std::string title, unit;
    std::vector<std::size_t> columns;
    bool shown = false;  // at first
};

// Measures and what gathers columns of many elements, the most telling first; then the columns of
// each element.
std::vector<ReportPlot> report_plots(const Trajectory& trajectory,
                                     const PlanarMechanism& mechanism);

// "energy.spring.stored", "energy.motor.work"
bool is_ledger_column(std::string_view name);

}  // namespace pawl
