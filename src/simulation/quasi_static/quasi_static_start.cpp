#include "simulation/quasi_static/quasi_static_start.h"

#include <string>

#include "simulation/equilibrium/equilibrium.h"

namespace pawl {

namespace {

using Vector = Eigen::VectorXd;

bool start_free(const PlacedMechanism& placed, EquilibriumSystem& balance,
                QuasiStaticFailure& failure) {
    const EquilibriumResult start = find_equilibrium(placed);
    if (start.status == EquilibriumStatus::refused)
        return failure.fail(QuasiStaticStatus::refused, start.message, start.span);
    if (start.status != EquilibriumStatus::balanced)
        return failure.fail(QuasiStaticStatus::no_start, start.message, start.span);
    if (start.stability == Stability::neutral) return failure.neutral(start);
    const auto q = balance.equations().coordinates().from_positions(start.positions);
    Vector y(static_cast<int>(q.size()));
    for (int c = 0; c < y.size(); ++c)
        y[c] = q[static_cast<std::size_t>(c)] * balance.equations().column_scale()[c];
    balance.close(y, 0);
    return true;
}

// Those contacts that touch are closed, and the bodies descend from there to rest, meeting others.
bool start_in_contact(const PlacedMechanism& placed, QuasiStaticMode& mode,
                      QuasiStaticFailure& failure) {
    if (placed.mechanism.bodies.size() * 3 > EquilibriumSystem::largest_size)
        return failure.fail(QuasiStaticStatus::refused,
                            "statics with contacts works up to 100 bodies");
    Vector y = mode.balance().assembled();
    if (!mode.balance().close(y, 0))
        return failure.fail(QuasiStaticStatus::no_start, "the start does not satisfy the joints");
    if (const auto found = mode.contacts().overlap(mode.balance().equations().coordinates()))
        return failure.fail(QuasiStaticStatus::overlap, found->message, found->span);
    mode.follow();
    mode.contacts().close_touching(mode.balance().equations().coordinates());
    mode.renew();
    if (!mode.balance().close(y, 0) || !mode.fall(y, y, 0))
        return failure.fail(QuasiStaticStatus::no_start,
                            "no equilibrium is reached from the start");
    return true;
}

}  // namespace

std::optional<PathPoint> find_start(const PlacedMechanism& placed, QuasiStaticMode& mode,
                                    QuasiStaticFailure& failure) {
    const bool found = mode.watching() ? start_in_contact(placed, mode, failure)
                                       : start_free(placed, mode.balance(), failure);
    return found ? std::optional(mode.path().here()) : std::nullopt;
}

}  // namespace pawl
