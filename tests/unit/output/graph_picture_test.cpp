#include "output/drawing/graph_picture.h"

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

// Wang's trigger: five joints, five pairs that may touch.
Topology trigger() {
    std::vector<Edge> edges;
    const auto add = [&](const char* name, const char* kind, int a, int b) {
        const bool contact = std::string(kind) == "contact";
        edges.push_back(
            {name, kind, a, b, !contact, contact, contact ? -1 : static_cast<int>(edges.size())});
    };
    add("R12", "revolute", 0, 1);
    add("R13", "revolute", 0, 2);
    add("R14", "revolute", 0, 3);
    add("P16", "prismatic", 0, 5);
    add("R35", "revolute", 2, 4);
    add("C23", "contact", 1, 2);
    add("C45", "contact", 3, 4);
    add("C56", "contact", 4, 5);
    add("C26", "contact", 1, 5);
    add("C24", "contact", 1, 3);
    return analyse_topology({"L1", "L2", "L3", "L4", "L5", "L6"}, edges);
}

int count(const std::string& text, const std::string& what) {
    int n = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

TEST(GraphPicture, active_contacts_are_solid_and_virtual_ones_dotted) {
    const std::string text = svg(trigger(), "Trigger", {{"t = 0 s", {{"C23", 1}, {"C24", 2}}}});
    EXPECT_EQ(count(text, "class='link'"), 6);
    EXPECT_EQ(count(text, "class='joint'"), 5);
    EXPECT_EQ(count(text, "class='contact active'"), 2);
    EXPECT_EQ(count(text, "class='contact virtual'"), 3);
    for (const char* name : {"R12", "P16", "C23", "C26"})
        EXPECT_EQ(count(text, std::string(">") + name + "</text>"), 1) << name;
    EXPECT_EQ(count(text, ">C24 ×2</text>"), 1);  // it touches at two points
    const auto line = [&](const std::string& name) {
        const auto at = text.find("data-name='" + name + "'");
        return text.substr(at, text.find("/>", at) - at);
    };
    EXPECT_EQ(count(line("C23"), "dasharray"), 0);
    EXPECT_EQ(count(line("C26"), "dasharray"), 1);
    EXPECT_EQ(count(line("R12"), "dasharray"), 0);
}

TEST(GraphPicture, has_one_graph_for_each_state) {
    const std::string text =
        svg(trigger(), "Trigger", {{"one", {}}, {"two", {}}, {"three", {}}, {"four", {}}});
    EXPECT_EQ(count(text, "class='graph'"), 4);
    EXPECT_EQ(count(text, "class='link'"), 24);
    EXPECT_EQ(count(text, ">three</text>"), 1);
}

TEST(GraphPicture, a_ring_is_drawn_without_crossings_whatever_the_order_of_its_links) {
    // A six-bar loop given in a scrambled order: neighbours on the circle are joined.
    const std::vector<std::pair<int, int>> ring{{0, 3}, {3, 1}, {1, 5}, {5, 2}, {2, 4}, {4, 0}};
    std::vector<Edge> edges;
    for (const auto& [a, b] : ring)
        edges.push_back({"e", "revolute", a, b, true, false, static_cast<int>(edges.size())});
    const Topology g = analyse_topology({"0", "1", "2", "3", "4", "5"}, edges);
    const std::vector<int> order = circle_order(g);
    ASSERT_EQ(order.size(), 6U);
    EXPECT_EQ(order[0], 0);
    for (std::size_t i = 0; i < 6; ++i) {
        const int a = order[i], b = order[(i + 1) % 6];
        EXPECT_TRUE(std::any_of(ring.begin(), ring.end(),
                                [&](const auto& e) {
                                    return (e.first == a && e.second == b) ||
                                           (e.first == b && e.second == a);
                                }))
            << a << " beside " << b;
    }
    EXPECT_EQ(order, circle_order(g));
}

TEST(ContactSpans, follow_the_closed_pairs_and_leave_out_what_has_no_duration) {
    Trajectory t;
    t.columns = {{"t", "s"}, {"C#1.closed", "1"}, {"C#2.closed", "1"}, {"D#1.closed", "1"}};
    const double nan = std::nan("");
    for (const std::vector<double>& row : std::vector<std::vector<double>>{{0, 1, nan, 0},
                                                                           {1, 1, nan, 0},
                                                                           {1, 0, nan, 0},
                                                                           {1, 0, nan, 1},
                                                                           {2, 0, nan, 1},
                                                                           {2, 1, 1, 1},
                                                                           {3, 1, 1, 1}})
        t.add(row);
    const auto spans = contact_spans(t);
    ASSERT_EQ(spans.size(), 3U);
    EXPECT_EQ(spans[0].closed, (ClosedPairs{{"C", 1}}));
    EXPECT_EQ(spans[1].from, 1);
    EXPECT_EQ(spans[1].to, 2);
    EXPECT_EQ(spans[1].closed, (ClosedPairs{{"D", 1}}));
    EXPECT_EQ(spans[2].closed, (ClosedPairs{{"C", 2}, {"D", 1}}));
    EXPECT_EQ(contact_spans(t, 1.5).size(), 1U);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
