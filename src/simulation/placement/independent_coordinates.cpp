// Coordinates by name, and a set of them that determines all others.
#include <algorithm>
#include <memory>

#include <Eigen/Dense>

#include "coordinates/measures.h"
#include "math/linear/dense.h"
#include "math/linear/row_rotations.h"
#include "simulation/placement/assembly.h"

namespace pawl {

using Space = PlanarSpace;
using Equations_ = MechanismEquations<Space>;

std::optional<Coordinate<Space>> find_coordinate(const PlanarMechanism& mechanism,
                                                 const std::string& name) {
    for (const auto& joint : mechanism.joints) {
        const auto components = joint.coordinates();
        for (const Component c : components)
            if ((components.size() == 1 && name == joint.name) ||
                name == joint.name + "." + std::string(component_name(c)))
                return coordinate_of(joint, c);
    }
    return std::nullopt;
}

namespace {

// Columns that determine all others, ascending: the best conditioned ones, found by pivoting on a
// basis of the free directions. Where there are too many of those, the columns that the rows leave
// open.
std::vector<int> independent_columns(const Equations_& eq) {
    constexpr std::size_t largest_basis = 2'000'000;  // entries: a second of pivoting
    const RowPattern& p = eq.pattern();
    Eigen::MatrixXd free;
    if (is_large(p.columns, p.columns)) {
        const RowRotations rotations(p, eq.jacobian(), eq.column_scale());
        const std::vector<int>& open = rotations.free_columns();
        const auto n = static_cast<std::size_t>(p.columns);
        if (open.size() == n || open.size() * n > largest_basis) return open;
        free.resize(p.columns, static_cast<Eigen::Index>(open.size()));
        for (std::size_t i = 0; i < open.size(); ++i) {
            std::vector<double> unit(open.size(), 0.0);
            unit[i] = 1;
            const std::vector<double> x = rotations.direction(unit);
            free.col(static_cast<Eigen::Index>(i)) =
                Eigen::Map<const Eigen::VectorXd>(x.data(), p.columns);
        }
        free = orthonormal_columns(free);
    } else {
        free = null_space(p, eq.jacobian(), eq.column_scale());
    }
    std::vector<int> columns = pivot_order(free.transpose());
    columns.resize(static_cast<std::size_t>(free.cols()));
    std::sort(columns.begin(), columns.end());
    return columns;
}

}  // namespace

std::vector<RestCoordinate<Space>> choose_independent(const PlacedMechanism& placed, bool drivers,
                                                      std::string* problem) {
    std::vector<RestCoordinate<Space>> chosen;
    const auto equations = [&] {
        auto eq = std::make_unique<Equations_>(
            placed.mechanism, placed.topology,
            Equations_::Choice{CoordinateKind::relative, drivers, chosen});
        eq->set_model_size(placed.assembly.model_size);
        eq->set_position(eq->coordinates().from_positions(placed.assembly.positions), 0);
        return eq;
    };
    const auto rank = [](const Equations_& eq) {
        return rank_of_rows(eq.pattern(), eq.jacobian(), eq.column_scale()).rank;
    };
    const auto base_equations = equations();
    const Equations_& base = *base_equations;
    int known = rank(base);
    const auto add = [&](const std::string& name, Span span, const Coordinate<Space>& c) {
        chosen.push_back({name, span, c, evaluate_coordinate(base.coordinates(), c).value});
    };
    for (const std::string& name : placed.mechanism.independent) {
        const auto c = find_coordinate(placed.mechanism, name);
        if (!c) continue;
        add(name, {}, *c);
        const int now = rank(*equations());
        if (now == known) {
            if (problem) *problem = "coordinate '" + name + "' is not independent of the others";
            chosen.pop_back();
        }
        known = now;
    }
    if (known == base.size()) return chosen;
    const auto completed = equations();
    const Equations_& eq = *completed;
    const auto& branches = eq.coordinates().branches();
    std::vector<std::pair<std::size_t, int>> branch_of(static_cast<std::size_t>(eq.size()));
    for (std::size_t b = 0; b < branches.size(); ++b)
        for (std::size_t i = 0; i < branches[b].freedoms.size(); ++i)
            branch_of[static_cast<std::size_t>(branches[b].first) + i] = {b, static_cast<int>(i)};
    for (const int column : independent_columns(eq)) {
        const auto& [b, i] = branch_of[static_cast<std::size_t>(column)];
        add(eq.coordinates().column_name(column), {},
            {branches[b].frames, branches[b].freedoms[i]});
    }
    return chosen;
}

}  // namespace pawl
