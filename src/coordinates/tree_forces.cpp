// What inertia there is; inertia as forces and energy: M x, M' v, inertia wrenches, weights and the
// generalized forces of what acts on the bodies.
#include <algorithm>
#include <cmath>

#include "coordinates/tree_inertia.h"
#include "coordinates/tree_passes.h"
#include "math/seeded_fault.h"

namespace pawl {

template <class S>
bool TreeInertia<S>::is_regular() const {
    return std::all_of(bodies_.begin() + 1, bodies_.end(),
                       [](const BodyInertia& b) { return b.mass > 0 && b.about_centre > 0; });
}

template <class S>
double TreeInertia<S>::mean_mass() const {
    double sum = 0;
    int count = 0;
    for (const BodyInertia& b : bodies_) {
        sum += b.mass;
        count += b.mass > 0 ? 1 : 0;
    }
    return count > 0 ? sum / count : 0;
}

template <class S>
void TreeInertia<S>::collect(std::span<double> f) const {
    for (std::size_t k = links_.size(); k-- > 0;) {
        along(k, force_[k], f);
        pass_on(k, force_[k]);
    }
}

template <class S>
void TreeInertia<S>::apply(std::span<const double> x, std::span<double> y) const {
    for (std::size_t k = 0; k < links_.size(); ++k) {
        const Link& link = links_[k];
        Three a = carried(k);
        for (int i = 0; i < link.freedoms; ++i) {
            const Three s = subspace(k, i);
            for (int c = 0; c < 3; ++c) a[c] += s[c] * x[link.first + i];
        }
        motion_[k] = a;
        const auto inertia = inertia_at(link.child, coordinates_.centre(k));
        const auto& h = inertia.moment;
        force_[k] = {inertia.turning * a[0] - h.y * a[1] + h.x * a[2],
                     -h.y * a[0] + inertia.mass * a[1], h.x * a[0] + inertia.mass * a[2]};
    }
    collect(y);
}

template <class S>
Eigen::MatrixXd TreeInertia<S>::matrix() const {
    const int n = coordinates_.size();
    Eigen::MatrixXd m(n, n);
    std::vector<double> unit(n, 0.0);
    for (int c = 0; c < n; ++c) {
        unit[c] = 1;
        apply(unit, {m.col(c).data(), static_cast<std::size_t>(n)});
        unit[c] = 0;
    }
    return m;
}

// Newton and Euler at the origin o of the body, with r to the centre of mass: the force m (a +
// alpha x r - w^2 r), the moment I alpha + r x force.
template <class S>
typename S::Wrench TreeInertia<S>::inertia_wrench(int body) const {
    const BodyInertia& b = bodies_[body];
    const auto r = coordinates_.position(body).to_ground(b.centre);
    const auto& a = coordinates_.acceleration(body);
    const double omega = coordinates_.velocity(body).omega;
    const auto force = b.mass * (a.v + a.omega * S::turned(r) - omega * omega * r);
    const double arm = seeded(Fault::inertia_moment_sign) ? -1 : 1;
    return {force, b.about_centre * a.omega + arm * S::cross(r, force)};
}

template <class S>
void TreeInertia<S>::pull_back(std::span<const typename S::Wrench> on_bodies,
                               std::span<double> f) const {
    for (std::size_t k = 0; k < links_.size(); ++k) {
        const int body = links_[k].child;
        const auto& w = on_bodies[body];
        const auto arm = coordinates_.position(body).p - coordinates_.centre(k);
        force_[k] = {w.m + S::cross(arm, w.f), w.f.x, w.f.y};
    }
    collect(f);
}

// The momentum along a coordinate is S.h: its unit twist S with the momentum h of all bodies
// outside, both at the ground's origin. At constant v: (S.h)' = S.h' + S'.h, where h' are the
// inertia wrenches at zero v'. S' is a translation:
//   turn about a centre c: -c' turned by 90 degrees,   displacement along an axis u of frame a:
//   omega_a times u turned,
// so it meets the linear part of h only.
template <class S>
void TreeInertia<S>::apply_rate(Coordinates<S>& coordinates, std::span<double> y) const {
    coordinates.set_acceleration({});
    net_.resize(mechanism_.bodies.size());
    for (std::size_t b = 0; b < net_.size(); ++b) net_[b] = inertia_wrench(static_cast<int>(b));
    pull_back(net_, y);
    const auto& branches = coordinates.branches();
    for (auto& wrench : net_) wrench = {};
    for (std::size_t k = branches.size(); k-- > 0;) {
        const auto& b = branches[k];
        const auto& twist = coordinates.velocity(b.child);
        const auto inertia = inertia_at(b.child, coordinates.position(b.child).p);
        auto& momentum = net_[b.child].f;
        momentum += inertia.mass * twist.v + twist.omega * S::turned(inertia.moment);
        net_[b.parent].f += momentum;
        const auto centre_rate = coordinates.frame(b.frames[1]).velocity.v;
        const double omega_a = coordinates.velocity(b.reversed ? b.child : b.parent).omega;
        for (std::size_t i = 0; i < b.freedoms.size(); ++i) {
            const Three s = subspace(k, static_cast<int>(i));
            const typename S::Vector rate = b.freedoms[i] == Component::angle
                                                ? -s[0] * S::turned(centre_rate)
                                                : omega_a * S::turned({s[1], s[2]});
            y[b.first + i] += (seeded(Fault::inertia_rate_sign) ? -1 : 1) * S::dot(rate, momentum);
        }
    }
}

template <class S>
void TreeInertia<S>::generalized_force(Coordinates<S>& coordinates,
                                       std::span<const typename S::Wrench> on_bodies,
                                       std::span<double> f) const {
    coordinates.set_acceleration({});
    for (std::size_t k = 0; k < links_.size(); ++k)
        force_[k] = net_wrench(k, on_bodies[links_[k].child], {}, lever(k));
    collect(f);
}

template <class S>
double TreeInertia<S>::kinetic_energy() const {
    double energy = 0;
    for (int b = 1; b < static_cast<int>(mechanism_.bodies.size()); ++b) {
        const auto inertia = inertia_at(b, coordinates_.position(b).p);
        const auto& v = coordinates_.velocity(b);
        energy += 0.5 * (inertia.mass * S::dot(v.v, v.v) + inertia.turning * v.omega * v.omega) +
                  (seeded(Fault::kinetic_energy_offset) ? 0.9 : 1) * v.omega *
                      S::cross(inertia.moment, v.v);
    }
    return energy;
}

template <class S>
double TreeInertia<S>::add_weights(typename S::Vector gravity,
                                   std::span<typename S::Wrench> on_bodies) const {
    double potential = 0;
    for (std::size_t body = 1; body < bodies_.size(); ++body) {
        const BodyInertia& b = bodies_[body];
        const auto& position = coordinates_.position(static_cast<int>(body));
        const auto r = position.to_ground(b.centre);
        const auto weight = b.mass * gravity;
        on_bodies[body].f += weight;
        on_bodies[body].m += S::cross(r, weight);
        potential -=
            (seeded(Fault::weight_potential_sign) ? -1 : 1) * S::dot(position.p + r, weight);
    }
    return potential;
}

template class TreeInertia<PlanarSpace>;

}  // namespace pawl
