// The longest steps that see all that forces, drivers, states and measures do with the time: a
// smooth pulse of 1/10,000 of the run is not stepped over.
#pragma once

#include <cstddef>
#include <vector>

#include "math/expression/time_scale.h"
#include "mechanism/mechanism.h"

namespace pawl {

class StepLimits {
public:
    // fixed_step: of an integrator without error control; 0 for others, which have `rtol`.
    StepLimits(const PlanarMechanism& mechanism, double begin, double end, double fixed_step,
               double rtol);

    // Where a step from t must end at the latest, if not at `stop`. Times never decrease.
    [[nodiscard]] double latest_end(double t, double stop);

private:
    struct Source {
        std::vector<TimeScale> parts;
        std::size_t next = 0;  // the first that ends after the last t
    };
    std::vector<Source> sources_;
    double fixed_step_;
};

}  // namespace pawl
