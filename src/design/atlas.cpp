#include "design/atlas.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "math/units.h"
#include "model_file/reading/model_file.h"
#include "output/drawing/scene.h"
#include "output/svg/svg_text.h"
#include "simulation/kinematic/kinematic_run.h"
#include "simulation/run_options.h"

namespace pawl {

namespace {

constexpr double degree = std::numbers::pi / 180;

// A small circle for each point that was asked for.
std::vector<Trace> target_marks(const SynthesisTask& task) {
    std::vector<Trace> marks;
    if (task.kind == SynthesisKind::function) return marks;
    constexpr int corners = 12;
    const double radius = 0.012 * task.size();
    for (const Requirement& r : task.positions) {
        Trace mark;
        for (int k = 0; k <= corners; ++k) {
            const double w = 2 * std::numbers::pi * k / corners;
            mark.path.push_back(
                {r.point.x + radius * std::cos(w), r.point.y + radius * std::sin(w)});
        }
        marks.push_back(std::move(mark));
    }
    return marks;
}

std::string picture(const PlacedMechanism& placed, const Trajectory& trajectory,
                    const SynthesisTask& task) {
    std::vector<std::size_t> rows(trajectory.rows());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    const std::vector<BodyPoses> motion = poses_of(trajectory, placed.mechanism, rows);
    std::vector<Trace> traces = traces_of(placed.mechanism, motion);
    for (Trace& mark : target_marks(task)) traces.push_back(std::move(mark));
    const std::vector<BodyPoses> shown{placed.assembly.positions};
    SceneOptions look;
    look.motion = motion;
    look.shown = shown;
    look.traces = traces;
    look.room = room_on_page(420);
    return svg(make_scene(placed, look), {task.name, placed.assembly.positions, {}, traces, {}});
}

std::string size_text(const SynthesisTask& task, double metres) {
    const double factor = find_unit(task.unit).value_or(Unit{}).factor;
    return fmt::format("{:.4g} {}", metres / factor, task.unit);
}

std::vector<std::pair<std::string, std::string>> facts(const SynthesisProblem& problem,
                                                       const Solution& s) {
    const Appraisal& a = s.appraisal;
    return {{"type", a.type},
            {"defects", a.defects()},
            {"largest error", fmt::format("{:.3g} tolerances", a.worst_error)},
            {"transmission angle", fmt::format("{:.1f} deg or more", a.transmission / degree)},
            {"size", size_text(problem.task(), a.size)},
            {"found by", s.origin}};
}

constexpr const char* style =
    "body{font:15px/1.4 system-ui,sans-serif;margin:1.5rem;color:#1b2a33;background:#f4f6f7}"
    "h1{font-size:1.4rem}main{display:grid;gap:1rem;"
    "grid-template-columns:repeat(auto-fill,minmax(min(100%,330px),1fr))}"
    "article{background:#fff;border:1px solid #d3dce0;border-radius:6px;padding:.8rem}"
    "article.weak{border-color:#c96}h2{font-size:1rem;margin:0 0 .4rem}"
    "svg{width:100%;height:auto}dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem .8rem;"
    "margin:.5rem 0 0}dt{color:#567}dd{margin:0}";

}  // namespace

LinkageSheet make_sheet(const SynthesisProblem& problem, std::string model_text, int number) {
    LinkageSheet sheet;
    sheet.file = fmt::format("solution_{:02}.toml", number);
    sheet.model = std::move(model_text);
    Diagnostics diagnostics;
    auto model = read_model(sheet.model, sheet.file, {}, diagnostics);
    if (!model) {
        sheet.problem = diagnostics.text();
        return sheet;
    }
    const PlacedMechanism placed = assemble(std::move(model->mechanism));
    if (!placed.ok()) {
        sheet.problem = placed.assembly.message;
        return sheet;
    }
    const KinematicResult run = run_kinematics(placed, kinematic_options(model->run));
    if (run.status != KinematicStatus::completed) sheet.problem = run.message;
    sheet.svg = picture(placed, run.trajectory, problem.task());
    return sheet;
}

std::string atlas_page(const SynthesisProblem& problem, const SearchResult& result,
                       const std::vector<LinkageSheet>& sheets) {
    const SynthesisTask& task = problem.task();
    const std::string title = drawing::escaped(task.name);
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width\"><title>{0}</title>"
        "<style>{1}</style></head>\n<body><h1>{0}</h1>\n<p>{2} synthesis of a {3} for {4} "
        "positions: {5} starts, {6} distinct linkages, the best {7} below. Circles are the points "
        "that were asked for.</p>\n<main>\n",
        title, style, value_name(task.kind), value_name(task.linkage), task.positions.size(),
        result.starts, result.distinct, sheets.size());
    for (std::size_t i = 0; i < sheets.size(); ++i) {
        const Solution& s = result.solutions[i];
        const bool good = !s.appraisal.has_defect() && s.appraisal.meets_tolerances();
        out += fmt::format("<article{}><h2>{} {}</h2>\n{}<dl>", good ? "" : " class=\"weak\"",
                           i + 1, drawing::escaped(sheets[i].file), sheets[i].svg);
        for (const auto& [name, value] : facts(problem, s))
            out += "<dt>" + name + "</dt><dd>" + drawing::escaped(value) + "</dd>";
        if (!sheets[i].problem.empty())
            out += "<dt>motion</dt><dd>" + drawing::escaped(sheets[i].problem) + "</dd>";
        out += "</dl></article>\n";
    }
    return out + "</main></body></html>\n";
}

std::string solutions_table(const SynthesisProblem& problem, const SearchResult& result) {
    std::string out =
        "number,type,circuit_defect,branch_defect,order_defect,worst_error [1],objective [1],"
        "natural_objective [1],transmission [rad],size [m]";
    for (const DesignNumber& n : problem.linkage().numbers)
        out += fmt::format(",{} [{}]", n.name, n.kind == DesignNumber::Kind::angle ? "rad" : "m");
    out += "\n";
    for (std::size_t i = 0; i < result.solutions.size(); ++i) {
        const Solution& s = result.solutions[i];
        const Appraisal& a = s.appraisal;
        out += fmt::format("{},{},{:d},{:d},{:d},{:.6g},{:.9g},{:.9g},{:.9g},{:.9g}", i + 1, a.type,
                           a.circuit_defect, a.branch_defect, a.order_defect, a.worst_error,
                           a.objective, s.natural_objective, a.transmission, a.size);
        for (const double v : s.exact.design) out += fmt::format(",{:.15g}", v);
        out += "\n";
    }
    return out;
}

std::string solutions_json(const SynthesisProblem& problem, const SearchResult& result,
                           const std::vector<LinkageSheet>& sheets) {
    nlohmann::ordered_json out{{"kind", value_name(problem.task().kind)},
                               {"mechanism", value_name(problem.task().linkage)},
                               {"starts", result.starts},
                               {"solved", result.solved},
                               {"distinct", result.distinct},
                               {"stopped", result.stopped},
                               {"solutions", nlohmann::ordered_json::array()}};
    for (std::size_t i = 0; i < sheets.size(); ++i) {
        const Solution& s = result.solutions[i];
        const Appraisal& a = s.appraisal;
        nlohmann::ordered_json numbers, one{{"file", sheets[i].file}, {"type", a.type}};
        for (int k = 0; k < problem.linkage().design_size(); ++k)
            numbers[problem.linkage().numbers[index_of(k)].name] = s.exact.design[k];
        one["defects"] = {
            {"circuit", a.circuit_defect}, {"branch", a.branch_defect}, {"order", a.order_defect}};
        one["worst_error"] = a.worst_error;
        one["objective"] = a.objective;
        one["natural_objective"] = s.natural_objective;
        one["transmission_rad"] = a.transmission;
        one["size_m"] = a.size;
        one["crank_turns"] = a.crank_turns;
        one["runs"] = sheets[i].problem.empty();
        one["origin"] = s.origin;
        one["numbers"] = numbers;
        out["solutions"].push_back(one);
    }
    return out.dump(1) + "\n";
}

}  // namespace pawl
