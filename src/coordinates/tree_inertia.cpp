#include "coordinates/tree_inertia.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/seeded_fault.h"

namespace pawl {

namespace {

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A body that nothing but the ground carries, and that carries nothing.
void solve_alone(const std::array<double, 9>& inverse, int freedoms, double* x) {
    if (freedoms == 1) {
        x[0] *= inverse[0];
        return;
    }
    double rate[3] = {0, 0, 0};
    for (int i = 0; i < freedoms; ++i)
        for (int j = 0; j < freedoms; ++j) rate[i] += inverse[3 * i + j] * x[j];
    std::copy_n(rate, freedoms, x);
}

}  // namespace

// Two particles on given places, the third from mass, centre and inertia (Attia 2004, section 3).
// With all places measured from the centre of mass: m1 r1 + m2 r2 + m3 r3 = 0, m1 + m2 + m3 = m,
// sum m_i r_i^2 = I. The mass on the second place is m/n (one share of the body); then r3 = -(m1 r1
// + m2 r2)/m3 and (m1 r1^2 + m2 r2^2) m3 + (m1 r1 + m2 r2)^2 = I m3 is a quadratic for m1.
template <class S>
EquivalentParticles<S> equivalent_particles(const Body<S>& body,
                                            std::span<const typename S::Vector> places) {
    EquivalentParticles<S> out;
    if (!body.mass) return out;
    const double m = *body.mass, inertia = body.inertia.value_or(0);
    const auto centre = body.centre;
    const auto alone = [&] {
        // No two places: particles on a small cross about the centre, of the body's own radius of
        // gyration.
        const double r = m > 0 ? std::sqrt(inertia / m) : 0;
        out.particles = {{m / 2, centre + typename S::Vector{r, 0}},
                         {m / 2, centre - typename S::Vector{r, 0}}};
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
    //   (m1 A + B)(M - m1) + m1^2 A + 2 m1 m2 c + m2^2 r2^2 = I (M - m1), linear in m1 after
    //   cancellation.
    const double a = S::dot(r1, r1), b = m2 * S::dot(r2, r2), c = S::dot(r1, r2), rest = m - m2;
    const double slope = a * rest - b + 2 * m2 * c + inertia;
    if (std::abs(slope) < 1e-300) return alone();
    const double m1 = (inertia * rest - b * rest - m2 * b) / slope;
    const double m3 = rest - m1;
    if (!(std::abs(m3) > 1e-12 * m)) return alone();
    out.particles = {
        {m1, places[0]}, {m2, places[1]}, {m3, centre - (1 / m3) * (m1 * r1 + m2 * r2)}};
    return out;
}

template <class S>
TreeInertia<S>::TreeInertia(const Mechanism<S>& mechanism, const Coordinates<S>& coordinates,
                            bool particles)
    : mechanism_(mechanism), coordinates_(coordinates) {
    if (particles)
        for (const auto& body : mechanism.bodies) {
            std::vector<typename S::Vector> places;
            for (const auto& joint : mechanism.joints)
                for (int k = 0; k < 2; ++k)
                    if (&mechanism.bodies[joint.frames[k].body] == &body)
                        places.push_back(joint.frames[k].local.at);
            // Joints on one pin give the same place once.
            for (std::size_t i = 0; i < places.size(); ++i)
                for (std::size_t j = i + 1; j < places.size();)
                    if (std::hypot(places[i].x - places[j].x, places[i].y - places[j].y) == 0)
                        places.erase(places.begin() + static_cast<std::ptrdiff_t>(j));
                    else
                        ++j;
            particles_.push_back(equivalent_particles<S>(body, places));
        }
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
        const Body<S>& body = mechanism.bodies[b];
        BodyInertia inertia{body.mass.value_or(0), body.centre,
                            body.mass ? body.inertia.value_or(0) : 0};
        if (particles && body.mass) {
            inertia = {};
            typename S::Vector moment;
            for (const auto& p : particles_[b].particles) {
                inertia.mass += p.mass;
                moment += p.mass * p.at;
            }
            if (inertia.mass > 0) inertia.centre = 1 / inertia.mass * moment;
            for (const auto& p : particles_[b].particles)
                inertia.about_centre +=
                    p.mass * S::dot(p.at - inertia.centre, p.at - inertia.centre);
        }
        bodies_.push_back(inertia);
    }
    const auto& branches = coordinates.branches();
    std::vector<int> branch_of(mechanism.bodies.size(), -1), block(branches.size());
    block_of_column_.resize(coordinates.size());
    for (std::size_t k = 0; k < branches.size(); ++k) {
        branch_of[branches[k].child] = static_cast<int>(k);
        const int parent = branches[k].parent == 0 ? -1 : branch_of[branches[k].parent];
        links_.push_back({parent, branches[k].child, branches[k].first,
                          static_cast<int>(branches[k].freedoms.size()), branches[k].turns_only,
                          branches[k].reversed ? -1.0 : 1.0});
        if (parent < 0) {
            block[k] = static_cast<int>(block_branches_.size());
            block_branches_.emplace_back();
        } else {
            block[k] = block[parent];
        }
        block_branches_[block[k]].push_back(static_cast<int>(k));
        for (std::size_t i = 0; i < branches[k].freedoms.size(); ++i)
            block_of_column_[branches[k].first + i] = block[k];
    }
    factors_.resize(branches.size());
    force_.resize(branches.size());
    motion_.resize(branches.size());
    lever_.resize(branches.size());
    for (int b = 0; b < blocks(); ++b) {
        const int first = block_branches_[b][0];
        const Link& link = links_[first];
        if (block_branches_[b].size() > 1 || link.freedoms != 1) {
            coupled_blocks_.push_back(b);
            coupled_links_.insert(coupled_links_.end(), block_branches_[b].begin(),
                                  block_branches_[b].end());
            continue;
        }
        const double inertia = inertia_alone(first);
        const double inverse = factors_[first].inverse[0] = inertia > 0 ? 1 / inertia : 0;
        alone_.push_back({static_cast<std::size_t>(first), link.child, link.first, link.turns_only,
                          link.sign, inverse});
    }
}

template <class S>
double TreeInertia<S>::constant_inverse(int column) const {
    for (const Alone& a : alone_)
        if (a.column == column) return a.inverse;
    return 0;
}

// 0 where there is none beside that of the body's other motions.
template <class S>
double TreeInertia<S>::inertia_alone(std::size_t branch) const {
    const auto& b = coordinates_.branches()[branch];
    const BodyInertia& body = bodies_[b.child];
    const auto arm = body.centre - b.frames[b.reversed ? 0 : 1].local.at;
    const double turning = body.about_centre + body.mass * S::dot(arm, arm);
    const double inertia = b.turns_only ? turning : body.mass;
    return inertia > 1e-14 * (turning + 2 * body.mass) ? inertia : 0;
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
typename TreeInertia<S>::Three TreeInertia<S>::subspace(std::size_t branch, int freedom) const {
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

// Articulated inertia from the tips inwards (Featherstone 1983), with references that differ by
// translations only:
//   I_A = I + sum of children (I_A - U D^-1 U^T) shifted,  U = I_A S,  D = S^T U.
// A shift by d (child reference minus parent reference) keeps the lower block and moves the
// moments.
template <class S>
bool TreeInertia<S>::factor() {
    for (const Alone& a : alone_)
        if (a.inverse == 0) {
            massless_ = coordinates_.column_name(a.column);
            return false;
        }
    for (const std::size_t k : coupled_links_) {
        const BodyInertia& b = bodies_[links_[k].child];
        const auto r = lever_[k] = lever(k);
        const auto h = b.mass * r;
        factors_[k].articulated = {b.about_centre + S::dot(h, r), -h.y, h.x, b.mass, 0, b.mass};
    }
    for (auto it = coupled_links_.rbegin(); it != coupled_links_.rend(); ++it) {
        const std::size_t k = *it;
        Symmetric out;
        if (!factor_branch(k, out)) return false;
        const int parent = links_[k].parent;
        if (parent < 0) continue;
        const auto d = coordinates_.offset(k);
        Symmetric& p = factors_[parent].articulated;
        const double fx_w =
            out[1] - d.y * out[3] + d.x * out[4];  // force along x per unit turn of the parent
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

// A turn alone: U is the first column (the sign of the coordinate cancels), D the moment of
// inertia.
template <class S>
inline bool TreeInertia<S>::factor_branch(std::size_t k, Symmetric& out) {
    const Link& link = links_[k];
    BranchFactors& f = factors_[k];
    const Symmetric& a = f.articulated;
    if (!link.turns_only) return factor_freedoms(k, out);
    if (!(a[0] > 1e-14 * (a[0] + a[3] + a[5]))) {
        massless_ = coordinates_.column_name(link.first);
        return false;
    }
    const double w = f.inverse[0] = 1 / a[0], w1 = w * a[1], w2 = w * a[2];
    f.u[0] = {a[0], a[1], a[2]};
    out = {0, 0, 0, a[3] - a[1] * w1, a[4] - a[1] * w2, a[5] - a[2] * w2};
    return true;
}

template <class S>
bool TreeInertia<S>::factor_freedoms(std::size_t k, Symmetric& out) {
    BranchFactors& f = factors_[k];
    const Symmetric& a = f.articulated;
    const auto times = [&a](const Three& s) {
        return Three{a[0] * s[0] + a[1] * s[1] + a[2] * s[2],
                     a[1] * s[0] + a[3] * s[1] + a[4] * s[2],
                     a[2] * s[0] + a[4] * s[1] + a[5] * s[2]};
    };
    const int n = links_[k].freedoms;
    for (int i = 0; i < n; ++i) f.s[i] = subspace(k, i);
    out = a;
    if (n == 1) {
        const Three& s = f.s[0];
        f.u[0] = times(s);
        const double d = dot(s, f.u[0]);
        if (!(d > 1e-14 * (a[0] + a[3] + a[5]))) {
            massless_ = coordinates_.column_name(links_[k].first);
            return false;
        }
        const double w = f.inverse[0] = 1 / d;
        const Three& u = f.u[0];
        out = {a[0] - u[0] * u[0] * w, a[1] - u[0] * u[1] * w, a[2] - u[0] * u[2] * w,
               a[3] - u[1] * u[1] * w, a[4] - u[1] * u[2] * w, a[5] - u[2] * u[2] * w};
    } else if (n > 1) {
        // D is symmetric; its inverse by cofactors.
        double d[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int p = 0; p < n; ++p) {
            f.u[p] = times(f.s[p]);
            for (int q = 0; q <= p; ++q) d[q][p] = d[p][q] = dot(f.s[q], f.u[p]);
        }
        const double c00 = d[1][1] * d[2][2] - d[1][2] * d[1][2],
                     c01 = d[0][2] * d[1][2] - d[0][1] * d[2][2],
                     c02 = d[0][1] * d[1][2] - d[0][2] * d[1][1];
        const double determinant = d[0][0] * c00 + d[0][1] * c01 + d[0][2] * c02;
        // Moments and masses have different units; the determinant of their correlations is what
        // tells a singular inertia.
        const double scale = d[0][0] * d[1][1] * d[2][2];
        if (!(d[0][0] > 0 && d[1][1] > 0 && d[2][2] > 0 && determinant > 1e-12 * scale)) {
            massless_ = coordinates_.column_name(links_[k].first + n - 1);
            return false;
        }
        const double c11 = d[0][0] * d[2][2] - d[0][2] * d[0][2],
                     c12 = d[0][1] * d[0][2] - d[0][0] * d[1][2],
                     c22 = d[0][0] * d[1][1] - d[0][1] * d[0][1];
        const double w = 1 / determinant;
        f.inverse = {w * c00, w * c01, w * c02, w * c01, w * c11,
                     w * c12, w * c02, w * c12, w * c22};
        out = {};  // three free coordinates pass no inertia on
    }
    return true;
}

template <class S>
void TreeInertia<S>::solve(std::span<double> x) const {
    for (int b = 0; b < blocks(); ++b) solve_block(x, b);
}

template <class S>
void TreeInertia<S>::solve(std::span<double> x, std::span<const int> blocks) const {
    for (const int b : blocks) solve_block(x, b);
}

template <class S>
inline void TreeInertia<S>::solve_block(std::span<double> x, int block) const {
    const std::vector<int>& branches = block_branches_[block];
    if (branches.size() > 1) {
        for (const int k : branches) force_[k] = {0, 0, 0};
        return solve_branches(x, branches);
    }
    const Link& link = links_[branches[0]];
    solve_alone(factors_[branches[0]].inverse, link.freedoms, x.data() + link.first);
}

// Inwards: bias forces p, outwards: accelerations.
template <class S>
void TreeInertia<S>::solve_branches(std::span<double> x, std::span<const int> outwards) const {
    for (auto it = outwards.rbegin(); it != outwards.rend(); ++it) {
        const int k = *it;
        const Link& link = links_[k];
        const BranchFactors& f = factors_[k];
        Three p = force_[k];
        if (link.turns_only) {
            const double left = x[link.first] -= link.sign * p[0];
            if (link.parent < 0) continue;
            const double w = link.sign * left * f.inverse[0];
            pass_on(k, {p[0] + link.sign * left, p[1] + f.u[0][1] * w, p[2] + f.u[0][2] * w});
            continue;
        }
        const int n = link.freedoms;
        if (n == 1) {
            const double left = x[link.first] -= dot(f.s[0], p);
            if (link.parent < 0) continue;
            const double w = f.inverse[0] * left;
            pass_on(k, {p[0] + f.u[0][0] * w, p[1] + f.u[0][1] * w, p[2] + f.u[0][2] * w});
            continue;
        }
        double left[3];
        for (int i = 0; i < n; ++i) left[i] = x[link.first + i] -= dot(f.s[i], p);
        if (link.parent < 0) continue;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                const double w = f.inverse[3 * i + j] * left[j];
                for (int c = 0; c < 3; ++c) p[c] += f.u[i][c] * w;
            }
        pass_on(k, p);
    }
    for (const int k : outwards) {
        const Link& link = links_[k];
        const BranchFactors& f = factors_[k];
        Three a = carried(k);
        if (link.turns_only) {
            const double rate = f.inverse[0] * (x[link.first] - link.sign * dot(f.u[0], a));
            x[link.first] = rate;
            motion_[k] = {a[0] + link.sign * rate, a[1], a[2]};
            continue;
        }
        const int n = link.freedoms;
        if (n == 1) {
            const double rate = f.inverse[0] * (x[link.first] - dot(f.u[0], a));
            const Three& s = f.s[0];
            x[link.first] = rate;
            motion_[k] = {a[0] + s[0] * rate, a[1] + s[1] * rate, a[2] + s[2] * rate};
            continue;
        }
        double left[3], rate[3];
        for (int i = 0; i < n; ++i) left[i] = x[link.first + i] - dot(f.u[i], a);
        for (int i = 0; i < n; ++i) {
            rate[i] = 0;
            for (int j = 0; j < n; ++j) rate[i] += f.inverse[3 * i + j] * left[j];
        }
        for (int i = 0; i < n; ++i) {
            x[link.first + i] = rate[i];
            for (int c = 0; c < 3; ++c) a[c] += f.s[i][c] * rate[i];
        }
        motion_[k] = a;
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
inline void TreeInertia<S>::along(std::size_t branch, const Three& wrench,
                                  std::span<double> f) const {
    const Link& link = links_[branch];
    if (link.turns_only)
        f[link.first] = link.sign * wrench[0];
    else
        for (int i = 0; i < link.freedoms; ++i)
            f[link.first + i] = dot(subspace(branch, i), wrench);
}

template <class S>
void TreeInertia<S>::collect(std::span<double> f) const {
    for (std::size_t k = links_.size(); k-- > 0;) {
        along(k, force_[k], f);
        pass_on(k, force_[k]);
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

// Newton and Euler at the origin o of the body, with r to the centre of mass: the force m (a +
// alpha x r - w^2 r), the moment I alpha + r x force.
template <class S>
inline typename S::Wrench TreeInertia<S>::inertia_wrench(int body) const {
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

template <class S>
inline double TreeInertia<S>::force_along(const Alone& alone, const typename S::Wrench& on_body,
                                          typename S::Vector gravity) const {
    const BodyInertia& body = bodies_[alone.child];
    const auto weight = body.mass * gravity;
    if (!alone.turns_only) {
        const Component freedom = coordinates_.branches()[alone.branch].freedoms[0];
        return alone.sign *
               S::dot(coordinates_.direction(alone.branch, freedom), on_body.f + weight);
    }
    const auto& position = coordinates_.position(alone.child);
    const auto arm = position.p - coordinates_.centre(alone.branch);
    return alone.sign * (on_body.m + S::cross(arm, on_body.f + weight) +
                         S::cross(position.to_ground(body.centre), weight));
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
void TreeInertia<S>::accelerate(Coordinates<S>& coordinates,
                                std::span<const typename S::Wrench> on_bodies,
                                typename S::Vector gravity, std::span<double> v_rate) const {
    if (!coupled_blocks_.empty()) {
        coordinates.set_acceleration({});
        std::fill(v_rate.begin(), v_rate.end(), 0.0);
    }
    for (const Alone& a : alone_)
        v_rate[a.column] = a.inverse * force_along(a, on_bodies[a.child], gravity);
    const auto net = [&](int k) {
        return net_wrench(k, on_bodies[links_[k].child], gravity, lever_[k]);
    };
    for (const int b : coupled_blocks_) {
        const std::vector<int>& branches = block_branches_[b];
        if (branches.size() == 1) {
            along(branches[0], net(branches[0]), v_rate);
            solve_block(v_rate, b);
            continue;
        }
        for (const int k : branches) {
            const Three wrench = net(k);
            force_[k] = {-wrench[0], -wrench[1], -wrench[2]};
        }
        solve_branches(v_rate, branches);
    }
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
template EquivalentParticles<PlanarSpace> equivalent_particles(
    const Body<PlanarSpace>&, std::span<const PlanarSpace::Vector>);

}  // namespace pawl
