#include "simulation/record/dynamic_record.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "simulation/placement/contact_mode.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

std::string energy_column(const std::string& element, const char* what) {
    return "energy." + element + "." + what;
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
      deepest_(placed.mechanism.contacts.size(), 0.0) {
    result.trajectory.spool(options.spool);
    step_of_row_.use(options.spool, "steps");
    for (const auto& f : mechanism_.forces) {
        const bool turns =
            f.component == Component::angle && !std::holds_alternative<Spring<Space>>(f.kind);
        force_unit_.push_back(turns ? placed.assembly.model_size : 1);
    }
    add_columns();
}

void DynamicRecord::add_columns() {
    auto& columns = result_.trajectory.columns;
    if (options_.reactions) {
        reactions_.emplace(placed_, Reactions::without_contacts());
        add_reaction_columns(mechanism_, columns);
    }
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j)
        if (layout_.friction_of_joint[j] >= 0) {
            const auto& joint = mechanism_.joints[j];
            const bool turns = joint.coordinates()[0] == Component::angle;
            columns.push_back({joint.name + ".friction", turns ? "N m" : "N"});
            columns.push_back({joint.name + ".mode", "1"});
        }
    for (const auto& s : mechanism_.states) columns.push_back({s.name, "1"});
    for (const auto& [name, unit] : {std::pair{"energy.kinetic", "J"},
                                     {"energy.potential", "J"},
                                     {"energy.work", "J"},
                                     {"energy.residual", "J"}})
        columns.push_back({name, unit});
    for (const auto& f : mechanism_.forces)
        columns.push_back({energy_column(f.name, "stored"), "J"});
    for (const LedgerLine& line : ledger(State{}))
        columns.push_back({energy_column(line.element, "work"), "J"});
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
// nearest place of a pair that is open.
void DynamicRecord::take_contacts(const State& state) {
    DynamicSystem& system = contacts_.system();
    auto& equations = *system.equations;
    const std::size_t row = result_.trajectory.rows();
    const std::vector<double>& lambda = forces_.lambda;
    check_friction(state, forces_);
    equations.add_friction_wrenches(forces_.friction, on_bodies_);
    const auto& c = equations.coordinates();
    std::set<int> pressed;  // pairs with a compliant contact that is closed
    for (std::size_t i = 0; i < equations.contacts().size(); ++i) {
        const auto& point = equations.contacts()[i];
        const auto& pair = mechanism_.contacts[static_cast<std::size_t>(point.pair)];
        const int r = equations.contact_row(i);
        const double force = point.compliant ? std::max(0.0, point.compliant_force()) : lambda[r];
        ContactColumns::PointForces forces;
        forces.normal = force;
        if (point.compliant) {
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
            double& deepest = deepest_[static_cast<std::size_t>(point.pair)];
            deepest = std::max(deepest, -point.touch.gap);
            pressed.insert(point.pair);
            continue;
        }
        const auto see = [&](Worst& worst, double value) {
            if (value > worst.value) worst.see(value, state.t, name_of(mechanism_, point));
        };
        see(complementarity_, std::abs(force * point.touch.gap));
        add_contact_force(mechanism_, c, point, force, on_bodies_);
        if (pair.permanent) continue;
        largest_force_ = std::max(largest_force_, std::abs(force));
        see(pull_, -force);
        see(penetration_, -point.touch.gap);
    }
    // Not from the contacts that are followed, but from the profiles themselves.
    for (const int i : contacts_.watch().pairs()) {
        if (pressed.count(i) > 0) continue;
        penetration_.see(contacts_.watch().penetration(c, i), state.t,
                         mechanism_.contacts[static_cast<std::size_t>(i)].name);
    }
    penetration_.see(columns_.add_open(row, c, contacts_.watch()), state.t);
}

void DynamicRecord::sample(const State& state) {
    DynamicSystem& system = contacts_.system();
    auto& equations = *system.equations;
    auto& dynamics = *system.dynamics;
    // First, since it leaves the system at rest.
    find_static_forces(state);
    forces_ = contacts_.forces_with_motion(state);
    if (!forces_.solved) return;
    equations.set_forces(state.z);  // with the weights
    auto& s = result_.statistics;
    ++s.samples;
    step_of_row_.add(steps_);
    auto& c = equations.coordinates();
    check_rows(state);
    on_bodies_.assign(mechanism_.bodies.size(), {});
    take_contacts(state);
    const auto& acceleration = dynamics.acceleration();
    c.set_acceleration(acceleration);
    extra_.clear();
    if (reactions_) {
        const auto& applied = equations.forces().on_bodies();
        double scale = largest_single_force();
        for (std::size_t b = 0; b < applied.size(); ++b) {
            for (const auto& w : {on_bodies_[b], applied[b]})
                scale = std::max({scale, std::abs(w.f.x), std::abs(w.f.y),
                                  std::abs(w.m) / placed_.assembly.model_size});
            on_bodies_[b].f += applied[b].f;
            on_bodies_[b].m += applied[b].m;
        }
        reactions_->solve(c, equations.inertia(), on_bodies_, state.t, scale);
        imbalance_.see(reactions_->imbalance(), state.t);
        append_reactions(mechanism_, c, *reactions_, extra_);
    }
    append_friction(extra_);
    const std::size_t own = mechanism_.states.size();
    extra_.insert(extra_.end(), state.z.begin(), state.z.begin() + own);
    const double kinetic = equations.inertia().kinetic_energy(),
                 potential = equations.forces().potential();
    double work = 0;
    for (std::size_t i = own; i < state.z.size(); ++i) {
        work += state.z[i];
        total_work_ = std::max(total_work_, std::abs(state.z[i]));
    }
    const double energy = kinetic + potential - work;
    if (!has_first_) {
        has_first_ = true;
        first_kinetic_ = kinetic;
        first_energies_ = equations.forces().energies();
        initial_energy_ = energy;
    }
    largest_kinetic_ = std::max(largest_kinetic_, kinetic);
    double stored = 0;
    for (const auto& e : equations.forces().energies()) stored += std::abs(e.potential);
    largest_potential_ = std::max(largest_potential_, stored);
    largest_exchange_ = std::max(largest_exchange_, std::abs(potential - first_potential()));
    const double residual = energy - initial_energy_;
    energy_.see(std::abs(residual), state.t);
    extra_.insert(extra_.end(), {kinetic, potential, work, residual});
    last_kinetic_ = kinetic;
    last_energies_ = equations.forces().energies();
    const std::vector<LedgerLine>& lines = ledger(state);
    for (std::size_t i = 0; i < mechanism_.forces.size(); ++i) extra_.push_back(lines[i].stored);
    for (const LedgerLine& line : lines) extra_.push_back(line.work);
    sampler_.take(c, state.t, state.v, acceleration, extra_);
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

// Of weights, springs and what else acts: forces that cancel each other on a body still round.
double DynamicRecord::largest_single_force() const {
    const auto& forces = contacts_.system().equations->forces();
    const double fall = std::hypot(forces.gravity().x, forces.gravity().y);
    double largest = 0;
    for (const auto& body : mechanism_.bodies)
        largest = std::max(largest, fall * body.mass.value_or(0.0));
    for (std::size_t i = 0; i < mechanism_.forces.size(); ++i)
        largest = std::max(largest, std::abs(forces.scalars()[i]) / force_unit_[i]);
    return largest;
}

// Forces first. Before the first row everything is zero.
const std::vector<LedgerLine>& DynamicRecord::ledger(const State& state) {
    const auto work = [&](std::size_t place) { return state.z.empty() ? 0.0 : state.z[place]; };
    std::size_t next = 0;
    const auto put = [&](const std::string& name, const char* tail, double stored, double done) {
        if (next == lines_.size()) lines_.push_back({name + tail});
        LedgerLine& line = lines_[next++];
        line.stored = stored;
        line.work = done;
    };
    for (std::size_t i = 0; i < mechanism_.forces.size(); ++i)
        put(mechanism_.forces[i].name, "",
            last_energies_.empty() ? 0.0
                                   : last_energies_[i].potential - first_energies_[i].potential,
            work(layout_.forces + i));
    for (std::size_t i = 0; i < mechanism_.drivers.size(); ++i)
        put(mechanism_.drivers[i].name, "", 0, work(layout_.drivers + i));
    for (std::size_t i = 0; i < mechanism_.contacts.size(); ++i)
        if (mechanism_.contacts[i].profile_a >= 0 && !mechanism_.contacts[i].permanent)
            put(mechanism_.contacts[i].name, "", 0, work(layout_.contacts + i));
    const auto put_friction = [&](const std::string& name, int place) {
        if (place >= 0) put(name, " friction", 0, work(static_cast<std::size_t>(place)));
    };
    for (std::size_t i = 0; i < mechanism_.joints.size(); ++i)
        put_friction(mechanism_.joints[i].name, layout_.friction_of_joint[i]);
    for (std::size_t i = 0; i < mechanism_.contacts.size(); ++i)
        put_friction(mechanism_.contacts[i].name, layout_.friction_of_contact[i]);
    return lines_;
}

// Friction within its limit, at it where it slides, and never in the direction of the slip.
void DynamicRecord::check_friction(const State& state, const ContactCycle::Forces& forces) {
    const auto& equations = *contacts_.system().equations;
    for (std::size_t k = 0; k < equations.friction().size(); ++k) {
        const FrictionPlace& place = equations.friction()[k];
        const double slip = equations.slip(static_cast<int>(k), state.v), f = forces.friction[k];
        // In newtons, so that pins can be compared with guides.
        const double lever = place.kind == FrictionPlace::Load::vector ? place.lever : 1.0;
        const double limit =
            (place.direction == 0 ? place.limit_at_rest() : place.limit_sliding(std::abs(slip))) *
            place.load(forces.loads);
        const double dry = f + (place.direction == 0 ? 0.0 : place.viscous * slip);
        const double excess =
            place.direction == 0 ? std::abs(dry) - limit : std::abs(std::abs(dry) - limit);
        cone_.see(excess / lever, state.t, place.name);
        gain_.see(f * slip, state.t, place.name);
        largest_friction_ = std::max({largest_friction_, std::abs(f) / lever, limit / lever});
    }
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

double DynamicRecord::first_potential() const {
    double sum = 0;
    for (const auto& e : first_energies_) sum += e.potential;
    return sum;
}

void DynamicRecord::check_rows(const State& state) {
    const auto& equations = *contacts_.system().equations;
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

}  // namespace pawl
