#include "simulation/equilibrium/equilibrium_system.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "mechanism/force_row.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

// A central difference with step h misses h^2/6 of the third derivative and rounds by 2e-16/h: both
// are smallest, some 4e-11 of force over size, at the cube root of the rounding.
constexpr double difference_step = 6e-6;

}  // namespace

EquilibriumSystem::EquilibriumSystem(const PlacedMechanism& placed,
                                     std::vector<ContactPoint<Space>> closed)
    : placed_(placed),
      equations_(placed.mechanism, placed.topology, {.contacts = std::move(closed)}),
      rest_(equations_.size(), 0.0) {
    equations_.set_model_size(placed.assembly.model_size);
    states_.assign(equations_.state_size(), 0.0);
    for (std::size_t i = 0; i < placed.mechanism.states.size(); ++i)
        states_[i] = placed.mechanism.states[i].start;
    for (const auto& force : placed.mechanism.forces)
        force_turns_.push_back(force.component == Component::angle && !acts_along_distance(force));
    lambda_.assign(equations_.pattern().rows(), 0.0);
}

std::vector<double> EquilibriumSystem::unscaled(const Vector& y) const {
    std::vector<double> q(y.size());
    for (int c = 0; c < y.size(); ++c) q[c] = y[c] / equations_.column_scale()[c];
    return q;
}

EquilibriumSystem::ContactFractions EquilibriumSystem::fractions() {
    ContactFractions out;
    for (const auto& c : equations_.contacts()) out.push_back({c.touch.u[0], c.touch.u[1]});
    return out;
}

void EquilibriumSystem::look_near(const ContactFractions& fractions) {
    for (std::size_t i = 0; i < std::min(fractions.size(), equations_.contacts().size()); ++i)
        std::copy(fractions[i].begin(), fractions[i].end(), equations_.contacts()[i].near);
}

EquilibriumSystem::Vector EquilibriumSystem::assembled() const {
    const auto q = equations_.coordinates().from_positions(placed_.assembly.positions);
    Vector y(equations_.size());
    for (int c = 0; c < y.size(); ++c) y[c] = q[c] * equations_.column_scale()[c];
    return y;
}

void EquilibriumSystem::evaluate(const Vector& y, double t) {
    equations_.set_position(unscaled(y), t);
    equations_.set_velocity(rest_);
    equations_.set_forces(states_);
}

EquilibriumSystem::Vector EquilibriumSystem::full_force() const {
    const RowPattern& p = equations_.pattern();
    Vector f = Eigen::Map<const Vector>(equations_.force().data(), equations_.size());
    for (int r = 0; r < p.rows(); ++r)
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            f[p.column[i]] += equations_.jacobian()[i] * lambda_[r];
    for (int c = 0; c < f.size(); ++c) f[c] /= equations_.column_scale()[c];
    return f;
}

bool EquilibriumSystem::set(const Vector& y, double t) {
    y_ = y;
    t_ = t;
    evaluate(y, t);
    residual_ = equations_.residual();
    const RowPattern& p = equations_.pattern();
    const int n = equations_.size();
    Vector f(n);
    for (int c = 0; c < n; ++c) f[c] = equations_.force()[c] / equations_.column_scale()[c];
    if (!f.allFinite() || !std::isfinite(residual_)) return false;
    std::fill(lambda_.begin(), lambda_.end(), 0.0);
    int rank = 0;
    if (p.rows() > 0) {
        qr_ = pivoted_qr(
            scaled_dense(p, equations_.jacobian(), equations_.column_scale()).transpose(),
            tolerance::rank);
        rank = qr_.rank;
        basis_ = qr_.q;
        // A^T P = Q R: the independent rows carry the whole reaction; how redundant ones share it
        // does not matter here.
        Vector share = -(basis_.leftCols(rank).transpose() * f);
        qr_.solve_upper(share);
        for (int i = 0; i < rank; ++i) lambda_[qr_.order[i]] = share[i];
    } else {
        basis_ = Matrix::Identity(n, n);
    }
    free_ = basis_.rightCols(n - rank);
    unbalance_ = free_.transpose() * f;
    potential_ = equations_.forces().potential();
    const double size = equations_.model_size();
    largest_on_body_ = 0;
    for (const auto& w : equations_.forces().on_bodies())
        largest_on_body_ =
            std::max({largest_on_body_, std::abs(w.f.x), std::abs(w.f.y), std::abs(w.m) / size});
    largest_force_ = std::max(largest_on_body_, n > 0 ? f.lpNorm<Eigen::Infinity>() : 0);
    for (std::size_t i = 0; i < force_turns_.size(); ++i)
        largest_force_ = std::max(largest_force_, std::abs(equations_.forces().scalars()[i]) /
                                                      (force_turns_[i] ? size : 1));
    return true;
}

// A y = b by A^T P = Q R: y = Q1 R1^-T (P^T b). Redundant rows are satisfied too where they agree.
EquilibriumSystem::Vector EquilibriumSystem::smallest_solution(const std::vector<double>& b) const {
    if (b.empty()) return Vector::Zero(equations_.size());
    Vector y(qr_.rank);
    for (int r = 0; r < qr_.rank; ++r) y[r] = b[qr_.order[r]];
    qr_.solve_upper_transposed(y);
    return basis_.leftCols(qr_.rank) * y;
}

bool EquilibriumSystem::close(Vector& y, double t) {
    constexpr int max_iterations = 25;
    double previous = INFINITY;
    for (int i = 0; i < max_iterations; ++i) {
        if (!y.allFinite() || !set(y, t)) return false;
        if (residual_ <= tolerance::position * size()) return equations_.settle_contacts(), true;
        if (residual_ > 0.5 * previous && i > 3) break;
        previous = residual_;
        const Vector move = closing_step();
        const double longest = move.lpNorm<Eigen::Infinity>();
        y += longest > 0.3 * size() ? Vector(0.3 * size() / longest * move) : move;
    }
    return residual_ <= tolerance::position_accepted * size();
}

bool EquilibriumSystem::carry(Vector& y, double t0, double t1) {
    double h = t1 - t0, t = t0;
    while (t != t1) {
        const double next = std::abs(t1 - t) <= 1.001 * std::abs(h) ? t1 : t + h;
        Vector trial = y;
        // A step of a fifth of the size, or 0.2 rad, cannot reach another way to assemble the loop
        // unless both are near.
        if (close(trial, next) && (trial - y).lpNorm<Eigen::Infinity>() <= 0.2 * size()) {
            y = trial;
            t = next;
            h *= 2;
        } else {
            h /= 2;
            if (std::abs(h) < tolerance::carried_step * std::abs(t1 - t0)) return false;
        }
    }
    return close(y, t1);
}

EquilibriumSystem::Matrix EquilibriumSystem::stiffness() {
    const double h = difference_step * size();
    Matrix k(freedoms(), freedoms());
    for (int j = 0; j < freedoms(); ++j) {
        evaluate(y_ + h * free_.col(j), t_);
        const Vector ahead = full_force();
        evaluate(y_ - h * free_.col(j), t_);
        k.col(j) = free_.transpose() * (full_force() - ahead) / (2 * h);
    }
    evaluate(y_, t_);
    return k;
}

EquilibriumSystem::Vector EquilibriumSystem::load_rate(double time_scale) {
    const Vector p = drift();
    const double speed = p.size() > 0 ? p.lpNorm<Eigen::Infinity>() : 0;
    const double h = std::min(difference_step * time_scale,
                              speed > 0 ? difference_step * size() / speed : INFINITY);
    evaluate(y_ + h * p, t_ + h);
    const Vector ahead = full_force();
    evaluate(y_ - h * p, t_ - h);
    Vector rate = free_.transpose() * (ahead - full_force()) / (2 * h);
    evaluate(y_, t_);
    return rate;
}

// Inertia forces are even in the velocities, so they cancel in a central difference about rest.
EquilibriumSystem::Matrix EquilibriumSystem::damping(double speed) {
    Matrix c(freedoms(), freedoms());
    const auto force_at = [&](const Vector& v) {
        equations_.set_velocity(unscaled(v));
        equations_.set_forces(states_);
        Vector f(equations_.size());
        for (int i = 0; i < f.size(); ++i)
            f[i] = equations_.force()[i] / equations_.column_scale()[i];
        return f;
    };
    for (int j = 0; j < freedoms(); ++j)
        c.col(j) = free_.transpose() *
                   (force_at(-speed * free_.col(j)) - force_at(speed * free_.col(j))) / (2 * speed);
    evaluate(y_, t_);
    return c;
}

EquilibriumSystem::Matrix EquilibriumSystem::mass() {
    Matrix m = equations_.mass_matrix();
    for (int r = 0; r < m.rows(); ++r)
        for (int c = 0; c < m.cols(); ++c)
            m(r, c) /= equations_.column_scale()[r] * equations_.column_scale()[c];
    return free_.transpose() * m * free_;
}

void EquilibriumSystem::move(const Vector& x) {
    equations_.coordinates().set_velocity(unscaled(free_ * x));
}

std::string EquilibriumSystem::leading_coordinate(const Vector& direction) const {
    int column = 0;
    direction.cwiseAbs().maxCoeff(&column);
    return equations_.column_name(column);
}

}  // namespace pawl
