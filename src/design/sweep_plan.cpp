// What a sweep varies and reads: the texts taken apart, and the values of each run.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "design/sweep.h"
#include "math/characters.h"
#include "math/units.h"

namespace pawl {

namespace {

constexpr long max_runs = 100'000'000;

std::vector<std::string> parts_of(std::string_view text, char mark) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(mark, at), text.size());
        std::string_view part = text.substr(at, end - at);
        while (part.starts_with(' ')) part.remove_prefix(1);
        while (part.ends_with(' ')) part.remove_suffix(1);
        out.emplace_back(part);
        at = end + 1;
    }
    return out;
}

struct Quantity {
    double value = 0;
    std::string unit;
};

// A number with or without a unit; nothing for anything else.
std::optional<Quantity> quantity_of(const std::string& text) {
    Quantity out;
    const char* end = text.data() + text.size();
    const auto [rest, error] = read_number(text.data(), end, out.value);
    if (error != std::errc() || !std::isfinite(out.value)) return std::nullopt;
    out.unit = parts_of({rest, static_cast<std::size_t>(end - rest)}, '\n')[0];
    if (!out.unit.empty() && !parse_unit(out.unit)) return std::nullopt;
    return out;
}

std::string text_of(double value, const std::string& unit) {
    return fmt::format("{}", value) + (unit.empty() ? "" : " " + unit);
}

// "100:200:11 N/m": the unit may stand with either number or behind the count.
bool read_range(const std::vector<std::string>& parts, SweepVariable& variable, long& count,
                std::string& problem) {
    const auto from = quantity_of(parts[0]), to = quantity_of(parts[1]);
    const auto number = parts.size() > 2 ? quantity_of(parts[2]) : Quantity{0, ""};
    if (!from || !to || !number) {
        problem = "expected FROM:TO:COUNT, as 100:200:11 N/m";
        return false;
    }
    for (const Quantity& q : {*from, *to, *number})
        if (variable.unit.empty()) variable.unit = q.unit;
    const auto in_unit = [&](const Quantity& q, double& value) {
        value = q.value;
        if (q.unit.empty() || q.unit == variable.unit) return true;
        const Unit a = *parse_unit(q.unit), b = *parse_unit(variable.unit);
        value = q.value * a.factor / b.factor;
        return compatible(a.dimension, b.dimension);
    };
    if (!in_unit(*from, variable.from) || !in_unit(*to, variable.to)) {
        problem = "the units '" + from->unit + "' and '" + to->unit + "' do not fit";
        return false;
    }
    count = std::lround(number->value);
    if (parts.size() > 2 &&
        (number->value != static_cast<double>(count) || count < 1 || count > max_runs)) {
        problem = "'" + parts[2] + "' is not a number of values";
        return false;
    }
    return true;
}

// "t@impact:C#1:41..60" is twenty responses. The text itself where there is no such end.
std::vector<std::string> expanded(const std::string& text) {
    const auto colon = text.rfind(':');
    const auto dots = text.find("..", colon == std::string::npos ? 0 : colon);
    if (colon == std::string::npos || dots == std::string::npos) return {text};
    int first = 0, last = 0;
    const auto whole = [&](std::size_t begin, std::size_t end, int& value) {
        const auto [rest, error] = read_number(text.data() + begin, text.data() + end, value);
        return error == std::errc() && rest == text.data() + end;
    };
    constexpr int max_numbers = 1000;
    if (!whole(colon + 1, dots, first) || !whole(dots + 2, text.size(), last) || first > last ||
        last - first >= max_numbers)
        return {text};
    std::vector<std::string> out;
    for (int i = first; i <= last; ++i)
        out.push_back(text.substr(0, colon + 1) + std::to_string(i));
    return out;
}

}  // namespace

std::optional<double> number_of(const SweepVariable& variable, const std::string& value) {
    const auto quantity = variable.is_number ? quantity_of(value) : std::nullopt;
    return quantity ? std::optional(quantity->value) : std::nullopt;
}

bool SweepPlan::add_variable(const Model& model, const std::string& text, Diagnostics& problems) {
    const Span span = settings_.span;
    const auto fail = [&](const std::string& why) {
        problems.error(span, "vary '" + text + "': " + why);
        return false;
    };
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        return fail("expected NAME=FROM:TO:COUNT or NAME=VALUE,VALUE,...");
    SweepVariable variable;
    variable.name = parts_of(text.substr(0, equals), '\n')[0];
    for (const SweepVariable& other : variables_)
        if (other.name == variable.name) return fail("it varies twice");
    if (variable.name.find('.') == std::string::npos) {
        std::vector<std::string> names;
        for (const ParameterInfo& p : model.parameters()) names.push_back(p.name);
        if (std::find(names.begin(), names.end(), variable.name) == names.end())
            return fail("the model has no parameter '" + variable.name + "'" +
                        did_you_mean(variable.name, names));
    }
    const auto parts = parts_of(text.substr(equals + 1), ':');
    if (parts.size() > 3) return fail("expected FROM:TO:COUNT");
    if (parts.size() == 1) {
        variable.values = parts_of(parts[0], ',');
        for (const std::string& value : variable.values) {
            const auto q = quantity_of(value);
            if (value.empty()) return fail("a value of the list is empty");
            if (q && &value == &variable.values.front()) variable.unit = q->unit;
            variable.is_number = variable.is_number && q && q->unit == variable.unit;
        }
        variables_.push_back(std::move(variable));
        return true;
    }
    long count = 0;
    std::string problem;
    if (!read_range(parts, variable, count, problem)) return fail(problem);
    if (settings_.method == SweepMethod::grid && count == 0)
        return fail("a grid needs the number of values: FROM:TO:COUNT");
    if (settings_.method == SweepMethod::grid)
        for (long i = 0; i < count; ++i)
            variable.values.push_back(text_of(
                count == 1
                    ? variable.from
                    : variable.from + (variable.to - variable.from) * static_cast<double>(i) /
                                          static_cast<double>(count - 1),
                variable.unit));
    variables_.push_back(std::move(variable));
    return true;
}

bool SweepPlan::add_responses(const Model& model, Diagnostics& problems) {
    if (settings_.responses.empty()) responses_ = model.responses();
    for (const std::string& text : settings_.responses)
        for (const std::string& one : expanded(text)) {
            auto response = model.response(one, problems);
            if (!response) return false;
            responses_.push_back(std::move(*response));
        }
    for (std::size_t i = 0; i < responses_.size(); ++i) {
        const auto is_it = [&](const auto& other) { return other.name == responses_[i].name; };
        if (std::any_of(responses_.begin(), responses_.begin() + static_cast<std::ptrdiff_t>(i),
                        is_it) ||
            std::any_of(variables_.begin(), variables_.end(), is_it)) {
            problems.error(responses_[i].span, "response '" + responses_[i].name +
                                                   "': another one, or a value that varies, has "
                                                   "the same name");
            return false;
        }
    }
    if (!responses_.empty()) return true;
    problems.error(settings_.span,
                   "no response: the model has no table [response.NAME], and none was named with "
                   "--of");
    return false;
}

bool SweepPlan::count_runs(Diagnostics& problems) {
    const bool is_grid = settings_.method == SweepMethod::grid;
    double count = is_grid ? 1 : static_cast<double>(settings_.runs);
    if (is_grid)
        for (const SweepVariable& v : variables_) count *= static_cast<double>(v.values.size());
    const std::string method(value_name(settings_.method));
    if (count < 1 || count > static_cast<double>(max_runs)) {
        problems.error(settings_.span,
                       count < 1
                           ? "method " + method + " needs a number of runs"
                           : fmt::format("a sweep of {:.3g} runs is too large; the maximum is {}",
                                         count, max_runs));
        return false;
    }
    runs_ = static_cast<long>(count);
    if (settings_.method == SweepMethod::sobol && variables_.size() > max_sobol_dimensions) {
        problems.error(settings_.span,
                       fmt::format("method sobol can vary {} values, not {}; use latin_hypercube",
                                   max_sobol_dimensions, variables_.size()));
        return false;
    }
    if (!is_grid)
        sampler_ = std::make_shared<const UnitSampler>(
            settings_.method, static_cast<int>(variables_.size()), runs_, settings_.seed);
    return true;
}

bool can_do_without_reactions(Model model, std::span<const Response> responses,
                              const Progress& progress) {
    model.reactions = false;
    const Result result = model.analyse(progress);
    return std::all_of(responses.begin(), responses.end(), [&](const Response& response) {
        return !result.response(response).problem.starts_with("no column");
    });
}

// On the model as it is: columns that no run has are found before the first, and so are the units.
bool SweepPlan::try_responses(const Model& model, Diagnostics& problems, const Progress& progress) {
    const Result nominal = model.analyse(progress);
    for (Response& response : responses_) {
        const ResponseValue value = nominal.response(response);
        if (response.unit.empty()) response.unit = value.unit;
        if (value.problem.starts_with("no column") || value.problem.starts_with("the unit")) {
            problems.error(response.span, "response '" + response.name + "': " + value.problem);
            return false;
        }
    }
    needs_reactions_ = !can_do_without_reactions(model, responses_, progress);
    return true;
}

std::optional<SweepPlan> SweepPlan::read(const Model& model, const SweepSettings& settings,
                                         Diagnostics& problems, const Progress& progress) {
    problems.file = model.file();
    SweepPlan plan;
    plan.settings_ = settings;
    if (settings.vary.empty())
        problems.error(settings.span,
                       "nothing varies: give NAME=FROM:TO:COUNT, in [sweep] vary or with --vary");
    for (const std::string& text : settings.vary)
        if (!plan.add_variable(model, text, problems)) return std::nullopt;
    if (problems.has_errors() || !plan.add_responses(model, problems) || !plan.count_runs(problems))
        return std::nullopt;
    // Names and units of the first run, before all others are begun.
    if (!model.with(plan.values_of(0), problems) || !plan.try_responses(model, problems, progress))
        return std::nullopt;
    return plan;
}

SweepPlan SweepPlan::of_points(std::vector<SweepVariable> variables,
                               std::vector<Response> responses,
                               std::vector<std::vector<double>> points, bool needs_reactions) {
    SweepPlan plan;
    plan.needs_reactions_ = needs_reactions;
    plan.variables_ = std::move(variables);
    plan.responses_ = std::move(responses);
    plan.points_ = std::move(points);
    plan.runs_ = static_cast<long>(plan.points_.size());
    return plan;
}

std::string SweepPlan::value_of(const SweepVariable& variable, long run, int index) const {
    if (!points_.empty())
        return text_of(points_[static_cast<std::size_t>(run)][static_cast<std::size_t>(index)],
                       variable.unit);
    if (!sampler_) {
        long remainder = run;  // the last variable changes first
        for (std::size_t i = variables_.size(); --i > static_cast<std::size_t>(index);)
            remainder /= static_cast<long>(variables_[i].values.size());
        return variable.values[static_cast<std::size_t>(remainder %
                                                        static_cast<long>(variable.values.size()))];
    }
    const double u = (*sampler_)(run, index);
    if (variable.values.empty())
        return text_of(variable.from + u * (variable.to - variable.from), variable.unit);
    return variable
        .values[static_cast<std::size_t>(u * static_cast<double>(variable.values.size()))];
}

Values SweepPlan::values_of(long run) const {
    Values out;
    for (std::size_t i = 0; i < variables_.size(); ++i)
        out.emplace_back(variables_[i].name, value_of(variables_[i], run, static_cast<int>(i)));
    return out;
}

}  // namespace pawl
