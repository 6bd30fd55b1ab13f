// SVG to PNG by the program rsvg-convert. Knows nothing of what is drawn.
#pragma once

#include <optional>
#include <string>

namespace pawl {

// The bytes of a PNG file with two pixels per drawing unit. Nothing, and what is wrong, where
// rsvg-convert is missing or fails.
std::optional<std::string> png_of(const std::string& svg, std::string& problem);

}  // namespace pawl
