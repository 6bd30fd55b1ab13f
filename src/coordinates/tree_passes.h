// The steps of a pass over the tree from one branch to the next, shared by the sources of
// TreeInertia: twists outwards, wrenches inwards.
#pragma once

#include <array>

#include "coordinates/tree_inertia.h"
#include "math/seeded_fault.h"

namespace pawl {

inline double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class S>
inline PointInertia<S> TreeInertia<S>::inertia_at(int body, typename S::Vector reference) const {
    const BodyInertia& b = bodies_[body];
    const auto& position = coordinates_.position(body);
    const auto r = position.p + position.to_ground(b.centre) - reference;
    return {b.mass, b.mass * r, b.about_centre + b.mass * S::dot(r, r)};
}

template <class S>
inline typename S::Vector TreeInertia<S>::lever(std::size_t branch) const {
    const int body = links_[branch].child;
    const auto& position = coordinates_.position(body);
    return position.p + position.to_ground(bodies_[body].centre) - coordinates_.centre(branch);
}

// A coordinate moves its body by a unit turn about the reference point (the origin of frame b), or
// along an axis of frame a; the other way round when the child carries frame a.
template <class S>
inline typename TreeInertia<S>::Three TreeInertia<S>::subspace(std::size_t branch,
                                                               int freedom) const {
    const auto& b = coordinates_.branches()[branch];
    const double sign = links_[branch].sign;
    if (b.freedoms[freedom] == Component::angle) return {sign, 0, 0};
    const auto along = coordinates_.direction(branch, b.freedoms[freedom]);
    return {0, sign * along.x, sign * along.y};
}

// References differ by translations d only: the twist (w, v) is (w, v + w k x d) at d, a wrench (n,
// f) there is (n + d x f, f) here.
template <class S>
inline typename TreeInertia<S>::Three TreeInertia<S>::carried(std::size_t branch) const {
    const int parent = links_[branch].parent;
    if (parent < 0) return {0, 0, 0};
    const auto d = coordinates_.offset(branch);
    const Three& m = motion_[parent];
    return {m[0], m[1] - m[0] * d.y, m[2] + m[0] * d.x};
}

template <class S>
inline void TreeInertia<S>::pass_on(std::size_t branch, const Three& wrench) const {
    const int parent = links_[branch].parent;
    if (parent < 0) return;
    const auto d = coordinates_.offset(branch);
    Three& sum = force_[parent];
    sum[0] += wrench[0] + d.x * wrench[2] - d.y * wrench[1];
    sum[1] += wrench[1];
    sum[2] += wrench[2];
}

template <class S>
inline void TreeInertia<S>::along(std::size_t branch, const Three& wrench,
                                  std::span<double> f) const {
    const Link& link = links_[branch];
    if (link.turns_only)
        f[link.first] = link.sign * wrench[0];
    else
        for (int i = 0; i < link.freedoms; ++i)
            f[link.first + i] = dot(subspace(branch, i), wrench);
}

// In the plane nothing turns faster at zero v': the centre of mass, at s from the origin of the
// body, has the acceleration a - w^2 s.
template <class S>
inline typename TreeInertia<S>::Three TreeInertia<S>::net_wrench(std::size_t branch,
                                                                 const typename S::Wrench& on_body,
                                                                 typename S::Vector gravity,
                                                                 typename S::Vector r) const {
    const int body = links_[branch].child;
    const auto arm = coordinates_.position(body).p - coordinates_.centre(branch);
    const double omega = coordinates_.velocity(body).omega,
                 inwards = (seeded(Fault::centripetal_sign) ? -1 : 1) * omega * omega;
    const auto inertia =
        bodies_[body].mass * (coordinates_.acceleration(body).v - gravity - inwards * (r - arm));
    const auto force = on_body.f - inertia;
    return {on_body.m + S::cross(arm, on_body.f) - S::cross(r, inertia), force.x, force.y};
}

}  // namespace pawl
