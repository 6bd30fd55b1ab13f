// The rows of a sweep as pictures: curves or dots over one value, maps over two.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "design/sweep.h"

namespace pawl {

// With one number that varies: the responses over it, as lines, or as dots where the method
// chooses the values or where a response is numbered (a bifurcation diagram). With two on a grid: a
// map of one response, the first where none is named, or of "events", which sequence occurs
// (basins). SVG; nothing, and what is wrong, where the sweep fits none of these.
std::optional<std::string> sweep_picture(const SweepPlan& plan, const std::vector<SweepRow>& rows,
                                         const std::string& shown, const std::string& title,
                                         std::string& problem);

}  // namespace pawl
