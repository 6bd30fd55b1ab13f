// Rows and events of a run, differentiated: neighbours write rows of their own.
#include <algorithm>
#include <cmath>
#include <utility>

#include "simulation/sensitivity/tangent_run.h"

namespace pawl {

namespace {

using Term = Neighbours::Term;

}  // namespace

// Output times are given: a neighbour that is earlier or later comes to them by a longer or shorter
// way, which must stay inside the step or near it.
void TangentRun::sample_inside(std::size_t entry) {
    constexpr double max_shift = 0.05;  // of the step
    const Entry &step = course_.entries[entry], &from = course_.entries[entry - 1];
    const double h = step.after.t - step.before.t;
    int level = level_;
    while (level < Neighbours::last_level &&
           Neighbours::distance(level) * std::abs(along_[0]) > max_shift * h)
        level += Neighbours::levels_down;
    for (std::size_t r = step.first_row; r < step.end_row; ++r) {
        if (!wanted_.contains(r)) continue;
        const double t = rows_.row(r)[0];
        sample(r, level, [&](Shadow& shadow, double part, ShadowPoint& point) {
            point = moved(from, along_, part);
            shadow.look(point, from);
            return shadow.flow(point, t - point.state.t);
        });
    }
}

// Rows between two entries of the course move with the events.
void TangentRun::sample_after(std::size_t entry) {
    const Entry& at = course_.entries[entry];
    const std::size_t end =
        entry + 1 < course_.entries.size() ? course_.entries[entry + 1].first_row : rows_.rows();
    const bool is_open = std::exchange(time_is_open_, false);
    for (std::size_t r = at.end_row; r < end && !is_open; ++r) {
        if (!wanted_.contains(r) || (r == 0 && course_.first_row_is_before)) continue;
        sample(r, level_, [&](Shadow& shadow, double part, ShadowPoint& point) {
            point = moved(at, along_, part);
            shadow.look(point, at);
            return true;
        });
    }
}

void TangentRun::sample(std::size_t row, int level, const Map& map) {
    std::vector<Cells> cells;
    for (const Term& term : std::vector<Term>(neighbours_.terms(level))) {
        Shadow* shadow = neighbours_.at(term);
        if (!shadow) return;
        prime(*shadow, term);
        ShadowPoint point;
        if (!map(*shadow, term.part(), point)) return;
        const auto written = shadow->sample(std::move(point));
        if (!written) return;
        cells.push_back({shadow, *written, term});
    }
    cells_[row] = std::move(cells);
    row_errors_[row] = relative_error();
}

// The first row of a neighbour is that from which the energies of its run count.
void TangentRun::prime(Shadow& shadow, const Term& term) {
    if (!reference_.at || !primed_.insert(&shadow).second) return;
    ShadowPoint point = moved(*reference_.at, reference_.along, term.part());
    shadow.look(point, *reference_.at);
    shadow.sample(std::move(point));
}

NumberDerivatives TangentRun::row(std::size_t row) const {
    NumberDerivatives out;
    const auto found = cells_.find(row);
    if (found == cells_.end()) return out;
    const auto ours = rows_.row(row);
    for (std::size_t c = 0; c < rows_.columns.size(); ++c) {
        double fine = 0, coarse = 0;
        for (const Cells& cells : found->second) {
            const Trajectory& rows = cells.shadow->rows();
            const int column =
                c < rows.columns.size() && rows.columns[c].name == rows_.columns[c].name
                    ? static_cast<int>(c)
                    : rows.find(rows_.columns[c].name);
            const double value =
                column < 0 ? NAN : rows.row(cells.row)[static_cast<std::size_t>(column)] - ours[c];
            fine += cells.term.fine * value;
            coarse += cells.term.coarse * value;
        }
        out.of[rows_.columns[c].name] = fine;
        const double spread = std::abs(fine - coarse);
        if (spread > 0)
            out.apart[rows_.columns[c].name] = std::min(spread, spread * spread / std::abs(fine));
    }
    out.error = row_errors_.at(row);
    return out;
}

NumberDerivatives TangentRun::event(std::size_t event) const {
    const auto found = events_.find(event);
    return found == events_.end() ? NumberDerivatives{} : found->second;
}

}  // namespace pawl
