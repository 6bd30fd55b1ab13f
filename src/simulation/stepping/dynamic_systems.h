// The equations and solvers of a dynamic run: one for each set of closed contacts, made when needed
// and kept while there is room. They remember nothing of the motion, so one that is made again
// gives the same bits.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/formulations/dynamics.h"
#include "simulation/placement/assembly.h"
#include "simulation/placement/row_independence.h"

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

    // Empty functions make the ordinary ones. `room` is for what is kept: a system takes as much as
    // it has coordinates and rows, and 100.
    DynamicSystems(const PlacedMechanism& placed, Equations_::Choice choice, Formulation dynamics,
                   MakeEquations make_equations, MakeSolver make_solver, std::size_t room)
        : placed_(placed),
          choice_(std::move(choice)),
          dynamics_(dynamics),
          make_equations_(std::move(make_equations)),
          make_solver_(std::move(make_solver)),
          room_(room) {}

    // With the rows of these contacts (besides the permanent ones), in this order and on these
    // elements, these friction points and these couplings. `permanent` are the points of the
    // permanent contacts. Null when there is no solver of the name. Stays where it is until the
    // next tidy().
    DynamicSystem* with(const std::vector<ContactPoint<PlanarSpace>>& permanent,
                        const std::vector<ContactPoint<PlanarSpace>>& closed,
                        const std::vector<FrictionMode>& friction,
                        const std::vector<EngagedCoupling>& couplings = {});

    // The branches on which expressions are evaluated from now on, by the switches of the mechanism
    // (mechanism/switch_numbers.h); none: those of their arguments.
    void set_sides(const std::vector<signed char>& sides) { sides_ = sides; }

    // Drops the systems that were not used for the longest time, until the others fit; never the
    // one in force.
    void tidy(const DynamicSystem& in_force);
    // The mechanism has changed: all are made anew.
    void clear() {
        made_.clear();
        taken_ = 0;
    }
    [[nodiscard]] std::size_t kept() const { return made_.size(); }

private:
    struct Kept {
        DynamicSystem system;
        std::size_t size = 0, used = 0;  // in room_; by uses_
    };
    void make(Kept& kept, const std::vector<ContactPoint<PlanarSpace>>& closed,
              const std::vector<FrictionMode>& friction,
              const std::vector<EngagedCoupling>& couplings);

    const PlacedMechanism& placed_;
    Equations_::Choice choice_;
    Formulation dynamics_;
    MakeEquations make_equations_;
    MakeSolver make_solver_;
    std::size_t room_, taken_ = 0, uses_ = 0;
    std::map<std::vector<int>, Kept> made_;  // by contacts, friction and couplings
    std::vector<signed char> sides_;         // of switches
};

}  // namespace pawl
