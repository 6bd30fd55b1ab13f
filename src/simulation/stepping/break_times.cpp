#include "simulation/stepping/break_times.h"

#include <algorithm>
#include <variant>

#include "math/tolerances.h"

namespace pawl {

std::vector<double> break_times(const PlanarMechanism& mechanism, double start, double end) {
    std::vector<double> all, impulses, out;
    for (const auto& d : mechanism.drivers)
        std::visit(
            [&](const auto& law) {
                if constexpr (requires { law.breaks(0.0, all); }) law.breaks(end, all);
            },
            d.law);
    for (const auto& f : mechanism.forces)
        if (const auto* impulse = std::get_if<GivenImpulse<PlanarSpace>>(&f.kind))
            impulses.push_back(impulse->at);
    // What only jumps at the end has no effect in the run; an impulse there has.
    std::erase_if(all, [&](double t) { return !(t < end); });
    all.insert(all.end(), impulses.begin(), impulses.end());
    std::sort(all.begin(), all.end());
    for (const double t : all)
        if (t > start && t <= end &&
            (out.empty() || t - out.back() > tolerance::same_time * (1 + t)))
            out.push_back(t);
    return out;
}

std::vector<PlanarSpace::Wrench> given_impulse(const PlanarMechanism& mechanism, std::size_t force,
                                               Coordinates<PlanarSpace>& coordinates) {
    const auto& impulse = std::get<GivenImpulse<PlanarSpace>>(mechanism.forces[force].kind);
    const auto& at = mechanism.forces[force].frames[1];
    std::vector<PlanarSpace::Wrench> on_bodies(mechanism.bodies.size());
    auto& wrench = on_bodies[static_cast<std::size_t>(at.body)];
    wrench.f = {impulse.x, impulse.y};
    wrench.m = impulse.turn +
               PlanarSpace::cross(coordinates.position(at.body).to_ground(at.local.at), wrench.f);
    return on_bodies;
}

}  // namespace pawl
