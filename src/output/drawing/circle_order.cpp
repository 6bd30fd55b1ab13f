// The order of the links of a graph on a circle: few crossings, short lines.
#include <algorithm>
#include <cmath>

#include "math/tolerances/outside.h"
#include "output/drawing/graph_picture.h"

namespace pawl {

namespace {

// Crossings of the chords of a circle, and the sum of their lengths, for links at these positions.
struct CircleCost {
    int crossings = 0;
    double length = 0;
    [[nodiscard]] bool better_than(const CircleCost& b) const {
        return crossings != b.crossings ? crossings < b.crossings
                                        : length < b.length - tolerance::shorter_chords;
    }
};

CircleCost cost_of(const Topology& g, const std::vector<int>& position) {
    CircleCost cost;
    const double n = static_cast<double>(position.size());
    std::vector<std::pair<int, int>> chords;
    for (const Edge& e : g.edges) {
        const auto [low, high] = std::minmax(position[static_cast<std::size_t>(e.a)],
                                             position[static_cast<std::size_t>(e.b)]);
        cost.length += std::sin(M_PI * (high - low) / n);
        chords.emplace_back(low, high);
    }
    for (std::size_t i = 0; i < chords.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) {
            const auto [a, b] = chords[i];
            const auto [c, d] = chords[k];
            cost.crossings += (a < c && c < b && b < d) || (c < a && a < d && d < b);
        }
    return cost;
}

}  // namespace

// Starts in the order of the tree. As long as it helps, two links are exchanged, or the links from
// one to another are taken the other way round; ground stays.
std::vector<int> circle_order(const Topology& graph) {
    constexpr std::size_t max_links = 40;  // each round costs links^2 edges^2
    std::vector<int> order = graph.order, position(order.size());
    const auto settle = [&] {
        for (std::size_t i = 0; i < order.size(); ++i)
            position[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    };
    settle();
    if (order.size() > max_links) return order;
    CircleCost best = cost_of(graph, position);
    const auto attempt = [&](auto&& change) {  // which undoes itself
        change();
        settle();
        const CircleCost cost = cost_of(graph, position);
        if (cost.better_than(best)) {
            best = cost;
            return true;
        }
        change();
        return false;
    };
    for (bool improved = true; improved;) {
        improved = false;
        for (std::size_t i = 1; i < order.size(); ++i)
            for (std::size_t k = 1; k < i; ++k) {
                improved |= attempt([&] { std::swap(order[i], order[k]); });
                improved |= attempt([&] {
                    std::reverse(order.begin() + static_cast<std::ptrdiff_t>(k),
                                 order.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                });
            }
        settle();
    }
    return order;
}

}  // namespace pawl
