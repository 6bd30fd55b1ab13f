// The jump of a quasi-static run from an equilibrium that is lost to the next stable one, with its
// event and its rows before and after. Why it was lost is up to the caller.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "results/event.h"
#include "simulation/quasi_static/quasi_static_failure.h"
#include "simulation/quasi_static/quasi_static_mode.h"
#include "simulation/quasi_static/quasi_static_record.h"

namespace pawl {

class QuasiStaticJump {
public:
    using Vector = Eigen::VectorXd;
    QuasiStaticJump(const PlanarMechanism& mechanism, QuasiStaticMode& mode,
                    QuasiStaticRecord& record, std::vector<Event>& events,
                    QuasiStaticFailure& failure)
        : mechanism_(mechanism), mode_(mode), record_(record), events_(events), failure_(failure) {}

    // The event of an equilibrium that is lost at a point, not yet noted.
    [[nodiscard]] Event lost(EventKind kind, const PathPoint& at, Cause cause);
    // Begins in `direction` where forces give none (none is given where they do); `node` becomes
    // the next stable equilibrium. False when none is reached.
    bool take(PathPoint& node, const PathPoint& from, const Vector& direction, Event event);
    // A contact that held a load has opened where the balance is set: the load falls, `nudged`
    // along the forces first.
    bool drop_load(PathPoint& node, bool nudged, Cause cause);
    // When a load fell last: before that was no balance to show.
    [[nodiscard]] double last_load_drop() const { return last_load_drop_; }

private:
    using Poses = std::vector<PlanarSpace::Position>;
    [[nodiscard]] Poses poses();
    [[nodiscard]] fact::Leap leap(const Poses& before);

    const PlanarMechanism& mechanism_;
    QuasiStaticMode& mode_;
    QuasiStaticRecord& record_;
    std::vector<Event>& events_;
    QuasiStaticFailure& failure_;
    double last_load_drop_ = -INFINITY;
};

}  // namespace pawl
