// Commands that look at a model without running it: check, topology, set, schema.
#include "commands.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "model_file/document.h"
#include "model_file/model_text.h"
#include "model_file/schema.h"
#include "model_file/write_file.h"
#include "simulation/contact_reach.h"
#include "simulation/mobility.h"
#include "simulation/text.h"
#include "support.h"

namespace pawl::cli {

namespace {

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
    fmt::print(
        "mobility      Grübler's count 3 x {} - {} = {}, true freedoms {} here, {} nearby{}\n",
        m.bodies, m.joint_rows, m.gruebler, m.freedoms_here, m.freedoms_nearby,
        m.singular_here() ? " (singular position)" : "");
    if (!m.independent.empty())
        fmt::print("independent   {}{}\n", joined(m.independent),
                   m.independent_problem.empty() ? "" : " (" + m.independent_problem + ")");
    fmt::print("drivers       {} for {}{}\n", m.drivers,
               plural(m.freedoms_nearby, "freedom", "freedoms"),
               m.drivers < m.freedoms_nearby ? "; freedoms that nothing drives rest" : "");
    for (const auto& r : m.redundant)
        fmt::print("redundant     {}{}\n", r.row,
                   r.implied_by.empty() ? std::string(" says nothing new")
                                        : " is implied by " + joined(r.implied_by));
    for (const auto& s : m.suggestions) fmt::print("suggestion    {}\n", s);
}

void print_positions(const PlanarMechanism& mechanism,
                     const std::vector<PlanarSpace::Position>& positions) {
    fmt::print("{:<16} {:>16} {:>16} {:>14}\n", "body", "x [m]", "y [m]", "angle [deg]");
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
        fmt::print("{:<16} {:>16.9g} {:>16.9g} {:>14.7g}\n", mechanism.bodies[b].name,
                   positions[b].p.x, positions[b].p.y, positions[b].angle * 180 / M_PI);
}

Json positions_json(const PlanarMechanism& mechanism,
                    const std::vector<PlanarSpace::Position>& positions) {
    Json bodies = Json::object();
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
        bodies[mechanism.bodies[b].name] = {{"x_m", positions[b].p.x},
                                            {"y_m", positions[b].p.y},
                                            {"angle_rad", positions[b].angle}};
    return bodies;
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
        if (const auto problem = write_file(dot, g.graphviz()); !problem.empty())
            throw Failure{wrong_usage, "pawl: " + problem};
    std::vector<std::string> loop_names;
    for (std::size_t i = 0; i < g.loops.size(); ++i)
        loop_names.push_back(fmt::format("loop {}", i + 1));
    if (options.json) {
        Json out{{"model", model.file}, {"links", g.links}, {"edges", Json::array()}};
        for (const Edge& e : g.edges)
            out["edges"].push_back(
                {{"name", e.name}, {"kind", e.kind}, {"a", g.links[e.a]}, {"b", g.links[e.b]}});
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
    if (!g.free_bodies.empty())
        fmt::print("free bodies   {}\n", joined(names(g.free_bodies, g.links)));
    for (const auto& c : g.open_chains)
        fmt::print("open chain    {}\n", joined(names(c, g.links), " - "));
    for (std::size_t i = 0; i < g.loops.size(); ++i)
        fmt::print("{:<13} {}   (closed by {})\n", loop_names[i],
                   joined(names(g.loops[i].links, g.links), " - "), edges[g.loops[i].chord]);
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
    if (!dot.empty())
        fmt::print("graph         {} (draw it with: neato -Tsvg {} -o graph.svg)\n", dot, dot);
    return done;
}

}  // namespace

int run_check(const ModelOptions& options, int mode_starts) {
    const Model model = options.read();
    const PlacedMechanism placed = assemble_or_fail(model);
    const Mobility mobility = analyse_mobility(placed);
    std::vector<AssemblyMode> modes;
    if (mode_starts > 0) modes = find_assembly_modes(placed, mode_starts);
    Diagnostics warnings;
    warnings.file = model.file;
    warn_of_contacts_out_of_reach(placed, warnings);
    const Assembly& a = placed.assembly;
    if (options.json) {
        Json out{{"model", model.file},
                 {"name", placed.mechanism.name},
                 {"assembled", true},
                 {"residual_m", a.residual},
                 {"model_size_m", a.model_size},
                 {"mobility", mobility_json(mobility)},
                 {"positions", positions_json(placed.mechanism, a.positions)},
                 {"warnings", messages_of(warnings)}};
        if (mode_starts > 0) {
            out["modes"] = Json::array();
            for (const auto& m : modes)
                out["modes"].push_back(
                    {{"hits", m.hits},
                     {"positions", positions_json(placed.mechanism, m.positions)}});
        }
        fmt::print("{}\n", out.dump(2));
        return done;
    }
    if (options.quiet) return done;
    fmt::print(stderr, "{}", warnings.text());
    fmt::print("{}: {}\n", model.file,
               placed.mechanism.name.empty() ? "a mechanism" : placed.mechanism.name);
    fmt::print(
        "elements      {}, {}, {}, {}\n",
        plural(placed.mechanism.moving_bodies(), "moving body", "moving bodies"),
        plural(static_cast<int>(placed.mechanism.joints.size()), "joint", "joints"),
        plural(static_cast<int>(placed.mechanism.contacts.size()), "contact pair", "contact pairs"),
        plural(static_cast<int>(placed.topology.loops.size()), "loop", "loops"));
    fmt::print("assembled     residual {:.1e} m at model size {}\n", a.residual,
               length_text(a.model_size));
    print_mobility(mobility);
    print_positions(placed.mechanism, a.positions);
    for (std::size_t i = 1; i < modes.size(); ++i) {
        fmt::print("\nassembly mode {} of {} (found from {} of {} starts)\n", i + 1, modes.size(),
                   modes[i].hits, mode_starts);
        print_positions(placed.mechanism, modes[i].positions);
    }
    if (mode_starts > 0 && modes.size() == 1)
        fmt::print("no other assembly mode found from {} starts\n", mode_starts);
    return done;
}

Command add_check(CLI::App& app) {
    auto* sub = app.add_subcommand("check", "read a model, assemble it, count its freedoms");
    auto options = std::make_shared<ModelOptions>();
    auto starts = std::make_shared<int>(0);
    options->add_to(*sub, false);
    sub->add_option("--modes", *starts,
                    "look for other ways to assemble it, from this many random starts")
        ->check(CLI::Range(1, 1000000));
    return [options, starts] { return run_check(*options, *starts); };
}

Command add_topology(CLI::App& app) {
    auto* sub =
        app.add_subcommand("topology", "graph, spanning tree, loops and redundant constraints");
    auto options = std::make_shared<ModelOptions>();
    auto dot = std::make_shared<std::string>();
    options->add_to(*sub, false);
    sub->add_option("--dot", *dot, "write the graph for Graphviz to this file");
    return [options, dot] { return topology(*options, *dot); };
}

Command add_set(CLI::App& app) {
    auto* sub = app.add_subcommand("set", "change values in a model file; comments and order stay");
    struct Options {
        std::string file, out;
        std::vector<std::string> changes;
    };
    auto o = std::make_shared<Options>();
    sub->add_option("model", o->file, "model file (TOML)")->required();
    sub->add_option("changes", o->changes,
                    "what to change: L1=\"15 mm\" body.crank.angle=\"20 deg\"")
        ->required();
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
        if (const auto problem = write_file(target, edited.text()); !problem.empty())
            throw Failure{wrong_usage, "pawl: " + problem};
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
