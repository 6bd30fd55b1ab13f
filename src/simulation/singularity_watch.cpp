#include "simulation/singularity_watch.h"

#include <algorithm>
#include <cmath>

#include "math/golden_section.h"

namespace pawl {

namespace {

// How far the rows are from dependence: goes to zero like |t - t*| at a singular position.
double independence(Dynamics& dynamics) {
    return std::sqrt(std::max(0.0, dynamics.response().smallest_pivot()));
}

}  // namespace

// A singular position inside the step: the independence falls at its start and rises at its end.
// Golden section brings its foot near, then the crossing of the two straight sides gives the time.
void SingularityWatch::step(DynamicSystem& system, Stepping& stepping) {
    // Of the largest independence seen: only there it pays to look.
    constexpr double near = 0.3;
    const auto at = [&](double t) {
        system.equations->set_position(stepping.at(t).q, t);
        system.equations->set_inertia();
        system.dynamics->response().factor();
        return independence(*system.dynamics);
    };
    const double at_start = last_, at_end = independence(*system.dynamics);
    result_.statistics.smallest_pivot =
        std::min(result_.statistics.smallest_pivot, at_end * at_end);
    last_ = at_end;
    if (std::min(at_start, at_end) > near) return;
    // Rows that depend on each other all the time, as of a contact that sticks on a guided body:
    // its independence is the root of rounding.
    constexpr double none = 1e-6;
    if (std::max(at_start, at_end) < none) return;
    const double begin = stepping.begin(), end = std::min(stepping.t(), stepping.end());
    const double probe = 1e-3 * (end - begin);
    if (at(begin + probe) >= at(begin) || at(end - probe) >= at(end)) return;
    const Valley valley = golden_section(begin, end, at, 40, 20 * probe * 1e-3);
    if (valley.least > 1e-3) return;  // a minimum, but not a singular position
    const double foot = valley.middle(),
                 reach = std::min({2e-2 * probe * 1e3, foot - begin, end - foot});
    const double before = at(foot - reach), after = at(foot + reach);
    Event e;
    e.t = before + after > 0 ? foot - reach + 2 * reach * before / (before + after) : foot;
    e.kind = EventKind::bifurcation;
    e.to = "passed on its branch";
    e.detail = "singular position: the constraints become dependent and another branch opens";
    result_.events.push_back(std::move(e));
}

}  // namespace pawl
