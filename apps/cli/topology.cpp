// `pawl topology`: the graph of a mechanism, its loops, its mobility; and pictures of the graph.
#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "mobility_text.h"
#include "model_file/text/write_file.h"
#include "motion.h"
#include "output/drawing/graph_picture.h"
#include "simulation/placement/mobility.h"

namespace pawl::cli {

namespace {

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

// The states of the contacts: those of a stored motion one after the other, or that of the first
// instant.
std::vector<GraphState> graph_states(const Source& source, const PlacedMechanism& placed) {
    const int freedoms = analyse_mobility(placed).freedoms_nearby;
    if (source.result) return pawl::graph_states(source.result->trajectory, freedoms);
    RunSettings settings = source.model.run;
    settings.end = std::min(settings.end, settings.step);
    const Motion motion = run_for_picture(placed, settings);
    return {graph_state("t = 0 s",
                        motion.trajectory.rows() == 0
                            ? ClosedPairs()
                            : closed_pairs(motion.trajectory, motion.row_at(0)),
                        freedoms)};
}

void draw_graph(const Source& source, const std::string& file) {
    const PlacedMechanism placed = assemble_or_fail(source.model);
    if (!source.result && source.model.run.analysis == Analysis::dynamics)
        require_masses_or_fail(source.model);
    const std::string& name = placed.mechanism.name;
    write_picture(file, svg(placed.topology, name.empty() ? "a mechanism" : name,
                            graph_states(source, placed)));
}

std::vector<std::string> names(const std::vector<int>& ids, const std::vector<std::string>& from) {
    std::vector<std::string> out;
    for (const int i : ids) out.push_back(from[i]);
    return out;
}

std::vector<std::string> edge_names(const Topology& g) {
    std::vector<std::string> edges;
    for (const Edge& e : g.edges) edges.push_back(e.name);
    return edges;
}

// The order of the tree.
std::vector<std::string> moving_links(const Topology& g) {
    return names({g.order.begin() + 1, g.order.end()}, g.links);
}

// One state of the contacts of a stored motion: its loops and what is left free.
struct StateOfContacts {
    ContactSpan span;
    std::vector<std::string> loops;
    int freedoms = 0;
};

std::vector<StateOfContacts> states_of(const Source& source, const Topology& g) {
    std::vector<StateOfContacts> out;
    if (!source.result || source.result->trajectory.rows() == 0) return out;
    const PlacedMechanism placed = assemble(source.model.mechanism);
    if (!placed.ok()) return out;
    const int freedoms = analyse_mobility(placed).freedoms_nearby;
    const Trajectory& t = source.result->trajectory;
    const double whole = t.row(t.rows() - 1)[0] - t.row(0)[0];
    for (ContactSpan& span : contact_spans(t, briefest_state * whole)) {
        StateOfContacts state{std::move(span), {}, freedoms};
        for (const auto& [pair, points] : state.span.closed) state.freedoms -= points;
        for (const Loop& loop : g.loops) {
            const Edge& chord = g.edges[static_cast<std::size_t>(loop.chord)];
            if (chord.kind != "contact" || state.span.closed.contains(chord.name))
                state.loops.push_back(joined(names(loop.links, g.links), "-"));
        }
        out.push_back(std::move(state));
    }
    return out;
}

Json states_json(const std::vector<StateOfContacts>& states) {
    Json out = Json::array();
    for (const StateOfContacts& s : states)
        out.push_back({{"from_s", s.span.from},
                       {"to_s", s.span.to},
                       {"contacts", s.span.closed},
                       {"loops", s.loops},
                       {"degrees_of_freedom", s.freedoms}});
    return out;
}

void print_states(const std::vector<StateOfContacts>& states) {
    if (states.empty()) return;
    fmt::print("\nstates of the contacts that last longer than 1e-3 of the run\n");
    for (const StateOfContacts& s : states) {
        std::vector<std::string> closed;
        for (const auto& [pair, points] : s.span.closed)
            closed.push_back(points > 1 ? fmt::format("{} x{}", pair, points) : pair);
        fmt::print("  {:>10.6g} s to {:>10.6g} s  {:<24} {} left{}{}\n", s.span.from, s.span.to,
                   closed.empty() ? "none closed" : joined(closed),
                   plural(s.freedoms, "degree of freedom", "degrees of freedom"),
                   s.loops.empty()       ? ""
                   : s.loops.size() == 1 ? ", loop "
                                         : ", loops ",
                   joined(s.loops));
    }
}

Json topology_json(const ModelData& model, const Topology& g) {
    const std::vector<std::string> edges = edge_names(g);
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
    out["inverse_incidence"] = {{"rows", names(g.branches, edges)},
                                {"columns", moving_links(g)},
                                {"values", g.tree_paths()}};
    out["loop_matrix"] = g.loop_matrix();
    const PlacedMechanism placed = assemble(model.mechanism);
    if (placed.ok()) out["mobility"] = mobility_json(analyse_mobility(placed));
    return out;
}

void print_topology(const ModelData& model, const Topology& g) {
    const std::vector<std::string> edges = edge_names(g);
    std::vector<std::string> loop_names;
    for (std::size_t i = 0; i < g.loops.size(); ++i)
        loop_names.push_back(fmt::format("loop {}", i + 1));
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
        fmt::print(
            "\ninverse of its tree part (tree joints x links; the path from ground to a link)\n");
        print_matrix(g.tree_paths(), names(g.branches, edges), moving_links(g));
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
}

int topology(const ModelOptions& options, const std::string& dot, const std::string& drawing) {
    const Source source = read_source(options);
    const Topology g = analyse_topology(source.model.mechanism);
    if (!dot.empty())
        if (const auto problem = write_file(dot, g.graphviz()); !problem.empty())
            throw Failure{wrong_usage, "pawl: " + problem};
    if (!drawing.empty()) draw_graph(source, drawing);
    if (drawing == "-") return done;
    if (options.json) {
        Json out = topology_json(source.model, g);
        if (source.result) out["states"] = states_json(states_of(source, g));
        print_json(out);
        return done;
    }
    if (options.quiet) return done;
    print_topology(source.model, g);
    print_states(states_of(source, g));
    if (!dot.empty())
        fmt::print("graph         {} (draw it with: neato -Tsvg {} -o graph.svg)\n", dot, dot);
    if (!drawing.empty()) fmt::print("drawing       {}\n", drawing);
    return done;
}

}  // namespace

Command add_topology(CLI::App& app) {
    auto* sub = app.add_subcommand(
        "topology", "show the graph, spanning tree, loops and redundant constraints");
    struct Options {
        ModelOptions model;
        std::string dot, drawing;
    };
    auto o = std::make_shared<Options>();
    o->model.add_to(*sub, false);
    sub->get_option("model")->description(
        "model file (TOML), or the folder of a result, whose contact states are listed and drawn");
    sub->add_option(
           "--draw", o->drawing,
           "draw the graph: active contacts solid, virtual ones dotted (.svg, .png or .pdf)")
        ->check(picture_name_problem);
    sub->add_option("--dot", o->dot, "write the graph for Graphviz to this file");
    return [o] { return topology(o->model, o->dot, o->drawing); };
}

}  // namespace pawl::cli
