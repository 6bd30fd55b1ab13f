// Which of many circles overlap: the broad phase of a search for contacts, by sweep and prune along
// one axis (Baraff 1992). The order along the axis is kept from call to call, so that sorting costs
// little where things move little; what is found does not depend on it.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "mechanism/mechanism.h"

namespace pawl {

struct BoundingCircle {
    PlanarSpace::Vector centre;
    double radius = 0;
};

class NearPairs {
public:
    // Pairs (i, k) with i < k, ascending.
    const std::vector<std::pair<int, int>>& find(std::span<const BoundingCircle> circles);

private:
    std::vector<int> order_;    // by the low ends
    std::vector<int> reaches_;  // begun and not ended where the sweep is
    std::vector<std::pair<int, int>> found_;
};

}  // namespace pawl
