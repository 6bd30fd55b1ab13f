#include "face/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "face/result_inside.h"
#include "face/run_sensitivity.h"
#include "math/parallel.h"
#include "math/roots.h"
#include "math/tolerances/records.h"
#include "math/units.h"
#include "results/interpolant.h"
#include "simulation/placement/clearance.h"
#include "simulation/run_options.h"
#include "simulation/sensitivity/tangent_run.h"

namespace pawl {

namespace {

bool is_dynamic(const Model& model) { return model.run.analysis == Analysis::dynamics; }

// A contact that comes as near as touching, without an event: farther it passes, nearer it strikes.
struct Grazing {
    std::size_t row = 0;  // next to it
    double t = 0;
    std::string column, contact;
};

std::vector<Grazing> grazings(const Trajectory& rows) {
    constexpr double touching =
        tolerance::gap_of_neighbours;  // of the widest gap; runs are right to 1e-9 or so
    std::vector<Grazing> out;
    for (std::size_t c = 0; c < rows.columns.size(); ++c) {
        const std::string& name = rows.columns[c].name;
        const std::size_t tail = name.rfind(".gap");
        if (name.find('#') == std::string::npos || tail == std::string::npos) continue;
        const int closed = rows.find(name.substr(0, tail) + ".closed"),
                  column = static_cast<int>(c);
        const auto gap = [&](std::size_t r) { return rows.row(r)[c]; };
        const auto is_inside = [&](std::size_t r) {
            return rows.row(r - 1)[0] < rows.row(r)[0] && rows.row(r)[0] < rows.row(r + 1)[0] &&
                   closed >= 0 && rows.row(r)[static_cast<std::size_t>(closed)] == 0;
        };
        double widest = 0;
        for (std::size_t r = 0; r < rows.rows(); ++r)
            if (std::isfinite(gap(r))) widest = std::max(widest, gap(r));
        for (std::size_t r = 1; r + 1 < rows.rows(); ++r) {
            if (!(gap(r) <= gap(r - 1) && gap(r) < gap(r + 1)) || !is_inside(r)) continue;
            const Interpolant p(rows, column, r);
            const double low = std::max(p.start(), rows.row(r - 1)[0]),
                         high = std::min(p.end(), rows.row(r + 1)[0]);
            if (!(p(low).slope < 0 && p(high).slope > 0)) continue;
            const double t = bisect(low, high, 60, [&](double x) { return p(x).slope < 0; }).low;
            if (p(t).y < touching * widest) out.push_back({r, t, name, name.substr(0, tail)});
        }
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
    return out;
}

// Which rows the derivatives of the responses are made of.
std::set<std::size_t> rows_of(const SensitivityTask& task, const std::vector<Linearisation>& linear,
                              const std::vector<Grazing>& grazings) {
    std::set<std::size_t> out;
    for (const Grazing& grazing : grazings) out.insert(grazing.row);
    for (const Linearisation& of : linear)
        for (const auto& cell : of.cells) out.insert(cell.row);
    if (task.columns)
        for (std::size_t row = 0; row < task.run.rows(); ++row) out.insert(row);
    return out;
}

// Events are put in order after a run: where each stands in the course. A contact that forms where
// impacts accumulate may get the time of another event, which then moves it.
struct CourseEvents {
    std::vector<std::size_t> same, timed;  // by the events of the result

    CourseEvents(const std::vector<Event>& events, const std::vector<Event>& course) {
        std::vector<char> taken(course.size());
        for (const Event& e : events) {
            std::size_t found = course.size();
            for (std::size_t k = 0; k < course.size() && found == course.size(); ++k)
                if (!taken[k] && course[k].kind == e.kind && course[k].element == e.element)
                    found = k;
            if (found < course.size()) taken[found] = 1;
            same.push_back(found);
            std::size_t time = found;
            for (std::size_t k = 0;
                 k < course.size() && (time == course.size() || course[time].t != e.t); ++k)
                if (course[k].t == e.t) time = k;
            timed.push_back(time);
        }
    }
};

// The derivatives of one parameter along the run.
class AlongTheRun {
public:
    AlongTheRun(const SensitivityTask& task, const std::vector<Linearisation>& linear,
                const RunCourse& course, const Trajectory& rows)
        : task_(task),
          linear_(linear),
          course_(course),
          rows_(rows),
          grazings_(grazings(rows)),
          wanted_(rows_of(task, linear, grazings_)),
          events_(task.run.events(), course.events) {}

    [[nodiscard]] SensitivityOfParameter operator()(const MovedParameter& parameter) const {
        Neighbours neighbours(
            [&](double part, std::string& why) { return placed(parameter, part, why); },
            dynamic_options_of(task_.model));
        TangentRun tangent(course_, rows_, wanted_, neighbours);
        tangent.run();
        SensitivityOfParameter out;
        out.missing = missing(tangent, parameter);
        for (std::size_t r = 0; r < linear_.size(); ++r) {
            out.of.push_back(
                derivative(tangent, out.missing, parameter, linear_[r], task_.responses[r]));
            out.is_zero = out.is_zero && !(out.of.back().value != 0);
        }
        if (task_.columns) add_cells(tangent, parameter, out);
        return out;
    }

    static DynamicOptions dynamic_options_of(const Model& model) {
        DynamicOptions options = dynamic_options(model.run);
        options.reactions = model.reactions;
        return options;
    }

private:
    [[nodiscard]] std::optional<PlacedMechanism> placed(const MovedParameter& parameter,
                                                        double part, std::string& why) const {
        Diagnostics problems;
        Values values = task_.data.overrides;
        for (const auto& [name, value] : parameter.at(part)) {
            // clang 14 does not capture the names of a structured binding.
            std::erase_if(values, [&name = name](const auto& old) { return old.first == name; });
            values.emplace_back(name, value);
        }
        const auto data = read_model(task_.data, values, problems);
        if (!data) {
            why = problems.text();
            return std::nullopt;
        }
        PlacedMechanism out = assemble(data->mechanism);
        if (!out.ok()) {
            why = out.assembly.message;
            return std::nullopt;
        }
        return has_clearance(out.mechanism) ? open_clearances(out) : out;
    }

    // The first column from which on there is none.
    [[nodiscard]] std::optional<MissingDerivativeAt> missing(
        const TangentRun& tangent, const MovedParameter& parameter) const {
        std::optional<MissingDerivativeAt> out;
        if (const auto& missing = tangent.missing())
            out = {parameter.name, missing->t, missing->event, missing->reason};
        for (const Grazing& g : grazings_) {
            if (out && out->t <= g.t) break;
            const NumberDerivatives of = tangent.row(g.row);
            const auto moves = of.of.find(g.column);
            if (moves == of.of.end() || std::abs(moves->second) < tolerance::still_event) continue;
            return MissingDerivativeAt{parameter.name, g.t, "grazing contact " + g.contact,
                                       "with other values it strikes, or passes at a distance"};
        }
        return out;
    }

    [[nodiscard]] Derivative derivative(const TangentRun& tangent,
                                        const std::optional<MissingDerivativeAt>& missing,
                                        const MovedParameter& parameter,
                                        const Linearisation& linear,
                                        const Response& response) const {
        Derivative out;
        const ResponseValue here = task_.run.response(response);
        if (!here.problem.empty()) return {NAN, NAN, NAN, here.problem};
        bool known = true;
        double worst = 0;
        const auto add = [&](const NumberDerivatives& of, const std::string& name, double weight) {
            const auto found = of.of.find(name);
            known = known && found != of.of.end() && std::isfinite(found->second);
            if (!known) return;
            worst = std::max(worst, of.error);
            out.value += weight * found->second;
            const auto apart = of.apart.find(name);
            out.error += std::abs(weight) * (std::abs(found->second) * of.error +
                                             (apart == of.apart.end() ? 0 : apart->second) +
                                             (name == "t" ? of.error_of_time : 0));
        };
        std::size_t row = SIZE_MAX;
        NumberDerivatives of_row;
        for (const auto& cell : linear.cells) {
            if (cell.row != row) of_row = tangent.row(row = cell.row);
            if (missing && rows_.row(row)[0] > missing->t) of_row.of.clear();
            add(of_row, rows_.columns[static_cast<std::size_t>(cell.column)].name, cell.weight);
        }
        for (const auto& e : linear.events) {
            const std::size_t of = e.number == "t" ? events_.timed[e.event] : events_.same[e.event];
            known = known && !(missing && task_.run.events()[e.event].t > missing->t);
            add(tangent.event(of), e.number, e.weight);
        }
        if (!known) {
            out = {NAN, NAN, NAN, "no derivative there"};
            if (missing)
                out.problem = fmt::format("does not exist: {} at t = {:.9g} s: {}", missing->event,
                                          missing->t, missing->reason);
            return out;
        }
        out.value /= parameter.scale;
        out.error /= parameter.scale;
        if (here.value != 0) out.error += std::abs(out.value * here.error / here.value);
        out.error += tolerance::value_rounding * std::abs(out.value);
        // Errors that have outgrown both the derivative and the response itself.
        if (worst > 0.1 &&
            out.error * parameter.scale >
                std::max(std::abs(out.value * parameter.scale), std::abs(here.value)))
            return {NAN, NAN, out.error,
                    fmt::format("not known: errors may have grown to {:.1e}", out.error)};
        return out;
    }

    void add_cells(const TangentRun& tangent, const MovedParameter& parameter,
                   SensitivityOfParameter& out) const {
        for (std::size_t row = 0; row < rows_.rows(); ++row) {
            NumberDerivatives of = tangent.row(row);
            if (out.missing && rows_.row(row)[0] > out.missing->t) of.of.clear();
            for (const Column& column : rows_.columns) {
                const auto found = of.of.find(column.name);
                out.cells.push_back(found == of.of.end() ? NAN : found->second / parameter.scale);
                out.is_zero = out.is_zero && !(out.cells.back() != 0);
            }
        }
    }

    const SensitivityTask& task_;
    const std::vector<Linearisation>& linear_;
    const RunCourse& course_;
    const Trajectory& rows_;
    std::vector<Grazing> grazings_;
    std::set<std::size_t> wanted_;
    CourseEvents events_;
};

// Of a parameter that is zero: what its range or its unit says is a usual change.
double scale_of(const ParameterInfo& p, double size) {
    if (p.value != 0) return std::abs(p.value);
    const double range = std::max(std::abs(p.min.value_or(0)), std::abs(p.max.value_or(0)));
    if (range > 0) return range;
    if (p.tolerance && *p.tolerance > 0) return *p.tolerance;
    return p.unit == "m" ? size : 1;
}

bool choose(const Model& model, const SensitivityOptions& options, Sensitivity& out,
            std::vector<MovedParameter>& moved, Diagnostics& problems) {
    problems.file = model.file();
    const std::vector<ParameterInfo> all = model.parameters();
    std::vector<std::string> names;
    for (const ParameterInfo& p : all) names.push_back(p.name);
    if (all.empty())
        problems.error({1, 1},
                       "the model has no parameters; name the numbers that may change in "
                       "the table [parameters]");
    double size = 1;
    for (const std::string& name : options.parameters.empty() ? names : options.parameters) {
        const auto p = std::find_if(all.begin(), all.end(),
                                    [&](const ParameterInfo& info) { return info.name == name; });
        if (p == all.end()) {
            if (!all.empty())
                problems.error({}, "no parameter '" + name + "'" + did_you_mean(name, names));
            continue;
        }
        moved.push_back({p->name, p->unit, p->value, scale_of(*p, size)});
        out.parameters.push_back({p->name, p->value, p->unit});
    }
    std::vector<Response> responses = model.responses();
    if (!options.responses.empty()) responses.clear();
    for (const std::string& text : options.responses)
        if (auto response = model.response(text, problems)) responses.push_back(*response);
    if (responses.empty() && !options.columns && !problems.has_errors())
        problems.error({1, 1},
                       "the model has no [response]; ask for one, as --of \"max:rod.omega\"");
    for (Response& r : responses) out.responses.push_back({std::move(r), {}});
    return !problems.has_errors();
}

void put_together(const SensitivityTask& task, std::vector<SensitivityOfParameter>& found,
                  Sensitivity& out) {
    for (std::size_t r = 0; r < out.responses.size(); ++r) {
        auto& row = out.derivatives.emplace_back();
        const double here = out.responses[r].value.value;
        for (std::size_t p = 0; p < found.size(); ++p) {
            Derivative& d = row.emplace_back(std::move(found[p].of[r]));
            d.relative = d.value * out.parameters[p].value / here;
            if (!std::isfinite(d.relative) || out.parameters[p].value == 0) d.relative = NAN;
        }
    }
    for (std::size_t p = 0; p < found.size(); ++p) {
        if (found[p].missing) out.missing.push_back(*found[p].missing);
        if (found[p].is_zero && !found[p].missing)
            out.notes.push_back("parameter '" + out.parameters[p].name +
                                "' changes nothing of what was asked for");
    }
    if (!task.columns) return;
    out.columns.push_back({"t", "s"});
    const auto& columns = task.run.columns();
    for (const auto& p : out.parameters)
        for (const Column& c : columns)
            out.columns.push_back({"d(" + c.name + ")/d(" + p.name + ")",
                                   p.unit.empty() ? c.unit : c.unit + " / (" + p.unit + ")"});
    for (std::size_t row = 0; row < task.run.rows(); ++row) {
        out.cells.push_back(task.run.values()[row * columns.size()]);
        for (const auto& of : found) {
            const auto first = of.cells.begin() + static_cast<std::ptrdiff_t>(row * columns.size());
            out.cells.insert(out.cells.end(), first,
                             first + static_cast<std::ptrdiff_t>(columns.size()));
        }
    }
}

}  // namespace

Values MovedParameter::at(double part) const {
    return {{name, fmt::format("{}{}{}", value + part * scale, unit.empty() ? "" : " ", unit)}};
}

std::optional<Sensitivity> Model::sensitivity(const SensitivityOptions& options,
                                              Diagnostics& problems) const {
    Sensitivity out;
    std::vector<MovedParameter> moved;
    if (!choose(*this, options, out, moved, problems)) return std::nullopt;
    RunCourse course;
    const bool along_the_run = is_dynamic(*this) && !options.differences;
    const Result run = along_the_run ? dynamics({}, &course) : analyse();
    if (!run.is_complete()) {
        if (run.problems().has_errors())
            problems.add(run.problems());
        else
            problems.error({}, "the model cannot be run: " + run.message());
        return std::nullopt;
    }
    SensitivityTask task{*this, *data_, run, {}, options.columns};
    std::vector<Linearisation> linear;
    for (auto& r : out.responses) {
        r.value = run.response(r.response, &linear.emplace_back());
        task.responses.push_back(r.response);
        if (!r.value.problem.empty())
            problems.error({}, "response '" + r.response.name + "': " + r.value.problem);
    }
    if (problems.has_errors()) return std::nullopt;
    if (!along_the_run || !course.problem.empty() || course.entries.empty())
        out.method = SensitivityMethod::differences_of_runs;
    if (along_the_run && out.method == SensitivityMethod::differences_of_runs)
        out.notes.push_back(
            (course.problem.empty() ? "time steps are not differentiated" : course.problem) +
            ": differences of whole runs, no better than their tolerances");
    for (const MovedParameter& parameter : moved) {
        Diagnostics ignored;
        Values values = data_->overrides;
        std::erase_if(values, [&](const auto& old) { return old.first == parameter.name; });
        values.push_back(parameter.at(Neighbours::farthest).front());
        const auto near = read_model(*data_, values, ignored);
        if (near && (near->run.end != data_->run.end || near->run.step != data_->run.step))
            out.notes.push_back("the run's end or step depends on '" + parameter.name +
                                "'; here they stay as they are");
    }
    std::vector<SensitivityOfParameter> found(moved.size());
    std::optional<AlongTheRun> along;
    Trajectory rows;
    rows.columns = run.columns();
    for (std::size_t row = 0; row < run.rows(); ++row)
        rows.add(run.values().subspan(row * rows.columns.size(), rows.columns.size()));
    if (out.method == SensitivityMethod::along_the_run) along.emplace(task, linear, course, rows);
    for_all(moved.size(), options.threads, [&](std::size_t p) {
        found[p] = along ? (*along)(moved[p]) : by_differences(task, moved[p]);
    });
    put_together(task, found, out);
    return out;
}

}  // namespace pawl
