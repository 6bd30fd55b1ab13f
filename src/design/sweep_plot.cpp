#include "design/sweep_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "output/plot/map.h"
#include "output/plot/plot.h"

namespace pawl {

namespace {

std::string label(const std::string& name, const std::string& unit) {
    return unit.empty() || unit == "1" ? name : name + " [" + unit + "]";
}

double across(const SweepPlan& plan, const SweepRow& row, std::size_t variable) {
    return number_of(plan.variables()[variable], row.values[variable])
        .value_or(std::numeric_limits<double>::quiet_NaN());
}

// "t@impact:C#1" of "t@impact:C#1:7"; empty where there is no number.
std::string stem_of(const std::string& name) {
    const auto colon = name.rfind(':');
    const bool numbered = colon != std::string::npos && colon + 1 < name.size() &&
                          name.find_first_not_of("0123456789", colon + 1) == std::string::npos;
    return numbered ? name.substr(0, colon) : std::string();
}

std::string curves(const SweepPlan& plan, const std::vector<SweepRow>& rows,
                   const std::string& title) {
    const SweepVariable& variable = plan.variables()[0];
    Plot plot;
    plot.title = title;
    plot.caption = std::to_string(rows.size()) + " runs";
    const auto& responses = plan.responses();
    for (std::size_t r = 0; r < responses.size(); ++r) {
        const std::string stem = stem_of(responses[r].name);
        const bool joins = r > 0 && !stem.empty() && stem == stem_of(responses[r - 1].name);
        if (!joins) {
            auto& panel = plot.panels.emplace_back();
            panel.x_label = label(variable.name, variable.unit);
            panel.y_label = label(stem.empty() ? responses[r].name : stem, responses[r].unit);
            panel.curves.emplace_back();
            panel.curves[0].dots = !stem.empty() || plan.settings().method != SweepMethod::grid;
        }
        PlotCurve& curve = plot.panels.back().curves[0];
        for (const SweepRow& row : rows) {
            curve.x.push_back(across(plan, row, 0));
            curve.y.push_back(row.responses[r]);
        }
    }
    return svg(plot);
}

std::vector<double> sorted_values(const SweepPlan& plan, const std::vector<SweepRow>& rows,
                                  std::size_t variable) {
    std::vector<double> out;
    for (const SweepRow& row : rows) out.push_back(across(plan, row, variable));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::string map_of(const SweepPlan& plan, const std::vector<SweepRow>& rows, std::size_t response,
                   bool of_events, const std::string& title) {
    const auto& v = plan.variables();
    PlotMap map;
    map.title = title;
    map.caption = std::to_string(rows.size()) + " runs";
    map.x_label = label(v[0].name, v[0].unit);
    map.y_label = label(v[1].name, v[1].unit);
    map.value_label = of_events
                          ? "what happens"
                          : label(plan.responses()[response].name, plan.responses()[response].unit);
    map.x = sorted_values(plan, rows, 0);
    map.y = sorted_values(plan, rows, 1);
    map.values.assign(map.x.size() * map.y.size(), std::numeric_limits<double>::quiet_NaN());
    const auto index_in = [](const std::vector<double>& list, double value) {
        return static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), value) -
                                        list.begin());
    };
    for (const SweepRow& row : rows) {
        double value = of_events ? 0 : row.responses[response];
        if (of_events) {
            const std::string what =
                row.status == "completed" ? row.events : row.status + ": " + row.events;
            const auto known = std::find(map.categories.begin(), map.categories.end(), what);
            value = static_cast<double>(known - map.categories.begin());
            if (known == map.categories.end()) map.categories.push_back(what);
        }
        map.values[index_in(map.y, across(plan, row, 1)) * map.x.size() +
                   index_in(map.x, across(plan, row, 0))] = value;
    }
    return svg(map);
}

}  // namespace

std::optional<std::string> sweep_picture(const SweepPlan& plan, const std::vector<SweepRow>& rows,
                                         const std::string& shown, const std::string& title,
                                         std::string& problem) {
    const auto& v = plan.variables();
    const bool numbers =
        std::all_of(v.begin(), v.end(), [](const SweepVariable& one) { return one.is_number; });
    const bool is_map = v.size() == 2 && plan.settings().method == SweepMethod::grid;
    if (!numbers || rows.empty() || !(v.size() == 1 || is_map)) {
        problem = "a sweep can be drawn over one number that varies, or over two on a grid";
        return std::nullopt;
    }
    if (!is_map) return curves(plan, rows, title);
    std::size_t response = 0;
    std::vector<std::string> names{"events"};
    for (const Response& r : plan.responses()) names.push_back(r.name);
    if (!shown.empty() && shown != "events") {
        const auto found = std::find(names.begin() + 1, names.end(), shown);
        if (found == names.end()) {
            problem = "the sweep has no response '" + shown + "'" + did_you_mean(shown, names);
            return std::nullopt;
        }
        response = static_cast<std::size_t>(found - names.begin()) - 1;
    }
    return map_of(plan, rows, response, shown == "events", title);
}

}  // namespace pawl
