// Commands that move a mechanism: kinematics, inverse, dynamics, and run, which does what the model
// asks for.
#include <chrono>
#include <cmath>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "checkpoint.h"
#include "commands.h"
#include "dynamics/formulations/dynamics.h"
#include "impact_laws.h"
#include "manners/audit_text.h"
#include "math/tolerances/outside.h"
#include "matrices.h"
#include "output/result/matrices_text.h"
#include "simulation/kinematic/kinematic_run.h"
#include "simulation/stepping/dynamic_run.h"
#include "support.h"

namespace pawl::cli {

namespace {

// What is wrong with a time between checkpoints; empty: nothing.
std::string seconds_or_none(const std::string& text) {
    char* tail = nullptr;
    const double value = std::strtod(text.c_str(), &tail);
    return *tail == 0 && !text.empty() && value >= 0 ? ""
                                                     : "must be a number of seconds, 0 or more";
}

// "red, green or blue"
template <class E>
std::string choices() {
    std::vector<std::string> names = names_of<E>();
    const std::string last = std::move(names.back());
    names.pop_back();
    return joined(names) + " or " + last;
}

double tolerance_of(const std::string& text, const std::string& flag) {
    char* tail = nullptr;
    const double value = std::strtod(text.c_str(), &tail);
    if (*tail != 0 ||
        !(value >= tolerance::least_of_a_step && value <= tolerance::largest_of_a_step))
        throw Failure{wrong_usage, flag + " must be between 1e-14 and 0.1"};
    return value;
}

// Options of all runs; empty means: as the model says.
struct RunCommand {
    ModelOptions model;
    std::string end, step, coordinates, dynamics, integrator, rtol, atol, integrator_step;
    bool influence = false, laws = false;
    MatricesOption matrices;
    double checkpoint = 10;    // s
    std::string left, memory;  // to continue with: a folder, and what the simulation remembers

    void add_common(CLI::App& sub) {
        model.add_to(sub, true, true);
        sub.add_option("--end", end, "end of the motion, e.g. \"2 s\" (default: from the model)");
        sub.add_option("--step", step, "time between outputs, e.g. \"1 ms\"");
        sub.add_option("--coordinates", coordinates, choices<CoordinateChoice>())
            ->check(CLI::IsMember(names_of<CoordinateChoice>()));
    }
    void add_dynamics(CLI::App& sub) {
        sub.add_option("--dynamics", dynamics, choices<Formulation>())
            ->check(CLI::IsMember(names_of<Formulation>()));
        sub.add_option("--integrator", integrator, choices<Integrator>())
            ->check(CLI::IsMember(names_of<Integrator>()));
        sub.add_option("--rtol", rtol, "relative tolerance of a step, e.g. 1e-9");
        sub.add_option("--atol", atol,
                       "absolute tolerance of a step, as a fraction of the model's size (default: "
                       "rtol, if given)");
        sub.add_option("--integrator-step", integrator_step,
                       "fixed step of rk4 and moreau, e.g. \"1 ms\"");
        sub.add_option(
               "--checkpoint", checkpoint,
               "seconds between the states that a long run saves for `pawl resume`; 0: none")
            ->check(seconds_or_none)
            ->capture_default_str();
    }
    // Flags over settings of the model.
    void apply(RunSettings& run) const {
        if (!end.empty()) run.end = seconds(end, "--end");
        if (!step.empty()) run.step = seconds(step, "--step");
        if (run.end / run.step > 1e7)
            throw Failure{wrong_usage, "more than 10 million samples; take a longer --step"};
        if (!coordinates.empty()) run.coordinates = named<CoordinateChoice>(coordinates).value();
        if (!dynamics.empty()) run.dynamics = named<Formulation>(dynamics).value();
        if (!integrator.empty()) run.integrator = named<Integrator>(integrator).value();
        if (!rtol.empty()) run.rtol = run.atol = tolerance_of(rtol, "--rtol");
        if (!atol.empty()) run.atol = tolerance_of(atol, "--atol");
        if (!integrator_step.empty()) {
            run.integrator_step = seconds(integrator_step, "--integrator-step");
            if (run.integrator != Integrator::rk4 && run.integrator != Integrator::moreau)
                throw Failure{wrong_usage,
                              "--integrator-step is for the fixed steps of rk4 and moreau; the "
                              "others choose theirs by --rtol and --atol"};
        }
    }
    int run_kinematics(ModelData m, bool with_forces) const;
    int run_dynamics(ModelData m) const;
    // In a folder that a run has left.
    int resume(const std::string& folder);
    [[nodiscard]] Checkpoint checkpoint_of(const ModelData& m) const;
    DynamicResult simulate(const PlacedMechanism& placed, const DynamicOptions& options,
                           Checkpoint& keep) const;
    int run(ModelData m) const {
        if (m.run.analysis == Analysis::check) return run_check(model, 0);
        if (m.run.analysis == Analysis::statics) return run_quasi_static(model, std::move(m));
        if (m.run.analysis == Analysis::dynamics) return run_dynamics(std::move(m));
        const bool inverse = m.run.analysis == Analysis::inverse;
        return run_kinematics(std::move(m), inverse);
    }
};

double elapsed(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print_driven_audit(const Audit& audit, const KinematicStatistics& s, bool with_forces) {
    fmt::print(
        "audit   {}: largest constraint residual {:.1e} m, limit {:.1e} m; condition number "
        "{:.3g}\n",
        audit.passed() ? "passed" : "FAILED", s.largest_residual, audit.checks.front().limit,
        s.largest_condition);
    if (with_forces)
        fmt::print("audit   balance of forces {:.1e}, limit 1.0e-06 of the largest force\n",
                   s.largest_imbalance);
    print_failed(audit, {"penetration", "pulling contact", "friction cone"});
}

int RunCommand::run_kinematics(ModelData m, bool with_forces) const {
    apply(m.run);
    if (with_forces) require_masses_or_fail(m);
    const PlacedMechanism placed = assemble_or_fail(m);
    if (placed.mechanism.drivers.empty() && !model.quiet)
        complain(m.file +
                 ": warning: the mechanism has no driver, so it stays at rest; add a [driver.NAME] "
                 "table\n");
    KinematicOptions options = kinematic_options(m.run);
    options.influence = influence;
    options.matrices_at = matrices.time(m.run.end, m.mechanism.moving_bodies());
    options.reactions = with_forces;
    const auto start = std::chrono::steady_clock::now();
    KinematicResult result;
    {
        Progress progress(!model.quiet && !model.json);
        options.progress = [&](double share) { progress(share); };
        result = pawl::run_kinematics(placed, options);
    }
    const int refusal =
        result.status == KinematicStatus::overlap || result.status == KinematicStatus::indeterminate
            ? bad_model
            : numerical_failure;
    // What does not begin leaves an earlier result alone.
    if (result.status != KinematicStatus::completed && result.trajectory.rows() == 0)
        throw failure_at(refusal, m, result.span, result.message);
    add_likely_mistakes(m, placed, result.warnings);
    const double wall = elapsed(start);
    const auto& s = result.statistics;
    const Audit audit = audit_of(result, placed, with_forces);
    Json summary = summary_of(m, placed, options, result);
    summary["timing"] = {{"wall_s", wall}};
    std::vector<NamedText> more;
    if (result.matrices) more = matrix_files(*result.matrices);
    if (influence) more.push_back({"influence.csv", csv(result.influence)});
    const std::string out =
        write_result_folder(model, m, summary, result.trajectory, result.events, std::move(more));
    if (model.json) {
        summary["result"] = out;
        print_json(summary);
    } else if (!model.quiet) {
        if (result.matrices) print_matrices(*result.matrices);
        if (!result.matrices && result.trajectory.rows() > 0)
            print_table(result.trajectory, placed.mechanism, units_of(model, m));
        print_events(result.events);
        print_responses(summary);
        if (!result.at_rest.empty())
            fmt::print("at rest {} (nothing drives it)\n", joined(result.at_rest));
        for (const auto& w : result.warnings) fmt::print("warning {}\n", w);
        print_notes(start_notes(m, placed));
        print_driven_audit(audit, s, with_forces);
        fmt::print("result  {} ({} samples, {:.3g} s)\n", out, s.samples, wall);
    }
    if (result.status != KinematicStatus::completed)
        throw failure_at(refusal, m, result.span, result.message);
    return audit.passed() ? done : check_failed;
}

Checkpoint RunCommand::checkpoint_of(const ModelData& m) const {
    const std::string out = std::filesystem::absolute(result_name(model, m, "dynamics")).string();
    return {out,
            {{"file", std::filesystem::absolute(m.file).string()},
             {"text", m.text},
             {"sets", model.sets},
             {"out", out},
             {"end", end},
             {"step", step},
             {"coordinates", coordinates},
             {"dynamics", dynamics},
             {"integrator", integrator},
             {"rtol", rtol},
             {"atol", atol},
             {"integrator_step", integrator_step}},
            checkpoint};
}

bool is_implicit(const DynamicResult& so_far) {
    const auto& changes = so_far.integrator_changes;
    return !changes.empty() && changes.back().to_implicit;
}

// To the end, or until Ctrl-C.
DynamicResult RunCommand::simulate(const PlacedMechanism& placed, const DynamicOptions& options,
                                   Checkpoint& keep) const {
    DynamicSimulation simulation(placed, options);
    if (!left.empty()) {
        keep.take_over(left);
        if (!simulation.restore(memory))
            throw not_to_resume(left, "its checkpoint is damaged, or of another version of pawl");
    }
    const Interruption interruption;
    Progress progress(!model.quiet && !model.json);
    bool stopped = false;
    while (!stopped && simulation.step()) {
        progress(simulation.time() / options.end,
                 fmt::format(
                     "t = {:.4g} s, {}{}", simulation.time(),
                     plural(static_cast<int>(simulation.so_far().events.size()), "event", "events"),
                     is_implicit(simulation.so_far()) ? ", implicit integrator" : ""));
        keep(simulation);
        stopped = Interruption::asked();
    }
    const double t = simulation.time();
    DynamicResult result = simulation.finish();
    if (stopped && result.status == DynamicStatus::completed) {
        result.status = DynamicStatus::interrupted;
        result.message = fmt::format("interrupted at t = {:.9g} s", t);
    }
    return result;
}

int RunCommand::resume(const std::string& folder) {
    const Json saved = Checkpoint::read(folder);
    left = folder;
    try {
        model.file = saved.at("file").get<std::string>();
        model.sets = saved.at("sets").get<std::vector<std::string>>();
        model.out = saved.at("out").get<std::string>();
        for (const auto& [name, value] : {std::pair{"end", &end},
                                          {"step", &step},
                                          {"coordinates", &coordinates},
                                          {"dynamics", &dynamics},
                                          {"integrator", &integrator},
                                          {"rtol", &rtol},
                                          {"atol", &atol},
                                          {"integrator_step", &integrator_step},
                                          {"memory", &memory}})
            *value = saved.at(name).get<std::string>();
        Diagnostics diagnostics;
        auto m = read_model(saved.at("text").get<std::string>(), model.file, model.overrides(),
                            diagnostics);
        if (!m) throw Failure{bad_model, diagnostics.text()};
        return run_dynamics(std::move(*m));
    } catch (const nlohmann::json::exception&) {
        throw not_to_resume(folder, "it is damaged");
    }
}

int RunCommand::run_dynamics(ModelData m) const {
    apply(m.run);
    require_masses_or_fail(m);
    const PlacedMechanism placed = assemble_or_fail(m);
    DynamicOptions options = dynamic_options(m.run);
    if (laws) return compare_impact_laws(placed, options, model.json);
    const auto start = std::chrono::steady_clock::now();
    Checkpoint keep = checkpoint_of(m);  // until the result is written
    options.spool.file = [&keep](const std::string& name) { return keep.file(name); };
    DynamicResult result = simulate(placed, options, keep);
    if (result.status != DynamicStatus::completed && result.trajectory.rows() == 0)
        throw failure_at(exit_code(result.status), m, result.span, result.message);
    add_likely_mistakes(m, placed, result.warnings);
    const double wall = elapsed(start);
    const auto& s = result.statistics;
    Json summary = summary_of(m, placed, options, result);
    summary["timing"] = {{"wall_s", wall}};
    const std::string out =
        write_result_folder(model, m, summary, result.trajectory, result.events);
    if (model.json) {
        summary["result"] = out;
        print_json(summary);
    } else if (!model.quiet) {
        if (result.trajectory.rows() > 0)
            print_table(result.trajectory, placed.mechanism, units_of(model, m));
        print_events(result.events);
        print_responses(summary);
        for (const auto& w : result.warnings) fmt::print("warning {}\n", w);
        print_notes(notes_of(m, placed, result));
        fmt::print("solver  {} in {} coordinates, {}: {} steps, {} rejected, {} evaluations\n",
                   value_name(result.dynamics), value_name(m.run.coordinates),
                   integrators_of(result), s.steps, s.rejected, s.evaluations);
        print_clearances(result.clearances);
        print_audit(result.audit);
        fmt::print("result  {} ({} samples, {:.3g} s)\n", out, s.samples, wall);
    }
    if (result.status == DynamicStatus::interrupted) {
        complain(m.file + ": " + result.message + "; the result holds the motion until then\n");
        return interrupted;
    }
    if (result.status != DynamicStatus::completed)
        throw failure_at(exit_code(result.status), m, result.span, result.message);
    return result.audit.passed() ? done : check_failed;
}

}  // namespace

Command add_kinematics(CLI::App& app) {
    auto command = std::make_shared<RunCommand>();
    auto* sub =
        app.add_subcommand("kinematics", "solve a driven motion: position, velocity, acceleration");
    command->add_common(*sub);
    sub->add_flag("--influence", command->influence,
                  "also write influence coefficients of first and second order");
    command->matrices.add_to(*sub);
    return [command] {
        return command->model.each(
            [&] { return command->run_kinematics(command->model.read(), false); });
    };
}

Command add_inverse(CLI::App& app) {
    auto command = std::make_shared<RunCommand>();
    command->add_common(*app.add_subcommand(
        "inverse", "find the driver forces and all reactions of a given motion"));
    return [command] {
        return command->model.each(
            [&] { return command->run_kinematics(command->model.read(), true); });
    };
}

Command add_dynamics(CLI::App& app) {
    auto command = std::make_shared<RunCommand>();
    auto* sub = app.add_subcommand(
        "dynamics", "solve the motion under forces, with reactions and an energy audit");
    command->add_common(*sub);
    command->add_dynamics(*sub);
    sub->add_flag(
        "--impact-laws", command->laws,
        "run with Newton's, Poisson's and Stronge's law in all rigid contacts and show how "
        "they differ; writes no result");
    return [command] {
        return command->model.each([&] { return command->run_dynamics(command->model.read()); });
    };
}

Command add_resume(CLI::App& app) {
    auto command = std::make_shared<RunCommand>();
    auto folder = std::make_shared<std::string>();
    auto* sub = app.add_subcommand("resume", "continue a run that was killed");
    sub->add_option("folder", *folder, "the unfinished folder that the run left behind")
        ->required();
    sub->add_flag("-q,--quiet", command->model.quiet, "print nothing but errors");
    sub->add_flag("--json", command->model.json, "print the result as JSON");
    sub->add_option("--checkpoint", command->checkpoint,
                    "seconds between saved states, as for `pawl run`; 0: none")
        ->check(seconds_or_none)
        ->capture_default_str();
    return [command, folder] { return command->resume(*folder); };
}

Command add_run(CLI::App& app) {
    auto command = std::make_shared<RunCommand>();
    auto* sub = app.add_subcommand("run", "run the analysis that the model's [run] table asks for");
    command->add_common(*sub);
    command->add_dynamics(*sub);
    sub->add_flag("--influence", command->influence,
                  "kinematics: also write influence coefficients");
    return [command] {
        return command->model.each([&] { return command->run(command->model.read()); });
    };
}

}  // namespace pawl::cli
