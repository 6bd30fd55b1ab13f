// Finds the singular positions that a dynamic run passes: where the constraint rows become
// dependent and another branch of the motion opens.
#pragma once

#include <vector>

#include "simulation/stepping.h"

namespace pawl {

class SingularityWatch {
public:
    explicit SingularityWatch(DynamicResult& result) : result_(result) {}
    // After a step whose end was projected: notes a bifurcation inside it.
    void step(DynamicSystem& system, Stepping& stepping);

private:
    DynamicResult& result_;
    double last_ = 1;  // independence at the end of the step before
};

}  // namespace pawl
