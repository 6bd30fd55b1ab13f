// The parts of a picture of a mechanism, in drawing units with y up: bodies, rods, springs, traces,
// contacts; and the scale bar. Knows a scene and poses, not the page around them.
#pragma once

#include <string>

#include "output/drawing/scene.h"

namespace pawl::drawing {

// A body in its place; `inside` is added to its group.
std::string body_group(const Scene& scene, std::size_t body, const BodyPoses& poses,
                       const char* kind, const std::string& inside = {});
// The path data of rods and of springs, which change their shape with the motion.
std::string rod_path(const Scene& scene, const SceneRod& rod, const BodyPoses& poses);
std::string spring_path(const Scene& scene, const SceneSpring& spring, const BodyPoses& poses);
// Rods and springs as elements.
std::string links_group(const Scene& scene, const BodyPoses& poses);

// Everything that a picture shows of the mechanism.
std::string mechanism_group(const Scene& scene, const Picture& picture);

// Text at a point of the page.
std::string text_element(PlanarSpace::Vector at, double size, const std::string& text,
                         const std::string& more = "");
std::string length_text(double metres);
// The longest of 1, 2, 5 times a power of ten metres that takes at most 160 drawing units, with its
// left end at a point of the page.
std::string scale_bar(double scale, PlanarSpace::Vector at);

// The opening of an SVG file: size, title, description, white ground.
std::string page_head(PlanarSpace::Vector size, const std::string& title,
                      const std::string& description, double scale);

}  // namespace pawl::drawing
