// What is fuzzed: the readers of models, expressions, foreign data files and results, and whole
// runs. A target takes any bytes. It may refuse them; it must not crash, throw, hang or read what
// is not there.
#pragma once

#include <cmath>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "math/expression/expression.h"
#include "math/units.h"
#include "model_file/reference/embedded_models.h"
#include "model_file/text/model_text.h"
#include "output/plot/plot.h"
#include "output/plot/plot_choice.h"
#include "output/report/report.h"
#include "output/result/result_check.h"
#include "output/result/result_folder.h"
#include "results/event.h"
#include "simulation/equilibrium/equilibrium.h"
#include "simulation/placement/likely_mistakes.h"
#include "simulation/placement/mobility.h"
#include "simulation/quasi_static/quasi_static_run.h"
#include "simulation/run_options.h"
#include "support/exchange.h"

namespace pawl::fuzz {

// ---- readers ------------------------------------------------------------------------------------
inline void read_any_model(std::string_view text) {
    Diagnostics diagnostics;
    if (read_model(text, "m.toml", {}, diagnostics)) {
        ModelText edited{std::string(text)};
        edited.set("run.end", "2 s", diagnostics);
    }
    (void)diagnostics.text();
}

inline void read_any_expression(std::string_view text) {
    SymbolTable symbols;
    ExpressionError error;
    const auto parsed = Expression::parse(text, symbols, {}, error);
    if (!parsed) return;
    for (const Dimension& d : {dimension::none, dimension::length, dimension::time})
        if (const auto value = parsed->converted_to(d, {}, error))
            (void)value->evaluate(std::span<const double>{});
}

template <class Read>
void import_any(std::string_view text, Read read) {
    Diagnostics diagnostics;
    const auto found = read(text, ImportOptions{}, diagnostics);
    (void)diagnostics.text();
    if (!found) return;
    const std::string model = model_text_of(*found);
    Diagnostics again;
    (void)read_model(model, "imported.toml", {}, again);
}
inline void import_any_acdmc(std::string_view text) { import_any(text, read_acdmc); }
inline void import_any_adams(std::string_view text) { import_any(text, read_adams); }

// ---- results ------------------------------------------------------------------------------------
// result.json, trajectory.csv and events.csv, with this between them.
inline constexpr std::string_view border = "\n%%\n";

inline const std::string& model_of_results() {
    static const std::string text = R"(
format = 1
[body.ball]
position = [0, 0.3]
mass = 1
inertia = 0.004
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [1, 0], to = [-1, 0] }]
[profile.ball]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "floor"
b = "ball"
restitution = 0.5
[force.weight]
type = "gravity"
)";
    return text;
}
inline const PlacedMechanism& mechanism_of_results() {
    static const PlacedMechanism placed = [] {
        Diagnostics diagnostics;
        return assemble(read_model(model_of_results(), "m", {}, diagnostics)->mechanism);
    }();
    return placed;
}

inline void read_any_result(std::string_view text) {
    const std::size_t first = std::min(text.find(border), text.size());
    const std::string_view tail = text.substr(std::min(first + border.size(), text.size()));
    const std::size_t second = std::min(tail.find(border), tail.size());
    const ResultTexts texts{
        "r", std::string(text.substr(0, first)), model_of_results(),
        std::string(tail.substr(0, second)),
        std::string(tail.substr(std::min(second + border.size(), tail.size())))};
    std::string problem;
    const auto result = read_result(texts, problem);
    if (!result) return;
    using Kind = PlotChoice::Kind;
    for (const Kind kind :
         {Kind::history, Kind::phase, Kind::path, Kind::contacts, Kind::switching}) {
        PlotChoice choice;
        choice.kind = kind;
        if (const auto plot = make_plot(result->trajectory, result->events, choice, problem))
            (void)svg(*plot);
    }
    const PlacedMechanism& placed = mechanism_of_results();
    if (motion_problem(*result, placed.mechanism).empty()) (void)report(*result, placed);
}

inline std::string some_result() {
    DynamicOptions options;
    options.end = 0.3;
    options.step = 0.05;
    const DynamicResult run = run_dynamics(mechanism_of_results(), options);
    nlohmann::ordered_json checks = nlohmann::ordered_json::array(), events = checks,
                           ledger = checks;
    for (const AuditCheck& c : run.audit.checks)
        checks.push_back({{"name", c.name},
                          {"value", c.value()},
                          {"limit", c.limit},
                          {"unit", c.unit},
                          {"inequality", c.inequality},
                          {"passed", c.passed()}});
    for (const LedgerLine& l : run.audit.ledger)
        ledger.push_back({{"element", l.element}, {"stored_J", l.stored}, {"work_J", l.work}});
    for (const Event& e : run.events) events.push_back({{"t_s", e.t}});
    const nlohmann::ordered_json summary{
        {"format", result_format},
        {"pawl", "0"},
        {"analysis", "dynamics"},
        {"model", {{"file", "m"}, {"name", "ball"}, {"hash", fingerprint(model_of_results())}}},
        {"options", {{"end_s", 0.3}}},
        {"status", "completed"},
        {"warnings", {"none"}},
        {"audit",
         {{"verdict", "passed"},
          {"checks", checks},
          {"kinetic_change_J", 1.5},
          {"ledger", ledger}}},
        {"events", events},
        {"statistics", {{"samples", run.trajectory.rows()}}}};
    return summary.dump(1) + std::string(border) + csv(run.trajectory) + std::string(border) +
           csv(run.events);
}

// ---- runs ---------------------------------------------------------------------------------------
// Ends a run that is right but long.
struct StepLimit {};
inline constexpr int max_calls = 400;  // of the progress, about one for each step
inline constexpr double max_samples = 20;
inline constexpr std::size_t max_elements = 120;  // of all profiles: a search takes their square

inline void run_any_model(std::string_view text) {
    Diagnostics diagnostics;
    auto model = read_model(text, "m.toml", {}, diagnostics);
    if (!model) return;
    std::size_t elements = 0;
    for (const auto& profile : model->mechanism.profiles) elements += profile.chain.elements.size();
    if (elements > max_elements) return;
    RunSettings& run = model->run;
    run.step = std::max(run.step, run.end / max_samples);
    Diagnostics masses;
    if (run.analysis == Analysis::dynamics || run.analysis == Analysis::inverse) {
        require_masses(model->mechanism, masses);
        if (masses.has_errors()) return;
    }
    const PlacedMechanism placed = assemble(model->mechanism);
    if (!placed.ok()) return;
    warn_of_likely_mistakes(placed, diagnostics);
    int calls = 0;
    const auto progress = [&](double) {
        if (++calls > max_calls) throw StepLimit{};
    };
    try {
        if (run.analysis == Analysis::dynamics) {
            DynamicOptions options = dynamic_options(run);
            options.progress = progress;
            (void)run_dynamics(placed, options);
        } else if (run.analysis == Analysis::statics && !placed.mechanism.drivers.empty()) {
            (void)run_quasi_static(placed, {run.end, run.step, progress});
        } else if (run.analysis == Analysis::statics) {
            (void)find_equilibrium(placed, {.at = 0, .modes = true});
        } else if (run.analysis == Analysis::check) {
            (void)analyse_mobility(placed);
        } else {
            KinematicOptions options = kinematic_options(run);
            options.progress = progress;
            (void)run_kinematics(placed, options);
        }
    } catch (const StepLimit&) {
    }
}

// ---- the list -----------------------------------------------------------------------------------
struct Target {
    std::string_view name;
    void (*run)(std::string_view);
    std::vector<std::string> (*seeds)();
};

inline std::vector<std::string> embedded_texts() {
    std::vector<std::string> out;
    for (const EmbeddedModel& model : embedded_models()) out.emplace_back(model.text);
    return out;
}
// Models that run in milliseconds, for many runs.
inline std::vector<std::string> small_models() {
    constexpr std::size_t largest = 2600;  // bytes
    std::vector<std::string> out = embedded_texts();
    std::erase_if(out, [](const std::string& text) { return text.size() > largest; });
    return out;
}
inline std::vector<std::string> expressions() {
    return {"1",
            "2 mm",
            "3 N/m*2",
            "sin(30 deg) + 2*pi",
            "-(4 rpm)^2/3 s",
            "atan2(1, 2)*1 mm",
            "sqrt(2 m^2) - 3 cm",
            "if(1 < 2, 3, 4)",
            "min(1, 2, 3)",
            "1e-3*9.81 m/s^2",
            "2^3^2",
            "exp(-1)*log(5)",
            "((((1))))",
            "5 N m/rad",
            "step(0.5)",
            "abs(-3 deg)"};
}

inline const std::vector<Target>& targets() {
    static const std::vector<Target> all{
        {"model", read_any_model, embedded_texts},
        {"expression", read_any_expression, expressions},
        {"acdmc", import_any_acdmc,
         [] {
             return std::vector{test::data_file("wang_d2.dyn"), test::data_file("wang_d3.dyn")};
         }},
        {"adams", import_any_adams, [] { return std::vector{test::data_file("wang_d4.adm")}; }},
        {"result", read_any_result, [] { return std::vector{some_result()}; }},
        {"run", run_any_model, small_models}};
    return all;
}

// Runs a target. Running out of memory is an answer, too.
inline void run_target(const Target& target, std::string_view text) {
    try {
        target.run(text);
    } catch (const std::bad_alloc&) {
    }
}

}  // namespace pawl::fuzz
