// The graph of links, joints and contact pairs: incidence, spanning tree from ground, chords,
// independent loops, open chains and free bodies (Wang 1996, section 2.2.2). Knows the names and
// ends of the edges, no geometry.
#pragma once

#include <string>
#include <vector>

namespace pawl {

struct Edge {
    std::string name;
    std::string kind;           // "revolute", ..., "contact"
    int a = 0, b = 0;           // oriented from link a to link b
    bool carries_tree = false;  // can be a branch of the spanning tree
    bool is_contact = false;
    int joint = -1;  // index in the mechanism; -1 for the free joint added to a free body
};

struct SignedEdge {
    int edge = 0;
    int sign = 0;  // +1 along the edge, -1 against it
};

struct Loop {
    int chord = 0;                  // the edge that closes it; its own sign is -1
    std::vector<SignedEdge> edges;  // tree edges of the loop
    std::vector<int> links;         // closed walk, first link repeated at the end
};

struct Topology {
    std::vector<std::string> links;  // 0 is ground
    std::vector<Edge> edges;         // joints, then contacts, in file order, then added free joints
    std::vector<int> parent_edge;    // per link; -1 for ground
    std::vector<int> order;          // links from ground outwards, breadth first
    std::vector<int> branches;       // tree edges, in the order of the links they reach
    std::vector<int> chords;         // in file order
    std::vector<Loop> loops;         // one per chord
    std::vector<int> free_bodies;    // joined to ground by an added free joint
    std::vector<std::vector<int>>
        open_chains;  // links that no loop holds, from the inside outwards

    [[nodiscard]] int parent(int link) const;
    [[nodiscard]] std::vector<std::vector<int>> incidence() const;  // links x edges
    [[nodiscard]] std::vector<std::vector<int>> loop_matrix() const;
    // Inverse of the tree part of the incidence matrix (branches x links in the order of `order`,
    // without ground): +1 where the branch is on the way from ground to the link, -1 against it.
    [[nodiscard]] std::vector<std::vector<int>> tree_paths() const;
    [[nodiscard]] std::string graphviz() const;
};

Topology analyse_topology(std::vector<std::string> links, std::vector<Edge> edges);

template <class MechanismType>
Topology analyse_topology(const MechanismType& mechanism) {
    std::vector<std::string> links;
    for (const auto& body : mechanism.bodies) links.push_back(body.name);
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < mechanism.joints.size(); ++i) {
        const auto& j = mechanism.joints[i];
        edges.push_back({j.name, std::string(j.kind_name()), j.a(), j.b(), j.carries_tree(), false,
                         static_cast<int>(i)});
    }
    for (const auto& c : mechanism.contacts)
        edges.push_back({c.name, "contact", c.a, c.b, false, true, -1});
    return analyse_topology(std::move(links), std::move(edges));
}

}  // namespace pawl
