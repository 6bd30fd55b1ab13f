#include "simulation/contact_mode.h"

#include <algorithm>

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
