// Coordinates by name, and a set of them that determines all others.
#include <algorithm>
#include <memory>

#include <Eigen/Dense>

#include "coordinates/measures.h"
#include "simulation/assembly.h"

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
    const Eigen::MatrixXd free = null_space(eq.pattern(), eq.jacobian(), eq.column_scale());
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(free.transpose());
    std::vector<int> columns;
    for (int i = 0; i < free.cols(); ++i) columns.push_back(qr.colsPermutation().indices()[i]);
    std::sort(columns.begin(), columns.end());
    for (const int column : columns)
        for (const auto& branch : eq.coordinates().branches()) {
            const int i = column - branch.first;
            if (i < 0 || i >= static_cast<int>(branch.freedoms.size())) continue;
            const std::string name = eq.coordinates().column_name(column);
            add(name, {}, {branch.frames, branch.freedoms[i]});
        }
    return chosen;
}

}  // namespace pawl
