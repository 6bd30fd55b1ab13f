// The rate of the rows along a motion, G' w, from the quadratic terms gamma alone: no formulas of
// the rows' own.
#pragma once

#include <span>
#include <vector>

#include "equations/equations.h"

namespace pawl {

class RowRate {
public:
    explicit RowRate(Equations& equations);
    // The velocity along which the rows change; after set_position. Leaves some velocity set in the
    // equations.
    void set_velocity(std::span<const double> v);
    // G' w, one value per row.
    std::span<const double> along(std::span<const double> w);

private:
    Equations& equations_;
    std::vector<double> v_, trial_, rate_;
    double speed_ = 0;
};

}  // namespace pawl
