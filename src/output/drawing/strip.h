// Positions of a mechanism side by side, each with its time. Knows a scene and poses.
#pragma once

#include <string>
#include <vector>

#include "output/drawing/scene.h"

namespace pawl {

struct StripLayout {
    int columns = 1;
    PlanarSpace::Vector room;  // for the mechanism in each cell, drawing units
};
inline constexpr double usual_strip_width = 860;  // drawing units
// So many columns that `count` cells of this shape (width over height) fill a page best.
StripLayout strip_layout(int count, double width_over_height,
                         double page_width = usual_strip_width);

// All positions at one scale in reading order; the names of the bodies stand in the first.
std::string svg_strip(const Scene& scene, const std::string& caption,
                      const std::vector<Moment>& moments, int columns);

}  // namespace pawl
