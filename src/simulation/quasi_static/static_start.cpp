#include "simulation/quasi_static/static_start.h"

#include <string>

#include "simulation/equilibrium/statics.h"

namespace pawl {

namespace {

using Vector = Eigen::VectorXd;

bool start_free(const PlacedMechanism& placed, StaticBalance& balance, StaticFailure& failure) {
    const StaticResult start = find_equilibrium(placed);
    if (start.status == StaticStatus::refused)
        return failure.fail(StaticRunStatus::refused, start.message, start.span);
    if (start.status != StaticStatus::balanced)
        return failure.fail(StaticRunStatus::no_start, start.message, start.span);
    if (start.stability == Stability::neutral) return failure.neutral(start);
    const auto q = balance.equations().coordinates().from_positions(start.positions);
    Vector y(static_cast<int>(q.size()));
    for (int c = 0; c < y.size(); ++c)
        y[c] = q[static_cast<std::size_t>(c)] * balance.equations().column_scale()[c];
    balance.close(y, 0);
    return true;
}

// Those contacts that touch are closed, and the bodies descend from there to rest, meeting others.
bool start_in_contact(const PlacedMechanism& placed, StaticMode& mode, StaticFailure& failure) {
    if (placed.mechanism.bodies.size() * 3 > StaticBalance::largest_size)
        return failure.fail(StaticRunStatus::refused,
                            "statics with contacts works up to 100 bodies");
    Vector y = mode.balance().assembled();
    if (!mode.balance().close(y, 0))
        return failure.fail(StaticRunStatus::no_start, "the start does not satisfy the joints");
    if (const auto found = mode.contacts().overlap(mode.balance().equations().coordinates()))
        return failure.fail(StaticRunStatus::overlap, found->message, found->span);
    mode.follow();
    mode.contacts().close_touching(mode.balance().equations().coordinates());
    mode.renew();
    if (!mode.balance().close(y, 0) || !mode.fall(y, y, 0))
        return failure.fail(StaticRunStatus::no_start, "no equilibrium is reached from the start");
    return true;
}

}  // namespace

std::optional<PathPoint> find_start(const PlacedMechanism& placed, StaticMode& mode,
                                    StaticFailure& failure) {
    const bool found = mode.watching() ? start_in_contact(placed, mode, failure)
                                       : start_free(placed, mode.balance(), failure);
    return found ? std::optional(mode.path().here()) : std::nullopt;
}

}  // namespace pawl
