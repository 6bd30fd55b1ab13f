#include "manners/tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pawl::cli {

double shown_beside(double value, double scale) {
    return std::abs(value) <= 1e-12 * scale ? 0 : value;
}

void print_positions(const PlanarMechanism& mechanism,
                     const std::vector<PlanarSpace::Position>& positions) {
    double size = 0;
    for (const auto& at : positions) size = std::max({size, std::abs(at.p.x), std::abs(at.p.y)});
    fmt::print("{:<16} {:>16} {:>16} {:>14}\n", "body", "x [m]", "y [m]", "angle [deg]");
    for (std::size_t b = 1; b < positions.size(); ++b)
        fmt::print("{:<16} {:>16.9g} {:>16.9g} {:>14.7g}\n", mechanism.bodies[b].name,
                   shown_beside(positions[b].p.x, size), shown_beside(positions[b].p.y, size),
                   shown_beside(positions[b].angle * 180 / M_PI, 180));
}

}  // namespace pawl::cli
