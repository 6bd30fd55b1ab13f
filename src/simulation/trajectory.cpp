#include "simulation/trajectory.h"

#include <array>

namespace pawl {

void Trajectory::widen(const std::vector<Column>& added, std::span<const double> values) {
    const std::size_t old = columns.size(), n = rows();
    std::vector<double> wide;
    wide.reserve(n * (old + added.size()));
    for (std::size_t i = 0; i < n; ++i) {
        wide.insert(wide.end(), values_.begin() + i * old, values_.begin() + (i + 1) * old);
        wide.insert(wide.end(), values.begin() + i * added.size(),
                    values.begin() + (i + 1) * added.size());
    }
    columns.insert(columns.end(), added.begin(), added.end());
    values_ = std::move(wide);
}

int Trajectory::find(const std::string& name) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].name == name) return static_cast<int>(i);
    return -1;
}

std::string_view event_name(EventKind kind) {
    static constexpr std::array<std::string_view, 16> names{
        "impact", "contact_formed", "contact_lost", "transition",  "stick",
        "slip",   "slip_reversal",  "dead_point",   "bifurcation", "contact_impossible",
        "jam",    "snap",           "impulse",      "painleve",    "time",
        "user"};
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace pawl
