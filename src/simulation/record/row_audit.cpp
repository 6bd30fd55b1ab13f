#include "simulation/record/row_audit.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/records.h"
#include "results/text.h"
#include "simulation/stepping/remember.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

}  // namespace

void ConstraintAudit::see(const MechanismEquations<Space>& equations, const State& state) {
    const RowPattern& p = equations.pattern();
    position_.see(equations.residual(), state.t);
    double speed = 0;
    for (int c = 0; c < equations.size(); ++c)
        speed = std::max(speed, std::abs(state.v[c]) * equations.column_scale()[c]);
    largest_speed_ = std::max(largest_speed_, speed);
    for (int r = 0; r < p.rows(); ++r) {
        double rate = -equations.nu()[r];
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            rate += equations.jacobian()[i] * state.v[p.column[i]];
        velocity_.see(std::abs(rate), state.t, equations.labels()[r].element);
    }
}

void ConstraintAudit::add_checks(Audit& audit, double size) const {
    audit.checks.push_back({"constraint residual", "m", position_, tolerance::residual_audit * size,
                            "|phi| <= 1e-10 size"});
    audit.checks.push_back({"velocity residual", "m/s", velocity_,
                            tolerance::velocity_audit * (largest_speed_ + size),
                            "|G v - nu| <= 1e-9 (largest speed + size/s)"});
}

void ConstraintAudit::remember(Memory& memory) { memory(position_, velocity_, largest_speed_); }

ContactAudit::ContactAudit(const PlanarMechanism& mechanism)
    : mechanism_(mechanism), deepest_(mechanism.contacts.size(), 0.0) {}

void ContactAudit::see_rigid(const ContactPoint<Space>& point, double force, double t) {
    const auto see = [&](Worst& worst, double value) {
        if (value > worst.value) worst.see(value, t, name_of(mechanism_, point));
    };
    see(complementarity_, std::abs(force * point.touch.gap));
    if (mechanism_.contacts[static_cast<std::size_t>(point.pair)].permanent) return;
    largest_force_ = std::max(largest_force_, std::abs(force));
    see(pull_, -force);
    see(penetration_, -point.touch.gap);
}

void ContactAudit::see_compliant(const ContactPoint<Space>& point) {
    double& deepest = deepest_[static_cast<std::size_t>(point.pair)];
    deepest = std::max(deepest, -point.touch.gap);
}

void ContactAudit::see_friction(const MechanismEquations<Space>& equations,
                                const ContactCycle::Forces& forces, const State& state) {
    for (std::size_t k = 0; k < equations.friction().size(); ++k) {
        const FrictionPoint& point = equations.friction()[k];
        const double slip = equations.slip(static_cast<int>(k), state.v), f = forces.friction[k];
        // In newtons, so that pins can be compared with guides.
        const double lever = point.kind == FrictionPoint::Load::vector ? point.lever : 1.0;
        const double limit =
            point.direction == 0
                ? point.holds(forces.loads)
                : std::abs(point.way(slip)) *
                      (point.limit_sliding(std::abs(slip)) * point.load(forces.loads) +
                       point.constant);
        const double dry = f + (point.direction == 0 ? 0.0 : point.viscous * slip);
        const double excess =
            point.direction == 0 ? std::abs(dry) - limit : std::abs(std::abs(dry) - limit);
        cone_.see(excess / lever, state.t, point.name);
        gain_.see(f * slip, state.t, point.name);
        largest_friction_ = std::max({largest_friction_, std::abs(f) / lever, limit / lever});
    }
}

void ContactAudit::check_penetration(Audit& audit, double size) const {
    audit.checks.push_back(
        {"penetration", "m", penetration_, tolerance::residual_audit * size, "-gap <= 1e-10 size"});
}

void ContactAudit::check_forces(Audit& audit, double size) const {
    audit.checks.push_back({"pulling contact", "N", pull_,
                            tolerance::force_audit * largest_force_ + tolerance::smallest_amount,
                            "-normal force <= 1e-6 of the largest"});
    audit.checks.push_back(
        {"complementarity", "J", complementarity_,
         tolerance::residual_audit * size * largest_force_ + tolerance::smallest_product,
         "|normal force x gap| <= 1e-10 size x the largest force"});
}

void ContactAudit::check_friction(Audit& audit, double largest_speed, double size) const {
    audit.checks.push_back({"friction cone", "N", cone_,
                            tolerance::force_audit * largest_friction_ + tolerance::smallest_amount,
                            "friction beyond its limit, or off it where it slides <= 1e-6 of the "
                            "largest friction"});
    audit.checks.push_back({"friction along the slip", "W", gain_,
                            tolerance::velocity_audit * largest_friction_ * (largest_speed + size) +
                                tolerance::smallest_amount,
                            "power of friction <= 1e-9 largest friction x (largest speed + "
                            "size/s)"});
}

std::vector<std::string> ContactAudit::warnings(const GapWatch& watch) const {
    std::vector<std::string> warnings;
    constexpr double part = 0.5;
    for (const int i : watch.pairs()) {
        const double depth = deepest_[static_cast<std::size_t>(i)],
                     radius = watch.smaller_radius(i);
        if (radius > 0 && depth > part * radius)
            warnings.push_back(
                "contact '" + mechanism_.contacts[static_cast<std::size_t>(i)].name +
                "' is compressed by " + length_text(depth) +
                ", so much that its bodies may pass through each other; increase the stiffness");
    }
    return warnings;
}

void ContactAudit::remember(Memory& memory) {
    memory(pull_, penetration_, cone_, gain_, complementarity_, largest_force_, largest_friction_,
           deepest_);
}

}  // namespace pawl
