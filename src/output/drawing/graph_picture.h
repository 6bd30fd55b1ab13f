// The graph of a mechanism as SVG: links as nodes on a circle, joints and contacts as lines; active
// contacts solid, virtual ones dotted. Knows names and numbers, no geometry of the mechanism.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "math/tolerances/outside.h"
#include "mechanism/topology.h"
#include "results/trajectory.h"

namespace pawl {

// Which contact pairs are closed, and at how many points each.
using ClosedPairs = std::map<std::string, int>;

struct GraphState {
    std::string caption;
    ClosedPairs closed;
};

// The closed pairs in a row of a trajectory.
ClosedPairs closed_pairs(const Trajectory& trajectory, std::size_t row);

// The spans of time between changes of the closed pairs, in order. States that last no longer than
// `briefest`, as between two events at one time, are left out.
struct ContactSpan {
    double from = 0, to = 0;
    ClosedPairs closed;
};
std::vector<ContactSpan> contact_spans(const Trajectory& trajectory, double briefest = 0);
// States that last no longer than this part of the motion are not shown.
constexpr double briefest_state = tolerance::briefest_state;

// A state with its caption: when it is, and what is left of the degrees of freedom of the joints.
GraphState graph_state(std::string when, ClosedPairs closed, int freedoms);
// The first states of a motion, one after the other.
std::vector<GraphState> graph_states(const Trajectory& trajectory, int freedoms);

// The order of the links on the circle, ground first: few crossings, then short lines. The same
// graph gives the same order.
std::vector<int> circle_order(const Topology& graph);

// One graph for each state, side by side, three in a row.
std::string svg(const Topology& graph, const std::string& title,
                const std::vector<GraphState>& states);
// The same as HTML that a narrow page can break between the graphs, with the legend below.
std::string html_graphs(const Topology& graph, const std::vector<GraphState>& states);

}  // namespace pawl
