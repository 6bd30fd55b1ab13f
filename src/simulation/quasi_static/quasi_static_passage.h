// What contacts do to the path of a quasi-static run: the first that closes, would pull, comes to
// the end of its element or slips off is located on the path and carried out, and the run continues
// from the balance or the fall that follows.
#pragma once

#include <optional>
#include <utility>

#include "simulation/quasi_static/quasi_static_jump.h"

namespace pawl {

class QuasiStaticPassage {
public:
    QuasiStaticPassage(double end, QuasiStaticMode& mode, QuasiStaticRecord& record,
                       QuasiStaticJump& jump, QuasiStaticFailure& failure)
        : end_(end), mode_(mode), record_(record), jump_(jump), failure_(failure) {}

    enum class Outcome {
        none,
        met,     // the walk continues from there
        late,    // after the target: the step leads to it
        astray,  // the path cannot be followed in this step
        ended,   // the failure says why
    };
    // The contacts between a walk and the next point of its path, one step on: the first change up
    // to the time `target` is brought about.
    Outcome pass(PathWalk& walk, const PathPoint& next, double target);

    // The contact that slips off at a dead point just beyond a point: its force grows without bound
    // there.
    [[nodiscard]] std::optional<std::size_t> slipping(const PathPoint& node);
    bool slip_off(PathWalk& walk, std::size_t contact, PathPoint at);

private:
    // Forces are known on the path only.
    struct Change : ContactMode::Change {
        std::optional<std::size_t> pulls;
    };
    [[nodiscard]] std::optional<Change> first_change(const PathWalk& walk, const PathPoint& next);
    [[nodiscard]] std::optional<std::pair<double, PathPoint>> locate(const PathWalk& walk,
                                                                     const PathPoint& next,
                                                                     const Change& change);
    bool bring_about(const Change& change, const PathPoint& at);
    bool close(const GapWatch::Hit& hit, const PathPoint& at);
    bool go_on(PathWalk& walk, const PathPoint& at, const std::optional<EndPassed>& passed);
    bool drop(PathWalk& walk, PathPoint at, const ContactMode::Point& contact, double target);

    double end_;
    QuasiStaticMode& mode_;
    QuasiStaticRecord& record_;
    QuasiStaticJump& jump_;
    QuasiStaticFailure& failure_;
};

}  // namespace pawl
