// Derivatives by differences of whole runs: for analyses whose solutions are converged to rounding.
#include <algorithm>
#include <cmath>

#include "face/run_sensitivity.h"
#include "math/tolerances/records.h"

namespace pawl {

namespace {

// Distances, in parts of the parameter's scale: halved from the first one on.
constexpr double first_distance = tolerance::first_neighbour;
constexpr int max_levels = 9;
// A table whose error is below this part of the derivative is finished.
constexpr double good_enough = tolerance::derivative_rounding;
// One that is above it has found no derivative: the numbers jump, or have a kink.
constexpr double settled = tolerance::derivative_settled;

// All numbers of a run: its responses, then its cells.
struct Numbers {
    std::vector<double> values;
    std::string problem;
};

Numbers numbers_of(const SensitivityTask& task, const Result& run) {
    Numbers out;
    if (!run.is_complete()) out.problem = run.message();
    for (const Response& response : task.responses)
        out.values.push_back(run.response(response).value);
    if (!task.columns) return out;
    if (run.rows() != task.run.rows() || run.columns().size() != task.run.columns().size())
        out.problem = "a neighbouring run has different rows";
    const auto cells = run.values();
    out.values.insert(out.values.end(), cells.begin(), cells.end());
    return out;
}

// Neville's scheme in the square of the distance, the newest row of it, for each number.
class Table {
public:
    explicit Table(std::size_t size) : rows_(size), best_(size, NAN), error_(size, INFINITY) {}

    // The next difference quotients, of half the distance of those before. The powers of the
    // distance in their errors are 2, 4, ... or 1, 2, ...
    void add(const std::vector<double>& quotients, bool central) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            std::vector<double> row{quotients[i]};
            double power = 1;
            for (const double before : rows_[i]) {
                power *= central ? 4 : 2;
                row.push_back(row.back() + (row.back() - before) / (power - 1));
                const double error = std::max(std::abs(row.back() - row[row.size() - 2]),
                                              std::abs(row.back() - before));
                if (error < error_[i] || (error == error_[i] && error == 0)) {
                    error_[i] = error;
                    best_[i] = row.back();
                }
            }
            rows_[i] = std::move(row);
        }
    }
    [[nodiscard]] double value(std::size_t i) const { return best_[i]; }
    [[nodiscard]] double error(std::size_t i) const { return error_[i]; }
    [[nodiscard]] bool is_good(std::size_t i) const {
        return !(error_[i] > good_enough * std::abs(best_[i]));
    }

private:
    std::vector<std::vector<double>> rows_;
    std::vector<double> best_, error_;
};

Derivative derivative(const Table& table, std::size_t i, double here, double scale,
                      const std::string& none) {
    Derivative out;
    out.value = table.value(i) / scale;
    out.error = table.error(i) / scale;
    out.problem = none;
    if (none.empty() && !std::isfinite(out.value)) out.problem = "a neighbouring run has no value";
    if (none.empty() && table.error(i) > settled * std::abs(table.value(i)) &&
        table.error(i) >
            tolerance::derivative_error * std::max(std::abs(here), tolerance::derivative_floor))
        out.problem = "differences do not settle: the response jumps or has a kink there";
    if (!out.problem.empty()) out.value = NAN;
    return out;
}

}  // namespace

SensitivityOfParameter by_differences(const SensitivityTask& task,
                                      const MovedParameter& parameter) {
    SensitivityOfParameter out;
    const Numbers here = numbers_of(task, task.run);
    std::string problem;
    const auto moved = [&](double part) {
        Diagnostics problems;
        const auto model = task.model.with(parameter.at(part), problems);
        if (!model) return Numbers{{}, problems.text()};
        return numbers_of(task, model->analyse());
    };
    Table table(here.values.size());
    std::vector<double> quotients(here.values.size());
    int side = 0, levels = 0;
    for (int level = 0; level < max_levels; ++level) {
        const double part = std::ldexp(first_distance, -level);
        const Numbers above = side < 0 ? Numbers{{}, "none"} : moved(part),
                      below = side > 0 ? Numbers{{}, "none"} : moved(-part);
        const bool has_above = above.problem.empty(), has_below = below.problem.empty();
        if (!has_above && !has_below) {
            problem = side < 0 ? below.problem : above.problem;
            continue;
        }
        if (has_above != has_below && side == 0) {
            if (levels > 0) break;
            if (level + 4 < max_levels) continue;  // both sides may have neighbours nearer by
            side = has_above ? 1 : -1;
        }
        for (std::size_t i = 0; i < quotients.size(); ++i)
            quotients[i] =
                side == 0 ? (above.values[i] - below.values[i]) / (2 * part)
                          : side * ((side > 0 ? above : below).values[i] - here.values[i]) / part;
        table.add(quotients, side == 0);
        bool good = ++levels > 2;
        for (std::size_t i = 0; i < task.responses.size() && good; ++i) good = table.is_good(i);
        if (good && !task.columns) break;
        if (good && levels > 4) break;
    }
    const std::string none = levels > 1        ? ""
                             : problem.empty() ? "no neighbouring run has a value"
                                               : "no neighbouring run has a value: " + problem;
    for (std::size_t i = 0; i < here.values.size(); ++i) {
        const double value = table.value(i) / parameter.scale;
        out.is_zero = out.is_zero && !(value != 0);
        if (i < task.responses.size())
            out.of.push_back(derivative(table, i, here.values[i], parameter.scale, none));
        else
            out.cells.push_back(value);
    }
    return out;
}

}  // namespace pawl
