#include "simulation/placement/initial_velocities.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Mechanics = MechanismEquations<Space>;

}  // namespace

// Nearest to the given velocities b in the sense of least squares, A v = b on those given and G v =
// nu exactly: v = v0 + Z y with a basis Z of the free directions, the smallest y. For large models
// the velocities relative to the parent are taken as given and projected.
std::vector<double> initial_velocities(const PlacedMechanism& placed, Mechanics& equations,
                                       std::span<const double> q, double* moved) {
    constexpr int largest_dense = 300;
    const int n = equations.size();
    const auto& bodies = placed.mechanism.bodies;
    equations.set_position(q, 0);
    auto& c = equations.coordinates();
    std::vector<std::pair<int, int>> given;  // body, component
    std::vector<double> value;
    for (int b = 1; b < static_cast<int>(bodies.size()); ++b) {
        if (bodies[b].velocity) {
            given.emplace_back(b, 0);
            given.emplace_back(b, 1);
            value.insert(value.end(), {bodies[b].velocity->x, bodies[b].velocity->y});
        }
        if (bodies[b].omega) {
            given.emplace_back(b, 2);
            value.push_back(*bodies[b].omega);
        }
    }
    const auto body_rate = [&](const std::pair<int, int>& g) {
        const auto& v = c.velocity(g.first);
        return g.second == 0 ? v.v.x : g.second == 1 ? v.v.y : v.omega;
    };
    std::vector<double> v(n, 0.0);
    if (n <= largest_dense) {
        const RowPattern& p = equations.pattern();
        Eigen::MatrixXd g = scaled_dense(p, equations.jacobian(), equations.column_scale());
        Eigen::VectorXd nu(p.rows());
        for (int r = 0; r < p.rows(); ++r) nu[r] = equations.nu()[r];
        Eigen::VectorXd start = Eigen::VectorXd::Zero(n);
        if (p.rows() > 0) {
            Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
            cod.setThreshold(tolerance::rank);
            start = cod.compute(g).solve(nu);
        }
        const Eigen::MatrixXd z = null_space(p, equations.jacobian(), equations.column_scale());
        if (!given.empty()) {
            const Eigen::Map<const Eigen::VectorXd> b(value.data(),
                                                      static_cast<Eigen::Index>(value.size()));
            Eigen::MatrixXd a(given.size(), n);
            for (int j = 0; j < n; ++j) {
                std::vector<double> unit(n, 0.0);
                unit[j] = 1 / equations.column_scale()[j];
                c.set_velocity(unit);
                for (std::size_t i = 0; i < given.size(); ++i) a(i, j) = body_rate(given[i]);
            }
            if (z.cols() > 0) {
                Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
                cod.setThreshold(tolerance::rank);
                start += z * cod.compute(a * z).solve(b - a * start);
            }
        }
        for (int j = 0; j < n; ++j) v[j] = start[j] / equations.column_scale()[j];
    } else if (!given.empty()) {
        // Relative rates outwards: what the body should have, minus what its parent gives it.
        std::vector<Space::Twist> wanted(bodies.size());
        for (const auto& br : c.branches()) {
            const auto arm = c.position(br.child).p - c.position(br.parent).p;
            const auto carried = Space::carried(wanted[br.parent], arm);
            auto twist = carried;
            if (bodies[br.child].velocity) twist.v = *bodies[br.child].velocity;
            if (bodies[br.child].omega) twist.omega = *bodies[br.child].omega;
            wanted[br.child] = twist;
            for (std::size_t i = 0; i < br.freedoms.size(); ++i) {
                const double sign = br.reversed ? -1 : 1;
                if (br.freedoms[i] == Component::angle) {
                    v[br.first + i] = sign * (twist.omega - carried.omega);
                } else if (bodies[br.child].velocity) {
                    const auto axis = c.frame(br.frames[0]).position.u;
                    const auto along = br.freedoms[i] == Component::x ? axis : Space::turned(axis);
                    v[br.first + i] = sign * Space::dot(along, twist.v - carried.v);
                }
            }
            // What the branch does not allow is lost: the twist that it really gets.
            c.set_velocity(v);
            wanted[br.child] = c.velocity(br.child);
        }
    }
    if (moved) {
        c.set_velocity(v);
        *moved = 0;
        for (std::size_t i = 0; i < given.size(); ++i)
            *moved = std::max(*moved, std::abs(body_rate(given[i]) - value[i]) *
                                          (given[i].second == 2 ? equations.model_size() : 1));
    }
    return v;
}

}  // namespace pawl
