// `pawl tolerance`: what the tolerances of a model's parameters do to its responses.
#include "design/tolerance.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "checkpoint.h"
#include "design/study.h"
#include "design/sweep_store.h"
#include "model_file/text/write_file.h"

namespace pawl::cli {

namespace {

struct ToleranceCommand {
    ModelOptions options;
    ToleranceOptions study;
    std::string csv, examples;
    long threads = 0;

    int run();

private:
    void write_examples(const Model& model, const ToleranceStudy& study) const;
};

std::string values_text(const Values& values) {
    std::string out;
    for (const auto& [name, value] : values) out += (out.empty() ? "" : " ") + name + "=" + value;
    return out;
}

std::string share_text(const Share& share) {
    return fmt::format("{:.2f} % (95 %: {:.2f} to {:.2f})", 100 * share.value, 100 * share.low,
                       100 * share.high);
}

std::string limits_text(const Response& r) {
    const auto number = [&](double value) {
        return r.unit == "1" ? fmt::format("{:.6g}", value)
                             : fmt::format("{:.6g} {}", value, r.unit);
    };
    if (r.min && r.max) return number(*r.min) + " to " + number(*r.max);
    return r.min ? "at least " + number(*r.min) : "at most " + number(*r.max);
}

void print_response(const ToleranceStudy& study, const ToleranceOfResponse& r) {
    fmt::print("\n{} [{}], nominal {:.9g}\n", r.response.name, r.response.unit, r.nominal);
    fmt::print("  {:<12} {:>14} {:>14} {:>14}\n", "", "least", "greatest", "std deviation");
    fmt::print("  {:<12} {:>14.7g} {:>14.7g} {:>14.4g}   nominal -+ sum |slope| tolerance\n",
               "linear", r.nominal - r.linear_width, r.nominal + r.linear_width,
               r.linear_deviation);
    fmt::print("  {:<12} {:>14.7g} {:>14.7g} {:>14}   corners of the tolerances\n", "worst case",
               r.worst_low, r.worst_high, "");
    fmt::print(
        "  {:<12} {:>14.7g} {:>14.7g} {:>14.4g}   {} values, mean {:.7g}; 99.73 % from "
        "{:.7g} to {:.7g}\n",
        "Monte Carlo", r.sample.least, r.sample.greatest, r.sample.deviation(), r.sample.count,
        r.sample.mean(), r.low, r.high);
    fmt::print("  {:<20} {:>14} {:>10} {:>12}\n", "parameter", "slope", "share", "in sample");
    for (std::size_t p = 0; p < study.parameters.size(); ++p) {
        const double slope = r.effects[p].slope;
        const bool is_noise =
            std::abs(slope) * study.parameters[p].tolerance < 1e-12 * r.linear_width;
        fmt::print("  {:<20} {:>14.5g} {:>8.2f} % {:>10.2f} %\n", study.parameters[p].name,
                   is_noise ? 0 : slope, 100 * r.effects[p].share,
                   100 * r.effects[p].sampled_share);
    }
    if (r.response.min || r.response.max)
        fmt::print("  good ({}): {}\n", limits_text(r.response),
                   share_text(Share(r.good, study.runs)));
    if (!r.disagreement.empty())
        fmt::print("  the linear estimate does not hold: {}\n", r.disagreement);
}

const char* slopes_text(const ToleranceStudy& study) {
    return study.slopes == SensitivityMethod::along_the_run
               ? "derivatives along the steps and events of the nominal run"
               : "extrapolated differences of whole runs";
}

void print_study(const ToleranceStudy& study) {
    fmt::print("{:<20} {:>14} {:>14}  {}\n", "parameter", "nominal", "tolerance", "distribution");
    for (const ToleranceParameter& p : study.parameters)
        fmt::print("{:<20} {:>14.7g} {:>14.5g}  {}{}\n", p.name, p.nominal, p.tolerance,
                   value_name(p.distribution), p.unit.empty() ? "" : " [" + p.unit + "]");
    for (const ToleranceOfResponse& r : study.responses) print_response(study, r);
    fmt::print("\nwhat happens, in {} runs:\n", study.runs);
    constexpr std::size_t max_shown = 12;
    for (std::size_t i = 0; i < study.sequences.size() && i < max_shown; ++i) {
        const ToleranceSequence& s = study.sequences[i];
        fmt::print("  {}. {}: {}; {}\n     run {}: {}\n", i + 1,
                   share_text(Share(s.count, study.runs)), s.status,
                   s.events.empty() ? "no events" : s.events, s.example, values_text(s.values));
    }
    if (study.sequences.size() > max_shown)
        fmt::print("  ... and {} more\n", study.sequences.size() - max_shown);
    if (study.has_limits) fmt::print("yield   {}\n", share_text(Share(study.good, study.runs)));
    fmt::print("slopes  {}\n", slopes_text(study));
    print_notes(study.notes);
}

Json to_json(const ToleranceStudy& study) {
    Json out{{"runs", study.runs}, {"slopes", slopes_text(study)}};
    const auto share = [](const Share& s) {
        return Json{{"share", s.value}, {"low", s.low}, {"high", s.high}};
    };
    for (const ToleranceParameter& p : study.parameters)
        out["parameters"].push_back({{"name", p.name},
                                     {"unit", p.unit},
                                     {"nominal", p.nominal},
                                     {"tolerance", p.tolerance},
                                     {"distribution", value_name(p.distribution)}});
    for (const ToleranceOfResponse& r : study.responses) {
        Json effects = Json::array();
        for (std::size_t p = 0; p < study.parameters.size(); ++p)
            effects.push_back({{"parameter", study.parameters[p].name},
                               {"slope", json_number(r.effects[p].slope)},
                               {"by_differences", r.effects[p].by_differences},
                               {"share", json_number(r.effects[p].share)},
                               {"sampled_share", json_number(r.effects[p].sampled_share)}});
        Json one{{"name", r.response.name},
                 {"unit", r.response.unit},
                 {"nominal", json_number(r.nominal)},
                 {"linear",
                  {{"standard_deviation", json_number(r.linear_deviation)},
                   {"half_width", json_number(r.linear_width)}}},
                 {"worst_case",
                  {{"least", json_number(r.worst_low)}, {"greatest", json_number(r.worst_high)}}},
                 {"monte_carlo", cli::to_json(r.sample, r.response)},
                 {"effects", effects},
                 {"disagreement", r.disagreement}};
        if (r.response.min || r.response.max) one["good"] = share(Share(r.good, study.runs));
        out["responses"].push_back(std::move(one));
    }
    for (const ToleranceSequence& s : study.sequences) {
        Json values = Json::object();
        for (const auto& [name, value] : s.values) values[name] = value;
        out["sequences"].push_back({{"status", s.status},
                                    {"events", s.events},
                                    {"count", s.count},
                                    {"probability", share(Share(s.count, study.runs))},
                                    {"run", s.example},
                                    {"values", values}});
    }
    if (study.has_limits) out["yield"] = share(Share(study.good, study.runs));
    out["notes"] = study.notes;
    return out;
}

// One result folder for each sequence of events.
void ToleranceCommand::write_examples(const Model& model, const ToleranceStudy& study) const {
    if (examples.empty()) return;
    std::error_code refused;
    std::filesystem::create_directories(examples, refused);
    if (refused) throw Failure{wrong_usage, "pawl: " + examples + ": " + refused.message()};
    for (std::size_t i = 0; i < study.sequences.size(); ++i) {
        Diagnostics problems;
        const auto changed = model.with(study.sequences[i].values, problems);
        if (!changed) continue;
        const auto folder =
            std::filesystem::path(examples) / fmt::format("sequence_{}.result", i + 1);
        if (const std::string problem = changed->analyse().write(folder); !problem.empty())
            throw Failure{wrong_usage, "pawl: " + problem};
    }
    if (!options.quiet && !options.json)
        fmt::print("results {} ({})\n", examples,
                   plural(static_cast<int>(study.sequences.size()), "example", "examples"));
}

int ToleranceCommand::run() {
    const Model model = read_face(options);
    const Interruption interruption;
    Progress progress(!options.quiet && !options.json);
    study.threads = static_cast<int>(threads);
    study.progress = [&](long done_now, long all) {
        progress(static_cast<double>(done_now) / static_cast<double>(all),
                 fmt::format("{} of {} runs", done_now, all));
        return !Interruption::asked();
    };
    Diagnostics problems;
    const auto found = study_tolerances(model, study, problems);
    if (!found) throw Failure{bad_model, problems.text()};
    if (!found->is_complete) {
        complain("interrupted\n");
        return interrupted;
    }
    if (!csv.empty()) {
        std::string text = csv_header(found->plan);
        for (const SweepRow& row : found->rows) text += csv_line(found->plan, row);
        if (const std::string problem = write_file(csv, text); !problem.empty())
            throw Failure{wrong_usage, "pawl: " + problem};
    }
    if (options.json)
        print_json(to_json(*found));
    else if (!options.quiet)
        print_study(*found);
    write_examples(model, *found);
    return done;
}

}  // namespace

Command add_tolerance(CLI::App& app) {
    auto* sub = app.add_subcommand(
        "tolerance",
        "find the effect of tolerances: spread, contributions, yield, event sequences");
    auto c = std::make_shared<ToleranceCommand>();
    c->options.add_to(*sub, false);
    sub->add_option("--of", c->study.responses,
                    "a response: its name in the model or its text, e.g. \"max:bolt.x\" (default: "
                    "all of the model)")
        ->allow_extra_args(false);
    sub->add_option("--runs", c->study.runs, "number of Monte Carlo runs (default: 1000)")
        ->check(CLI::Range(2L, 10'000'000L));
    sub->add_option("--seed", c->study.seed, "seed of the sample (default: 1)");
    sub->add_option("--threads", c->threads, "number of threads (default: one for each core)")
        ->check(CLI::PositiveNumber);
    sub->add_option("--csv", c->csv, "also write the sample as CSV");
    sub->add_option("--examples", c->examples,
                    "folder in which to keep the result of one run per sequence of events");
    return [c] { return c->run(); };
}

}  // namespace pawl::cli
