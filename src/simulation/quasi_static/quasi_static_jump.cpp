#include "simulation/quasi_static/quasi_static_jump.h"

#include <utility>

#include "math/tolerances/motion.h"
#include "results/text.h"

namespace pawl {

namespace {

// A smaller movement (as a fraction of the size) is not a jump.
constexpr double nearly = tolerance::nearly_lost;
// A jump begins at this distance (as a fraction of the size) from the position that has lost its
// stability.
constexpr double nudge = tolerance::nudge;

}  // namespace

Event QuasiStaticJump::lost(EventKind kind, const PathPoint& at, Cause cause) {
    Event event;
    event.t = at.t;
    event.kind = kind;
    event.element = mode_.balance().leading_coordinate(at.weakest);
    event.from = "stable";
    event.facts = {cause};
    return event;
}

bool QuasiStaticJump::take(PathPoint& node, const PathPoint& from, const Vector& direction,
                           Event event) {
    if (event.kind == EventKind::snap && event.t > 0 && event.t != last_load_drop_)
        record_.sample(from);
    Vector before = from.y;
    mode_.balance().close(before, from.t);
    const double energy = mode_.balance().potential();
    const Poses positions = poses();
    Vector y = from.y;
    if (direction.size() > 0) y += nudge * mode_.size() / direction.norm() * direction;
    if (!mode_.fall(from.y, y, from.t)) return failure_.no_equilibrium(std::move(event));
    node = mode_.path().here();
    if (direction.size() == 0 && (node.y - from.y).norm() < nearly * mode_.size()) {
        record_.sample(node);
        return true;
    }
    event.to = "stable";
    event.energy_change = mode_.balance().potential() - energy;
    event.facts.push_back(leap(positions));
    events_.push_back(std::move(event));
    if (events_.back().kind == EventKind::snap) record_.sample(node);
    return true;
}

bool QuasiStaticJump::drop_load(PathPoint& node, bool nudged, Cause cause) {
    const PathPoint at = mode_.path().here();
    const Vector way = mode_.balance().free_directions() * mode_.balance().unbalance();
    last_load_drop_ = at.t;
    Event event = lost(EventKind::snap, at, cause);
    event.element = mode_.balance().leading_coordinate(way);
    return take(node, at, nudged ? way : Vector(), std::move(event));
}

QuasiStaticJump::Poses QuasiStaticJump::poses() {
    Poses out;
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b)
        out.push_back(mode_.balance().equations().coordinates().position(static_cast<int>(b)));
    return out;
}

// Which body has moved most from its old pose, and how far.
fact::Leap QuasiStaticJump::leap(const Poses& before) {
    const Poses now = poses();
    std::size_t moved = 0;
    double farthest = -1;
    for (std::size_t b = 1; b < now.size(); ++b) {
        const auto d = now[b].p - before[b].p;
        const double far =
            std::hypot(d.x, d.y) + std::abs(now[b].angle - before[b].angle) * mode_.size();
        if (far > farthest) {
            farthest = far;
            moved = b;
        }
    }
    const auto d = now[moved].p - before[moved].p;
    return {mechanism_.bodies[moved].name, std::hypot(d.x, d.y),
            now[moved].angle - before[moved].angle};
}

}  // namespace pawl
