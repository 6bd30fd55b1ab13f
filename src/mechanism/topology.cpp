#include "mechanism/topology.h"

#include <algorithm>

namespace pawl {

namespace {

// Breadth first from ground; among the edges of a link, file order decides.
void grow_tree(Topology& g) {
    std::vector<std::vector<int>> incident(g.links.size());
    for (int e = 0; e < static_cast<int>(g.edges.size()); ++e) {
        if (!g.edges[e].carries_tree) continue;
        incident[g.edges[e].a].push_back(e);
        incident[g.edges[e].b].push_back(e);
    }
    std::vector<char> reached(g.links.size(), 0);
    const auto spread = [&](std::size_t from) {
        for (; from < g.order.size(); ++from) {
            const int link = g.order[from];
            for (const int e : incident[link]) {
                const int other = g.edges[e].a == link ? g.edges[e].b : g.edges[e].a;
                if (reached[other]) continue;
                reached[other] = 1;
                g.parent_edge[other] = e;
                g.order.push_back(other);
                g.branches.push_back(e);
            }
        }
    };
    reached[0] = 1;
    g.order.push_back(0);
    spread(0);
    // A body that no joint leads to is free; bodies joined to it hang on it.
    for (int link = 1; link < static_cast<int>(g.links.size()); ++link) {
        if (reached[link]) continue;
        g.edges.push_back({"free:" + g.links[link], "free", 0, link, true, false, -1});
        g.free_bodies.push_back(link);
        reached[link] = 1;
        g.parent_edge[link] = static_cast<int>(g.edges.size()) - 1;
        g.order.push_back(link);
        g.branches.push_back(g.parent_edge[link]);
        spread(g.order.size() - 1);
    }
}

// The tree path from ground to a link, from the link inwards: +1 when the edge points away from
// ground.
std::vector<SignedEdge> path_from_ground(const Topology& g, int link) {
    std::vector<SignedEdge> path;
    for (; link != 0; link = g.parent(link)) {
        const int e = g.parent_edge[link];
        path.push_back({e, g.edges[e].b == link ? 1 : -1});
    }
    return path;
}

std::vector<int> links_to_ground(const Topology& g, int link) {
    std::vector<int> path{link};
    while (link != 0) path.push_back(link = g.parent(link));
    return path;
}

// Chord from a to b: the loop goes from the common ancestor of both to a, across the chord, back
// from b. As a row of the loop matrix it is path(b) - path(a) - chord (Wang 1996, eq. 2.2.2-16).
Loop close_loop(const Topology& g, int chord) {
    Loop loop{chord, {}, {}};
    const Edge& c = g.edges[chord];
    auto from = links_to_ground(g, c.a), to = links_to_ground(g, c.b);
    auto out = path_from_ground(g, c.a), back = path_from_ground(g, c.b);
    while (!out.empty() && !back.empty() && out.back().edge == back.back().edge) {
        out.pop_back();
        back.pop_back();
        from.pop_back();
        to.pop_back();
    }
    for (auto e = out.rbegin(); e != out.rend(); ++e) loop.edges.push_back({e->edge, -e->sign});
    loop.edges.insert(loop.edges.end(), back.begin(), back.end());
    loop.links.assign(from.rbegin(), from.rend());
    loop.links.insert(loop.links.end(), to.begin(), to.end());
    return loop;
}

void find_open_chains(Topology& g) {
    std::vector<char> held(g.links.size(), 0);
    for (const Loop& loop : g.loops)
        for (const int link : loop.links) held[link] = 1;
    std::vector<char> has_child(g.links.size(), 0);
    for (const int link : g.order)
        if (link != 0) has_child[g.parent(link)] = 1;
    for (const int link : g.order) {
        if (link == 0 || held[link] || has_child[link]) continue;
        std::vector<int> chain;
        for (int l = link; l != 0 && !held[l]; l = g.parent(l)) chain.push_back(l);
        std::reverse(chain.begin(), chain.end());
        g.open_chains.push_back(std::move(chain));
    }
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

}  // namespace

int Topology::parent(int link) const {
    const Edge& e = edges[parent_edge[link]];
    return e.a == link ? e.b : e.a;
}

std::vector<std::vector<int>> Topology::incidence() const {
    std::vector<std::vector<int>> matrix(links.size(), std::vector<int>(edges.size(), 0));
    for (std::size_t e = 0; e < edges.size(); ++e) {
        matrix[edges[e].a][e] = -1;
        matrix[edges[e].b][e] = 1;
    }
    return matrix;
}

std::vector<std::vector<int>> Topology::loop_matrix() const {
    std::vector<std::vector<int>> matrix(loops.size(), std::vector<int>(edges.size(), 0));
    for (std::size_t i = 0; i < loops.size(); ++i) {
        for (const SignedEdge& e : loops[i].edges) matrix[i][e.edge] = e.sign;
        matrix[i][loops[i].chord] = -1;
    }
    return matrix;
}

std::vector<std::vector<int>> Topology::tree_paths() const {
    std::vector<int> position(edges.size(), -1);
    for (std::size_t k = 0; k < branches.size(); ++k) position[branches[k]] = static_cast<int>(k);
    std::vector<std::vector<int>> matrix(branches.size(), std::vector<int>(branches.size(), 0));
    for (std::size_t i = 1; i < order.size(); ++i)
        for (const SignedEdge& e : path_from_ground(*this, order[i]))
            matrix[position[e.edge]][i - 1] = e.sign;
    return matrix;
}

std::string Topology::graphviz() const {
    std::string out = "graph mechanism {\n  layout=neato; overlap=false; splines=true;\n";
    out +=
        "  node [shape=circle, fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\", "
        "fontsize=10];\n";
    for (std::size_t i = 0; i < links.size(); ++i)
        out += "  l" + std::to_string(i) + " [label=" + quoted(links[i]) +
               (i == 0 ? ", shape=box, style=filled, fillcolor=\"#dddddd\"];\n" : "];\n");
    std::vector<char> is_branch(edges.size(), 0);
    for (const int e : branches) is_branch[e] = 1;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const char* style = edges[e].is_contact ? "dotted" : is_branch[e] ? "bold" : "solid";
        out += "  l" + std::to_string(edges[e].a) + " -- l" + std::to_string(edges[e].b) +
               " [label=" + quoted(edges[e].name) + ", style=" + style + "];\n";
    }
    return out + "}\n";
}

Topology analyse_topology(std::vector<std::string> links, std::vector<Edge> edges) {
    Topology g;
    g.links = std::move(links);
    g.edges = std::move(edges);
    g.parent_edge.assign(g.links.size(), -1);
    grow_tree(g);
    std::vector<char> is_branch(g.edges.size(), 0);
    for (const int e : g.branches) is_branch[e] = 1;
    for (int e = 0; e < static_cast<int>(g.edges.size()); ++e)
        if (!is_branch[e]) g.chords.push_back(e);
    for (const int chord : g.chords) g.loops.push_back(close_loop(g, chord));
    find_open_chains(g);
    return g;
}

}  // namespace pawl
