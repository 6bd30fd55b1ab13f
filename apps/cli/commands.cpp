#include "commands.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model_file/document.h"
#include "model_file/model_text.h"
#include "model_file/schema.h"
#include "output/result_folder.h"
#include "simulation/kinematic_run.h"
#include "simulation/mobility.h"
#include "simulation/text.h"
#include "version.h"

namespace pawl::cli {

using Json = nlohmann::ordered_json;

void ModelOptions::add_to(CLI::App& app, bool writes_result) {
    app.add_option("model", file, "model file (TOML)")->required();
    app.add_option("--set", sets, "change a parameter: --set L1=\"15 mm\"")->allow_extra_args(false);
    app.add_flag("--json", json, "print the result as JSON");
    app.add_flag("--quiet,-q", quiet, "print nothing but errors");
    if (writes_result) app.add_option("--out", out, "folder of the result (default: MODEL.result)");
}

std::vector<std::pair<std::string, std::string>> ModelOptions::overrides() const {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string& text : sets) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            throw Failure{wrong_usage, "--set needs parameter=value, not '" + text + "'"};
        pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return pairs;
}

Model ModelOptions::read() const {
    Diagnostics diagnostics;
    auto model = read_model_file(file, overrides(), diagnostics);
    if (!model) throw Failure{bad_model, diagnostics.text()};
    if (!diagnostics.all().empty() && !quiet) fmt::print(stderr, "{}", diagnostics.text());
    return std::move(*model);
}

namespace {

PlacedMechanism assemble_or_fail(const Model& model) {
    PlacedMechanism placed = assemble(model.mechanism);
    if (!placed.ok()) {
        Diagnostics d;
        d.file = model.file;
        d.error(placed.assembly.span, placed.assembly.message);
        const bool fight = placed.assembly.outcome == AssemblyOutcome::drivers_fight;
        throw Failure{fight ? numerical_failure : does_not_assemble, d.text()};
    }
    return placed;
}

std::string joined(const std::vector<std::string>& parts, const char* between = ", ") {
    std::string out;
    for (const auto& p : parts) out += (out.empty() ? "" : between) + p;
    return out;
}

std::string plural(int n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

Json mobility_json(const Mobility& m) {
    Json redundant = Json::array();
    for (const auto& r : m.redundant)
        redundant.push_back({{"row", r.row}, {"joint", r.joint}, {"implied_by", r.implied_by}});
    return {{"moving_bodies", m.bodies},
            {"joint_rows", m.joint_rows},
            {"gruebler", m.gruebler},
            {"freedoms_here", m.freedoms_here},
            {"freedoms_nearby", m.freedoms_nearby},
            {"drivers", m.drivers},
            {"independent", m.independent},
            {"redundant", redundant},
            {"suggestions", m.suggestions}};
}

void print_mobility(const Mobility& m) {
    fmt::print("mobility      Grübler's count 3 x {} - {} = {}, true freedoms {} here, {} nearby{}\n", m.bodies,
               m.joint_rows, m.gruebler, m.freedoms_here, m.freedoms_nearby,
               m.singular_here() ? " (singular position)" : "");
    if (!m.independent.empty())
        fmt::print("independent   {}{}\n", joined(m.independent),
                   m.independent_problem.empty() ? "" : " (" + m.independent_problem + ")");
    fmt::print("drivers       {} for {}{}\n", m.drivers, plural(m.freedoms_nearby, "freedom", "freedoms"),
               m.drivers < m.freedoms_nearby ? "; freedoms that nothing drives rest" : "");
    for (const auto& r : m.redundant)
        fmt::print("redundant     {}{}\n", r.row,
                   r.implied_by.empty() ? std::string(" says nothing new")
                                        : " is implied by " + joined(r.implied_by));
    for (const auto& s : m.suggestions) fmt::print("suggestion    {}\n", s);
}

void print_positions(const PlanarMechanism& mechanism, const std::vector<PlanarSpace::Position>& positions) {
    fmt::print("{:<16} {:>16} {:>16} {:>14}\n", "body", "x [m]", "y [m]", "angle [deg]");
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
        fmt::print("{:<16} {:>16.9g} {:>16.9g} {:>14.7g}\n", mechanism.bodies[b].name, positions[b].p.x,
                   positions[b].p.y, positions[b].angle * 180 / M_PI);
}

Json positions_json(const PlanarMechanism& mechanism, const std::vector<PlanarSpace::Position>& positions) {
    Json bodies = Json::object();
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
        bodies[mechanism.bodies[b].name] = {
            {"x_m", positions[b].p.x}, {"y_m", positions[b].p.y}, {"angle_rad", positions[b].angle}};
    return bodies;
}

int check(const ModelOptions& options, int mode_starts) {
    const Model model = options.read();
    const PlacedMechanism placed = assemble_or_fail(model);
    const Mobility mobility = analyse_mobility(placed);
    std::vector<AssemblyMode> modes;
    if (mode_starts > 0) modes = find_assembly_modes(placed, mode_starts);
    const Assembly& a = placed.assembly;
    if (options.json) {
        Json out{{"model", model.file},
                 {"name", placed.mechanism.name},
                 {"assembled", true},
                 {"residual_m", a.residual},
                 {"model_size_m", a.model_size},
                 {"mobility", mobility_json(mobility)},
                 {"positions", positions_json(placed.mechanism, a.positions)}};
        if (mode_starts > 0) {
            out["modes"] = Json::array();
            for (const auto& m : modes)
                out["modes"].push_back({{"hits", m.hits}, {"positions", positions_json(placed.mechanism, m.positions)}});
        }
        fmt::print("{}\n", out.dump(2));
        return done;
    }
    if (options.quiet) return done;
    fmt::print("{}: {}\n", model.file, placed.mechanism.name.empty() ? "a mechanism" : placed.mechanism.name);
    fmt::print("elements      {}, {}, {}, {}\n", plural(placed.mechanism.moving_bodies(), "moving body", "moving bodies"),
               plural(static_cast<int>(placed.mechanism.joints.size()), "joint", "joints"),
               plural(static_cast<int>(placed.mechanism.contacts.size()), "contact pair", "contact pairs"),
               plural(static_cast<int>(placed.topology.loops.size()), "loop", "loops"));
    fmt::print("assembled     residual {:.1e} m at model size {}\n", a.residual, length_text(a.model_size));
    print_mobility(mobility);
    print_positions(placed.mechanism, a.positions);
    for (std::size_t i = 1; i < modes.size(); ++i) {
        fmt::print("\nassembly mode {} of {} (found from {} of {} starts)\n", i + 1, modes.size(), modes[i].hits,
                   mode_starts);
        print_positions(placed.mechanism, modes[i].positions);
    }
    if (mode_starts > 0 && modes.size() == 1) fmt::print("no other assembly mode found from {} starts\n", mode_starts);
    return done;
}

void print_matrix(const std::vector<std::vector<int>>& matrix, const std::vector<std::string>& rows,
                  const std::vector<std::string>& columns) {
    std::size_t head = 0;
    for (const auto& r : rows) head = std::max(head, r.size());
    fmt::print("{:<{}}", "", head);
    for (const auto& c : columns) fmt::print(" {:>{}}", c, std::max<std::size_t>(c.size(), 2));
    fmt::print("\n");
    for (std::size_t r = 0; r < matrix.size(); ++r) {
        fmt::print("{:<{}}", rows[r], head);
        for (std::size_t c = 0; c < columns.size(); ++c)
            fmt::print(" {:>{}}", matrix[r][c], std::max<std::size_t>(columns[c].size(), 2));
        fmt::print("\n");
    }
}

constexpr std::size_t widest_matrix = 40;  // more edges than this are not printed as matrices

int topology(const ModelOptions& options, const std::string& dot) {
    const Model model = options.read();
    const Topology g = analyse_topology(model.mechanism);
    std::vector<std::string> edges;
    for (const Edge& e : g.edges) edges.push_back(e.name);
    const auto names = [&](const std::vector<int>& ids, const std::vector<std::string>& from) {
        std::vector<std::string> out;
        for (const int i : ids) out.push_back(from[i]);
        return out;
    };
    if (!dot.empty())
        if (const auto problem = write_file(dot, g.graphviz()); !problem.empty()) throw Failure{wrong_usage, "pawl: " + problem};
    std::vector<std::string> loop_names;
    for (std::size_t i = 0; i < g.loops.size(); ++i) loop_names.push_back(fmt::format("loop {}", i + 1));
    if (options.json) {
        Json out{{"model", model.file}, {"links", g.links}, {"edges", Json::array()}};
        for (const Edge& e : g.edges)
            out["edges"].push_back({{"name", e.name}, {"kind", e.kind}, {"a", g.links[e.a]}, {"b", g.links[e.b]}});
        out["tree"] = names(g.branches, edges);
        out["chords"] = names(g.chords, edges);
        out["loops"] = Json::array();
        for (const Loop& l : g.loops) out["loops"].push_back(names(l.links, g.links));
        out["open_chains"] = Json::array();
        for (const auto& c : g.open_chains) out["open_chains"].push_back(names(c, g.links));
        out["free_bodies"] = names(g.free_bodies, g.links);
        out["incidence"] = g.incidence();
        out["loop_matrix"] = g.loop_matrix();
        const PlacedMechanism placed = assemble(model.mechanism);
        if (placed.ok()) out["mobility"] = mobility_json(analyse_mobility(placed));
        fmt::print("{}\n", out.dump(2));
        return done;
    }
    if (options.quiet) return done;
    fmt::print("links         {}\n", joined(g.links));
    fmt::print("tree          {}\n", joined(names(g.branches, edges)));
    fmt::print("chords        {}\n", g.chords.empty() ? "none" : joined(names(g.chords, edges)));
    if (!g.free_bodies.empty()) fmt::print("free bodies   {}\n", joined(names(g.free_bodies, g.links)));
    for (const auto& c : g.open_chains) fmt::print("open chain    {}\n", joined(names(c, g.links), " - "));
    for (std::size_t i = 0; i < g.loops.size(); ++i)
        fmt::print("{:<13} {}   (closed by {})\n", loop_names[i], joined(names(g.loops[i].links, g.links), " - "),
                   edges[g.loops[i].chord]);
    if (g.edges.size() <= widest_matrix) {
        fmt::print("\nincidence matrix (links x joints; -1 leaves, +1 enters)\n");
        print_matrix(g.incidence(), g.links, edges);
        if (!g.loops.empty()) {
            fmt::print("\noriented loop matrix (loops x joints)\n");
            print_matrix(g.loop_matrix(), loop_names, edges);
        }
    }
    fmt::print("\n");
    const PlacedMechanism placed = assemble(model.mechanism);
    if (placed.ok())
        print_mobility(analyse_mobility(placed));
    else
        fmt::print("mobility      not known: {}\n", placed.assembly.message);
    if (!dot.empty()) fmt::print("graph         {} (draw it with: neato -Tsvg {} -o graph.svg)\n", dot, dot);
    return done;
}

// A progress bar on a terminal, for work that takes more than half a second.
class Progress {
public:
    explicit Progress(bool wanted) : shown_(wanted && ::isatty(STDERR_FILENO)) {}
    ~Progress() {
        if (drawn_) fmt::print(stderr, "\r{:40}\r", "");
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    void operator()(double share) {
        const auto now = std::chrono::steady_clock::now();
        if (!shown_ || now - start_ < std::chrono::milliseconds(500) || now - last_ < std::chrono::milliseconds(100))
            return;
        last_ = now;
        drawn_ = true;
        const int filled = static_cast<int>(share * 24);
        fmt::print(stderr, "\r[{:<24}] {:3.0f} %", std::string(filled, '#'), 100 * share);
        std::fflush(stderr);
    }

private:
    bool shown_, drawn_ = false;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_{};
};

// A short table: some rows spread over the motion, the measures or else the poses of the bodies.
void print_table(const Trajectory& trajectory, const PlanarMechanism& mechanism) {
    std::vector<int> columns{0};
    for (const auto& m : mechanism.measures) columns.push_back(trajectory.find(m.name));
    for (std::size_t b = 1; b < mechanism.bodies.size() && columns.size() < 7 && mechanism.measures.empty(); ++b)
        for (const char* tail : {".x", ".y", ".angle"}) columns.push_back(trajectory.find(mechanism.bodies[b].name + tail));
    if (columns.size() > 7) columns.resize(7);
    std::vector<std::size_t> widths;
    for (const int c : columns) {
        const std::string head = trajectory.columns[c].name + " [" + trajectory.columns[c].unit + "]";
        widths.push_back(std::max<std::size_t>(head.size(), 14));
        fmt::print("{:>{}} ", head, widths.back());
    }
    fmt::print("\n");
    const std::size_t rows = trajectory.rows(), shown = std::min<std::size_t>(rows, 11);
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t r = shown == 1 ? 0 : (rows - 1) * i / (shown - 1);
        for (std::size_t c = 0; c < columns.size(); ++c)
            fmt::print("{:>{}.9g} ", trajectory.row(r)[columns[c]] + 0.0, widths[c]);
        fmt::print("\n");
    }
}

std::string_view status_name(KinematicStatus s) {
    switch (s) {
        case KinematicStatus::completed: return "completed";
        case KinematicStatus::dead_point: return "dead_point";
        case KinematicStatus::stuck: return "stuck";
        case KinematicStatus::drivers_fight: return "drivers_fight";
    }
    return "";
}

struct KinematicCommand {
    ModelOptions model;
    std::string end, step, coordinates;
    bool influence = false;
    int run(Model read) const;
};

Json events_json(const std::vector<Event>& events) {
    Json out = Json::array();
    for (const Event& e : events)
        out.push_back({{"t_s", e.t}, {"kind", event_name(e.kind)}, {"element", e.element}, {"to", e.to}, {"detail", e.detail}});
    return out;
}

int KinematicCommand::run(Model m) const {
    KinematicOptions options{.end = m.run.end, .step = m.run.step, .coordinates = CoordinateKind::relative,
                             .influence = influence, .progress = {}};
    const auto seconds = [](const std::string& text, const char* flag) {
        ExpressionError error;
        const auto e = Expression::parse(text, SymbolTable{}, {}, error);
        const auto value = e ? e->converted_to(dimension::time, {}, error) : std::nullopt;
        const double t = value ? value->evaluate(std::span<const double>{}) : 0;
        if (!value) throw Failure{wrong_usage, std::string(flag) + ": " + error.message};
        if (!(t > 0)) throw Failure{wrong_usage, std::string(flag) + " must be a positive time, e.g. \"10 ms\""};
        return t;
    };
    if (!end.empty()) options.end = seconds(end, "--end");
    if (!step.empty()) options.step = seconds(step, "--step");
    if (options.end / options.step > 1e7) throw Failure{wrong_usage, "more than 10 million samples; take a longer --step"};
    const std::string chosen = coordinates.empty() ? m.run.coordinates : coordinates;
    options.coordinates = chosen == "absolute" ? CoordinateKind::absolute : CoordinateKind::relative;
    const PlacedMechanism placed = assemble_or_fail(m);
    if (placed.mechanism.drivers.empty() && !model.quiet)
        fmt::print(stderr, "{}: warning: nothing drives this mechanism, so it rests; add a [driver.NAME] table\n", m.file);
    const auto start = std::chrono::steady_clock::now();
    KinematicResult result;
    {
        Progress progress(!model.quiet && !model.json);
        options.progress = [&](double share) { progress(share); };
        result = run_kinematics(placed, options);
    }
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    const auto& s = result.statistics;
    const double size = placed.assembly.model_size;
    const bool residual_ok = s.largest_residual <= 1e-12 * size;
    const Json summary{
        {"format", result_format},
        {"pawl", version()},
        {"analysis", "kinematics"},
        {"model", {{"file", m.file}, {"name", placed.mechanism.name}, {"hash", fingerprint(m.text)}}},
        {"options",
         {{"end_s", options.end}, {"step_s", options.step}, {"coordinates", chosen}, {"parameters", model.sets}}},
        {"status", status_name(result.status)},
        {"message", result.message},
        {"at_rest", result.at_rest},
        {"audit",
         {{"verdict", residual_ok ? "passed" : "failed"},
          {"constraint_residual_m", s.largest_residual},
          {"constraint_residual_limit_m", 1e-12 * size},
          {"largest_condition", s.largest_condition}}},
        {"events", events_json(result.events)},
        {"statistics",
         {{"samples", s.samples}, {"steps", s.steps}, {"halved", s.halved}, {"newton_iterations", s.newton_iterations}}},
        {"timing", {{"wall_s", wall}}}};

    std::string out = model.out;
    if (out.empty()) out = std::filesystem::path(m.file).stem().string() + ".result";
    std::vector<NamedText> files{{"result.json", summary.dump(2) + "\n"},
                                 {"trajectory.csv", csv(result.trajectory)},
                                 {"events.csv", csv(result.events)},
                                 {"model.toml", m.text}};
    if (influence) files.push_back({"influence.csv", csv(result.influence)});
    if (const auto problem = write_result(out, files); !problem.empty()) throw Failure{wrong_usage, "pawl: " + problem};

    if (model.json) {
        Json printed = summary;
        printed["result"] = out;
        fmt::print("{}\n", printed.dump(2));
    } else if (!model.quiet) {
        print_table(result.trajectory, placed.mechanism);
        for (const Event& e : result.events)
            fmt::print("event   t = {:.12g} s  {} ({})  {}\n", e.t, event_name(e.kind), e.to, e.detail);
        if (!result.at_rest.empty()) fmt::print("at rest {} (nothing drives it)\n", joined(result.at_rest));
        fmt::print("audit   {}: largest constraint residual {:.1e} m, limit {:.1e} m; condition number {:.3g}\n",
                   residual_ok ? "passed" : "FAILED", s.largest_residual, 1e-12 * size, s.largest_condition);
        fmt::print("result  {} ({} samples, {:.3g} s)\n", out, s.samples, wall);
    }
    if (result.status != KinematicStatus::completed) {
        Diagnostics d;
        d.file = m.file;
        d.error(result.span, result.message);
        throw Failure{numerical_failure, d.text()};
    }
    return residual_ok ? done : check_failed;
}

std::shared_ptr<KinematicCommand> kinematic_options(CLI::App& sub) {
    auto command = std::make_shared<KinematicCommand>();
    command->model.add_to(sub, true);
    sub.add_option("--end", command->end, "end of the motion, e.g. \"2 s\" (default: from the model)");
    sub.add_option("--step", command->step, "time between outputs, e.g. \"1 ms\"");
    sub.add_option("--coordinates", command->coordinates, "relative or absolute")
        ->check(CLI::IsMember({"relative", "absolute"}));
    sub.add_flag("--influence", command->influence, "also write influence coefficients of first and second order");
    return command;
}

}  // namespace

Command add_check(CLI::App& app) {
    auto* sub = app.add_subcommand("check", "read a model, assemble it, count its freedoms");
    auto options = std::make_shared<ModelOptions>();
    auto starts = std::make_shared<int>(0);
    options->add_to(*sub, false);
    sub->add_option("--modes", *starts, "look for other ways to assemble it, from this many random starts")
        ->check(CLI::Range(1, 1000000));
    return [options, starts] { return check(*options, *starts); };
}

Command add_topology(CLI::App& app) {
    auto* sub = app.add_subcommand("topology", "graph, spanning tree, loops and redundant constraints");
    auto options = std::make_shared<ModelOptions>();
    auto dot = std::make_shared<std::string>();
    options->add_to(*sub, false);
    sub->add_option("--dot", *dot, "write the graph for Graphviz to this file");
    return [options, dot] { return topology(*options, *dot); };
}

Command add_kinematics(CLI::App& app) {
    auto command = kinematic_options(*app.add_subcommand("kinematics", "driven motion: position, velocity, acceleration"));
    return [command] { return command->run(command->model.read()); };
}

Command add_run(CLI::App& app) {
    auto command = kinematic_options(*app.add_subcommand("run", "the analysis that the model asks for"));
    return [command] {
        Model model = command->model.read();
        if (model.run.analysis == "check") return check(command->model, 0);
        return command->run(std::move(model));
    };
}

Command add_set(CLI::App& app) {
    auto* sub = app.add_subcommand("set", "change values in a model file; comments and order stay");
    struct Options {
        std::string file, out;
        std::vector<std::string> changes;
    };
    auto o = std::make_shared<Options>();
    sub->add_option("model", o->file, "model file (TOML)")->required();
    sub->add_option("changes", o->changes, "what to change: L1=\"15 mm\" body.crank.angle=\"20 deg\"")->required();
    sub->add_option("-o,--out", o->out, "write here instead of over the model");
    return [o]() -> int {
        Diagnostics d;
        d.file = o->file;
        auto text = read_text_file(o->file, d);
        if (!text) throw Failure{bad_model, d.text()};
        ModelText edited(*text);
        for (const std::string& change : o->changes) {
            const auto equals = change.find('=');
            if (equals == std::string::npos || equals == 0)
                throw Failure{wrong_usage, "a change is path=value, not '" + change + "'"};
            std::string path = change.substr(0, equals);
            if (path.find('.') == std::string::npos) path = "parameters." + path;
            edited.set(path, change.substr(equals + 1), d);
        }
        if (d.has_errors()) throw Failure{bad_model, d.text()};
        Diagnostics check;
        if (!read_model(edited.text(), o->file, {}, check)) throw Failure{bad_model, check.text()};
        const std::string target = o->out.empty() ? o->file : o->out;
        if (const auto problem = write_file(target, edited.text()); !problem.empty()) throw Failure{wrong_usage, "pawl: " + problem};
        return done;
    };
}

Command add_schema(CLI::App& app) {
    auto* sub = app.add_subcommand("schema", "the model file format as JSON Schema, or as a page");
    auto markdown = std::make_shared<bool>(false);
    sub->add_flag("--markdown", *markdown, "the reference page instead of JSON Schema");
    return [markdown] {
        fmt::print("{}", *markdown ? model_reference() : json_schema());
        return int{done};
    };
}

}  // namespace pawl::cli
