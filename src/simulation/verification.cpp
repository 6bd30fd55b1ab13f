#include "simulation/verification.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "math/units.h"
#include "model_file/embedded_models.h"
#include "model_file/model_file.h"
#include "simulation/kinematic_run.h"
#include "simulation/verification_data.h"

namespace pawl {

namespace {

using Matrix = std::vector<std::vector<int>>;

std::optional<Model> embedded_model(std::string_view name, std::string& note) {
    for (const EmbeddedModel& m : embedded_models()) {
        if (m.name != name) continue;
        Diagnostics diagnostics;
        auto model = read_model(m.text, std::string(name) + ".toml", {}, diagnostics);
        if (!model) note = diagnostics.text();
        return model;
    }
    note = "no model '" + std::string(name) + "'";
    return std::nullopt;
}

// A model's kinematic run, made once.
struct ModelRun {
    KinematicResult result;
    std::string note;
};

ModelRun run_model(std::string_view name) {
    ModelRun run;
    auto model = embedded_model(name, run.note);
    if (!model) return run;
    const PlacedMechanism placed = assemble(std::move(model->mechanism));
    if (!placed.ok()) {
        run.note = placed.assembly.message;
        return run;
    }
    KinematicOptions options;
    options.end = model->run.end;
    options.step = model->run.step;
    options.coordinates =
        model->run.coordinates == "absolute" ? CoordinateKind::absolute : CoordinateKind::relative;
    run.result = run_kinematics(placed, options);
    return run;
}

double value_at(const KinematicResult& result, const VerificationRow& row, std::string& note) {
    if (row.column == "dead_point") {
        for (const Event& e : result.events)
            if (e.kind == EventKind::dead_point) return e.t;
        note = "no dead point was met";
        return NAN;
    }
    const Trajectory& t = result.trajectory;
    const int column = t.find(std::string(row.column));
    if (column < 0) {
        note = "no column '" + std::string(row.column) + "'";
        return NAN;
    }
    const auto from = parse_unit(t.columns[column].unit), to = parse_unit(row.unit);
    const double factor = (from ? from->factor : 1) / (to ? to->factor : 1);
    for (std::size_t r = 0; r < t.rows(); ++r)
        if (std::abs(t.row(r)[0] - row.at) < 1e-9) return t.row(r)[column] * factor;
    note = "no sample at this time; the run ended before";
    return NAN;
}

VerificationOutcome compare(const VerificationRow& row, const ModelRun& run) {
    VerificationOutcome o{std::string(row.problem),
                          std::string(row.column),
                          row.column == "dead_point" ? "" : fmt::format("{:g} s", row.at),
                          std::string(row.unit),
                          row.published,
                          row.reference,
                          NAN,
                          NAN,
                          row.tolerance,
                          false,
                          std::string(row.source),
                          run.note};
    if (run.note.empty()) o.computed = value_at(run.result, row, o.note);
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
    return {"W6", quantity, "", "1", NAN, 0, static_cast<double>(computed), static_cast<double>(std::abs(computed)),
            0, computed == 0, source, ""};
}

// Trigger mechanism of Wang 1996, section 2.2.2: columns R12 R13 R14 P16 R35 C23 C45 C56 C26 C24.
std::vector<VerificationOutcome> verify_trigger_topology() {
    std::string note;
    const auto model = embedded_model("trigger_topology", note);
    if (!model) {
        auto o = counted("model", 1, "Wang 1996");
        o.note = note;
        return {o};
    }
    const Topology g = analyse_topology(model->mechanism);
    const Matrix incidence{{-1, -1, -1, -1, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, -1, 0, 0, -1, -1},
                           {0, 1, 0, 0, -1, 1, 0, 0, 0, 0},    {0, 0, 1, 0, 0, 0, -1, 0, 0, 1},
                           {0, 0, 0, 0, 1, 0, 1, -1, 0, 0},    {0, 0, 0, 1, 0, 0, 0, 1, 1, 0}};
    const Matrix tree_paths{{1, 0, 0, 0, 0}, {0, 1, 0, 0, 1}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}};
    const Matrix loops{{-1, 1, 0, 0, 0, -1, 0, 0, 0, 0}, {0, 1, -1, 0, 1, 0, -1, 0, 0, 0},
                       {0, -1, 0, 1, -1, 0, 0, -1, 0, 0}, {-1, 0, 0, 1, 0, 0, 0, 0, -1, 0},
                       {-1, 0, 1, 0, 0, 0, 0, 0, 0, -1}};
    Matrix product(g.links.size(), std::vector<int>(g.loops.size(), 0));
    const Matrix gamma = g.incidence(), pi = g.loop_matrix();
    for (std::size_t l = 0; l < product.size(); ++l)
        for (std::size_t k = 0; k < g.loops.size(); ++k)
            for (std::size_t e = 0; e < g.edges.size(); ++e) product[l][k] += gamma[l][e] * pi[k][e];
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
    return {counted("incidence matrix, wrong entries", differences(gamma, incidence), "Wang 1996, eq. 2.2.2-2"),
            counted("inverse of its tree part, wrong entries", differences(g.tree_paths(), tree_paths),
                    "Wang 1996, eq. 2.2.2-17"),
            counted("loop matrix, wrong entries", differences(pi, loops), "Wang 1996, eq. 2.2.2-19"),
            counted("incidence x loops^T, entries not zero", differences(product, zero), "Wang 1996, eq. 2.2.2-8"),
            counted("independent loops missing", missing, "Wang 1996, section 2.2.2.2")};
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
    return names;
}

std::vector<VerificationOutcome> verify(const std::string& problem) {
    std::vector<VerificationOutcome> outcomes;
    std::map<std::string_view, ModelRun> runs;
    for (const std::string& name : verification_problems()) {
        if (!problem.empty() && name != problem) continue;
        if (name == "W6")
            for (auto& o : verify_trigger_topology()) outcomes.push_back(std::move(o));
        for (const VerificationRow& row : verification_rows()) {
            if (row.problem != name) continue;
            if (!runs.contains(row.model)) runs.emplace(row.model, run_model(row.model));
            outcomes.push_back(compare(row, runs.at(row.model)));
        }
    }
    return outcomes;
}

VerificationOutcome verify(const VerificationRow& row) { return compare(row, run_model(row.model)); }

std::string verification_manual(const std::vector<VerificationOutcome>& outcomes) {
    std::string out =
        "# Verification manual\n\nMade by `./dev docs` from `pawl verify --markdown`: every row runs an example model "
        "of `models/` and compares with a published or closed-form number. `published` is the number as printed in "
        "the source, kept also where it is a misprint; `reference` is the number recomputed to full precision, "
        "against which the error is taken.\n";
    const auto number = [](double v) { return std::isnan(v) ? std::string() : fmt::format("{:.12g}", v); };
    std::string problem;
    for (const VerificationOutcome& o : outcomes) {
        if (o.problem != problem) {
            problem = o.problem;
            out += "\n## " + problem + "\n\n| quantity | at | unit | published | reference | computed | tolerance | pass | source |\n"
                   "|---|---|---|---|---|---|---|---|---|\n";
        }
        out += fmt::format("| {} | {} | {} | {} | {} | {} | {:.0e} | {} | {} |\n", o.quantity, o.at, o.unit,
                           number(o.published), number(o.reference), number(o.computed), o.tolerance,
                           o.pass ? "yes" : "**no**", o.source);
    }
    return out;
}

}  // namespace pawl
