#include "simulation/placement/assembly_families.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "math/linear/dense.h"
#include "math/tolerances/motion.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Mechanics = MechanismEquations<Space>;

// Coordinates above which positions are not grouped: a dense null space for each.
constexpr int largest_size = 1000;

// The bodies that move along a direction that the rows leave free, at the position that is set.
AssemblyFamily family_of(Mechanics& eq, const AssemblyMode& mode) {
    AssemblyFamily family{mode, 1, 0, {}};
    const Eigen::MatrixXd free = null_space(eq.pattern(), eq.jacobian(), eq.column_scale());
    family.freedoms = static_cast<int>(free.cols());
    const int bodies = static_cast<int>(mode.positions.size());
    std::vector<char> moves(mode.positions.size(), 0);
    constexpr double still =
        tolerance::family_rounding;  // of the direction: rounding of the null space
    for (int k = 0; k < family.freedoms; ++k) {
        std::vector<double> v(static_cast<std::size_t>(eq.size()));
        for (int c = 0; c < eq.size(); ++c)
            v[static_cast<std::size_t>(c)] =
                free(c, k) / eq.column_scale()[static_cast<std::size_t>(c)];
        eq.coordinates().set_velocity(v);
        for (int b = 1; b < bodies; ++b) {
            const auto& twist = eq.coordinates().velocity(b);
            if (std::hypot(twist.v.x, twist.v.y) + eq.model_size() * std::abs(twist.omega) > still)
                moves[static_cast<std::size_t>(b)] = 1;
        }
    }
    for (int b = 1; b < bodies; ++b)
        if (moves[static_cast<std::size_t>(b)]) family.bodies.push_back(b);
    return family;
}

bool same_apart_from(const std::vector<int>& bodies, const std::vector<Space::Position>& a,
                     const std::vector<Space::Position>& b, double size) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::binary_search(bodies.begin(), bodies.end(), static_cast<int>(i))) continue;
        const auto d = a[i].p - b[i].p, turn = a[i].u - b[i].u;
        if (std::hypot(d.x, d.y) > tolerance::same_assembly * size ||
            std::hypot(turn.x, turn.y) > tolerance::same_assembly)
            return false;
    }
    return true;
}

}  // namespace

std::vector<AssemblyFamily> group_assembly_modes(const PlacedMechanism& placed,
                                                 const std::vector<AssemblyMode>& modes) {
    Mechanics eq(placed.mechanism, placed.topology, {.rests = choose_independent(placed, true)});
    eq.set_model_size(placed.assembly.model_size);
    std::vector<AssemblyFamily> families;
    for (const AssemblyMode& mode : modes) {
        if (eq.size() > largest_size) {
            families.push_back({mode, 1, 0, {}});
            continue;
        }
        eq.set_position(eq.coordinates().from_positions(mode.positions), 0);
        AssemblyFamily family = family_of(eq, mode);
        const auto found =
            std::find_if(families.begin(), families.end(), [&](const AssemblyFamily& other) {
                return family.freedoms > 0 && other.freedoms == family.freedoms &&
                       other.bodies == family.bodies &&
                       same_apart_from(family.bodies, other.mode.positions, mode.positions,
                                       eq.model_size());
            });
        if (found == families.end()) {
            families.push_back(std::move(family));
            continue;
        }
        found->mode.hits += mode.hits;
        ++found->members;
    }
    return families;
}

}  // namespace pawl
