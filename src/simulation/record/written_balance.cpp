#include "simulation/record/written_balance.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "math/tolerances/records.h"
#include "simulation/placement/contact_mode.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Vector = Space::Vector;

MechanismEquations<Space>::Choice bodies_and_joint_friction(const PlanarMechanism& mechanism) {
    MechanismEquations<Space>::Choice choice;
    choice.coordinates = CoordinateKind::absolute;
    choice.permanent = false;
    choice.friction = friction_points(mechanism, {});
    for (FrictionMode& mode : choice.friction) mode.direction = 1;
    return choice;
}

}  // namespace

WrittenBalance::WrittenBalance(const PlacedMechanism& placed, const WrittenColumns& columns)
    : placed_(placed),
      mechanism_(placed.mechanism),
      columns_(columns),
      size_(placed.assembly.model_size),
      switches_(mechanism_) {
    renew();
}

void WrittenBalance::renew() {
    auto choice = bodies_and_joint_friction(mechanism_);
    choice.sides = &sides_;
    equations_ =
        std::make_unique<MechanismEquations<Space>>(mechanism_, placed_.topology, choice);
    equations_->set_model_size(size_);
}

// Joints act on their second body as written, and on the first with the opposite.
void WrittenBalance::add_joint_forces(std::span<const double> row,
                                      std::vector<Space::Wrench>& sum) {
    const auto add = [&](const Attachment<Space>& frame, Vector point, Vector f, double m) {
        auto& w = sum[static_cast<std::size_t>(frame.body)];
        w.f += f;
        w.m += m + Space::cross(point - columns_.motion_of(row, frame.body).position.p, f);
    };
    const auto add_joint = [&](int column, const Joint<Space>& joint) {
        if (column < 0) return;
        const auto x = row.subspan(static_cast<std::size_t>(column), 3);
        const Vector f{x[0], x[1]};
        const Vector point =
            joint.frames[1].on(columns_.motion_of(row, joint.frames[1].body).position).p;
        add(joint.frames[1], point, f, x[2]);
        add(joint.frames[0], point, -f, -x[2]);
        largest_force_ = std::max({largest_force_, Space::length(f), std::abs(x[2]) / size_});
    };
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j)
        add_joint(columns_.joints[j], mechanism_.joints[j]);
    for (std::size_t i = 0; i < mechanism_.couplings.size(); ++i)
        add_joint(columns_.couplings[i], mechanism_.couplings[i].joint);
    const RowPattern& p = equations_->pattern();
    std::size_t driver = 0;
    for (int r = 0; r < p.rows(); ++r) {
        if (equations_->labels()[r].role != RowRole::driver) continue;
        const int column = columns_.drivers[driver++];
        if (column < 0) continue;
        const double force = row[static_cast<std::size_t>(column)] / equations_->row_scale(r);
        for (int i = p.start[r]; i < p.start[r + 1]; ++i) {
            auto& w = sum[static_cast<std::size_t>(1 + p.column[i] / 3)];
            const double part = force * equations_->jacobian()[i];
            (p.column[i] % 3 == 0 ? w.f.x : p.column[i] % 3 == 1 ? w.f.y : w.m) += part;
        }
    }
    std::vector<double> friction;
    for (const FrictionMode& mode : equations_->friction_modes()) {
        const int column = columns_.joint_friction[static_cast<std::size_t>(mode.joint)];
        friction.push_back(column < 0 ? 0.0 : row[static_cast<std::size_t>(column)]);
    }
    equations_->add_friction_wrenches(friction, sum);
}

void WrittenBalance::add_contact_forces(std::span<const double> row,
                                        std::vector<Space::Wrench>& sum) {
    const auto cell = [&](int column) {
        const double x = column < 0 ? 0.0 : row[static_cast<std::size_t>(column)];
        return std::isfinite(x) ? x : 0.0;
    };
    for (const WrittenColumns::PointColumns& c : columns_.points) {
        if (cell(c.closed) != 1) continue;
        const auto& pair = mechanism_.contacts[static_cast<std::size_t>(c.pair)];
        const WrittenColumns::Touching touching = columns_.touching_at(row, c);
        const Vector f = cell(c.normal) * touching.n + cell(c.friction) * Space::turned(touching.n);
        largest_force_ = std::max(largest_force_, Space::length(f));
        for (const int side : {0, 1}) {
            const int body = side == 0 ? pair.a : pair.b;
            const double sign = side == 0 ? -1 : 1;
            auto& w = sum[static_cast<std::size_t>(body)];
            w.f += sign * f;
            w.m += sign *
                   (cell(c.rolling) +
                    Space::cross(touching.p[side] - columns_.motion_of(row, body).position.p, f));
            if (!touching.known) judged_now_[static_cast<std::size_t>(body)] = 0;
        }
    }
}

// Those of the values; `at_zero` for what is at zero but for rounding. Returns whether anything is.
bool WrittenBalance::choose_sides(double t, signed char at_zero) {
    bool any = false;
    sides_.clear();
    if (switches_.empty()) return false;
    for (const double value : switches_.evaluate(equations_->coordinates(), t, z_)) {
        const bool is_zero = !(std::abs(value) > tolerance::on_switch);
        any |= is_zero;
        sides_.push_back(is_zero ? at_zero : static_cast<signed char>(value < 0 ? -1 : 1));
    }
    return any;
}

// At a switch the row shows the forces on one of its sides, or at zero: the side that fits counts.
void WrittenBalance::judge(std::span<const double> cells) {
    q_.clear();
    v_.clear();
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
        const auto x = cells.subspan(static_cast<std::size_t>(columns_.bodies[b]), 9);
        q_.insert(q_.end(), {x[0], x[1], x[2]});
        v_.insert(v_.end(), {x[3], x[4], x[5]});
    }
    z_.assign(static_cast<std::size_t>(equations_->state_size()), 0.0);
    for (std::size_t i = 0; i < columns_.states.size(); ++i)
        z_[i] = cells[static_cast<std::size_t>(columns_.states[i])];
    equations_->set_motion(q_, v_, cells[0]);
    Off least = balance(cells, choose_sides(cells[0], 0));
    for (const signed char side : {-1, 1}) {
        if (!least.is_at_switch) break;
        choose_sides(cells[0], side);
        if (const Off other = balance(cells, true); other.value < least.value) least = other;
    }
    if (least.value > worst_.value)
        worst_.see(least.value, cells[0], mechanism_.bodies[least.body].name);
}

// m a of each body against the sum of what is written and what the model applies there.
WrittenBalance::Off WrittenBalance::balance(std::span<const double> cells, bool is_at_switch) {
    equations_->set_forces(z_);
    std::vector<Space::Wrench> sum = equations_->forces().on_bodies();
    judged_now_ = columns_.judged;
    for (const auto& w : sum)
        largest_force_ = std::max({largest_force_, Space::length(w.f), std::abs(w.m) / size_});
    add_contact_forces(cells, sum);
    add_joint_forces(cells, sum);
    Off worst{0, 0, is_at_switch};
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
        if (!judged_now_[b]) continue;
        const WrittenColumns::BodyMotion m = columns_.motion_of(cells, static_cast<int>(b));
        const auto& body = mechanism_.bodies[b];
        const double mass = body.mass.value_or(0.0), omega = m.velocity.omega;
        const Vector r = m.position.to_ground(body.centre);
        const Vector f =
            mass * (m.acceleration.v + m.acceleration.omega * Space::turned(r) - omega * omega * r);
        const double moment =
            body.inertia.value_or(0.0) * m.acceleration.omega + Space::cross(r, f);
        largest_force_ =
            std::max(largest_force_,
                     mass * (Space::length(m.acceleration.v) +
                             (std::abs(m.acceleration.omega) + omega * omega) * Space::length(r)));
        const double off =
            std::max(Space::length(f - sum[b].f), std::abs(moment - sum[b].m) / size_);
        if (off > worst.value) worst = {off, b, is_at_switch};
    }
    return worst;
}

AuditCheck WrittenBalance::check() const {
    return {"Newton and Euler", "N", worst_,
            tolerance::force_audit * largest_force_ + tolerance::smallest_amount,
            "of each body from the written columns: |m a - sum of forces| <= 1e-6 of the largest"};
}

}  // namespace pawl
