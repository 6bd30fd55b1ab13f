// Numbers, names and transforms as SVG text.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "mechanism/mechanism.h"

namespace pawl::drawing {

// The smallest letters in a picture, drawing units, which are pixels at its natural size.
constexpr double smallest_font = 12;

// To a hundredth of a drawing unit, finer than a screen or printer shows.
inline std::string number(double value) {
    return fmt::format("{}", std::round(100 * value) / 100 + 0.0);
}
inline std::string number(PlanarSpace::Vector v) { return number(v.x) + " " + number(v.y); }

inline std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text)
        out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '\'' ? "&apos;" : std::string(1, c);
    return out;
}

inline std::string transform(PlanarSpace::Vector at, double angle) {
    const double degrees = std::remainder(angle, 2 * M_PI) * 180 / M_PI;
    return fmt::format("translate({}) rotate({})", number(at),
                       std::round(1e4 * degrees) / 1e4 + 0.0);
}

}  // namespace pawl::drawing
