#include "coordinates/tree_inertia.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "coordinates/tree_passes.h"
#include "math/seeded_fault.h"
#include "math/tolerances/solving.h"

namespace pawl {

namespace {

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

template <class S>
TreeInertia<S>::TreeInertia(const Mechanism<S>& mechanism, const Coordinates<S>& coordinates)
    : mechanism_(mechanism), coordinates_(coordinates) {
    for (const Body<S>& body : mechanism.bodies)
        bodies_.push_back(
            {body.mass.value_or(0), body.centre, body.mass ? body.inertia.value_or(0) : 0});
    link_branches();
    const std::size_t branches = links_.size();
    factors_.resize(branches);
    force_.resize(branches);
    motion_.resize(branches);
    lever_.resize(branches);
    find_alone();
}

template <class S>
void TreeInertia<S>::link_branches() {
    const auto& branches = coordinates_.branches();
    std::vector<int> branch_of(mechanism_.bodies.size(), -1), block(branches.size());
    block_of_column_.resize(coordinates_.size());
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
}

template <class S>
void TreeInertia<S>::find_alone() {
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
    return inertia > tolerance::no_inertia * (turning + 2 * body.mass) ? inertia : 0;
}

template <class S>
void TreeInertia<S>::leave_out(int block) {
    const auto is_out = [&](int column) { return block_of_column_[column] == block; };
    std::erase_if(alone_, [&](const Alone& a) { return is_out(a.column); });
    std::erase(coupled_blocks_, block);
    std::erase_if(coupled_links_, [&](std::size_t k) {
        return std::find(block_branches_[block].begin(), block_branches_[block].end(),
                         static_cast<int>(k)) != block_branches_[block].end();
    });
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
            massless_ = a.column;
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
    if (!(a[0] > tolerance::no_inertia * (a[0] + a[3] + a[5]))) {
        massless_ = link.first;
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
        if (!(d > tolerance::no_inertia * (a[0] + a[3] + a[5]))) {
            massless_ = links_[k].first;
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
        // shows a singular inertia.
        const double scale = d[0][0] * d[1][1] * d[2][2];
        if (!(d[0][0] > 0 && d[1][1] > 0 && d[2][2] > 0 &&
              determinant > tolerance::no_inertia_determinant * scale)) {
            massless_ = links_[k].first + n - 1;
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

template <class S>
void TreeInertia<S>::solve_branches(std::span<double> x, std::span<const int> outwards) const {
    collect_bias(x, outwards);
    spread_accelerations(x, outwards);
}

template <class S>
inline void TreeInertia<S>::collect_bias(std::span<double> x, std::span<const int> outwards) const {
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
}

template <class S>
inline void TreeInertia<S>::spread_accelerations(std::span<double> x,
                                                 std::span<const int> outwards) const {
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

template class TreeInertia<PlanarSpace>;

}  // namespace pawl
