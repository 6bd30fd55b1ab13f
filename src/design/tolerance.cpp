#include "design/tolerance.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace pawl {

namespace {

// Of the tolerance: runs so far from the nominal value show whether the events stay the same, and
// give the slopes that have no derivative.
constexpr double difference_part = 0.05;
// Parameters whose corners are all visited, 2^8 runs; of more only those that the slopes point to.
constexpr std::size_t max_corner_dimensions = 8;

// All runs of a study as points, in this order: the nominal one, Monte Carlo, two for each slope,
// the corners.
class StudyRuns {
public:
    StudyRuns(const Model& model, const ToleranceOptions& options, ToleranceStudy& study)
        : model_(model), options_(options), study_(study) {}

    void take() {
        add_sample();
        for (std::size_t p = 0; p < count(); ++p)
            for (const double side : {-1.0, 1.0}) {
                auto& point = points_.emplace_back(nominal());
                point[p] += side * difference_part * study_.parameters[p].tolerance;
            }
        if (count() <= max_corner_dimensions)
            for (std::size_t corner = 0; corner < std::size_t{1} << count(); ++corner)
                add_corner([&](std::size_t p) { return (corner >> p & 1U) != 0; });
        run();
        if (count() > max_corner_dimensions && study_.is_complete) add_pointed_corners();
    }

    [[nodiscard]] const SweepRow& difference(std::size_t p, int side) const {
        return rows_[static_cast<std::size_t>(options_.runs) + 1 + 2 * p +
                     static_cast<std::size_t>(side)];
    }
    [[nodiscard]] std::span<const SweepRow> corners() const {
        return std::span(rows_).subspan(static_cast<std::size_t>(options_.runs) + 1 + 2 * count());
    }
    [[nodiscard]] std::span<const SweepRow> sample() const {
        return std::span(rows_).subspan(1, static_cast<std::size_t>(options_.runs));
    }
    [[nodiscard]] const SweepRow& nominal_row() const { return rows_[0]; }
    [[nodiscard]] double value(const SweepRow& row, std::size_t p) const {
        return points_[static_cast<std::size_t>(row.run)][p];
    }
    [[nodiscard]] double slope(std::size_t response, std::size_t p) const {
        const double step = 2 * difference_part * study_.parameters[p].tolerance;
        if (step == 0) return 0;
        return (difference(p, 1).responses[response] - difference(p, 0).responses[response]) / step;
    }

private:
    [[nodiscard]] std::size_t count() const { return study_.parameters.size(); }
    [[nodiscard]] std::vector<double> nominal() const {
        std::vector<double> out;
        for (const ToleranceParameter& p : study_.parameters) out.push_back(p.nominal);
        return out;
    }
    void add_sample() {
        points_.push_back(nominal());
        const UnitSampler sampler(SweepMethod::random, static_cast<int>(count()), options_.runs,
                                  options_.seed);
        for (long run = 0; run < options_.runs; ++run) {
            auto& point = points_.emplace_back(nominal());
            for (std::size_t p = 0; p < count(); ++p)
                point[p] +=
                    study_.parameters[p].tolerance *
                    quantile(study_.parameters[p].distribution, sampler(run, static_cast<int>(p)));
        }
    }
    template <class Upper>
    void add_corner(const Upper& is_upper) {
        auto& point = points_.emplace_back(nominal());
        for (std::size_t p = 0; p < count(); ++p)
            point[p] += (is_upper(p) ? 1 : -1) * study_.parameters[p].tolerance;
    }
    void add_pointed_corners() {
        for (std::size_t r = 0; r < study_.responses.size(); ++r)
            for (const bool upper : {false, true})
                add_corner([&](std::size_t p) { return (slope(r, p) > 0) == upper; });
        study_.notes.push_back(
            fmt::format("worst case: of the 2^{} corners of the tolerances, two per response are "
                        "run, chosen by the signs of the slopes",
                        count()));
        run();
    }
    // Those that have no row yet.
    void run() {
        std::vector<SweepVariable> variables;
        for (const ToleranceParameter& p : study_.parameters)
            variables.push_back({p.name, {}, p.nominal, p.nominal, p.unit, true});
        std::vector<Response> responses;
        for (const ToleranceOfResponse& r : study_.responses) responses.push_back(r.response);
        const bool needs_reactions = !can_do_without_reactions(model_, responses);
        study_.plan = SweepPlan::of_points(std::move(variables), std::move(responses), points_,
                                           needs_reactions);
        std::vector<long> missing;
        for (std::size_t i = rows_.size(); i < points_.size(); ++i)
            missing.push_back(static_cast<long>(i));
        rows_.resize(points_.size());
        long done = study_.plan.runs() - static_cast<long>(missing.size());
        study_.is_complete = true;
        run_sweep(model_, study_.plan, missing, options_.threads, [&](std::span<SweepRow> rows) {
            done += static_cast<long>(rows.size());
            for (SweepRow& row : rows) rows_[static_cast<std::size_t>(row.run)] = std::move(row);
            if (!options_.progress || options_.progress(done, study_.plan.runs())) return true;
            study_.is_complete = false;
            return false;
        });
    }

    const Model& model_;
    const ToleranceOptions& options_;
    ToleranceStudy& study_;
    std::vector<std::vector<double>> points_;
    std::vector<SweepRow> rows_;

public:
    [[nodiscard]] std::vector<SweepRow> take_sample() {
        rows_.resize(static_cast<std::size_t>(options_.runs) + 1);
        return std::move(rows_);
    }
};

// Squared correlations: for independent parameters, their shares of the variance. What is missing
// to 1 is due to nonlinearity or interaction.
double sampled_share(const StudyRuns& runs, std::size_t response, std::size_t p) {
    Spread x, y;
    for (const SweepRow& row : runs.sample())
        if (std::isfinite(row.responses[response])) {
            x.see(runs.value(row, p));
            y.see(row.responses[response]);
        }
    double sum = 0;
    for (const SweepRow& row : runs.sample())
        if (std::isfinite(row.responses[response]))
            sum += (runs.value(row, p) - x.mean()) * (row.responses[response] - y.mean());
    const double scale = static_cast<double>(x.count - 1) * x.deviation() * y.deviation();
    return x.count > 2 && scale > 0 ? (sum / scale) * (sum / scale) : 0;
}

// The derivatives of the nominal run; where there is none, the slope of runs to either side.
void find_slopes(const Model& model, const ToleranceOptions& options, const StudyRuns& runs,
                 ToleranceStudy& study) {
    SensitivityOptions of;
    of.responses = options.responses;
    of.threads = options.threads;
    std::vector<double> units;  // of the parameters as they are written, in SI
    for (const ToleranceParameter& p : study.parameters) of.parameters.push_back(p.name);
    for (const ParameterInfo& p : model.parameters())
        if (p.tolerance && *p.tolerance > 0) units.push_back(*p.tolerance);
    Diagnostics problems;
    const auto found = model.sensitivity(of, problems);
    if (found) study.slopes = found->method;
    for (std::size_t r = 0; r < study.responses.size(); ++r)
        for (std::size_t p = 0; p < study.parameters.size(); ++p) {
            const std::string problem = found ? found->derivatives[r][p].problem : problems.text();
            const std::string& name = study.parameters[p].name;
            ToleranceEffect& effect = study.responses[r].effects.emplace_back();
            effect.by_differences = !problem.empty();
            effect.slope = problem.empty() ? found->derivatives[r][p].value * units[p] /
                                                 study.parameters[p].tolerance
                                           : runs.slope(r, p);
            if (!problem.empty())
                study.notes.push_back(fmt::format(
                    "derivative of {} by {}: {}; its slope is from runs {:g} % of the "
                    "tolerance to either side",
                    study.responses[r].response.name, name, problem, 100 * difference_part));
        }
}

void find_linear(const StudyRuns& runs, std::size_t r, ToleranceStudy& study) {
    ToleranceOfResponse& out = study.responses[r];
    double variance = 0;
    for (std::size_t p = 0; p < study.parameters.size(); ++p) {
        const ToleranceParameter& parameter = study.parameters[p];
        ToleranceEffect& effect = out.effects[p];
        const double part = effect.slope * parameter.tolerance;
        out.linear_width += std::abs(part);
        const double deviation = part * standard_deviation(parameter.distribution);
        effect.share = deviation * deviation;
        variance += effect.share;
        effect.sampled_share = sampled_share(runs, r, p);
    }
    for (ToleranceEffect& effect : out.effects) effect.share /= variance > 0 ? variance : 1;
    out.linear_deviation = std::sqrt(variance);
}

void find_sample(const StudyRuns& runs, std::size_t r, ToleranceStudy& study) {
    ToleranceOfResponse& out = study.responses[r];
    std::vector<double> values;
    for (const SweepRow& row : runs.sample()) {
        const double value = row.responses[r];
        if (!std::isfinite(value)) continue;
        out.sample.see(value);
        values.push_back(value);
        out.good += !(value < out.response.min.value_or(-INFINITY) ||
                      value > out.response.max.value_or(INFINITY));
    }
    std::sort(values.begin(), values.end());
    constexpr double outside = 0.00135;  // three standard deviations of a normal distribution
    const auto at = [&](double share) -> double {
        if (values.empty()) return NAN;
        const double position = share * static_cast<double>(values.size() - 1);
        const auto i = static_cast<std::size_t>(position);
        const double next = values[std::min(i + 1, values.size() - 1)];
        return values[i] + (position - static_cast<double>(i)) * (next - values[i]);
    };
    out.low = at(outside);
    out.high = at(1 - outside);
    out.worst_low = INFINITY;
    out.worst_high = -INFINITY;
    for (const SweepRow& row : runs.corners())
        if (std::isfinite(row.responses[r])) {
            out.worst_low = std::min(out.worst_low, row.responses[r]);
            out.worst_high = std::max(out.worst_high, row.responses[r]);
        }
}

// The deviation of a sample of n differs by a part of 1/sqrt(2 n) from the true one, of heavier
// tails by more: four times that is not chance. A twentieth is left to the curvature.
void judge_linear(ToleranceOfResponse& r, std::size_t sequences) {
    const double sampled = r.sample.deviation();
    const double chance = 4 / std::sqrt(2.0 * static_cast<double>(std::max(r.sample.count, 1L)));
    if (!std::isfinite(r.linear_deviation)) {
        r.disagreement = "there are no slopes: a run next to the nominal values has no value";
        return;
    }
    if (!(std::abs(sampled - r.linear_deviation) > (chance + 0.05) * r.linear_deviation)) return;
    r.disagreement = fmt::format(
        "the standard deviation of the sample is {:.3g} times the one from the slopes: {}",
        sampled / r.linear_deviation,
        sequences > 1 ? fmt::format("the runs follow {} sequences of events, and the slopes hold "
                                    "only for that of the nominal run",
                                    sequences)
                      : "the response is not linear within the tolerances");
}

void find_sequences(const StudyRuns& runs, ToleranceStudy& study) {
    std::map<std::pair<std::string, std::string>, std::size_t> known;
    for (const SweepRow& row : runs.sample()) {
        const auto [found, is_new] =
            known.try_emplace({row.status, row.events}, study.sequences.size());
        if (is_new)
            study.sequences.push_back(
                {row.status, row.events, 0, row.run, study.plan.values_of(row.run)});
        ++study.sequences[found->second].count;
    }
    std::stable_sort(study.sequences.begin(), study.sequences.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    for (const SweepRow& row : runs.sample()) {
        bool good = row.status == "completed";
        for (std::size_t r = 0; r < study.responses.size(); ++r) {
            const Response& response = study.responses[r].response;
            if (!response.min && !response.max) continue;
            study.has_limits = true;
            good = good && row.responses[r] >= response.min.value_or(-INFINITY) &&
                   row.responses[r] <= response.max.value_or(INFINITY);
        }
        study.good += good;
    }
}

void note_changed_sequences(const StudyRuns& runs, ToleranceStudy& study) {
    for (std::size_t p = 0; p < study.parameters.size(); ++p)
        for (const int side : {0, 1})
            if (runs.difference(p, side).events != runs.nominal_row().events) {
                study.notes.push_back(
                    fmt::format("{} changes the sequence of events even within {:g} % of its "
                                "tolerance: its slopes are not meaningful",
                                study.parameters[p].name, 100 * difference_part));
                break;
            }
}

bool begin(const Model& model, const ToleranceOptions& options, ToleranceStudy& study,
           Diagnostics& problems) {
    problems.file = model.file();
    for (const ParameterInfo& parameter : model.parameters()) {
        const ParameterInfo p = parameter.as_written();
        if (p.tolerance && *p.tolerance > 0)
            study.parameters.push_back({p.name, p.unit, p.value, *p.tolerance, p.distribution});
    }
    if (study.parameters.empty())
        problems.error({},
                       "no parameter has a tolerance; write it as NAME = { value = \"25 mm\", "
                       "tolerance = \"0.05 mm\" }");
    std::vector<Response> responses;
    if (options.responses.empty()) responses = model.responses();
    for (const std::string& text : options.responses)
        if (auto response = model.response(text, problems)) responses.push_back(*response);
    if (responses.empty() && !problems.has_errors())
        problems.error(
            {},
            "no response: the model has no table [response.NAME], and none was named with "
            "--of");
    if (problems.has_errors()) return false;
    const Result nominal = model.analyse();
    if (nominal.rows() == 0) problems.add(nominal.problems());
    for (Response& response : responses) {
        const ResponseValue value = nominal.response(response);
        response.unit = value.unit.empty() ? response.unit : value.unit;
        if (value.problem.empty())
            study.responses.emplace_back(response, value.value);
        else
            problems.error(response.span,
                           "response '" + response.name +
                               "' has no value in the nominal run: " + value.problem);
    }
    return !problems.has_errors();
}

}  // namespace

std::optional<ToleranceStudy> study_tolerances(const Model& model, const ToleranceOptions& options,
                                               Diagnostics& problems) {
    ToleranceStudy study;
    if (!begin(model, options, study, problems)) return std::nullopt;
    study.runs = options.runs;
    StudyRuns runs(model, options, study);
    runs.take();
    if (!study.is_complete) return study;
    find_sequences(runs, study);
    note_changed_sequences(runs, study);
    find_slopes(model, options, runs, study);
    for (std::size_t r = 0; r < study.responses.size(); ++r) {
        find_linear(runs, r, study);
        find_sample(runs, r, study);
        judge_linear(study.responses[r], study.sequences.size());
    }
    study.rows = runs.take_sample();
    return study;
}

Share::Share(long part, long all) {
    if (all <= 0) return;
    constexpr double z = 1.959963984540054;
    const double n = static_cast<double>(all), p = static_cast<double>(part) / n;
    const double middle = (p + z * z / (2 * n)) / (1 + z * z / n),
                 half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    value = p;
    low = std::max(0.0, middle - half);
    high = std::min(1.0, middle + half);
}

}  // namespace pawl
