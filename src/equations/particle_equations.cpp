#include "equations/particle_equations.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/tolerances/solving.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Vector = Space::Vector;
using Map = Eigen::Map<Eigen::VectorXd>;
using ConstMap = Eigen::Map<const Eigen::VectorXd>;

ConstMap map(std::span<const double> x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }
Map map(std::span<double> x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

std::vector<Space::Position> positions_of(const Coordinates<Space>& c, std::size_t bodies) {
    std::vector<Space::Position> out;
    for (std::size_t b = 0; b < bodies; ++b) out.push_back(c.position(static_cast<int>(b)));
    return out;
}

MechanismEquations<Space>::Choice absolute() {
    MechanismEquations<Space>::Choice choice;
    choice.coordinates = CoordinateKind::absolute;
    return choice;
}

}  // namespace

ParticleEquations::ParticleEquations(const PlanarMechanism& mechanism, const Topology& topology,
                                     const std::vector<Space::Position>& positions, double size)
    : mechanism_(mechanism),
      system_(mechanism, topology),
      bodies_(mechanism, topology, absolute()) {
    model_size_ = size;
    bodies_.set_model_size(size);
    pattern_.columns = system_.size();
    column_scale_.assign(static_cast<std::size_t>(system_.size()), 1.0);
    start_.assign(static_cast<std::size_t>(system_.size()), 0.0);
    for (const auto& p : system_.particles()) {
        const Vector at = p.at.on(positions[static_cast<std::size_t>(p.at.body)]).p;
        fixed_.push_back(at);
        if (p.column < 0) continue;
        start_[static_cast<std::size_t>(p.column)] = at.x;
        start_[static_cast<std::size_t>(p.column) + 1] = at.y;
    }
    q_ = start_;
    v_.assign(q_.size(), 0.0);
    bodies_.set_position(bodies_.coordinates().from_positions(positions), 0);
    add_rows();
    phi_.assign(rows_.size(), 0.0);
    nu_ = gamma_ = phi_;
    jacobian_.assign(pattern_.column.size(), 0.0);
    force_.assign(q_.size(), 0.0);
    factors_.compute(system_.mass_matrix());
    positive_ = factors_.info() == Eigen::Success;
}

std::string ParticleEquations::column_name(int column) const {
    for (const auto& p : system_.particles())
        if (p.column >= 0 && (column == p.column || column == p.column + 1))
            return p.name + (column == p.column ? ".x" : ".y");
    return {};
}

Vector ParticleEquations::position(int particle) const {
    const auto p = static_cast<std::size_t>(particle);
    const int c = system_.particles()[p].column;
    if (c < 0) return fixed_[p];
    return {q_[static_cast<std::size_t>(c)], q_[static_cast<std::size_t>(c) + 1]};
}

Vector ParticleEquations::rate(std::span<const double> v, int particle) const {
    const int c = system_.particles()[static_cast<std::size_t>(particle)].column;
    if (c < 0) return {};
    return {v[static_cast<std::size_t>(c)], v[static_cast<std::size_t>(c) + 1]};
}

void ParticleEquations::add_row(Row row, std::vector<int> columns, RowLabel label) {
    std::sort(columns.begin(), columns.end());
    pattern_.column.insert(pattern_.column.end(), columns.begin(), columns.end());
    pattern_.start.push_back(static_cast<int>(pattern_.column.size()));
    labels_.push_back(std::move(label));
    rows_.push_back(std::move(row));
}

void ParticleEquations::add_distance(int a, int b, const std::string& name, Span span) {
    const Vector d = fixed_[static_cast<std::size_t>(b)] - fixed_[static_cast<std::size_t>(a)];
    std::vector<int> columns;
    for (const int p : {a, b})
        if (const int c = system_.particles()[static_cast<std::size_t>(p)].column; c >= 0)
            columns.insert(columns.end(), {c, c + 1});
    if (columns.empty()) return;  // both on ground
    Row row;
    row.a = a;
    row.b = b;
    row.distance = std::hypot(d.x, d.y);
    const std::string ends = system_.particles()[static_cast<std::size_t>(a)].name + "-" +
                             system_.particles()[static_cast<std::size_t>(b)].name;
    add_row(std::move(row), std::move(columns), {name + " " + ends, name, span, RowRole::joint});
}

void ParticleEquations::add_linear(std::vector<std::pair<int, double>> parts,
                                   const std::string& name, Span span) {
    for (int axis = 0; axis < 2; ++axis) {
        Row row;
        std::vector<int> columns;
        for (const auto& [p, part] : parts)
            if (const int c = system_.particles()[static_cast<std::size_t>(p)].column; c >= 0)
                columns.push_back(c + axis);
        if (columns.empty()) continue;
        row.parts = parts;
        row.axis = axis;
        add_row(std::move(row), std::move(columns),
                {name + (axis == 0 ? ".x" : ".y"), name, span, RowRole::joint});
    }
}

// The corners of each body keep their distances (5); more pins on it keep theirs to two corners, or
// lie on the line of a rod; cut pins stay together.
void ParticleEquations::add_rows() {
    for (const auto& body : system_.bodies()) {
        const auto& b = mechanism_.bodies[static_cast<std::size_t>(body.body)];
        const auto& k = body.corners;
        const auto at = [&](int p) { return fixed_[static_cast<std::size_t>(p)]; };
        for (std::size_t i = 0; i < k.size(); ++i)
            for (std::size_t j = i + 1; j < k.size(); ++j) add_distance(k[i], k[j], b.name, b.span);
        const Vector line = at(k[1]) - at(k[0]);
        for (const int other : body.others) {
            const Vector r = at(other) - at(k[0]);
            const double off = std::abs(Space::cross(r, line)) / Space::dot(line, line);
            if (off > tolerance::rod_stretch) {
                add_distance(k[0], other, b.name, b.span);
                add_distance(k[1], other, b.name, b.span);
            } else {
                const double s = Space::dot(r, line) / Space::dot(line, line);
                add_linear({{other, 1.0}, {k[0], s - 1}, {k[1], -s}},
                           b.name + " " + system_.particles()[static_cast<std::size_t>(other)].name,
                           b.span);
            }
        }
    }
    for (const auto& cut : system_.cuts()) {
        const auto& joint = mechanism_.joints[static_cast<std::size_t>(cut.joint)];
        if (cut.a != cut.b) add_linear({{cut.b, 1.0}, {cut.a, -1.0}}, joint.name, joint.span);
    }
}

void ParticleEquations::set_position(std::span<const double> q, double t) {
    q_.assign(q.begin(), q.end());
    t_ = t;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        const Row& row = rows_[r];
        const int first = pattern_.start[r];
        const auto put = [&](int particle, Vector value) {
            const int c = system_.particles()[static_cast<std::size_t>(particle)].column;
            for (int i = first; i < pattern_.start[r + 1]; ++i) {
                if (c >= 0 && pattern_.column[i] == c) jacobian_[i] = value.x;
                if (c >= 0 && pattern_.column[i] == c + 1) jacobian_[i] = value.y;
            }
        };
        if (row.a >= 0) {
            const Vector d = position(row.b) - position(row.a);
            const double w = 1 / row.distance;
            phi_[r] = 0.5 * (Space::dot(d, d) * w - row.distance);
            put(row.a, -w * d);
            put(row.b, w * d);
            continue;
        }
        phi_[r] = 0;
        for (const auto& [p, part] : row.parts) {
            phi_[r] += part * (row.axis == 0 ? position(p).x : position(p).y);
            put(p, {part, part});
        }
    }
}

void ParticleEquations::set_velocity(std::span<const double> v) {
    v_.assign(v.begin(), v.end());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (rows_[r].a < 0) continue;
        const Vector d = rate(v, rows_[r].b) - rate(v, rows_[r].a);
        gamma_[r] = -Space::dot(d, d) / rows_[r].distance;
    }
}

// The line of the first two corners turns a body; its first corner places it.
BodyMotion ParticleEquations::bodies_at(std::span<const double> q, std::span<const double> v,
                                        std::span<const double> a) {
    q_.assign(q.begin(), q.end());
    auto poses = positions_of(bodies_.coordinates(), mechanism_.bodies.size());
    BodyMotion out;
    out.v.assign(3 * system_.bodies().size(), 0.0);
    out.a = out.v;
    for (const auto& body : system_.bodies()) {
        const auto b = static_cast<std::size_t>(body.body);
        const int first = body.corners[0], second = body.corners[1];
        const Vector local = system_.local(body.body, first);
        const Vector own = system_.local(body.body, second) - local;
        const Vector line = position(second) - position(first);
        const double square = Space::dot(line, line);
        const double angle = std::atan2(Space::cross(own, line), Space::dot(own, line));
        Space::Position& pose = poses[b];
        pose.angle += std::remainder(angle - pose.angle, 2 * M_PI);
        pose.u = {std::cos(pose.angle), std::sin(pose.angle)};
        const Vector arm = pose.to_ground(local);
        pose.p = position(first) - arm;
        const double omega = Space::cross(line, rate(v, second) - rate(v, first)) / square,
                     alpha = Space::cross(line, rate(a, second) - rate(a, first)) / square;
        const Vector speed = rate(v, first) - omega * Space::turned(arm),
                     change = rate(a, first) - alpha * Space::turned(arm) + omega * omega * arm;
        const std::size_t c = 3 * (b - 1);
        std::copy_n(std::array{speed.x, speed.y, omega}.begin(), 3, out.v.begin() + c);
        std::copy_n(std::array{change.x, change.y, alpha}.begin(), 3, out.a.begin() + c);
    }
    out.x = bodies_.coordinates().from_positions(poses);
    bodies_.set_motion(out.x, out.v, t_);
    return out;
}

void ParticleEquations::set_forces(std::span<const double>) {
    const std::vector<double> q = q_, none(q_.size(), 0.0);
    (void)bodies_at(q, v_, none);
    bodies_.set_inertia();
    bodies_.set_forces(std::vector<double>(static_cast<std::size_t>(bodies_.state_size()), 0.0));
    Eigen::VectorXd force;
    system_.distribute(bodies_.forces().on_bodies(),
                       positions_of(bodies_.coordinates(), mechanism_.bodies.size()), force);
    std::copy(force.begin(), force.end(), force_.begin());
}

void ParticleEquations::solve_inertia(std::span<double> x) const {
    map(x) = factors_.solve(Eigen::VectorXd(map(x)));
}

void ParticleEquations::apply_inertia(std::span<const double> x, std::span<double> y) const {
    map(y) = system_.mass_matrix() * map(x);
}

JointParticleEquations::JointParticleEquations(const PlanarMechanism& mechanism,
                                               const Topology& topology, double size)
    : system_(mechanism, topology), rows_(mechanism, topology, {}) {
    rows_.set_model_size(size);
    model_size_ = size;
    pattern_ = rows_.pattern();
    labels_ = rows_.labels();
    column_scale_ = rows_.column_scale();
    force_.assign(static_cast<std::size_t>(rows_.size()), 0.0);
    v_ = force_;
    b_.resize(system_.size(), rows_.size());
}

void JointParticleEquations::set_position(std::span<const double> q, double t) {
    rows_.set_position(q, t);
    phi_ = rows_.phi();
    jacobian_ = rows_.jacobian();
    nu_ = rows_.nu();
    auto& c = rows_.coordinates();
    std::vector<double> unit(static_cast<std::size_t>(rows_.size()), 0.0);
    for (std::size_t j = 0; j < unit.size(); ++j) {
        unit[j] = 1;
        c.set_velocity(unit);
        unit[j] = 0;
        for (const auto& p : system_.particles()) {
            if (p.column < 0) continue;
            const Vector v = c.frame(p.at).velocity.v;
            b_(p.column, static_cast<Eigen::Index>(j)) = v.x;
            b_(p.column + 1, static_cast<Eigen::Index>(j)) = v.y;
        }
    }
}

void JointParticleEquations::set_velocity(std::span<const double> v) {
    v_.assign(v.begin(), v.end());
    rows_.set_velocity(v);
    gamma_ = rows_.gamma();
}

bool JointParticleEquations::set_inertia() {
    mass_ = b_.transpose() * system_.mass_matrix() * b_;
    factors_.compute(mass_);
    return factors_.info() == Eigen::Success;
}

void JointParticleEquations::solve_inertia(std::span<double> x) const {
    map(x) = factors_.solve(Eigen::VectorXd(map(x)));
}

void JointParticleEquations::apply_inertia(std::span<const double> x, std::span<double> y) const {
    map(y) = mass_ * map(x);
}

Eigen::VectorXd JointParticleEquations::bias(std::span<const double> v) {
    auto& c = rows_.coordinates();
    c.set_velocity(v);
    c.set_acceleration({});
    Eigen::VectorXd out(system_.size());
    for (const auto& p : system_.particles()) {
        if (p.column < 0) continue;
        const Vector a = c.frame_acceleration(p.at).v;
        out[p.column] = a.x;
        out[p.column + 1] = a.y;
    }
    return out;
}

// M' v = B'^T M B v + B^T M B' v. B' is linear in the velocities, and B'(v) w = B'(w) v: its
// columns come from the accelerations of the particles for v, w and v + w.
void JointParticleEquations::apply_inertia_rate(std::span<double> y) {
    const Eigen::MatrixXd& m = system_.mass_matrix();
    const Eigen::VectorXd own = bias(v_), momentum = m * b_ * map(std::span<const double>(v_));
    Eigen::VectorXd out = b_.transpose() * m * own;
    for (std::size_t j = 0; j < v_.size(); ++j) {
        std::vector<double> unit(v_.size(), 0.0), sum = v_;
        unit[j] = 1;
        sum[j] += 1;
        out[static_cast<Eigen::Index>(j)] += 0.5 * (bias(sum) - own - bias(unit)).dot(momentum);
    }
    rows_.set_velocity(v_);
    map(y) = out;
}

void JointParticleEquations::set_forces(std::span<const double>) {
    const Eigen::VectorXd acceleration = bias(v_);
    rows_.set_inertia();
    rows_.set_velocity(v_);
    rows_.set_forces(std::vector<double>(static_cast<std::size_t>(rows_.state_size()), 0.0));
    Eigen::VectorXd g;
    system_.distribute(rows_.forces().on_bodies(),
                       positions_of(rows_.coordinates(), rows_.mechanism().bodies.size()), g);
    const Eigen::VectorXd f = b_.transpose() * (g - system_.mass_matrix() * acceleration);
    std::copy(f.begin(), f.end(), force_.begin());
}

}  // namespace pawl
