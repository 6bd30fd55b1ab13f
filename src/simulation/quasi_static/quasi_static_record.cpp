#include "simulation/quasi_static/quasi_static_record.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "simulation/columns/condition_watch.h"

namespace pawl {

void QuasiStaticRecord::add_columns() {
    if (const auto left_out = unwatched(mechanism_, true)) result_.warnings.push_back(*left_out);
    auto& columns = result_.trajectory.columns;
    columns.push_back({"t", "s"});
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b)
        for (const auto& [tail, unit] : {std::pair{"x", "m"}, {"y", "m"}, {"angle", "rad"}})
            columns.push_back({mechanism_.bodies[b].name + "." + tail, unit});
    for (const auto& m : mechanism_.measures) columns.push_back({m.name, m.unit});
    add_reaction_columns(mechanism_, columns);
    add_force_columns(mechanism_, columns);
    columns.push_back({"energy.potential", "J"});
    has_stiffness_ = mode_.balance().freedoms() > 0 || mode_.watching();
    if (has_stiffness_) columns.push_back({"stiffness.lowest", "N/m"});
    if (!AuxiliaryLayout(mechanism_).has_friction()) return;
    rubbing_.emplace(placed_);
    columns.push_back({"friction.holds", "1"});
    for (const auto& d : mechanism_.drivers)
        for (const char* tail : {".force_low", ".force_high"})
            columns.push_back(
                {d.name + tail, d.coordinate.component == Component::angle ? "N m" : "N"});
}

void QuasiStaticRecord::append_friction(const PathPoint& node, std::vector<double>& row) {
    if (!rubbing_) return;
    const EquilibriumFriction friction = hold_by_friction(placed_, *rubbing_, node.y, node.t);
    row.push_back(friction.holds ? 1 : 0);
    for (const auto& d : mechanism_.drivers) {
        double low = NAN, high = NAN;
        for (const HeldLoad& load : friction.loads)
            if (load.name == d.name) {
                low = load.low;
                high = load.high;
            }
        row.insert(row.end(), {low, high});
    }
}

// The contacts as forces on the bodies, and their columns.
void QuasiStaticRecord::take_contacts(double t, std::vector<PlanarSpace::Wrench>& applied) {
    if (!mode_.watching()) return;
    auto& s = result_.statistics;
    EquilibriumSystem& balance = mode_.balance();
    auto& equations = balance.equations();
    const std::size_t row = result_.trajectory.rows();
    for (std::size_t i = 0; i < equations.contacts().size(); ++i) {
        const auto& point = equations.contacts()[i];
        const double force = balance.contact_force(i);
        columns_.add_closed(row, point, {.normal = force, .at_rest = force});
        s.largest_contact_force = std::max(s.largest_contact_force, std::abs(force));
        if (!mechanism_.contacts[static_cast<std::size_t>(point.pair)].permanent)
            s.pull.see(-force, t, name_of(mechanism_, point));
        add_contact_force(mechanism_, equations.coordinates(), point, force, applied);
    }
    GapWatch& watch = mode_.contacts().watch();
    columns_.add_open(row, equations.coordinates(), watch);
    // Not from the contacts that are followed, but from the profiles themselves.
    for (const int i : watch.pairs_together(equations.coordinates()))
        s.penetration.see(watch.penetration(equations.coordinates(), i), t,
                          mechanism_.contacts[static_cast<std::size_t>(i)].name);
}

void QuasiStaticRecord::sample(const PathPoint& node) {
    EquilibriumSystem& balance = mode_.balance();
    balance.look_near(node.fractions);
    Eigen::VectorXd y = node.y;
    balance.close(y, node.t);
    auto& c = balance.equations().coordinates();
    c.set_acceleration({});
    std::vector<double> row{node.t};
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
        const auto& position = c.position(static_cast<int>(b));
        row.insert(row.end(), {position.p.x, position.p.y, position.angle});
    }
    evaluate_measures(mechanism_, c, node.t, channels_);
    for (std::size_t i = 0; i < channels_.size(); ++i)
        row.push_back(channels_[i].value / mechanism_.measures[i].unit_factor);
    std::vector<PlanarSpace::Wrench> applied = balance.equations().forces().on_bodies();
    take_contacts(node.t, applied);
    // The contacts may balance what is applied: what is left of both gives no scale.
    reactions_.solve(c, balance.equations().inertia(), applied, node.t, balance.largest_on_body());
    append_reactions(mechanism_, c, reactions_, row);
    append_forces(mechanism_, balance.equations().forces(), row);
    row.push_back(balance.potential());
    // Contacts may remove the last degree of freedom and release it again.
    if (has_stiffness_) row.push_back(balance.freedoms() > 0 ? node.lowest : NAN);
    append_friction(node, row);
    result_.trajectory.add(row);
    auto& s = result_.statistics;
    ++s.samples;
    s.largest_residual = std::max(s.largest_residual, balance.residual());
    if (node.force_scale > 0)
        s.largest_imbalance =
            std::max(s.largest_imbalance,
                     reactions_.imbalance() * balance.largest_on_body() / node.force_scale);
}

void QuasiStaticRecord::close() {
    columns_.widen(result_.trajectory);
    if (!reactions_.indeterminate().empty())
        result_.warnings.push_back(indeterminate_warning(reactions_));
}

}  // namespace pawl
