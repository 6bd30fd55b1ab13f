// Assembles a mechanism: from rough first guesses to positions that satisfy every joint and
// driver, or the reason why there are none. Also searches other assembly modes.
#pragma once

#include <string>
#include <vector>

#include "equations/mechanism_equations.h"

namespace pawl {

enum class AssemblyOutcome {
    assembled,            // largest residual <= 1e-12 of the model's size
    joint_open,           // the joints alone have no solution near the guess
    driver_out_of_reach,  // the joints close, but not where a driver wants them
    drivers_fight,        // drivers prescribe dependent coordinates in contradiction
    start_not_kept,  // a start value marked exact is moved by more than 1e-9 (of the size, rad)
};

// A start value of the model file that assembly had to move by more than rounding.
struct MovedValue {
    int body = 0;
    Component component = Component::angle;
    Span span;
    double given = 0, placed = 0;  // m or rad
};

struct Assembly {
    AssemblyOutcome outcome = AssemblyOutcome::assembled;
    std::vector<PlanarSpace::Position> positions;  // per body
    std::vector<MovedValue> moved;                 // in file order
    double residual = 0;                           // m
    double diameter = 1;                           // of the assembled points, m
    double model_size = 1;  // the diameter, far from the origin more; scale of tolerances, m
    int iterations = 0;
    std::string element;  // what does not close, or the driver
    Span span;
    double gap = 0;       // m (angles times the model's size)
    std::string message;  // empty when assembled
};

// Mechanism with its graph, drivers settled on the placed bodies. The first thing every analysis
// makes.
struct PlacedMechanism {
    PlanarMechanism mechanism;
    Topology topology;
    Assembly assembly;
    [[nodiscard]] bool ok() const { return assembly.outcome == AssemblyOutcome::assembled; }
};

// Places the bodies on the spanning tree and closes the loops at time t. Start values of the file
// are kept where they are independent: first the coordinates in `run.independent`, then bodies
// marked `exact`, then the others in file order.
PlacedMechanism assemble(PlanarMechanism mechanism, double t = 0);

// Other assemblies with the same driver values, undriven degrees of freedom kept where they are:
// distinct solutions found from `starts` random first guesses.
struct AssemblyMode {
    std::vector<PlanarSpace::Position> positions;
    int hits = 0;  // how many starts led here
};
std::vector<AssemblyMode> find_assembly_modes(const PlacedMechanism& placed, int starts);

// Levenberg-Marquardt from q to the nearest zero (or least) of phi(q, t). Returns the number of
// iterations.
int solve_least_squares(Equations& equations, std::vector<double>& q, double t);

// Joint coordinates that leave no degree of freedom when kept: first the names the user asked for,
// then by full pivoting. `drivers` says whether driven coordinates count as taken. A named
// coordinate that depends on others is reported in `problem`.
std::vector<RestCoordinate<PlanarSpace>> choose_independent(const PlacedMechanism& placed,
                                                            bool drivers,
                                                            std::string* problem = nullptr);

// The coordinate "A" or "F.x" of a mechanism; nullopt when there is none of this name.
std::optional<Coordinate<PlanarSpace>> find_coordinate(const PlanarMechanism& mechanism,
                                                       const std::string& name);

}  // namespace pawl
