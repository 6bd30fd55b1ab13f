// Brings a state near a singular position on the rows without moving it along its way. Two branches
// cross there, as those of x y = 0: the nearest point of (x, e) on the branch y = 0 is e^2/x away
// along it, which no integration resolves where x is small; at right angles to the velocity it is
// none. Knows rows and coordinates only, no masses.
#pragma once

#include <span>
#include <vector>

#include "equations/equations.h"
#include "math/linear/envelope_ldlt.h"

namespace pawl {

class CrossingProjection {
public:
    explicit CrossingProjection(Equations& equations);
    // q and v on the rows at t; false where that does not converge. Leaves the equations there.
    bool project(std::span<double> q, std::span<double> v, double t);

private:
    void factor();
    // x += (D - u u^T) G^T (the answer of the rows to `wanted_`), D from the columns' scales, u the
    // direction of motion.
    void answer(std::span<double> x);

    Equations& equations_;
    EnvelopeLdlt ldlt_;
    std::vector<RowProduct> products_;
    std::vector<double> weight_;     // per column: D
    std::vector<double> direction_;  // u
    std::vector<double> wanted_, along_, response_;
};

}  // namespace pawl
