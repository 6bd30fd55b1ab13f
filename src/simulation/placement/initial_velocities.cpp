#include "simulation/placement/initial_velocities.h"

#include <algorithm>
#include <cmath>

#include "math/linear/dense.h"
#include "math/tolerances.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Mechanics = MechanismEquations<Space>;

// The velocities that the model gives, as single components of the bodies.
struct GivenRates {
    struct Entry {
        int body, index;  // index: x, y, angle
    };
    std::vector<Entry> components;
    std::vector<double> values;

    explicit GivenRates(const std::vector<Body<Space>>& bodies) {
        for (int b = 1; b < static_cast<int>(bodies.size()); ++b) {
            if (bodies[b].velocity) {
                components.push_back({b, 0});
                components.push_back({b, 1});
                values.insert(values.end(), {bodies[b].velocity->x, bodies[b].velocity->y});
            }
            if (bodies[b].omega) {
                components.push_back({b, 2});
                values.push_back(*bodies[b].omega);
            }
        }
    }
    [[nodiscard]] bool empty() const { return components.empty(); }
    // The same component of the motion that the coordinates hold.
    [[nodiscard]] double now(std::size_t i, const Coordinates<Space>& c) const {
        const auto& v = c.velocity(components[i].body);
        return components[i].index == 0 ? v.v.x : components[i].index == 1 ? v.v.y : v.omega;
    }
};

// The given components as linear functions of the coordinates' rates, these in units of their
// scales.
Eigen::MatrixXd rows_of(const GivenRates& given, Mechanics& equations) {
    const int n = equations.size();
    auto& c = equations.coordinates();
    Eigen::MatrixXd a(given.values.size(), n);
    for (int j = 0; j < n; ++j) {
        std::vector<double> unit(n, 0.0);
        unit[j] = 1 / equations.column_scale()[j];
        c.set_velocity(unit);
        for (std::size_t i = 0; i < given.values.size(); ++i) a(i, j) = given.now(i, c);
    }
    return a;
}

// Nearest to the given velocities b in the sense of least squares, A v = b on those given and G v =
// nu exactly: v = v0 + Z y with a basis Z of the free directions, the smallest y.
std::vector<double> nearest_velocities(const GivenRates& given, Mechanics& equations) {
    const int n = equations.size();
    const RowPattern& p = equations.pattern();
    const Eigen::MatrixXd g = scaled_dense(p, equations.jacobian(), equations.column_scale());
    Eigen::VectorXd nu(p.rows());
    for (int r = 0; r < p.rows(); ++r) nu[r] = equations.nu()[r];
    Eigen::VectorXd start = Eigen::VectorXd::Zero(n);
    if (p.rows() > 0) start = solve_least_squares(g, nu, tolerance::rank);
    const Eigen::MatrixXd z = null_space(p, equations.jacobian(), equations.column_scale());
    if (!given.empty()) {
        const Eigen::Map<const Eigen::VectorXd> b(given.values.data(),
                                                  static_cast<Eigen::Index>(given.values.size()));
        const Eigen::MatrixXd a = rows_of(given, equations);
        if (z.cols() > 0) start += z * solve_least_squares(a * z, b - a * start, tolerance::rank);
    }
    std::vector<double> v(n, 0.0);
    for (int j = 0; j < n; ++j) v[j] = start[j] / equations.column_scale()[j];
    return v;
}

// Relative rates outwards: what the body should have, minus what its parent gives it.
std::vector<double> relative_velocities(const std::vector<Body<Space>>& bodies,
                                        Mechanics& equations) {
    auto& c = equations.coordinates();
    std::vector<double> v(equations.size(), 0.0);
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
    return v;
}

}  // namespace

// For large models the velocities relative to the parent are taken as given and projected.
std::vector<double> initial_velocities(const PlacedMechanism& placed, Mechanics& equations,
                                       std::span<const double> q, double* moved) {
    constexpr int largest_dense = 300;
    equations.set_position(q, 0);
    auto& c = equations.coordinates();
    const GivenRates given(placed.mechanism.bodies);
    std::vector<double> v(equations.size(), 0.0);
    if (equations.size() <= largest_dense)
        v = nearest_velocities(given, equations);
    else if (!given.empty())
        v = relative_velocities(placed.mechanism.bodies, equations);
    if (moved) {
        c.set_velocity(v);
        *moved = 0;
        for (std::size_t i = 0; i < given.values.size(); ++i) {
            const double unit = given.components[i].index == 2 ? equations.model_size() : 1;
            *moved = std::max(*moved, std::abs(given.now(i, c) - given.values[i]) * unit);
        }
    }
    return v;
}

}  // namespace pawl
