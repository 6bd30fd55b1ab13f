// The problem of rigid contacts that touch and of all friction points, beside compliant
// contacts: its systems, and the tasks of friction and of impact made from it.
#pragma once

#include <vector>

#include "dynamics/contact/contact_problem.h"
#include "dynamics/contact/friction_problem.h"
#include "simulation/event_cycle/transition.h"

namespace pawl {

struct TouchingProblem {
    DynamicSystem *base, *all;  // without and with the rows of the problem
    ContactProblem problem;
};
// `mode` is in force: where all its friction points stick, they go on holding what they hold.
TouchingProblem problem_of(const ContactWorld& world, const Mode& mode,
                           const std::vector<Mode::Point>& compliant,
                           const std::vector<Mode::Point>& rigid);

// Friction of the contacts `contacts` of the touching ones and the friction points
// `friction_points` of the system, in natural units.
FrictionTask task_of(TouchingProblem& touching, const State& state,
                     const std::vector<int>& contacts, const std::vector<int>& friction_points);

// Of each touching contact the rows of the problem along its normal, its slip and its rolling, and
// their scales; -1: it has none.
struct ImpactRows {
    std::vector<int> row;
    std::vector<double> scale;
};
ImpactRows impact_rows(const DynamicSystem& all, std::size_t touching);

}  // namespace pawl
