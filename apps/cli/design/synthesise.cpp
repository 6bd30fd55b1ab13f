// `pawl synthesise`: linkages that reach given points, pairs or poses.
#include <filesystem>
#include <memory>
#include <numbers>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../checkpoint.h"
#include "../support.h"
#include "design/atlas.h"
#include "design/model_linkage.h"
#include "design/synthesis/linkage_model.h"
#include "design/synthesis/task_file.h"
#include "model_file/text/document.h"
#include "output/result/unfinished_folder.h"

namespace pawl::cli {

namespace {

struct SynthesiseCommand {
    std::string kind, file, mechanism, tolerance, out;
    std::string model;  // of the user, in place of a linkage by name
    LinkageRoles roles;
    SearchOptions search;
    bool json = false, quiet = false, any_order = false;

    [[nodiscard]] int run();

private:
    [[nodiscard]] SynthesisTask read_task() const;
    [[nodiscard]] std::optional<ModelLinkage> read_model_linkage(const SynthesisTask& task);
    [[nodiscard]] std::string folder() const;
    void write(const SynthesisProblem& problem, const SearchResult& result,
               const std::vector<LinkageSheet>& sheets) const;
    void print(const SynthesisProblem& problem, const SearchResult& result,
               const std::vector<LinkageSheet>& sheets) const;
};

// Why a folder may not be replaced: it holds something that is not of a synthesis.
std::string foreign_file(const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string(), model = "solution_";
        const bool is_ours =
            name == "atlas.html" || name == "solutions.csv" || name == "synthesis.json" ||
            (name.starts_with(model) && name.ends_with(".toml") &&
             name.find_first_not_of("0123456789", model.size()) == name.size() - 5 &&
             name.size() > model.size() + 5);
        if (!is_ours)
            return folder.string() + " holds " + name +
                   ", which is not of a synthesis; choose another --out";
    }
    return "";
}

SynthesisTask SynthesiseCommand::read_task() const {
    Diagnostics diagnostics;
    diagnostics.file = file;
    const auto text = read_text_file(file, diagnostics);
    std::optional<SynthesisTask> task;
    SynthesisTask given;
    given.kind = *named<SynthesisKind>(kind);
    given.name = std::filesystem::path(file).stem().string();
    if (!mechanism.empty()) given.linkage = *named<LinkageKind>(mechanism);
    if (text && std::filesystem::path(file).extension() == ".csv")
        task = read_synthesis_table(*text, given, diagnostics);
    else if (text)
        task = read_synthesis_task(*text, given, diagnostics, named<LinkageKind>(mechanism));
    if (!task) throw Failure{bad_model, diagnostics.text()};
    if (!tolerance.empty())
        task->tolerance = quantity_on_command_line(tolerance, dimension::length, "--tolerance");
    if (any_order) task->ordered = false;
    return *task;
}

std::string SynthesiseCommand::folder() const {
    return out.empty() ? std::filesystem::path(file).stem().string() + ".synthesis" : out;
}

void SynthesiseCommand::write(const SynthesisProblem& problem, const SearchResult& result,
                              const std::vector<LinkageSheet>& sheets) const {
    std::string why;
    UnfinishedFolder folder(this->folder(), why);
    const auto put = [&](const std::string& name, const std::string& text) {
        if (why.empty()) why = folder.write(name, [&](const auto& part) { part(text); });
    };
    for (const LinkageSheet& sheet : sheets) put(sheet.file, sheet.model);
    put("atlas.html", atlas_page(problem, result, sheets));
    put("solutions.csv", solutions_table(problem, result));
    put("synthesis.json", solutions_json(problem, result, sheets));
    if (why.empty()) why = folder.finish(foreign_file);
    if (!why.empty())
        throw Failure{wrong_usage, fmt::format("pawl: cannot write {}: {}", this->folder(), why)};
}

void SynthesiseCommand::print(const SynthesisProblem& problem, const SearchResult& result,
                              const std::vector<LinkageSheet>& sheets) const {
    fmt::print("{} of a {}, {}: {}, {}\n", kind, value_name(problem.task().linkage),
               plural(problem.positions(), "position", "positions"),
               plural(result.starts, "start", "starts"),
               plural(result.distinct, "distinct linkage", "distinct linkages"));
    fmt::print("{:>3}  {:24} {:16} {:>12} {:>13} {:>11}\n", "", "type", "defects", "error [tol.]",
               "transm. [deg]", "size [m]");
    for (std::size_t i = 0; i < sheets.size(); ++i) {
        const Appraisal& a = result.solutions[i].appraisal;
        fmt::print("{:>3}  {:24} {:16} {:>12.3g} {:>13.1f} {:>11.4g}\n", i + 1, a.type, a.defects(),
                   a.worst_error, a.transmission * 180 / std::numbers::pi, a.size);
        if (!sheets[i].problem.empty()) fmt::print("     does not run: {}\n", sheets[i].problem);
    }
    fmt::print("written to {}: models, atlas.html, solutions.csv, synthesis.json\n", folder());
}

std::optional<ModelLinkage> SynthesiseCommand::read_model_linkage(const SynthesisTask& task) {
    if (model.empty()) return std::nullopt;
    const bool is_function = task.kind == SynthesisKind::function;
    if ((is_function ? roles.output : roles.point).empty())
        throw Failure{wrong_usage,
                      is_function ? "--model: name the body that is the output: --output rocker"
                                  : "--model: name the point that has to move: --point "
                                    "coupler.P"};
    Diagnostics diagnostics;
    const auto data = read_model_file(model, {}, diagnostics);
    if (!data) throw Failure{bad_model, diagnostics.text()};
    auto linkage = ModelLinkage::read(*data, roles, diagnostics);
    if (!linkage) throw Failure{bad_model, diagnostics.text()};
    return linkage;
}

int SynthesiseCommand::run() {
    const SynthesisTask task = read_task();
    const std::optional<ModelLinkage> given = read_model_linkage(task);
    const SynthesisProblem problem =
        given ? SynthesisProblem(task, given->linkage()) : SynthesisProblem(task);
    const Interruption interruption;
    Progress progress(!quiet && !json);
    search.progress = [&](double share, double best) {
        progress(share, fmt::format("best error {:.3g} tolerances", best));
        return !Interruption::asked();
    };
    const SearchResult result = search_linkages(problem, search, given.has_value());
    if (result.solutions.empty())
        throw Failure{numerical_failure,
                      fmt::format("{}: no linkage was found in {}; try more --starts, a larger "
                                  "--tolerance, or fix fewer dimensions",
                                  file, plural(result.starts, "start", "starts"))};
    std::vector<LinkageSheet> sheets;
    for (int i = 0; i < result.kept; ++i) {
        const Solution& s = result.solutions[static_cast<std::size_t>(i)];
        Diagnostics diagnostics;
        sheets.push_back(make_sheet(
            problem, given ? given->text(s, diagnostics) : model_text(problem, s), i + 1));
    }
    write(problem, result, sheets);
    if (json)
        fmt::print("{}", solutions_json(problem, result, sheets));
    else if (!quiet)
        print(problem, result, sheets);
    if (result.stopped) return interrupted;
    const Appraisal& best = result.solutions.front().appraisal;
    return best.meets_tolerances() && !best.has_defect() ? done : check_failed;
}

}  // namespace

Command add_synthesise(CLI::App& app) {
    auto* sub = app.add_subcommand("synthesise",
                                   "find linkages that reach given points, angle pairs or poses");
    auto command = std::make_shared<SynthesiseCommand>();
    sub->add_option("kind", command->kind, "path, function or motion")
        ->required()
        ->check(CLI::IsMember(names_of<SynthesisKind>()));
    sub->add_option("task", command->file, "the task: a TOML file, or a table of positions (.csv)")
        ->required();
    sub->add_option("--mechanism", command->mechanism,
                    "four-bar, slider-crank, six-bar or six-bar-watt (default: from the file, "
                    "else four-bar)")
        ->check(CLI::IsMember(names_of<LinkageKind>()));
    sub->add_option("--tolerance", command->tolerance,
                    "allowed error of a point, e.g. \"0.1 mm\" (default: from the file)");
    sub->add_option("--model", command->model,
                    "a model of pins and sliders to start from, instead of --mechanism");
    sub->add_option("--point", command->roles.point,
                    "with --model: the point that is to be guided, e.g. coupler.P");
    sub->add_option("--output", command->roles.output,
                    "with --model and function: the output body");
    sub->add_flag_callback(
        "--fix-pivots", [command] { command->roles.moves_pivots = false; },
        "with --model: keep the points on the ground where they are");
    sub->add_flag("--any-order", command->any_order, "the positions may be reached in any order");
    sub->add_option("--starts", command->search.starts, "number of random starts (default: 2000)")
        ->check(CLI::Range(1, 10'000'000));
    sub->add_option("--keep", command->search.keep, "number of linkages to write (default: 12)")
        ->check(CLI::Range(1, 99));
    sub->add_option("--seed", command->search.seed, "seed of the random starts");
    sub->add_option("--threads", command->search.threads,
                    "number of threads; the result does not depend on it (default: all cores)")
        ->check(CLI::Range(1, 1024));
    sub->add_flag("--json", command->json, "print the solutions as JSON");
    sub->add_flag("--quiet,-q", command->quiet, "print nothing but errors");
    sub->add_option("-o,--out", command->out,
                    "folder of models and atlas (default: TASK.synthesis)");
    return [command] { return command->run(); };
}

}  // namespace pawl::cli
