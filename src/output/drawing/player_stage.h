// The picture that the player of a report moves. Knows a scene and its first moment, not the
// motion.
#pragma once

#include <string>

#include "output/drawing/scene.h"

namespace pawl {

// Inside a group of class `mechanism` (drawing units, y up) a group of class `body` for each body
// in their order, and paths of class `rod` and `spring` in the order of the scene. Outside it the
// names, as texts whose `data-name` is the number of the body.
std::string player_stage(const Scene& scene, const Picture& picture);

}  // namespace pawl
