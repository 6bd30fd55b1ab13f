#include "simulation/record/dynamic_record.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "simulation/placement/contact_mode.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

// Of weights, springs and what else acts: forces that cancel each other on a body still round.
// Torques count with the model's size.
double largest_single_force(const PlanarMechanism& mechanism, const AppliedForces<Space>& forces,
                            double size) {
    const double fall = std::hypot(forces.gravity().x, forces.gravity().y);
    double largest = 0;
    for (const auto& body : mechanism.bodies)
        largest = std::max(largest, fall * body.mass.value_or(0.0));
    for (std::size_t i = 0; i < mechanism.forces.size(); ++i) {
        const double arm = is_torque(mechanism.forces[i]) ? size : 1;
        largest = std::max(largest, std::abs(forces.scalars()[i]) / arm);
    }
    return largest;
}

}  // namespace

DynamicRecord::DynamicRecord(const PlacedMechanism& placed, const DynamicOptions& options,
                             ContactCycle& contacts, DynamicResult& result)
    : placed_(placed),
      mechanism_(placed.mechanism),
      layout_(placed.mechanism),
      options_(options),
      contacts_(contacts),
      result_(result),
      sampler_(placed.mechanism, result.trajectory),
      columns_(placed.mechanism, options.spool),
      energies_(placed.mechanism),
      touching_(placed.mechanism) {
    result.trajectory.spool(options.spool);
    step_of_row_.use(options.spool, "steps");
    add_columns();
}

void DynamicRecord::add_columns() {
    auto& columns = result_.trajectory.columns;
    if (options_.reactions) {
        reactions_.emplace(placed_, Reactions::without_contacts());
        add_reaction_columns(mechanism_, columns);
        add_force_columns(mechanism_, columns);
    }
    for (const auto& coupling : mechanism_.couplings)
        for (const auto& [tail, unit] :
             {std::pair{"engaged", "1"}, {"fx", "N"}, {"fy", "N"}, {"m", "N m"}})
            columns.push_back({coupling.joint.name + "." + tail, unit});
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j)
        if (layout_.friction_of_joint[j] >= 0) {
            const auto& joint = mechanism_.joints[j];
            const bool turns = joint.coordinates()[0] == Component::angle;
            columns.push_back({joint.name + ".friction", turns ? "N m" : "N"});
            columns.push_back({joint.name + ".mode", "1"});
        }
    for (const auto& s : mechanism_.states) columns.push_back({s.name, "1"});
    energies_.add_columns(columns);
}

// Multipliers of all rows in the same position with everything at rest, the drivers too.
void DynamicRecord::find_static_forces(const State& state) {
    static_forces_.clear();
    DynamicSystem& system = contacts_.system();
    if (system.equations->contacts().empty()) return;
    still_.assign(state.v.size(), 0.0);
    system.equations->hold_drivers(true);
    const bool solved =
        system.dynamics->respond(state.t, state.q, still_, state.z) == RateOutcome::solved;
    system.equations->hold_drivers(false);
    static_forces_ = system.dynamics->multipliers();
    if (!solved) std::fill(static_forces_.begin(), static_forces_.end(), NAN);
}

// The contacts in force as forces on the bodies, and an entry for each point: closed ones, and the
// nearest point of a pair that is open.
void DynamicRecord::take_contacts(const State& state) {
    DynamicSystem& system = contacts_.system();
    auto& equations = *system.equations;
    const std::size_t row = result_.trajectory.rows();
    const std::vector<double>& lambda = forces_.lambda;
    touching_.see_friction(equations, forces_, state);
    equations.add_friction_wrenches(forces_.friction, on_bodies_);
    const auto& c = equations.coordinates();
    std::set<int> pressed;  // pairs with a compliant contact that is closed
    for (std::size_t i = 0; i < equations.contacts().size(); ++i) {
        const auto& point = equations.contacts()[i];
        const int r = equations.contact_row(i);
        const double force = point.compliant ? std::max(0.0, point.compliant_force()) : lambda[r];
        ContactColumns::PointForces forces;
        forces.normal = force;
        if (point.compliant) {
            forces.at_rest = point.released ? 0 : point.law.elastic(-point.touch.gap);
            forces.friction = equations.friction_of_compliant(i);
            forces.mode = forces.friction < 0 ? 1 : -1;
        } else {
            forces.at_rest = static_forces_[r];
        }
        for (std::size_t k = 0; k < equations.friction().size(); ++k) {
            const FrictionMode& mode = equations.friction_modes()[k];
            if (mode.contact != static_cast<int>(i)) continue;
            (mode.rolling ? forces.rolling : forces.friction) = forces_.friction[k];
            if (!mode.rolling) forces.mode = mode.direction;
        }
        columns_.add_closed(row, point, forces);
        if (point.compliant) {  // among the applied forces already
            touching_.see_compliant(point);
            pressed.insert(point.pair);
            continue;
        }
        touching_.see_rigid(point, force, state.t);
        add_contact_force(mechanism_, c, point, force, on_bodies_);
    }
    // Not from the contacts that are followed, but from the profiles themselves.
    for (const int i : contacts_.watch().pairs_together(c)) {
        if (pressed.count(i) > 0) continue;
        touching_.see_penetration(contacts_.watch().penetration(c, i), state.t,
                                  mechanism_.contacts[static_cast<std::size_t>(i)].name);
    }
    touching_.see_penetration(columns_.add_open(row, c, contacts_.watch()), state.t);
}

// After the contacts, whose forces are in on_bodies_.
void DynamicRecord::append_reactions_of(const State& state) {
    auto& equations = *contacts_.system().equations;
    const auto& applied = equations.forces().on_bodies();
    const double size = placed_.assembly.model_size;
    double scale = largest_single_force(mechanism_, equations.forces(), size);
    for (std::size_t b = 0; b < applied.size(); ++b) {
        for (const auto& w : {on_bodies_[b], applied[b]})
            scale = std::max({scale, std::abs(w.f.x), std::abs(w.f.y), std::abs(w.m) / size});
        on_bodies_[b].f += applied[b].f;
        on_bodies_[b].m += applied[b].m;
    }
    reactions_->solve(equations.coordinates(), equations.inertia(), on_bodies_, state.t, scale);
    imbalance_.see(reactions_->imbalance(), state.t);
    append_reactions(mechanism_, equations.coordinates(), *reactions_, extra_);
    append_forces(mechanism_, equations.forces(), extra_);
}

bool DynamicRecord::sample(const State& state) {
    DynamicSystem& system = contacts_.system();
    auto& equations = *system.equations;
    auto& dynamics = *system.dynamics;
    // First, since it leaves the system at rest.
    find_static_forces(state);
    forces_ = contacts_.forces_with_motion(state);
    if (!forces_.solved) return false;
    equations.set_forces(state.z);  // with the weights
    auto& s = result_.statistics;
    ++s.samples;
    step_of_row_.add(steps_);
    auto& c = equations.coordinates();
    constraints_.see(equations, state);
    on_bodies_.assign(mechanism_.bodies.size(), {});
    take_contacts(state);
    const auto on_second = equations.add_coupling_wrenches(forces_.lambda, on_bodies_);
    const auto& acceleration = dynamics.acceleration();
    c.set_acceleration(acceleration);
    extra_.clear();
    if (reactions_) append_reactions_of(state);
    for (std::size_t i = 0; i < mechanism_.couplings.size(); ++i) {
        std::array<double, 4> cells{};
        for (std::size_t k = 0; k < on_second.size(); ++k)
            if (equations.couplings()[k].coupling == static_cast<int>(i))
                cells = {1, on_second[k].f.x, on_second[k].f.y, on_second[k].m};
        extra_.insert(extra_.end(), cells.begin(), cells.end());
    }
    append_friction(extra_);
    const std::size_t own = mechanism_.states.size();
    extra_.insert(extra_.end(), state.z.begin(), state.z.begin() + own);
    energies_.take(equations, state.z, state.t, extra_);
    sampler_.take(c, state.t, state.v, acceleration, extra_);
    return true;
}

void DynamicRecord::put(std::span<const double> row) {
    ++result_.statistics.samples;
    step_of_row_.add(steps_);
    result_.trajectory.add(row);
}

void DynamicRecord::sample_start(const State& state) {
    auto& equations = *contacts_.system().equations;
    equations.set_position(state.q, state.t);
    ++result_.statistics.samples;
    step_of_row_.add(steps_);
    sampler_.take_start(equations.coordinates(), state.t, state.v);
}

void DynamicRecord::append_friction(std::vector<double>& row) const {
    auto& equations = *contacts_.system().equations;
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j) {
        if (layout_.friction_of_joint[j] < 0) continue;
        double force = 0, direction = NAN;
        for (std::size_t k = 0; k < equations.friction().size(); ++k)
            if (equations.friction_modes()[k].joint == static_cast<int>(j)) {
                force = forces_.friction[k];
                direction = equations.friction()[k].direction;
            }
        row.insert(row.end(), {force, direction});
    }
}

}  // namespace pawl
