#include "mechanism/topology.h"

#include <random>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

using Matrix = std::vector<std::vector<int>>;

Edge pin(const char* name, int a, int b) { return {name, "revolute", a, b, true, false, 0}; }
Edge rod(const char* name, int a, int b) { return {name, "rod", a, b, false, false, 0}; }
Edge contact(const char* name, int a, int b) { return {name, "contact", a, b, false, true, -1}; }

// A sum over the common index: of a and b transposed.
Matrix product(const Matrix& a, const Matrix& b) {
    Matrix c(a.size(), std::vector<int>(b.size(), 0));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)
            for (std::size_t k = 0; k < a[i].size(); ++k) c[i][j] += a[i][k] * b[j][k];
    return c;
}

TEST(Topology, open_chain_has_no_loop_and_is_listed_from_the_inside_outwards) {
    const Topology g =
        analyse_topology({"ground", "arm", "hand", "finger"},
                         {pin("wrist", 1, 2), pin("shoulder", 0, 1), pin("knuckle", 2, 3)});
    EXPECT_EQ(g.order, (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(g.branches, (std::vector{1, 0, 2}));  // in the order of the links they reach
    EXPECT_TRUE(g.chords.empty());
    EXPECT_TRUE(g.loops.empty());
    EXPECT_TRUE(g.free_bodies.empty());
    EXPECT_EQ(g.open_chains, (Matrix{{1, 2, 3}}));
}

TEST(Topology, body_that_no_joint_reaches_is_free_and_carries_what_hangs_on_it) {
    const Topology g =
        analyse_topology({"ground", "crank", "disk", "pendulum"}, {pin("O", 0, 1), pin("P", 3, 2)});
    EXPECT_EQ(g.free_bodies, (std::vector{2}));
    ASSERT_EQ(g.edges.size(), 3U);
    EXPECT_EQ(g.edges[2].name, "free:disk");
    EXPECT_EQ(g.edges[2].kind, "free");
    EXPECT_EQ(g.edges[2].joint, -1);
    EXPECT_EQ(g.parent(2), 0);
    EXPECT_EQ(g.parent(3), 2);
    EXPECT_EQ(g.open_chains, (Matrix{{1}, {2, 3}}));
}

TEST(Topology, joint_that_cannot_carry_the_tree_closes_a_loop_even_when_it_is_first_in_the_file) {
    const Topology g = analyse_topology({"ground", "crank"}, {rod("stay", 1, 0), pin("O", 0, 1)});
    EXPECT_EQ(g.branches, (std::vector{1}));
    EXPECT_EQ(g.chords, (std::vector{0}));
    // Chord from crank to ground; back along O, against the walk ground -> crank.
    EXPECT_EQ(g.loop_matrix(), (Matrix{{-1, -1}}));
    EXPECT_TRUE(g.open_chains.empty());
}

TEST(Topology, four_bar_has_one_loop_through_all_links_closed_by_the_coupler_pin) {
    const Topology g =
        analyse_topology({"ground", "crank", "coupler", "rocker"},
                         {pin("O", 0, 1), pin("A", 1, 2), pin("C", 2, 3), pin("D", 0, 3)});
    EXPECT_EQ(g.branches, (std::vector{0, 3, 1}));
    EXPECT_EQ(g.chords, (std::vector{2}));
    ASSERT_EQ(g.loops.size(), 1U);
    EXPECT_EQ(g.loops[0].links, (std::vector{0, 1, 2, 3, 0}));
    // path(rocker) - path(coupler) - chord
    EXPECT_EQ(g.loop_matrix(), (Matrix{{-1, -1, -1, 1}}));
}

TEST(Topology, reversed_joint_changes_the_sign_of_its_column_only) {
    const Topology g =
        analyse_topology({"ground", "crank", "coupler", "rocker"},
                         {pin("O", 0, 1), pin("A", 2, 1), pin("C", 2, 3), pin("D", 0, 3)});
    EXPECT_EQ(g.branches, (std::vector{0, 3, 1}));
    EXPECT_EQ(g.loop_matrix(), (Matrix{{-1, 1, -1, 1}}));
    EXPECT_EQ(g.incidence(), (Matrix{{-1, 0, 0, -1}, {1, 1, 0, 0}, {0, -1, -1, 0}, {0, 0, 1, 1}}));
}

TEST(Topology, loops_that_share_their_beginning_start_at_the_last_common_link) {
    // A four-bar carried by an arm: the loop does not go through ground.
    const Topology g = analyse_topology(
        {"ground", "arm", "left", "right", "top"},
        {pin("base", 0, 1), pin("L", 1, 2), pin("R", 1, 3), pin("TL", 2, 4), pin("TR", 4, 3)});
    ASSERT_EQ(g.loops.size(), 1U);
    EXPECT_EQ(g.loops[0].links.front(), 1);
    EXPECT_EQ(g.loops[0].links.back(), 1);
    EXPECT_EQ(g.loop_matrix()[0][0], 0);
    EXPECT_TRUE(g.open_chains.empty());  // the arm is held by the loop
}

TEST(Topology, contact_is_a_chord_and_drawn_dotted) {
    const Topology g = analyse_topology({"ground", "lever", "sear"},
                                        {pin("P2", 0, 1), pin("P3", 0, 2), contact("C23", 1, 2)});
    EXPECT_EQ(g.chords, (std::vector{2}));
    EXPECT_EQ(g.loops[0].links, (std::vector{0, 1, 2, 0}));
    const std::string dot = g.graphviz();
    EXPECT_NE(dot.find("label=\"C23\", style=dotted"), std::string::npos) << dot;
    EXPECT_NE(dot.find("label=\"P2\", style=bold"), std::string::npos) << dot;
}

TEST(Topology, graph_text_quotes_names) {
    const Topology g = analyse_topology({"ground", "a \"b\" \\c"}, {pin("O", 0, 1)});
    EXPECT_NE(g.graphviz().find(R"(label="a \"b\" \\c")"), std::string::npos) << g.graphviz();
}

// Kirchhoff: every loop leaves each link as often as it enters it, and the tree part of the
// incidence matrix times the tree paths is the identity, whatever the graph.
TEST(Topology, matrices_of_random_graphs_obey_their_identities) {
    std::mt19937 random(17);
    for (int trial = 0; trial < 200; ++trial) {
        const int links = 2 + static_cast<int>(random() % 9),
                  joints = static_cast<int>(random() % 15);
        std::vector<std::string> names;
        for (int i = 0; i < links; ++i) names.push_back("link" + std::to_string(i));
        std::vector<Edge> edges;
        for (int e = 0; e < joints; ++e) {
            const int a = static_cast<int>(random() % links);
            const int b = static_cast<int>((a + 1 + random() % (links - 1)) % links);
            edges.push_back({"edge" + std::to_string(e), "", a, b, random() % 4 != 0, false, e});
        }
        const Topology g = analyse_topology(names, edges);
        ASSERT_EQ(g.order.size(), names.size());
        ASSERT_EQ(g.branches.size(), names.size() - 1);
        ASSERT_EQ(g.branches.size() + g.chords.size(), g.edges.size());
        for (const auto& row : product(g.incidence(), g.loop_matrix()))
            for (const int entry : row) ASSERT_EQ(entry, 0);

        const Matrix incidence = g.incidence(), paths = g.tree_paths();
        Matrix tree(
            g.branches.size());  // branches x links in the order of the tree, without ground
        for (std::size_t k = 0; k < g.branches.size(); ++k)
            for (std::size_t i = 1; i < g.order.size(); ++i)
                tree[k].push_back(incidence[g.order[i]][g.branches[k]]);
        const Matrix identity = product(paths, tree);
        for (std::size_t i = 0; i < identity.size(); ++i)
            for (std::size_t j = 0; j < identity.size(); ++j) ASSERT_EQ(identity[i][j], i == j);

        for (const Loop& loop : g.loops) {
            ASSERT_EQ(loop.links.front(), loop.links.back());
            ASSERT_EQ(loop.links.size(), loop.edges.size() + 2);  // tree edges and the chord
        }
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
