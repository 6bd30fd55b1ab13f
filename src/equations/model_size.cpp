// The size of a mechanism: what its tolerances of length are parts of.
#include <algorithm>
#include <cmath>
#include <variant>

#include "equations/mechanism_equations.h"
#include "math/tolerances.h"
#include "mechanism/joint_kind.h"

namespace pawl {

namespace {

// What else has a length, where all points of a model are one and joints have play, whose contacts
// need a size: pins, their play, centres of mass, radii of gyration.
template <class S>
double size_of_parts(const Mechanism<S>& mechanism) {
    double size = 0;
    bool has_play = false;
    for (const auto& joint : mechanism.joints)
        std::visit(
            [&](const auto& kind) {
                if constexpr (requires { *kind.radius; })
                    if (kind.radius) size = std::max(size, 2 * value_of(*kind.radius));
                if constexpr (requires { *kind.clearance; })
                    if (kind.clearance)
                        has_play = true, size = std::max(size, 2 * value_of(*kind.clearance));
            },
            *joint.kind);
    if (!has_play) return 0;
    for (const auto& body : mechanism.bodies) {
        size = std::max(size, std::hypot(value_of(body.centre.x), value_of(body.centre.y)));
        const double mass = value_of(body.mass.value_or(0)),
                     inertia = value_of(body.inertia.value_or(0));
        if (mass > 0 && inertia > 0) size = std::max(size, std::sqrt(inertia / mass));
    }
    return size;
}

}  // namespace

template <class S>
double model_size(const Mechanism<S>& mechanism, const Coordinates<S>& coordinates, double guess) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    const auto take = [&](typename S::Vector p) {
        const double x[2] = {p.x, p.y};
        for (int i = 0; i < 2; ++i) {
            low[i] = std::min(low[i], x[i]);
            high[i] = std::max(high[i], x[i]);
        }
    };
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
        const auto& position = coordinates.position(static_cast<int>(b));
        if (b > 0) take(position.p);
        for (const auto& point : mechanism.bodies[b].points)
            take(position.p + position.to_ground(point.at));
    }
    for (const auto& joint : mechanism.joints)
        for (int k = 0; k < 2; ++k)
            take(joint.frames[k].on(coordinates.position(joint.frames[k].body)).p);
    for (const auto& profile : mechanism.profiles) {
        const auto frame = profile.frame.on(coordinates.position(profile.frame.body));
        for (const auto& element : profile.chain.elements)
            for (const double u : {0.0, 0.25, 0.5, 0.75, 1.0})
                take(frame.p + frame.to_ground(point_of<S>(element, u).p));
    }
    const double size = std::hypot(high[0] - low[0], high[1] - low[1]);
    const double least = std::max(tolerance::same_point, tolerance::same_point_part * guess);
    if (std::isfinite(size) && size > least) return size;
    if (guess > 0) return guess;
    const double parts = size_of_parts(mechanism);
    return parts > tolerance::same_point ? parts : 1.0;
}

template double model_size(const Mechanism<PlanarSpace>&, const Coordinates<PlanarSpace>&, double);

}  // namespace pawl
