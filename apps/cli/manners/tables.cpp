#include "manners/tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pawl::cli {

double shown_beside(double value, double scale) {
    return std::abs(value) <= 1e-12 * scale ? 0 : value;
}

void print_positions(const PlanarMechanism& mechanism,
                     const std::vector<PlanarSpace::Position>& positions, const ShownUnits& units) {
    double size = 0;
    for (const auto& at : positions) size = std::max({size, std::abs(at.p.x), std::abs(at.p.y)});
    const ShownUnit length = units.of("m", size), angle = units.of("rad", 1);
    fmt::print("{:<16} {:>16} {:>16} {:>14}\n", "body", "x [" + length.unit + "]",
               "y [" + length.unit + "]", "angle [" + angle.unit + "]");
    for (std::size_t b = 1; b < positions.size(); ++b)
        fmt::print("{:<16} {:>16.9g} {:>16.9g} {:>14.7g}\n", mechanism.bodies[b].name,
                   length.factor * shown_beside(positions[b].p.x, size),
                   length.factor * shown_beside(positions[b].p.y, size),
                   angle.factor * shown_beside(positions[b].angle, 1));
}

}  // namespace pawl::cli
