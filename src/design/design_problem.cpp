#include "design/design_problem.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "math/parallel.h"
#include "math/tolerances/outside.h"
#include "math/units.h"
#include "model_file/text/model_text.h"

namespace pawl {

namespace {

// Differences reach this part of a variable's range: runs are smooth to their tolerance of 1e-9 or
// so, which leaves six digits of a derivative.
constexpr double difference_step = 2e-3;

std::string written(double value, const std::string& unit) {
    return fmt::format("{}{}{}", value, unit.empty() ? "" : " ", unit);
}

// A derivative by two steps, the second half the first, and how much the two differ. Where a bound
// is nearer than the step, the points are taken on the other side of it.
struct Stencil {
    std::vector<double> at, weight, coarse;  // points, weights, and those of the longer step alone

    Stencil(double x, double h) {
        if (x - h < 0 || x + h > 1) {
            const double s = x - h < 0 ? h : -h;
            at = {0, s / 4, s / 2, s};
            // f' at 0 of the cubic through 0, s/4, s/2, s; and of the parabola through 0, s/2, s.
            weight = {-7 / s, 32 / (3 * s), -4 / s, 1 / (3 * s)};
            coarse = {-3 / s, 0, 4 / s, -1 / s};
        } else {
            at = {-h, -h / 2, h / 2, h};
            weight = {1 / (6 * h), -4 / (3 * h), 4 / (3 * h), -1 / (6 * h)};
            coarse = {-1 / (2 * h), 0, 0, 1 / (2 * h)};
        }
    }
};

}  // namespace

std::optional<DesignProblem> DesignProblem::read(const Model& model, Diagnostics& problems) {
    problems.file = model.file();
    if (!model.design()) {
        problems.error({1, 1},
                       "the model has no table [design]; add one with variables and an objective, "
                       "e.g. variables = [\"stiffness\"], minimise = \"max:motor.force\"");
        return std::nullopt;
    }
    DesignProblem problem(model, *model.design());
    if (!problem.add_variables(problems) || !problem.scale(problems)) return std::nullopt;
    return problem;
}

bool DesignProblem::add_variables(Diagnostics& problems) {
    const std::vector<ParameterInfo> parameters = model_.parameters();
    for (const DesignVariable& wanted : settings_.variables) {
        const auto found =
            std::find_if(parameters.begin(), parameters.end(),
                         [&](const ParameterInfo& p) { return p.name == wanted.name; });
        const ParameterInfo p = found->as_written();
        const double factor = parse_unit(p.unit).value_or(Unit{}).factor;
        Variable v{p.name, p.unit, *p.min, *p.max, p.value, factor, wanted.span};
        if (v.start < v.min || v.start > v.max) {
            problems.warning(v.span, "the start of '" + v.name + "' is moved into its bounds");
            v.start = std::clamp(v.start, v.min, v.max);
        }
        variables_.push_back(std::move(v));
    }
    return !problems.has_errors();
}

// Runs the start and takes units and scales from it.
bool DesignProblem::scale(Diagnostics& problems) {
    Diagnostics ignored;
    const auto changed = model_.with(values(start()), ignored);
    const Result result = changed->analyse();
    if (!result.is_complete()) {
        if (result.problems().has_errors()) problems.add(result.problems());
        problems.error(settings_.span,
                       "the design cannot be run with its start values: " + result.message());
        return false;
    }
    if (settings_.objective) {
        const ResponseValue v = result.response(*settings_.objective);
        if (!v.problem.empty())
            problems.error(settings_.span, "the objective '" + settings_.objective->text +
                                               "' has no value at the start: " + v.problem);
        objective_unit_ = v.unit;
        objective_scale_ = std::max(std::abs(v.value), tolerance::smallest_scale);
    }
    for (const DesignConstraint& wanted : settings_.constraints) {
        const ResponseValue v = result.response(wanted.response);
        if (!v.problem.empty()) {
            problems.error(wanted.span,
                           "'" + wanted.text + "' has no value at the start: " + v.problem);
            continue;
        }
        Constraint c;
        c.text = wanted.text;
        c.unit = v.unit;
        c.response = wanted.response;
        c.is_equality = wanted.kind == DesignConstraint::Kind::equal;
        c.sign = wanted.kind == DesignConstraint::Kind::at_least ? -1 : 1;
        if (wanted.dimension) {
            const Unit unit = parse_unit(v.unit).value_or(Unit{});
            if (!compatible(*wanted.dimension, unit.dimension))
                problems.error(wanted.span, "'" + wanted.text + "': the response is in " + v.unit +
                                                ", the bound is " + describe(*wanted.dimension));
            c.factor = unit.factor;
        }
        const double bound = wanted.bound / c.factor;
        c.scale = std::max({std::abs(bound), 1e-3 * std::abs(v.value), tolerance::smallest_scale});
        if (bound == 0) c.scale = std::max(std::abs(v.value), tolerance::smallest_scale);
        constraints_.push_back(std::move(c));
    }
    return !problems.has_errors();
}

std::vector<double> DesignProblem::start() const {
    std::vector<double> x;
    for (const Variable& v : variables_) x.push_back(v.scaled(v.start));
    return x;
}

Values DesignProblem::values(const std::vector<double>& x) const {
    Values out;
    for (std::size_t i = 0; i < variables_.size(); ++i)
        out.emplace_back(variables_[i].name,
                         written(variables_[i].value(x[i]), variables_[i].unit));
    return out;
}

std::string DesignProblem::model_text(const std::vector<double>& x, Diagnostics& problems) const {
    ModelText text(model_.text());
    for (const auto& [name, value] : values(x)) text.set("parameters." + name, value, problems);
    return text.text();
}

DesignRun DesignProblem::run(const std::vector<double>& x) const {
    DesignRun out;
    Diagnostics problems;
    const auto changed = model_.with(values(x), problems);
    if (!changed) {
        out.message = problems.text();
        return out;
    }
    const Result result = changed->analyse();
    if (!result.is_complete()) {
        out.message = result.message();
        return out;
    }
    if (settings_.objective) {
        const ResponseValue v = result.response(*settings_.objective);
        out.message = v.problem;
        out.objective = (settings_.maximise ? -v.value : v.value) / objective_scale_;
    } else {  // the smallest change, in parts of the ranges
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double change = x[i] - variables_[i].scaled(variables_[i].start);
            out.objective += 0.5 * change * change;
        }
    }
    // Bounds may be expressions of the variables: the changed model has their values.
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
        const Constraint& c = constraints_[i];
        const ResponseValue v = result.response(c.response);
        if (!v.problem.empty()) out.message = c.text + ": " + v.problem;
        const double bound = changed->design()->constraints[i].bound / c.factor;
        out.responses.push_back(v.value);
        out.constraints.push_back(c.sign * (v.value - bound) / c.scale);
    }
    out.valid = out.message.empty() && std::isfinite(out.objective);
    return out;
}

DesignGradient DesignProblem::gradient(const std::vector<double>& x, int threads) const {
    if (DesignGradient along = along_the_run(x, threads); along.valid) return along;
    return by_differences(x, threads);
}

// Nothing where the run is not dynamic, or where a derivative does not exist.
DesignGradient DesignProblem::along_the_run(const std::vector<double>& x, int threads) const {
    DesignGradient out;
    Diagnostics problems;
    const auto here = model_.with(values(x), problems);
    if (!here || here->run.analysis != Analysis::dynamics) return out;
    SensitivityOptions options;
    options.threads = threads;
    for (const Variable& v : variables_) options.parameters.push_back(v.name);
    const auto ask = [&](const Response& response) {
        const auto& own = model_.responses();
        const bool is_own = std::any_of(own.begin(), own.end(),
                                        [&](const Response& r) { return r.name == response.name; });
        options.responses.push_back(is_own ? response.name : response.text);
    };
    if (settings_.objective) ask(*settings_.objective);
    for (const Constraint& c : constraints_) ask(c.response);
    if (options.responses.empty()) return out;
    const auto found = here->sensitivity(options, problems);
    if (!found || found->method != SensitivityMethod::along_the_run) return out;
    const std::size_t n = x.size(), first = settings_.objective ? 1 : 0;
    out.objective.assign(n, 0);
    out.constraints.assign(constraints_.size(), std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i) {
        // Sensitivities are by SI values.
        const double range = variables_[i].si_range();
        for (const auto& row : found->derivatives)
            if (!std::isfinite(row[i].value)) return out;
        out.objective[i] = settings_.objective
                               ? found->derivatives[0][i].value * range / objective_scale_ *
                                     (settings_.maximise ? -1 : 1)
                               : x[i] - variables_[i].scaled(variables_[i].start);
        for (std::size_t c = 0; c < constraints_.size(); ++c)
            out.constraints[c][i] =
                constraints_[c].sign / constraints_[c].scale *
                (found->derivatives[first + c][i].value * range - slope_of_bound(x, c, i));
        for (const auto& row : out.constraints)
            if (!std::isfinite(row[i])) return out;
        for (const auto& row : found->derivatives)
            if (row[i].value != 0)
                out.error = std::max(out.error, std::abs(row[i].error / row[i].value));
    }
    out.source = GradientSource::exact;
    out.valid = true;
    return out;
}

// A bound may be an expression of the variables: no run is needed to difference it.
double DesignProblem::slope_of_bound(const std::vector<double>& x, std::size_t constraint,
                                     std::size_t variable) const {
    constexpr double h = 1e-5;
    double at[2] = {};
    for (const int side : {0, 1}) {
        std::vector<double> moved = x;
        moved[variable] += side == 0 ? -h : h;
        Diagnostics problems;
        const auto model = model_.with(values(moved), problems);
        if (!model) return NAN;
        at[side] = model->design()->constraints[constraint].bound;
    }
    return (at[1] - at[0]) / (2 * h) / constraints_[constraint].factor;
}

DesignGradient DesignProblem::by_differences(const std::vector<double>& x, int threads) const {
    const std::size_t n = x.size();
    std::vector<Stencil> stencils;
    for (const double v : x) stencils.emplace_back(v, difference_step);
    std::vector<DesignRun> runs(4 * n);
    for_all(runs.size(), threads, [&](std::size_t k) {
        std::vector<double> moved = x;
        moved[k / 4] += stencils[k / 4].at[k % 4];
        runs[k] = run(moved);
    });
    DesignGradient out;
    out.objective.assign(n, 0);
    out.constraints.assign(constraints_.size(), std::vector<double>(n, 0));
    double largest = 0;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        if (!runs[k].valid) {
            out.message = "a neighbour of the design has no value: " + runs[k].message;
            return out;
        }
        // Weights sum up to zero: what does not change has no derivative, to the last bit.
        const double weight = stencils[k / 4].weight[k % 4];
        const DesignRun& base = runs[k / 4 * 4];
        out.objective[k / 4] += weight * (runs[k].objective - base.objective);
        for (std::size_t c = 0; c < constraints_.size(); ++c)
            out.constraints[c][k / 4] += weight * (runs[k].constraints[c] - base.constraints[c]);
    }
    for (std::size_t i = 0; i < n; ++i) {
        double coarse = 0;
        for (std::size_t k = 0; k < 4; ++k)
            coarse += stencils[i].coarse[k] * runs[4 * i + k].objective;
        out.error = std::max(out.error, std::abs(coarse - out.objective[i]));
        largest = std::max(largest, std::abs(out.objective[i]));
    }
    out.error = largest > 0 ? out.error / largest : 0;
    out.valid = true;
    return out;
}

}  // namespace pawl
