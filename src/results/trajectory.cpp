#include "results/trajectory.h"

namespace pawl {

void Trajectory::widen(const std::vector<Column>& added, const Fill& fill) {
    const std::size_t n = rows();
    Spool<double> wide;
    wide.use(location_, "wide");
    std::vector<double> cells(added.size());
    for (std::size_t i = 0; i < n; ++i) {
        fill(i, cells);
        wide.add(row(i));
        wide.add(cells);
    }
    columns.insert(columns.end(), added.begin(), added.end());
    values_ = std::move(wide);
}

int Trajectory::find(const std::string& name) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].name == name) return static_cast<int>(i);
    return -1;
}

}  // namespace pawl
