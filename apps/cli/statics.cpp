// `pawl statics`: balance at rest, its stability and vibrations, and the way of the equilibrium as
// drivers and loads change.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "manners/audit_text.h"
#include "manners/tables.h"
#include "simulation/equilibrium/equilibrium.h"
#include "simulation/quasi_static/quasi_static_run.h"
#include "support.h"

namespace pawl::cli {

namespace {

struct StaticsCommand {
    ModelOptions model;
    std::string at, end, step;
    bool modes = false, along = false;

    int run(ModelData m) const {
        if (!end.empty()) m.run.end = seconds(end, "--end");
        if (!step.empty()) m.run.step = seconds(step, "--step");
        if (m.run.end / m.run.step > 1e7)
            throw Failure{wrong_usage, "more than 10 million samples; take a longer --step"};
        if (along && !modes && !at.empty())
            throw Failure{wrong_usage,
                          "--along follows the equilibrium from t = 0; its --at is the time of the "
                          "vibrations: add --modes"};
        return along ? run_along(m) : run_at(m, at.empty() ? 0 : seconds(at, "--at"));
    }
    // With --along: the vibrations are those about the equilibrium at --at, or at the end; the run
    // goes no farther.
    void end_at_modes(QuasiStaticOptions& options) const {
        options.modes = modes;
        if (!modes || at.empty()) return;
        const double t = time_on_command_line(at, "--at");
        if (!(t >= 0)) throw Failure{wrong_usage, "--at: the equilibrium is followed from t = 0"};
        options.only_start = t == 0;
        if (t > 0) options.end = t;
    }
    [[nodiscard]] int run_at(const ModelData& m, double t) const;
    [[nodiscard]] int run_along(const ModelData& m) const;
};

// Forces in the joints in ground axes, and of the drivers.
void print_forces(const EquilibriumResult& r, const PlanarMechanism& mechanism,
                  const ShownUnits& units) {
    double largest = 0;
    std::map<std::string, double> largest_of;  // by unit
    for (std::size_t i = 0; i < r.forces.size(); ++i) {
        largest = std::max(largest, std::abs(r.forces[i]));
        double& of_unit = largest_of[r.columns[i].unit];
        of_unit = std::max(of_unit, std::abs(r.forces[i]));
    }
    const auto unit_of = [&](std::size_t at) {
        return units.of(r.columns[at].unit, largest_of[r.columns[at].unit]);
    };
    const auto shown = [&](std::size_t at) {
        return fmt::format("{:>12.6g} {}", unit_of(at).factor * shown_beside(r.forces[at], largest),
                           unit_of(at).unit);
    };
    std::size_t i = 0;
    for (const auto& joint : mechanism.joints) {
        if (joint.row_count() == 0) continue;
        fmt::print("joint   {:<16} fx {}   fy {}   m {}\n", joint.name, shown(i), shown(i + 1),
                   shown(i + 2));
        while (i < r.columns.size() && r.columns[i].name.starts_with(joint.name + ".")) ++i;
    }
    for (const auto& driver : mechanism.drivers) {
        fmt::print("driver  {:<16} {}\n", driver.name, shown(i));
        ++i;
    }
}

void print_stability(const EquilibriumResult& r) {
    const bool stuck = r.friction && r.friction->holds;
    fmt::print("balance {}", stuck ? "held by friction" : stability_name(r.stability));
    if (r.unstable > 0)
        fmt::print(", {}", plural(r.unstable, "unstable direction", "unstable directions"));
    if (r.neutral > 0)
        fmt::print(", {}", plural(r.neutral, "neutral direction", "neutral directions"));
    if (!r.stiffness.empty())
        fmt::print("; stiffness {:.6g} N/m ({})", r.stiffness.front(), r.directions.front());
    if (r.stiffness.size() > 1)
        fmt::print(" to {:.6g} N/m ({})", r.stiffness.back(), r.directions.back());
    fmt::print("; stored energy {:.9g} J{}\n", r.potential + 0.0,
               r.conservative ? "" : "; the forces have no potential");
}

// "from -2 to 4.5 N", "up to 3 times its value", "at any size".
std::string held_text(const HeldLoad& load) {
    const bool low = std::isfinite(load.low), high = std::isfinite(load.high);
    const std::string unit = load.unit == "1" ? " times its value" : " " + load.unit;
    if (!low && !high) return "held at any size, in both directions: self-locking";
    if (!high)
        return fmt::format("held from {:.7g}{} upwards, at any size: self-locking", load.low, unit);
    if (!low) return fmt::format("held up to {:.7g}{}", load.high, unit);
    return fmt::format("held from {:.7g} to {:.7g}{}", load.low, load.high, unit);
}

void print_friction(const EquilibriumFriction& friction) {
    if (!friction.holds) return;
    for (const HeldFriction& point : friction.points)
        fmt::print("stuck   {:<16} {:>12.6g} {} of at most {:.6g} {}\n", point.name,
                   point.force + 0.0, point.unit, point.limit, point.unit);
    for (const HeldLoad& load : friction.loads)
        fmt::print("load    {:<16} {}\n", load.name, held_text(load));
}

void print_modes(const Vibration& vibration, const PlanarMechanism& mechanism) {
    if (!vibration.problem.empty()) fmt::print("modes   none: {}\n", vibration.problem);
    for (std::size_t i = 0; i < vibration.modes.size(); ++i) {
        const VibrationMode& mode = vibration.modes[i];
        if (mode.kind == ModeKind::oscillating)
            fmt::print("mode {:<2} {:.9g} Hz, damping ratio {:.6g}\n", i + 1, mode.frequency,
                       mode.damping_ratio + 0.0);
        else
            fmt::print("mode {:<2} {}, {:.9g} 1/s\n", i + 1, mode_kind_name(mode.kind),
                       mode.eigenvalue.real());
        for (std::size_t b = 1; b < mode.shape.size(); ++b) {
            const auto& d = mode.shape[b];
            const auto text = [](std::complex<double> z) {
                return std::abs(z.imag()) > 1e-6 ? fmt::format("{:.5g}{:+.5g}i", z.real(), z.imag())
                                                 : fmt::format("{:.5g}", z.real() + 0.0);
            };
            if (std::abs(d.x) + std::abs(d.y) + std::abs(d.angle) < 1e-9) continue;
            fmt::print("        {:<16} x {:>10} m   y {:>10} m   angle {:>10} rad\n",
                       mechanism.bodies[b].name, text(d.x), text(d.y), text(d.angle));
        }
    }
    if (vibration.without_inertia > 0)
        fmt::print("        {} without inertia: no frequency\n",
                   plural(vibration.without_inertia, "degree of freedom", "degrees of freedom"));
}

// The equilibrium as a table of one row.
Trajectory one_row(const EquilibriumResult& r, const PlanarMechanism& mechanism, double t) {
    Trajectory out;
    std::vector<double> row{t};
    out.columns.push_back({"t", "s"});
    for (std::size_t b = 1; b < r.positions.size(); ++b) {
        for (const auto& [tail, unit] : {std::pair{"x", "m"}, {"y", "m"}, {"angle", "rad"}})
            out.columns.push_back({mechanism.bodies[b].name + "." + tail, unit});
        row.insert(row.end(), {r.positions[b].p.x, r.positions[b].p.y, r.positions[b].angle});
    }
    out.columns.insert(out.columns.end(), r.columns.begin(), r.columns.end());
    row.insert(row.end(), r.forces.begin(), r.forces.end());
    out.columns.push_back({"energy.potential", "J"});
    row.push_back(r.potential);
    if (r.status == EquilibriumStatus::balanced) out.add(row);
    return out;
}

int StaticsCommand::run_at(const ModelData& m, double t) const {
    const PlacedMechanism placed = assemble_or_fail(m);
    const auto start = std::chrono::steady_clock::now();
    const EquilibriumOptions options{.at = t, .modes = modes};
    EquilibriumResult r = find_equilibrium(placed, options);
    const double wall =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    add_likely_mistakes(m, placed, r.warnings);
    const bool balanced = r.status == EquilibriumStatus::balanced;
    const Audit audit = audit_of(r, placed);
    Json summary = summary_of(m, placed, options, r);
    summary["timing"] = {{"wall_s", wall}};
    const std::string out =
        write_result_folder(model, m, summary, one_row(r, placed.mechanism, t), {});
    if (model.json) {
        summary["result"] = out;
        print_json(summary);
    } else if (!model.quiet && balanced) {
        print_positions(placed.mechanism, r.positions, units_of(model, m));
        print_stability(r);
        print_forces(r, placed.mechanism, units_of(model, m));
        if (r.friction) print_friction(*r.friction);
        if (modes) print_modes(r.vibration, placed.mechanism);
        for (const auto& w : r.warnings) fmt::print("warning {}\n", w);
        print_notes(start_notes(m, placed));
        fmt::print(
            "audit   {}: unbalanced force {:.1e} N, limit {:.1e} N; constraint residual {:.1e} m, "
            "limit {:.1e} m\n",
            audit.passed() ? "passed" : "FAILED", r.unbalance, r.unbalance_limit, r.residual,
            audit.checks.front().limit);
        fmt::print("result  {} ({:.3g} s)\n", out, wall);
    }
    if (!balanced)
        throw failure_at(r.status == EquilibriumStatus::refused ? wrong_usage : numerical_failure,
                         m, r.span, r.message);
    return audit.passed() ? done : check_failed;
}

int StaticsCommand::run_along(const ModelData& m) const {
    const PlacedMechanism placed = assemble_or_fail(m);
    QuasiStaticOptions options;
    options.end = m.run.end;
    options.step = m.run.step;
    end_at_modes(options);
    const auto start = std::chrono::steady_clock::now();
    QuasiStaticResult r;
    {
        Progress progress(!model.quiet && !model.json);
        options.progress = [&](double share) { progress(share); };
        r = pawl::run_quasi_static(placed, options);
    }
    const int refusal = r.status == QuasiStaticStatus::overlap   ? bad_model
                        : r.status == QuasiStaticStatus::refused ? wrong_usage
                                                                 : numerical_failure;
    if (r.status != QuasiStaticStatus::completed && r.trajectory.rows() == 0)
        throw failure_at(refusal, m, r.span, r.message);
    add_likely_mistakes(m, placed, r.warnings);
    const double wall =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto& s = r.statistics;
    const Audit audit = audit_of(r, placed);
    Json summary = summary_of(m, placed, options, r);
    summary["timing"] = {{"wall_s", wall}};
    const std::string out = write_result_folder(model, m, summary, r.trajectory, r.events);
    if (model.json) {
        summary["result"] = out;
        print_json(summary);
    } else if (!model.quiet) {
        if (r.trajectory.rows() > 0)
            print_table(r.trajectory, placed.mechanism, units_of(model, m));
        print_events(r.events);
        print_responses(summary);
        if (r.vibration) print_modes(*r.vibration, placed.mechanism);
        for (const auto& w : r.warnings) fmt::print("warning {}\n", w);
        print_notes(start_notes(m, placed));
        fmt::print(
            "audit   {}: largest constraint residual {:.1e} m, limit {:.1e} m; balance of forces "
            "{:.1e}, limit {:.1e}\n",
            audit.passed() ? "passed" : "FAILED", s.largest_residual, audit.checks.front().limit,
            s.largest_imbalance, find_check(audit, "balance of forces")->limit);
        print_failed(audit, {"penetration", "pulling contact"});
        fmt::print("result  {} ({} samples, {:.3g} s)\n", out, s.samples, wall);
    }
    if (r.status != QuasiStaticStatus::completed) throw failure_at(refusal, m, r.span, r.message);
    return audit.passed() ? done : check_failed;
}

}  // namespace

int run_quasi_static(const ModelOptions& options, ModelData model) {
    StaticsCommand command;
    command.model = options;
    command.along = !model.mechanism.drivers.empty();
    command.modes = !command.along;
    return command.run(std::move(model));
}

Command add_statics(CLI::App& app) {
    auto command = std::make_shared<StaticsCommand>();
    auto* sub = app.add_subcommand(
        "statics", "find the equilibrium: position, stability, vibrations, joint forces");
    command->model.add_to(*sub, true, true);
    sub->add_option("--at", command->at,
                    "time at which drivers and loads are evaluated, e.g. \"0.5 s\" (default: 0)");
    sub->add_flag("--modes", command->modes,
                  "also find the vibrations about the equilibrium: frequencies, damping, mode "
                  "shapes; with --along at the end, or at --at, with the contacts closed there");
    sub->add_flag("--along", command->along,
                  "follow the equilibrium from t = 0 to the end, through snap-through");
    sub->add_option("--end", command->end, "with --along: end time (default: from the model)");
    sub->add_option("--step", command->step, "with --along: time between outputs");
    return [command] {
        return command->model.each([&] { return command->run(command->model.read()); });
    };
}

}  // namespace pawl::cli
