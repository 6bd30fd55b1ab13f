// `pawl optimise`: the best values of a model's design variables.
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../checkpoint.h"
#include "../support.h"
#include "design/optimisation.h"
#include "model_file/text/write_file.h"

namespace pawl::cli {

namespace {

struct OptimiseCommand {
    ModelOptions options;
    std::string method, history;
    OptimisationOptions optimisation;

    [[nodiscard]] int run();

private:
    [[nodiscard]] std::string out() const {
        return options.out.empty()
                   ? std::filesystem::path(options.file).stem().string() + ".optimised.toml"
                   : options.out;
    }
    [[nodiscard]] std::string history_file() const {
        return history.empty()
                   ? std::filesystem::path(out()).replace_extension(".history.csv").string()
                   : history;
    }
    void print(const DesignProblem& problem, const OptimisationResult& result) const;
};

// What was found, where no file can hold it.
std::string values_text(const DesignProblem& problem, const OptimisationResult& result) {
    std::string out;
    for (std::size_t i = 0; i < problem.variables().size(); ++i)
        out +=
            fmt::format("{}{} = {:.9g}{}{}", out.empty() ? "" : ", ", problem.variables()[i].name,
                        result.values[i], problem.variables()[i].unit.empty() ? "" : " ",
                        problem.variables()[i].unit);
    return out;
}

void OptimiseCommand::print(const DesignProblem& problem, const OptimisationResult& result) const {
    fmt::print("{:28} {:>16} {:>16}  {}\n", "", "start", "result", "unit");
    for (std::size_t i = 0; i < problem.variables().size(); ++i) {
        const auto& v = problem.variables()[i];
        fmt::print("{:28} {:>16.9g} {:>16.9g}  {}\n", v.name, v.start, result.values[i], v.unit);
    }
    if (problem.objective())
        fmt::print("{:28} {:>16.9g} {:>16.9g}  {}\n", problem.objective()->name,
                   result.first_objective, result.objective, problem.objective_unit());
    for (std::size_t c = 0; c < problem.constraints().size(); ++c)
        fmt::print("{:28} {:>16} {:>16.9g}  {}\n", problem.constraints()[c].text, "",
                   result.constraints[c], problem.constraints()[c].unit);
    fmt::print("{} after {}; gradients: {}\n", result.status,
               plural(static_cast<int>(result.history.size()), "run", "runs"),
               result.gradient == GradientSource::exact
                   ? "along the steps and events of the runs"
                   : "central differences with Richardson's extrapolation");
    if (!result.feasible)
        fmt::print(
            "no design found meets all constraints; the best one violates a bound by {:.3g} of "
            "its value\n",
            result.violation);
    for (const ActiveConstraint& a : result.active)
        fmt::print("active: {} (multiplier {:.4g})\n", a.name, a.multiplier);
    if (result.residual)
        fmt::print("residual of the optimality conditions: {:.2g}\n", *result.residual);
}

int OptimiseCommand::run() {
    const ModelData data = options.read();
    Diagnostics problems;
    auto model = Model::read(data.text, problems, data.file, data.overrides);
    problems = {};
    auto problem = DesignProblem::read(*model, problems);
    if (!problem) throw Failure{bad_model, problems.text()};
    if (!method.empty()) optimisation.method = named<OptimisationMethod>(method);
    const Interruption interruption;
    Progress progress(!options.quiet && !options.json);
    const double planned_runs = static_cast<double>(optimisation.starts) * optimisation.evaluations;
    optimisation.progress = [&](long run, std::optional<double> best) {
        progress(std::min(static_cast<double>(run) / planned_runs, 1.0),
                 best ? fmt::format("run {}, best {:.6g} {}", run, *best, problem->objective_unit())
                      : fmt::format("run {}, none feasible yet", run));
        return !Interruption::asked();
    };
    const auto result = optimise(*problem, optimisation, problems);
    if (!result) throw Failure{bad_model, problems.text()};
    for (const std::string& warning : result->warnings)
        complain("pawl: warning: " + options.file + ": " + warning + "\n");
    if (options.json)
        fmt::print("{}", optimisation_json(*problem, *result));
    else if (!options.quiet)
        print(*problem, *result);
    std::string unwritten = write_file(out(), problem->model_text(result->x, problems));
    if (unwritten.empty()) unwritten = write_file(history_file(), history_table(*problem, *result));
    if (!unwritten.empty())
        throw Failure{wrong_usage, fmt::format("pawl: {}; the best design found: {}", unwritten,
                                               values_text(*problem, *result))};
    if (!options.json && !options.quiet)
        fmt::print("written to {} and {}\n", out(), history_file());
    if (result->status == "stopped") {
        complain("interrupted; the best design so far was kept\n");
        return interrupted;
    }
    return result->feasible ? done : numerical_failure;
}

}  // namespace

Command add_optimise(CLI::App& app) {
    auto* sub =
        app.add_subcommand("optimise", "find the best values of the variables listed in [design]");
    auto command = std::make_shared<OptimiseCommand>();
    command->options.add_to(*sub, false);
    sub->add_option("-o,--out", command->options.out,
                    "model file to write, comments kept (default: MODEL.optimised.toml)");
    sub->add_option("--history", command->history,
                    "file for the table of all runs (default: beside the new model)");
    sub->add_option("--method", command->method, "slsqp, mma or crs (default: from the model)")
        ->check(CLI::IsMember(names_of<OptimisationMethod>()));
    sub->add_option("--starts", command->optimisation.starts,
                    "number of starts: the first from the model, the others random (default: 1)")
        ->check(CLI::Range(1, 100'000));
    sub->add_option("--evaluations", command->optimisation.evaluations,
                    "maximum number of runs per start, without those for gradients (default: 200)")
        ->check(CLI::Range(1, 1'000'000));
    sub->add_option(
           "--tolerance", command->optimisation.tolerance,
           "stop when the relative change of the objective is less than this (default: 1e-8)")
        ->check(CLI::Range(1e-14, 0.1));
    sub->add_option("--seed", command->optimisation.seed, "seed of the random starts (default: 1)");
    sub->add_option("--threads", command->optimisation.threads,
                    "number of threads; the result does not depend on it (default: all cores)")
        ->check(CLI::Range(1, 1024));
    return [command] { return command->run(); };
}

}  // namespace pawl::cli
