#include "output/report/report_plots.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "math/tolerances/outside.h"

namespace pawl {

namespace {

constexpr std::size_t shown_at_first = 3;
// Beside the largest number of its kind, less than this is rounding.
constexpr double rounding = tolerance::constant_column;

// Columns of many elements that belong together, by how their names end.
struct Common {
    const char *title, *tail;
    enum { contact, body, any } of;
};
constexpr Common common[] = {{"Contact forces", ".normal", Common::contact},
                             {"Drivers", ".force", Common::any},
                             {"Friction", ".friction", Common::any},
                             {"Gaps of contacts", ".gap", Common::contact},
                             {"Angular velocities", ".omega", Common::body},
                             {"Positions", ".x", Common::body},
                             {"Positions", ".y", Common::body},
                             {"Angles", ".angle", Common::body},
                             {"Energy", "energy.kinetic", Common::any},
                             {"Energy", "energy.potential", Common::any},
                             {"Energy", "energy.work", Common::any},
                             {"Slip speeds", ".slip", Common::contact}};

std::string element_of(const std::string& column) { return column.substr(0, column.rfind('.')); }

class PlotChooser {
public:
    PlotChooser(const Trajectory& trajectory, const PlanarMechanism& mechanism)
        : columns_(trajectory.columns),
          mechanism_(mechanism),
          changes_(columns_.size(), false),
          largest_(columns_.size(), 0) {
        std::vector<double> low(columns_.size(), INFINITY), high(columns_.size(), -INFINITY);
        std::vector<std::size_t> numbers(columns_.size(), 0);
        for (std::size_t r = 0; r < trajectory.rows(); ++r) {
            const auto row = trajectory.row(r);
            for (std::size_t c = 0; c < columns_.size(); ++c) {
                if (std::isnan(row[c])) continue;
                ++numbers[c];
                low[c] = std::fmin(low[c], row[c]);
                high[c] = std::fmax(high[c], row[c]);
                largest_[c] = std::fmax(largest_[c], std::abs(row[c]));
            }
        }
        for (std::size_t c = 0; c < columns_.size(); ++c)
            changes_[c] = high[c] - low[c] > rounding * largest_[c] ||
                          (numbers[c] > 0 && numbers[c] < trajectory.rows());
        for (std::size_t c = 0; c < columns_.size() && trajectory.rows() > 0; ++c) {
            double& of_unit = largest_of_unit_[columns_[c].unit];
            of_unit = std::max(of_unit, largest_[c]);
        }
        // Where nothing turns, the rounding of angles is measured by a radian, that of angular
        // velocities by speeds at the distances there are.
        const double distance = largest_of_unit_["m"];
        largest_of_unit_["rad"] = std::max(largest_of_unit_["rad"], 1.0);
        if (distance > 0)
            largest_of_unit_["rad/s"] =
                std::max(largest_of_unit_["rad/s"], largest_of_unit_["m/s"] / distance);
    }

    std::vector<ReportPlot> choose() {
        for (const auto& m : mechanism_.measures)
            for (std::size_t c = 1; c < columns_.size(); ++c)
                if (columns_[c].name == m.name) add("Measures", c);
        for (const Common& kind : common)
            for (std::size_t c = 1; c < columns_.size(); ++c)
                if (belongs(c, kind)) add(kind.title, c);
        for (std::size_t i = 0; i < std::min(plots_.size(), shown_at_first); ++i)
            plots_[i].shown = true;
        for (std::size_t c = 1; c < columns_.size(); ++c)
            if (!columns_[c].name.ends_with(".closed") && !is_ledger_column(columns_[c].name))
                add(element_of(columns_[c].name), c);
        return std::move(plots_);
    }

private:
    void add(const std::string& title, std::size_t c) {
        if (!changes_[c]) return;
        for (ReportPlot& p : plots_)
            if (p.title == title && p.unit == columns_[c].unit) return p.columns.push_back(c);
        plots_.push_back({title, columns_[c].unit, {c}});
    }
    // Columns of rounding, such as the gap of a contact that stays closed, do not belong anywhere:
    // beside the largest number of their unit they are nothing.
    [[nodiscard]] bool belongs(std::size_t c, const Common& kind) const {
        const std::string& name = columns_[c].name;
        const auto of_unit = largest_of_unit_.find(columns_[c].unit);  // none without rows
        if (!name.ends_with(kind.tail) || of_unit == largest_of_unit_.end() ||
            !(largest_[c] > rounding * of_unit->second))
            return false;
        if (kind.of == Common::contact) return name.find('#') != std::string::npos;
        return kind.of == Common::any ||
               std::any_of(mechanism_.bodies.begin(), mechanism_.bodies.end(),
                           [&](const auto& b) { return b.name == element_of(name); });
    }

    const std::vector<Column>& columns_;
    const PlanarMechanism& mechanism_;
    std::vector<bool> changes_;
    std::vector<double> largest_;
    std::map<std::string, double> largest_of_unit_;
    std::vector<ReportPlot> plots_;
};

}  // namespace

std::vector<ReportPlot> report_plots(const Trajectory& trajectory,
                                     const PlanarMechanism& mechanism) {
    return PlotChooser(trajectory, mechanism).choose();
}

bool is_ledger_column(std::string_view name) {
    constexpr std::string_view head = "energy.";
    return name.starts_with(head) && name.find('.', head.size()) != std::string_view::npos;
}

}  // namespace pawl
