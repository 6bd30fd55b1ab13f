#include "simulation/contact_mode.h"

#include <algorithm>

#include "contact/overlap.h"
#include "math/tolerances.h"
#include "simulation/text.h"

namespace pawl {

using Space = PlanarSpace;

Event contact_event(const PlanarMechanism& mechanism, EventKind kind, double t,
                    const ContactPoint<Space>& point, std::string from, std::string to,
                    std::string detail) {
    Event e;
    e.t = t;
    e.kind = kind;
    e.element = name_of(mechanism, point);
    e.from = std::move(from);
    e.to = std::move(to);
    e.detail = std::move(detail);
    return e;
}

std::optional<StartOverlap> overlap_at_start(const PlanarMechanism& mechanism,
                                             const Coordinates<Space>& coordinates,
                                             const std::vector<int>& pairs, double model_size) {
    for (const int i : pairs) {
        const auto& pair = mechanism.contacts[static_cast<std::size_t>(i)];
        const auto& a = mechanism.profiles[static_cast<std::size_t>(pair.profile_a)];
        const auto& b = mechanism.profiles[static_cast<std::size_t>(pair.profile_b)];
        const auto found = overlap(a.chain, coordinates.frame(a.frame).position, b.chain,
                                   coordinates.frame(b.frame).position);
        if (!found || found->depth < tolerance::touching_at_start * model_size) continue;
        return StartOverlap{"contact '" + pair.name + "': profiles '" + a.name + "' and '" +
                                b.name + "' overlap at the start by " + length_text(found->depth) +
                                " near (" + number_text(found->place.x) + ", " +
                                number_text(found->place.y) + ") m; move one of the bodies apart",
                            pair.span};
    }
    return std::nullopt;
}

ContactPoint<Space> numbered(ContactPoint<Space> point,
                             const std::vector<ContactPoint<Space>>& closed) {
    while (std::any_of(closed.begin(), closed.end(), [&](const auto& p) {
        return p.pair == point.pair && p.number == point.number;
    }))
        ++point.number;
    return point;
}

std::vector<FrictionMode> friction_places(const PlanarMechanism& mechanism,
                                          const std::vector<ContactPoint<Space>>& contacts) {
    std::vector<FrictionMode> places;
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j)
        if (mechanism.joints[j].friction()) {
            FrictionMode& mode = places.emplace_back();
            mode.joint = static_cast<int>(j);
        }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const auto& friction =
            mechanism.contacts[static_cast<std::size_t>(contacts[i].pair)].friction;
        if (!friction || contacts[i].compliant) continue;
        for (const bool rolling : {false, true}) {
            if (rolling && !(friction->rolling > 0)) continue;
            FrictionMode& mode = places.emplace_back();
            mode.contact = static_cast<int>(i);
            mode.rolling = rolling;
        }
    }
    return places;
}

void add_contact_force(const PlanarMechanism& mechanism, const Coordinates<Space>& coordinates,
                       const ContactPoint<Space>& point, double force,
                       std::vector<Space::Wrench>& on_bodies) {
    const auto& pair = mechanism.contacts[static_cast<std::size_t>(point.pair)];
    for (const int side : {0, 1}) {
        const int body = side == 0 ? pair.a : pair.b;
        const auto f = (side == 0 ? -force : force) * point.touch.n;
        auto& wrench = on_bodies[static_cast<std::size_t>(body)];
        wrench.f += f;
        wrench.m += Space::cross(point.touch.p[side] - coordinates.position(body).p, f);
    }
}

}  // namespace pawl
