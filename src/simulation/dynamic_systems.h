// The equations and solvers of a dynamic run: one for each set of closed contacts, made when first
// needed and kept.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/dynamics.h"
#include "simulation/assembly.h"
#include "simulation/row_independence.h"

namespace pawl {

struct DynamicSystem {
    std::unique_ptr<MechanismEquations<PlanarSpace>> equations;
    std::unique_ptr<Dynamics> dynamics;
    std::unique_ptr<Dynamics> crossing;             // of singular positions; made when needed
    std::unique_ptr<RowIndependence> independence;  // where there are rows
};

class DynamicSystems {
public:
    using Equations_ = MechanismEquations<PlanarSpace>;
    using MakeEquations = std::function<std::unique_ptr<Equations_>(const PlacedMechanism&,
                                                                    const Equations_::Choice&)>;
    using MakeSolver = std::function<std::unique_ptr<Dynamics>(Equations&)>;

    // Empty functions make the ordinary ones.
    DynamicSystems(const PlacedMechanism& placed, Equations_::Choice choice, std::string dynamics,
                   MakeEquations make_equations, MakeSolver make_solver)
        : placed_(placed),
          choice_(std::move(choice)),
          dynamics_(std::move(dynamics)),
          make_equations_(std::move(make_equations)),
          make_solver_(std::move(make_solver)) {}

    // With the rows of these contacts (besides the permanent ones), in this order and on these
    // elements, and these places of friction. `permanent` are the points of the permanent contacts.
    // Null when there is no solver of the name.
    DynamicSystem* with(const std::vector<ContactPoint<PlanarSpace>>& permanent,
                        const std::vector<ContactPoint<PlanarSpace>>& closed,
                        const std::vector<FrictionMode>& friction);

private:
    const PlacedMechanism& placed_;
    Equations_::Choice choice_;
    std::string dynamics_;
    MakeEquations make_equations_;
    MakeSolver make_solver_;
    std::map<std::vector<int>, DynamicSystem> made_;  // by contacts and friction
};

}  // namespace pawl
