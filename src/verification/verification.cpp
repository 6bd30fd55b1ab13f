#include "verification/verification.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "dynamics/formulations/formulations.h"
#include "model_file/reading/model_file.h"
#include "model_file/reference/embedded_models.h"
#include "simulation/equilibrium/equilibrium.h"
#include "simulation/quasi_static/quasi_static_run.h"
#include "simulation/run_options.h"
#include "verification/slider_crank_equations.h"
#include "verification/verification_column.h"
#include "verification/verification_data.h"
#include "verification/verification_special.h"

namespace pawl {

namespace {

using Matrix = std::vector<std::vector<int>>;

// What a row changes for its run: parameters of the model, and of its table `run` the keys
// `run.analysis`, `run.end`, `run.step` (seconds) and `run.rtol` (of which `run.atol` is the same).
struct Changes {
    Overrides parameters, run;

    explicit Changes(std::string_view set) {
        while (!set.empty()) {
            const auto end = set.find(';');
            const std::string_view one = set.substr(0, end);
            const auto equals = one.find('=');
            const auto first = one.find_first_not_of(' ');
            const std::string name(one.substr(first, equals - first));
            (name.starts_with("run.") ? run : parameters)
                .emplace_back(name, std::string(one.substr(equals + 1)));
            set = end == std::string_view::npos ? std::string_view{} : set.substr(end + 1);
        }
    }
    void apply(RunSettings& settings) const {
        for (const auto& [name, value] : run) {
            if (name == "run.analysis") settings.analysis = named<Analysis>(value).value();
            if (name == "run.end") settings.end = std::stod(value);
            if (name == "run.step") settings.step = std::stod(value);
            if (name == "run.rtol") settings.rtol = settings.atol = std::stod(value);
        }
    }
};

std::optional<ModelData> embedded_model(std::string_view name, std::string_view set,
                                        std::string& note) {
    for (const EmbeddedModel& m : embedded_models()) {
        if (m.name != name) continue;
        Diagnostics diagnostics;
        const Changes changes(set);
        auto model =
            read_model(m.text, std::string(name) + ".toml", changes.parameters, diagnostics);
        if (!model) note = diagnostics.text();
        if (model) changes.apply(model->run);
        return model;
    }
    note = "no model '" + std::string(name) + "'";
    return std::nullopt;
}

// A model's run, made once for each set of parameters.
struct ModelRun {
    Trajectory trajectory;
    std::vector<Event> events;
    std::optional<MotionMatrices> matrices;
    std::optional<Vibration> vibration;
    std::optional<EquilibriumFriction> held;
    std::string note;
};

// When a row asks for an entry of a matrix, for a vibration or for what friction holds.
std::optional<double> looked_at(const VerificationRow& row) {
    const bool looks = row.column.starts_with("matrix:") || row.column.starts_with("mode:") ||
                       row.column.starts_with("held:");
    return looks ? std::optional(row.at) : std::nullopt;
}

// The vibrations about the equilibrium at a time, with the contacts that are closed; with friction,
// what it holds.
ModelRun run_static_model(const PlacedMechanism& placed, const RunSettings& settings, double at) {
    if (AuxiliaryLayout(placed.mechanism).has_friction()) {
        ModelRun run;
        run.held = find_equilibrium(placed, {.at = at}).friction;
        return run;
    }
    QuasiStaticOptions options{.end = at > 0 ? at : settings.end, .step = settings.step};
    options.modes = true;
    options.only_start = at == 0;
    QuasiStaticResult result = run_quasi_static(placed, options);
    ModelRun run;
    run.vibration = std::move(result.vibration);
    run.note = result.message;
    return run;
}

ModelRun run_model(std::string_view name, std::string_view set, std::optional<double> at) {
    ModelRun run;
    auto model = embedded_model(name, set, run.note);
    if (!model) return run;
    const PlacedMechanism placed = assemble(std::move(model->mechanism));
    if (!placed.ok()) {
        run.note = placed.assembly.message;
        return run;
    }
    if (model->run.analysis == Analysis::statics && at)
        return run_static_model(placed, model->run, *at);
    if (model->run.analysis == Analysis::statics) {
        QuasiStaticResult result =
            run_quasi_static(placed, {.end = model->run.end, .step = model->run.step});
        if (result.status != QuasiStaticStatus::completed) run.note = result.message;
        run.trajectory = std::move(result.trajectory);
        run.events = std::move(result.events);
        return run;
    }
    if (model->run.analysis == Analysis::dynamics) {
        DynamicResult result = run_dynamics(placed, dynamic_options(model->run));
        // Laws of impact by which the energy grows are shown as they are; the audit names them.
        for (const AuditCheck& check : result.audit.checks)
            if (!check.passed() && check.name != "energy of impacts")
                run.note = "the audit failed: " + check.name;
        run.trajectory = std::move(result.trajectory);
        run.events = std::move(result.events);
        return run;
    }
    KinematicOptions options = kinematic_options(model->run);
    options.matrices_at = at;
    KinematicResult result = run_kinematics(placed, options);
    run.matrices = std::move(result.matrices);
    run.trajectory = std::move(result.trajectory);
    run.events = std::move(result.events);
    return run;
}

VerificationOutcome compare(const VerificationRow& row, const ModelRun& run) {
    VerificationOutcome o{
        std::string(row.problem),
        std::string(row.column) + (row.set.empty() ? "" : " (" + std::string(row.set) + ")"),
        row.column.find(':') != std::string_view::npos && row.at == 0
            ? ""
            : fmt::format("{:g} s", row.at),
        std::string(row.unit),
        row.published,
        row.reference,
        NAN,
        NAN,
        row.tolerance,
        false,
        std::string(row.source),
        run.note};
    if (is_derivative(row.column))
        o.computed = derivative_value(row, o.note);
    else if (run.matrices)
        o.computed = matrix_value(*run.matrices, row.column, row.unit, o.note);
    else if (run.held)
        o.computed = held_bound(*run.held, row.column, o.note);
    else if (run.vibration)
        o.computed = mode_frequency(*run.vibration, row.column, o.note);
    else if (run.note.empty())
        o.computed = column_value(run.trajectory, run.events, row.column, row.at, row.unit, o.note);
    o.error = std::abs(o.computed - o.reference);
    o.pass = o.error <= o.tolerance;
    return o;
}

int differences(const Matrix& a, const Matrix& b) {
    if (a.size() != b.size()) return 1000;
    int count = 0;
    for (std::size_t r = 0; r < a.size(); ++r) {
        if (a[r].size() != b[r].size()) return 1000;
        for (std::size_t c = 0; c < a[r].size(); ++c) count += a[r][c] != b[r][c];
    }
    return count;
}

VerificationOutcome counted(const char* quantity, int computed, const char* source) {
    return {"W6",
            quantity,
            "",
            "1",
            NAN,
            0,
            static_cast<double>(computed),
            static_cast<double>(std::abs(computed)),
            0,
            computed == 0,
            source,
            ""};
}

// Trigger mechanism of Wang 1996, section 2.2.2: columns R12 R13 R14 P16 R35 C23 C45 C56 C26 C24.
std::vector<VerificationOutcome> verify_trigger_topology() {
    std::string note;
    const auto model = embedded_model("trigger_topology", {}, note);
    if (!model) {
        auto o = counted("model", 1, "Wang 1996");
        o.note = note;
        return {o};
    }
    const Topology g = analyse_topology(model->mechanism);
    const Matrix incidence{{-1, -1, -1, -1, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, -1, 0, 0, -1, -1},
                           {0, 1, 0, 0, -1, 1, 0, 0, 0, 0},    {0, 0, 1, 0, 0, 0, -1, 0, 0, 1},
                           {0, 0, 0, 0, 1, 0, 1, -1, 0, 0},    {0, 0, 0, 1, 0, 0, 0, 1, 1, 0}};
    const Matrix tree_paths{
        {1, 0, 0, 0, 0}, {0, 1, 0, 0, 1}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}};
    const Matrix loops{{-1, 1, 0, 0, 0, -1, 0, 0, 0, 0},
                       {0, 1, -1, 0, 1, 0, -1, 0, 0, 0},
                       {0, -1, 0, 1, -1, 0, 0, -1, 0, 0},
                       {-1, 0, 0, 1, 0, 0, 0, 0, -1, 0},
                       {-1, 0, 1, 0, 0, 0, 0, 0, 0, -1}};
    Matrix product(g.links.size(), std::vector<int>(g.loops.size(), 0));
    const Matrix gamma = g.incidence(), pi = g.loop_matrix();
    for (std::size_t l = 0; l < product.size(); ++l)
        for (std::size_t k = 0; k < g.loops.size(); ++k)
            for (std::size_t e = 0; e < g.edges.size(); ++e)
                product[l][k] += gamma[l][e] * pi[k][e];
    // The closed walks, each in either direction.
    std::vector<std::string> walks;
    for (const Loop& loop : g.loops) {
        std::string forward, backward;
        for (const int link : loop.links) {
            forward += std::to_string(link + 1);
            backward.insert(0, std::to_string(link + 1));
        }
        walks.push_back(std::min(forward, backward));
    }
    int missing = 0;
    for (const char* walk : {"1231", "1241", "13561", "13541", "1261"})
        missing += std::find(walks.begin(), walks.end(), walk) == walks.end();
    const Matrix zero(g.links.size(), std::vector<int>(g.loops.size(), 0));
    return {
        counted("incidence matrix, wrong entries", differences(gamma, incidence),
                "Wang 1996, eq. 2.2.2-2"),
        counted("inverse of its tree part, wrong entries", differences(g.tree_paths(), tree_paths),
                "Wang 1996, eq. 2.2.2-17"),
        counted("loop matrix, wrong entries", differences(pi, loops), "Wang 1996, eq. 2.2.2-19"),
        counted("incidence x loops^T, entries not zero", differences(product, zero),
                "Wang 1996, eq. 2.2.2-8"),
        counted("independent loops missing", missing, "Wang 1996, section 2.2.2.2")};
}

// Iterates of the augmented Lagrangian with penalty 1e4, in natural coordinates (x1, y1, x2): the
// error of the acceleration in a regular position, the acceleration of y1 in the singular one.
std::vector<VerificationOutcome> verify_augmented_iterations() {
    const double root = std::sqrt(0.5);
    const std::vector<double> exact{2.377314575050762, -5.205741699796952, 4.754629150101524};
    const char* source = "Garcia de Jalon and Bayo 1994, example 10.5; recomputed";
    std::vector<VerificationOutcome> out;
    const auto add = [&](std::string quantity, double published, double reference, double computed,
                         double tolerance) {
        const double error = std::abs(computed - reference);
        out.push_back({"G1", std::move(quantity), "", "m/s^2", published, reference, computed,
                       error, tolerance, error <= tolerance, source, ""});
    };
    const auto iterate = [](int count, const std::vector<double>& q, const std::vector<double>& v) {
        SliderCrankEquations equations;
        AugmentedDynamics dynamics(equations);
        dynamics.set_penalty(1e4);
        dynamics.set_iterations(count);
        dynamics.respond(0, q, v, {});
        return dynamics.acceleration();
    };
    const double errors[] = {6.579190e-4, 4.370539e-8, 0}, tolerances[] = {1e-10, 1e-14, 1e-11};
    for (int i = 0; i < 3; ++i) {
        const auto a = iterate(i + 1, {root, root, 2 * root}, {-1, 1, -2});
        const double distance = std::hypot(a[0] - exact[0], a[1] - exact[1], a[2] - exact[2]);
        add("error after iteration " + std::to_string(i + 1), NAN, errors[i], distance,
            tolerances[i]);
    }
    const double iterates[] = {-1.00045715142829, -1.00000001523787, -1.00000000000051, -1};
    for (int i = 0; i < 4; ++i)  // the printed first iterate was made with half the mass of y1
        add("y1'' at the singular position, iteration " + std::to_string(i + 1),
            i == 0 ? -1.00047382543624 : NAN, iterates[i],
            iterate(i + 1, {0, 1, 0}, {-1, 0, -2})[1], 1e-14);
    return out;
}

}  // namespace

std::vector<std::string> verification_problems() {
    std::vector<std::string> names;
    const auto add = [&](std::string_view name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    };
    for (const VerificationRow& row : verification_rows()) {
        add(row.problem);
        if (row.problem == "K1") add("W6");
    }
    add("G3");
    add("ball on plate");
    return names;
}

std::vector<VerificationOutcome> verify(const std::string& problem) {
    std::vector<VerificationOutcome> outcomes;
    std::map<std::tuple<std::string_view, std::string_view, std::optional<double>>, ModelRun> runs;
    for (const std::string& name : verification_problems()) {
        if (!problem.empty() && name != problem) continue;
        if (name == "W6")
            for (auto& o : verify_trigger_topology()) outcomes.push_back(std::move(o));
        if (name == "G1")
            for (auto& o : verify_augmented_iterations()) outcomes.push_back(std::move(o));
        if (name == "G3")
            for (auto& o : verify_synthesis()) outcomes.push_back(std::move(o));
        if (name == "A1")
            for (auto& o : verify_particles()) outcomes.push_back(std::move(o));
        if (name == "ball on plate")
            for (auto& o : verify_ball_on_plate()) outcomes.push_back(std::move(o));
        if (name == "rolling hexagon")
            for (auto& o : verify_rolling_hexagon()) outcomes.push_back(std::move(o));
        for (const VerificationRow& row : verification_rows()) {
            if (row.problem != name) continue;
            if (is_derivative(row.column)) {
                outcomes.push_back(compare(row, {}));
                continue;
            }
            const std::tuple key{row.model, row.set, looked_at(row)};
            if (!runs.contains(key))
                runs.emplace(key, run_model(row.model, row.set, looked_at(row)));
            outcomes.push_back(compare(row, runs.at(key)));
        }
    }
    return outcomes;
}

VerificationOutcome verify(const VerificationRow& row) {
    if (is_derivative(row.column)) return compare(row, {});
    return compare(row, run_model(row.model, row.set, looked_at(row)));
}

std::string verification_manual(const std::vector<VerificationOutcome>& outcomes) {
    std::string out =
        "# Verification manual\n\nMade by `./dev docs` from `pawl verify --markdown`: every row "
        "runs an example model "
        "of `models/` and compares with a published or closed-form number. `published` is the "
        "number as printed in "
        "the source, kept also where it is a misprint; `reference` is the number recomputed to "
        "full precision, "
        "against which the error is taken.\n\n"
        "A quantity is a [response](responses.md): a column of the result at the time `at` "
        "(minima, "
        "maxima and changes of sign count from there on), or a number made of columns and events. "
        "Three more forms are used here: `matrix:jacobian:B.x:rod.angle`, an entry of a matrix of "
        "`kinematics --matrices`, by row and column; `mode:2`, the natural frequency of the "
        "second mode of `statics --along --modes`; and `held:push:high`, the largest multiple of "
        "a load that friction holds (`statics`). The last tables have derivatives, "
        "`d(response)/d(parameter)`, as [`sensitivity`](sensitivity.md) gives them.\n";
    const auto number = [](double v) {
        return std::isnan(v) ? std::string() : fmt::format("{:.12g}", v);
    };
    std::string problem;
    for (const VerificationOutcome& o : outcomes) {
        if (o.problem != problem) {
            problem = o.problem;
            out += "\n## " + problem +
                   "\n\n| quantity | at | unit | published | reference | computed | tolerance | "
                   "pass | source |\n"
                   "|---|---|---|---|---|---|---|---|---|\n";
        }
        out += fmt::format("| {} | {} | {} | {} | {} | {} | {:.0e} | {} | {} |\n", o.quantity, o.at,
                           o.unit, number(o.published), number(o.reference), number(o.computed),
                           o.tolerance, o.pass ? "yes" : "**no**", o.source);
    }
    return out;
}

}  // namespace pawl
