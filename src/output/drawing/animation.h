// A moving picture: SVG whose bodies move by themselves (SMIL), in every browser and without a
// script. Knows a scene and poses.
#pragma once

#include <string>
#include <vector>

#include "output/drawing/scene.h"

namespace pawl {

struct Animation {
    std::string caption;
    std::vector<Moment> moments;  // two or more, increasing in time
    std::vector<Trace> traces;
    double seconds = 4;  // how long a showing takes; it repeats
};

std::string svg_animation(const Scene& scene, const Animation& animation);

// So many seconds that a motion of this length is seen well: its own time, if that is between 3 and
// 12 s.
double showing_time(double motion);

}  // namespace pawl
