// `pawl sweep`: many runs of a model with other values, on all cores, into one SQLite file.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "checkpoint.h"
#include "design/cluster.h"
#include "design/study.h"
#include "design/sweep_plot.h"
#include "design/sweep_store.h"
#include "model_file/text/write_file.h"
#include "support.h"

namespace pawl::cli {

namespace {

struct SweepCommand {
    ModelOptions options;
    std::vector<std::string> vary, responses;
    std::string method, csv, plot, shown, cluster;
    long runs = 0, threads = 0;
    std::uint64_t seed = 1;
    bool resume = false;
    const CLI::Option* seed_given = nullptr;

    int run();

private:
    [[nodiscard]] SweepSettings settings(const Model& model) const;
    [[nodiscard]] int fill(const Model& model, const SweepPlan& plan, SweepStore& store,
                           const std::string& file) const;
    [[nodiscard]] int fill_elsewhere(const Model& model, const SweepPlan& plan,
                                     std::optional<SweepStore>& store,
                                     const std::string& file) const;
    void write_csv(const SweepPlan& plan, const SweepStore& store) const;
    void draw(const Model& model, const SweepPlan& plan, const SweepStore& store) const;
    [[nodiscard]] int summarise(const SweepPlan& plan, const SweepStore& store,
                                const std::string& file) const;
};

// What the model's table says, changed by the options.
SweepSettings SweepCommand::settings(const Model& model) const {
    SweepSettings out = model.sweep().value_or(SweepSettings{});
    if (!vary.empty()) out.vary = vary;
    if (!responses.empty()) out.responses = responses;
    if (!method.empty()) out.method = named<SweepMethod>(method).value();
    if (runs > 0) out.runs = runs;
    if (seed_given->count() > 0) out.seed = seed;
    if (runs > 0 && out.method == SweepMethod::grid)
        throw Failure{
            wrong_usage,
            "pawl: --runs does not apply to a grid, whose values determine the number of runs; "
            "choose --method random, latin_hypercube or sobol"};
    // Options say nothing of a place in the file.
    if (!vary.empty() || !responses.empty()) out.span = {};
    return out;
}

void SweepCommand::write_csv(const SweepPlan& plan, const SweepStore& store) const {
    if (csv.empty()) return;
    std::string text = csv_header(plan);
    store.each([&](const SweepRow& row) { text += csv_line(plan, row); });
    if (csv == "-") {
        fmt::print("{}", text);
        return;
    }
    if (const std::string problem = write_file(csv, text); !problem.empty())
        throw Failure{wrong_usage, "pawl: " + problem};
}

void SweepCommand::draw(const Model& model, const SweepPlan& plan, const SweepStore& store) const {
    if (plot.empty()) return;
    std::vector<SweepRow> rows;
    store.each([&](const SweepRow& row) { rows.push_back(row); });
    std::string problem;
    const auto picture =
        sweep_picture(plan, rows, shown, std::filesystem::path(model.file()).stem(), problem);
    if (!picture) throw Failure{wrong_usage, "pawl: --plot: " + problem};
    write_picture(plot, *picture);
}

int SweepCommand::summarise(const SweepPlan& plan, const SweepStore& store,
                            const std::string& file) const {
    std::map<std::string, std::pair<long, std::string>>
        failures;  // by status: number, first reason
    std::vector<Spread> spreads(plan.responses().size());
    long rows = 0;
    store.each([&](const SweepRow& row) {
        ++rows;
        if (row.status != "completed") {
            auto& [count, reason] = failures[row.status];
            if (count++ == 0) reason = row.message;
        }
        for (std::size_t i = 0; i < spreads.size(); ++i) spreads[i].see(row.responses[i]);
    });
    if (options.json) {
        Json out{{"file", file}, {"runs", rows}, {"failed", Json::object()}};
        for (const auto& [status, failure] : failures) out["failed"][status] = failure.first;
        for (std::size_t i = 0; i < spreads.size(); ++i)
            out["responses"][plan.responses()[i].name] = to_json(spreads[i], plan.responses()[i]);
        print_json(out);
        return done;
    }
    if (options.quiet) return done;
    fmt::print("{:<28} {:>8} {:>14} {:>14} {:>14}  unit\n", "response", "runs", "least", "mean",
               "greatest");
    for (std::size_t i = 0; i < spreads.size(); ++i)
        if (spreads[i].count > 0)
            fmt::print("{:<28} {:>8} {:>14.7g} {:>14.7g} {:>14.7g}  {}\n", plan.responses()[i].name,
                       spreads[i].count, spreads[i].least, spreads[i].mean(), spreads[i].greatest,
                       plan.responses()[i].unit);
        else
            fmt::print("{:<28} {:>8} {:>14} {:>14} {:>14}  {}\n", plan.responses()[i].name, 0, "-",
                       "-", "-", plan.responses()[i].unit);
    for (std::size_t i = 0; i < spreads.size(); ++i)
        if (spreads[i].count > 1 && spreads[i].least == spreads[i].greatest)
            fmt::print("note    {} is the same in all runs: it does not depend on what varies\n",
                       plan.responses()[i].name);
    for (const auto& [status, failure] : failures)
        fmt::print("failed  {}: {}, the first: {}\n", status,
                   plural(static_cast<int>(failure.first), "run", "runs"), failure.second);
    fmt::print("rows    {} ({} of {})\n", file, rows, plan.runs());
    return done;
}

int kept(const SweepPlan& plan, const SweepStore& store) {
    return static_cast<int>(plan.runs() - static_cast<long>(store.missing().size()));
}

int SweepCommand::fill(const Model& model, const SweepPlan& plan, SweepStore& store,
                       const std::string& file) const {
    const std::size_t missing = store.missing().size();
    const Interruption interruption;
    Progress progress(!options.quiet && !options.json);
    const std::string problem =
        run_missing(model, plan, store, static_cast<int>(threads), [&](long runs_done) {
            progress(static_cast<double>(runs_done) / static_cast<double>(missing),
                     fmt::format("{} of {} runs", runs_done, missing));
            return !Interruption::asked();
        });
    if (!problem.empty())
        throw Failure{wrong_usage,
                      fmt::format("pawl: {}: {}; {} are kept, and the same command with --resume "
                                  "continues from there",
                                  file, problem, plural(kept(plan, store), "run", "runs"))};
    return Interruption::asked() ? interrupted : done;
}

// The file is closed meanwhile: it is the Python package that writes to it.
int SweepCommand::fill_elsewhere(const Model& model, const SweepPlan& plan,
                                 std::optional<SweepStore>& store, const std::string& file) const {
    const Interruption interruption;
    store.reset();
    const int code =
        fill_on_cluster(cluster, model, plan.settings(), file, options.quiet || options.json);
    std::string problem;
    store = SweepStore::resume(file, model, plan, problem);
    if (!store) throw Failure{wrong_usage, "pawl: " + problem};
    if (code == wrong_usage)
        complain(
            fmt::format("pawl: {}: {} kept; the same command with --resume continues from "
                        "there\n",
                        file, plural(kept(plan, *store), "run is", "runs are")));
    return code;
}

int SweepCommand::run() {
    const Model model = read_face(options);
    Diagnostics problems;
    const auto plan = SweepPlan::read(model, settings(model), problems);
    if (!plan) throw Failure{bad_model, problems.text()};
    const std::string file =
        options.out.empty() ? std::filesystem::path(options.file).stem().string() + ".sweep.sqlite"
                            : options.out;
    std::string problem;
    auto store = resume ? SweepStore::resume(file, model, *plan, problem)
                        : SweepStore::create(file, model, *plan, problem);
    if (!store) throw Failure{wrong_usage, "pawl: " + problem};
    const int code = cluster.empty() ? fill(model, *plan, *store, file)
                                     : fill_elsewhere(model, *plan, store, file);
    if (code == interrupted)
        complain("interrupted; the same command with --resume continues the sweep\n");
    if (code != done) return code;
    write_csv(*plan, *store);
    draw(model, *plan, *store);
    return csv == "-" ? done : summarise(*plan, *store, file);
}

}  // namespace

Command add_sweep(CLI::App& app) {
    auto* sub = app.add_subcommand(
        "sweep", "run a model with many sets of values; one SQLite file holds the results");
    auto c = std::make_shared<SweepCommand>();
    c->options.add_to(*sub, false);
    sub->add_option("--vary", c->vary,
                    "what to vary: --vary k=100:200:11 (from, to, number of values), --vary "
                    "\"k=100 N/m:200 N/m\", --vary law=newton,poisson; several make a grid "
                    "(default: the table [sweep] of the model)")
        ->allow_extra_args(false);
    sub->add_option("--of", c->responses,
                    "a response: its name in the model or its text, e.g. \"max:bolt.x\" (default: "
                    "all of the model)")
        ->allow_extra_args(false);
    sub->add_option("--method", c->method, "grid, random, latin_hypercube or sobol")
        ->check(CLI::IsMember(names_of<SweepMethod>()));
    sub->add_option("--runs", c->runs, "number of runs, for every method but grid")
        ->check(CLI::PositiveNumber);
    c->seed_given = sub->add_option("--seed", c->seed, "seed of the random values (default: 1)");
    sub->add_option("--threads", c->threads, "number of threads (default: one for each core)")
        ->check(CLI::PositiveNumber);
    sub->add_option("--cluster", c->cluster,
                    "address of a Dask scheduler, e.g. tcp://127.0.0.1:8786, whose workers do the "
                    "runs in place of threads (docs/clusters.md)");
    sub->add_option("-o,--out", c->options.out,
                    "SQLite file of the rows (default: MODEL.sweep.sqlite)");
    sub->add_flag("--resume", c->resume,
                  "continue an unfinished file: runs that have a row are not repeated");
    sub->add_option("--csv", c->csv, "also write the rows as CSV; - for standard output");
    sub->add_option("--plot", c->plot,
                    "also draw the rows: curves or dots against one variable, a map against two; "
                    ".svg, .png or .pdf")
        ->check(picture_name_problem);
    sub->add_option("--show", c->shown,
                    "with a map: the response to draw, or `events` for the sequence that occurs "
                    "(default: the first response)");
    return [c] { return c->run(); };
}

}  // namespace pawl::cli
