// What a run leaves behind: samples in named columns with units, and the events. Knows no files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "math/memory.h"

namespace pawl {

struct Column {
    std::string name;  // "crank.omega"
    std::string unit;  // "rad/s"
};

class Trajectory {
public:
    std::vector<Column> columns;

    void add(std::span<const double> row) { values_.insert(values_.end(), row.begin(), row.end()); }
    [[nodiscard]] std::size_t rows() const {
        return columns.empty() ? 0 : values_.size() / columns.size();
    }
    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return std::span(values_).subspan(i * columns.size(), columns.size());
    }
    // Adds columns on the right; `values` row by row for all rows.
    void widen(const std::vector<Column>& added, std::span<const double> values);
    void remember(Memory& memory) { memory(values_); }
    // Index of a column by name; -1 when there is none.
    [[nodiscard]] int find(const std::string& name) const;

private:
    std::vector<double> values_;
};

enum class EventKind {
    impact,
    contact_formed,
    contact_lost,
    transition,
    stick,
    slip,
    slip_reversal,
    dead_point,
    bifurcation,
    contact_impossible,
    jam,
    snap,
    impulse,
    painleve,
    time,
    user
};
std::string_view event_name(EventKind kind);

struct Event {
    double t = 0;
    EventKind kind = EventKind::user;
    std::string element;
    std::string from, to;
    double normal_velocity_before = 0, normal_velocity_after = 0;  // m/s
    double impulse = 0;                                            // N s
    double energy_change = 0;                                      // J
    std::string detail;
};

}  // namespace pawl
