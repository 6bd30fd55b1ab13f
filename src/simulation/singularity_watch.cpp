#include "simulation/singularity_watch.h"

#include <algorithm>
#include <cmath>

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
    const double begin = stepping.begin(), end = stepping.t();
    double low = begin, high = end;
    const double probe = 1e-3 * (high - low);
    if (at(low + probe) >= at(low) || at(high - probe) >= at(high)) return;
    constexpr double golden = 0.3819660112501051;
    double x1 = low + golden * (high - low), x2 = high - golden * (high - low);
    double f1 = at(x1), f2 = at(x2);
    for (int i = 0; i < 40 && high - low > 20 * probe * 1e-3; ++i) {
        if (f1 < f2) {
            high = x2;
            x2 = x1;
            f2 = f1;
            f1 = at(x1 = low + golden * (high - low));
        } else {
            low = x1;
            x1 = x2;
            f1 = f2;
            f2 = at(x2 = high - golden * (high - low));
        }
    }
    if (std::min(f1, f2) > 1e-3) return;  // a minimum, but not a singular position
    const double foot = 0.5 * (low + high),
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
