#include "coordinates/tree_inertia.h"

#include <cmath>
#include <stdexcept>

namespace pawl {

namespace {

using Three = std::array<double, 3>;  // (turn, x, y) of a twist or a wrench, at a reference point, ground axes

double dot(const Three& a, const Three& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace

// Two particles on given places, the third from mass, centre and inertia (Attia 2004, section 3). With all places
// measured from the centre of mass: m1 r1 + m2 r2 + m3 r3 = 0, m1 + m2 + m3 = m, sum m_i r_i^2 = I. The mass on the
// second place is m/n (one share of the body); then r3 = -(m1 r1 + m2 r2)/m3 and
// (m1 r1^2 + m2 r2^2) m3 + (m1 r1 + m2 r2)^2 = I m3 is a quadratic for m1.
template <class S>
EquivalentParticles<S> equivalent_particles(const Body<S>& body, std::span<const typename S::Vector> places) {
    EquivalentParticles<S> out;
    if (!body.mass) return out;
    const double m = *body.mass, inertia = body.inertia.value_or(0);
    const auto centre = body.centre;
    const auto alone = [&] {
        // No two places: particles on a small cross about the centre, of the body's own radius of gyration.
        const double r = m > 0 ? std::sqrt(inertia / m) : 0;
        out.particles = {{m / 2, centre + typename S::Vector{r, 0}}, {m / 2, centre - typename S::Vector{r, 0}}};
        return out;
    };
    if (places.size() < 2) return alone();
    const auto r1 = places[0] - centre, r2 = places[1] - centre;
    const double span2 = S::dot(r2 - r1, r2 - r1);
    if (!(span2 > 0)) return alone();
    // A rod: the places on opposite sides in line with the centre; ends and the centre itself.
    if (std::abs(S::cross(r1, r2)) <= 1e-12 * span2 && S::dot(r1, r2) < 0) {
        const double l1 = std::sqrt(S::dot(r1, r1)), l2 = std::sqrt(S::dot(r2, r2));
        const double m1 = inertia / (l1 * (l1 + l2)), m2 = inertia / (l2 * (l1 + l2));
        out.particles = {{m1, places[0]}, {m2, places[1]}, {m - m1 - m2, centre}};
        return out;
    }
    const double m2 = m / 3;
    // With A = r1^2, B = m2 r2^2, c = r1.r2, M = m - m2, m3 = M - m1:
    //   (m1 A + B)(M - m1) + m1^2 A + 2 m1 m2 c + m2^2 r2^2 = I (M - m1), linear in m1 after cancellation.
    const double a = S::dot(r1, r1), b = m2 * S::dot(r2, r2), c = S::dot(r1, r2), rest = m - m2;
    const double slope = a * rest - b + 2 * m2 * c + inertia;
    if (std::abs(slope) < 1e-300) return alone();
    const double m1 = (inertia * rest - b * rest - m2 * b) / slope;
    const double m3 = rest - m1;
    if (!(std::abs(m3) > 1e-12 * m)) return alone();
    out.particles = {{m1, places[0]}, {m2, places[1]}, {m3, centre - (1 / m3) * (m1 * r1 + m2 * r2)}};
    return out;
}

template <class S>
TreeInertia<S>::TreeInertia(const Mechanism<S>& mechanism, const Coordinates<S>& coordinates, bool particles)
    : mechanism_(mechanism), coordinates_(coordinates) {
    if (particles)
        for (const auto& body : mechanism.bodies) {
            std::vector<typename S::Vector> places;
            for (const auto& joint : mechanism.joints)
                for (int k = 0; k < 2; ++k)
                    if (&mechanism.bodies[joint.frames[k].body] == &body) places.push_back(joint.frames[k].local.at);
            // Joints on one pin give the same place once.
            for (std::size_t i = 0; i < places.size(); ++i)
                for (std::size_t j = i + 1; j < places.size();)
                    if (std::hypot(places[i].x - places[j].x, places[i].y - places[j].y) == 0)
                        places.erase(places.begin() + static_cast<std::ptrdiff_t>(j));
                    else
                        ++j;
            particles_.push_back(equivalent_particles<S>(body, places));
        }
    const auto& branches = coordinates.branches();
    std::vector<int> branch_of(mechanism.bodies.size(), -1), block(branches.size());
    block_of_column_.resize(coordinates.size());
    for (std::size_t k = 0; k < branches.size(); ++k) {
        branch_of[branches[k].child] = static_cast<int>(k);
        const int parent = branches[k].parent == 0 ? -1 : branch_of[branches[k].parent];
        parent_branch_.push_back(parent);
        if (parent < 0) {
            block[k] = static_cast<int>(block_branches_.size());
            block_branches_.emplace_back();
        } else {
            block[k] = block[parent];
        }
        block_branches_[block[k]].push_back(static_cast<int>(k));
        all_branches_.push_back(static_cast<int>(k));
        for (std::size_t i = 0; i < branches[k].freedoms.size(); ++i) block_of_column_[branches[k].first + i] = block[k];
    }
    factors_.resize(branches.size());
    force_.resize(branches.size());
    motion_.resize(branches.size());
}

template <class S>
PointInertia<S> TreeInertia<S>::inertia_at(int body, typename S::Vector reference) const {
    const Body<S>& b = mechanism_.bodies[body];
    const auto& position = coordinates_.position(body);
    PointInertia<S> out;
    if (!particles_.empty()) {
        for (const auto& p : particles_[body].particles) {
            const auto r = position.p + position.to_ground(p.at) - reference;
            out.mass += p.mass;
            out.moment += p.mass * r;
            out.turning += p.mass * S::dot(r, r);
        }
        return out;
    }
    if (!b.mass) return out;
    const auto r = position.p + position.to_ground(b.centre) - reference;
    out.mass = *b.mass;
    out.moment = out.mass * r;
    out.turning = b.inertia.value_or(0) + out.mass * S::dot(r, r);
    return out;
}

// A coordinate moves its body by a unit turn about the reference point (the origin of frame b), or along an axis of
// frame a; the other way round when the child carries frame a.
template <class S>
std::array<double, 3> TreeInertia<S>::subspace(std::size_t branch, int freedom) const {
    const auto& b = coordinates_.branches()[branch];
    const double sign = b.reversed ? -1 : 1;
    if (b.freedoms[freedom] == Component::angle) return {sign, 0, 0};
    const auto axis = coordinates_.axis(branch);
    const auto along = b.freedoms[freedom] == Component::x ? axis : S::turned(axis);
    return {0, sign * along.x, sign * along.y};
}

// Articulated inertia from the tips inwards (Featherstone 1983), with references that differ by translations only:
//   I_A = I + sum of children (I_A - U D^-1 U^T) shifted,  U = I_A S,  D = S^T U.
// A shift by d (child reference minus parent reference) keeps the lower block and moves the moments.
template <class S>
bool TreeInertia<S>::factor() {
    const auto& branches = coordinates_.branches();
    for (std::size_t k = 0; k < branches.size(); ++k) {
        const auto inertia = inertia_at(branches[k].child, coordinates_.centre(k));
        const auto& h = inertia.moment;
        factors_[k].articulated = {inertia.turning, -h.y, h.x, inertia.mass, 0, inertia.mass};
    }
    for (std::size_t i = branches.size(); i-- > 0;) {
        BranchFactors& f = factors_[i];
        Symmetric& a = f.articulated;
        const auto times = [&a](const Three& s) {
            return Three{a[0] * s[0] + a[1] * s[1] + a[2] * s[2], a[1] * s[0] + a[3] * s[1] + a[4] * s[2],
                         a[2] * s[0] + a[4] * s[1] + a[5] * s[2]};
        };
        const int n = static_cast<int>(branches[i].freedoms.size());
        Symmetric out = a;
        if (n == 1) {
            const Three s = subspace(i, 0);
            f.u[0] = times(s);
            const double d = dot(s, f.u[0]);
            if (!(d > 1e-14 * (a[0] + a[3] + a[5]))) {
                massless_ = coordinates_.column_name(branches[i].first);
                return false;
            }
            const double w = f.inverse[0] = 1 / d;
            const Three& u = f.u[0];
            out = {a[0] - u[0] * u[0] * w, a[1] - u[0] * u[1] * w, a[2] - u[0] * u[2] * w,
                   a[3] - u[1] * u[1] * w, a[4] - u[1] * u[2] * w, a[5] - u[2] * u[2] * w};
        } else if (n > 1) {
            Eigen::Matrix3d d = Eigen::Matrix3d::Identity();
            for (int p = 0; p < n; ++p) {
                f.u[p] = times(subspace(i, p));
                for (int q = 0; q < n; ++q) d(q, p) = dot(subspace(i, q), f.u[p]);
            }
            // Moments and masses have different units; the correlation is what tells a singular inertia.
            const Eigen::Vector3d scale = d.diagonal().cwiseMax(0).cwiseSqrt();
            bool regular = scale.head(n).minCoeff() > 0;
            if (regular) {
                Eigen::Matrix3d correlation = d;
                for (int p = 0; p < n; ++p)
                    for (int q = 0; q < n; ++q) correlation(p, q) /= scale[p] * scale[q];
                regular = correlation.determinant() > 1e-12;
            }
            if (!regular) {
                massless_ = coordinates_.column_name(branches[i].first + n - 1);
                return false;
            }
            const Eigen::Matrix3d inverse = d.inverse();
            for (int p = 0; p < n; ++p)
                for (int q = 0; q < n; ++q) f.inverse[3 * p + q] = inverse(p, q);
            out = {};  // three free coordinates pass no inertia on
        }
        const int parent = parent_branch_[i];
        if (parent < 0) continue;
        const auto d = coordinates_.centre(i) - coordinates_.centre(parent);
        // Twist at the child's reference: (w, v + w k x d). Moments at the parent's: n + d x f.
        Symmetric& p = factors_[parent].articulated;
        const double fx_w = out[1] - d.y * out[3] + d.x * out[4];  // force along x per unit turn of the parent
        const double fy_w = out[2] - d.y * out[4] + d.x * out[5];
        p[0] += out[0] - d.y * out[1] + d.x * out[2] + d.x * fy_w - d.y * fx_w;
        p[1] += fx_w;
        p[2] += fy_w;
        p[3] += out[3];
        p[4] += out[4];
        p[5] += out[5];
    }
    return true;
}

template <class S>
void TreeInertia<S>::solve(std::span<double> x) const {
    solve_branches(x, all_branches_);
}

template <class S>
void TreeInertia<S>::solve(std::span<double> x, std::span<const int> blocks) const {
    for (const int b : blocks) solve_branches(x, block_branches_[b]);
}

// Inwards: bias forces p (here only those of the generalized forces x), outwards: accelerations.
template <class S>
void TreeInertia<S>::solve_branches(std::span<double> x, std::span<const int> outwards) const {
    const auto& branches = coordinates_.branches();
    for (const int k : outwards) force_[k] = {0, 0, 0};
    for (auto it = outwards.rbegin(); it != outwards.rend(); ++it) {
        const int k = *it;
        const auto& b = branches[k];
        const BranchFactors& f = factors_[k];
        const int n = static_cast<int>(b.freedoms.size());
        Three p = force_[k];
        double left[3];
        for (int i = 0; i < n; ++i) left[i] = x[b.first + i] -= dot(subspace(k, i), p);
        const int parent = parent_branch_[k];
        if (parent < 0) continue;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                const double w = f.inverse[3 * i + j] * left[j];
                for (int c = 0; c < 3; ++c) p[c] += f.u[i][c] * w;
            }
        const auto d = coordinates_.centre(k) - coordinates_.centre(parent);
        force_[parent][0] += p[0] + d.x * p[2] - d.y * p[1];
        force_[parent][1] += p[1];
        force_[parent][2] += p[2];
    }
    for (const int k : outwards) {
        const auto& b = branches[k];
        const BranchFactors& f = factors_[k];
        const int n = static_cast<int>(b.freedoms.size());
        Three a{0, 0, 0};
        if (const int parent = parent_branch_[k]; parent >= 0) {
            const auto d = coordinates_.centre(k) - coordinates_.centre(parent);
            const Three& m = motion_[parent];
            a = {m[0], m[1] - m[0] * d.y, m[2] + m[0] * d.x};
        }
        double left[3], rate[3];
        for (int i = 0; i < n; ++i) left[i] = x[b.first + i] - dot(f.u[i], a);
        for (int i = 0; i < n; ++i) {
            rate[i] = 0;
            for (int j = 0; j < n; ++j) rate[i] += f.inverse[3 * i + j] * left[j];
        }
        for (int i = 0; i < n; ++i) {
            x[b.first + i] = rate[i];
            const Three s = subspace(k, i);
            for (int c = 0; c < 3; ++c) a[c] += s[c] * rate[i];
        }
        motion_[k] = a;
    }
}

template <class S>
void TreeInertia<S>::apply(std::span<const double> x, std::span<double> y) const {
    const auto& branches = coordinates_.branches();
    for (std::size_t k = 0; k < branches.size(); ++k) {
        Three a{0, 0, 0};
        if (const int parent = parent_branch_[k]; parent >= 0) {
            const auto d = coordinates_.centre(k) - coordinates_.centre(parent);
            const Three& m = motion_[parent];
            a = {m[0], m[1] - m[0] * d.y, m[2] + m[0] * d.x};
        }
        for (std::size_t i = 0; i < branches[k].freedoms.size(); ++i) {
            const Three s = subspace(k, static_cast<int>(i));
            for (int c = 0; c < 3; ++c) a[c] += s[c] * x[branches[k].first + i];
        }
        motion_[k] = a;
        const auto inertia = inertia_at(branches[k].child, coordinates_.centre(k));
        const auto& h = inertia.moment;
        force_[k] = {inertia.turning * a[0] - h.y * a[1] + h.x * a[2], -h.y * a[0] + inertia.mass * a[1],
                     h.x * a[0] + inertia.mass * a[2]};
    }
    for (std::size_t k = branches.size(); k-- > 0;) {
        for (std::size_t i = 0; i < branches[k].freedoms.size(); ++i)
            y[branches[k].first + i] = dot(subspace(k, static_cast<int>(i)), force_[k]);
        if (const int parent = parent_branch_[k]; parent >= 0) {
            const auto d = coordinates_.centre(k) - coordinates_.centre(parent);
            const Three& p = force_[k];
            force_[parent][0] += p[0] + d.x * p[2] - d.y * p[1];
            force_[parent][1] += p[1];
            force_[parent][2] += p[2];
        }
    }
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

// Newton and Euler at the origin o of the body, with r to the centre of mass: the force m (a + alpha x r - w^2 r), the
// moment I alpha + r x force = (I + m r^2) alpha + m r x a.
template <class S>
typename S::Wrench TreeInertia<S>::inertia_wrench(int body) const {
    const auto inertia = inertia_at(body, coordinates_.position(body).p);
    const auto& a = coordinates_.acceleration(body);
    const double omega = coordinates_.velocity(body).omega;
    return {inertia.mass * a.v + a.omega * S::turned(inertia.moment) - omega * omega * inertia.moment,
            inertia.turning * a.omega + S::cross(inertia.moment, a.v)};
}

template <class S>
void TreeInertia<S>::pull_back(std::span<const typename S::Wrench> on_bodies, std::span<double> f) const {
    const auto& branches = coordinates_.branches();
    for (std::size_t k = 0; k < branches.size(); ++k) {
        const int body = branches[k].child;
        const auto& w = on_bodies[body];
        const auto arm = coordinates_.position(body).p - coordinates_.centre(k);
        force_[k] = {w.m + S::cross(arm, w.f), w.f.x, w.f.y};
    }
    for (std::size_t k = branches.size(); k-- > 0;) {
        for (std::size_t i = 0; i < branches[k].freedoms.size(); ++i)
            f[branches[k].first + i] = dot(subspace(k, static_cast<int>(i)), force_[k]);
        if (const int parent = parent_branch_[k]; parent >= 0) {
            const auto d = coordinates_.centre(k) - coordinates_.centre(parent);
            const Three& p = force_[k];
            force_[parent][0] += p[0] + d.x * p[2] - d.y * p[1];
            force_[parent][1] += p[1];
            force_[parent][2] += p[2];
        }
    }
}

// The momentum along a coordinate is S.h: its unit twist S with the momentum h of all bodies outside, both at the ground's
// origin. At constant v: (S.h)' = S.h' + S'.h, where h' are the inertia wrenches at zero v'. S' is a translation:
//   turn about a centre c: -c' turned by 90 degrees,   displacement along an axis u of frame a: omega_a times u turned,
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
            y[b.first + i] += S::dot(rate, momentum);
        }
    }
}

template <class S>
void TreeInertia<S>::generalized_force(Coordinates<S>& coordinates, std::span<const typename S::Wrench> on_bodies,
                                       std::span<double> f) const {
    coordinates.set_acceleration({});
    net_.resize(on_bodies.size());
    for (std::size_t b = 0; b < on_bodies.size(); ++b) {
        const auto inertia = inertia_wrench(static_cast<int>(b));
        net_[b] = {on_bodies[b].f - inertia.f, on_bodies[b].m - inertia.m};
    }
    pull_back(net_, f);
}

template <class S>
double TreeInertia<S>::kinetic_energy() const {
    double energy = 0;
    for (int b = 1; b < static_cast<int>(mechanism_.bodies.size()); ++b) {
        const auto inertia = inertia_at(b, coordinates_.position(b).p);
        const auto& v = coordinates_.velocity(b);
        energy += 0.5 * (inertia.mass * S::dot(v.v, v.v) + inertia.turning * v.omega * v.omega) +
                  v.omega * S::cross(inertia.moment, v.v);
    }
    return energy;
}

template <class S>
typename S::Wrench TreeInertia<S>::weight(int body, typename S::Vector gravity) const {
    const auto inertia = inertia_at(body, coordinates_.position(body).p);
    return {inertia.mass * gravity, S::cross(inertia.moment, gravity)};
}

template <class S>
double TreeInertia<S>::potential(int body, typename S::Vector gravity) const {
    const auto inertia = inertia_at(body, {});
    return -S::dot(inertia.moment, gravity);
}

template class TreeInertia<PlanarSpace>;
template EquivalentParticles<PlanarSpace> equivalent_particles(const Body<PlanarSpace>&,
                                                               std::span<const PlanarSpace::Vector>);

}  // namespace pawl
