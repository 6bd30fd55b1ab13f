// SVG to PNG or PDF by the program rsvg-convert. Knows nothing of what is drawn.
#pragma once

#include <optional>
#include <string>

namespace pawl {

// The bytes of a file of the format "png", with two pixels per drawing unit, or "pdf". Nothing, and
// what is wrong, where rsvg-convert is missing or fails.
std::optional<std::string> rendered(const std::string& svg, const std::string& format,
                                    std::string& problem);

}  // namespace pawl
